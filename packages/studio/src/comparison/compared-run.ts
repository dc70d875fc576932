/** One formulation of a comparison: its worker, its view, and its distance from the first. */
import type { FormulationId } from '@nexdyn/engine';
import { Session } from '../session/client.ts';
import type { Frame, OpenedScene, Problem } from '../session/protocol.ts';
import { SAMPLE_ORDER, SAMPLE_WIDTH, type SampleField } from '../session/sample.ts';

/** What is drawn over time for each run of a comparison. */
export const COMPARED = ['difference', 'total', 'depth', 'iterations', 'stepTime'] as const;

export type Compared = (typeof COMPARED)[number];

const PHASES: readonly SampleField[] = ['kinematics', 'freeMotion', 'collision', 'solve', 'integrate'];

export class ComparedRun {
  readonly formulation: FormulationId;
  readonly session: Session;
  scene: OpenedScene | undefined;
  frame: Frame | undefined;
  problem: Problem | undefined;
  /** Curves, one value per time of the comparison; null where there is none. */
  readonly columns: Record<Compared, (number | null)[]> = {
    difference: [],
    total: [],
    depth: [],
    iterations: [],
    stepTime: [],
  };
  /** Of all steps so far. */
  worstDepth = 0;
  mostIterations = 0;
  /** Time per step, ms, and the steps it is the mean of; nothing before the first. */
  stepTime: number = Number.NaN;
  /** How far the state is from that of the first run, m. */
  difference: number = Number.NaN;
  #steps = 0;
  #pending: Worst & { total: number | undefined } = { depth: 0, iterations: 0, total: undefined, stepTime: undefined };

  constructor(formulation: FormulationId, onFailure: (reason: string) => void) {
    this.formulation = formulation;
    this.session = new Session({ onFailure });
  }

  /** Mean iterations per step, from the ruler. */
  get meanIterations(): number | undefined {
    return this.frame?.measures?.metrics['iterations']?.mean;
  }

  clear(): void {
    for (const name of COMPARED) this.columns[name].length = 0;
    this.worstDepth = 0;
    this.mostIterations = 0;
    this.stepTime = Number.NaN;
    this.difference = Number.NaN;
    this.#steps = 0;
    this.#pending = { depth: 0, iterations: 0, total: undefined, stepTime: undefined };
  }

  /** Take a new state over, and how far it is from that of the first run, m. */
  take(frame: Frame, difference: number): void {
    this.difference = difference;
    const steps = Math.max(0, frame.step - (this.frame?.step ?? 0));
    this.frame = frame;
    const found = readWorst(frame.samples);
    this.worstDepth = Math.max(this.worstDepth, found.depth);
    this.mostIterations = Math.max(this.mostIterations, found.iterations);
    if (steps > 0 && found.stepTime !== undefined) {
      const before = this.#steps === 0 ? 0 : this.stepTime;
      this.#steps += steps;
      this.stepTime = before + ((found.stepTime - before) * steps) / this.#steps;
    }
    this.#pending.depth = Math.max(this.#pending.depth, found.depth);
    this.#pending.iterations = Math.max(this.#pending.iterations, found.iterations);
    this.#pending.total = frame.kinetic + frame.potential;
    this.#pending.stepTime = found.stepTime ?? this.#pending.stepTime;
  }

  /** Add a point to the curves: the worst since the one before. */
  keep(): void {
    const { depth, iterations, total, stepTime } = this.#pending;
    const row = { difference: this.difference, total, depth, iterations, stepTime };
    for (const name of COMPARED) this.columns[name].push(row[name] ?? null);
    this.#pending = { depth: 0, iterations: 0, total, stepTime };
  }

  close(): void {
    this.session.close();
  }
}

interface Worst {
  depth: number;
  iterations: number;
  stepTime: number | undefined;
}

/** The worst of the samples that came with a frame. */
function readWorst(samples: readonly number[]): Worst {
  const worst: Worst = { depth: 0, iterations: 0, stepTime: undefined };
  for (let at = 0; at < samples.length; at += SAMPLE_WIDTH) {
    const read = (field: SampleField): number => samples[at + SAMPLE_ORDER.indexOf(field)]!;
    worst.depth = Math.max(worst.depth, read('depth') || 0);
    worst.iterations = Math.max(worst.iterations, read('iterations') || 0);
    worst.stepTime = PHASES.reduce((sum, phase) => sum + (read(phase) || 0), 0);
  }
  return worst;
}
