/**
 * The barrier of contacts with signed-distance fields (field-collisions.ts):
 *   E = h² κ Σ w d̂ β(d²),   d = φ̃(y) − c       (contact/barrier.ts)
 * w area of the sample, m²; κ Pa; d m. With E' = ∂E/∂d, n = ∇φ̃ in the world, arms a, b from the origins of both frames to the
 * sample and q = (dx_A, dθ_A, dx_B, dθ_B):
 *   δd = n · C q,   C = [1, −[a]×, −1, [b]×]
 *   ∇²E = E'' Cᵀ n nᵀ C + E' (curvature of exp + (dθ_B × n) · C q)   the last: the field turns with its frame
 * The curvature of φ̃ is left out in a descent: E' < 0, and outside of convex bodies ∇²φ̃ is positive semidefinite, so that a projection
 * would remove it again. Derivatives need E' Cᵀ ∇²φ̃ C as well.
 */

import type { FieldCollisions } from '../../../collision/collisions/field-collisions.ts';
import { barrier, barrierCurvature, barrierSlope } from '../../../contact/barrier.ts';
import type { FramePoses } from '../../../dynamics/frames.ts';
import type { BodyMatrix } from '../body-matrix.ts';
import { PairBlocks } from './pair-blocks.ts';

export class FieldTerm {
  /** κ, Pa. */
  stiffness = 0;
  #isForDerivatives = false;
  readonly #range: number;
  readonly #blocks = new PairBlocks();

  constructor(range: number) {
    this.#range = range;
  }

  /** Σ over the contacts, times `scale` = h². */
  value(contacts: FieldCollisions, scale: number): number {
    if (!(contacts.nearest > 0)) return Infinity;
    const support = this.#range * this.#range;
    let energy = 0;
    for (let n = 0; n < contacts.count; n++) energy += contacts.areaOf(n) * barrier(contacts.gap[n] ** 2, support);
    return scale * this.stiffness * this.#range * energy;
  }

  /** Says which frames are coupled. */
  couple(matrix: BodyMatrix, { pairs, pair, count }: FieldCollisions): void {
    for (let n = 0; n < count; n++) matrix.couple(pairs[pair[n]].samples.frame, pairs[pair[n]].frame);
  }

  /** The next assembly has all of the Hessian. */
  takeWholeHessian(): void {
    this.#isForDerivatives = true;
  }

  add(matrix: BodyMatrix, contacts: FieldCollisions, poses: FramePoses, scale: number, isProjected: boolean): void {
    const blocks = this.#blocks;
    const { position } = poses;
    const support = this.#range * this.#range;
    blocks.slidingScale = 0;
    for (let n = 0; n < contacts.count; n++) {
      const { samples, frame } = contacts.pairs[contacts.pair[n]];
      const d = contacts.gap[n];
      const factor = scale * this.stiffness * this.#range * contacts.areaOf(n);
      const byD = barrierSlope(d * d, support);
      const slope = factor * byD * 2 * d;
      const curvature = factor * (4 * d * d * barrierCurvature(d * d, support) + 2 * byD);
      const { normal, point } = contacts;
      blocks.frameA = samples.frame;
      blocks.frameB = frame;
      for (let i = 0; i < 3; i++) {
        const x = point[3 * n + i];
        blocks.armA[i] = x - position[3 * samples.frame + i];
        blocks.armB[i] = x - position[3 * frame + i];
        blocks.force[i] = slope * normal[3 * n + i];
        for (let j = 0; j < 3; j++) blocks.stiffness[3 * i + j] = curvature * normal[3 * n + i] * normal[3 * n + j];
      }
      if (this.#isForDerivatives) {
        contacts.writeCurvature(bend, n, poses);
        for (let i = 0; i < 9; i++) blocks.stiffness[i] += slope * bend[i];
      }
      blocks.expand(matrix, true);
      addTurning(blocks);
      blocks.addTo(matrix, isProjected);
    }
    this.#isForDerivatives = false;
  }

  /** −κ w d̂ ∂β/∂d |n| of contact n, N. */
  measureForce(contacts: FieldCollisions, n: number): number {
    const { normal, gap } = contacts;
    const length = Math.sqrt(normal[3 * n] ** 2 + normal[3 * n + 1] ** 2 + normal[3 * n + 2] ** 2);
    const slope = barrierSlope(gap[n] ** 2, this.#range * this.#range) * 2 * gap[n];
    return -this.stiffness * contacts.areaOf(n) * this.#range * slope * length;
  }
}

const columns = /* @__PURE__ */ new Float64Array(36);
const bend = /* @__PURE__ */ new Float64Array(9);

// (dθ_B × f) · C q, symmetric: rows and columns 9 to 11
function addTurning({ armA: a, armB: b, force: f, hessian }: PairBlocks): void {
  // columns of C
  columns.fill(0);
  for (let k = 0; k < 3; k++) {
    columns[3 * k + k] = 1;
    columns[18 + 3 * k + k] = -1;
    writeAxisCross(9 + 3 * k, k, a, 1);
    writeAxisCross(27 + 3 * k, k, b, -1);
  }
  for (let j = 0; j < 3; j++) {
    // e_j × f
    const x = j === 0 ? 0 : j === 1 ? f[2] : -f[1];
    const y = j === 0 ? -f[2] : j === 1 ? 0 : f[0];
    const z = j === 0 ? f[1] : j === 1 ? -f[0] : 0;
    for (let i = 0; i < 12; i++) {
      const value = x * columns[3 * i] + y * columns[3 * i + 1] + z * columns[3 * i + 2];
      hessian[12 * (9 + j) + i] += value;
      hessian[12 * i + 9 + j] += value;
    }
  }
}

// sign e_k × v
function writeAxisCross(o: number, k: number, v: Float64Array, sign: number): void {
  columns[o + ((k + 1) % 3)] = -sign * v[(k + 2) % 3];
  columns[o + ((k + 2) % 3)] = sign * v[(k + 1) % 3];
}
