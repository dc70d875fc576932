/**
 * The dual without regularisation when only friction may change: over the forces of dry friction and the
 * tangential forces of contacts
 *   minimise  ½ fᵀ A f + fᵀ (J x* − r),   A = J M⁻¹ Jᵀ
 * with equalities, limits and normal forces held. Bounds: dry friction its loss; a tangential force of a pyramid what its two
 * edges carry together, |f_k| ≤ μ_k (f_k+ + f_k−); tangential forces of an elliptic cone |f_k / μ_k| ≤ f_n. Soft friction
 * creeps by its regularisation R; this removes it. Source: MuJoCo documentation, "NoSlip solver".
 */

import { minimizeInBall } from '../linear-algebra/ball-minimum.ts';
import { multiplyRows } from '../linear-algebra/block-rows.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { BlockObjective } from '../minimize/gauss-seidel.ts';
import type { ConvexObjective } from './convex-objective.ts';
import { CONSTRAINT_LAW, LARGEST_BLOCK, SOURCE, ZONE } from './convex-problem.ts';
import type { DualObjective } from './dual-objective.ts';

const SMALL = 1e-15;

/** Cost from which on a contact keeps its friction, J. */
const WORSE = 1e-10;

export class SlipObjective implements BlockObjective {
  count = 0;
  size = 0;
  value = 0;
  /** ½ fᵀ R f at the start: what leaving out R gains. */
  softness = 0;
  readonly #objective: ConvexObjective;
  readonly #dual: DualObjective;
  readonly #memory: Memory;
  /** Places in the island's list of blocks. */
  #place: Int32Array;
  /** Per row of a pyramid: what its two edges carry. */
  #carried: Float64Array;
  readonly #delta: Float64Array = new Float64Array(LARGEST_BLOCK);
  readonly #matrix: Float64Array = new Float64Array(LARGEST_BLOCK * LARGEST_BLOCK);
  readonly #linear: Float64Array = new Float64Array(LARGEST_BLOCK);
  readonly #scaled: Float64Array = new Float64Array(LARGEST_BLOCK);

  constructor(objective: ConvexObjective, dual: DualObjective, memory: Memory) {
    this.#objective = objective;
    this.#dual = dual;
    this.#memory = memory;
    this.#place = memory.i32(64);
    this.#carried = memory.f64(256);
  }

