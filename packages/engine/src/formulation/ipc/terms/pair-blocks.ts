/**
 * From derivatives in the relative displacement r of two points, one on each of two frames, to gradient and Hessian in the
 * twelve numbers (dx_A, dθ_A, dx_B, dθ_B), world perturbation. With arms a, b from the origins of the frames to the points,
 *   δr = C q,   C = [1, −[a]×, −1, [b]×]                        gradient Cᵀ f
 *   Hessian  Cᵀ Q C − s (K C + (K C)ᵀ + K Kᵀ) + curvature of exp: ± (½ (a fᵀ + f aᵀ) − (a·f) 1) on dθ
 * f = ∂E/∂r (N s²), Q = ∂²E/∂r²; K = Σ Jᵢᵀ r Wᵢᵀ where the nearest points slide (closest-pair.ts), s its factor.
 * The first two are computed as Cᵀ (Q + s 1) C − s G Gᵀ with G = K + Cᵀ, the former by blocks: [a]× (Q + s 1) and the like.
 * Where both frames are unknowns a compiled twin does it, with the same bits (packages/kernels/assembly/pair-blocks.ts).
 */
import type { CompiledBarrier } from '../../../linear-algebra/compiled-functions.ts';
import { GROWING_MEMORY, type Memory } from '../../../linear-algebra/memory.ts';
import { projectPsd } from '../../../linear-algebra/project-psd.ts';
import type { BodyMatrix } from '../body-matrix.ts';

/** Numbers of a record: the public arrays in their order, then what the compiled function needs besides. */
const RECORD = 264;

export class PairBlocks {
  frameA = 0;
  frameB = 0;
  readonly armA: Float64Array;
  readonly armB: Float64Array;
  readonly force: Float64Array;
  readonly stiffness: Float64Array;
  /** K, 12 × 3, and s; not used where s is 0. */
  readonly sliding: Float64Array;
  slidingScale = 0;
  /** The twelve numbers of the gradient and the 12 × 12 Hessian after `expand`. */
  readonly gradient: Float64Array;
  readonly hessian: Float64Array;
  readonly #compiled: CompiledBarrier | undefined;
  /** Address of the record; 0 where no compiled function can read it. */
  readonly #address: number = 0;
  readonly #q = new Float64Array(9);
  readonly #turnA = new Float64Array(9);
  readonly #turnB = new Float64Array(9);
  readonly #g = new Float64Array(36);
  readonly #small = new Float64Array(36);

