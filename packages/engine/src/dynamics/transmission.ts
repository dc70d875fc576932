/**
 * Length l(q) and moment m = ∂l/∂q of every actuator's transmission, scaled by its gear g.
 *   hinge, slide   l = g q                         ball  l = g · log q
 *   tendon         l = g L                         free  l = 0, m = g
 *   site           l = 0, m = Jᵀ (R g)             site in the frame of a reference site: l = g · (relative position, rotation)
 * A `jointInParent` gear is given in the parent's axes and turned into the child's.
 */
import {
  matrixFromQuaternion,
  normalizeQuaternion,
  relativeQuaternion,
  rotationVector,
} from '../linear-algebra/quaternion.ts';
import { JOINT, type Model, TRANSMISSION } from '../model/model.ts';
import type { State } from '../state/state.ts';
import type { Workspace } from './workspace.ts';
import { addWrench } from './wrench.ts';

const quaternion = /* @__PURE__ */ new Float64Array(4);
const axes = /* @__PURE__ */ new Float64Array(9);
const vector = /* @__PURE__ */ new Float64Array(3);

export function updateTransmissions(model: Model, state: State, work: Workspace): void {
  const { actuator } = model;
  const { actuatorLength, actuatorMoment, tendonLength, tendonJacobian } = work;
  const { rowStart, column } = work.plan.moment;
  const nv = model.size.velocity;
  for (let a = 0; a < model.size.actuator; a++) {
    const target = actuator.target[a];
    switch (actuator.transmission[a]) {
      case TRANSMISSION.tendon: {
        const gear = actuator.gear[6 * a];
        actuatorLength[a] = gear * tendonLength[target];
        for (let k = rowStart[a]; k < rowStart[a + 1]; k++)
          actuatorMoment[k] = gear * tendonJacobian[target * nv + column[k]];
        break;
      }
      case TRANSMISSION.site:
        driveSite(model, work, a);
        break;
      default:
        // joints of body coordinates have no coordinates here: see joint/joint-transmission.ts
        if (target < model.size.joint) driveJoint(model, state, work, a);
    }
  }
}

function driveJoint(model: Model, state: State, work: Workspace, a: number): void {
  const { joint } = model;
  const { gear, target, transmission } = model.actuator;
  const { actuatorLength, actuatorMoment } = work;
  const j = target[a];
  const g = 6 * a;
  const m = work.plan.moment.rowStart[a];
  const inParent = transmission[a] === TRANSMISSION.jointInParent;
  const iq = joint.positionStart[j];
  switch (joint.kind[j]) {
    case JOINT.ball:
      turnGear(gear, g, state.position, iq, inParent);
      rotationVector(axes, 0, quaternion, 0);
      actuatorLength[a] = axes[0] * vector[0] + axes[1] * vector[1] + axes[2] * vector[2];
      for (let k = 0; k < 3; k++) actuatorMoment[m + k] = vector[k];
      break;
    case JOINT.free:
      turnGear(gear, g + 3, state.position, iq + 3, inParent);
      actuatorLength[a] = 0;
      for (let k = 0; k < 3; k++) {
        actuatorMoment[m + k] = gear[g + k];
        actuatorMoment[m + 3 + k] = vector[k];
      }
      break;
    default:
      actuatorLength[a] = gear[g] * state.position[iq];
      actuatorMoment[m] = gear[g];
  }
}

/** `vector` = gear in the child's axes; `quaternion` = the joint's rotation. */
function turnGear(gear: Float64Array, g: number, position: Float64Array, iq: number, inParent: boolean): void {
  normalizeQuaternion(quaternion, 0, position, iq);
  for (let k = 0; k < 3; k++) vector[k] = gear[g + k];
  if (!inParent) return;
  matrixFromQuaternion(axes, 0, quaternion, 0);
  for (let k = 0; k < 3; k++) vector[k] = axes[k] * gear[g] + axes[3 + k] * gear[g + 1] + axes[6 + k] * gear[g + 2];
}

function driveSite(model: Model, work: Workspace, a: number): void {
  const { actuator, site } = model;
  const { actuatorLength, actuatorMoment, row, sitePosition, siteOrientation } = work;
  const { rowStart, column } = work.plan.moment;
  const s = actuator.target[a];
  const reference = actuator.reference[a];
  const g = 6 * a;
  const { gear } = actuator;
  // the gear in world axes
  matrixFromQuaternion(axes, 0, siteOrientation, 4 * (reference >= 0 ? reference : s));
  const fx = axes[0] * gear[g] + axes[1] * gear[g + 1] + axes[2] * gear[g + 2];
  const fy = axes[3] * gear[g] + axes[4] * gear[g + 1] + axes[5] * gear[g + 2];
  const fz = axes[6] * gear[g] + axes[7] * gear[g + 1] + axes[8] * gear[g + 2];
  const tx = axes[0] * gear[g + 3] + axes[1] * gear[g + 4] + axes[2] * gear[g + 5];
  const ty = axes[3] * gear[g + 3] + axes[4] * gear[g + 4] + axes[5] * gear[g + 5];
  const tz = axes[6] * gear[g + 3] + axes[7] * gear[g + 4] + axes[8] * gear[g + 5];
  const p = 3 * s;
  addWrench(
    row,
    0,
    model,
    work,
    site.body[s],
    sitePosition[p],
    sitePosition[p + 1],
    sitePosition[p + 2],
    fx,
    fy,
    fz,
    tx,
    ty,
    tz,
  );
  actuatorLength[a] = 0;
  if (reference >= 0) {
    const r = 3 * reference;
    const b = site.body[reference];
    addWrench(
      row,
      0,
      model,
      work,
      b,
      sitePosition[r],
      sitePosition[r + 1],
      sitePosition[r + 2],
      -fx,
      -fy,
      -fz,
      -tx,
      -ty,
      -tz,
    );
    clearCommonDofs(model, row, site.body[s], b);
    // relative position and rotation along the gear
    relativeQuaternion(quaternion, 0, siteOrientation, 4 * reference, siteOrientation, 4 * s);
    rotationVector(vector, 0, quaternion, 0);
    actuatorLength[a] =
      fx * (sitePosition[p] - sitePosition[r]) +
      fy * (sitePosition[p + 1] - sitePosition[r + 1]) +
      fz * (sitePosition[p + 2] - sitePosition[r + 2]) +
      vector[0] * gear[g + 3] +
      vector[1] * gear[g + 4] +
      vector[2] * gear[g + 5];
  }
  for (let k = rowStart[a]; k < rowStart[a + 1]; k++) {
    actuatorMoment[k] = row[column[k]];
    row[column[k]] = 0;
  }
}

/** Dofs that move both bodies do not change the one seen from the other. */
function clearCommonDofs(model: Model, row: Float64Array, b0: number, b1: number): void {
  const { parent } = model.dof;
  let i = model.body.lastDof[b0];
  let j = model.body.lastDof[b1];
  // the higher number is never an ancestor of the lower: walk up until the chains meet
  while (i !== j) {
    if (i > j) i = parent[i];
    else j = parent[j];
  }
  for (; i >= 0; i = parent[i]) row[i] = 0;
}
