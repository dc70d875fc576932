/**
 * How long the arrows of forces are. The grid is their ruler: one of its cells represents a round number of newtons,
 *
 *   F = round(W / (4 √n)),   length of an arrow = cell · |f| / F
 *
 * W: weight of all moving bodies (N), n: trees of bodies. A crate on its four corners has arrows of one cell; in a pile of n bodies a
 * contact carries more than the share of one body and less than the weight of all.
 */
import { roundLength } from './bounds.ts';

/** Cells after which an arrow is cut. */
export const LONGEST_CELLS = 6;

/** Newtons per cell that suit a scene; `zoom` counts steps to longer arrows, each to the next round number. */
export function chooseForceScale(weight: number, trees: number, zoom = 0): number {
  const share = weight / (4 * Math.sqrt(Math.max(trees, 1)));
  return stepDown(share > 0 ? roundLength(share) : 1, zoom);
}

const MANTISSAS = [1, 2, 5] as const;

/** The round number some steps below one; above it where they are negative. */
function stepDown(round: number, steps: number): number {
  const power = Math.floor(Math.log10(round) + 1e-9);
  const place =
    3 * power + MANTISSAS.findLastIndex((mantissa) => mantissa <= (round / 10 ** power) * (1 + 1e-9)) - steps;
  return Number(`${MANTISSAS[((place % 3) + 3) % 3]}e${Math.floor(place / 3)}`);
}
