/**
 * Fixed tendons and drives over joints of body coordinates, from the joints' positions q and Jacobians J:
 *   fixed tendon   L = Σ cᵢ qᵢ, its row Σ cᵢ Jᵢ
 *   drive          l = g q, moment g J; on a ball l = g · log q, moment Jᵀ g, g in child axes or, in the parent's, turned into them
 * The kinematics does all other tendons and drives. Order in a step: updateKinematics, updateJointCoordinates (positions and
 * Jacobians need poses alone), this, computeFreeMotion, and updateJointCoordinates again where velocities and rates are needed.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import { unrotateByQuaternion } from '../linear-algebra/pose.ts';
import { rotationVector } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model, STATION, TRANSMISSION } from '../model/model.ts';
import type { JointWorkspace } from './joint-workspace.ts';

const gear = /* @__PURE__ */ new Float64Array(3);
const angle = /* @__PURE__ */ new Float64Array(3);

/** Lengths and Jacobian rows of fixed tendons; then lengths and moments of the drives of joints and of those tendons. */
export function updateJointTransmissions(model: Model, work: Workspace, joints: JointWorkspace): void {
  for (let t = 0; t < model.size.tendon; t++) if (isFixedTendon(model, t)) updateFixedTendon(model, work, joints, t);
  for (let a = 0; a < model.size.actuator; a++) updateDrive(model, work, joints, a);
}

function isFixedTendon({ tendon }: Model, t: number): boolean {
  return tendon.stationCount[t] > 0 && tendon.stationKind[tendon.stationStart[t]] === STATION.joint;
}

function updateFixedTendon(model: Model, work: Workspace, { coordinates, row }: JointWorkspace, t: number): void {
  const { tendon, size } = model;
  let length = 0;
  row.clear();
  for (let s = tendon.stationStart[t]; s < tendon.stationStart[t] + tendon.stationCount[t]; s++) {
    const c = tendon.stationObject[s] - size.joint;
    length += tendon.stationParameter[s] * coordinates.position[c];
    row.addBlockRow(coordinates.rows, coordinates.block[c], coordinates.row[c], tendon.stationParameter[s]);
  }
  work.tendonLength[t] = length;
  const start = t * size.velocity;
  work.tendonJacobian.fill(0, start, start + size.velocity);
  for (let k = 0; k < row.count; k++) work.tendonJacobian[start + row.column[k]] = row.value[k];
}

function updateDrive(model: Model, work: Workspace, { coordinates, row }: JointWorkspace, a: number): void {
  const { actuator, constraintJoint, size } = model;
  const kind = actuator.transmission[a];
  const target = actuator.target[a];
  const g = 6 * a;
  row.clear();
  if (kind === TRANSMISSION.tendon && isFixedTendon(model, target)) {
    work.actuatorLength[a] = actuator.gear[g] * work.tendonLength[target];
    row.addTendon(work.tendonJacobian, size.velocity, work.plan.tendon, target, actuator.gear[g]);
  } else if ((kind === TRANSMISSION.joint || kind === TRANSMISSION.jointInParent) && target >= size.joint) {
    const c = target - size.joint;
    if (constraintJoint.kind[c] === JOINT.ball) {
      for (let k = 0; k < 3; k++) gear[k] = actuator.gear[g + k];
      if (kind === TRANSMISSION.jointInParent) unrotateByQuaternion(gear, 0, coordinates.orientation, 4 * c, gear, 0);
      rotationVector(angle, 0, coordinates.orientation, 4 * c);
      work.actuatorLength[a] = gear[0] * angle[0] + gear[1] * angle[1] + gear[2] * angle[2];
      for (let k = 0; k < 3; k++)
        row.addBlockRow(coordinates.rows, coordinates.block[c], coordinates.row[c] + k, gear[k]);
    } else {
      work.actuatorLength[a] = actuator.gear[g] * coordinates.position[c];
      row.addBlockRow(coordinates.rows, coordinates.block[c], coordinates.row[c], actuator.gear[g]);
    }
  } else {
    return;
  }
  // the pattern of moments holds all dofs of both bodies
  const { rowStart, column } = work.plan.moment;
  for (let k = rowStart[a], n = 0; k < rowStart[a + 1]; k++) {
    while (n < row.count && row.column[n] < column[k]) n++;
    work.actuatorMoment[k] = n < row.count && row.column[n] === column[k] ? row.value[n] : 0;
  }
}
