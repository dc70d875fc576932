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
  readonly #product: Float64Array;
  readonly #momentum: Float64Array;
  readonly #smooth: Float64Array;

  constructor(model: Model, memory: Memory) {
    this.#model = model;
    this.#product = memory.f64(model.size.velocity);
    this.#momentum = memory.f64(model.size.velocity);
    this.#smooth = memory.f64(model.size.velocity);
  }

  /** `metric` is M of the solve and `free` a₀; the workspace has a and Jᵀ f_c. */
  isMet({ velocity }: State, work: Workspace, metric: Float64Array, free: Float64Array, h: number): boolean {
    const { rowStart, column } = this.#model.massMatrix;
    const { solution, constraintForce } = work;
    const product = this.#product;
    const momentum = this.#momentum;
    const smooth = this.#smooth;
    multiplyTree(product, metric, solution, rowStart, column);
    multiplyTree(smooth, metric, free, rowStart, column);
    multiplyTree(momentum, metric, velocity, rowStart, column);
    let error = 0;
    let weight = 0;
    let constraint = 0;
    let whole = 0;
    for (let i = 0; i < product.length; i++) {
      const scale = 1 / metric[rowStart[i + 1] - 1];
      const f = h * smooth[i];
      const c = h * constraintForce[i];
      error += scale * (h * product[i] - f - c) ** 2;
      weight += scale * f * f;
      constraint += scale * c * c;
      whole += scale * momentum[i] ** 2;
    }
    return error <= BOUND * BOUND * Math.max(weight, constraint, whole);
  }
}
