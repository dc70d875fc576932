/**
 * H x = b by conjugate gradients with a preconditioner P ≈ H, both symmetric and positive definite, H only as a product.
 * Stops when the residual r = b − H x is small in the norm of P⁻¹: √(rᵀ P⁻¹ r) ≤ η √(bᵀ P⁻¹ b). Started from zero, every iterate
 * is a descent direction of ½ xᵀ H x − bᵀ x and satisfies xᵀ H x = bᵀ x, so a solve cut short serves Newton's method as well.
 * The passes over vectors have compiled twins of the same bits (packages/kernels/assembly/gradient-step.ts).
 * Source: Nocedal and Wright, Numerical Optimization (2nd ed.), algorithms 5.3 and 7.1.
 */
import type { Memory } from '../linear-algebra/memory.ts';
import { sumProducts } from '../linear-algebra/sum-products.ts';
import { checkDeadlineSometimes } from '../step-deadline.ts';

/** out ← H x. */
export interface Product {
  /** Writes H x into `out`. */
  multiply(out: Float64Array, x: Float64Array): void;
}

/** d ← P⁻¹ d. */
export interface Preconditioner {
  /** Overwrites d by P⁻¹ d. */
  solve(d: Float64Array): void;
}

/** Conjugate gradients for H x = b with a preconditioner P, one iteration at a time. */
export class ConjugateGradients {
  /** √(bᵀ P⁻¹ b) of the last solve. */
  scale = 0;
  /** Iterations of the last solve. */
  iterations = 0;
  readonly #residual: Float64Array;
  readonly #preconditioned: Float64Array;
  readonly #direction: Float64Array;
  readonly #product: Float64Array;
  readonly #memory: Memory;

  constructor(size: number, memory: Memory) {
    this.#memory = memory;
    this.#residual = memory.f64(size);
    this.#preconditioned = memory.f64(size);
    this.#direction = memory.f64(size);
    this.#product = memory.f64(size);
  }

  /** Takes b and prepares the first direction; returns √(bᵀ P⁻¹ b). */
  begin(b: Float64Array, n: number, preconditioner: Preconditioner): number {
    const r = this.#residual;
    const z = this.#preconditioned;
    for (let i = 0; i < n; i++) z[i] = r[i] = b[i];
    preconditioner.solve(z);
    for (let i = 0; i < n; i++) this.#direction[i] = z[i];
    this.scale = Math.sqrt(Math.max(0, sumProducts(r, z, n)));
    return this.scale;
  }

  /** Writes x to `out`; `tolerance` is η. */
  solve(
    out: Float64Array,
    n: number,
    matrix: Product,
    preconditioner: Preconditioner,
    tolerance: number,
    limit: number,
  ): void {
    const r = this.#residual;
    const z = this.#preconditioned;
    const p = this.#direction;
    const q = this.#product;
    const { compiledDynamics } = this.#memory;
    const compiled = out.buffer.constructor === r.buffer.constructor ? compiledDynamics : undefined;
    const enough = (tolerance * this.scale) ** 2;
    let square = this.scale * this.scale;
    out.fill(0, 0, n);
    this.iterations = 0;
    while (this.iterations < limit) {
      checkDeadlineSometimes('conjugate gradients');
      matrix.multiply(q, p);
      const curvature = compiled ? compiled.dotVectors(p.byteOffset, q.byteOffset, n) : sumProducts(p, q, n);
      // the direction has vanished in round-off
      if (!(curvature > 0)) return;
      const alpha = square / curvature;
      if (compiled) {
        const { byteOffset } = out;
        compiled.stepGradients(n, alpha, byteOffset, p.byteOffset, r.byteOffset, q.byteOffset, z.byteOffset);
      } else {
        for (let i = 0; i < n; i++) {
          out[i] += alpha * p[i];
          r[i] -= alpha * q[i];
          z[i] = r[i];
        }
      }
      this.iterations++;
      preconditioner.solve(z);
      const next = compiled ? compiled.dotVectors(r.byteOffset, z.byteOffset, n) : sumProducts(r, z, n);
      if (!(next > enough)) return;
      const beta = next / square;
      square = next;
      if (compiled) compiled.turnGradients(n, beta, p.byteOffset, z.byteOffset);
      else for (let i = 0; i < n; i++) p[i] = z[i] + beta * p[i];
    }
  }
}
