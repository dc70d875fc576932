/**
 * Springs and dampers of joints of body coordinates, as forces on the dofs:
 *   f += Jᵀ (−k (q − q_s) − d q̇),   on a ball −k log q − d w, each of its three directions
 * k N/m or N m/rad, d N s/m or N m s/rad, q_s the position at which the spring is relaxed.
 */

import { rotationVector } from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import { JOINT } from '../model/model.ts';
import { powerSecant } from '../model/power-laws.ts';
import { isJointDrive } from './drive-list.ts';
import type { JointCoordinates } from './joint-coordinate.ts';

const angle = /* @__PURE__ */ new Float64Array(3);

/** Adds the forces to `out`, one number per dof; where forces are implicit, those that are no drives. */
export function addJointForces(
  out: Float64Array,
  model: Model,
  coordinates: JointCoordinates,
  isImplicit: boolean,
  springWeight = 1,
): void {
  const { kind, stiffness, stiffnessPowers, damping, dampingPowers, springReference } = model.constraintJoint;
  const { disabled } = model.options;
  const { position, velocity, orientation } = coordinates;
  const hasSprings = !disabled.has('spring');
  const hasDampers = !disabled.has('damper');
  for (let c = 0; c < kind.length; c++) {
    if (isImplicit && isJointDrive(model, c, hasSprings, hasDampers)) continue;
    const pull = (stretch: number, size: number): number =>
      hasSprings ? springWeight * (stiffness[c] + powerSecant(stiffnessPowers, c, size)) * stretch : 0;
    const drag = (v: number): number =>
      hasDampers ? (damping[c] + powerSecant(dampingPowers, c, Math.abs(v))) * v : 0;
    if (kind[c] === JOINT.ball) {
      rotationVector(angle, 0, orientation, 4 * c);
      const size = Math.hypot(angle[0], angle[1], angle[2]);
      for (let i = 0; i < 3; i++) addForce(out, coordinates, c, i, -pull(angle[i], size) - drag(velocity[3 * c + i]));
    } else {
      const stretch = position[c] - springReference[c];
      addForce(out, coordinates, c, 0, -pull(stretch, stretch) - drag(velocity[3 * c]));
    }
  }
}

// out += force × row i of joint c; nothing where there is none
function addForce(
  out: Float64Array,
  { rows, block, row }: JointCoordinates,
  c: number,
  i: number,
  force: number,
): void {
  if (force === 0) return;
  const b = block[c];
  const n = rows.columnCount[b];
  const v = rows.valueStart[b] + (row[c] + i) * n;
  for (let k = 0; k < n; k++) out[rows.column[rows.columnStart[b] + k]] += force * rows.value[v + k];
}
