/**
 * Whether the forces of a solve explain the acceleration it has found, as the ruler sees it (diagnostics/momentum-balance.ts):
 *   |D h (M (a − a₀) − Jᵀ f_c)| ≤ BOUND max(|D M v|, |D h M a₀|, |D h Jᵀ f_c|),   D = diag(M)^(−½)
 * MuJoCo's rule also stops where the cost falls by little, which says nothing about the forces.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { multiplyTree } from '../../linear-algebra/tree-ldl.ts';
import type { Model } from '../../model/model.ts';
import type { State } from '../../state/state.ts';

/** Largest relative error of a step that counts as converged. */
const BOUND = 1e-3;

export class ForceBalance {
  readonly #model: Model;
  readonly #vector: Float64Array;
  readonly #product: Float64Array;

  constructor(model: Model, memory: Memory) {
    this.#model = model;
    this.#vector = memory.f64(model.size.velocity);
    this.#product = memory.f64(model.size.velocity);
  }

  /** `metric` is M of the solve and `free` a₀; the workspace has a and Jᵀ f_c. */
  isMet({ velocity }: State, work: Workspace, metric: Float64Array, free: Float64Array, h: number): boolean {
    const { rowStart, column } = this.#model.massMatrix;
    const { solution, constraintForce } = work;
    const vector = this.#vector;
    const product = this.#product;
    for (let i = 0; i < vector.length; i++) vector[i] = solution[i] - free[i];
    multiplyTree(product, metric, vector, rowStart, column);
    let error = 0;
    let constraint = 0;
    for (let i = 0; i < product.length; i++) {
      const scale = 1 / metric[rowStart[i + 1] - 1];
      const c = constraintForce[i];
      error += scale * (product[i] - c) ** 2;
      constraint += scale * c * c;
    }
    // most steps with contact end here; the other two scales cost a product each
    const most = BOUND * BOUND;
    if (error <= most * constraint) return true;
    return error <= most * this.#measure(metric, free) || h * h * error <= most * this.#measure(metric, velocity);
  }

  // |D M x|²
  #measure(metric: Float64Array, x: Float64Array): number {
    const { rowStart, column } = this.#model.massMatrix;
    const product = this.#product;
    multiplyTree(product, metric, x, rowStart, column);
    let sum = 0;
    for (let i = 0; i < product.length; i++) sum += product[i] ** 2 / metric[rowStart[i + 1] - 1];
    return sum;
  }
}
