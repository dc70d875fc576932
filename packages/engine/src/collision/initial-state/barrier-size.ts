/** A barrier that begins farther away than a body is large would hold it off from everything at once: such a scene is refused. */
import { NexdynError } from '../../error.ts';
import type { Model } from '../../model/model.ts';
import type { MovingBodies } from './moving-bodies.ts';
import { nameShape } from './shape-names.ts';

export function checkBarrierSize(model: Model, { surfaces: set, frames, fields }: MovingBodies): void {
  const { surfaces, local } = set;
  for (const { shape, firstVertex, endVertex, radius, frame, soft } of surfaces) {
    if (soft >= 0 || frame >= frames.moving) continue;
    let size = 0;
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      for (let v = firstVertex; v < endVertex; v++) {
        low = Math.min(low, local[3 * v + k]);
        high = Math.max(high, local[3 * v + k]);
      }
      size = Math.max(size, high - low + 2 * radius);
    }
    checkSize(model, shape, size);
  }
  for (const { samples } of fields.pairs)
    if (samples.frame < frames.moving) checkSize(model, samples.shape, 2 * (samples.tree.spheres[3] + samples.radius));
}

function checkSize(model: Model, shape: number, size: number): void {
  const { barrierDistance, path } = model.options.clearance;
  if (size > barrierDistance) return;
  throw new NexdynError(
    'invalid-value',
    `the barrier begins at ${barrierDistance} m, but ${nameShape(model, shape)} is only ${Number(size.toPrecision(3))} m large`,
    { path: `${path}.barrierDistance`, hint: 'give a distance well below the size of the smallest body' },
  );
}
