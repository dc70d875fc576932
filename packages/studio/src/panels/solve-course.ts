/** The course of a solve as curves: residual and cost after each iteration, as parts of the first. */
import { ENTRY_WIDTH, ISLAND_WIDTH, type TraceFrame } from '../session/solve-frame.ts';

/** Cost, residual and step of each iteration of an island; the hardest is the first. */
export function readIterations({ islands, entries }: TraceFrame, island = 0): [number, number, number][] {
  let before = 0;
  for (let k = 0; k < island; k++) before += islands[ISLAND_WIDTH * k + 1]!;
  return Array.from({ length: islands[ISLAND_WIDTH * island + 1] ?? 0 }, (_, k) => {
    const o = ENTRY_WIDTH * (before + k);
    return [entries[o]!, entries[o + 1]!, entries[o + 2]!];
  });
}

/** Residuals as parts of the first. */
export function relateResiduals(iterations: readonly (readonly number[])[]): number[] {
  const residuals = iterations.map(([, residual]) => residual!);
  const first = residuals.find((value) => value > 0) ?? 1;
  return residuals.map((value) => value / first);
}

/** How far costs are above the lowest of them, as parts of the first. */
export function relateCosts(iterations: readonly (readonly number[])[]): number[] {
  const costs = iterations.map(([cost]) => cost!);
  const least = Math.min(...costs);
  const first = costs.find((cost) => cost > least);
  return first === undefined ? costs.map(() => 0) : costs.map((cost) => (cost - least) / (first - least));
}
