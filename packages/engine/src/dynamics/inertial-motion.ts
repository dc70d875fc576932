/**
 * Gyroscopic forces of single bodies, free or on a ball joint, integrated over a whole step by themselves:
 *   M (v* − v) = −h c(q, (v + v*)/2),   Δ = v* − v
 * c gyroscopic forces without weight. The solve of a step sees −M Δ/h in place of −c(q, v), and its unknown is the velocity
 * u = v + h a + s by which positions move, s = −Δ/2: of these forces the mean of before and after, of all others the end of the step,
 * so that what rests does not move. Then forces have pushed to v' = v + h a − Δ, and v⁺ = v' + Δ(v'): a push, and a motion that keeps
 * energy and angular momentum exactly (spin-step.ts). Forces c(q, v) at the start would make fast bodies diverge.
 * A body that turns by more than its free motion would, though that was cut short (spin-step.ts), or by another motion than its wide one, is
 * led by joints or contacts. It then has the velocity of its way, v⁺ = u: pushes that repeat in every step would pile up in v'.
 * A free body off its origin moves about its centre of mass p:   ẋ_p stays,   x⁺ = x_p + h ẋ_p − R⁺ r,   r from the origin to p.
 * Trees of joints: coriolis-transport.ts.
 */
import { cosSin } from '../linear-algebra/elementary.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { carryVelocities, noticeLeaps, removeCoriolisForce } from './coriolis-transport.ts';
import { movePositions } from './poses.ts';
import { stepSpin } from './spin-step.ts';
import type { Workspace } from './workspace.ts';

/** What a step did to a body: u as the row. */
type Led = Pick<Workspace, 'row' | 'acceleration' | 'inertialChange' | 'advanceShift'>;

/** Rotation in a step below which its second-order changes of velocity are round-off, rad. */
const SLIGHT = 1e-6;
/** Round-off of squared speeds. */
const TINY = 1e-9;
/** Change of a wide turn, as a share of it, from which the body is led. */
const STRONG = 0.1;

/** Times that the share of a push is corrected. */
const ROUNDS = 3;

const inertia = /* @__PURE__ */ new Float64Array(6);
const spin = /* @__PURE__ */ new Float64Array(3);
const result = /* @__PURE__ */ new Float64Array(6);
const push = /* @__PURE__ */ new Float64Array(6);
const pushed = /* @__PURE__ */ new Float64Array(6);
const arm = /* @__PURE__ */ new Float64Array(3);
const torque = /* @__PURE__ */ new Float64Array(3);
const swing = /* @__PURE__ */ new Float64Array(3);
const turnedArm = /* @__PURE__ */ new Float64Array(3);
const turnedSwing = /* @__PURE__ */ new Float64Array(3);
const pair = /* @__PURE__ */ new Float64Array(2);

/** After the bias force of the state: replaces it by that of the step; writes Δ and s. */
export function computeInertialMotion(model: Model, state: State, work: Workspace, h: number): void {
  const { spinningBodies, trees } = work.plan.inertial;
  work.inertialChange.fill(0);
  work.advanceShift.fill(0);
  if (trees.length > 0) removeCoriolisForce(model, work, h);
  for (let n = 0; n < spinningBodies.length; n++) {
    const b = spinningBodies[n];
    if (measureSpin(model, state.velocity, work, b, h)) writeBodyForces(model, work, b, h);
  }
}

/**
 * The same in the middle of a step (midpoint.ts): Δ, without a shift. Bodies off their centre of mass are left out: their Δ depends on
 * where they are turned.
 */
export function turnInMiddle(model: Model, state: State, work: Workspace, h: number): void {
  const { spinningBodies } = work.plan.inertial;
  work.inertialChange.fill(0);
  for (let n = 0; n < spinningBodies.length; n++) {
    const b = spinningBodies[n];
    const j = model.body.jointStart[b];
    const isFree = model.joint.kind[j] === JOINT.free;
    readInertia(model, work, b, j, isFree);
    if (isFree && (arm[0] !== 0 || arm[1] !== 0 || arm[2] !== 0)) continue;
    if (measureSpin(model, state.velocity, work, b, h)) writeBodyForces(model, work, b, h);
  }
  work.advanceShift.fill(0);
}

