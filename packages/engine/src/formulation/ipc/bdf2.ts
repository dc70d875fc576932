/**
 * Steps of order two by the second backward differentiation formula, with the ratio r of this step h to the last one, h':
 *   v⁺ = (x⁺ − x̂)/hₑ,   M (v⁺ − v̂) = hₑ f(x⁺, v⁺)
 *   x̂ = x + c (x − x'),   v̂ = v + c (v − v'),   c = r²/(1 + 2 r),   hₑ = h (1 + r)/(1 + 2 r)
 * x', v' before the last step. It minimises ½ w |x − x̃|²_M + h² (all potentials), w = (h/hₑ)², x̃ = x̂ + hₑ v̂ + hₑ² M⁻¹ f.
 * Written with what the last step changed against free flight, e = x − x' − h' v', ė = v − v', it is
 *   x̃ = x + h v + c e + c (hₑ − h') ė + hₑ² M⁻¹ f,   v⁺ = v + (x⁺ − x − h v − c e + c h' ė)/hₑ
 * and in this form it holds for rotations: R and V = R [ω] of free flight are those of spin-step.ts, which keeps energy and momentum,
 * and the same equations hold for the 3 × 3 matrices R and V, the places and velocities of three points of the body. A change D of
 * points has the angular momentum axial(R J Dᵀ), J second moments: its projection to rotations is exact up to D², of order four in h.
 * c = 0, hₑ = h is backward Euler.
 * Source: Hairer, Wanner, Solving Ordinary Differential Equations II, section V.1; its use for incremental potentials: Li et al. (2020), PolyFEM.
 */
import { implicitShare, vibrationScale } from '../../dynamics/implicit-share.ts';
import { stepSpin } from '../../dynamics/spin-step.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import {
  integrateQuaternion,
  matrixFromQuaternion,
  relativeQuaternion,
  rotationVector,
} from '../../linear-algebra/quaternion.ts';
import { solveSmallSystem } from '../../linear-algebra/small-system.ts';
import type { Model } from '../../model/model.ts';
import type { State } from '../../state/state.ts';
import type { IpcObjective } from './ipc-objective.ts';
import { addWholeTurns } from './terms/incremental-displacement.ts';

/** Numbers of a step of this length after one of another. */
export interface StepFormula {
  /** c, hₑ (s), w, and h' (s). */
  readonly share: number;
  readonly reach: number;
  readonly weight: number;
  readonly before: number;
}

export function createFormula(h: number, before: number): StepFormula {
  const r = h / before;
  const reach = (h * (1 + r)) / (1 + 2 * r);
  return { share: (r * r) / (1 + 2 * r), reach, weight: (h / reach) ** 2, before };
}

/** State of a rigid frame before the last step: position, quaternion; velocity in the world, spin in body axes. */
export interface FrameBefore {
  readonly position: Float64Array;
  readonly orientation: Float64Array;
  readonly velocity: Float64Array;
}

const orientation = /* @__PURE__ */ new Float64Array(4);
const turn = /* @__PURE__ */ new Float64Array(4);
const result = /* @__PURE__ */ new Float64Array(6);
const tensor = /* @__PURE__ */ new Float64Array(9);
const moment = /* @__PURE__ */ new Float64Array(9);
const packed = /* @__PURE__ */ new Float64Array(6);
const vector = /* @__PURE__ */ new Float64Array(3);
const system = /* @__PURE__ */ new Float64Array(9);
const torque = /* @__PURE__ */ new Float64Array(3);
const rotation = /* @__PURE__ */ new Float64Array(9);
const drag = /* @__PURE__ */ new Float64Array(6);
const dragRate = /* @__PURE__ */ new Float64Array(6);
const change = /* @__PURE__ */ new Float64Array(9);
const rate = /* @__PURE__ */ new Float64Array(9);

export class Bdf2 {
  readonly #model: Model;
  readonly #objective: IpcObjective;
  /** Per frame: x̃ − x − h v (3); (c h' ė − c e)/hₑ of x (3) and of R (9); R (9) and V (9) of free flight. */
  readonly #lead: Float64Array;
  readonly #past: Float64Array;
  readonly #pastTurn: Float64Array;
  readonly #flight: Float64Array;
  readonly #flightRate: Float64Array;

