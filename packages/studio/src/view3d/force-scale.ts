/**
 * How long the arrows of forces are. The grid is their ruler: one of its cells stands for a round number of newtons,
 *
 *   F = round(W / (4 √n)),   length of an arrow = cell · |f| / F
 *
 * W: weight of all that moves (N), n: trees of bodies. A crate on its four corners has arrows of one cell; in a pile of n bodies a
 * contact carries more than the share of one body and less than the weight of all.
 */
import { roundLength } from './bounds.ts';

/** Cells after which an arrow is cut. */
export const LONGEST_CELLS = 6;

/** Newtons per cell that suit a scene; `zoom` makes arrows that many times as long. */
export function chooseForceScale(weight: number, trees: number, zoom = 1): number {
  const share = weight / (4 * Math.sqrt(Math.max(trees, 1)) * zoom);
  return share > 0 ? roundLength(share) : 1;
}
