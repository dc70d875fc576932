/**
 * Lagged, smoothed friction of two rigid frames at a pair of witness points. Normal forces λ, tangents T and arms are those of the
 * last lagging and stay for a whole minimisation, so that friction has an energy:
 *   E = h² Σ μ λ f₀(|u|),   u = S Tᵀ ((d_A + θ_A × r_A) − (d_B + θ_B × r_B))
 *   ε = h ε_v the slip below which f₀ is smoothed (contact/smooth-friction.ts)
 * S = diag(μ₁, μ₂)/μ with μ the larger coefficient of the two tangents, 1 where friction is isotropic. −∂E/∂u is then the force in the
 * ellipse (f₁/μ₁)² + (f₂/μ₂)² ≤ λ² that dissipates the most energy, as in the elliptic cones of the other formulations.
 * λ N; r_A, r_B from the origins of the frames to the witness points of the last lagging (of a ball
 * or a capsule on its surface, so that it rolls), m, world; d, θ displacement of the frames in the step (incremental-displacement.ts), so that
 * u/h is the velocity with which the surfaces slide at the end of the step.
 * E is convex in d and θ. With φ, the whole turn of the step, for θ friction does the work −μ λ f₁(|u|) |u|, which is never positive.
 * The chord of the witness points cannot replace d + θ × r: friction against it would drive a body that turns far in a step.
 * ε_v m/s the speed below which friction is less than μ λ. A body that sticks on a slope of angle α creeps with
 * ε_v (1 − √(1 − tan α/μ)).
 * Source: Li et al. (2020), section 5; rigid bodies: Ferguson et al. (2021).
 */

import type { WitnessPoints } from '../../../collision/collisions/witness-points.ts';
import { writeContactFrame } from '../../../collision/contact-frame.ts';
import { frictionCurvature, frictionPotential, frictionSlopeOverSlip } from '../../../contact/smooth-friction.ts';
import type { FramePoses } from '../../../dynamics/frames.ts';
import { copyInto } from '../../../linear-algebra/growth.ts';
import type { Memory } from '../../../linear-algebra/memory.ts';
import type { BodyMatrix } from '../body-matrix.ts';
import type { IncrementalDisplacement } from './incremental-displacement.ts';
import type { LaggedContact } from './lagged-contact.ts';
import { LaggedKeys } from './lagged-keys.ts';
import { PairBlocks } from './pair-blocks.ts';

/** Share of the strongest contact below which one that has gone is forgotten. */
const FAINT = 1e-6;

const normal = /* @__PURE__ */ new Float64Array(3);
const axes = /* @__PURE__ */ new Float64Array(9);
const wayOne = /* @__PURE__ */ new Float64Array(12);
const wayTwo = /* @__PURE__ */ new Float64Array(12);
const curvature = /* @__PURE__ */ new Float64Array(9);

export class RigidFriction {
  count = 0;
  /** ε, m. */
  smoothing = 1;
  /**
   * Whether `add` gives the Hessian μ λ (f₁/y) 1 of the parabola that touches E and is nowhere below it, instead of its own: f₁/y
   * falls with y. Along a slip E itself is straight, and a step that is to end in sticking goes far too far.
   */
  isBounding = false;
  readonly #displacement: IncrementalDisplacement;
  readonly #blocks: PairBlocks;
  readonly #keys = new LaggedKeys();
  /** Share of the new forces in the current lagging. */
  #share = 1;
  /** Frames of both sides; their arms (six numbers); two tangents; μ λ. */
  #sides = new Int32Array(128);
  #arms = new Float64Array(384);
  #tangents = new Float64Array(384);
  #strength = new Float64Array(64);
  /** S, two numbers. */
  #anisotropy = new Float64Array(128);
  /** μ. */
  #friction = new Float64Array(64);
  readonly #slip = new Float64Array(2);
  /** Per frame: torque of friction; force and torque on its unknowns. */
  readonly #moment: Float64Array;
  readonly #forces: Float64Array;

  constructor(displacement: IncrementalDisplacement, memory?: Memory) {
    this.#displacement = displacement;
    this.#blocks = new PairBlocks(memory);
    this.#forces = new Float64Array(6 * displacement.count);
    this.#moment = new Float64Array(3 * displacement.count);
  }

  /** Begins a lagging: the new forces have a share of 1, or those of before keep the rest of it. */
  beginLag(share: number): void {
    this.#share = share;
    if (share === 1) {
      this.count = 0;
      return;
    }
    for (let f = 0; f < this.count; f++) this.#strength[f] *= 1 - share;
    this.#keys.index(this.count);
  }