  /** Takes the forces of the objective's island, and the residuals they came from. */
  enter(): void {
    const { problem, islands, island, gradient } = this.#objective;
    const { block, blockStart } = islands;
    const { inverse } = this.#dual;
    if (problem.blockCount > this.#place.length) this.#place = this.#memory.i32(2 * problem.blockCount);
    if (problem.rowCount > this.#carried.length) this.#carried = this.#memory.f64(2 * problem.rowCount);
    inverse.clear();
    this.count = 0;
    this.size = 0;
    this.value = 0;
    this.softness = 0;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const b = block[s];
      this.softness += this.#measureSoftness(b);
      if (!this.#canSlip(b)) continue;
      inverse.add(b);
      if (problem.law[b] === CONSTRAINT_LAW.pyramid) this.#readCarried(b);
      this.#place[this.count++] = s;
      this.size += problem.rows.rowStart[b + 1] - problem.rows.rowStart[b];
    }
    this.#dual.update(gradient);
  }

  relax(index: number): number {
    const { problem, islands } = this.#objective;
    const { rows, reference, law, hessianStart } = problem;
    const { residual, force } = problem.data;
    const at = this.#place[index];
    const b = islands.block[at];
    const first = rows.rowStart[b];
    const dimension = rows.rowStart[b + 1] - first;
    const delta = this.#delta;
    multiplyRows(residual, rows, this.#dual.x, islands.block, at, at + 1);
    for (let k = 0; k < dimension; k++) {
      residual[first + k] -= reference[first + k];
      delta[k] = -force[first + k];
    }
    if (law[b] === CONSTRAINT_LAW.cone) this.#relaxCone(b, first, dimension);
    else this.#relaxRows(b, first, dimension);
    for (let k = 0; k < dimension; k++) delta[k] += force[first + k];
    let change = 0;
    for (let i = 0; i < dimension; i++) {
      let sum = 0;
      const row = hessianStart[b] + i * dimension;
      for (let j = 0; j < dimension; j++) sum += this.#dual.inverse.gain[row + j] * delta[j];
      change += delta[i] * (residual[first + i] + 0.5 * sum);
    }
    // where the ball's minimum was not reached, the force of before may cost less
    if (change > WORSE && law[b] === CONSTRAINT_LAW.cone) {
      for (let k = 0; k < dimension; k++) force[first + k] -= delta[k];
      return 0;
    }
    this.#dual.inverse.apply(this.#dual.x, b, delta);
    this.value += change;
    return -change;
  }

  // rows one after the other: dry friction, directions of a pyramid
  #relaxRows(b: number, first: number, dimension: number): void {
    const { law, low, high, friction, hessianStart } = this.#objective.problem;
    const { force, residual } = this.#objective.problem.data;
    const { gain } = this.#dual.inverse;
    const start = hessianStart[b];
    const isPyramid = law[b] === CONSTRAINT_LAW.pyramid;
    const linear = this.#linear;
    for (let k = 0; k < dimension; k++) linear[k] = residual[first + k];
    for (let k = isPyramid ? 1 : 0; k < dimension; k++) {
      const r = first + k;
      const most = isPyramid ? friction[r] * this.#carried[r] : high[r];
      const least = isPyramid ? -most : low[r];
      const weight = Math.max(SMALL, gain[start + k * (dimension + 1)]);
      const next = Math.min(most, Math.max(least, force[r] - linear[k] / weight));
      for (let j = 0; j < dimension; j++) linear[j] += gain[start + j * dimension + k] * (next - force[r]);
      force[r] = next;
    }
  }

  // all tangents at once, in units of their friction: a quadratic in a ball
  #relaxCone(b: number, first: number, dimension: number): void {
    const { friction, hessianStart } = this.#objective.problem;
    const { force, residual, zone } = this.#objective.problem.data;
    const { gain } = this.#dual.inverse;
    const start = hessianStart[b];
    const n = dimension - 1;
    const matrix = this.#matrix;
    const linear = this.#linear;
    const scaled = this.#scaled;
    if (force[first] < SMALL) {
      force.fill(0, first + 1, first + dimension);
      return;
    }
    for (let i = 0; i < n; i++) {
      const row = start + (i + 1) * dimension + 1;
      let sum = residual[first + 1 + i];
      for (let j = 0; j < n; j++) {
        sum -= gain[row + j] * force[first + 1 + j];
        matrix[i * n + j] = friction[first + 1 + i] * gain[row + j] * friction[first + 1 + j];
      }
      linear[i] = friction[first + 1 + i] * sum;
    }
    const isSliding = minimizeInBall(scaled, matrix, linear, n, force[first]);
    for (let i = 0; i < n; i++) force[first + 1 + i] = friction[first + 1 + i] * scaled[i];
    zone.fill(isSliding ? ZONE.slide : ZONE.quadratic, first, first + dimension);
  }

  #canSlip(b: number): boolean {
    const { law, source } = this.#objective.problem;
    if (law[b] === CONSTRAINT_LAW.pyramid || law[b] === CONSTRAINT_LAW.cone) return true;
    return source[b] === SOURCE.dofFriction || source[b] === SOURCE.tendonFriction;
  }

  // f_k+ + f_k− of a pyramid, from the residual its force came from
  #readCarried(b: number): void {
    const { rows, stiffness, friction } = this.#objective.problem;
    const { residual } = this.#objective.problem.data;
    const first = rows.rowStart[b];
    for (let r = first + 1; r < rows.rowStart[b + 1]; r++) {
      const side = friction[r] * residual[r];
      this.#carried[r] =
        -stiffness[first] * (Math.min(residual[first] + side, 0) + Math.min(residual[first] - side, 0));
    }
  }

  // ½ fᵀ R f of a block
  #measureSoftness(b: number): number {
    const { rows } = this.#objective.problem;
    const { residual, force, cost } = this.#objective.problem.data;
    let sum = -cost[b];
    for (let r = rows.rowStart[b]; r < rows.rowStart[b + 1]; r++) sum -= force[r] * residual[r];
    return sum;
  }
}
