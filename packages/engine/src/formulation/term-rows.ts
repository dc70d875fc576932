/**
 * The user's terms in the convex problem of a step (`mujoco`, `sap`, `ccp`), linearised at its start:
 *   ψ(x + h v) ≈ ψ + h g·v + ½ h² vᵀ H v,   H = Σ λ u uᵀ, λ > 0
 * g is a force, −Jᵀ g, and part of the smooth force. Each λ is a spring row along u without bounds:
 *   velocities      impulse −h² λ (u·J v)                          D = h² λ,   r = 0
 *   accelerations   force −h λ u·J (v + h a)                       D = h² λ,   a_ref = −u·J v/h
 *   midpoint        the same halfway: x + ½ h (v + v⁺)/2            D = ¼ h² λ, r = −u·J v
 * Rows over several trees join their islands. Runge-Kutta stages take g alone. In joint coordinates J is that of the start of the
 * step: the curvature of chains of joints is left out of H.
 * Soft vertices are unknowns of their own; g on them is a row with a constant force, so that their free motion, which may be
 * stiff as well, does not see it without H.
 * Afterwards what the rows did is counted as smooth force: constraint forces are those of joints and contacts.
 */
import { addBodyRow } from '../dynamics/relative-rows.ts';
import { isRungeKutta } from '../dynamics/runge-kutta.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { addWrench } from '../dynamics/wrench.ts';
import { copyInto } from '../linear-algebra/growth.ts';
import { decomposeSymmetric, LARGEST_BLOCK } from '../linear-algebra/project-psd.ts';
import type { Model } from '../model/model.ts';
import { CONSTRAINT_LAW, type ConvexProblem, SOURCE } from '../objective/convex-problem.ts';
import type { State } from '../state/state.ts';
import { requireBlockSize } from '../term/hessian-block.ts';
import type { HessianSink, Term } from '../term/term.ts';
import { TermGradient } from '../term/term-gradient.ts';
import { addWeighted } from '../term/term-list.ts';

/** Rows per block. */
const LARGEST_ROWS = 6;
/** Share of the largest eigenvalue below which one is round-off. */
const NEGLIGIBLE = 1e-14;

/** Where the rows go. */
export interface TermHost {
  readonly model: Model;
  readonly problem: ConvexProblem;
  /** Time step, s. */
  readonly h: number;
  /** Gives a row its numbers: λ, and the velocity along it that held vertices have, m/s. */
  setTermRow(row: number, stiffness: number, heldVelocity: number): void;
}

export class TermRows implements HessianSink {
  readonly #host: TermHost;
  readonly #gradient: TermGradient;
  #step: { model: Model; h: number; time: number; start: Workspace } | undefined;
  readonly #isExplicit: boolean;
  // the block at hand: its term, where it is, and which vertices are held
  #term: Term | undefined;
  #work: Workspace | undefined;
  #held: Float64Array = new Float64Array(0);
  /** Per block: its columns before islands renumber them, and whether its term is external. */
  #column = new Int32Array(64);
  #columnStart = new Int32Array(65);
  #isExternal = new Uint8Array(64);
  #count = 0;
  readonly #block = new Float64Array(LARGEST_BLOCK * LARGEST_BLOCK);
  readonly #eigenvalues = new Float64Array(LARGEST_BLOCK);
  readonly #eigenvectors = new Float64Array(LARGEST_BLOCK * LARGEST_BLOCK);
  /** Bodies of the block that move; rows of a chunk: their eigenvectors. */
  readonly #bodies = new Int32Array(LARGEST_BLOCK);
  readonly #chosen = new Int32Array(LARGEST_BLOCK);
  readonly #mark: Int32Array;
  #stamp = 0;

  constructor(host: TermHost) {
    const { size, options } = host.model;
    this.#host = host;
    this.#gradient = new TermGradient(size);
    this.#isExplicit = isRungeKutta(options.integrator);
    this.#mark = new Int32Array(size.velocity);
  }

