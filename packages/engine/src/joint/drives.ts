/**
 * Servos, springs and dampers that the minimisation of a step contains: drives. A drive pushes along a coordinate l of the mechanism, the
 * position of a joint of body coordinates, the length of a tendon or of an actuator, by
 *   u = clamp(f − κ (l⁺ − l) − d l̇⁺, low, high)      f = c − k l,  κ = β k
 * l at the start of the step, l⁺ and l̇⁺ at its end, κ and d ≥ 0. u is the slope of a convex function of l⁺, so that no gain makes a step
 * unstable; β is the share of the stiffness that stability asks for (dynamics/implicit-share.ts). Force limits are part of the law.
 *
 *   joint      spring and damper, each direction of a ball; in joint coordinates they are in the matrix of the step instead
 *   tendon     spring and damper; one with slack pushes from either end of its range, a drive each, and has its damper for itself
 *   actuator   f = (g₀ + g₁ l) w + b₀ + b₁ l, k = −(b₁ + g₁ w), d = −(b₂ + g₂ w) with the input w of the step, see actuation.ts;
 *              of muscles and motors see force-law.ts;
 *              actuators whose sum is limited by their joint or tendon are one drive
 * Where positions are the unknowns, explicit forces that would turn a light link far act by their law as well, with κ = 0.
 * Springs and dampers that are no straight lines act by their tangent at the start of the step (model/power-laws.ts).
 * What would be unstable by itself (k < 0 or d < 0) and plain motors stay explicit: they are part of f. Units: l m or rad, u N or N m, k N/m, d N s/m.
 * Source: Drake, SapPdControllerConstraint; Castro et al., An unconstrained convex formulation of compliant contact (2022).
 */
import { actuatorInput } from '../dynamics/actuation.ts';
import { type ForceLaw, hasForceLaw, writeForceLaw } from '../dynamics/force-law.ts';
import { implicitShare, takesForcesImplicitly, vibrationScale } from '../dynamics/implicit-share.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { rotationVector } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import { hasPowers, powerSecant, powerTangent, springGrowth } from '../model/power-laws.ts';
import type { State } from '../state/state.ts';
import { DRIVE, type DriveList, listDrives } from './drive-list.ts';
import type { JointWorkspace } from './joint-workspace.ts';
import type { ScalarRow } from './scalar-row.ts';

/** rad. */
const FAR_TURN = 0.3;

const law: ForceLaw = { force: 0, stiffness: 0, damping: 0, low: 0, high: 0 };

/** What a drive does: u, −∂u/∂x and −∫ u dx. */
export interface DriveForce {
  force: number;
  slope: number;
  energy: number;
}

export class Drives {
  readonly list: DriveList;
  readonly count: number;
  /** Per drive: whether it acts in this step by its law; else its force, if any, is explicit. */
  readonly isActive: Uint8Array;
  /** Per drive: f, κ, d, low and high of the step. */
  readonly force: Float64Array;
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Whether κ is the whole stiffness, at the middle of the step. */
  readonly isMidpoint: boolean;
  /** Per dof: whether a drive on it takes its whole stiffness at the end of the step; empty where none does. */
  wholeDofs: Uint8Array = new Uint8Array(0);
  readonly #model: Model;
  readonly #joints: JointWorkspace;
  readonly #angle: Float64Array = new Float64Array(3);
  /** Per actuator of a drive: its force at the start of the step without speed, and how much of it speed takes, N and N s/m. */
  readonly #own: Float64Array;
  readonly #slope: Float64Array;
  /** Whether explicit torques are given to bodies by where these would turn to. */
  readonly #mayTurnFar: boolean;
  readonly #hasPowers: boolean;

