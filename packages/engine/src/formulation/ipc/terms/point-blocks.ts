/**
 * From gradient and Hessian in the places of up to four points to those in the unknowns of a step. A point of a rigid frame with
 * arm a from its origin moves by δx = dx + dθ × a = J q, J = [1, −[a]×]; a soft vertex is its own unknown, J = 1:
 *   gradient Jᵢᵀ gᵢ,   Hessian Jᵢᵀ Hᵢⱼ Jⱼ + on dθ the curvature of exp, ½ (a gᵀ + g aᵀ) − (a·g) 1
 * A Hessian that is positive semidefinite in the points stays so without the curvature.
 */

import type { FramePoses } from '../../../dynamics/frames.ts';
import type { BodyMatrix } from '../body-matrix.ts';

export class PointBlocks {
  /** Points in use, the frame of each, and its place in the world, m. */
  count = 4;
  readonly frame: Int32Array = new Int32Array(4);
  readonly x: Float64Array = new Float64Array(12);
  /** Twelve numbers and 12 × 12, row by row. */
  readonly gradient: Float64Array = new Float64Array(12);
  readonly hessian: Float64Array = new Float64Array(144);
  readonly #arm = new Float64Array(12);
  readonly #block = new Int32Array(4);
  readonly #left = new Float64Array(18);
  readonly #product = new Float64Array(36);

  /** Says which frames are coupled. */
  couple(matrix: BodyMatrix): void {
    const { frame, count } = this;
    for (let i = 0; i < count; i++) for (let j = 0; j < i; j++) matrix.couple(frame[i], frame[j]);
  }

  addTo(matrix: BodyMatrix, poses: FramePoses, withCurvature: boolean): void {
    const { frame, x, count, gradient } = this;
    const arm = this.#arm;
    const block = this.#block;
    const { position } = poses;
    for (let i = 0; i < count; i++) {
      const b = (block[i] = matrix.blockOf(frame[i]));
      if (b < 0) continue;
      const row = matrix.rowOf(b);
      for (let k = 0; k < 3; k++) matrix.gradient[row + k] += gradient[3 * i + k];
      if (!matrix.isTurning(b)) continue;
      const f = 3 * frame[i];
      for (let k = 0; k < 3; k++) arm[3 * i + k] = x[3 * i + k] - position[f + k];
      this.#addTorque(matrix, i, row + 3);
      if (withCurvature) this.#addCurvature(matrix, i, b);
    }
    for (let i = 0; i < count; i++) {
      if (block[i] < 0) continue;
      for (let j = 0; j <= i; j++) if (block[j] >= 0) this.#addPair(matrix, i, j);
    }
  }

  // a × g
  #addTorque({ gradient: out }: BodyMatrix, i: number, row: number): void {
    const a = this.#arm;
    const g = this.gradient;
    const o = 3 * i;
    out[row] += a[o + 1] * g[o + 2] - a[o + 2] * g[o + 1];
    out[row + 1] += a[o + 2] * g[o] - a[o] * g[o + 2];
    out[row + 2] += a[o] * g[o + 1] - a[o + 1] * g[o];
  }

  #addCurvature(matrix: BodyMatrix, i: number, b: number): void {
    const a = this.#arm;
    const g = this.gradient;
    const o = 3 * i;
    const dot = a[o] * g[o] + a[o + 1] * g[o + 1] + a[o + 2] * g[o + 2];
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        const value = 0.5 * (a[o + r] * g[o + c] + g[o + r] * a[o + c]) - (r === c ? dot : 0);
        matrix.addDiagonal(b, 3 + r, 3 + c, value);
      }
    }
  }

  // Jᵢᵀ H Jⱼ, and its mirror where both points are on one frame
  #addPair(matrix: BodyMatrix, i: number, j: number): void {
    const { hessian: h } = this;
    const a = this.#block[i];
    const b = this.#block[j];
    const isRigidI = matrix.isTurning(a);
    const isRigidJ = matrix.isTurning(b);
    if (!isRigidI && !isRigidJ) {
      matrix.addPart(a, b, h, 36 * i + 3 * j, 12, 1);
      if (i !== j && a === b) matrix.addPart(a, b, h, 36 * j + 3 * i, 12, 1);
      return;
    }
    const arm = this.#arm;
    const left = this.#left;
    const out = this.#product;
    const rows = isRigidI ? 6 : 3;
    for (let c = 0; c < 3; c++) {
      const o = 36 * i + 3 * j + c;
      const u = h[o];
      const v = h[o + 12];
      const w = h[o + 24];
      left[c] = u;
      left[3 + c] = v;
      left[6 + c] = w;
      if (!isRigidI) continue;
      const x = arm[3 * i];
      const y = arm[3 * i + 1];
      const z = arm[3 * i + 2];
      left[9 + c] = y * w - z * v;
      left[12 + c] = z * u - x * w;
      left[15 + c] = x * v - y * u;
    }
    for (let r = 0; r < rows; r++) {
      const u = left[3 * r];
      const v = left[3 * r + 1];
      const w = left[3 * r + 2];
      out[6 * r] = u;
      out[6 * r + 1] = v;
      out[6 * r + 2] = w;
      if (!isRigidJ) continue;
      const x = arm[3 * j];
      const y = arm[3 * j + 1];
      const z = arm[3 * j + 2];
      out[6 * r + 3] = y * w - z * v;
      out[6 * r + 4] = z * u - x * w;
      out[6 * r + 5] = x * v - y * u;
    }
    matrix.addPart(a, b, out, 0, 6, 1);
    if (i === j || a !== b) return;
    for (let r = 0; r < 6; r++) {
      for (let c = 0; c < r; c++) {
        const swap = out[6 * r + c];
        out[6 * r + c] = out[6 * c + r];
        out[6 * c + r] = swap;
      }
    }
    matrix.addPart(a, b, out, 0, 6, 1);
  }
}
