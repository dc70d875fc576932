/**
 * How a soft body answers impulses on the vertices that rows touch. With C the dofs of those vertices,
 *
 *   (A⁻¹)_CC = G Gᵀ,   G lower triangular
 *
 * rows of J over C become whitened rows J_C G (whitened-rows.ts), as many columns as C has dofs, whatever the size of the body. Impulses
 * γ with z = Gᵀ J_Cᵀ γ move all its vertices by A⁻¹ J_Cᵀ γ = A⁻¹ (G⁻ᵀ z). (A⁻¹)_CC costs one solve with the factor of A per dof of C.
 * Where C is large, rows stay as sparse as they are, scaled by Q = diag(A)_CC^(−½), and every product has one solve with A,
 *
 *   J_C (A⁻¹)_CC J_Cᵀ = X (Q⁻¹ (A⁻¹)_CC Q⁻¹) Xᵀ,   X = J_C Q
 */
import { factorDense } from '../../linear-algebra/dense-cholesky.ts';
import { fitDoubles } from '../../linear-algebra/growth.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { CONSTRAINT_LAW, type ConvexProblem } from '../../objective/convex-problem.ts';
import type { Islands } from '../../objective/islands.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';

/** Most dofs of C for which (A⁻¹)_CC is written out: a solve each, where the interior point leaves some twenty products to do. */
const LARGEST_MATRIX = 150;

export class SoftResponse {
  /** Whether products may have a solve each; else all matrices are written out. */
  allowsProducts = false;
  readonly #islands: Islands;
  readonly #soft: SoftBodies;
  readonly #memory: Memory;
  /** Per dof of all soft bodies: its number in C of its body, or −1. */
  readonly #place: Int32Array;
  /** Per body: dofs of C, and those dofs at its place among all soft dofs. */
  readonly #count: Int32Array;
  readonly #dofs: Int32Array;
  /** Per body: G, rows of `#count` numbers, and one over its diagonal. */
  readonly #factor: Float64Array[];
  readonly #inverse: Float64Array[];
  readonly #vector: Float64Array;
  /** Per body: 1 where products have a solve each, and 1 where a row that holds touches it. */
  readonly #isSparse: Uint8Array;
  readonly #isHeld: Uint8Array;

  constructor(islands: Islands, soft: SoftBodies, memory: Memory) {
    const size = soft.freeVelocity.length;
    this.#islands = islands;
    this.#soft = soft;
    this.#memory = memory;
    this.#place = memory.i32(size);
    this.#dofs = memory.i32(size);
    this.#count = memory.i32(soft.parts.length);
    this.#factor = soft.parts.map(() => memory.f64(0));
    this.#inverse = soft.parts.map(() => memory.f64(0));
    this.#vector = memory.f64(size);
    this.#isSparse = new Uint8Array(soft.parts.length);
    this.#isHeld = new Uint8Array(soft.parts.length);
  }

  /** Whether rows over a tree that is a soft body are J_C Q, not J_C G. */
  isSparse(tree: number): boolean {
    return this.#isSparse[tree - this.#islands.forest.rigidCount] === 1;
  }