  /** With `lengthsOnly`, as where positions are the unknowns, actuators without a length (thrust at a site) stay explicit. */
  constructor(model: Model, joints: JointWorkspace, lengthsOnly = false) {
    this.#model = model;
    this.#joints = joints;
    this.list = listDrives(model, takesForcesImplicitly(model), lengthsOnly);
    this.#mayTurnFar = lengthsOnly;
    const { constraintJoint: c, tendon: t } = model;
    this.#hasPowers = [c.stiffnessPowers, c.dampingPowers, t.stiffnessPowers, t.dampingPowers].some(hasPowers);
    this.count = this.list.kind.length;
    this.isMidpoint = model.options.integrator === 'midpoint';
    this.isActive = new Uint8Array(this.count);
    this.force = new Float64Array(this.count);
    this.stiffness = new Float64Array(this.count);
    this.damping = new Float64Array(this.count);
    this.low = new Float64Array(this.count);
    this.high = new Float64Array(this.count);
    this.#own = new Float64Array(this.list.member.length);
    this.#slope = new Float64Array(this.list.member.length);
  }

  /** Takes the numbers of a step from its start, and the explicit forces of drives out of the smooth ones. */
  begin(state: State, work: Workspace, h: number): void {
    const { kind } = this.list;
    if (this.#hasPowers) this.#measureGrowth(work);
    for (let e = 0; e < this.count; e++) {
      this.low[e] = -Infinity;
      this.high[e] = Infinity;
      if (kind[e] === DRIVE.joint) this.#beginJoint(e, work, h);
      else if (kind[e] === DRIVE.actuator) this.#beginActuators(e, state, work, h);
      else this.#beginTendon(e, work, h);
    }
  }

  /** Writes the row of a drive, l̇ = row · v, into a scratch; at the poses of the step's start, or of another workspace. */
  writeRow(row: ScalarRow, e: number, work: Workspace, { coordinates }: JointWorkspace = this.#joints): void {
    const { kind, index, direction, memberStart, ratio } = this.list;
    const n = index[e];
    row.clear();
    if (kind[e] === DRIVE.joint)
      row.addBlockRow(coordinates.rows, coordinates.block[n], coordinates.row[n] + direction[e], 1);
    else if (kind[e] === DRIVE.actuator) {
      const { rowStart, column } = work.plan.moment;
      const scale = 1 / ratio[memberStart[e]];
      for (let m = rowStart[n]; m < rowStart[n + 1]; m++) row.add(column[m], scale * work.actuatorMoment[m]);
    } else row.addTendon(work.tendonJacobian, this.#model.size.velocity, work.plan.tendon, n, 1);
  }

  /** l of a drive at the poses of a workspace; of a ball nothing, since its directions turn along. */
  measureLength(e: number, work: Workspace, { coordinates }: JointWorkspace): number {
    const { kind, index, memberStart, ratio } = this.list;
    const n = index[e];
    if (kind[e] === DRIVE.joint) return coordinates.position[n];
    return kind[e] === DRIVE.actuator ? work.actuatorLength[n] / ratio[memberStart[e]] : work.tendonLength[n];
  }

  /** u of a drive that has gone x = l⁺ − l in a step of h seconds, and how steeply it falls with x; l̇⁺ = (x − base)/h. */
  evaluate(e: number, x: number, h: number, out: DriveForce, base = 0): void {
    const slope = this.stiffness[e] + this.damping[e] / h;
    const f = this.force[e] + (this.damping[e] * base) / h;
    const u = f - slope * x;
    out.force = clamp(u, this.low[e], this.high[e]);
    out.slope = out.force === u ? slope : 0;
    // −∫ u dx, with its value and slope continued beyond a bound b: −b x − (f − b)²/2 slope
    const beyond = slope > 0 ? (0.5 * (f - out.force) ** 2) / slope : 0;
    out.energy = out.force === u ? x * (0.5 * slope * x - f) : -out.force * x - beyond;
  }

  /** J̇ v of the row of a drive, where it is known. */
  measureRate(e: number): number {
    const { kind, index, direction } = this.list;
    return kind[e] === DRIVE.joint ? this.#joints.coordinates.rate[3 * index[e] + direction[e]] : 0;
  }

  /** Counts what a drive did, the force u along its row, as smooth force; l̇ is the speed that it reached. */
  account(e: number, u: number, row: ScalarRow, speed: number, work: Workspace): void {
    const { kind } = this.list;
    const { smoothForce, passiveForce, actuatorJointForce } = work;
    const own = kind[e] === DRIVE.actuator ? actuatorJointForce : kind[e] === DRIVE.joint ? undefined : passiveForce;
    addRow(smoothForce, own, row, u);
    if (kind[e] === DRIVE.actuator) this.#shareForce(e, u, speed, work);
    else if (kind[e] !== DRIVE.joint) work.tendonForce[this.list.index[e]] += u;
  }

  #beginJoint(e: number, work: Workspace, h: number): void {
    const { constraintJoint, vibration } = this.#model;
    const { position, velocity, orientation } = this.#joints.coordinates;
    const c = this.list.index[e];
    const w = this.list.hasSprings ? work.weights.springs : 0;
    let k = w * constraintJoint.stiffness[c];
    let d = this.list.hasDampers ? constraintJoint.damping[c] : 0;
    let stretch = position[c] - constraintJoint.springReference[c];
    if (constraintJoint.kind[c] === JOINT.ball) {
      rotationVector(this.#angle, 0, orientation, 4 * c);
      stretch = this.#angle[this.list.direction[e]];
    }
    let f = -k * stretch;
    if (this.#hasPowers) {
      const { stiffnessPowers, dampingPowers } = constraintJoint;
      const size = this.#measureStretch(c);
      f -= w * powerSecant(stiffnessPowers, c, size) * stretch;
      k = Math.max(0, k + w * powerTangent(stiffnessPowers, c, size));
      if (this.list.hasDampers) {
        const v = velocity[3 * c + this.list.direction[e]];
        f += (powerTangent(dampingPowers, c, Math.abs(v)) - powerSecant(dampingPowers, c, Math.abs(v))) * v;
        d += powerTangent(dampingPowers, c, Math.abs(v));
      }
    }
    this.#set(e, f, k, d, vibrationScale(work) * vibration.constraintJoint[c], h, work);
    // a soft spring without damper stays explicit
    if (this.isActive[e] === 0) this.#push(e, this.force[e], work, undefined);
  }

  // how far constraint joint c is from where its spring is relaxed; of a ball, `#angle` is its turn
  #measureStretch(c: number): number {
    const { constraintJoint } = this.#model;
    if (constraintJoint.kind[c] === JOINT.ball) return Math.hypot(this.#angle[0], this.#angle[1], this.#angle[2]);
    return this.#joints.coordinates.position[c] - constraintJoint.springReference[c];
  }

  #measureGrowth(work: Workspace): void {
    const { kind, stiffness, stiffnessPowers } = this.#model.constraintJoint;
    for (let c = 0; c < kind.length; c++) {
      if (kind[c] === JOINT.ball) rotationVector(this.#angle, 0, this.#joints.coordinates.orientation, 4 * c);
      const growth = springGrowth(stiffness, stiffnessPowers, c, this.#measureStretch(c));
      work.springGrowth[0] = Math.max(work.springGrowth[0], growth);
    }
  }

  #beginTendon(e: number, work: Workspace, h: number): void {
    const { tendon, vibration } = this.#model;
    const t = this.list.index[e];
    const kind = this.list.kind[e];
    const isDamped = kind === DRIVE.tendon || kind === DRIVE.tendonDamper;
    const w = this.list.hasSprings && kind !== DRIVE.tendonDamper ? work.weights.springs : 0;
    const rest = tendon.springLength[2 * t + (kind === DRIVE.tendonLow ? 0 : 1)];
    const x = work.tendonLength[t] - rest;
    const v = work.tendonVelocity[t];
    let k = w * tendon.stiffness[t];
    let d = this.list.hasDampers && isDamped ? tendon.damping[t] : 0;
    let f = k * (rest - work.tendonLength[t]);
    let drag = d * v;
    if (this.#hasPowers) {
      f -= w * powerSecant(tendon.stiffnessPowers, t, x) * x;
      k = Math.max(0, k + w * powerTangent(tendon.stiffnessPowers, t, x));
      if (this.list.hasDampers && isDamped) {
        const speed = Math.abs(v);
        drag += powerSecant(tendon.dampingPowers, t, speed) * v;
        d += powerTangent(tendon.dampingPowers, t, speed);
      }
    }
    if (kind === DRIVE.tendonHigh) this.high[e] = 0;
    if (kind === DRIVE.tendonLow) this.low[e] = 0;
    // d v − drag: what is left of the drag at the tangent
    this.#set(e, f + (d * v - drag), k, d, vibrationScale(work) * vibration.tendon[t], h, work);
    if (this.isActive[e] === 0) return;
    const explicit = clamp(f, this.low[e], this.high[e]) - drag;
    if (explicit === 0) return;
    work.tendonForce[t] -= explicit;
    this.#push(e, -explicit, work, work.passiveForce);
  }

  #beginActuators(e: number, state: State, work: Workspace, h: number): void {
    const { actuator, vibration } = this.#model;
    const { memberStart, member, ratio, limitedDof, hasLength } = this.list;
    const scale = vibrationScale(work);
    let f = 0;
    let k = 0;
    let d = 0;
    let r = 0;
    let low = 0;
    let high = 0;
    let explicit = 0;
    for (let n = memberStart[e]; n < memberStart[e + 1]; n++) {
      const a = member[n];
      const s = ratio[n];
      if (hasForceLaw(this.#model, a)) writeForceLaw(law, this.#model, state, work, a, h);
      else this.#writeAffineLaw(a, state, work, h);
      if (hasLength[a] === 0) law.stiffness = 0;
      this.#own[n] = law.force;
      this.#slope[n] = h * implicitShare(scale * vibration.actuator[a], h) * law.stiffness + law.damping;
      f += s * law.force;
      k += s * s * law.stiffness;
      d += s * s * law.damping;
      r = Math.max(r, scale * vibration.actuator[a]);
      explicit += s * work.actuatorForce[a];
      const lower = s * Math.max(law.low, actuator.forceLimited[a] ? actuator.forceRange[2 * a] : -Infinity);
      const upper = s * Math.min(law.high, actuator.forceLimited[a] ? actuator.forceRange[2 * a + 1] : Infinity);
      low += Math.min(lower, upper);
      high += Math.max(lower, upper);
    }
    const dof = limitedDof[e];
    if (dof >= 0 && this.list.takesCompensation[e] === 1) f += work.gravityCompensationForce[dof];
    this.low[e] = Math.max(low, this.list.low[e]);
    this.high[e] = Math.min(high, this.list.high[e]);
    this.#set(e, f, k, d, r, h, work);
    if (this.isActive[e] === 0) {
      // body coordinates: the limit of a joint that its motors share
      const allowed = clamp(explicit, this.list.low[e], this.list.high[e]);
      if (dof < 0 && allowed !== explicit) this.#limitMotors(e, allowed, explicit, work);
      return;
    }
    if (dof >= 0) {
      work.smoothForce[dof] -= work.actuatorJointForce[dof];
      work.actuatorJointForce[dof] = 0;
    } else this.#push(e, -explicit, work, work.actuatorJointForce);
    for (let n = memberStart[e]; n < memberStart[e + 1]; n++) work.actuatorForce[member[n]] = 0;
  }

  // gain and bias
  #writeAffineLaw(a: number, state: State, work: Workspace, h: number): void {
    const { gain, bias } = this.#model.actuator;
    const c = 3 * a;
    const w = actuatorInput(this.#model, state, work, a, h);
    const turn = work.plan.servoPeriod[a];
    let l = work.actuatorLength[a];
    if (turn > 0) l += turn * Math.round((w - l) / turn);
    const rate = bias[c + 2] + gain[c + 2] * w;
    law.force = (gain[c] + gain[c + 1] * l) * w + bias[c] + bias[c + 1] * l;
    // what grows with speed is taken from before the step
    if (rate > 0) law.force += rate * work.actuatorVelocity[a];
    law.stiffness = Math.max(0, -(bias[c + 1] + gain[c + 1] * w));
    law.damping = Math.max(0, -rate);
    law.low = -Infinity;
    law.high = Infinity;
  }

  #limitMotors(e: number, allowed: number, explicit: number, work: Workspace): void {
    const { memberStart, member } = this.list;
    this.#push(e, allowed - explicit, work, work.actuatorJointForce);
    for (let n = memberStart[e]; n < memberStart[e + 1]; n++) work.actuatorForce[member[n]] *= allowed / explicit;
  }

  #isWhole(e: number, work: Workspace): boolean {
    if (this.wholeDofs.length === 0) return false;
    const { row } = this.#joints;
    this.writeRow(row, e, work);
    return row.count > 0 && this.wholeDofs[row.column[0]] === 1;
  }

  #set(e: number, f: number, k: number, d: number, r: number, h: number, work: Workspace): void {
    this.force[e] = f;
    this.stiffness[e] = this.isMidpoint || this.#isWhole(e, work) ? k : implicitShare(r, h) * k;
    this.damping[e] = d;
    this.isActive[e] = this.stiffness[e] > 0 || d > 0 || (this.#mayTurnFar && this.#turnsFar(e, f, h, work)) ? 1 : 0;
  }

  // whether the explicit force would turn a body by itself so far that its turn says nothing about the torque any more
  #turnsFar(e: number, f: number, h: number, work: Workspace): boolean {
    if (f === 0) return false;
    const { row } = this.#joints;
    const { rowStart } = this.#model.massMatrix;
    this.writeRow(row, e, work);
    for (let n = 0; n < row.count; n++) {
      const i = row.column[n];
      // groups of six: three of position, three of rotation
      if (i % 6 > 2 && Math.abs(h * h * f * row.value[n]) > FAR_TURN * work.massMatrix[rowStart[i + 1] - 1])
        return true;
    }
    return false;
  }

