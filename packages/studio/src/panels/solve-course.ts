/** The course of a solve as curves: residual and cost after each iteration, as parts of the first. */
import { ENTRY_WIDTH, ISLAND_WIDTH, type TraceFrame } from '../session/solve-frame.ts';

/** One iteration of a solve; the first has number 1. */
export interface Iteration {
  number: number;
  cost: number;
  residual: number;
  /** Step length. */
  step: number;
}

/** Iterations of an island, or some spread over all of them where there are many; the hardest island is the first. */
export function readIterations({ islands, entries }: TraceFrame, island = 0): Iteration[] {
  const lengthOf = (k: number): number => islands[ISLAND_WIDTH * k + 6] ?? 0;
  let before = 0;
  for (let k = 0; k < island; k++) before += lengthOf(k);
  return Array.from({ length: lengthOf(island) }, (_, k) => {
    const o = ENTRY_WIDTH * (before + k);
    return { number: entries[o]!, cost: entries[o + 1]!, residual: entries[o + 2]!, step: entries[o + 3]! };
  });
}

/** Iterations of an island in all. */
export function countIterations({ islands }: TraceFrame, island = 0): number {
  return islands[ISLAND_WIDTH * island + 1] ?? 0;
}

/** Residuals as parts of the first. */
export function relateResiduals(iterations: readonly Pick<Iteration, 'residual'>[]): number[] {
  const residuals = iterations.map(({ residual }) => residual);
  const first = residuals.find((value) => value > 0) ?? 1;
  return residuals.map((value) => value / first);
}

/** How far costs are above the lowest of them, as parts of the first. */
export function relateCosts(iterations: readonly Pick<Iteration, 'cost'>[]): number[] {
  const costs = iterations.map(({ cost }) => cost);
  const least = Math.min(...costs);
  const first = costs.find((cost) => cost > least);
  return first === undefined ? costs.map(() => 0) : costs.map((cost) => (cost - least) / (first - least));
}
