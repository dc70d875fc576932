/**
 * Solves with the Hessian of a convex step at its solution, H = A + Jᵀ S J, island by island; dofs that no constraint touches have A
 * alone, and soft bodies that none touches are left as they are. Also an estimate of how near H is to a singular matrix.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import type { ConvexSolve } from '../../formulation/formulation.ts';
import type { ReverseSolve } from '../../formulation/reverse-solve.ts';
import { multiplyTree } from '../../linear-algebra/tree-ldl.ts';
import { IslandHessian } from '../../objective/island-hessian.ts';

/** Steps of power iteration; and where constraints make each one dearer, since H is factored again. */
const POWER_STEPS = 12;
const FEW_POWER_STEPS = 2;

export class HessianSolve implements ReverseSolve {
  readonly #solve: ConvexSolve;
  readonly #hessian: IslandHessian;
  readonly #factor: Float64Array;
  readonly #inverseDiagonal: Float64Array;
  readonly #own: Float64Array;
  readonly #local: Float64Array;
  readonly #copies: Float64Array[] = [];
  #work: Workspace | undefined;
  #solution: Float64Array = new Float64Array(0);
  #metric: Float64Array = new Float64Array(0);
  #hasFactor = false;

  constructor(solve: ConvexSolve, entries: number) {
    const { objective, memory } = solve;
    this.#solve = solve;
    this.#hessian = new IslandHessian(objective, 'auto', memory);
    this.#factor = memory.f64(entries);
    const nv = objective.pattern.rowStart.length - 1;
    this.#inverseDiagonal = memory.f64(nv);
    this.#own = memory.f64(nv);
    this.#local = memory.f64(objective.x.length);
  }

  /** Takes the metric A and evaluates all laws at a solution. */
  begin(work: Workspace, metric: Float64Array, solution: Float64Array): void {
    const { kernels, rowStart, column } = work.plan;
    const { objective } = this.#solve;
    this.#work = work;
    this.#solution = solution;
    this.#metric = metric;
    this.#hasFactor = false;
    this.#factor.set(metric);
    kernels.factorTree(this.#factor, this.#inverseDiagonal, rowStart, column);
    if (objective.problem.rowCount === 0) return;
    for (let island = 0; island < objective.islands.count; island++) {
      objective.enter(island, solution);
      objective.begin();
    }
  }

  /** Estimate of the condition of H, by a few steps of power iteration with H and with its inverse. */
  estimateCondition(): number {
    const n = this.#metric.length === 0 ? 0 : this.#local.length;
    if (n === 0) return 1;
    const steps = this.#solve.objective.problem.rowCount > 0 ? FEW_POWER_STEPS : POWER_STEPS;
    const start = Float64Array.from({ length: n }, (_, i) => 1 + 0.5 * Math.sin(1 + i));
    const product = new Float64Array(n);
    const measure = (apply: (x: Float64Array) => Float64Array): number => {
      let x = start.slice();
      let growth = 0;
      for (let k = 0; k < steps; k++) {
        const length = Math.hypot(...x);
        const next = apply(x.map((value) => value / length));
        growth = Math.hypot(...next);
        x = next.slice();
      }
      return growth;
    };
    const largest = measure((x) => {
      this.#multiply(product, x);
      return product;
    });
    const inverse = measure((x) => {
      const y = x.slice();
      this.solve([y]);
      return y;
    });
    return largest * inverse;
  }

  // out = A x + Σ Jᵀ S J x
  #multiply(out: Float64Array, x: Float64Array): void {
    const { rowStart, column } = this.#work!.plan;
    const { islands, problem } = this.#solve.objective;
    const { rows, hessianStart } = problem;
    const { hessian } = problem.data;
    multiplyTree(out, this.#metric, x, rowStart, column);
    for (let island = 0; island < (problem.rowCount > 0 ? islands.count : 0); island++) {
      const dofs = islands.dof.subarray(islands.dofStart[island]);
      for (let s = islands.blockStart[island]; s < islands.blockStart[island + 1]; s++) {
        const b = islands.block[s];
        const d = rows.rowStart[b + 1] - rows.rowStart[b];
        const n = rows.columnCount[b];
        const columns = rows.column.subarray(rows.columnStart[b]);
        const value = rows.value.subarray(rows.valueStart[b]);
        const y = new Float64Array(d);
        for (let r = 0; r < d; r++) for (let k = 0; k < n; k++) y[r] += value[r * n + k] * x[dofs[columns[k]]];
        for (let r = 0; r < d; r++) {
          let force = 0;
          for (let c = 0; c < d; c++) force += hessian[hessianStart[b] + r * d + c] * y[c];
          for (let k = 0; k < n; k++) out[dofs[columns[k]]] += force * value[r * n + k];
        }
      }
    }
  }

  /** x ← A⁻¹ x of the dofs; those of soft vertices, behind them, stay. */
  solveMetric(x: Float64Array): void {
    const { kernels, rowStart, column } = this.#work!.plan;
    const own = this.#own;
    for (let i = 0; i < own.length; i++) own[i] = x[i];
    kernels.solveTree(own, this.#factor, this.#inverseDiagonal, rowStart, column);
    for (let i = 0; i < own.length; i++) x[i] = own[i];
  }

  readWeights(): undefined {}

  /** Each x ← H⁻¹ x; false where H has no factor. */
  solve(vectors: readonly Float64Array[]): boolean {
    const { objective } = this.#solve;
    const { islands, problem } = objective;
    const copies = problem.rowCount > 0 ? this.#copy(vectors) : [];
    for (const vector of vectors) this.solveMetric(vector);
    if (problem.rowCount === 0) return true;
    const { dof, dofStart } = islands;
    const local = this.#local;
    for (let island = 0; island < islands.count; island++) {
      const first = dofStart[island];
      const size = dofStart[island + 1] - first;
      const isAsked = (copy: Float64Array): boolean => {
        for (let i = first; i < first + size; i++) if (copy[dof[i]] !== 0) return true;
        return false;
      };
      const asked = vectors.map((_, n) => isAsked(copies[n]));
      // what a gradient does not depend on has no solve, and needs no factor; A⁻¹ 0 is 0
      if (!asked.includes(true)) continue;
      // the factor of a single island stays
      if (!this.#hasFactor) {
        objective.enter(island, this.#solution);
        objective.begin();
        this.#hessian.enter();
        if (!this.#hessian.prepare()) return false;
        this.#hasFactor = islands.count === 1;
      }
      for (const [n, vector] of vectors.entries()) {
        if (!asked[n]) continue;
        for (let i = 0; i < size; i++) local[i] = copies[n][dof[first + i]];
        this.#hessian.solve(local);
        for (let i = 0; i < size; i++) vector[dof[first + i]] = local[i];
      }
    }
    return true;
  }

  #copy(vectors: readonly Float64Array[]): Float64Array[] {
    for (const [n, vector] of vectors.entries()) {
      if (this.#copies[n]?.length === vector.length) this.#copies[n].set(vector);
      else this.#copies[n] = vector.slice();
    }
    return this.#copies;
  }
}