  /** z ← Q⁻¹ (A⁻¹)_CC Q⁻¹ z from a place on, of a tree with sparse rows. */
  apply(z: Float64Array, at: number, tree: number): void {
    const body = tree - this.#islands.forest.rigidCount;
    const n = this.#count[body];
    const inverse = this.#inverse[body];
    const first = 3 * this.#soft.parts[body].first;
    const vector = this.#spread(z, at, body);
    for (let i = 0; i < n; i++) z[at + i] = inverse[i] * vector[this.#dofs[first + i] - first];
  }

  // A⁻¹ (Q⁻¹ z) over all vertices of a body
  #spread(z: Float64Array, at: number, body: number): Float64Array {
    const part = this.#soft.parts[body];
    const first = 3 * part.first;
    const inverse = this.#inverse[body];
    const vector = this.#vector;
    vector.fill(0, 0, 3 * part.mesh.vertexCount);
    for (let i = 0; i < this.#count[body]; i++) vector[this.#dofs[first + i] - first] = inverse[i] * z[at + i];
    this.#soft.solveMetric(body, vector, 0);
    return vector;
  }

  /** Dofs of C of a tree that is a soft body. */
  countDofs(tree: number): number {
    return this.#count[tree - this.#islands.forest.rigidCount];
  }

  /** Number of a dof of all unknowns in C of its body. */
  findPlace(dof: number): number {
    return this.#place[dof - this.#firstDof];
  }

  /** G of a tree that is a soft body, rows of `countDofs` numbers; of sparse rows the diagonal of Q. */
  readFactor(tree: number): Float64Array {
    return this.#factor[tree - this.#islands.forest.rigidCount];
  }

  /** Once per step, after the problem is split into islands; false where a matrix has no factor. */
  measure(problem: ConvexProblem): boolean {
    this.#listDofs(problem);
    const { tree, treeStart, count, forest } = this.#islands;
    for (let s = 0; s < treeStart[count]; s++) {
      const body = tree[s] - forest.rigidCount;
      if (body >= 0 && !this.#measureBody(body)) return false;
    }
    return true;
  }

  /** v ← v + A⁻¹ G⁻ᵀ z of a tree that is a soft body, z from a place on; overwrites z. */
  addMotion(v: Float64Array, z: Float64Array, at: number, tree: number): void {
    const body = tree - this.#islands.forest.rigidCount;
    const n = this.#count[body];
    const factor = this.#factor[body];
    const inverse = this.#inverse[body];
    const vector = this.#vector;
    const first = 3 * this.#soft.parts[body].first;
    const size = 3 * this.#soft.parts[body].mesh.vertexCount;
    if (this.#isSparse[body] === 1) {
      this.#spread(z, at, body);
      for (let i = 0; i < size; i++) v[this.#firstDof + first + i] += vector[i];
      return;
    }
    vector.fill(0, 0, size);
    for (let i = n - 1; i >= 0; i--) {
      const value = z[at + i] * inverse[i];
      for (let k = 0; k < i; k++) z[at + k] -= factor[i * n + k] * value;
      vector[this.#dofs[first + i] - first] = value;
    }
    this.#soft.solveMetric(body, vector, 0);
    for (let i = 0; i < size; i++) v[this.#firstDof + first + i] += vector[i];
  }

  // the first unknown that is a soft one
  get #firstDof(): number {
    const { forest } = this.#islands;
    return forest.start[forest.rigidCount];
  }

  #listDofs({ rows, law, low, high }: ConvexProblem): void {
    const { block, blockStart, dof, dofStart, count, forest } = this.#islands;
    const origin = this.#firstDof;
    const place = this.#place;
    place.fill(-1);
    this.#isHeld.fill(0);
    for (let island = 0; island < count; island++) {
      for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
        const start = rows.columnStart[block[s]];
        const row = rows.rowStart[block[s]];
        const holds = law[block[s]] === CONSTRAINT_LAW.spring && low[row] === -Infinity && high[row] === Infinity;
        for (let k = start + rows.columnCount[block[s]] - 1; k >= start; k--) {
          const g = dof[dofStart[island] + rows.column[k]] - origin;
          if (g < 0) break;
          place[g] = 0;
          if (holds) this.#isHeld[forest.treeOf[g + origin] - forest.rigidCount] = 1;
        }
      }
    }
    const { parts } = this.#soft;
    for (let n = 0; n < parts.length; n++) {
      const first = 3 * parts[n].first;
      let next = 0;
      for (let i = first; i < first + 3 * parts[n].mesh.vertexCount; i++) {
        if (place[i] < 0) continue;
        this.#dofs[first + next] = i;
        place[i] = next++;
      }
      this.#count[n] = next;
    }
  }

  #measureBody(body: number): boolean {
    const n = this.#count[body];
    const part = this.#soft.parts[body];
    const first = 3 * part.first;
    const size = 3 * part.mesh.vertexCount;
    const isSparse = this.allowsProducts && n > LARGEST_MATRIX && this.#isHeld[body] === 0;
    this.#isSparse[body] = isSparse ? 1 : 0;
    const factor = (this.#factor[body] = fitDoubles(this.#memory, this.#factor[body], isSparse ? n : n * n));
    const inverse = (this.#inverse[body] = fitDoubles(this.#memory, this.#inverse[body], n));
    const vector = this.#vector;
    if (isSparse) {
      const { values } = part.work.hessian;
      for (let i = 0; i < n; i++) {
        const dof = this.#dofs[first + i] - first;
        inverse[i] = Math.sqrt(values[9 * Math.floor(dof / 3) + 4 * (dof % 3)]);
        factor[i] = 1 / inverse[i];
      }
      return true;
    }
    for (let j = 0; j < n; j++) {
      vector.fill(0, 0, size);
      vector[this.#dofs[first + j] - first] = 1;
      this.#soft.solveMetric(body, vector, 0);
      for (let i = j; i < n; i++) factor[i * n + j] = vector[this.#dofs[first + i] - first];
    }
    return factorDense(factor, inverse, n, this.#memory.compiled) < 0;
  }
}
