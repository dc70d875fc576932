/** Energy of the springs of joints that are constraints (body coordinates): Σ ½ k (q − q₀)², of ball joints ½ k |θ|². */
import type { Energy } from '../dynamics/energy.ts';
import { rotationVector } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { JointWorkspace } from './joint-workspace.ts';

const angle = /* @__PURE__ */ new Float64Array(3);

/** Adds to an energy, times the weight of springs, and hands it back; joints are those of the current poses. */
export function addJointSpringEnergy(
  energy: Energy,
  { constraintJoint, options }: Model,
  joints: JointWorkspace,
  weight: number,
): Energy {
  if (options.disabled.has('spring')) return energy;
  const { kind, stiffness, springReference } = constraintJoint;
  const { position, orientation } = joints.coordinates;
  let sum = 0;
  for (let c = 0; c < kind.length; c++) {
    if (stiffness[c] === 0) continue;
    if (kind[c] === JOINT.ball) {
      rotationVector(angle, 0, orientation, 4 * c);
      sum += 0.5 * stiffness[c] * (angle[0] ** 2 + angle[1] ** 2 + angle[2] ** 2);
    } else sum += 0.5 * stiffness[c] * (position[c] - springReference[c]) ** 2;
  }
  energy.potential += weight * sum;
  energy.total += weight * sum;
  return energy;
}