/** Moves positions by u and takes velocities to v⁺; the acceleration of the step is in the workspace. */
export function advanceInertially(model: Model, state: State, work: Workspace, h: number): void {
  const { spinningBodies } = work.plan.inertial;
  const { acceleration, inertialChange, advanceShift, row } = work;
  const v = state.velocity;
  for (let i = 0; i < v.length; i++) {
    const end = v[i] + h * acceleration[i];
    row[i] = end + advanceShift[i];
    v[i] = end - inertialChange[i];
  }
  movePositions(model, state, work, row, h);
  for (let n = 0; n < spinningBodies.length; n++) turnPushedBody(model, v, work, spinningBodies[n], h);
  row.fill(0);
  for (let i = 0; i < v.length; i++) v[i] += inertialChange[i];
  noticeLeaps(model, v, work, h);
  if (work.coriolis.isMoving) carryVelocities(model, state, work, h);
}

/** Writes Δ(v') in place of Δ(v), unless forces have all but stopped v' + Δ(v): that is then the end. */
function turnPushedBody(model: Model, v: Float64Array, work: Workspace, b: number, h: number): void {
  const { inertialChange } = work;
  const first = model.body.dofStart[b];
  const end = first + model.body.dofCount[b];
  if (hardlyTurns(v, inertialChange, end - 3, h)) return;
  if (isLed(v, work, end - 3, h)) followWay(model, v, work, b, h);
  else if (!isNearlyStopped(model, v, work, b)) {
    for (let i = end - 3; i < end; i++) v[i] += work.pushShift[i];
    if (work.spinGain[b] > 0) turnBetween(model, v, work, b, h);
    else measureSpin(model, v, work, b, h);
  }
}

/**
 * Writes Δ(v' − l P), of a body that is pushed before its turn by all but the share l of P, and by that after it. Its constraints f do the work
 * l h f · Δ more than for l = 0: l is such that they give nothing.
 */
function turnBetween(model: Model, v: Float64Array, work: Workspace, b: number, h: number): void {
  const { inertialChange, acceleration, constraintForce, spinGain } = work;
  const first = model.body.dofStart[b];
  const n = model.body.dofCount[b];
  for (let k = 0; k < n; k++) {
    push[k] = h * acceleration[first + k] - inertialChange[first + k];
    pushed[k] = v[first + k];
  }
  measureSpin(model, v, work, b, h);
  for (let round = 0; round < ROUNDS; round++) {
    let rate = 0;
    for (let k = 0; k < n; k++) rate += h * constraintForce[first + k] * inertialChange[first + k];
    if (rate === 0) break;
    const share = Math.max(-1, Math.min(1, -spinGain[b] / rate));
    for (let k = 0; k < n; k++) v[first + k] = pushed[k] - share * push[k];
    measureSpin(model, v, work, b, h);
  }
  for (let k = 0; k < n; k++) v[first + k] = pushed[k];
}

/** Whether a body has no Δ before or after, with ω' at dofs i to i + 2. */
export function hardlyTurns(v: Float64Array, inertialChange: Float64Array, i: number, h: number): boolean {
  const turn = Math.abs(v[i]) + Math.abs(v[i + 1]) + Math.abs(v[i + 2]);
  return !(h * turn > SLIGHT) && inertialChange[i] === 0 && inertialChange[i + 2] === 0;
}

/** Whether forces have all but stopped v' + Δ: it has less than half the energy of v'. */
export function isNearlyStopped(model: Model, v: Float64Array, work: Workspace, b: number): boolean {
  const { inertialChange, massMatrix } = work;
  const { rowStart, column } = model.massMatrix;
  const first = model.body.dofStart[b];
  const end = first + model.body.dofCount[b];
  let pushed = 0;
  let stopped = 0;
  for (let i = first; i < end; i++) {
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      const c = column[k];
      const weight = c === i ? 0.5 * massMatrix[k] : massMatrix[k];
      pushed += weight * v[i] * v[c];
      stopped += weight * (v[i] + inertialChange[i]) * (v[c] + inertialChange[c]);
    }
  }
  return !(stopped >= 0.5 * pushed);
}

/** Whether the turn of a step at dofs i to i + 2, by u, is another one than free motion could be, which turns by v + Δ + s. */
export function isLed(
  v: Float64Array,
  { row, acceleration, inertialChange, advanceShift }: Led,
  i: number,
  h: number,
): boolean {
  let way = 0;
  let free = 0;
  let start = 0;
  let push = 0;
  let change = 0;
  let cut = 0;
  for (let k = i; k < i + 3; k++) {
    const before = v[k] + inertialChange[k] - h * acceleration[k];
    const turn = before + inertialChange[k] + advanceShift[k];
    way += row[k] * row[k];
    free += turn * turn;
    start += before * before;
    push += (row[k] - turn) * (row[k] - turn);
    change += inertialChange[k] * inertialChange[k];
    // (1 − κ) ω_m
    cut += (advanceShift[k] + 0.5 * inertialChange[k]) ** 2;
  }
  const isCut = cut > TINY * free && way > (1 + TINY) * free;
  return isCut || (change > start && push > STRONG * STRONG * free);
}

