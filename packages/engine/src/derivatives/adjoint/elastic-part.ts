/**
 * Soft bodies in the reverse of a step over velocities or accelerations. Their implicit step without contact comes first (soft/step-objective.ts), then the solve
 * with A of that step:
 *   elastic step   g(x*; x, v) = m (x* − x − h v) + h² ∂W(x*) + h (α m + c + β K(x) + C) (x* − x) + .. = 0,    v* = (x* − x)/h
 *   solve          A (u − u*) − Jᵀ f = 0,   A = m + h (α m + c + β K(x) + C) + h² K(x*)      K projected, W not
 *   end            x⁺ = x + h v⁺      velocities: u = v⁺, u* = v*;   accelerations: v⁺ = v + h u, u* = (v* − v)/h
 * From λ of the solve: ū* = −A λ and, with w = u − u*, ∂(λᵀ A w) by x* and x (ElementFamily.addStiffnessRate). From x̄* of both: μ = −(∂g/∂x*)⁻¹ x̄*,
 * and μᵀ ∂g/∂x, μᵀ ∂g/∂v. Vertices that are pinned stay where they are, x* = x; those that are driven do not depend on the state.
 */
import type { InputBars } from '../../formulation/row-rates.ts';
import { BlockCholesky } from '../../linear-algebra/block-cholesky/block-cholesky.ts';
import { type BlockSparseMatrix, createTwin, multiplyBlockSparse } from '../../linear-algebra/block-sparse-matrix.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { Model } from '../../model/model.ts';
import type { Islands } from '../../objective/islands.ts';
import { addElasticHessian } from '../../soft/elastic-energy.ts';
import type { SoftBodies, SoftPart } from '../../soft/soft-bodies.ts';
import { assembleStep } from '../../soft/step-objective.ts';
import type { EndBars } from './input-bars.ts';

/** What a vertex does in the step. */
const HOLD = { free: 0, pinned: 1, led: 2 } as const;

/** A soft body at the end of its elastic step. */
interface ElasticStep {
  readonly part: SoftPart;
  /** Per vertex: see HOLD. */
  readonly hold: Uint8Array;
  /** Whether the solve has it. */
  readonly isTouched: boolean;
  /** Factor of ∂g/∂x*; and ∂²W/∂x² there, of bodies with pinned vertices. */
  readonly factor: BlockCholesky;
  readonly stiffness: BlockSparseMatrix | undefined;
  /** w. */
  readonly offset: Float64Array;
}

export class ElasticPart {
  readonly #soft: SoftBodies;
  readonly #islands: Islands;
  /** The first unknown of vertices. */
  readonly #first: number;
  readonly #isVelocity: boolean;
  /** Vertices that are points of bodies which do not move by themselves. */
  readonly #led: readonly number[];
  readonly #factors: BlockCholesky[] = [];
  readonly #stiffness: BlockSparseMatrix[] = [];
  #steps: ElasticStep[] = [];
  #h = 1;

  /** `isVelocity`: the unknown of the solve is the velocity. */
  constructor({ soft: { attachment }, body, size }: Model, soft: SoftBodies, islands: Islands, isVelocity: boolean) {
    this.#led = [...attachment.vertex].filter((_, k) => body.lastDof[attachment.body[k]] < 0);
    this.#soft = soft;
    this.#islands = islands;
    this.#first = size.velocity;
    this.#isVelocity = isVelocity;
  }

  /** Takes the last step; x and x* are its unknowns and those without rows. False where elements are not known, or ∂g/∂x* has no factor. */
  begin(x: Float64Array, target: Float64Array, hasRows: boolean, h: number): boolean {
    const { tree, treeStart, count, forest } = this.#islands;
    this.#h = h;
    this.#steps = [];
    const touched = new Set(hasRows ? tree.subarray(0, treeStart[count]) : []);
    for (const [n, part] of this.#soft.parts.entries()) {
      const isTouched = touched.has(forest.rigidCount + n);
      if (!isKnown(part, isTouched)) return false;
      const factor = this.#factorStep(n, part, h);
      if (!factor) return false;
      const offset = new Float64Array(part.position.length);
      const at = this.#first + 3 * part.first;
      if (isTouched) for (let i = 0; i < offset.length; i++) offset[i] = x[at + i] - target[at + i];
      const hold = this.#readHolds(part);
      const stiffness = hold.includes(HOLD.pinned) ? this.#assembleStiffness(n, part) : undefined;
      this.#steps.push({ part, hold, isTouched, factor, stiffness, offset });
    }
    return true;
  }

