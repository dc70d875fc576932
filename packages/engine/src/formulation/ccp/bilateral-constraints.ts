/**
 * Bilateral constraints (γ free: joints, equalities, dampers, servos without a limit), eliminated exactly, so that
 * the iteration runs over contacts, limits and bounded rows only. With X_B their rows (whitened-rows.ts), S = X_B X_Bᵀ + E_B:
 *
 *   X_B z + E_B γ_B + p_B = 0,  z = X_Cᵀ γ_C + X_Bᵀ γ_B   ⇒   γ_B = −S⁻¹ (p_B + X_B X_Cᵀ γ_C)
 *   z = P X_Cᵀ γ_C + z_B,   P = 1 − X_Bᵀ S⁻¹ X_B,   z_B = −X_Bᵀ S⁻¹ p_B
 *
 * S is block-sparse: two blocks are coupled if they move the same tree. Redundant rows make it singular; a compliance
 * of at least 1e-9 of the row's inverse mass distributes the load among them. Rows that no dof moves (out of the plane of a planar
 * mechanism) get 1e-12 of the largest entry of their block.
 */
import { BlockCholesky } from '../../linear-algebra/block-cholesky/block-cholesky.ts';
import { addTransposed, BlockRows, multiplyRows } from '../../linear-algebra/block-rows.ts';
import { copyInto } from '../../linear-algebra/growth.ts';
import type { Memory } from '../../linear-algebra/memory.ts';

const REDUNDANCY_REGULARIZATION = 1e-9;
const REGULARIZATION_FLOOR = 1e-12;

export class BilateralConstraints {
  /** X_B. */
  readonly rows: BlockRows;
  /** Per row: row of the problem, E and p. */
  source: Int32Array;
  compliance: Float64Array;
  linear: Float64Array;
  readonly #memory: Memory;
  readonly #cholesky: BlockCholesky;
  #order: Int32Array;
  #size: Int32Array;
  /** Edges, and per column the last block that has it; a list of blocks per column. */
  #first: Int32Array;
  #second: Int32Array;
  readonly #head: Int32Array;
  #next: Int32Array;
  #member: Int32Array;
  #edgeCount = 0;
  #entryCount = 0;
  #work: Float64Array;

  constructor(dofs: number, memory: Memory) {
    this.#memory = memory;
    this.rows = new BlockRows(memory);
    this.#cholesky = new BlockCholesky(memory);
    this.source = memory.i32(0);
    this.compliance = memory.f64(0);
    this.linear = memory.f64(0);
    this.#work = memory.f64(0);
    this.#order = memory.i32(0);
    this.#size = memory.i32(0);
    this.#first = memory.i32(64);
    this.#second = memory.i32(64);
    this.#head = memory.i32(dofs);
    this.#next = memory.i32(64);
    this.#member = memory.i32(64);
  }

  /** Number of rows. */
  get count(): number {
    return this.rows.rowCount;
  }

