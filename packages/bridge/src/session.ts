/** What a client has opened: simulations, batches and rollouts, by number. */
import type { Batch, ResidentBatch } from '@nexdyn/batch';
import type { Ruler, Scene, Simulation } from '@nexdyn/engine';
import { NexdynError } from '@nexdyn/engine';
import type { Rollout } from '@nexdyn/engine/derivatives';
import type { LoadedScene } from '@nexdyn/formats';
import type { Environments } from './environments/environment-threads.ts';

/** A simulation and where it came from. */
export interface OpenSimulation {
  readonly kind: 'simulation';
  readonly simulation: Simulation;
  readonly scene: Scene;
  readonly unsupported: LoadedScene['unsupported'];
  /** Measures steps, once it was asked for. */
  ruler: Ruler | undefined;
}

/** Threads with a scene. */
export interface OpenBatch {
  readonly kind: 'batch';
  readonly batch: Batch;
}

/** Steps that can be gone through backwards. */
export interface OpenRollout {
  readonly kind: 'rollout';
  readonly rollout: Rollout;
}

/** Environments that stay. */
export interface OpenEnvironments {
  readonly kind: 'environments';
  readonly set: Environments;
}

/** A batch whose environments stay in its threads. */
export interface OpenResident {
  readonly kind: 'resident';
  readonly resident: ResidentBatch;
}

type Opened = OpenSimulation | OpenBatch | OpenRollout | OpenEnvironments | OpenResident;

/** Everything that is open. */
export class Session {
  readonly #items = new Map<number, Opened>();
  #next = 1;

  /** Keeps something; its number. */
  add(item: Opened): number {
    this.#items.set(this.#next, item);
    return this.#next++;
  }

  /** What has a number, of a kind. */
  get<K extends Opened['kind']>(kind: K, id: number): Extract<Opened, { kind: K }> {
    const item = this.#items.get(id);
    if (item?.kind !== kind) {
      throw new NexdynError('invalid-argument', `this ${kind} is closed`, { hint: 'open it again' });
    }
    return item as Extract<Opened, { kind: K }>;
  }

  /** Lets something go. */
  remove(id: number): void {
    const item = this.#items.get(id);
    if (item?.kind === 'batch') item.batch.close();
    if (item?.kind === 'environments') item.set.close();
    if (item?.kind === 'resident') item.resident.close();
    this.#items.delete(id);
  }

  /** Lets everything go. */
  close(): void {
    for (const id of [...this.#items.keys()]) this.remove(id);
  }
}