  #readHolds({ first, mesh, held, driven }: SoftPart): Uint8Array {
    const hold = new Uint8Array(mesh.vertexCount);
    for (let v = 0; v < hold.length; v++) hold[v] = held[v] === 0 ? HOLD.free : HOLD.pinned;
    for (const { vertices } of driven) for (const v of vertices) if (hold[v] !== HOLD.free) hold[v] = HOLD.led;
    for (const v of this.#led) if (hold[v - first] === HOLD.pinned) hold[v - first] = HOLD.led;
    return hold;
  }

  // the matrix of the solve stays as it is
  #factorStep(n: number, { mesh, boundary, work }: SoftPart, h: number): BlockCholesky | undefined {
    const { hessian, kept } = work;
    this.#factors[n] ??= createFactor(hessian, work.memory);
    const factor = this.#factors[n];
    const values = hessian.values.slice();
    const { isFactored, isInverted, h: length } = kept;
    kept.h = 0;
    assembleStep(mesh, boundary, work, h, work.x, false);
    factor.values.set(hessian.values);
    hessian.values.set(values);
    kept.isFactored = isFactored;
    kept.isInverted = isInverted;
    kept.h = length;
    return factor.factor() < 0 ? factor : undefined;
  }

  #assembleStiffness(n: number, { mesh, work }: SoftPart): BlockSparseMatrix {
    this.#stiffness[n] ??= createTwin(work.hessian, work.memory);
    const matrix = this.#stiffness[n];
    matrix.values.fill(0);
    addElasticHessian(matrix, mesh, work.x, 1, false);
    return matrix;
  }

  /** Gradients by the end of the step to those by its unknowns, and by its start. */
  reverseEnd({ softPosition, softVelocity }: EndBars, unknown: Float64Array, out: InputBars): void {
    const h = this.#h;
    for (const { part, hold, isTouched } of this.#steps) {
      for (let i = 3 * part.first, k = 0; k < part.position.length; i++, k++) {
        const bar = softVelocity[i] + h * softPosition[i];
        out.softPosition[i] += softPosition[i];
        // of what is not in the solve, that by v*
        const isPlain = this.#isVelocity || !isTouched;
        if (isPlain || hold[Math.floor(k / 3)] !== HOLD.free) unknown[this.#first + i] = bar;
        else {
          unknown[this.#first + i] = h * bar;
          out.softVelocity[i] += bar;
        }
      }
    }
  }

  /** Keeps what is not for the solve to change: gradients by v*. */
  keepDirect(unknown: Float64Array): Float64Array {
    return unknown.slice(this.#first);
  }

  /** Adds the derivatives by λ; `direct` as it was kept before the solve. */
  reverse(lambda: Float64Array, direct: Float64Array, out: InputBars): void {
    for (const step of this.#steps) this.#reverseStep(step, lambda, direct, out);
  }

  #reverseStep(step: ElasticStep, whole: Float64Array, direct: Float64Array, out: InputBars): void {
    const { part, hold, isTouched, factor, stiffness, offset } = step;
    const { mesh, work, position, boundary } = part;
    const h = this.#h;
    const n = position.length;
    const at = 3 * part.first;
    const isFree = (i: number): boolean => hold[Math.floor(i / 3)] === HOLD.free;
    // gradients by v*, x* and x
    const byFree = direct.slice(at, at + n);
    const byEnd = new Float64Array(n);
    const byStart = new Float64Array(n);
    if (isTouched) {
      const lambda = whole.slice(this.#first + at, this.#first + at + n);
      const product = new Float64Array(n);
      multiplyBlockSparse(product, work.hessian, lambda, 0);
      for (let i = 0; i < n; i++) {
        if (this.#isVelocity) byFree[i] = -product[i];
        else if (isFree(i)) {
          byFree[i] = -product[i] / h;
          out.softVelocity[at + i] += product[i] / h;
        }
        if (!isFree(i)) lambda[i] = 0;
      }
      const w = offset.map((value, i) => (isFree(i) ? value : 0));
      this.#addStiffnessRate(byEnd, part, work.x, lambda, w, h * h);
      if (work.startStiffness) this.#addStiffnessRate(byStart, part, position, lambda, w, mesh.stiffnessDamping * h);
    }
    for (let i = 0; i < n; i++) {
      byEnd[i] += byFree[i] / h;
      byStart[i] -= byFree[i] / h;
    }
    // kernels know this array alone
    const { direction } = work;
    for (let i = 0; i < n; i++) direction[i] = isFree(i) ? -byEnd[i] : 0;
    factor.solve(direction);
    const mu = direction.map((value, i) => (isFree(i) ? value : 0));
    const damped = this.#multiplyDamping(part, mu);
    for (let i = 0; i < n; i++) {
      const v = Math.floor(i / 3);
      const m = mesh.mass[v];
      byStart[i] -= mu[i] * (m + h * (mesh.massDamping * m + boundary.springDamping[v])) + damped[i];
      out.softVelocity[at + i] -= h * m * mu[i];
    }
    if (work.startStiffness) {
      const moved = work.x.map((value, i) => value - work.start[i]);
      this.#addStiffnessRate(byStart, part, position, mu, moved, mesh.stiffnessDamping * h);
    }
    if (stiffness) {
      const bent = new Float64Array(n);
      multiplyBlockSparse(bent, stiffness, mu, 0);
      for (let i = 0; i < n; i++)
        if (hold[Math.floor(i / 3)] === HOLD.pinned) byStart[i] += byEnd[i] + h * h * bent[i] + damped[i];
    }
    for (let i = 0; i < n; i++) out.softPosition[at + i] += byStart[i];
  }

  // scale ∂(aᵀ K(x) b)/∂x
  #addStiffnessRate(
    out: Float64Array,
    { mesh }: SoftPart,
    x: Float64Array,
    a: Float64Array,
    b: Float64Array,
    scale: number,
  ): void {
    if (mesh.isQuadratic) return;
    for (const family of mesh.families) family.addStiffnessRate!(out, x, a, b, scale);
  }

  // h (β K(x) + C) μ
  #multiplyDamping({ mesh, work }: SoftPart, mu: Float64Array): Float64Array {
    const out = new Float64Array(mu.length);
    const product = new Float64Array(mu.length);
    const add = (matrix: BlockSparseMatrix | undefined, scale: number): void => {
      if (!matrix) return;
      multiplyBlockSparse(product, matrix, mu, 0);
      for (let i = 0; i < out.length; i++) out[i] += scale * product[i];
    };
    add(work.startStiffness, mesh.stiffnessDamping * this.#h);
    add(work.viscous, this.#h);
    return out;
  }
}

// elements whose energy has a memory, or whose stiffness changes in a way that nobody gives, are left out
function isKnown({ mesh, work, plastic, isLinear }: SoftPart, isTouched: boolean): boolean {
  // x* is not where A is taken
  if (isLinear) return false;
  if (plastic || mesh.families.some(({ follow }) => follow !== undefined)) return false;
  if (mesh.isQuadratic) return true;
  if (work.viscous) return false;
  const needsRate = isTouched || work.startStiffness !== undefined;
  return !needsRate || mesh.families.every(({ addStiffnessRate }) => addStiffnessRate !== undefined);
}

function createFactor({ count, low, high, pairCount }: BlockSparseMatrix, memory: Memory): BlockCholesky {
  const factor = new BlockCholesky(memory);
  factor.analyze(new Int32Array(count).fill(3), count, low, high, pairCount);
  return factor;
}