  constructor(memory: Memory = GROWING_MEMORY) {
    const record = memory.f64(RECORD);
    this.armA = record.subarray(0, 3);
    this.armB = record.subarray(3, 6);
    this.force = record.subarray(6, 9);
    this.stiffness = record.subarray(9, 18);
    this.sliding = record.subarray(18, 54);
    this.gradient = record.subarray(54, 66);
    this.hessian = record.subarray(66, 210);
    this.#compiled = memory.compiledBarrier;
    if (this.#compiled) this.#address = record.byteOffset;
  }

  /** Fills the gradient from the inputs. */
  expandGradient(): void {
    const { armA: a, armB: b, force: f, gradient: g } = this;
    for (let k = 0; k < 3; k++) {
      g[k] = f[k];
      g[6 + k] = -f[k];
    }
    writeCross(g, 3, a, f, 1);
    writeCross(g, 9, b, f, -1);
  }

  /**
   * Fills gradient and Hessian from the inputs; the curvature of exp may be left out. Of the Hessian only the part of frames that are
   * unknowns of the matrix.
   */
  expand(matrix: BodyMatrix, withCurvature: boolean): void {
    const { armA: a, armB: b, force: f, hessian } = this;
    const hasA = matrix.blockOf(this.frameA) >= 0;
    const hasB = matrix.blockOf(this.frameB) >= 0;
    const q = this.#q;
    const slide = this.slidingScale;
    if (this.#compiled && hasA && hasB) {
      this.#compiled.expandPairBlocks(this.#address, slide, withCurvature ? 1 : 0);
      return;
    }
    this.expandGradient();
    for (let k = 0; k < 9; k++) q[k] = this.stiffness[k];
    q[0] += slide;
    q[4] += slide;
    q[8] += slide;
    if (hasA && hasB) this.#writeProduct(q);
    else if (hasA) writeOwnProduct(hessian, 0, this.#turnA, a, q);
    else if (hasB) writeOwnProduct(hessian, 78, this.#turnB, b, q);
    const first = hasA ? 0 : 6;
    const end = hasB ? 12 : 6;
    if (slide !== 0) this.#addSliding(first, end);
    if (withCurvature && hasA) addCurvature(hessian, 3, a, f, 1);
    if (withCurvature && hasB) addCurvature(hessian, 9, b, f, -1);
    for (let i = first; i < end; i++) for (let j = first; j < i; j++) hessian[12 * j + i] = hessian[12 * i + j];
  }

  /** Fills the Hessian W Q Wᵀ of two ways, twelve numbers each, Q = (q, r; r, s); of frames that are unknowns of the matrix. Uses the place of K. */
  writeTwoWays(matrix: BodyMatrix, one: Float64Array, two: Float64Array, q: number, r: number, s: number): void {
    const { hessian, sliding } = this;
    const start = matrix.blockOf(this.frameA) >= 0 ? 0 : 6;
    const end = matrix.blockOf(this.frameB) >= 0 ? 12 : 6;
    if (this.#compiled && end - start === 12) {
      for (let i = 0; i < 12; i++) {
        sliding[i] = one[i];
        sliding[12 + i] = two[i];
      }
      this.#compiled.writeTwoWays(this.#address, q, r, s);
      return;
    }
    for (let i = start; i < end; i++) {
      const left = q * one[i] + r * two[i];
      const right = r * one[i] + s * two[i];
      for (let j = start; j <= i; j++) hessian[12 * i + j] = hessian[12 * j + i] = left * one[j] + right * two[j];
    }
  }

  /** Adds what `expand` and the caller have put together, projected to be positive semidefinite where asked. */
  addTo(matrix: BodyMatrix, isProjected: boolean): void {
    const { hessian } = this;
    const a = matrix.blockOf(this.frameA);
    const b = matrix.blockOf(this.frameB);
    this.addGradientTo(matrix);
    if (a >= 0 && b >= 0) {
      if (isProjected) projectPsd(hessian, 0, 12);
      matrix.addPair(a, b, hessian, this.#address);
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

  /** Adds the gradient alone. */
  addGradientTo(matrix: BodyMatrix): void {
    const { gradient: g } = this;
    const a = matrix.blockOf(this.frameA);
    const b = matrix.blockOf(this.frameB);
    if (a >= 0) for (let k = 0, row = matrix.rowOf(a); k < 6; k++) matrix.gradient[row + k] += g[k];
    if (b >= 0) for (let k = 0, row = matrix.rowOf(b); k < 6; k++) matrix.gradient[row + k] += g[6 + k];
  }

  // Cᵀ q C, the lower triangle: rows of [a]× q and [b]× q, and of these turned once more
  #writeProduct(q: Float64Array): void {
    const { armA: a, armB: b, hessian: h } = this;
    const u = this.#turnA;
    const v = this.#turnB;
    turnColumns(u, a, q);
    turnColumns(v, b, q);
    for (let i = 0; i < 3; i++) {
      const row = 12 * i;
      const u0 = u[3 * i];
      const u1 = u[3 * i + 1];
      const u2 = u[3 * i + 2];
      const v0 = v[3 * i];
      const v1 = v[3 * i + 1];
      const v2 = v[3 * i + 2];
      for (let j = 0; j < 3; j++) {
        h[row + j] = h[row + 78 + j] = q[3 * i + j];
        h[row + 72 + j] = -q[3 * i + j];
        h[row + 36 + j] = u[3 * i + j];
        h[row + 75 + j] = -u[3 * j + i];
        h[row + 108 + j] = -v[3 * i + j];
        h[row + 114 + j] = v[3 * i + j];
      }
      h[row + 39] = a[1] * u2 - a[2] * u1;
      h[row + 40] = a[2] * u0 - a[0] * u2;
      h[row + 41] = a[0] * u1 - a[1] * u0;
      h[row + 111] = a[2] * v1 - a[1] * v2;
      h[row + 112] = a[0] * v2 - a[2] * v0;
      h[row + 113] = a[1] * v0 - a[0] * v1;
      h[row + 117] = b[1] * v2 - b[2] * v1;
      h[row + 118] = b[2] * v0 - b[0] * v2;
      h[row + 119] = b[0] * v1 - b[1] * v0;
    }
  }

  // − s G Gᵀ, G = K + Cᵀ: row i of Cᵀ is column i of C
  #addSliding(first: number, end: number): void {
    const { armA: a, armB: b, hessian, slidingScale: s } = this;
    const g = this.#g;
    for (let k = 0; k < 36; k++) g[k] = this.sliding[k];
    for (let k = 0; k < 3; k++) {
      g[4 * k] += 1;
      g[18 + 4 * k] -= 1;
    }
    addSkew(g, 9, a, 1);
    addSkew(g, 27, b, -1);
    for (let i = first; i < end; i++) {
      const g0 = s * g[3 * i];
      const g1 = s * g[3 * i + 1];
      const g2 = s * g[3 * i + 2];
      const row = 12 * i;
      for (let j = first; j <= i; j++) hessian[row + j] -= g0 * g[3 * j] + g1 * g[3 * j + 1] + g2 * g[3 * j + 2];
    }
  }
}

/** The block of one frame in Cᵀ q C at o, the lower triangle; `turn` takes [a]× q. */
function writeOwnProduct(h: Float64Array, o: number, turn: Float64Array, a: Float64Array, q: Float64Array): void {
  turnColumns(turn, a, q);
  for (let i = 0; i < 3; i++) {
    const row = o + 12 * i;
    const u0 = turn[3 * i];
    const u1 = turn[3 * i + 1];
    const u2 = turn[3 * i + 2];
    h[row] = q[3 * i];
    h[row + 1] = q[3 * i + 1];
    h[row + 2] = q[3 * i + 2];
    h[row + 36] = u0;
    h[row + 37] = u1;
    h[row + 38] = u2;
    h[row + 39] = a[1] * u2 - a[2] * u1;
    h[row + 40] = a[2] * u0 - a[0] * u2;
    h[row + 41] = a[0] * u1 - a[1] * u0;
  }
}

/** out = [a]× q: every column turned. */
function turnColumns(out: Float64Array, a: Float64Array, q: Float64Array): void {
  for (let j = 0; j < 3; j++) {
    out[j] = a[1] * q[6 + j] - a[2] * q[3 + j];
    out[3 + j] = a[2] * q[j] - a[0] * q[6 + j];
    out[6 + j] = a[0] * q[3 + j] - a[1] * q[j];
  }
}

/** Adds sign [a]× to the 3 × 3 numbers at o. */
function addSkew(out: Float64Array, o: number, a: Float64Array, sign: number): void {
  out[o + 1] -= sign * a[2];
  out[o + 2] += sign * a[1];
  out[o + 3] += sign * a[2];
  out[o + 5] -= sign * a[0];
  out[o + 6] -= sign * a[1];
  out[o + 7] += sign * a[0];
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