  constructor(model: Model, objective: IpcObjective) {
    const n = objective.frames.moving;
    this.#model = model;
    this.#objective = objective;
    this.#lead = new Float64Array(3 * n);
    this.#past = new Float64Array(3 * n);
    this.#pastTurn = new Float64Array(9 * n);
    this.#flight = new Float64Array(9 * n);
    this.#flightRate = new Float64Array(9 * n);
  }

  /** Replaces the prediction of a frame by that of order two; the inertia term has begun the step. */
  predict(g: number, before: FrameBefore, formula: StepFormula, state: State, work: Workspace, h: number): void {
    const { inertia, frames } = this.#objective;
    const { start } = frames;
    const { share, reach, weight, before: h0 } = formula;
    const { damping } = this.#model.dof;
    const { extraDamping } = work.plan;
    const v = state.velocity;
    const i = 6 * g;
    this.#readInertia(work, g);
    this.#readDrag(g, before, v, h / h0, work);
    const stiff = work.weights.springs * (this.#model.joint.stiffness[g] + work.plan.extraStiffness[g]);
    const led = implicitShare(vibrationScale(work) * this.#model.vibration.joint[g], h);
    const { rowStart } = this.#model.massMatrix;
    for (let k = 0; k < 3; k++) {
      const e = start.position[3 * g + k] - before.position[3 * g + k] - h0 * before.velocity[i + k];
      const rateOfChange = v[i + k] - before.velocity[i + k];
      const drift = share * e + share * (reach - h0) * rateOfChange;
      const d = damping[i + k] + (extraDamping.length > 0 ? extraDamping[i + k] : 0) + dragRate[k];
      const mass = work.massMatrix[rowStart[i + k + 1] - 1] + reach * d + reach * reach * stiff;
      // springs and dampers of free joints at the end; they lead already by a share
      const force =
        work.smoothForce[i + k] + drag[k] - d * share * rateOfChange - stiff * ((1 - led) * h * v[i + k] + drift);
      const lead = drift + (reach * reach * force) / mass;
      this.#lead[3 * g + k] = lead;
      this.#past[3 * g + k] = (share * (h0 * rateOfChange - e)) / reach;
      inertia.velocity[i + k] = v[i + k] + lead / h;
      inertia.position[3 * g + k] = start.position[3 * g + k] + h * inertia.velocity[i + k];
      inertia.mass[3 * g + k] = weight * mass;
    }
    this.#predictTurn(g, before, formula, state, work, h, stiff, led);
  }

  #predictTurn(
    g: number,
    before: FrameBefore,
    { share, reach, weight, before: h0 }: StepFormula,
    state: State,
    work: Workspace,
    h: number,
    stiff: number,
    led: number,
  ): void {
    const { inertia, frames } = this.#objective;
    const { damping } = this.#model.dof;
    const { extraDamping } = work.plan;
    const i = 6 * g + 3;
    const m = 9 * g;
    const v = state.velocity;
    // e and ė: where and how fast the body is, against free flight of the last step
    for (let k = 0; k < 4; k++) orientation[k] = before.orientation[4 * g + k];
    this.#fly(orientation, before.velocity, i, h0);
    matrixFromQuaternion(rotation, 0, orientation, 0);
    writeRate(rate, 0, rotation, 0, result, 0);
    writeRate(change, 0, frames.start.rotation, m, v, i);
    for (let k = 0; k < 9; k++) {
      const e = frames.start.rotation[m + k] - rotation[k];
      const rateOfChange = change[k] - rate[k];
      this.#pastTurn[m + k] = (share * (h0 * rateOfChange - e)) / reach;
      change[k] = share * e + share * (reach - h0) * rateOfChange;
    }
    // free flight of this step
    for (let k = 0; k < 4; k++) orientation[k] = frames.start.orientation[4 * g + k];
    this.#fly(orientation, v, i, h);
    matrixFromQuaternion(this.#flight, m, orientation, 0);
    writeRate(this.#flightRate, m, this.#flight, m, result, 0);
    for (let k = 0; k < 3; k++) {
      const d = damping[i + k] + (extraDamping.length > 0 ? extraDamping[i + k] : 0) + dragRate[3 + k];
      // without gyroscopic torques, which flight has
      let gyroscopic = 0;
      for (let c = 0; c < 3; c++) gyroscopic += tensor[3 * k + c] * work.inertialChange[i + c];
      torque[k] =
        work.smoothForce[i + k] +
        drag[3 + k] -
        gyroscopic / h -
        d * (result[k] - v[i + k]) -
        (1 - led) * stiff * h * v[i + k];
      torque[k] *= reach * reach;
    }
    this.#fillSystem(g, reach, stiff);
    solveSmallSystem(system, torque, 3);
    this.#project(this.#flight, m, change, 0);
    for (let k = 0; k < 3; k++) vector[k] += torque[k];
    integrateQuaternion(orientation, 0, vector, 0, 1);
    matrixFromQuaternion(inertia.rotation, m, orientation, 0);
    relativeQuaternion(turn, 0, frames.start.orientation, 4 * g, orientation, 0);
    rotationVector(vector, 0, turn, 0);
    addWholeTurns(vector, v, i, h);
    for (let k = 0; k < 3; k++) inertia.velocity[i + k] = vector[k] / h;
    this.#fillSystem(g, reach, stiff);
    const half = 0.5 * weight * (system[0] + system[4] + system[8]);
    for (let k = 0; k < 9; k++) {
      inertia.inertia[m + k] = weight * system[k];
      inertia.moment[m + k] = (k % 4 === 0 ? half : 0) - weight * system[k];
    }
  }

  /** out = the velocity at the accepted pose of a frame: linear, m/s; angular in body axes, rad/s. */
  writeVelocity(out: Float64Array, g: number, { reach }: StepFormula, state: State, work: Workspace): void {
    const { inertia, frames } = this.#objective;
    const { current } = frames;
    const i = 6 * g;
    const m = 9 * g;
    this.#readInertia(work, g);
    for (let k = 0; k < 3; k++) {
      const p = 3 * g + k;
      const moved = this.#lead[p] + (current.position[p] - inertia.position[p]);
      out[i + k] = state.velocity[i + k] + moved / reach + this.#past[p];
    }
    for (let k = 0; k < 9; k++) {
      const moved = current.rotation[m + k] - this.#flight[m + k];
      change[k] = this.#flightRate[m + k] + moved / reach + this.#pastTurn[m + k];
    }
    this.#project(current.rotation, m, change, 0);
    for (let k = 0; k < 3; k++) out[i + 3 + k] = vector[k];
  }

  /** Makes the fluid force on a frame, among the smooth ones, that which acted: at the velocity of the end. */
  accountDrag(g: number, before: FrameBefore, state: State, end: Float64Array, ratio: number, work: Workspace): void {
    if (!work.plan.fluid) return;
    const v = state.velocity;
    this.#readDrag(g, before, v, ratio, work);
    for (let k = 0; k < 6; k++) {
      const i = 6 * g + k;
      work.smoothForce[i] += drag[k] - dragRate[k] * (end[i] - v[i]);
    }
  }

  /** out = I⁻¹ of the torques on a frame, rad/s², body axes. */
  writeAcceleration(out: Float64Array, one: Float64Array, two: Float64Array, work: Workspace, g: number): void {
    this.#readInertia(work, g);
    for (let k = 0; k < 9; k++) system[k] = tensor[k];
    for (let k = 0; k < 3; k++) out[k] = one[6 * g + 3 + k] + two[6 * g + 3 + k];
    solveSmallSystem(system, out, 3);
  }

  /** Largest turn against free flight of the last step, rad: what is not small has no formula of order two. */
  measureDeviation(g: number, before: FrameBefore, work: Workspace, h0: number): number {
    const { start } = this.#objective.frames;
    this.#readInertia(work, g);
    for (let k = 0; k < 4; k++) orientation[k] = before.orientation[4 * g + k];
    this.#fly(orientation, before.velocity, 6 * g + 3, h0);
    relativeQuaternion(turn, 0, orientation, 0, start.orientation, 4 * g);
    rotationVector(vector, 0, turn, 0);
    return Math.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2);
  }

  // turns q as the body does without torques, by its spin at w; result[0..3) is the spin at the end
  #fly(q: Float64Array, spin: Float64Array, w: number, h: number): void {
    if (!stepSpin(result, packed, 0, spin, w, h)) for (let k = 0; k < 3; k++) result[k] = result[3 + k] = spin[w + k];
    integrateQuaternion(q, 0, result, 3, h);
  }

  // vector = I⁻¹ Rᵀ axial(R J Dᵀ), body axes
  #project(r: Float64Array, m: number, d: Float64Array, o: number): void {
    let x = 0;
    let y = 0;
    let z = 0;
    // Rᵀ axial(R J Dᵀ) = axial(J (RᵀD)ᵀ)
    for (let a = 0; a < 3; a++) {
      for (let b = 0; b < 3; b++) {
        let sum = 0;
        for (let c = 0; c < 3; c++) sum += r[m + 3 * c + a] * d[o + 3 * c + b];
        rotation[3 * a + b] = sum;
      }
    }
    for (let c = 0; c < 3; c++) {
      x += moment[3 + c] * rotation[6 + c] - moment[6 + c] * rotation[3 + c];
      y += moment[6 + c] * rotation[c] - moment[c] * rotation[6 + c];
      z += moment[c] * rotation[3 + c] - moment[3 + c] * rotation[c];
    }
    vector[0] = x;
    vector[1] = y;
    vector[2] = z;
    for (let k = 0; k < 9; k++) system[k] = tensor[k];
    solveSmallSystem(system, vector, 3);
  }