/** Writes Δ so that the body ends with the spin by which it has turned. */
function followWay(model: Model, v: Float64Array, work: Workspace, b: number, h: number): void {
  const { bodyRotation: rotation, inertialChange, row } = work;
  const first = model.body.dofStart[b];
  const i = first + model.body.dofCount[b] - 3;
  for (let k = 0; k < 3; k++) inertialChange[i + k] = row[i + k] - v[i + k];
  if (i === first) return;
  readInertia(model, work, b, model.body.jointStart[b], true);
  if (arm[0] === 0 && arm[1] === 0 && arm[2] === 0) return;
  for (let k = 0; k < 3; k++) {
    const r = 9 * b + 3 * k;
    spin[k] = rotation[r] * v[i] + rotation[r + 1] * v[i + 1] + rotation[r + 2] * v[i + 2];
    result[k] = rotation[r] * row[i] + rotation[r + 1] * row[i + 1] + rotation[r + 2] * row[i + 2];
    result[3 + k] = result[k];
  }
  moveOrigin(work, first, h);
}

/** Δ and s of a body by its velocity; false where both are zero. */
export function measureSpin(model: Model, v: Float64Array, work: Workspace, b: number, h: number): boolean {
  const { bodyRotation: rotation, advanceShift, inertialChange } = work;
  const j = model.body.jointStart[b];
  const isFree = model.joint.kind[j] === JOINT.free;
  const first = model.body.dofStart[b];
  const i = isFree ? first + 3 : first;
  inertialChange.fill(0, first, i + 3);
  if (!(h * (Math.abs(v[i]) + Math.abs(v[i + 1]) + Math.abs(v[i + 2])) > SLIGHT)) return false;
  // ω in world axes
  const r = 9 * b;
  for (let k = 0; k < 3; k++) {
    const o = r + 3 * k;
    spin[k] = rotation[o] * v[i] + rotation[o + 1] * v[i + 1] + rotation[o + 2] * v[i + 2];
  }
  readInertia(model, work, b, j, isFree);
  const isOffCentre = isFree && (arm[0] !== 0 || arm[1] !== 0 || arm[2] !== 0);
  if (!stepSpin(result, inertia, 0, spin, 0, h)) {
    if (!isOffCentre) return false;
    for (let k = 0; k < 3; k++) result[k] = result[3 + k] = spin[k];
  }
  if (isOffCentre) moveOrigin(work, first, h);
  for (let k = 0; k < 3; k++) {
    // to the axes of the body
    const x = rotation[r + k];
    const y = rotation[r + 3 + k];
    const z = rotation[r + 6 + k];
    inertialChange[i + k] = x * (result[0] - spin[0]) + y * (result[1] - spin[1]) + z * (result[2] - spin[2]);
    advanceShift[i + k] = x * (result[3] - result[0]) + y * (result[4] - result[1]) + z * (result[5] - result[2]);
  }
  return true;
}

/** J about the centre of mass of a free body, about the anchor of a ball, and r. */
function readInertia(model: Model, work: Workspace, b: number, j: number, isFree: boolean): void {
  const { subtreeInertia, treeCenter, jointAnchor } = work;
  const s = 10 * b;
  const c = 3 * model.body.root[b];
  const mass = subtreeInertia[s + 9];
  const ox = subtreeInertia[s + 6] / mass;
  const oy = subtreeInertia[s + 7] / mass;
  const oz = subtreeInertia[s + 8] / mass;
  // a centre of mass in the origin is there but for round-off
  const slight = 1e-14 * (Math.abs(treeCenter[c]) + Math.abs(treeCenter[c + 1]) + Math.abs(treeCenter[c + 2]) + 1);
  for (let k = 0; k < 3; k++) {
    const value = treeCenter[c + k] + subtreeInertia[s + 6 + k] / mass - jointAnchor[3 * j + k];
    arm[k] = Math.abs(value) > slight ? value : 0;
  }
  const x = arm[0];
  const y = arm[1];
  const z = arm[2];
  const m = isFree ? 0 : mass;
  inertia[0] = subtreeInertia[s] - mass * (oy * oy + oz * oz) + m * (y * y + z * z);
  inertia[1] = subtreeInertia[s + 1] - mass * (ox * ox + oz * oz) + m * (x * x + z * z);
  inertia[2] = subtreeInertia[s + 2] - mass * (ox * ox + oy * oy) + m * (x * x + y * y);
  inertia[3] = subtreeInertia[s + 3] + mass * ox * oy - m * x * y;
  inertia[4] = subtreeInertia[s + 4] + mass * ox * oz - m * x * z;
  inertia[5] = subtreeInertia[s + 5] + mass * oy * oz - m * y * z;
}