  /** Removes all rows and reserves space. */
  clear(blocks: number, rows: number): void {
    this.rows.clear();
    if (this.source.length < rows) {
      this.source = this.#memory.i32(2 * rows);
      this.compliance = this.#memory.f64(2 * rows);
      this.linear = this.#memory.f64(2 * rows);
      this.#work = this.#memory.f64(2 * rows);
    }
    if (this.#order.length < blocks) {
      this.#order = this.#memory.i32(2 * blocks);
      this.#size = this.#memory.i32(2 * blocks);
      for (let b = 0; b < this.#order.length; b++) this.#order[b] = b;
    }
  }

  /** Factors S; false where that fails. `treeStart` gives the first column of the tree of every column. */
  factor(treeStart: Int32Array): boolean {
    const { rows } = this;
    const n = rows.blockCount;
    if (n === 0) return true;
    this.#listEdges(treeStart);
    for (let b = 0; b < n; b++) this.#size[b] = rows.rowStart[b + 1] - rows.rowStart[b];
    const cholesky = this.#cholesky;
    cholesky.analyze(this.#size, n, this.#first, this.#second, this.#edgeCount);
    cholesky.clear();
    const { values, diagonalOffset, edgeOffset, edgeIsTransposed } = cholesky;
    for (let b = 0; b < n; b++) {
      const d = this.#size[b];
      const at = diagonalOffset[b];
      this.#multiplyBlocks(values, at, d, 1, b, b);
      let largest = 0;
      for (let k = 0; k < d; k++) largest = Math.max(largest, values[at + k * d + k]);
      const floor = largest > 0 ? REGULARIZATION_FLOOR * largest : 1;
      for (let k = 0; k < d; k++) {
        const own = values[at + k * d + k];
        const compliance = Math.max(this.compliance[rows.rowStart[b] + k], REDUNDANCY_REGULARIZATION * own);
        values[at + k * d + k] = own + compliance + floor;
      }
    }
    for (let e = 0; e < this.#edgeCount; e++) {
      const a = this.#first[e];
      const b = this.#second[e];
      if (edgeIsTransposed[e] === 1) this.#multiplyBlocks(values, edgeOffset[e], 1, this.#size[b], b, a);
      else this.#multiplyBlocks(values, edgeOffset[e], this.#size[a], 1, b, a);
    }
    return cholesky.factor() < 0;
  }

  /** z ← P z. */
  project(z: Float64Array): void {
    const { rows } = this;
    if (rows.blockCount === 0) return;
    const work = this.#work;
    multiplyRows(work, rows, z, this.#order, 0, rows.blockCount);
    this.#cholesky.solve(work);
    addTransposed(z, -1, rows, work, this.#order, 0, rows.blockCount);
  }

  /** γ_B of z = X_Cᵀ γ_C into `impulse` (in the order of the rows here), and z ← z + X_Bᵀ γ_B. */
  complete(z: Float64Array, impulse: Float64Array): void {
    const { rows, linear } = this;
    if (rows.blockCount === 0) return;
    multiplyRows(impulse, rows, z, this.#order, 0, rows.blockCount);
    for (let r = 0; r < rows.rowCount; r++) impulse[r] = -(impulse[r] + linear[r]);
    this.#cholesky.solve(impulse);
    addTransposed(z, 1, rows, impulse, this.#order, 0, rows.blockCount);
  }

  /** xᵀ S⁻¹ x of one number per row; x is left alone. */
  weigh(x: Float64Array): number {
    const { count } = this;
    const work = this.#work;
    for (let r = 0; r < count; r++) work[r] = x[r];
    this.#cholesky.solve(work);
    let sum = 0;
    for (let r = 0; r < count; r++) sum += x[r] * work[r];
    return sum;
  }

  /** The largest |X_B z + p_B| of rows that are to be met exactly, m/s or rad/s. */
  measureResidual(z: Float64Array): number {
    const { rows, linear, compliance } = this;
    if (rows.blockCount === 0) return 0;
    const work = this.#work;
    multiplyRows(work, rows, z, this.#order, 0, rows.blockCount);
    let most = 0;
    for (let r = 0; r < rows.rowCount; r++)
      if (compliance[r] === 0) most = Math.max(most, Math.abs(work[r] + linear[r]));
    return most;
  }

  // X_b X_aᵀ with steps from row to row of b and of a
  #multiplyBlocks(out: Float64Array, at: number, rowStep: number, columnStep: number, b: number, a: number): void {
    const { column, columnStart, columnCount, value, valueStart } = this.rows;
    const nb = columnCount[b];
    const na = columnCount[a];
    const endB = columnStart[b] + nb;
    const endA = columnStart[a] + na;
    const rowsB = this.#size[b];
    const rowsA = this.#size[a];
    for (let i = 0; i < rowsB; i++) {
      for (let j = 0; j < rowsA; j++) out[at + i * rowStep + j * columnStep] = 0;
    }
    let p = columnStart[b];
    let q = columnStart[a];
    while (p < endB && q < endA) {
      const difference = column[p] - column[q];
      if (difference === 0) {
        const u = valueStart[b] + p - columnStart[b];
        const w = valueStart[a] + q - columnStart[a];
        for (let i = 0; i < rowsB; i++) {
          const factor = value[u + i * nb];
          if (factor === 0) continue;
          for (let j = 0; j < rowsA; j++) out[at + i * rowStep + j * columnStep] += factor * value[w + j * na];
        }
      }
      if (difference <= 0) p++;
      if (difference >= 0) q++;
    }
  }

  // blocks that move the same tree, each pair once per tree
  #listEdges(treeStart: Int32Array): void {
    const { rows } = this;
    const head = this.#head;
    head.fill(-1);
    this.#edgeCount = 0;
    this.#entryCount = 0;
    for (let b = 0; b < rows.blockCount; b++) {
      let before = -1;
      for (let k = rows.columnStart[b]; k < rows.columnStart[b] + rows.columnCount[b]; k++) {
        const tree = treeStart[rows.column[k]];
        if (tree === before) continue;
        before = tree;
        for (let e = head[tree]; e >= 0; e = this.#next[e]) this.#addEdge(this.#member[e], b);
        if (this.#entryCount === this.#next.length) this.#growEntries();
        this.#member[this.#entryCount] = b;
        this.#next[this.#entryCount] = head[tree];
        head[tree] = this.#entryCount++;
      }
    }
  }

  #addEdge(a: number, b: number): void {
    if (this.#edgeCount === this.#first.length) {
      this.#first = copyInto(this.#first, this.#memory.i32(2 * this.#edgeCount));
      this.#second = copyInto(this.#second, this.#memory.i32(2 * this.#edgeCount));
    }
    this.#first[this.#edgeCount] = a;
    this.#second[this.#edgeCount++] = b;
  }

  #growEntries(): void {
    this.#next = copyInto(this.#next, this.#memory.i32(2 * this.#entryCount));
    this.#member = copyInto(this.#member, this.#memory.i32(2 * this.#entryCount));
  }
}
