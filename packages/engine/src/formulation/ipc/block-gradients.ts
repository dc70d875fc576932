/**
 * H x = b for a symmetric matrix of blocks of three and six rows by conjugate gradients with the inverses of its diagonal blocks
 * as preconditioner P⁻¹: for meshes whose Cholesky factor would be filled too much. Stops when √(rᵀ P⁻¹ r) ≤ η √(bᵀ P⁻¹ b).
 * Source: Nocedal and Wright, Numerical Optimization (2nd ed.), algorithm 5.3.
 */
import type { Memory } from '../../linear-algebra/memory.ts';

/** Blocks one after the other: diagonal ones by number (lower triangles are read), then those of edges, rows of the second. */
export interface BlockMatrix {
  readonly size: Int32Array;
  /** Per block: its first row; one more than there are blocks. */
  readonly row: Int32Array;
  readonly values: Float64Array;
  readonly diagonalOffset: Int32Array;
  readonly edgeOffset: Int32Array;
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly edgeCount: number;
}

const block = /* @__PURE__ */ new Float64Array(36);

export class BlockGradients {
  /** Iterations of the last solve. */
  iterations = 0;
  readonly #residual: Float64Array;
  readonly #direction: Float64Array;
  readonly #product: Float64Array;
  readonly #preconditioned: Float64Array;
  readonly #inverse: Float64Array;

  constructor(rows: number, squares: number, memory: Memory) {
    this.#residual = memory.f64(rows);
    this.#direction = memory.f64(rows);
    this.#product = memory.f64(rows);
    this.#preconditioned = memory.f64(rows);
    this.#inverse = memory.f64(squares);
  }

  /** x ← H⁻¹ x to the tolerance η; false where H shows itself not to be positive definite, or `limit` iterations are not enough. */
  solve(x: Float64Array, matrix: BlockMatrix, tolerance: number, limit: number): boolean {
    const r = this.#residual;
    const p = this.#direction;
    const q = this.#product;
    const z = this.#preconditioned;
    this.iterations = 0;
    if (!this.#invertDiagonal(matrix)) return false;
    r.set(x);
    x.fill(0);
    let square = this.#precondition(matrix);
    const enough = tolerance * tolerance * square;
    p.set(z);
    while (square > enough) {
      if (this.iterations++ >= limit) return false;
      multiply(q, matrix, p);
      let curvature = 0;
      for (let i = 0; i < p.length; i++) curvature += p[i] * q[i];
      if (!(curvature > 0)) return false;
      const alpha = square / curvature;
      for (let i = 0; i < p.length; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * q[i];
      }
      const next = this.#precondition(matrix);
      const beta = next / square;
      square = next;
      for (let i = 0; i < p.length; i++) p[i] = z[i] + beta * p[i];
    }
    return true;
  }

  #invertDiagonal({ size, values, diagonalOffset }: BlockMatrix): boolean {
    for (let b = 0; b < size.length; b++) {
      if (!invert(this.#inverse, diagonalOffset[b], values, size[b])) return false;
    }
    return true;
  }

  // z ← P⁻¹ r; rᵀ z
  #precondition({ size, row, diagonalOffset }: BlockMatrix): number {
    const r = this.#residual;
    const z = this.#preconditioned;
    const inverse = this.#inverse;
    let square = 0;
    for (let b = 0; b < size.length; b++) {
      const n = size[b];
      const o = diagonalOffset[b];
      const at = row[b];
      for (let i = 0; i < n; i++) {
        let sum = 0;
        for (let j = 0; j < n; j++) sum += inverse[o + n * i + j] * r[at + j];
        z[at + i] = sum;
        square += sum * r[at + i];
      }
    }
    return square;
  }
}

// out ← H x
function multiply(out: Float64Array, matrix: BlockMatrix, x: Float64Array): void {
  const { size, row, values, diagonalOffset, edgeOffset, first, second, edgeCount } = matrix;
  for (let b = 0; b < size.length; b++) {
    const n = size[b];
    const o = diagonalOffset[b];
    const at = row[b];
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += values[j <= i ? o + n * i + j : o + n * j + i] * x[at + j];
      out[at + i] = sum;
    }
  }
  for (let e = 0; e < edgeCount; e++) {
    const a = first[e];
    const b = second[e];
    const o = edgeOffset[e];
    const p = row[a];
    const q = row[b];
    if (size[a] === 3 && size[b] === 3) {
      multiplyThree(out, values, o, x, p, q);
      continue;
    }
    const columns = size[a];
    for (let i = 0; i < size[b]; i++) {
      let sum = 0;
      for (let j = 0; j < columns; j++) {
        const value = values[o + columns * i + j];
        sum += value * x[p + j];
        out[p + j] += value * x[q + i];
      }
      out[q + i] += sum;
    }
  }
}

function multiplyThree(out: Float64Array, v: Float64Array, o: number, x: Float64Array, p: number, q: number): void {
  const x0 = x[p];
  const x1 = x[p + 1];
  const x2 = x[p + 2];
  const y0 = x[q];
  const y1 = x[q + 1];
  const y2 = x[q + 2];
  out[q] += v[o] * x0 + v[o + 1] * x1 + v[o + 2] * x2;
  out[q + 1] += v[o + 3] * x0 + v[o + 4] * x1 + v[o + 5] * x2;
  out[q + 2] += v[o + 6] * x0 + v[o + 7] * x1 + v[o + 8] * x2;
  out[p] += v[o] * y0 + v[o + 3] * y1 + v[o + 6] * y2;
  out[p + 1] += v[o + 1] * y0 + v[o + 4] * y1 + v[o + 7] * y2;
  out[p + 2] += v[o + 2] * y0 + v[o + 5] * y1 + v[o + 8] * y2;
}

// the inverse of a small block by Gauss and Jordan; false where a pivot is not positive
function invert(out: Float64Array, o: number, values: Float64Array, n: number): boolean {
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) block[n * i + j] = values[j <= i ? o + n * i + j : o + n * j + i];
  for (let k = 0; k < n; k++) {
    const pivot = block[n * k + k];
    if (!(pivot > 0)) return false;
    for (let j = 0; j < n; j++) if (j !== k) block[n * k + j] /= pivot;
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = block[n * i + k];
      for (let j = 0; j < n; j++) if (j !== k) block[n * i + j] -= factor * block[n * k + j];
      block[n * i + k] = -factor / pivot;
    }
    block[n * k + k] = 1 / pivot;
  }
  for (let i = 0; i < n * n; i++) out[o + i] = block[i];
  return true;
}
