/** A long way through time in stages: each is drawn, and the curves have a point there. */

/** Simulated time between two stages of a short seek, s, and the number of stages of a long one. */
const STRIDE = 1 / 60;
const MOST = 200;

/** Times to go to one after the other, the last of them the end, s. */
export function listStages(from: number, to: number): number[] {
  const way = to - from;
  const count = way > STRIDE ? Math.min(Math.ceil(way / STRIDE - 1e-9), MOST) : 1;
  return Array.from({ length: count }, (_, i) => to - ((count - 1 - i) * way) / count);
}