  // adds u along the row of a drive to the smooth force, and to another array
  #push(e: number, u: number, work: Workspace, other: Float64Array | undefined): void {
    this.writeRow(this.#joints.row, e, work);
    addRow(work.smoothForce, other, this.#joints.row, u);
  }

  // the forces of the actuators that make up u, at the speed l̇
  #shareForce(e: number, u: number, speed: number, work: Workspace): void {
    const { memberStart, member, ratio } = this.list;
    const first = memberStart[e];
    const count = memberStart[e + 1] - first;
    if (count === 1) {
      work.actuatorForce[member[first]] = u / ratio[first];
      return;
    }
    // each as it would be alone, all scaled to the sum
    const { actuator } = this.#model;
    let sum = 0;
    for (let n = first; n < first + count; n++) {
      const a = member[n];
      const alone = this.#own[n] - this.#slope[n] * ratio[n] * speed;
      const limited = actuator.forceLimited[a]
        ? clamp(alone, actuator.forceRange[2 * a], actuator.forceRange[2 * a + 1])
        : alone;
      work.actuatorForce[a] = limited;
      sum += ratio[n] * limited;
    }
    for (let n = first; n < first + count; n++) work.actuatorForce[member[n]] *= sum === 0 ? 0 : u / sum;
  }
}

// out and other += u × row
function addRow(out: Float64Array, other: Float64Array | undefined, row: ScalarRow, u: number): void {
  for (let i = 0; i < row.count; i++) {
    const value = row.value[i] * u;
    out[row.column[i]] += value;
    if (other) other[row.column[i]] += value;
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
