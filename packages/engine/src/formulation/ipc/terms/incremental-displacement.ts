/**
 * Displacement of frames in the step, as the final velocity of the step times h:
 *   d = x − x⁰,   θ = θ̄ + ψ,   ψ = log(R R̄ᵀ)        a point of the frame at arm r moves with (d + θ × r)/h
 * d m, θ rad, world axes; x⁰, R⁰ the pose at the start of the step; R̄ the pivot, a rotation near R, and θ̄ its rotation from R⁰.
 * With R̄ = R⁰ this is φ = log(R R⁰ᵀ) itself, h times the angular velocity of the step. With R̄ where friction was taken last it
 * is the same where nothing has turned since, and its derivative the turn of the world perturbation exp(δ) R:
 *   ∂ψ/∂δ = L⁻¹ = 1 − ½ [ψ]× + b [ψ]×²,   b = (1 − k)/|ψ|²,   k = ½ |ψ| cot ½ |ψ|
 *   m · ∂²ψ/∂δ² = sym(L⁻ᵀ B),   B_ij = m · (b (e_i × (ψ × e_j) + ψ × (e_i × e_j)) + c ψ_i ψ × (ψ × e_j) − ½ e_i × e_j),   c = b'/|ψ|
 * d + θ × r is not the chord x + R s − x⁰ − R⁰ s: a ball that rolls by φ goes R φ, its lowest point comes from R sin φ away.
 */

import type { FramePoses } from '../../../dynamics/frames.ts';
import { cosSin } from '../../../linear-algebra/elementary.ts';
import {
  integrateQuaternion,
  multiplyQuaternions,
  relativeQuaternion,
  rotationVector,
} from '../../../linear-algebra/quaternion.ts';

/** Turn of free flight from which the pivot of the first pass is there, rad: L⁻¹ has a pole at 2 π. */
const FAR_TURN = 2;
/** Turn below which b and c are series, rad. */
const SMALL_TURN = 0.1;

const quaternion = /* @__PURE__ */ new Float64Array(4);
const vector = /* @__PURE__ */ new Float64Array(3);
const pair = /* @__PURE__ */ new Float64Array(2);
const bent = /* @__PURE__ */ new Float64Array(9);
const skew = /* @__PURE__ */ new Float64Array(9);
const turned = /* @__PURE__ */ new Float64Array(9);

export class IncrementalDisplacement {
  /** Frames. */
  readonly count: number;
  /** Six numbers per frame: d, θ. */
  readonly step: Float64Array;
  /** Per frame: L⁻¹ at ψ, row by row; written by `differentiate`. */
  readonly inverse: Float64Array;
  readonly #start: FramePoses;
  /** Frames that move freely; the next is the world. */
  readonly #moving: number;
  /** h ω of free flight in body axes, rad. */
  readonly #flight: Float64Array;
  /** R̄, θ̄ and ψ. */
  readonly #pivot: Float64Array;
  readonly #lead: Float64Array;
  readonly #turn: Float64Array;

  /** Of the first `count` frames, those that turn. */
  constructor(start: FramePoses, moving: number, count: number) {
    this.#start = start;
    this.#moving = moving;
    this.count = count;
    this.step = new Float64Array(6 * count);
    this.inverse = new Float64Array(9 * count);
    this.#flight = new Float64Array(3 * count);
    this.#pivot = new Float64Array(4 * count);
    this.#lead = new Float64Array(3 * count);
    this.#turn = new Float64Array(3 * count);
  }

