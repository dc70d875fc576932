/**
 * Environments that stay in a thread: each has a row in a block of memory for its state, controls and what is read of it. One simulation
 * goes from one to the next, so that its workspace stays in the cache; what an environment does depends on itself alone.
 */
import {
  type Model,
  NexdynError,
  type Simulation,
  type StepReport,
  type SuspendedMotion,
  wasTaken,
} from '@nexdyn/engine/core';
import type { Environment, EnvironmentProgram, RecordedField } from '../environment.ts';
import { describeError } from '../environment-result.ts';
import { beginEnvironment } from '../environment-start.ts';
import { loadProgram } from '../program.ts';
import { writeField } from '../readout-field.ts';
import { type ModelSource, type Variant, Variants } from '../variants.ts';
import type { BlockViews } from './block-layout.ts';
import { type EndedEnvironment, RESIDENT_STATUS, type ResidentReply } from './resident-messages.ts';

/** What a thread needs to begin. */
export interface ResidentOptions {
  readonly source: ModelSource;
  readonly model?: Model;
  readonly observed: readonly RecordedField[];
  readonly program?: string;
  /** Number of the first environment of the thread. */
  readonly first: number;
}

interface Resident {
  variant: Variant;
  motion: SuspendedMotion;
  place: { index: number; step: number; memory: Record<string, unknown> };
}

export class ResidentEnvironments {
  readonly #options: ResidentOptions;
  readonly #views: BlockViews;
  readonly #variants: Variants;
  readonly #residents: (Resident | undefined)[];
  #program: EnvironmentProgram = {};

  constructor(options: ResidentOptions, views: BlockViews) {
    this.#options = options;
    this.#views = views;
    this.#variants = new Variants(options.source, options.model);
    this.#residents = new Array(views.status.length).fill(undefined);
  }

  /** Puts all environments at their starts. */
  async open(starts: readonly Environment[]): Promise<ResidentReply> {
    const { program } = this.#options;
    if (program !== undefined) this.#program = await loadProgram(program);
    return this.reset(starts.map((start, i) => ({ row: i, start })));
  }

  /** Puts some environments at starts. */
  reset(entries: readonly { row: number; start: Environment }[]): ResidentReply {
    const ended: EndedEnvironment[] = [];
    for (const { row, start } of entries) {
      try {
        this.#begin(row, start);
      } catch (error) {
        this.#residents[row] = undefined;
        ended.push(this.#end(row, 'failed', describeError(error).message));
      }
    }
    return { kind: 'resident', ended, iterations: 0, unconvergedSteps: 0 };
  }

  /** Advances all environments that run. */
  step(steps: number): ResidentReply {
    const reply: ResidentReply = { kind: 'resident', ended: [], iterations: 0, unconvergedSteps: 0 };
    for (let row = 0; row < this.#residents.length; row++) {
      this.#views.reward[row] = 0;
      const resident = this.#residents[row];
      if (!resident || this.#views.status[row] !== RESIDENT_STATUS.running) continue;
      try {
        this.#advance(row, resident, steps, reply);
      } catch (error) {
        reply.ended.push(this.#end(row, 'failed', describeError(error).message));
      }
    }
    return reply;
  }

  #begin(row: number, start: Environment): void {
    const { state } = this.#views;
    const variant = this.#variants.find(start.changes);
    const simulation = this.#variants.enter(variant);
    beginEnvironment(simulation, start);
    const width = simulation.state.all.length;
    const known = this.#residents[row];
    const isSame = known?.variant.simulation === simulation;
    const motion = isSame ? known.motion : simulation.createMotion(state.subarray(row * width, (row + 1) * width));
    const place = { index: this.#options.first + row, step: 0, memory: {} };
    this.#residents[row] = { variant, motion, place };
    this.#views.control.set(simulation.state.control, row * simulation.state.control.length);
    this.#views.reward[row] = 0;
    this.#views.status[row] = RESIDENT_STATUS.running;
    simulation.suspend(motion);
    this.#observe(row, simulation, false);
  }

  #advance(row: number, { variant, motion, place }: Resident, steps: number, reply: ResidentReply): void {
    const simulation = this.#variants.enter(variant);
    simulation.resume(motion);
    const { control } = simulation.state;
    const { length } = control;
    for (let k = 0; k < length; k++) control[k] = this.#views.control[row * length + k]!;
    const { act, reward, isOver } = this.#program;
    for (let n = 0; n < steps; n++) {
      act?.(simulation, place);
      const report = simulation.step();
      if (!wasTaken(report.status)) {
        reply.ended.push(this.#end(row, report.status, explain(report)));
        break;
      }
      reply.iterations += report.iterations;
      if (report.status !== 'converged') reply.unconvergedSteps++;
      place.step++;
      if (reward) this.#views.reward[row]! += reward(simulation, place);
      const over = isOver?.(simulation, place) ?? false;
      if (over === false) continue;
      reply.ended.push(this.#end(row, 'stopped', over === true ? '' : over));
      break;
    }
    this.#observe(row, simulation, steps > 0);
    simulation.suspend(motion);
  }

  #observe(row: number, simulation: Simulation, hasStepped: boolean): void {
    const { observed } = this.#options;
    const rows = this.#views.status.length;
    this.#views.time[row] = simulation.time;
    for (let i = 0; i < observed.length; i++) {
      const name = observed[i]!;
      const view = this.#views.observed[i]!;
      writeField(view, (row * view.length) / rows, simulation, name, hasStepped);
    }
  }

  #end(row: number, status: keyof typeof RESIDENT_STATUS, reason: string): EndedEnvironment {
    this.#views.status[row] = RESIDENT_STATUS[status];
    return { index: this.#options.first + row, status, reason };
  }
}

/** Why a step was not taken. */
function explain({ nonFinite, energyGain, timeout }: StepReport): string {
  if (nonFinite) return `${nonFinite.quantity} of '${nonFinite.name}' is not finite`;
  if (energyGain) return `'${energyGain.name}' gained ${energyGain.created.toPrecision(3)} J without a cause`;
  return timeout ? `its time was up in ${timeout.activity}` : '';
}

/** Refuses a row that is not there. */
export function requireRow(index: number, environments: number): void {
  if (Number.isInteger(index) && index >= 0 && index < environments) return;
  throw new NexdynError('invalid-argument', `there is no environment ${index}`, {
    path: 'indices',
    hint: `they are counted from 0 to ${environments - 1}`,
  });
}
