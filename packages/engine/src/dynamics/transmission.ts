/**
 * Length l(q) and moment m = ∂l/∂q of every actuator's transmission, scaled by its gear g.
 *   hinge, slide   l = g q                         ball  l = g · log q
 *   tendon         l = g L                         free  l = 0, m = g
 *   site           l = 0, m = Jᵀ (R g)             site in the frame of a reference site: l = g · (relative position, rotation)
 *   crank          l = g (a·s − √((a·s)² + r² − a²)), a from the slider's site to the crank's, s its z axis, r the length of the rod
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
  const { gear: gears, target: targets, transmission } = actuator;
  const { kind, positionStart } = model.joint;
  const { position } = state;
  const nv = model.size.velocity;
  for (let a = 0; a < model.size.actuator; a++) {
    const target = targets[a];
    switch (transmission[a]) {
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
      case TRANSMISSION.crank:
        driveCrank(model, work, a);
        break;
      case TRANSMISSION.body:
        // moments come with the contacts: see contact/body-transmission.ts
        actuatorLength[a] = 0;
        actuatorMoment.fill(0, rowStart[a], rowStart[a + 1]);
        break;
      default:
        // joints of body coordinates have no coordinates here: see joint/joint-transmission.ts
        if (target >= model.size.joint) break;
        if (kind[target] === JOINT.hinge || kind[target] === JOINT.slide) {
          actuatorLength[a] = gears[6 * a] * position[positionStart[target]];
          actuatorMoment[rowStart[a]] = gears[6 * a];
        } else driveJoint(model, state, work, a);
    }
  }
}

// balls and free joints
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
    default:
      turnGear(gear, g + 3, state.position, iq + 3, inParent);
      actuatorLength[a] = 0;
      for (let k = 0; k < 3; k++) {
        actuatorMoment[m + k] = gear[g + k];
        actuatorMoment[m + 3 + k] = vector[k];
      }
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

/**
 * With d = a·s and w = √(d² + r² − a·a), where the rod reaches: l = d − w,
 *   ∂l/∂a = s − (d s − a)/w      ∂l/∂s = a (1 − d/w)
 * and where it does not (the root is of a negative number), l = d, ∂l/∂a = s, ∂l/∂s = a. a moves with both sites, s turns with the slider's.
 */
function driveCrank(model: Model, work: Workspace, a: number): void {
  const { actuator, site } = model;
  const { actuatorLength, actuatorMoment, row, sitePosition, siteOrientation } = work;
  const { rowStart, column } = work.plan.moment;
  const crank = actuator.target[a];
  const slider = actuator.reference[a];
  const gear = actuator.gear[6 * a];
  matrixFromQuaternion(axes, 0, siteOrientation, 4 * slider);
  let d = 0;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    vector[k] = sitePosition[3 * crank + k] - sitePosition[3 * slider + k];
    d += vector[k] * axes[3 * k + 2];
    square += vector[k] * vector[k];
  }
  const discriminant = d * d + actuator.rodLength[a] ** 2 - square;
  const w = discriminant > 0 ? Math.sqrt(discriminant) : 0;
  actuatorLength[a] = gear * (d - w);
  const ratio = w > 0 ? 1 / w : 0;
  const scale = w > 0 ? 1 - d / w : 1;
  // force on the crank's site, and the torque that turns the axis: s × ∂l/∂s
  const ax = vector[0];
  const ay = vector[1];
  const az = vector[2];
  const sx = axes[2];
  const sy = axes[5];
  const sz = axes[8];
  const fx = gear * (sx - ratio * (d * sx - ax));
  const fy = gear * (sy - ratio * (d * sy - ay));
  const fz = gear * (sz - ratio * (d * sz - az));
  const tx = gear * scale * (sy * az - sz * ay);
  const ty = gear * scale * (sz * ax - sx * az);
  const tz = gear * scale * (sx * ay - sy * ax);
  const p = sitePosition;
  const c = 3 * crank;
  const o = 3 * slider;
  addWrench(row, 0, model, work, site.body[crank], p[c], p[c + 1], p[c + 2], fx, fy, fz, 0, 0, 0);
  addWrench(row, 0, model, work, site.body[slider], p[o], p[o + 1], p[o + 2], -fx, -fy, -fz, tx, ty, tz);
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
