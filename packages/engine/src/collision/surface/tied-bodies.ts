import type { ModelSoftBodies } from '../../model/model-soft-bodies.ts';

/**
 * Per vertex: the soft body that it is attached to, −2 where there is none. Parts with such a vertex do not touch that body, also once
 * the attachment is broken: they may be on its surface or in it.
 */
export function listTiedBodies({ tie, rest, vertexStart }: ModelSoftBodies): Int32Array {
  const target = new Int32Array(rest.length / 3).fill(-2);
  for (let k = 0; k < tie.vertex.length; k++) {
    if (tie.body[k] >= 0) continue;
    let n = 0;
    while (vertexStart[n + 1] <= tie.support[4 * k]) n++;
    target[tie.vertex[k]] = n;
  }
  return target;
}
