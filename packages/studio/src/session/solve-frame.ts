/** How the solver did, for the page: three numbers of each step, and on demand the course of the last one, island by island. */

/** How a step ended; the places are the numbers of recordings. */
export const STATUSES = [
  'converged',
  'iteration-limit',
  'stalled',
  'diverged',
  'infeasible',
  'unstable',
  'timed-out',
] as const;

export type Status = (typeof STATUSES)[number];

/** Ends of steps that were not taken. */
export type RefusedStatus = 'diverged' | 'unstable' | 'timed-out';

/** Whether a step that ended like this was not taken. */
export function isRefused(status: Status): status is RefusedStatus {
  return status === 'diverged' || status === 'unstable' || status === 'timed-out';
}

/** The part of a step report that is shown. */
export interface SolveReport {
  readonly status: Status;
  readonly iterations: number;
  readonly residual: number;
  readonly trace: SolveCourse;
  /** Least distance that the formulation keeps, m, where it looks at it. */
  readonly minimumDistance?: number;
  /** Part of the last step of the solver that was free of contact, where the formulation looks at it. */
  readonly collisionFreeStep?: number;
}

/** The part of a trace that is shown. */
export interface SolveCourse {
  /** Islands. */
  readonly solveCount: number;
  /** Per island: its first entry; one more than there are islands. */
  readonly start: Int32Array;
  /** Per island: outcome of the engine, which is its place in `STATUSES`. */
  readonly outcome: Int32Array;
  /** Per island: unknowns. */
  readonly size: Int32Array;
  readonly finalResidual: Float64Array;
  readonly finalCost: Float64Array;
  /** Per entry. */
  readonly cost: Float64Array;
  readonly residual: Float64Array;
  readonly step: Float64Array;
}

/** One step of the solver. */
export interface SolveFrame {
  status: Status;
  /** Most iterations of an island. */
  iterations: number;
  /** Worst residual of an island. */
  residual: number;
  islands: number;
  /** Least distance of surfaces, m; undefined where the formulation does not look at it. */
  minimumDistance?: number | undefined;
  /** Part of the last step of the solver that was free of contact, up to 1. */
  collisionFreeStep?: number | undefined;
}

/** The course of one step: the hardest islands, and the iterations of each. */
export interface TraceFrame {
  /** Islands of the step; those in the arrays may be fewer. */
  total: number;
  /** `ISLAND_WIDTH` numbers per island: unknowns, iterations, place in `STATUSES`, final residual, final cost, its number, entries. */
  islands: Float64Array;
  /** `ENTRY_WIDTH` numbers per iteration that is sent, island after island: its number, cost, residual, step length. */
  entries: Float64Array;
}

export const ISLAND_WIDTH = 7;
export const ENTRY_WIDTH = 4;

/** Islands sent at most, and iterations of one of them: of a longer course, some spread over all of it. */
const MOST_ISLANDS = 12;
const MOST_ENTRIES = 200;

export function packSolve({
  status,
  iterations,
  residual,
  trace,
  minimumDistance,
  collisionFreeStep,
}: SolveReport): SolveFrame {
  return { status, iterations, residual, islands: trace.solveCount, minimumDistance, collisionFreeStep };
}

/** The islands that took most, hardest first: by outcome, iterations, residual, and then in the order of the engine. */
export function packTrace(trace: SolveCourse): TraceFrame {
  const count = (n: number): number => trace.start[n + 1]! - trace.start[n]!;
  const order = Array.from({ length: trace.solveCount }, (_, n) => n)
    .sort(
      (a, b) =>
        trace.outcome[b]! - trace.outcome[a]! ||
        count(b) - count(a) ||
        trace.finalResidual[b]! - trace.finalResidual[a]! ||
        a - b,
    )
    .slice(0, MOST_ISLANDS);
  const sent = order.map((n) => Math.min(count(n), MOST_ENTRIES));
  const islands = new Float64Array(ISLAND_WIDTH * order.length);
  const entries = new Float64Array(ENTRY_WIDTH * sent.reduce((sum, length) => sum + length, 0));
  let at = 0;
  order.forEach((n, rank) => {
    const [length, all] = [sent[rank]!, count(n)];
    const row = [trace.size[n]!, all, trace.outcome[n]!, trace.finalResidual[n]!, trace.finalCost[n]!, n, length];
    islands.set(row, ISLAND_WIDTH * rank);
    for (let i = 0; i < length; i++) {
      // the first and the last among them
      const iteration = length === all ? i : Math.round((i * (all - 1)) / (length - 1));
      const k = trace.start[n]! + iteration;
      entries[at++] = iteration + 1;
      entries[at++] = trace.cost[k]!;
      entries[at++] = trace.residual[k]!;
      entries[at++] = trace.step[k]!;
    }
  });
  return { total: trace.solveCount, islands, entries };
}
