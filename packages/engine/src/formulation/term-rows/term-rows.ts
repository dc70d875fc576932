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
import { addBodyRow } from '../../dynamics/relative-rows.ts';
import { isRungeKutta } from '../../dynamics/runge-kutta.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { Model } from '../../model/model.ts';
import { CONSTRAINT_LAW, SOURCE } from '../../objective/convex-problem.ts';
import type { State } from '../../state/state.ts';
import { requireBlockSize } from '../../term/hessian-block.ts';
import type { HessianSink, Term } from '../../term/term.ts';
import { TermGradient } from '../../term/term-gradient.ts';
import { addWeighted } from '../../term/term-list.ts';
import { BlockColumns } from './block-columns.ts';
import { BlockSpectrum } from './block-spectrum.ts';
import { addForces } from './term-forces.ts';
import type { HostedTerms, TermHost } from './term-host.ts';

/** Rows per block. */
const LARGEST_ROWS = 6;

export class TermRows implements HostedTerms, HessianSink {
  readonly #host: TermHost;
  readonly #gradient: TermGradient;
  #step: { model: Model; h: number; time: number; start: Workspace } | undefined;
  readonly #isExplicit: boolean;
  // the block at hand: its term, where it is, and which vertices are held
  #term: Term | undefined;
  #work: Workspace | undefined;
  #held: Float64Array = new Float64Array(0);
  readonly #columns: BlockColumns;
  readonly #spectrum = new BlockSpectrum();

  constructor(host: TermHost) {
    const { size, options } = host.model;
    this.#host = host;
    this.#gradient = new TermGradient(size);
    this.#isExplicit = isRungeKutta(options.integrator);
    this.#columns = new BlockColumns(host.model);
  }

  begin(state: State, work: Workspace, h: number): void {
    const { model } = this.#host;
    const { terms } = work;
    this.#columns.count = 0;
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

  moveForces(work: Workspace, scale: number): void {
    if (this.#columns.count === 0) return;
    const { problem, model } = this.#host;
    const { rows, source, sourceIndex } = problem;
    const { force } = problem.data;
    const { smoothForce, constraintForce, externalForce } = work;
    const { column, start: columnStart, isExternal } = this.#columns;
    for (let b = 0; b < rows.blockCount; b++) {
      if (source[b] !== SOURCE.term) continue;
      const n = sourceIndex[b];
      const start = columnStart[n];
      const count = columnStart[n + 1] - start;
      let k = rows.valueStart[b];
      for (let r = rows.rowStart[b]; r < rows.rowStart[b + 1]; r++) {
        const f = scale * force[r];
        for (let i = 0; i < count; i++, k++) {
          const dof = column[start + i];
          if (dof >= model.size.velocity) continue;
          const value = rows.value[k] * f;
          smoothForce[dof] += value;
          constraintForce[dof] -= value;
          if (isExternal[n] === 1) externalForce[dof] += value;
        }
      }
    }
  }

  /** Adds rows for the positive eigenvalues of a block of the term at hand. */
  addBlock(bodies: ArrayLike<number>, vertices: ArrayLike<number>, block: ArrayLike<number>): void {
    const term = this.#term as Term;
    const width = requireBlockSize(term.name, bodies, vertices, block);
    const spectrum = this.#spectrum;
    const count = spectrum.decompose(this.#host.model, bodies, vertices, block, width, term.weight ?? 1);
    let like = -1;
    for (let first = 0; first < count; first += LARGEST_ROWS) {
      if (this.#columns.list(spectrum.bodies, spectrum.rigid, vertices, this.#held) === 0) return;
      like = this.#addRows(Math.min(LARGEST_ROWS, count - first), first, vertices, like);
    }
  }

  // rows of some eigenvalues from one of them on; with the columns of the block before where `like` names it
  #addRows(dimension: number, first: number, vertices: ArrayLike<number>, like: number): number {
    const { problem, model } = this.#host;
    const { rows } = problem;
    const { column: listed, start: listStart, count: n } = this.#columns;
    const { bodies, rigid, size, chosen, values, vectors: u } = this.#spectrum;
    const work = this.#work as Workspace;
    const start = listStart[n];
    const count = listStart[n + 1] - start;
    const block = like < 0 ? rows.add(dimension, count) : rows.addLike(dimension, like);
    const { column, columnStart, value, valueStart } = rows;
    if (like < 0) for (let i = 0; i < count; i++) column[columnStart[block] + i] = listed[start + i];
    value.fill(0, valueStart[block], rows.valueEnd);
    const row = problem.describe(CONSTRAINT_LAW.spring, SOURCE.term, n);
    for (let k = 0; k < dimension; k++) {
      const o = size * chosen[first + k];
      for (let i = 0; i < rigid; i++) {
        const b = bodies[i];
        const at = o + 6 * i;
        addBodyRow(rows, block, k, model, work, b, 1, work.bodyPosition, 3 * b, u, at, u, at + 3);
      }
      const held = this.#addVertices(valueStart[block] + k * count, vertices, o + 6 * rigid);
      this.#host.setTermRow(row + k, values[chosen[first + k]], held);
    }
    this.#columns.close(this.#term?.external === true);
    return block;
  }

  // entries of the vertices from u[o] on in the row that begins at a place; the velocity of those that are held
  #addVertices(at: number, vertices: ArrayLike<number>, o: number): number {
    const { rows } = this.#host.problem;
    const nv = this.#host.model.size.velocity;
    const { softVelocity } = this.#work as Workspace;
    const { column, start: columnStart, count } = this.#columns;
    const start = columnStart[count];
    const end = columnStart[count + 1];
    const u = this.#spectrum.vectors;
    let velocity = 0;
    for (let n = 0; n < vertices.length; n++) {
      const v = vertices[n];
      for (let k = 0; k < 3; k++) {
        if (this.#held[v] !== 0) {
          velocity += u[o + 3 * n + k] * softVelocity[3 * v + k];
          continue;
        }
        let place = end - 1;
        while (place >= start && column[place] !== nv + 3 * v + k) place--;
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
      this.#columns.setVertex(v);
      for (let k = 0; k < 3; k++) {
        rows.column[rows.columnStart[block] + k] = model.size.velocity + 3 * v + k;
        rows.value[rows.valueStart[block] + k] = -vertex[3 * v + k] / length;
      }
      const row = problem.describe(CONSTRAINT_LAW.spring, SOURCE.term, this.#columns.count);
      this.#host.setTermForce(row, length);
      this.#columns.close(this.#term?.external === true);
    }
  }
}