  /** Begins the step of all terms and adds their forces to the smooth ones. */
  begin(state: State, work: Workspace, h: number): void {
    const { model } = this.#host;
    const { terms } = work;
    this.#count = 0;
    if (terms.isEmpty) return;
    this.#step ??= { model, h, time: 0, start: work };
    this.#step.h = h;
    this.#step.time = state.time[0];
    this.#step.start = work;
    terms.begin(this.#step);
    const gradient = this.#gradient;
    gradient.clear();
    terms.addGradient(work, gradient);
    addForces(work.smoothForce, model, work, gradient, -1);
    if (!terms.hasExternal) return;
    // the work of external terms is counted as that of applied forces
    gradient.clear();
    for (const term of terms.items) if (term.external) addWeighted(term, work, gradient);
    addForces(work.externalForce, model, work, gradient, -1);
  }

  /** Adds the rows. */
  add(state: State, work: Workspace): void {
    const { terms } = work;
    if (terms.isEmpty) return;
    this.#work = work;
    this.#held = state.softHeld;
    if (work.softPosition.length > 0) this.#addSoftForces(work, state.softHeld);
    if (this.#isExplicit) return;
    for (const term of terms.items) {
      if (!term.addHessian || term.weight === 0) continue;
      this.#term = term;
      term.addHessian(work, this, true);
    }
  }

  /** Counts what the rows did, times a scale that makes it a force, as smooth force. */
  moveForces(work: Workspace, scale: number): void {
    if (this.#count === 0) return;
    const { problem, model } = this.#host;
    const { rows, source, sourceIndex, force } = problem;
    const { smoothForce, constraintForce, externalForce } = work;
    for (let b = 0; b < rows.blockCount; b++) {
      if (source[b] !== SOURCE.term) continue;
      const n = sourceIndex[b];
      const start = this.#columnStart[n];
      const count = this.#columnStart[n + 1] - start;
      let k = rows.valueStart[b];
      for (let r = rows.rowStart[b]; r < rows.rowStart[b + 1]; r++) {
        const f = scale * force[r];
        for (let i = 0; i < count; i++, k++) {
          const dof = this.#column[start + i];
          if (dof >= model.size.velocity) continue;
          const value = rows.value[k] * f;
          smoothForce[dof] += value;
          constraintForce[dof] -= value;
          if (this.#isExternal[n] === 1) externalForce[dof] += value;
        }
      }
    }
  }

  /** Adds rows for the positive eigenvalues of a block of the term at hand. */
  addBlock(bodies: ArrayLike<number>, vertices: ArrayLike<number>, block: ArrayLike<number>): void {
    const term = this.#term as Term;
    const size = requireBlockSize(term.name, bodies, vertices, block);
    const rigid = this.#takeMoving(bodies, vertices, block, size, term.weight ?? 1);
    const n = 6 * rigid + 3 * vertices.length;
    if (n === 0) return;
    const values = this.#eigenvalues;
    // numbers that are not finite spoil the step, which then says so
    if (!decomposeSymmetric(this.#block, 0, n, values, this.#eigenvectors)) values[0] = Number.NaN;
    let most = 0;
    for (let k = 0; k < n; k++) most = Math.max(most, values[k]);
    let count = 0;
    for (let k = 0; k < n; k++) if (values[k] > NEGLIGIBLE * most || Number.isNaN(values[k])) this.#chosen[count++] = k;
    if (count === 0) return;
    let like = -1;
    for (let first = 0; first < count; first += LARGEST_ROWS) {
      if (this.#listColumns(rigid, vertices) === 0) return;
      const dimension = Math.min(LARGEST_ROWS, count - first);
      like = this.#addRows(dimension, first, rigid, vertices, n, like);
    }
  }

  // the part of the block over bodies that move, symmetric and weighted; how many those are
  #takeMoving(
    bodies: ArrayLike<number>,
    vertices: ArrayLike<number>,
    block: ArrayLike<number>,
    size: number,
    weight: number,
  ): number {
    const { lastDof } = this.#host.model.body;
    let rigid = 0;
    const place = this.#chosen;
    let n = 0;
    for (let i = 0; i < bodies.length; i++) {
      if (lastDof[bodies[i]] < 0) continue;
      this.#bodies[rigid++] = bodies[i];
      for (let k = 0; k < 6; k++) place[n++] = 6 * i + k;
    }
    for (let k = 6 * bodies.length; k < 6 * bodies.length + 3 * vertices.length; k++) place[n++] = k;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        const value = 0.5 * (block[size * place[i] + place[j]] + block[size * place[j] + place[i]]);
        this.#block[n * i + j] = weight * value;
      }
    }
    return rigid;
  }

  // columns of the moving bodies and of vertices that are not held, ascending, kept for this block; how many
  #listColumns(rigid: number, vertices: ArrayLike<number>): number {
    const { parent } = this.#host.model.dof;
    const { lastDof } = this.#host.model.body;
    const nv = this.#host.model.size.velocity;
    const start = this.#columnStart[this.#count];
    this.#reserve(start + nv + 3 * vertices.length);
    const column = this.#column;
    let end = start;
    this.#stamp++;
    for (let n = 0; n < rigid; n++) {
      for (let i = lastDof[this.#bodies[n]]; i >= 0 && this.#mark[i] !== this.#stamp; i = parent[i]) {
        this.#mark[i] = this.#stamp;
        insert(column, start, end++, i);
      }
    }
    for (let n = 0; n < vertices.length; n++) {
      if (this.#held[vertices[n]] !== 0) continue;
      for (let k = 0; k < 3; k++) {
        const dof = nv + 3 * vertices[n] + k;
        if (!contains(column, start, end, dof)) insert(column, start, end++, dof);
      }
    }
    this.#columnStart[this.#count + 1] = end;
    return end - start;
  }

  #addRows(
    dimension: number,
    first: number,
    rigid: number,
    vertices: ArrayLike<number>,
    n: number,
    like: number,
  ): number {
    const { problem, model } = this.#host;
    const { rows } = problem;
    const work = this.#work as Workspace;
    const start = this.#columnStart[this.#count];
    const count = this.#columnStart[this.#count + 1] - start;
    const block = like < 0 ? rows.add(dimension, count) : rows.addLike(dimension, like);
    const { column, columnStart, value, valueStart } = rows;
    if (like < 0) for (let i = 0; i < count; i++) column[columnStart[block] + i] = this.#column[start + i];
    value.fill(0, valueStart[block], rows.valueEnd);
    const row = problem.describe(CONSTRAINT_LAW.spring, SOURCE.term, this.#count);
    const u = this.#eigenvectors;
    for (let k = 0; k < dimension; k++) {
      const o = n * this.#chosen[first + k];
      for (let i = 0; i < rigid; i++) {
        const b = this.#bodies[i];
        const at = o + 6 * i;
        addBodyRow(rows, block, k, model, work, b, 1, work.bodyPosition, 3 * b, u, at, u, at + 3);
      }
      const held = this.#addVertices(valueStart[block] + k * count, vertices, o + 6 * rigid);
      this.#host.setTermRow(row + k, this.#eigenvalues[this.#chosen[first + k]], held);
    }
    this.#close();
    return block;
  }

  // entries of the vertices from u[o] on in the row that begins at a place; the velocity of those that are held
  #addVertices(at: number, vertices: ArrayLike<number>, o: number): number {
    const { rows } = this.#host.problem;
    const nv = this.#host.model.size.velocity;
    const { softVelocity } = this.#work as Workspace;
    const start = this.#columnStart[this.#count];
    const end = this.#columnStart[this.#count + 1];
    const u = this.#eigenvectors;
    let velocity = 0;
    for (let n = 0; n < vertices.length; n++) {
      const v = vertices[n];
      for (let k = 0; k < 3; k++) {
        if (this.#held[v] !== 0) {
          velocity += u[o + 3 * n + k] * softVelocity[3 * v + k];
          continue;
        }
        let place = end - 1;
        while (place >= start && this.#column[place] !== nv + 3 * v + k) place--;
        rows.value[at + place - start] += u[o + 3 * n + k];
      }
    }
    return velocity;
  }

  // g on soft vertices: rows with a constant force along −g
  #addSoftForces(work: Workspace, held: Float64Array): void {
    const { problem, model } = this.#host;
    const { rows } = problem;
    const { vertex } = this.#gradient;
    // the gradient of all terms, which `begin` may have replaced by that of the external ones
    this.#gradient.clear();
    work.terms.addGradient(work, this.#gradient);
    for (let v = 0; v < held.length; v++) {
      const length = Math.hypot(vertex[3 * v], vertex[3 * v + 1], vertex[3 * v + 2]);
      if (held[v] !== 0 || length === 0) continue;
      const block = rows.add(1, 3);
      this.#reserve(this.#columnStart[this.#count] + 3);
      for (let k = 0; k < 3; k++) {
        const dof = model.size.velocity + 3 * v + k;
        this.#column[this.#columnStart[this.#count] + k] = rows.column[rows.columnStart[block] + k] = dof;
        rows.value[rows.valueStart[block] + k] = -vertex[3 * v + k] / length;
      }
      this.#columnStart[this.#count + 1] = this.#columnStart[this.#count] + 3;
      const row = problem.describe(CONSTRAINT_LAW.spring, SOURCE.term, this.#count);
      const impulse = this.#host.h * length;
      problem.setRow(row, 0, 1, impulse, impulse);
      this.#close();
    }
  }

  #close(): void {
    this.#isExternal[this.#count++] = this.#term?.external ? 1 : 0;
  }

  // room for one more block and for columns up to an end
  #reserve(end: number): void {
    if (end > this.#column.length) this.#column = copyInto(this.#column, new Int32Array(2 * end));
    if (this.#count + 1 < this.#isExternal.length) return;
    this.#columnStart = copyInto(this.#columnStart, new Int32Array(2 * this.#columnStart.length));
    this.#isExternal = copyInto(this.#isExternal, new Uint8Array(this.#columnStart.length - 1));
  }
}

/** Adds sign Jᵀ g of bodies to forces in joint coordinates. */
export function addForces(
  out: Float64Array,
  model: Model,
  work: Workspace,
  { body: g }: TermGradient,
  sign: number,
): void {
  const { bodyPosition: x } = work;
  for (let b = 1; b < model.size.body; b++) {
    const i = 6 * b;
    if (model.body.lastDof[b] < 0) continue;
    if (g[i] === 0 && g[i + 1] === 0 && g[i + 2] === 0 && g[i + 3] === 0 && g[i + 4] === 0 && g[i + 5] === 0) continue;
    const p = 3 * b;
    addWrench(
      out,
      0,
      model,
      work,
      b,
      x[p],
      x[p + 1],
      x[p + 2],
      sign * g[i],
      sign * g[i + 1],
      sign * g[i + 2],
      sign * g[i + 3],
      sign * g[i + 4],
      sign * g[i + 5],
    );
  }
}

/** Puts a number into the ascending list from start to end. */
function insert(list: Int32Array, start: number, end: number, number: number): void {
  let at = end;
  for (; at > start && list[at - 1] > number; at--) list[at] = list[at - 1];
  list[at] = number;
}

function contains(list: Int32Array, start: number, end: number, number: number): boolean {
  for (let i = start; i < end; i++) if (list[i] === number) return true;
  return false;
}

/** What the velocity formulations say of a row of a term. */
export function setVelocityTermRow(
  host: TermHost & { readonly startVelocity: Float64Array },
  row: number,
  stiffness: number,
  heldVelocity: number,
): void {
  const { problem, model, h, startVelocity } = host;
  const isMidpoint = model.options.integrator === 'midpoint';
  let reference = -heldVelocity;
  if (isMidpoint) {
    const { rows } = problem;
    const block = rows.blockCount - 1;
    const n = rows.columnCount[block];
    const at = rows.valueStart[block] + n * (row - rows.rowStart[block]);
    for (let i = 0; i < n; i++)
      reference -= rows.value[at + i] * startVelocity[rows.column[rows.columnStart[block] + i]];
  }
  problem.setRow(row, reference, 1 / ((isMidpoint ? 0.25 : 1) * h * h * stiffness), -Infinity, Infinity);
}
