/**
 * The objective of one island of a convex problem:
 *   value ½ (x − x*)ᵀ A (x − x*) + Σ s_c      gradient p − Jᵀ f,  p = A (x − x*),  f = −∇s
 * Along a line everything is updated, not recomputed: with q = A d and w = J d, p ← p + α q and y ← y + α w.
 * Vectors are in the island's own numbering of dofs. All of it has a compiled twin except for the lagged law.
 */
import { addTransposed, multiplyRows } from '../linear-algebra/block-rows.ts';
import { multiplyBlockSparse } from '../linear-algebra/block-sparse-matrix.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import { sumProducts } from '../linear-algebra/sum-products.ts';
import type { Objective } from '../minimize/objective.ts';
import type { TreeSparsity } from '../model/model.ts';
import type { ConvexProblem } from './convex-problem.ts';
import { measureCostChange } from './cost-change.ts';
import { IslandRecord } from './island-record.ts';
import type { Islands } from './islands.ts';
import { differentiateLawAlongLine, evaluateLaw } from './law-table.ts';

export class ConvexObjective implements Objective {
  size = 0;
  island = 0;
  value = 0;
  curvature = 0;
  hasNewHessian = true;
  readonly x: Float64Array;
  readonly gradient: Float64Array;
  /** p = A (x − x*), N or N s. */
  readonly momentum: Float64Array;
  readonly problem: ConvexProblem;
  readonly islands: Islands;
  readonly pattern: TreeSparsity;
  readonly #offset: Float64Array;
  #direction: Float64Array;
  readonly #metricDirection: Float64Array;
  /** What `keep` has kept: per dof of all islands, and per island. */
  readonly kept: { gradient: Float64Array; momentum: Float64Array; value: Float64Array };
  #rowDirection: Float64Array;
  #slope = 0;
  #curvature = 0;
  readonly #record: IslandRecord | undefined;
  readonly #memory: Memory;
  #hasSoft = false;

  constructor(problem: ConvexProblem, islands: Islands, pattern: TreeSparsity, memory: Memory) {
    const n = islands.localDof.length;
    this.problem = problem;
    this.islands = islands;
    this.pattern = pattern;
    this.#memory = memory;
    this.x = memory.f64(n);
    this.gradient = memory.f64(n);
    this.momentum = memory.f64(n);
    this.#offset = memory.f64(n);
    this.#direction = this.#offset;
    this.#metricDirection = memory.f64(n);
    this.kept = { gradient: memory.f64(n), momentum: memory.f64(n), value: memory.f64(islands.forest.count) };
    this.#rowDirection = memory.f64(256);
    const vectors = {
      x: this.x,
      gradient: this.gradient,
      momentum: this.momentum,
      offset: this.#offset,
      metricDirection: this.#metricDirection,
    };
    if (memory.compiled) {
      this.#record = new IslandRecord(memory.compiled, problem, islands, pattern, vectors, memory);
    }
  }

  /** The island as compiled functions see it; undefined where there are none for it. */
  get record(): IslandRecord | undefined {
    return this.problem.lagged.length === 0 && !this.#hasSoft ? this.#record : undefined;
  }

  /** Whether the island has a soft body. */
  get hasSoft(): boolean {
    return this.#hasSoft;
  }

  /** Turns to an island and copies its part of a vector over all dofs to x. */
  enter(island: number, start: Float64Array): void {
    const { dofStart, dof, tree, treeStart, forest } = this.islands;
    this.island = island;
    // soft bodies come last
    this.#hasSoft = tree[treeStart[island + 1] - 1] >= forest.rigidCount;
    const first = dofStart[island];
    this.size = dofStart[island + 1] - first;
    for (let i = 0; i < this.size; i++) this.x[i] = start[dof[first + i]];
    if (this.problem.rowCount > this.#rowDirection.length) {
      this.#rowDirection = this.#memory.f64(2 * this.problem.rowCount);
    }
    this.#record?.enter(island, this.#rowDirection);
  }

