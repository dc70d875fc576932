/**
 * The order in which MuJoCo has the contacts of an island: by the two bodies, the lower number first, then by the two shapes. Sweeps that end before they
 * have converged depend on it (dual-solve.ts); contacts are otherwise in the order of their shapes. Points of one pair keep their order.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import type { ModelShapes } from '../../model/model.ts';
import { type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';
import type { Islands } from '../../objective/islands.ts';

/** Sorts the contacts in the islands' lists of blocks, where contacts follow each other. */
export function orderContacts(
  { block, blockStart, count }: Islands,
  { source, sourceIndex }: ConvexProblem,
  contacts: ContactSet,
  shape: ModelShapes,
): void {
  for (let island = 0; island < count; island++) {
    const first = blockStart[island];
    // lists are nearly sorted
    for (let at = first + 1; at < blockStart[island + 1]; at++) {
      const b = block[at];
      if (source[b] !== SOURCE.contact) continue;
      let to = at;
      for (; to > first && source[block[to - 1]] === SOURCE.contact; to--) {
        if (!isBefore(sourceIndex[b], sourceIndex[block[to - 1]], contacts, shape.body)) break;
        block[to] = block[to - 1];
      }
      block[to] = b;
    }
  }
}

function isBefore(i: number, j: number, { shape1, shape2 }: ContactSet, body: Int32Array): boolean {
  // vertices of soft bodies have no shape
  if (shape1[i] < 0 || shape2[i] < 0 || shape1[j] < 0 || shape2[j] < 0) return false;
  const [i1, i2] = [body[shape1[i]], body[shape2[i]]];
  const [j1, j2] = [body[shape1[j]], body[shape2[j]]];
  const low = Math.min(i1, i2) - Math.min(j1, j2);
  if (low !== 0) return low < 0;
  const high = Math.max(i1, i2) - Math.max(j1, j2);
  if (high !== 0) return high < 0;
  if (shape1[i] !== shape1[j]) return shape1[i] < shape1[j];
  return shape2[i] < shape2[j];
}