  // inertia of the body alone in its axes, and its second moments
  #readInertia({ massMatrix }: Workspace, g: number): void {
    const { rowStart } = this.#model.massMatrix;
    for (let k = 0; k < 3; k++) {
      for (let c = 0; c <= k; c++) tensor[3 * k + c] = tensor[3 * c + k] = massMatrix[rowStart[6 * g + 3 + k] + 3 + c];
    }
    const half = 0.5 * (tensor[0] + tensor[4] + tensor[8]);
    for (let k = 0; k < 9; k++) moment[k] = (k % 4 === 0 ? half : 0) - tensor[k];
    packed[0] = tensor[0];
    packed[1] = tensor[4];
    packed[2] = tensor[8];
    packed[3] = tensor[1];
    packed[4] = tensor[2];
    packed[5] = tensor[5];
  }

  // of −B (v⁺ − v), B = −∂f/∂v of the fluid: its diagonal, and what the other entries do where v changes as in the last step
  #readDrag(g: number, before: FrameBefore, v: Float64Array, ratio: number, work: Workspace): void {
    drag.fill(0);
    dragRate.fill(0);
    if (!work.plan.fluid) return;
    const { rowStart, column } = this.#model.massMatrix;
    for (let i = 6 * g; i < 6 * g + 6; i++) {
      for (let k = rowStart[i]; k < rowStart[i + 1]; k++) {
        const c = column[k];
        if (c === i) {
          dragRate[i - 6 * g] = work.forceRate[k];
          continue;
        }
        drag[i - 6 * g] -= ratio * work.forceRate[k] * (v[c] - before.velocity[c]);
        drag[c - 6 * g] -= ratio * work.forceRate[k] * (v[i] - before.velocity[i]);
      }
    }
  }

  // system = I + hₑ d + hₑ² k
  #fillSystem(g: number, reach: number, stiff: number): void {
    const { damping } = this.#model.dof;
    for (let k = 0; k < 9; k++) system[k] = tensor[k];
    for (let k = 0; k < 3; k++)
      system[4 * k] += reach * (damping[6 * g + 3 + k] + dragRate[3 + k]) + reach * reach * stiff;
  }
}

// out = R [ω], ω in body axes
function writeRate(out: Float64Array, o: number, r: Float64Array, m: number, spin: Float64Array, w: number): void {
  const x = spin[w];
  const y = spin[w + 1];
  const z = spin[w + 2];
  for (let k = 0; k < 3; k++) {
    const a = r[m + 3 * k];
    const b = r[m + 3 * k + 1];
    const c = r[m + 3 * k + 2];
    out[o + 3 * k] = b * z - c * y;
    out[o + 3 * k + 1] = c * x - a * z;
    out[o + 3 * k + 2] = a * y - b * x;
  }
}