  /** Keeps what `begin` has computed at x, to `resume` there after other islands. */
  keep(): void {
    const { islands, island, size, gradient, momentum, kept } = this;
    const first = islands.dofStart[island];
    for (let i = 0; i < size; i++) {
      kept.gradient[first + i] = gradient[i];
      kept.momentum[first + i] = momentum[i];
    }
    kept.value[island] = this.value;
  }

  /** As `begin` at the x at which it was kept. */
  resume(): void {
    const { islands, island, size, gradient, momentum, kept } = this;
    const first = islands.dofStart[island];
    for (let i = 0; i < size; i++) {
      gradient[i] = kept.gradient[first + i];
      momentum[i] = kept.momentum[first + i];
    }
    this.hasNewHessian = true;
    this.value = kept.value[island];
  }

  /** Copies x to its places in a vector over all dofs. */
  leave(out: Float64Array): void {
    const { dofStart, dof } = this.islands;
    const first = dofStart[this.island];
    for (let i = 0; i < this.size; i++) out[dof[first + i]] = this.x[i];
  }

  /** Value at x where x = x*: its metric part is zero. What `begin` prepares is not. */
  measureTarget(): number {
    const { record } = this;
    if (record) return record.compiled.evaluateIsland(record.address);
    this.#evaluate();
    return this.#sumCosts();
  }

  begin(): void {
    const { record } = this;
    this.hasNewHessian = true;
    if (record) {
      this.value = record.compiled.beginIsland(record.address);
      return;
    }
    const { islands, island, x, momentum, size } = this;
    const { dof, dofStart } = islands;
    const { target } = this.problem;
    const offset = this.#offset;
    for (let i = 0; i < size; i++) offset[i] = x[i] - target[dof[dofStart[island] + i]];
    this.multiplyMetric(momentum, offset);
    this.#evaluate();
    this.#gather();
    this.value = 0.5 * sumProducts(offset, momentum, size) + this.#sumCosts();
  }

  aim(direction: Float64Array): void {
    const { record } = this;
    if (record) {
      record.aim(direction);
      return;
    }
    this.multiplyMetric(this.#metricDirection, direction);
    this.#aimRows(direction);
  }

  /** The same where d ← −A⁻¹ g + β d was the last change: then A d ← −g + β A d. */
  follow(direction: Float64Array, beta: number): void {
    const { record, gradient, size } = this;
    if (record) {
      record.follow(direction, beta);
      return;
    }
    const metricDirection = this.#metricDirection;
    for (let i = 0; i < size; i++) metricDirection[i] = beta * metricDirection[i] - gradient[i];
    this.#aimRows(direction);
  }

  #aimRows(direction: Float64Array): void {
    const { problem, islands, island, momentum, size } = this;
    const { block, blockStart } = islands;
    const metricDirection = this.#metricDirection;
    this.#direction = direction;
    multiplyRows(this.#rowDirection, problem.rows, direction, block, blockStart[island], blockStart[island + 1]);
    this.#slope = sumProducts(direction, momentum, size);
    this.#curvature = sumProducts(direction, metricDirection, size);
  }

  slope(alpha: number): number {
    const { record } = this;
    if (record) {
      const value = record.compiled.differentiateIslandAlongLine(record.address, alpha);
      this.curvature = record.curvature;
      return value;
    }
    const { problem, islands, island } = this;
    const { block, blockStart } = islands;
    this.curvature = this.#curvature;
    let slope = this.#slope + alpha * this.#curvature;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      slope += differentiateLawAlongLine(problem, block[s], this.#rowDirection, alpha, this);
    }
    return slope;
  }

