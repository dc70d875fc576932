/**
 * Where a joint of body coordinates is: anchor and axis in the world. Both are those of the initial pose, carried by the joints that stand
 * before it in its chain, the last of them first: a hinge turns by its angle about its anchor and axis, a slide moves along its own
 * (product of exponentials). After a ball joint they are computed from the pose of the child.
 */
import { transformPoint } from '../dynamics/poses.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { quaternionFromAxisAngle, rotateByQuaternion } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { JointCoordinates } from './joint-coordinate.ts';

const anchor = /* @__PURE__ */ new Float64Array(3);
const axis = /* @__PURE__ */ new Float64Array(3);
const turn = /* @__PURE__ */ new Float64Array(4);

/** out = anchor, m, and unit axis of constraint joint c. */
export function placeConstraintJoint(
  out: Float64Array,
  model: Model,
  work: Workspace,
  { chains, block, position }: JointCoordinates,
  c: number,
): void {
  const { kind, body1, body2, anchor1, anchor2, axis1, axis2, reference } = model.constraintJoint;
  const { first, ball } = chains[block[c]];
  if (ball >= 0 && ball < c) {
    transformPoint(out, 0, work, body2[c], anchor2, 3 * c);
    rotateByQuaternion(out, 3, work.bodyOrientation, 4 * body2[c], axis2, 3 * c);
    return;
  }
  for (let k = 0; k < 3; k++) {
    anchor[k] = anchor1[3 * c + k];
    axis[k] = axis1[3 * c + k];
  }
  for (let m = c - 1; m >= first; m--) {
    const moved = position[m] - reference[m];
    if (kind[m] === JOINT.slide) {
      for (let k = 0; k < 3; k++) anchor[k] += moved * axis1[3 * m + k];
      continue;
    }
    quaternionFromAxisAngle(turn, 0, axis1, 3 * m, moved);
    for (let k = 0; k < 3; k++) anchor[k] -= anchor1[3 * m + k];
    rotateByQuaternion(anchor, 0, turn, 0, anchor, 0);
    rotateByQuaternion(axis, 0, turn, 0, axis, 0);
    for (let k = 0; k < 3; k++) anchor[k] += anchor1[3 * m + k];
  }
  transformPoint(out, 0, work, body1[c], anchor, 0);
  rotateByQuaternion(out, 3, work.bodyOrientation, 4 * body1[c], axis, 0);
}
