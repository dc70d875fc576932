/**
 * Whether the forces of a solve explain the acceleration it has found, as the ruler sees it (diagnostics/momentum-balance.ts):
 *   |D h (A (a − a₀) − Jᵀ f_c)| ≤ BOUND max(|D A v|, |D h A a₀|, |D h Jᵀ f_c|),   D = diag(M)^(−½)
 * A is the matrix of the solve and, behind it, the matrices of soft bodies, which D takes as they are. M is the mass matrix alone: a stiff
 * spring that A takes implicitly does not make the links that it holds heavier. MuJoCo's rule also stops where the cost falls by little, which says
 * nothing about the forces.
 */
import { multiplyBlockSparse } from '../../linear-algebra/block-sparse-matrix.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { multiplyTree } from '../../linear-algebra/tree-ldl.ts';
import type { Model } from '../../model/model.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';

/** Largest relative error of a step that counts as converged: half of what is promised, as the ruler compares with slightly other forces. */
const BOUND = 5e-4;

/**
 * Scaled gradient s |g|, m/s², below which the balance need not be measured. Under weight the error is at most (s |g| / 9.81 m/s²) √(Σ m / least m), so
 * inertias may differ by a factor of 10¹¹.
 */
export const BALANCED_GRADIENT = 1e-8;

/** The error of a solve beside its constraint forces, summed up island by island: where it is small, no product with A is needed. */
export class IslandBalance {
  #error = 0;
  #constraint = 0;

  clear(): void {
    this.#error = 0;
    this.#constraint = 0;
  }

  /** Of one dof: entry of A (a − a₀) − Jᵀ f_c, entry of Jᵀ f_c and of the diagonal of M. */
  add(gradient: number, force: number, inertia: number): void {
    this.#error += (gradient * gradient) / inertia;
    this.#constraint += (force * force) / inertia;
  }

  /** Whether the error is small beside the constraint forces. */
  get isSmall(): boolean {
    return this.#error <= BOUND * BOUND * this.#constraint;
  }
}

export class ForceBalance {
  readonly #model: Model;
  readonly #soft: SoftBodies;
  readonly #vector: Float64Array;
  readonly #product: Float64Array;
  readonly #rigidProduct: Float64Array;

  constructor(model: Model, soft: SoftBodies, memory: Memory) {
    const unknowns = model.size.velocity + soft.freeVelocity.length;
    this.#model = model;
    this.#soft = soft;
    this.#vector = memory.f64(unknowns);
    this.#product = memory.f64(unknowns);
    this.#rigidProduct = this.#product.subarray(0, model.size.velocity);
  }

  /** `mass` is M, `metric` the rigid part of A; v of the start, a, Jᵀ f_c and a₀ are over all unknowns, soft vertices behind the dofs. */
  isMet(
    velocity: Float64Array,
    solution: Float64Array,
    constraintForce: Float64Array,
    mass: Float64Array,
    metric: Float64Array,
    free: Float64Array,
    h: number,
  ): boolean {
    const vector = this.#vector;
    for (let i = 0; i < vector.length; i++) vector[i] = solution[i] - free[i];
    const error = this.#measure(mass, metric, vector, constraintForce);
    const constraint = this.#constraint;
    // most steps with contact end here; the other two scales cost a product each
    const most = BOUND * BOUND;
    if (error <= most * constraint) return true;
    return (
      error <= most * this.#measure(mass, metric, free) || h * h * error <= most * this.#measure(mass, metric, velocity)
    );
  }

  /** |D f|² of the last measure. */
  #constraint = 0;

  // |D (A x − f)|², without f where none is given
  #measure(mass: Float64Array, metric: Float64Array, x: Float64Array, force?: Float64Array): number {
    const { massMatrix, size } = this.#model;
    const { rowStart, column } = massMatrix;
    const product = this.#product;
    multiplyTree(this.#rigidProduct, metric, x, rowStart, column);
    let sum = 0;
    let constraint = 0;
    for (let i = 0; i < size.velocity; i++) {
      const scale = 1 / mass[rowStart[i + 1] - 1];
      const f = force === undefined ? 0 : force[i];
      sum += scale * (product[i] - f) ** 2;
      constraint += scale * f * f;
    }
    for (let n = 0; n < this.#soft.parts.length; n++) {
      const part = this.#soft.parts[n];
      // where no constraint has asked for A, nothing is out of balance
      if (!part.isAssembled) continue;
      const matrix = part.work.hessian;
      const first = size.velocity + 3 * part.first;
      multiplyBlockSparse(product, matrix, x, first);
      for (let i = 0; i < 3 * matrix.count; i++) {
        const k = i % 3;
        const scale = 1 / matrix.values[3 * (i - k) + 4 * k];
        const f = force === undefined ? 0 : force[first + i];
        sum += scale * (product[first + i] - f) ** 2;
        constraint += scale * f * f;
      }
    }
    this.#constraint = constraint;
    return sum;
  }
}
