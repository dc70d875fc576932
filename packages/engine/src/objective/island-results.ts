/** What solves of islands begin with and leave behind, in arrays that threads share: each island has places of its own. */
import { fitDoubles } from '../linear-algebra/growth.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import { SolveTrace } from '../minimize/solve-trace.ts';
import type { Islands } from './islands.ts';

/** Numbers of an iteration: cost, residual, step. */
const ENTRY = 3;

export class IslandResults {
  /** Islands in the order in which they are taken. */
  order: Int32Array;
  /** Per dof: where solves start, the solution, Jᵀ f. */
  start: Float64Array;
  x: Float64Array;
  push: Float64Array;
  /** Per island: how its solve ended (see OUTCOME), and its iterations. */
  outcome: Int32Array;
  iterations: Int32Array;
  /** Per island: cost and residual at the end; its iterations. */
  finals: Float64Array;
  entries: Float64Array;
  /** Of one solve. */
  readonly trace: SolveTrace = new SolveTrace();
  readonly #memory: Memory;
  /** Numbers of a trace at most. */
  readonly #room: number;

  /** `iterations`: most of an island. */
  constructor(islands: Islands, iterations: number, memory: Memory) {
    const { count } = islands.forest;
    const dofs = islands.localDof.length;
    this.#memory = memory;
    this.#room = ENTRY * iterations;
    this.order = memory.i32(count);
    this.start = memory.f64(dofs);
    this.x = memory.f64(dofs);
    this.push = memory.f64(dofs);
    this.outcome = memory.i32(count);
    this.iterations = memory.i32(count);
    this.finals = memory.f64(2 * count);
    this.entries = memory.f64(0);
  }

  /** Makes room for so many islands. */
  reserve(count: number): void {
    this.entries = fitDoubles(this.#memory, this.entries, this.#room * count);
  }

  /** Keeps the trace of the solve of an island. */
  keep(island: number): void {
    const { trace, finals, entries } = this;
    this.outcome[island] = trace.outcome[0];
    this.iterations[island] = trace.count;
    finals[2 * island] = trace.finalCost[0];
    finals[2 * island + 1] = trace.finalResidual[0];
    for (let k = 0, to = this.#room * island; k < trace.count; k++) {
      entries[to++] = trace.cost[k];
      entries[to++] = trace.residual[k];
      entries[to++] = trace.step[k];
    }
  }

  /** Adds the trace of an island of so many unknowns to that of the step. */
  addTo(trace: SolveTrace, island: number, size: number): void {
    const { entries, finals } = this;
    const first = this.#room * island;
    const end = first + ENTRY * this.iterations[island];
    for (let k = first; k < end; k += ENTRY) trace.add(entries[k], entries[k + 1], entries[k + 2]);
    trace.close(this.outcome[island], size, finals[2 * island], finals[2 * island + 1]);
  }
}
