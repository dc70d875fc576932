/**
 * Whitened rows X with X Xᵀ = J A⁻¹ Jᵀ: rows of J in coordinates in which all dofs have unit mass.
 *
 *   A = Lᵀ D L over the trees,   X = J L⁻¹ D^(−½),   γ moves the dofs by  v = L⁻¹ D^(−½) z,  z = Xᵀ γ
 *
 * A product with J A⁻¹ Jᵀ is then one pass over X down and one up, without a solve. A row has entries at the dofs of J and
 * their ancestors: for contacts of free bodies the same twelve. Of a soft body X has as many columns as rows touch dofs of it
 * (soft-response.ts), in the first places of the body; where these are many, a product has a solve in between.
 */
import type { BlockRows } from '../../linear-algebra/block-rows.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { TreeSparsity } from '../../model/model.ts';
import type { Islands } from '../../objective/islands.ts';
import type { SoftResponse } from './soft-response.ts';

/** Rows of the largest block. */
const WIDTH = 6;

export class WhitenedRows {
  readonly #islands: Islands;
  readonly #pattern: TreeSparsity;
  readonly #factor: Float64Array;
  readonly #root: Float64Array;
  /** Six numbers per dof, zero between uses. */
  readonly #scratch: Float64Array;
  readonly #isIn: Uint8Array;
  /** Columns of J that the last block had, and the block of X that has theirs. */
  #lastColumns = -1;
  #lastBlock = -1;
  #lastRows: BlockRows | undefined;
  #dofs: Int32Array;
  #dofCount = 0;
  readonly #soft: SoftResponse | undefined;
  /** Columns of J that belong to trees of joints; columns of X in all; soft bodies of the block, and their columns. */
  #rigidColumns = 0;
  #width = 0;
  readonly #softTree: number[] = [];
  readonly #softWidth: number[] = [];
  /** Of soft bodies with sparse rows: numbers of the dofs of the block in their bodies, one list for all. */
  readonly #softPlace: number[] = [];

  /** `factor` holds L, `root` D^(−½), in global dofs; both are the caller's. */
  constructor(
    islands: Islands,
    pattern: TreeSparsity,
    factor: Float64Array,
    root: Float64Array,
    memory: Memory,
    soft?: SoftResponse,
  ) {
    const n = root.length;
    this.#soft = soft;
    this.#islands = islands;
    this.#pattern = pattern;
    this.#factor = factor;
    this.#root = root;
    this.#scratch = memory.f64(WIDTH * n);
    this.#isIn = new Uint8Array(n);
    this.#dofs = memory.i32(n);
  }

  /** Before the first block of a program. */
  begin(): void {
    this.#lastColumns = -1;
    this.#lastBlock = -1;
    this.#lastRows = undefined;
  }