  /** A step begins: six numbers of `velocity` per moving frame are those of free flight, its spin in body axes, rad/s. */
  begin(velocity: Float64Array, h: number): void {
    for (let f = 0; f < this.#moving; f++)
      for (let k = 0; k < 3; k++) this.#flight[3 * f + k] = h * velocity[6 * f + 3 + k];
    this.pivotAtStart();
  }

  /** The pivot is the start of the step; of frames that turn far, free flight. */
  pivotAtStart(): void {
    const { orientation } = this.#start;
    const flight = this.#flight;
    for (let i = 0; i < this.#pivot.length; i++) this.#pivot[i] = orientation[i];
    this.#lead.fill(0);
    for (let f = 0; f < this.#moving; f++) {
      const i = 3 * f;
      if (flight[i] ** 2 + flight[i + 1] ** 2 + flight[i + 2] ** 2 < FAR_TURN * FAR_TURN) continue;
      integrateQuaternion(this.#pivot, 4 * f, flight, i, 1);
      this.#turnToWorld(this.#lead, i, f, flight, i);
    }
  }

  /** The pivot is where the frames are at the poses. */
  pivotAt(poses: FramePoses): void {
    for (let i = 0; i < this.#pivot.length; i++) this.#pivot[i] = poses.orientation[i];
    for (let f = 0; f < this.count; f++) this.#writeTurn(this.#lead, 3 * f, poses, f);
  }

  /** d and θ at the poses. */
  take(poses: FramePoses): void {
    const { step } = this;
    const { position } = this.#start;
    const lead = this.#lead;
    const turn = this.#turn;
    const pivot = this.#pivot;
    for (let f = 0; f < this.count; f++) {
      if (f === this.#moving) continue;
      // R R̄ᵀ
      for (let k = 0; k < 4; k++) quaternion[k] = (k === 0 ? 1 : -1) * pivot[4 * f + k];
      multiplyQuaternions(quaternion, 0, poses.orientation, 4 * f, quaternion, 0);
      rotationVector(turn, 3 * f, quaternion, 0);
      for (let k = 0; k < 3; k++) {
        step[6 * f + k] = poses.position[3 * f + k] - position[3 * f + k];
        step[6 * f + 3 + k] = lead[3 * f + k] + turn[3 * f + k];
      }
    }
  }

  /** d and the whole turn φ of the step at the poses, wherever the pivot is. The work of friction is measured with it. */
  takeWhole(poses: FramePoses): void {
    const { step } = this;
    const { position } = this.#start;
    for (let f = 0; f < this.count; f++) {
      if (f === this.#moving) continue;
      for (let k = 0; k < 3; k++) step[6 * f + k] = poses.position[3 * f + k] - position[3 * f + k];
      this.#writeTurn(step, 6 * f + 3, poses, f);
    }
  }

  /** out += weight (d + θ × r) of the point x (m, world) of frame f. */
  addPoint(out: Float64Array, poses: FramePoses, f: number, point: Float64Array, o: number, weight: number): void {
    const { step } = this;
    const i = 6 * f;
    const x = point[o] - poses.position[3 * f];
    const y = point[o + 1] - poses.position[3 * f + 1];
    const z = point[o + 2] - poses.position[3 * f + 2];
    out[0] += weight * (step[i] + step[i + 4] * z - step[i + 5] * y);
    out[1] += weight * (step[i + 1] + step[i + 5] * x - step[i + 3] * z);
    out[2] += weight * (step[i + 2] + step[i + 3] * y - step[i + 4] * x);
  }

  /** L⁻¹ of all frames at the turns taken last. */
  differentiate(): void {
    const { inverse } = this;
    const turn = this.#turn;
    for (let f = 0; f < this.count; f++) {
      const x = turn[3 * f];
      const y = turn[3 * f + 1];
      const z = turn[3 * f + 2];
      const square = x * x + y * y + z * z;
      const b = inverseTurnCoefficient(square);
      const o = 9 * f;
      inverse[o] = 1 + b * (x * x - square);
      inverse[o + 4] = 1 + b * (y * y - square);
      inverse[o + 8] = 1 + b * (z * z - square);
      inverse[o + 1] = b * x * y + 0.5 * z;
      inverse[o + 3] = b * x * y - 0.5 * z;
      inverse[o + 2] = b * x * z - 0.5 * y;
      inverse[o + 6] = b * x * z + 0.5 * y;
      inverse[o + 5] = b * y * z + 0.5 * x;
      inverse[o + 7] = b * y * z - 0.5 * x;
    }
  }

  /** m · ∂²ψ/∂δ² of frame f, 3 × 3, after `differentiate`; false where it is zero. */
  writeCurvature(out: Float64Array, f: number, m: Float64Array, o: number): boolean {
    if (!this.#bend(f, m, o)) return false;
    const { inverse } = this;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let sum = 0;
        for (let k = 0; k < 3; k++)
          sum += inverse[9 * f + 3 * k + i] * bent[3 * k + j] + inverse[9 * f + 3 * k + j] * bent[3 * k + i];
        out[3 * i + j] = 0.5 * sum;
      }
    }
    return true;
  }

  /** out += ∂(m · L⁻¹ δ)/∂ψ of frame f at `o`, with m by frame and δ where `p` says. */
  addTurnRate(out: Float64Array, o: number, f: number, m: Float64Array, delta: Float64Array, p: number): void {
    // L⁻¹ = 1 − ½ [ψ]× at ψ = 0
    if (!this.#bend(f, m, 3 * f)) writeSkewHalf(m, 3 * f);
    for (let i = 0; i < 3; i++)
      out[o + i] += bent[3 * i] * delta[p] + bent[3 * i + 1] * delta[p + 1] + bent[3 * i + 2] * delta[p + 2];
  }

  /** By how far frame f may have turned of itself, φ̄ of its start, body axes, from θ̄: φ̄ = −R⁰ᵀ L⁻¹ θ̄; where the pivot is the start. */
  addStartTurn(out: Float64Array, o: number, f: number, thetaBar: Float64Array, t: number): void {
    const { inverse } = this;
    const { rotation } = this.#start;
    for (let k = 0; k < 3; k++) {
      const r = 9 * f + 3 * k;
      const turned = inverse[r] * thetaBar[t] + inverse[r + 1] * thetaBar[t + 1] + inverse[r + 2] * thetaBar[t + 2];
      for (let c = 0; c < 3; c++) out[o + c] -= rotation[r + c] * turned;
    }
  }

  /** Whether every frame turns from its start, none from a flight that goes far. */
  get startsAtPivot(): boolean {
    return this.#lead.every((value) => value === 0);
  }

  /** Whether frame f does. */
  turnsFromStart(f: number): boolean {
    const lead = this.#lead;
    return lead[3 * f] === 0 && lead[3 * f + 1] === 0 && lead[3 * f + 2] === 0;
  }

  // B of frame f; false at ψ = 0
  #bend(f: number, m: Float64Array, o: number): boolean {
    const turn = this.#turn;
    const x = turn[3 * f];
    const y = turn[3 * f + 1];
    const z = turn[3 * f + 2];
    const square = x * x + y * y + z * z;
    if (square === 0) return false;
    const b = inverseTurnCoefficient(square);
    const c = slopeOfCoefficient(square);
    const mx = m[o];
    const my = m[o + 1];
    const mz = m[o + 2];
    const dot = mx * x + my * y + mz * z;
    // [m]× and [m × ψ]×: e_i × e_j · m, and ψ × (e_i × e_j) · m
    writeSkew(skew, mx, my, mz);
    writeSkew(turned, my * z - mz * y, mz * x - mx * z, mx * y - my * x);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        // e_i × (ψ × e_j) = ψ δ_ij − e_j ψ_i;   ψ × (ψ × e_j) = ψ ψ_j − e_j |ψ|²
        const psi = turn[3 * f + i];
        const first = (i === j ? dot : 0) - m[o + j] * psi;
        const second = psi * (dot * turn[3 * f + j] - square * m[o + j]);
        bent[3 * i + j] = b * (first + turned[3 * i + j]) + c * second - 0.5 * skew[3 * i + j];
      }
    }
    return true;
  }

  /** out = the velocity of the step to the poses: linear, m/s, in the world; angular, rad/s, in the axes of the frame. */
  writeTwist(out: Float64Array, poses: FramePoses, f: number, h: number): void {
    const { position, orientation } = this.#start;
    relativeQuaternion(quaternion, 0, orientation, 4 * f, poses.orientation, 4 * f);
    rotationVector(vector, 0, quaternion, 0);
    addWholeTurns(vector, this.#flight, 3 * f, 1);
    for (let k = 0; k < 3; k++) {
      out[k] = (poses.position[3 * f + k] - position[3 * f + k]) / h;
      out[3 + k] = vector[k] / h;
    }
  }

  // out[o..o+3) = φ of frame f at the poses: among the rotation vectors of the same rotation that nearest to free flight
  #writeTurn(out: Float64Array, o: number, poses: FramePoses, f: number): void {
    relativeQuaternion(quaternion, 0, this.#start.orientation, 4 * f, poses.orientation, 4 * f);
    rotationVector(vector, 0, quaternion, 0);
    addWholeTurns(vector, this.#flight, 3 * f, 1);
    this.#turnToWorld(out, o, f, vector, 0);
  }

  // R⁰ v
  #turnToWorld(out: Float64Array, o: number, f: number, v: Float64Array, i: number): void {
    const { rotation } = this.#start;
    for (let k = 0; k < 3; k++) {
      const r = 9 * f + 3 * k;
      out[o + k] = rotation[r] * v[i] + rotation[r + 1] * v[i + 1] + rotation[r + 2] * v[i + 2];
    }
  }
}

/** The rotation vector among those of the same rotation that is nearest to h ω: a body may turn more than π in a step. */
export function addWholeTurns(out: Float64Array, omega: Float64Array, w: number, h: number): void {
  const angle = Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
  if (angle < 1e-9) return;
  const along = (h * (out[0] * omega[w] + out[1] * omega[w + 1] + out[2] * omega[w + 2])) / angle;
  const turns = Math.round((along - angle) / (2 * Math.PI));
  if (turns === 0) return;
  const scale = 1 + (2 * Math.PI * turns) / angle;
  for (let k = 0; k < 3; k++) out[k] *= scale;
}

/** b by |ψ|²: the coefficient of [ψ]×² in L⁻¹. */
export function inverseTurnCoefficient(square: number): number {
  if (square < SMALL_TURN * SMALL_TURN) return 1 / 12 + square * (1 / 720 + square / 30240);
  const angle = Math.sqrt(square);
  cosSin(pair, 0, 0.5 * angle);
  return (1 - (0.5 * angle * pair[0]) / pair[1]) / square;
}

// b'/|ψ| by |ψ|²
function slopeOfCoefficient(square: number): number {
  if (square < SMALL_TURN * SMALL_TURN) return 1 / 360 + square * (1 / 7560 + square / 201600);
  const angle = Math.sqrt(square);
  cosSin(pair, 0, 0.5 * angle);
  const cotangent = pair[0] / pair[1];
  const k = 0.5 * angle * cotangent;
  const slope = 0.5 * cotangent - (0.25 * angle) / (pair[1] * pair[1]);
  return (-slope * angle - 2 * (1 - k)) / (square * square);
}

// −½ e_i × e_j · m to `bent`
function writeSkewHalf(m: Float64Array, o: number): void {
  bent.fill(0);
  writeSkew(bent, -0.5 * m[o], -0.5 * m[o + 1], -0.5 * m[o + 2]);
}

// e_i × e_j · v
function writeSkew(out: Float64Array, x: number, y: number, z: number): void {
  out[1] = z;
  out[2] = -y;
  out[3] = -z;
  out[5] = x;
  out[6] = y;
  out[7] = -x;
}
