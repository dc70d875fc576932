import { composePoses, type Poses } from '../linear-algebra/pose.ts';
import { normalizeQuaternion } from '../linear-algebra/quaternion.ts';
import type { ModelBodies } from './model.ts';

/** Initial world poses of all bodies: no joint is displaced, so local poses are simply chained. */
export function computeInitialPoses(body: Pick<ModelBodies, 'parent' | 'position' | 'orientation'>): Poses {
  const count = body.parent.length;
  const poses = { position: new Float64Array(3 * count), orientation: new Float64Array(4 * count) };
  poses.orientation[0] = 1;
  for (let b = 1; b < count; b++) {
    composePoses(poses, b, poses, body.parent[b], body, b);
    normalizeQuaternion(poses.orientation, 4 * b, poses.orientation, 4 * b);
  }
  return poses;
}
