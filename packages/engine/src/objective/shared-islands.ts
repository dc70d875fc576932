/**
 * Islands solved by several threads: each thread has a solver of its own on the problem that all share, and takes one island after the other,
 * large ones first. An island with most of the work is solved before, by the calling thread, whose factor is shared then. What an island writes are
 * places of its own, so the bits do not depend on who solves it.
 */
import type { Memory, SharedMemory } from '../linear-algebra/memory.ts';
import type { IslandTasks, SharedWork } from '../linear-algebra/shared-work.ts';
import type { SolveTrace } from '../minimize/solve-trace.ts';
import { ConvexProblem } from './convex-problem.ts';
import { IslandResults } from './island-results.ts';
import type { IslandSolver } from './island-solver.ts';
import { ReadTable, WrittenTable } from './island-table.ts';

/** Rows from which on islands are shared: some 0.3 ms of work. */
const LEAST_ROWS = 256;
/** Share of all constraints from which on an island is solved before the others. */
const MOST = 0.8;

/** Those of the thread that steps. */
export class SharedIslands {
  readonly #solver: IslandSolver;
  readonly #work: SharedWork;
  readonly #results: IslandResults;
  readonly #table: WrittenTable;
  readonly #problem: ConvexProblem;
  readonly #tasks: IslandTasks;

  constructor(solver: IslandSolver, problem: ConvexProblem, work: SharedWork, memory: Memory) {
    const { islands, limit, places } = solver;
    const results = new IslandResults(islands, limit, memory);
    this.#solver = solver;
    this.#problem = problem;
    this.#work = work;
    this.#results = results;
    this.#table = new WrittenTable({ problem, islands, results, places }, memory);
    this.#tasks = createTasks(solver, results, () => {});
  }

  /** Weighs a start of all islands, unless that is not worth it; whether it has. */
  weigh(start: Float64Array): boolean {
    const { count } = this.#solver.islands;
    if (!this.#isWorthwhile) return false;
    this.#begin(start);
    this.#table.write();
    this.#work.run('weighIsland', this.#table.address, count, this.#tasks.weighIsland);
    return true;
  }

  /** Solves all islands, unless that is not worth it; whether it has. */
  solve(start: Float64Array, x: Float64Array, push: Float64Array, trace: SolveTrace): boolean {
    if (!this.#isWorthwhile) return false;
    this.#begin(start);
    const { blockStart, count } = this.#solver.islands;
    const results = this.#results;
    const { order } = results;
    const isUneven = blockStart[order[0] + 1] - blockStart[order[0]] > MOST * blockStart[count];
    if (isUneven) {
      solveInto(this.#solver, results, order[0]);
      order.copyWithin(0, 1, count);
    }
    this.#table.write();
    this.#work.run('solveIsland', this.#table.address, isUneven ? count - 1 : count, this.#tasks.solveIsland);
    for (let island = 0; island < count; island++) this.#finish(island, x, push, trace);
    return true;
  }

  get #isWorthwhile(): boolean {
    return this.#solver.islands.count > 1 && this.#problem.rowCount >= LEAST_ROWS;
  }

  // large ones first
  #begin(start: Float64Array): void {
    const { blockStart, count } = this.#solver.islands;
    const results = this.#results;
    results.reserve(count);
    results.start.set(start);
    const order = results.order.subarray(0, count);
    for (let island = 0; island < count; island++) order[island] = island;
    const measure = (island: number): number => blockStart[island + 1] - blockStart[island];
    order.sort((a, b) => measure(b) - measure(a) || a - b);
  }

  #finish(island: number, x: Float64Array, push: Float64Array, trace: SolveTrace): void {
    const results = this.#results;
    const { dof, dofStart } = this.#solver.islands;
    for (let s = dofStart[island]; s < dofStart[island + 1]; s++) {
      x[dof[s]] = results.x[dof[s]];
      push[dof[s]] = results.push[dof[s]];
    }
    results.addTo(trace, island, dofStart[island + 1] - dofStart[island]);
  }
}

/** The tasks of another thread; `create` makes a solver of a problem and its islands. */
export function createIslandTasks(memory: SharedMemory, create: (problem: ConvexProblem) => IslandSolver): IslandTasks {
  const problem = new ConvexProblem(memory);
  const solver = create(problem);
  const { islands, limit, places } = solver;
  const results = new IslandResults(islands, limit, memory);
  const table = new ReadTable({ problem, islands, results, places }, memory);
  return createTasks(solver, results, (record) => table.read(record));
}

// `look` sees to it that the problem is that of the step
function createTasks(solver: IslandSolver, results: IslandResults, look: (record: number) => void): IslandTasks {
  return {
    weighIsland(record, piece) {
      look(record);
      solver.weighIsland?.(results.order[piece], results.start);
    },
    solveIsland(record, piece) {
      look(record);
      solveInto(solver, results, results.order[piece]);
    },
  };
}

function solveInto(solver: IslandSolver, results: IslandResults, island: number): void {
  const { trace, start, x, push } = results;
  trace.clear();
  solver.solveIsland(island, start, x, push, trace);
  results.keep(island);
}
