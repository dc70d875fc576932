/** Energy of the springs of joints that are constraints (body coordinates): Σ ½ k (q − q₀)², of ball joints ½ k |θ|². */
import type { Energy } from '../dynamics/energy.ts';
import { rotationVector } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import { powerEnergy } from '../model/power-laws.ts';
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
  const { kind, stiffness, stiffnessPowers, springReference } = constraintJoint;
  const { position, orientation } = joints.coordinates;
  let sum = 0;
  for (let c = 0; c < kind.length; c++) {
    let stretch = position[c] - springReference[c];
    let square = stretch ** 2;
    if (kind[c] === JOINT.ball) {
      rotationVector(angle, 0, orientation, 4 * c);
      square = angle[0] ** 2 + angle[1] ** 2 + angle[2] ** 2;
      stretch = Math.sqrt(square);
    }
    sum += 0.5 * stiffness[c] * square + powerEnergy(stiffnessPowers, c, stretch);
  }
  energy.potential += weight * sum;
  energy.total += weight * sum;
  return energy;
}