  move(alpha: number): number {
    const { record } = this;
    if (record) {
      const change = record.compiled.moveIsland(record.address, alpha);
      this.hasNewHessian = record.hasChanged;
      this.value += change;
      return -change;
    }
    const { problem, islands, island, momentum, size, x } = this;
    const { block, blockStart } = islands;
    const { rows } = problem;
    const { residual, cost } = problem.data;
    const direction = this.#direction;
    const metricDirection = this.#metricDirection;
    const rowDirection = this.#rowDirection;
    for (let i = 0; i < size; i++) {
      x[i] += alpha * direction[i];
      momentum[i] += alpha * metricDirection[i];
    }
    let change = alpha * (this.#slope + 0.5 * alpha * this.#curvature);
    let hasChanged = false;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const b = block[s];
      const last = rows.rowStart[b + 1];
      for (let r = rows.rowStart[b]; r < last; r++) residual[r] += alpha * rowDirection[r];
      const before = cost[b];
      if (evaluateLaw(problem, b)) hasChanged = true;
      change += measureCostChange(problem, b, rowDirection, alpha, before);
    }
    this.hasNewHessian = hasChanged;
    this.#gather();
    this.value += change;
    return -change;
  }

  /** By how much the value falls on the way to α on the line: there and back. */
  measureFall(alpha: number): number {
    const { value } = this;
    const fall = this.move(alpha);
    this.move(-alpha);
    this.value = value;
    return fall;
  }

  // y = J x − r, and all laws there
  #evaluate(): void {
    const { problem, islands, island, x } = this;
    const { block, blockStart } = islands;
    const { rows, reference } = problem;
    const { residual } = problem.data;
    multiplyRows(residual, rows, x, block, blockStart[island], blockStart[island + 1]);
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
      const last = rows.rowStart[block[s] + 1];
      for (let r = rows.rowStart[block[s]]; r < last; r++) residual[r] -= reference[r];
      evaluateLaw(problem, block[s]);
    }
  }

  // gradient = p − Jᵀ f
  #gather(): void {
    const { problem, islands, island, gradient, momentum, size } = this;
    const { block, blockStart } = islands;
    for (let i = 0; i < size; i++) gradient[i] = momentum[i];
    addTransposed(gradient, -1, problem.rows, problem.data.force, block, blockStart[island], blockStart[island + 1]);
  }

  #sumCosts(): number {
    const { islands, island, problem } = this;
    const { block, blockStart } = islands;
    let sum = 0;
    for (let s = blockStart[island]; s < blockStart[island + 1]; s++) sum += problem.data.cost[block[s]];
    return sum;
  }

  /** out ← A x over the trees of the island. */
  multiplyMetric(out: Float64Array, x: Float64Array): void {
    if (this.#record && !this.#hasSoft) {
      this.#record.compiled.multiplyMetric(this.#record.address, out.byteOffset, x.byteOffset);
      return;
    }
    const { islands, island, problem, pattern } = this;
    const { tree, treeStart, localDof, forest } = islands;
    const { rowStart, column } = pattern;
    const { metric } = problem;
    for (let s = treeStart[island]; s < treeStart[island + 1]; s++) {
      const first = forest.start[tree[s]];
      const end = forest.start[tree[s] + 1];
      const shift = localDof[first] - first;
      if (tree[s] >= forest.rigidCount) {
        multiplyBlockSparse(out, problem.softMetric[tree[s] - forest.rigidCount], x, first + shift);
        continue;
      }
      for (let g = first; g < end; g++) {
        const i = g + shift;
        const last = rowStart[g + 1] - 1;
        const pairs = last - ((last - rowStart[g]) % 2);
        const xi = x[i];
        let even = 0;
        let odd = 0;
        for (let k = rowStart[g]; k < pairs; k += 2) {
          even += metric[k] * x[column[k] + shift];
          odd += metric[k + 1] * x[column[k + 1] + shift];
        }
        let sum = even + odd;
        if (pairs < last) sum += metric[pairs] * x[column[pairs] + shift];
        for (let k = rowStart[g]; k < last; k++) out[column[k] + shift] += metric[k] * xi;
        out[i] = sum + metric[last] * xi;
      }
    }
  }
}
