/**
 * The longest stable time step of the springs of contact. With K = Σ k nᵀn and C the dampers, those of the start of the step with a plus and
 * those of its end with a minus, the mode x with the largest eigenvalue of A⁻¹ (h² K + 2 h C₊) has κ = xᵀ K x/xᵀ A x and
 * χ = xᵀ C x/xᵀ A x. Velocities first, then positions, is stable while
 *   κ h² + 2 χ h < 4      h < (√(χ² + 4 κ) − χ)/κ
 * and without dampers while h ω < 2. The mode comes from a few power iterations, which find κ from below: the step is taken as SAFETY times
 * the bound. Soft bodies count with the diagonal blocks of their matrix, and as one mass that all their
 * contacts carry.
 * Symbols: k N/m, n row of the normal, A matrix of the step (kg, kg m²), κ 1/s², χ 1/s.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { Model } from '../../model/model.ts';
import type { ConvexProblem } from '../../objective/convex-problem.ts';
import type { Forest } from '../../objective/forest.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import { multiplyRow } from '../contact-reach.ts';
import type { Delassus } from '../velocity-solve/delassus.ts';
import type { ContactSprings } from './contact-springs.ts';

/** Power iterations. */
const ITERATIONS = 8;
/** Share of the bound that is said. */
const SAFETY = 0.9;

export class StableStep {
  readonly #forest: Forest;
  readonly #soft: SoftBodies;
  readonly #x: Float64Array;
  /** The dofs of rigid bodies in x. */
  readonly #rigid: Float64Array;
  readonly #g: Float64Array;

  constructor(model: Model, forest: Forest, soft: SoftBodies, memory: Memory) {
    const dofs = forest.start[forest.count];
    this.#forest = forest;
    this.#soft = soft;
    this.#x = memory.f64(dofs);
    this.#rigid = this.#x.subarray(0, model.size.velocity);
    this.#g = memory.f64(dofs);
  }

  /** s; Infinity where no contact acts. `metric` has the factor of A. */
  measure(
    springs: ContactSprings,
    problem: ConvexProblem,
    work: Workspace,
    metric: Pick<Delassus, 'factor' | 'inverseDiagonal'>,
    h: number,
  ): number {
    const bound = this.#measureAt(springs, problem, work, metric, h);
    // which mode is the worst depends on h where there are explicit dampers
    if (!(springs.hasExplicitDamping && bound < Infinity)) return bound;
    return Math.min(bound, this.#measureAt(springs, problem, work, metric, bound));
  }

  #measureAt(
    springs: ContactSprings,
    problem: ConvexProblem,
    work: Workspace,
    metric: Pick<Delassus, 'factor' | 'inverseDiagonal'>,
    h: number,
  ): number {
    if (springs.count === 0) return Infinity;
    const x = this.#x;
    const g = this.#g;
    // an irregular start has a part along every mode
    g.fill(0);
    for (let s = 0; s < springs.count; s++) {
      const sign = (s * 2654435761) % 7 < 3 ? -1 : 1;
      this.#addRow(g, problem, springs.block[s], 0, sign * springs.stiffness[s]);
      if (springs.slipDamping[s] > 0) this.#addRow(g, problem, springs.block[s], 1 + (s % 2), springs.slipDamping[s]);
    }
    let kappa = 0;
    let chi = 0;
    for (let n = 0; n < ITERATIONS; n++) {
      // x ← A⁻¹ g, with xᵀ A x = xᵀ g
      x.set(g);
      this.#divide(x, work, metric);
      let norm = 0;
      for (let i = 0; i < x.length; i++) norm += x[i] * g[i];
      if (!(norm > 0)) break;
      kappa = 0;
      chi = 0;
      g.fill(0);
      for (let s = 0; s < springs.count; s++) {
        const block = springs.block[s];
        const k = springs.stiffness[s];
        const normal = multiplyRow(problem, block, 0, x);
        kappa += k * normal * normal;
        chi += springs.normalDamping[s] * normal * normal;
        this.#addRow(g, problem, block, 0, (h * h * k + 2 * h * Math.max(0, springs.normalDamping[s])) * normal);
        const slip = springs.slipDamping[s];
        if (slip === 0) continue;
        for (let t = 1; t <= 2; t++) {
          const speed = multiplyRow(problem, block, t, x);
          chi += slip * speed * speed;
          this.#addRow(g, problem, block, t, 2 * h * slip * speed);
        }
      }
      kappa /= norm;
      chi /= norm;
      const scale = 1 / Math.sqrt(norm);
      for (let i = 0; i < g.length; i++) g[i] *= scale;
    }
    kappa = Math.max(kappa, this.#measureWhole(springs, problem));
    if (!(kappa > 0)) return Infinity;
    return SAFETY * (4 / (chi + Math.sqrt(chi * chi + 4 * kappa)));
  }

  // x ← A⁻¹ x
  #divide(
    x: Float64Array,
    work: Workspace,
    { factor, inverseDiagonal }: Pick<Delassus, 'factor' | 'inverseDiagonal'>,
  ): void {
    const { kernels, rowStart, column } = work.plan;
    kernels.solveTree(this.#rigid, factor, inverseDiagonal, rowStart, column);
    const { start, rigidCount } = this.#forest;
    for (let n = 0; n < this.#soft.parts.length; n++) {
      const inverse = this.#soft.invertedDiagonal(n);
      for (let i = start[rigidCount + n], b = 0; i < start[rigidCount + n + 1]; i += 3, b += 9) {
        const u = x[i];
        const v = x[i + 1];
        const w = x[i + 2];
        if (u === 0 && v === 0 && w === 0) continue;
        x[i] = inverse[b] * u + inverse[b + 1] * v + inverse[b + 2] * w;
        x[i + 1] = inverse[b + 3] * u + inverse[b + 4] * v + inverse[b + 5] * w;
        x[i + 2] = inverse[b + 6] * u + inverse[b + 7] * v + inverse[b + 8] * w;
      }
    }
  }

  // Σ k/m of the soft body whose contacts are stiffest for its mass
  #measureWhole(springs: ContactSprings, { rows }: ConvexProblem): number {
    const { start, rigidCount, treeOf } = this.#forest;
    let most = 0;
    for (let n = 0; n < this.#soft.parts.length; n++) {
      const whole = this.#soft.measureWhole(n);
      let sum = 0;
      for (let s = 0; s < springs.count; s++) {
        const block = springs.block[s];
        const last = rows.column[rows.columnStart[block] + rows.columnCount[block] - 1];
        if (last >= start[rigidCount] && treeOf[last] === rigidCount + n) sum += springs.stiffness[s];
      }
      if (whole > 0) most = Math.max(most, sum / whole);
    }
    return most;
  }

  #addRow(out: Float64Array, { rows }: ConvexProblem, block: number, k: number, scale: number): void {
    const { column, columnStart, columnCount, value, valueStart } = rows;
    const n = columnCount[block];
    const at = valueStart[block] + k * n;
    const c = columnStart[block];
    for (let i = 0; i < n; i++) out[column[c + i]] += scale * value[at + i];
  }
}
