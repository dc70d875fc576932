/**
 * From derivatives in the relative displacement r of two points, one on each of two frames, to gradient and Hessian in the
 * twelve numbers (dx_A, dθ_A, dx_B, dθ_B), world perturbation. With arms a, b from the origins of the frames to the points,
 *   δr = C q,   C = [1, −[a]×, −1, [b]×]                        gradient Cᵀ f
 *   Hessian  Cᵀ Q C + s (−K C − (K C)ᵀ − K Kᵀ) + curvature of exp: ± (½ (a fᵀ + f aᵀ) − (a·f) 1) on dθ
 * f = ∂E/∂r (N s²), Q = ∂²E/∂r²; K = Σ Jᵢᵀ r Wᵢᵀ where the nearest points slide (closest-pair.ts), s its factor.
 */
import { projectPsd } from '../../linear-algebra/project-psd.ts';
import type { BodyMatrix } from './body-matrix.ts';

export class PairBlocks {
  frameA = 0;
  frameB = 0;
  readonly armA: Float64Array = new Float64Array(3);
  readonly armB: Float64Array = new Float64Array(3);
  readonly force: Float64Array = new Float64Array(3);
  readonly stiffness: Float64Array = new Float64Array(9);
  /** K, 12 × 3, and s; not used where s is 0. */
  readonly sliding: Float64Array = new Float64Array(36);
  slidingScale = 0;
  /** The twelve numbers of the gradient and the 12 × 12 Hessian after `expand`. */
  readonly gradient: Float64Array = new Float64Array(12);
  readonly hessian: Float64Array = new Float64Array(144);
  readonly #c = new Float64Array(36);
  readonly #product = new Float64Array(36);
  readonly #small = new Float64Array(36);

  /** Fills gradient and Hessian from the inputs; the curvature of exp may be left out. */
  expand(withCurvature: boolean): void {
    const { armA: a, armB: b, force: f, gradient: g, hessian } = this;
    for (let k = 0; k < 3; k++) {
      g[k] = f[k];
      g[6 + k] = -f[k];
    }
    writeCross(g, 3, a, f, 1);
    writeCross(g, 9, b, f, -1);
    this.#writeC();
    const c = this.#c;
    const m = this.#product;
    const q = this.stiffness;
    for (let r = 0; r < 3; r++) {
      for (let j = 0; j < 12; j++)
        m[12 * r + j] = q[3 * r] * c[j] + q[3 * r + 1] * c[12 + j] + q[3 * r + 2] * c[24 + j];
    }
    for (let i = 0; i < 12; i++) {
      for (let j = 0; j <= i; j++) {
        hessian[12 * i + j] = c[i] * m[j] + c[12 + i] * m[12 + j] + c[24 + i] * m[24 + j];
      }
    }
    if (this.slidingScale !== 0) this.#addSliding();
    if (withCurvature) {
      addCurvature(hessian, 3, a, f, 1);
      addCurvature(hessian, 9, b, f, -1);
    }
    for (let i = 0; i < 12; i++) for (let j = 0; j < i; j++) hessian[12 * j + i] = hessian[12 * i + j];
  }

  /** Adds what `expand` and the caller have put together, projected to be positive semidefinite where asked. */
  addTo(matrix: BodyMatrix, isProjected: boolean): void {
    const { gradient: g, hessian } = this;
    const a = matrix.blockOf(this.frameA);
    const b = matrix.blockOf(this.frameB);
    if (a >= 0) for (let k = 0, row = matrix.rowOf(a); k < 6; k++) matrix.gradient[row + k] += g[k];
    if (b >= 0) for (let k = 0, row = matrix.rowOf(b); k < 6; k++) matrix.gradient[row + k] += g[6 + k];
    if (a >= 0 && b >= 0) {
      if (isProjected) projectPsd(hessian, 0, 12);
      matrix.addPart(a, a, hessian, 0, 12, 1);
      matrix.addPart(b, b, hessian, 78, 12, 1);
      matrix.addPart(a, b, hessian, 6, 12, 1);
    } else if (a >= 0 || b >= 0) {
      const from = a >= 0 ? 0 : 78;
      const block = a >= 0 ? a : b;
      if (!isProjected) {
        matrix.addPart(block, block, hessian, from, 12, 1);
        return;
      }
      const small = this.#small;
      for (let i = 0; i < 6; i++) for (let j = 0; j < 6; j++) small[6 * i + j] = hessian[from + 12 * i + j];
      projectPsd(small, 0, 6);
      matrix.addPart(block, block, small, 0, 6, 1);
    }
  }

  #writeC(): void {
    const { armA: a, armB: b } = this;
    const c = this.#c;
    c.fill(0);
    c[0] = c[13] = c[26] = 1;
    c[6] = c[19] = c[32] = -1;
    c[4] = a[2];
    c[5] = -a[1];
    c[15] = -a[2];
    c[17] = a[0];
    c[27] = a[1];
    c[28] = -a[0];
    c[10] = -b[2];
    c[11] = b[1];
    c[21] = b[2];
    c[23] = -b[0];
    c[33] = -b[1];
    c[34] = b[0];
  }

  #addSliding(): void {
    const k = this.sliding;
    const c = this.#c;
    const s = this.slidingScale;
    const { hessian } = this;
    for (let i = 0; i < 12; i++) {
      const k0 = k[3 * i];
      const k1 = k[3 * i + 1];
      const k2 = k[3 * i + 2];
      for (let j = 0; j <= i; j++) {
        hessian[12 * i + j] -=
          s *
          (k0 * c[j] +
            k1 * c[12 + j] +
            k2 * c[24 + j] +
            k[3 * j] * c[i] +
            k[3 * j + 1] * c[12 + i] +
            k[3 * j + 2] * c[24 + i] +
            k0 * k[3 * j] +
            k1 * k[3 * j + 1] +
            k2 * k[3 * j + 2]);
      }
    }
  }
}

/** Adds sign (½ (a fᵀ + f aᵀ) − (a·f) 1) to the lower triangle of the 3 × 3 block at row and column o. */
export function addCurvature(hessian: Float64Array, o: number, a: Float64Array, f: Float64Array, sign: number): void {
  const dot = a[0] * f[0] + a[1] * f[1] + a[2] * f[2];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j <= i; j++) {
      const value = 0.5 * (a[i] * f[j] + f[i] * a[j]) - (i === j ? dot : 0);
      hessian[12 * (o + i) + o + j] += sign * value;
    }
  }
}

/** out[o..o+3) = sign a × f. */
export function writeCross(out: Float64Array, o: number, a: Float64Array, f: Float64Array, sign: number): void {
  out[o] = sign * (a[1] * f[2] - a[2] * f[1]);
  out[o + 1] = sign * (a[2] * f[0] - a[0] * f[2]);
  out[o + 2] = sign * (a[0] * f[1] - a[1] * f[0]);
}