  /**
   * Adds the block of X that belongs to a block of J, whose columns count from `dofStart` in the islands' list of dofs. Columns
   * of X count from `origin`.
   */
  add(out: BlockRows, rows: BlockRows, block: number, dofStart: number, origin: number): number {
    const dimension = rows.rowStart[block + 1] - rows.rowStart[block];
    const columns = rows.columnStart[block];
    let added: number;
    if (columns === this.#lastColumns && out === this.#lastRows) added = out.addLike(dimension, this.#lastBlock);
    else {
      if (columns !== this.#lastColumns) this.#listDofs(rows, block, dofStart);
      added = out.add(dimension, this.#width);
      const start = out.columnStart[added];
      for (let k = 0; k < this.#dofCount; k++) {
        const dof = this.#dofs[k];
        out.column[start + k] = this.#place(dof, dofStart) - origin;
      }
      this.#listSoftColumns(out, start + this.#dofCount, dofStart - origin);
    }
    this.#lastColumns = columns;
    this.#lastBlock = added;
    this.#lastRows = out;
    this.#write(out, added, rows, block, dimension, dofStart);
    return added;
  }

  /** Columns that X may have of a soft body, by the number of its tree. */
  countSoftColumns(tree: number): number {
    return this.#soft?.countDofs(tree) ?? 0;
  }

  /** z ← Q⁻¹ (A⁻¹)_CC Q⁻¹ z of the soft bodies of an island whose rows are sparse, z counted from the first of the dofs at hand. */
  applyResponse(z: Float64Array, island: number, origin: number): void {
    const { tree, treeStart, forest, dofStart, localDof } = this.#islands;
    // soft bodies come last
    for (let s = treeStart[island + 1] - 1; s >= treeStart[island] && tree[s] >= forest.rigidCount; s--)
      if (this.#soft?.isSparse(tree[s]))
        this.#soft.apply(z, dofStart[island] + localDof[forest.start[tree[s]]] - origin, tree[s]);
  }

  /** v ← v + L⁻¹ D^(−½) z over the dofs of some islands, z counted from the first of their dofs; overwrites z. */
  addMotion(v: Float64Array, z: Float64Array, island: number, origin: number): void {
    const { tree, treeStart, forest, dofStart, localDof } = this.#islands;
    const { rowStart, column } = this.#pattern;
    const factor = this.#factor;
    for (let s = treeStart[island]; s < treeStart[island + 1]; s++) {
      const first = forest.start[tree[s]];
      const shift = dofStart[island] + localDof[first] - first - origin;
      if (tree[s] >= forest.rigidCount) {
        this.#soft?.addMotion(v, z, first + shift, tree[s]);
        continue;
      }
      for (let g = first; g < forest.start[tree[s] + 1]; g++) {
        let value = z[g + shift] * this.#root[g];
        const last = rowStart[g + 1] - 1;
        for (let k = rowStart[g]; k < last; k++) value -= factor[k] * z[column[k] + shift];
        z[g + shift] = value;
        v[g] += value;
      }
    }
  }

  // place of a dof in the islands' list
  #place(dof: number, dofStart: number): number {
    return dofStart + this.#islands.localDof[dof];
  }

  // dofs of the columns of a block and all their ancestors, ascending
  #listDofs(rows: BlockRows, block: number, dofStart: number): void {
    const { dof, forest } = this.#islands;
    const { rowStart, column } = this.#pattern;
    const isIn = this.#isIn;
    const start = rows.columnStart[block];
    const end = start + rows.columnCount[block];
    this.#dofCount = 0;
    let at = start;
    while (at < end) {
      const first = dof[dofStart + rows.column[at]];
      const tree = forest.treeOf[first];
      if (tree >= forest.rigidCount) break;
      const treeEnd = forest.start[tree + 1];
      let last = first;
      for (; at < end; at++) {
        const g = dof[dofStart + rows.column[at]];
        if (g >= treeEnd) break;
        last = g;
        if (isIn[g] === 1) continue;
        for (let k = rowStart[g]; k < rowStart[g + 1]; k++) isIn[column[k]] = 1;
      }
      for (let g = forest.start[tree]; g <= last; g++) {
        if (isIn[g] === 0) continue;
        isIn[g] = 0;
        this.#dofs[this.#dofCount++] = g;
      }
    }
    this.#rigidColumns = at - start;
    this.#width = this.#dofCount;
    this.#listSoft(rows, at, end, dofStart);
  }

  // soft bodies of the columns of a block from `at` on: X has columns up to that of the last vertex, of sparse rows those of J
  #listSoft(rows: BlockRows, at: number, end: number, dofStart: number): void {
    const { dof, forest } = this.#islands;
    const trees = this.#softTree;
    trees.length = this.#softWidth.length = this.#softPlace.length = 0;
    for (let k = at; k < end; k++) {
      const g = dof[dofStart + rows.column[k]];
      const tree = forest.treeOf[g];
      if (trees.length === 0 || trees[trees.length - 1] !== tree) {
        trees.push(tree);
        this.#softWidth.push(0);
      }
      const place = this.#soft?.findPlace(g) ?? 0;
      if (this.#soft?.isSparse(tree)) {
        this.#softPlace.push(place);
        this.#softWidth[trees.length - 1]++;
      } else this.#softWidth[trees.length - 1] = place + 1;
    }
    for (let n = 0; n < trees.length; n++) this.#width += this.#softWidth[n];
  }

  #listSoftColumns(out: BlockRows, at: number, shift: number): void {
    const { forest, localDof } = this.#islands;
    let to = at;
    let sparse = 0;
    for (let n = 0; n < this.#softTree.length; n++) {
      const first = shift + localDof[forest.start[this.#softTree[n]]];
      const isSparse = this.#soft?.isSparse(this.#softTree[n]);
      for (let k = 0; k < this.#softWidth[n]; k++)
        out.column[to++] = first + (isSparse ? this.#softPlace[sparse++] : k);
    }
  }

  // J_C G, or J_C Q
  #writeSoft(out: BlockRows, to: number, rows: BlockRows, block: number, dimension: number, dofStart: number): void {
    const soft = this.#soft;
    if (!soft || this.#softTree.length === 0) return;
    const { dof, forest } = this.#islands;
    const { value } = out;
    const width = this.#width;
    const start = out.valueStart[to];
    const n = rows.columnCount[block];
    const c = rows.columnStart[block];
    const v = rows.valueStart[block];
    for (let k = 0; k < dimension; k++) value.fill(0, start + k * width + this.#dofCount, start + (k + 1) * width);
    let place = this.#dofCount;
    let s = 0;
    let next = 0;
    for (let i = this.#rigidColumns; i < n; i++) {
      const g = dof[dofStart + rows.column[c + i]];
      if (forest.treeOf[g] !== this.#softTree[s]) {
        place += this.#softWidth[s++];
        next = 0;
      }
      const factor = soft.readFactor(this.#softTree[s]);
      const row = soft.findPlace(g);
      if (soft.isSparse(this.#softTree[s])) {
        for (let k = 0; k < dimension; k++)
          value[start + k * width + place + next] = rows.value[v + k * n + i] * factor[row];
        next++;
        continue;
      }
      const from = row * soft.countDofs(this.#softTree[s]);
      for (let k = 0; k < dimension; k++) {
        const entry = rows.value[v + k * n + i];
        if (entry === 0) continue;
        const at = start + k * width + place;
        for (let j = 0; j <= row; j++) value[at + j] += entry * factor[from + j];
      }
    }
  }

  // the same for the three rows of most contacts
  #writeThree(out: BlockRows, to: number, rows: BlockRows, block: number, dofStart: number): void {
    const { dof } = this.#islands;
    const { rowStart, column } = this.#pattern;
    const factor = this.#factor;
    const x = this.#scratch;
    const { value: from, column: columnOf } = rows;
    const n = rows.columnCount[block];
    const c = rows.columnStart[block];
    const v = rows.valueStart[block];
    const end = this.#rigidColumns;
    for (let i = 0; i < end; i++) {
      const o = WIDTH * dof[dofStart + columnOf[c + i]];
      x[o] = from[v + i];
      x[o + 1] = from[v + n + i];
      x[o + 2] = from[v + 2 * n + i];
    }
    const { value } = out;
    const m = this.#width;
    const start = out.valueStart[to];
    for (let i = this.#dofCount - 1; i >= 0; i--) {
      const g = this.#dofs[i];
      const o = WIDTH * g;
      const x0 = x[o];
      const x1 = x[o + 1];
      const x2 = x[o + 2];
      const last = rowStart[g + 1] - 1;
      for (let p = rowStart[g]; p < last; p++) {
        const l = factor[p];
        if (l === 0) continue;
        const a = WIDTH * column[p];
        x[a] -= l * x0;
        x[a + 1] -= l * x1;
        x[a + 2] -= l * x2;
      }
      const root = this.#root[g];
      value[start + i] = root * x0;
      value[start + m + i] = root * x1;
      value[start + 2 * m + i] = root * x2;
      x[o] = x[o + 1] = x[o + 2] = 0;
    }
  }

  // x ← L⁻ᵀ x from the leaves up, times D^(−½)
  #write(out: BlockRows, to: number, rows: BlockRows, block: number, dimension: number, dofStart: number): void {
    const { dof } = this.#islands;
    const { rowStart, column } = this.#pattern;
    const factor = this.#factor;
    const root = this.#root;
    const x = this.#scratch;
    const n = rows.columnCount[block];
    const c = rows.columnStart[block];
    const v = rows.valueStart[block];
    this.#writeSoft(out, to, rows, block, dimension, dofStart);
    if (dimension === 3) {
      this.#writeThree(out, to, rows, block, dofStart);
      return;
    }
    for (let i = 0; i < this.#rigidColumns; i++) {
      const o = WIDTH * dof[dofStart + rows.column[c + i]];
      for (let k = 0; k < dimension; k++) x[o + k] = rows.value[v + k * n + i];
    }
    const { value } = out;
    const m = this.#width;
    const start = out.valueStart[to];
    for (let i = this.#dofCount - 1; i >= 0; i--) {
      const g = this.#dofs[i];
      const o = WIDTH * g;
      const end = rowStart[g + 1] - 1;
      for (let p = rowStart[g]; p < end; p++) {
        const l = factor[p];
        if (l === 0) continue;
        const a = WIDTH * column[p];
        for (let k = 0; k < dimension; k++) x[a + k] -= l * x[o + k];
      }
      for (let k = 0; k < dimension; k++) {
        value[start + k * m + i] = root[g] * x[o + k];
        x[o + k] = 0;
      }
    }
  }
}
