/**
 * The reverse of a solve of `ccp` at its solution. With A (v − v*) = Jᵀ γ and F(γ, u) = 0, u = J v + b + E γ, on the final partition of the cones
 * (contact-partition.ts), a gradient v̄ has
 *   Kᵀ ψ = −J A⁻¹ v̄,   K = ∂F/∂γ + ∂F/∂u N,   N = J A⁻¹ Jᵀ + E        λ = −A⁻¹ (v̄ + Jᵀ w),   w = (∂F/∂u)ᵀ ψ
 * with the factor of K that the Newton steps to the solution have left (held-impulses.ts). That has a little compliance where contacts are more
 * than bodies need; Jᵀ w is unique all the same, and is met by repetition.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { ConvexProblem } from '../../objective/convex-problem.ts';
import type { Islands } from '../../objective/islands.ts';
import type { ReverseSolve } from '../reverse-solve.ts';
import type { ImpulseSolution, KeptCone } from './held-impulses.ts';

/** Repetitions at most, and the share of the right side that is round-off. */
const MOST_ROUNDS = 12;
const ROUND_OFF = 1e-14;

export class ImpulseReverse implements ReverseSolve {
  readonly #problem: ConvexProblem;
  readonly #islands: Islands;
  readonly #readSolution: () => ImpulseSolution;
  readonly #factor: Float64Array;
  readonly #inverseDiagonal: Float64Array;
  readonly #x: Float64Array;
  #work: Workspace | undefined;
  #solution: ImpulseSolution | undefined;
  #weights: Float64Array[] = [];

  constructor(
    problem: ConvexProblem,
    islands: Islands,
    entries: number,
    memory: Memory,
    readSolution: () => ImpulseSolution,
  ) {
    const dofs = islands.localDof.length;
    this.#problem = problem;
    this.#islands = islands;
    this.#readSolution = readSolution;
    this.#factor = memory.f64(entries);
    this.#inverseDiagonal = memory.f64(dofs);
    this.#x = memory.f64(dofs);
  }

  begin(work: Workspace, metric: Float64Array): void {
    const { kernels, rowStart, column } = work.plan;
    this.#work = work;
    this.#solution = this.#readSolution();
    this.#factor.set(metric);
    kernels.factorTree(this.#factor, this.#inverseDiagonal, rowStart, column);
  }

  estimateCondition(): number {
    return this.#solution!.condition;
  }

  readWeights(n: number): Float64Array | undefined {
    return this.#weights[n];
  }

  solve(vectors: readonly Float64Array[]): boolean {
    this.#weights = vectors.map((vector) => this.#solveOne(vector));
    return true;
  }

  #solveOne(vector: Float64Array): Float64Array {
    const { rowCount } = this.#problem;
    const { cones, matrices } = this.#solution!;
    const weights = new Float64Array(rowCount);
    this.#divide(vector);
    if (rowCount === 0) return weights;
    const right = new Float64Array(rowCount);
    this.#addRows(right, vector, -1);
    const psi = new Float64Array(rowCount);
    const rest = right.slice();
    const parts = matrices.map(({ size }) => new Float64Array(size));
    const motion = new Float64Array(vector.length);
    let least = Infinity;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      let size = 0;
      for (const cone of cones) size = Math.max(size, this.#gather(parts[cone.island], cone, rest));
      // what contradicts itself by rounding does not get less
      if (!(size < 0.5 * least) || size === 0) break;
      least = size;
      for (const [island, part] of parts.entries()) matrices[island].lu?.solveTransposed(part);
      for (const cone of cones) this.#addChange(psi, weights, cone, parts[cone.island]);
      // r − Kᵀ ψ
      motion.fill(0);
      this.#addTransposed(motion, weights);
      this.#divide(motion);
      rest.set(right);
      this.#addRows(rest, motion, -1);
      for (const cone of cones) this.#subtractOwn(rest, psi, weights, cone);
      if (size <= ROUND_OFF) break;
    }
    for (let i = 0; i < vector.length; i++) vector[i] += motion[i];
    return weights;
  }

  // the rows of a cone that push, in the units of K; the largest of them
  #gather(part: Float64Array, { first, place, scale }: KeptCone, rest: Float64Array): number {
    let largest = 0;
    for (let k = 0; k < place.length; k++) {
      if (place[k] < 0) continue;
      part[place[k]] = scale[k] * rest[first + k];
      largest = Math.max(largest, Math.abs(part[place[k]]));
    }
    return largest;
  }

  #addChange(psi: Float64Array, weights: Float64Array, cone: KeptCone, part: Float64Array): void {
    const { first, place, scale, byVelocity } = cone;
    const d = place.length;
    for (let r = 0; r < d; r++) {
      if (place[r] < 0) continue;
      const change = part[place[r]];
      psi[first + r] += change;
      for (let c = 0; c < d; c++) weights[first + c] += scale[c] * byVelocity[r * d + c] * change;
    }
  }

  // (∂F/∂γ)ᵀ ψ + E w of a cone; ψ is in the units of K
  #subtractOwn(rest: Float64Array, psi: Float64Array, weights: Float64Array, cone: KeptCone): void {
    const { first, place, scale, byImpulse } = cone;
    const { regularization } = this.#problem;
    const d = place.length;
    for (let c = 0; c < d; c++) {
      let sum = 0;
      for (let r = 0; r < d; r++) if (place[r] >= 0) sum += byImpulse[r * d + c] * psi[first + r];
      rest[first + c] -= sum / scale[c] + regularization[first + c] * weights[first + c];
    }
  }

  // x ← A⁻¹ x
  #divide(x: Float64Array): void {
    const { kernels, rowStart, column } = this.#work!.plan;
    const own = this.#x;
    own.set(x);
    kernels.solveTree(own, this.#factor, this.#inverseDiagonal, rowStart, column);
    for (let i = 0; i < x.length; i++) x[i] = own[i];
  }

  // out += scale J x
  #addRows(out: Float64Array, x: Float64Array, scale: number): void {
    const { rowStart, columnStart, columnCount, column, value, valueStart } = this.#problem.rows;
    const { block, blockStart, dof, dofStart, count } = this.#islands;
    for (let island = 0; island < count; island++) {
      const first = dofStart[island];
      for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
        const b = block[s];
        const n = columnCount[b];
        const c = columnStart[b];
        for (let row = rowStart[b], v = valueStart[b]; row < rowStart[b + 1]; row++) {
          let sum = 0;
          for (let k = 0; k < n; k++, v++) sum += value[v] * x[dof[first + column[c + k]]];
          out[row] += scale * sum;
        }
      }
    }
  }

  // out += Jᵀ w
  #addTransposed(out: Float64Array, weights: Float64Array): void {
    const { rowStart, columnStart, columnCount, column, value, valueStart } = this.#problem.rows;
    const { block, blockStart, dof, dofStart, count } = this.#islands;
    for (let island = 0; island < count; island++) {
      const first = dofStart[island];
      for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
        const b = block[s];
        const n = columnCount[b];
        const c = columnStart[b];
        for (let row = rowStart[b], v = valueStart[b]; row < rowStart[b + 1]; row++) {
          const weight = weights[row];
          for (let k = 0; k < n; k++, v++) out[dof[first + column[c + k]]] += value[v] * weight;
        }
      }
    }
  }
}
