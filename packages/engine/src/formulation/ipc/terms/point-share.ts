/**
 * A point near a surface of triangles sees faces, less the edges and plus the points that they share (collision/collisions/point-features.ts).
 * Where the surface is bent, as under a ball in a soft cube, all of them press at almost the same distance: eight faces, eight edges
 * that count −1, and the point between. What presses is the sum, Σ λₙ; friction of the faces alone would be nine times too strong. So each
 * face gets the share
 *   c = Σ λₙ / Σ λₙ⁺     λₙ normal forces of the point, N; λₙ⁺ those that push
 * of its own friction. Contacts of a point stand side by side in the list.
 */
import type { SurfacePairs } from '../../../collision/candidates/surface-pairs.ts';
import { COLLISION, type SurfaceCollisions } from '../../../collision/collisions/surface-collisions.ts';
import type { BarrierTerm } from './barrier-term.ts';

export class PointShare {
  #end = 0;
  #share = 1;

  /** c of contact n; asked for in the order of the list. */
  measure(list: SurfaceCollisions, pairs: SurfacePairs, barrier: BarrierTerm, n: number): number {
    if (n > 0 && n < this.#end) return this.#share;
    this.#end = findEndOfPoint(list, n);
    this.#share = 1;
    if (!hasNegative(list, n, this.#end)) return 1;
    let sum = 0;
    let pushing = 0;
    for (let k = n; k < this.#end; k++) {
      const force = barrier.measureForce(list, pairs, k);
      sum += force;
      if (force > 0) pushing += force;
    }
    this.#share = pushing > 0 ? Math.max(0, sum / pushing) : 0;
    return this.#share;
  }
}

/** The contact after the last one of the point that contact n has. */
export function findEndOfPoint({ count, kind, part, pair }: SurfaceCollisions, n: number): number {
  let end = n + 1;
  if (kind[n] !== COLLISION.point) return end;
  while (end < count && kind[end] === COLLISION.point && part[4 * end] === part[4 * n] && pair[end] === pair[n]) end++;
  return end;
}

/** Whether some of the contacts count negative. */
export function hasNegative({ weight }: SurfaceCollisions, first: number, end: number): boolean {
  for (let n = first; n < end; n++) if (weight[n] < 0) return true;
  return false;
}