  /** Takes a contact of strength μ λ (N) at the poses; where it was known before, all of it by its share. */
  append(witness: WitnessPoints, strength: number, poses: FramePoses): void {
    const known = this.#share === 1 ? -1 : this.#keys.find(witness.key);
    const f = known >= 0 ? known : this.count++;
    if (f === this.#strength.length) this.#grow();
    const before = known >= 0 ? this.#strength[f] : 0;
    this.#strength[f] = this.#share * strength + before;
    const rest = before / this.#strength[f];
    this.#keys.set(f, witness.key);
    this.#sides[2 * f] = witness.a;
    this.#sides[2 * f + 1] = witness.b;
    const t = this.#tangents;
    const o = 6 * f;
    for (let k = 0; k < 3; k++) {
      const armA = witness.pointA[k] - poses.position[3 * witness.a + k];
      const armB = witness.pointB[k] - poses.position[3 * witness.b + k];
      const i = o + ((k + 1) % 3);
      const j = o + ((k + 2) % 3);
      // the normal of before is t₁ × t₂
      normal[k] = witness.normal[k] + (rest > 0 ? rest * (t[i] * t[j + 3] - t[j] * t[i + 3] - witness.normal[k]) : 0);
      this.#arms[o + k] = armA + (rest > 0 ? rest * (this.#arms[o + k] - armA) : 0);
      this.#arms[o + 3 + k] = armB + (rest > 0 ? rest * (this.#arms[o + 3 + k] - armB) : 0);
    }
    const length = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
    const { tangentHint: hint } = witness;
    for (let k = 0; k < 3; k++) normal[k] /= length;
    writeContactFrame(axes, 0, normal[0], normal[1], normal[2], hint[0], hint[1], hint[2]);
    for (let k = 0; k < 6; k++) t[o + k] = axes[3 + k];
    this.#friction[f] = witness.friction;
    for (let k = 0; k < 2; k++) this.#anisotropy[2 * f + k] = witness.anisotropy[k];
  }

  /** Ends a lagging: forgets contacts of before that have all but faded. */
  endLag(): void {
    if (this.#share === 1) return;
    let most = 0;
    for (let f = 0; f < this.count; f++) most = Math.max(most, this.#strength[f]);
    let kept = 0;
    for (let f = 0; f < this.count; f++) {
      if (this.#strength[f] < FAINT * most) continue;
      if (kept < f) this.#move(f, kept);
      kept++;
    }
    this.count = kept;
  }

  value(poses: FramePoses, scale: number): number {
    if (this.count === 0) return 0;
    let energy = 0;
    this.#displacement.take(poses);
    for (let f = 0; f < this.count; f++)
      energy += this.#strength[f] * frictionPotential(this.#measureSlip(f), this.smoothing);
    return scale * energy;
  }

  /** Says which frames are coupled. */
  couple(matrix: BodyMatrix): void {
    for (let f = 0; f < this.count; f++) matrix.couple(this.#sides[2 * f], this.#sides[2 * f + 1]);
  }

  add(matrix: BodyMatrix, poses: FramePoses, scale: number, isProjected: boolean): void {
    if (this.count === 0) return;
    const blocks = this.#blocks;
    const { gradient } = blocks;
    this.#displacement.take(poses);
    this.#displacement.differentiate();
    this.#moment.fill(0);
    for (let f = 0; f < this.count; f++) {
      const y = this.#measureSlip(f);
      const u = this.#slip[0];
      const v = this.#slip[1];
      const strength = scale * this.#strength[f];
      // f₁/y and (f₂ y − f₁)/y³; without the latter a bound from above
      const first = strength * frictionSlopeOverSlip(y, this.smoothing);
      const second = y > 0 && !this.isBounding ? strength * frictionCurvature(y, this.smoothing) : 0;
      blocks.frameA = this.#sides[2 * f];
      blocks.frameB = this.#sides[2 * f + 1];
      this.#writeWays(f);
      for (let i = 0; i < 12; i++) gradient[i] = first * (u * wayOne[i] + v * wayTwo[i]);
      if (matrix.isGradientOnly) {
        blocks.addGradientTo(matrix);
        continue;
      }
      this.#addMoments(f, first * u, first * v);
      // E'' = W Q Wᵀ with the two ways W
      const q = first + second * u * u;
      const r = second * u * v;
      const s = first + second * v * v;
      blocks.writeTwoWays(matrix, wayOne, wayTwo, q, r, s);
      blocks.addTo(matrix, false);
    }
    // without the curvature of log the Hessian is positive semidefinite as it stands
    if (!isProjected && !matrix.isGradientOnly) this.#addCurvature(matrix);
  }

  /** Frame of a side of contact f, 0 or 1. */
  frameOf(f: number, side: number): number {
    return this.#sides[2 * f + side];
  }

  /** Whether both tangents of contact f have the same coefficient. */
  isIsotropic(f: number): boolean {
    return this.#anisotropy[2 * f] === 1 && this.#anisotropy[2 * f + 1] === 1;
  }

  /** What was lagged of contact f: its normal and the arms of both sides, nine numbers; returns μ λ. */
  readLagged(out: Float64Array, f: number): number {
    const t = this.#tangents;
    const o = 6 * f;
    for (let k = 0; k < 3; k++) {
      const i = o + ((k + 1) % 3);
      const j = o + ((k + 2) % 3);
      out[k] = t[i] * t[j + 3] - t[j] * t[i + 3];
    }
    for (let k = 0; k < 6; k++) out[3 + k] = this.#arms[o + k];
    return this.#strength[f];
  }

  /** Gradient of contact f at the poses whose displacements have been taken and differentiated: six numbers per side. */
  writeGradient(out: Float64Array, f: number, scale: number): void {
    const y = this.#measureSlip(f);
    const first = scale * this.#strength[f] * frictionSlopeOverSlip(y, this.smoothing);
    this.#writeWays(f);
    for (let i = 0; i < 12; i++) out[i] = first * (this.#slip[0] * wayOne[i] + this.#slip[1] * wayTwo[i]);
  }

  /**
   * Adds the derivatives of λ · ∂E/∂x by where frames start, forces and arms as they are: six numbers per frame, position in the world, turn in
   * the axes of the frame. λ has six numbers per frame; displacements have been taken and differentiated.
   */
  addStartRate(out: Float64Array, lambda: Float64Array, scale: number): void {
    const bars = this.#measureRates(lambda, scale);
    for (let frame = 0; 6 * frame < bars.length; frame++) {
      const o = 6 * frame;
      for (let k = 0; k < 3; k++) out[o + k] -= bars[o + k];
      this.#displacement.addStartTurn(out, o + 3, frame, bars, o + 3);
    }
  }

  /** Adds the derivatives of λ · ∂E/∂x by the poses of the first `count` frames; otherwise as above. */
  addProduct(out: Float64Array, lambda: Float64Array, scale: number, count: number): void {
    const { inverse } = this.#displacement;
    const bars = this.#measureRates(lambda, scale);
    for (let frame = 0; frame < count; frame++) {
      const o = 6 * frame;
      for (let k = 0; k < 3; k++) {
        out[o + k] += bars[o + k];
        for (let c = 0; c < 3; c++) out[o + 3 + k] += inverse[9 * frame + 3 * c + k] * bars[o + 3 + c];
      }
    }
  }

  // derivatives of λ · ∂E/∂x by d and θ, six numbers per frame
  #measureRates(lambda: Float64Array, scale: number): Float64Array {
    const bars = this.#forces.fill(0);
    this.#moment.fill(0);
    for (let f = 0; f < this.count; f++) {
      const y = this.#measureSlip(f);
      const u = this.#slip[0];
      const v = this.#slip[1];
      const strength = scale * this.#strength[f];
      const first = strength * frictionSlopeOverSlip(y, this.smoothing);
      const second = y > 0 ? strength * frictionCurvature(y, this.smoothing) : 0;
      this.#writeWays(f);
      const a = 6 * this.#sides[2 * f];
      const b = 6 * this.#sides[2 * f + 1];
      let one = 0;
      let two = 0;
      for (let i = 0; i < 6; i++) {
        one += wayOne[i] * lambda[a + i] + wayOne[6 + i] * lambda[b + i];
        two += wayTwo[i] * lambda[a + i] + wayTwo[6 + i] * lambda[b + i];
      }
      this.#addMoments(f, first * u, first * v);
      // E'' of the slip along λ, as a force on both sides
      const along = second * (u * one + v * two);
      this.#addSlopes(bars, f, first * one + along * u, first * two + along * v);
    }
    for (let frame = 0; 6 * frame < bars.length; frame++)
      this.#displacement.addTurnRate(bars, 6 * frame + 3, frame, this.#moment, lambda, 6 * frame + 3);
    return bars;
  }

  // ± (f, r × f) with f = S₁ u t₁ + S₂ v t₂, six numbers per frame
  #addSlopes(out: Float64Array, f: number, slopeOne: number, slopeTwo: number): void {
    const u = this.#anisotropy[2 * f] * slopeOne;
    const v = this.#anisotropy[2 * f + 1] * slopeTwo;
    const t = this.#tangents;
    const r = this.#arms;
    const o = 6 * f;
    const x = u * t[o] + v * t[o + 3];
    const y = u * t[o + 1] + v * t[o + 4];
    const z = u * t[o + 2] + v * t[o + 5];
    for (let side = 0; side < 2; side++) {
      const sign = side === 0 ? 1 : -1;
      const a = o + 3 * side;
      const m = 6 * this.#sides[2 * f + side];
      out[m] += sign * x;
      out[m + 1] += sign * y;
      out[m + 2] += sign * z;
      out[m + 3] += sign * (r[a + 1] * z - r[a + 2] * y);
      out[m + 4] += sign * (r[a + 2] * x - r[a] * z);
      out[m + 5] += sign * (r[a] * y - r[a + 1] * x);
    }
  }

  /** Friction of contact f at the poses, whose displacements have been taken and differentiated. */
  readForce(out: LaggedContact, f: number, { position }: FramePoses): void {
    const y = this.#measureSlip(f);
    const share = -this.#strength[f] * frictionSlopeOverSlip(y, this.smoothing);
    const u = share * this.#slip[0];
    const v = share * this.#slip[1];
    const t = this.#tangents;
    const o = 6 * f;
    out.a = this.#sides[2 * f];
    out.b = this.#sides[2 * f + 1];
    out.friction = this.#friction[f];
    out.isSticking = y < this.smoothing;
    this.#keys.read(out.key, f);
    this.#writeWays(f);
    for (let k = 0; k < 2; k++) out.anisotropy[k] = this.#anisotropy[2 * f + k];
    const { normal: n } = out;
    n[0] = t[o + 1] * t[o + 5] - t[o + 2] * t[o + 4];
    n[1] = t[o + 2] * t[o + 3] - t[o] * t[o + 5];
    n[2] = t[o] * t[o + 4] - t[o + 1] * t[o + 3];
    for (let k = 0; k < 3; k++) {
      out.pointA[k] = position[3 * out.a + k] + this.#arms[o + k];
      out.pointB[k] = position[3 * out.b + k] + this.#arms[o + 3 + k];
      out.force[k] = u * wayOne[k] + v * wayTwo[k];
      out.torqueA[k] = u * wayOne[3 + k] + v * wayTwo[3 + k];
      out.torqueB[k] = u * wayOne[9 + k] + v * wayTwo[9 + k];
    }
  }

  /** Work of friction over the step to the poses, J: not above 0 where it takes energy from the bodies. */
  measureWork(poses: FramePoses): number {
    if (this.count === 0) return 0;
    const forces = this.measureForces(poses);
    this.#displacement.takeWhole(poses);
    let work = 0;
    for (let i = 0; i < forces.length; i++) work += forces[i] * this.#displacement.step[i];
    return work;
  }

  /** Force and torque of friction on each frame at the poses, six numbers; valid until it is asked for again. */
  measureForces(poses: FramePoses): Float64Array {
    const forces = this.#forces.fill(0);
    if (this.count === 0) return forces;
    this.#displacement.take(poses);
    this.#displacement.differentiate();
    for (let f = 0; f < this.count; f++) {
      const share = -this.#strength[f] * frictionSlopeOverSlip(this.#measureSlip(f), this.smoothing);
      this.#writeWays(f);
      const u = this.#slip[0];
      const v = this.#slip[1];
      const a = 6 * this.#sides[2 * f];
      const b = 6 * this.#sides[2 * f + 1];
      for (let i = 0; i < 6; i++) forces[a + i] += share * (u * wayOne[i] + v * wayTwo[i]);
      for (let i = 0; i < 6; i++) forces[b + i] += share * (u * wayOne[6 + i] + v * wayTwo[6 + i]);
    }
    return forces;
  }

  // u in `slip`; the length of u
  #measureSlip(f: number): number {
    const { step } = this.#displacement;
    const r = this.#arms;
    const t = this.#tangents;
    const o = 6 * f;
    const a = 6 * this.#sides[2 * f];
    const b = 6 * this.#sides[2 * f + 1];
    const x =
      step[a] -
      step[b] +
      step[a + 4] * r[o + 2] -
      step[a + 5] * r[o + 1] -
      step[b + 4] * r[o + 5] +
      step[b + 5] * r[o + 4];
    const y =
      step[a + 1] -
      step[b + 1] +
      step[a + 5] * r[o] -
      step[a + 3] * r[o + 2] -
      step[b + 5] * r[o + 3] +
      step[b + 3] * r[o + 5];
    const z =
      step[a + 2] -
      step[b + 2] +
      step[a + 3] * r[o + 1] -
      step[a + 4] * r[o] -
      step[b + 3] * r[o + 4] +
      step[b + 4] * r[o + 3];
    const u = this.#anisotropy[2 * f] * (t[o] * x + t[o + 1] * y + t[o + 2] * z);
    const v = this.#anisotropy[2 * f + 1] * (t[o + 3] * x + t[o + 4] * y + t[o + 5] * z);
    this.#slip[0] = u;
    this.#slip[1] = v;
    return Math.sqrt(u * u + v * v);
  }

  // ∂u/∂(dx_A, δ_A, dx_B, δ_B): ±S (t, L⁻ᵀ (r × t))
  #writeWays(f: number): void {
    const { inverse } = this.#displacement;
    const t = this.#tangents;
    const r = this.#arms;
    for (let n = 0; n < 2; n++) {
      const out = n === 0 ? wayOne : wayTwo;
      const o = 6 * f + 3 * n;
      const t0 = t[o];
      const t1 = t[o + 1];
      const t2 = t[o + 2];
      for (let side = 0; side < 2; side++) {
        const sign = (side === 0 ? 1 : -1) * this.#anisotropy[2 * f + n];
        const a = 6 * f + 3 * side;
        const x = sign * (r[a + 1] * t2 - r[a + 2] * t1);
        const y = sign * (r[a + 2] * t0 - r[a] * t2);
        const z = sign * (r[a] * t1 - r[a + 1] * t0);
        const m = 9 * this.#sides[2 * f + side];
        const at = 6 * side;
        out[at] = sign * t0;
        out[at + 1] = sign * t1;
        out[at + 2] = sign * t2;
        out[at + 3] = inverse[m] * x + inverse[m + 3] * y + inverse[m + 6] * z;
        out[at + 4] = inverse[m + 1] * x + inverse[m + 4] * y + inverse[m + 7] * z;
        out[at + 5] = inverse[m + 2] * x + inverse[m + 5] * y + inverse[m + 8] * z;
      }
    }
  }

  // ± r × (S₁ u t₁ + S₂ v t₂) to the moments of both frames
  #addMoments(f: number, slopeOne: number, slopeTwo: number): void {
    const u = this.#anisotropy[2 * f] * slopeOne;
    const v = this.#anisotropy[2 * f + 1] * slopeTwo;
    const t = this.#tangents;
    const r = this.#arms;
    const o = 6 * f;
    const x = u * t[o] + v * t[o + 3];
    const y = u * t[o + 1] + v * t[o + 4];
    const z = u * t[o + 2] + v * t[o + 5];
    for (let side = 0; side < 2; side++) {
      const sign = side === 0 ? 1 : -1;
      const a = o + 3 * side;
      const m = 3 * this.#sides[2 * f + side];
      this.#moment[m] += sign * (r[a + 1] * z - r[a + 2] * y);
      this.#moment[m + 1] += sign * (r[a + 2] * x - r[a] * z);
      this.#moment[m + 2] += sign * (r[a] * y - r[a + 1] * x);
    }
  }

  #addCurvature(matrix: BodyMatrix): void {
    for (let frame = 0; 3 * frame < this.#moment.length; frame++) {
      const block = matrix.blockOf(frame);
      if (block < 0 || !this.#displacement.writeCurvature(curvature, frame, this.#moment, 3 * frame)) continue;
      for (let i = 0; i < 3; i++)
        for (let j = 0; j < 3; j++) matrix.addDiagonal(block, 3 + i, 3 + j, curvature[3 * i + j]);
    }
  }

  // contact f takes the place of an earlier one
  #move(f: number, to: number): void {
    this.#keys.move(f, to);
    this.#sides.copyWithin(2 * to, 2 * f, 2 * f + 2);
    this.#arms.copyWithin(6 * to, 6 * f, 6 * f + 6);
    this.#tangents.copyWithin(6 * to, 6 * f, 6 * f + 6);
    this.#strength[to] = this.#strength[f];
    this.#friction[to] = this.#friction[f];
    this.#anisotropy.copyWithin(2 * to, 2 * f, 2 * f + 2);
  }

  #grow(): void {
    const n = 2 * this.#strength.length;
    this.#sides = copyInto(this.#sides, new Int32Array(2 * n));
    this.#arms = copyInto(this.#arms, new Float64Array(6 * n));
    this.#tangents = copyInto(this.#tangents, new Float64Array(6 * n));
    this.#strength = copyInto(this.#strength, new Float64Array(n));
    this.#friction = copyInto(this.#friction, new Float64Array(n));
    this.#anisotropy = copyInto(this.#anisotropy, new Float64Array(2 * n));
  }
}