/** The origin of a free body whose centre of mass lies off it. */
function moveOrigin({ inertialChange, advanceShift }: Workspace, first: number, h: number): void {
  // ω⁺ × r in the axes before the turn
  cross(swing, result, arm);
  turnByResult(turnedArm, arm, h);
  turnByResult(turnedSwing, swing, h);
  cross(swing, spin, arm);
  for (let k = 0; k < 3; k++) {
    // ẋ = ẋ_p − ω × r before and after
    inertialChange[first + k] = swing[k] - turnedSwing[k];
    // (x⁺ − x)/h − ẋ⁺ = ẋ_p − (r⁺ − r)/h − (ẋ_p − ω⁺ × r⁺)
    advanceShift[first + k] = turnedSwing[k] - (turnedArm[k] - arm[k]) / h;
  }
}

/** biasForce ← −M Δ/h + weight of the body whose step was computed last; it has c(q, v) and the weight before. */
function writeBodyForces(model: Model, work: Workspace, b: number, h: number): void {
  const { biasForce, inertialChange, massMatrix, bodyRotation: rotation, subtreeInertia } = work;
  const { rowStart, column } = model.massMatrix;
  const first = model.body.dofStart[b];
  const end = first + model.body.dofCount[b];
  // without c(q, v): ω × J ω, and of the centre of mass m ω × (ω × r)
  const px = inertia[0] * spin[0] + inertia[3] * spin[1] + inertia[4] * spin[2];
  const py = inertia[3] * spin[0] + inertia[1] * spin[1] + inertia[5] * spin[2];
  const pz = inertia[4] * spin[0] + inertia[5] * spin[1] + inertia[2] * spin[2];
  torque[0] = spin[1] * pz - spin[2] * py;
  torque[1] = spin[2] * px - spin[0] * pz;
  torque[2] = spin[0] * py - spin[1] * px;
  if (end - first === 6) {
    const mass = subtreeInertia[10 * b + 9];
    cross(swing, spin, arm);
    cross(turnedSwing, spin, swing);
    for (let k = 0; k < 3; k++) biasForce[first + k] -= mass * turnedSwing[k];
    cross(swing, arm, turnedSwing);
    for (let k = 0; k < 3; k++) torque[k] += mass * swing[k];
  }
  for (let k = 0; k < 3; k++) {
    const r = 9 * b + k;
    biasForce[end - 3 + k] -= rotation[r] * torque[0] + rotation[r + 3] * torque[1] + rotation[r + 6] * torque[2];
  }
  for (let i = first; i < end; i++) {
    for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
      const c = column[k];
      biasForce[i] -= (massMatrix[k] * inertialChange[c]) / h;
      if (c !== i) biasForce[c] -= (massMatrix[k] * inertialChange[i]) / h;
    }
  }
}

function cross(out: Float64Array, a: Float64Array, b: Float64Array): void {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

// out = exp(h κ ω_m) v
function turnByResult(out: Float64Array, v: Float64Array, h: number): void {
  const x = result[3];
  const y = result[4];
  const z = result[5];
  const speed = Math.sqrt(x * x + y * y + z * z);
  cosSin(pair, 0, 0.5 * h * speed);
  const s = speed > 0 ? pair[1] / speed : 0;
  const w = pair[0];
  const qx = s * x;
  const qy = s * y;
  const qz = s * z;
  const tx = w * v[0] + qy * v[2] - qz * v[1];
  const ty = w * v[1] + qz * v[0] - qx * v[2];
  const tz = w * v[2] + qx * v[1] - qy * v[0];
  out[0] = v[0] + 2 * (qy * tz - qz * ty);
  out[1] = v[1] + 2 * (qz * tx - qx * tz);
  out[2] = v[2] + 2 * (qx * ty - qy * tx);
}
