/** Poses of shapes from the poses of their bodies. */

import { transformPoint } from '../dynamics/poses.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { matrixFromQuaternion, multiplyQuaternions } from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import type { CollisionPlan } from './collision-plan.ts';

const turn = /* @__PURE__ */ new Float64Array(4);

export function updateShapePoses(model: Model, work: Workspace, plan: CollisionPlan): void {
  const { body, position, orientation } = model.shape;
  for (let s = 0; s < model.size.shape; s++) {
    const b = body[s];
    transformPoint(plan.shapePosition, 3 * s, work, b, position, 3 * s);
    multiplyQuaternions(turn, 0, work.bodyOrientation, 4 * b, orientation, 4 * s);
    matrixFromQuaternion(plan.shapeRotation, 9 * s, turn, 0);
  }
}
