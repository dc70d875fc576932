/** Environments of one scene that stay: each keeps its state, all take the same number of steps in a call, with controls of their own. */
import { type CompileOptions, compileModel, type Model, type Scene, Simulation } from '@nexdyn/engine';
import { createJointSpace, type JointSpace } from './joint-space.ts';
import { hasStages, LastStage } from './last-stage.ts';
import { OBSERVED_FIELDS, requireObserved } from './observed-field.ts';

/** What a call gives, one row per environment. */
export interface Observations {
  /** Joint positions and velocities. */
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  /** 1 where the last step could not be taken. */
  readonly failed: Uint8Array;
  /** Fields that were asked for. */
  readonly fields: Record<string, Float64Array>;
}

export class EnvironmentSet {
  readonly model: Model;
  readonly count: number;
  readonly joints: JointSpace;
  readonly observations: Observations;
  readonly #simulations: Simulation[];
  readonly #steps: number;
  readonly #widths: Record<string, number>;
  readonly #centers: Float64Array;
  readonly #stage: LastStage | undefined;

  /** `steps` are those of a call. */
  constructor(scene: Scene, compile: CompileOptions, count: number, steps: number, fields: readonly string[]) {
    this.model = compileModel(scene, compile);
    this.count = count;
    this.#steps = steps;
    this.joints = createJointSpace(scene, this.model);
    this.#simulations = Array.from({ length: count }, () => new Simulation(this.model));
    const { size } = this.model;
    const sizes = { ...size, position: this.joints.positions, velocity: this.joints.velocities };
    this.#widths = Object.fromEntries(fields.map((name) => [name, requireObserved(name).length(sizes)]));
    this.#centers = new Float64Array(3 * size.body);
    this.#stage = fields.length > 0 && hasStages(this.model) ? new LastStage(this.model) : undefined;
    this.observations = {
      position: new Float64Array(count * this.joints.positions),
      velocity: new Float64Array(count * this.joints.velocities),
      failed: new Uint8Array(count),
      fields: Object.fromEntries(fields.map((name) => [name, new Float64Array(count * this.#widths[name]!)])),
    };
  }

  /** Puts environments at joint positions and velocities, one row each, and observes them there. */
  reset(indices: ArrayLike<number>, q: Float64Array, v: Float64Array): void {
    const { positions, velocities } = this.joints;
    for (let i = 0; i < indices.length; i++) {
      const e = indices[i]!;
      const simulation = this.#simulations[e]!;
      simulation.reset(null);
      this.joints.write(
        simulation,
        q.subarray(i * positions, (i + 1) * positions),
        v.subarray(i * velocities, (i + 1) * velocities),
      );
      this.observations.failed[e] = 0;
      if (Object.keys(this.#widths).length > 0) simulation.forward();
      this.#observeBefore(e, simulation);
      this.#observeAfter(e, simulation);
    }
  }

  /** Takes the steps of a call in all environments but those to skip, with one row of controls each. */
  step(controls: Float64Array, skip?: Uint8Array): void {
    const width = this.model.size.actuator;
    for (let e = 0; e < this.count; e++) {
      if (skip?.[e]) continue;
      const simulation = this.#simulations[e]!;
      simulation.state.control.set(controls.subarray(e * width, (e + 1) * width));
      if (this.#steps > 1) simulation.step(this.#steps - 1);
      const stage = this.#stage;
      if (stage) stage.begin(simulation);
      else this.#observeBefore(e, simulation);
      const { status } = simulation.step();
      if (stage) this.#observeBefore(e, stage.read(simulation));
      this.observations.failed[e] = status === 'diverged' || status === 'unstable' || status === 'timed-out' ? 1 : 0;
      this.#observeAfter(e, simulation);
    }
  }

  /** The simulation of an environment. */
  simulation(index: number): Simulation {
    return this.#simulations[index]!;
  }

  #observeBefore(e: number, simulation: Simulation): void {
    const names = Object.keys(this.#widths);
    if (names.length === 0) return;
    const followed = this.joints.follow(simulation);
    this.#centers.set(followed.derived.treeCenter);
    for (const name of names) OBSERVED_FIELDS[name]!.before?.(followed, this.#row(name, e));
  }

  #observeAfter(e: number, simulation: Simulation): void {
    const { positions, velocities } = this.joints;
    const { position, velocity } = this.observations;
    for (const name of Object.keys(this.#widths)) {
      OBSERVED_FIELDS[name]!.after?.(simulation, this.#row(name, e), this.joints, this.#centers);
    }
    this.joints.read(
      simulation,
      position.subarray(e * positions, (e + 1) * positions),
      velocity.subarray(e * velocities, (e + 1) * velocities),
    );
  }

  #row(name: string, e: number): Float64Array {
    const width = this.#widths[name]!;
    return this.observations.fields[name]!.subarray(e * width, (e + 1) * width);
  }
}
