/**
 * Soft bodies in the reverse of a step of `ipc` (held-adjoint.ts). A step of length h has hₑ = h, x̂ = x⁰ of order one, and of order two (bdf2.ts)
 *   x̂ = x⁰ + c (x⁰ − x'),   x̃ = x⁰ + h v + c (x⁰ − x' − h' v' + (hₑ − h') (v − v')) + ..,   v⁺ = (x⁺ − x̂)/hₑ
 *   g = w (m (x − x̃) + hₑ (α m + β K(x⁰) + C) (x − x̂)) + ..      K(x⁰) changes with x⁰ (ElementFamily.addStiffnessRate)
 * Vertices that are pinned stay where they are, x = x⁰: they take K λ along as well.
 */
import { multiplyBlockSparse } from '../../linear-algebra/block-sparse-matrix.ts';
import { addElasticGradient } from '../../soft/elastic-energy.ts';
import type { SoftBodies, SoftPart } from '../../soft/soft-bodies.ts';
import type { SoftMesh } from '../../soft/soft-mesh.ts';
import type { SolveBars } from '../position-adjoint.ts';
import type { InputBars } from '../row-rates.ts';
import type { IpcObjective } from './ipc-objective.ts';
import type { SecondOrder } from './second-order.ts';

/** Length of differences of elastic forces, m. */
const DIFFERENCE = 1e-6;

export class SoftAdjoint {
  readonly #objective: IpcObjective;
  readonly #soft: SoftBodies;
  readonly #second: SecondOrder | undefined;
  /** Per soft vertex: whether it is held where it is. */
  #isPinned: Uint8Array = new Uint8Array(0);
  #h = 1;

  constructor(objective: IpcObjective, soft: SoftBodies, second: SecondOrder | undefined) {
    this.#objective = objective;
    this.#soft = soft;
    this.#second = second;
  }

  /** False where elements are not known, or a vertex that is held is touched, pulled by a term, or in tetrahedra that are nearly flat. */
  begin(h: number): boolean {
    this.#h = h;
    if (!this.#isKnown()) return false;
    const { frames, contacts, surfaces, friction, elastic, added } = this.#objective;
    this.#isPinned = new Uint8Array(frames.isFree.length);
    if (frames.held.length === 0) return true;
    for (const v of frames.held) this.#isPinned[v] = 1;
    for (const { first, driven } of this.#soft.parts)
      for (const { vertices } of driven) for (const v of vertices) this.#isPinned[first + v] = 0;
    const isHeld = (frame: number): boolean =>
      frame >= frames.firstSoft && frames.isFree[frame - frames.firstSoft] === 0;
    for (let c = 0; c < contacts.count; c++)
      for (let k = 0; k < 4; k++) if (isHeld(surfaces.frameOf[contacts.part[4 * c + k]])) return false;
    for (let f = 0; f < friction.count; f++) {
      const { frame, count } = friction.readPoints(f, frames.current);
      if (frame.subarray(0, count).some(isHeld)) return false;
    }
    if (!added.isEmpty && [...added.listNear(frames.current).keys()].some(isHeld)) return false;
    return !elastic.isNearlyFlat;
  }

  // elements whose energy has a memory, or a stiffness at the start whose derivative nobody gives, are left out
  #isKnown(): boolean {
    for (const { mesh, work, plastic } of this.#soft.parts) {
      if (plastic || mesh.families.some(({ follow }) => follow !== undefined)) return false;
      if (mesh.isQuadratic) continue;
      if (work.viscous) return false;
      if (work.startStiffness && mesh.families.some(({ addStiffnessRate }) => !addStiffnessRate)) return false;
    }
    return true;
  }

  // x̂ = x + c (x − x'), hₑ and w of order two; of order one x̂ = x, h and 1
  #formulaOf(n: number): { share: number; reach: number; weight: number; before: number } {
    const second = this.#second;
    const isSecond = second?.isActive[this.#objective.frames.moving + n] === 1;
    return isSecond ? second.formula : { share: 0, reach: this.#h, weight: 1, before: this.#h };
  }

  /** Gradients by the end of the step, v⁺ = (x⁺ − x̂)/hₑ, to those by its unknowns, in rows of the matrix, and by its start. */
  reverseEnd(
    n: number,
    { first, mesh }: SoftPart,
    { softPosition, softVelocity }: SolveBars,
    right: Float64Array,
    start: Float64Array,
    out: InputBars,
  ): void {
    const { matrix, frames } = this.#objective;
    const { reach } = this.#formulaOf(n);
    const bar = new Float64Array(3 * mesh.vertexCount);
    for (let v = 0; v < mesh.vertexCount; v++) {
      const block = matrix.blockOf(frames.firstSoft + first + v);
      const row = block < 0 ? -1 : matrix.rowOf(block);
      for (let k = 0; k < 3; k++) {
        const i = 3 * (first + v) + k;
        const speed = softVelocity[i] / reach;
        if (row >= 0) right[row + k] += softPosition[i] + speed;
        else if (this.#isPinned[first + v] === 1)
          start[6 * (frames.firstSoft + first + v) + k] += softPosition[i] + speed;
        bar[3 * v + k] = -speed;
      }
    }
    this.#addSoftStart(n, first, bar, start, out);
  }

  // x̂ by x and x'
  #addSoftStart(n: number, first: number, bar: Float64Array, start: Float64Array, out: InputBars): void {
    const { frames } = this.#objective;
    const { share } = this.#formulaOf(n);
    for (let i = 0; i < bar.length; i++) {
      const v = first + Math.floor(i / 3);
      start[6 * (frames.firstSoft + v) + (i % 3)] += (1 + share) * bar[i];
      if (share !== 0) out.kept[12 * frames.moving + 6 * v + (i % 3)] -= share * bar[i];
    }
  }

  /** Adds what x̃ and x̂ of a body make of λ, six numbers per frame, to the gradient by the start of the step. */
  reverse(
    n: number,
    { first, mesh, boundary, work, position }: SoftPart,
    unknown: Float64Array,
    start: Float64Array,
    out: InputBars,
  ): void {
    const { frames } = this.#objective;
    const h = this.#h;
    const { share, reach, weight, before } = this.#formulaOf(n);
    const { vertexCount, mass, massDamping, stiffnessDamping } = mesh;
    const at = 6 * (frames.firstSoft + first);
    const kept = 12 * frames.moving;
    const lambda = new Float64Array(3 * vertexCount);
    const moved = new Float64Array(3 * vertexCount);
    const bar = new Float64Array(3 * vertexCount);
    const masses = new Float64Array(3 * vertexCount);
    for (let v = 0; v < vertexCount; v++) {
      const isFree = frames.isFree[first + v] === 1;
      const c = reach * (massDamping * mass[v] + boundary.springDamping[v]);
      for (let k = 0; k < 3; k++) {
        const i = 3 * v + k;
        lambda[i] = isFree ? weight * unknown[at + 6 * v + k] : 0;
        moved[i] = frames.current.position[3 * (frames.firstSoft + first) + i] - work.start[i];
        bar[i] = masses[i] = c * lambda[i];
        // x̃ = x + h v + c (x − x' − h' v' + (hₑ − h') (v − v')) + ..
        const push = mass[v] * lambda[i];
        start[at + 6 * v + k] += (1 + share) * push;
        out.softVelocity[3 * first + i] += (h + share * (reach - before)) * push;
        if (share === 0) continue;
        out.kept[kept + 6 * (first + v) + k] -= share * push;
        out.kept[kept + 6 * (first + v) + 3 + k] -= share * reach * push;
      }
    }
    // kernels know these arrays alone
    const { shift: factor, dampingProduct: damping } = work;
    factor.set(lambda);
    if (work.startStiffness) {
      multiplyBlockSparse(damping, work.startStiffness, factor, 0, work.memory.compiledSoft);
      for (let i = 0; i < bar.length; i++) bar[i] += stiffnessDamping * reach * damping[i];
      if (!mesh.isQuadratic) {
        // K is that of x, not of x̂
        const rate = new Float64Array(3 * vertexCount);
        for (const family of mesh.families)
          family.addStiffnessRate!(rate, position, lambda, moved, -stiffnessDamping * reach);
        for (let v = 0; v < vertexCount; v++) for (let k = 0; k < 3; k++) start[at + 6 * v + k] += rate[3 * v + k];
      }
    }
    if (work.viscous) {
      multiplyBlockSparse(damping, work.viscous, factor, 0, work.memory.compiledSoft);
      for (let i = 0; i < bar.length; i++) bar[i] += reach * damping[i];
    }
    this.#addSoftStart(n, first, bar, start, out);
    for (let i = 0; i < bar.length; i++) bar[i] -= masses[i];
    this.#addPinned(n, first, mesh, lambda, bar, start);
  }

  // pinned vertices stay where they are: they take the end of the step along, K λ of it and what damps
  #addPinned(
    n: number,
    first: number,
    mesh: SoftMesh,
    lambda: Float64Array,
    damping: Float64Array,
    start: Float64Array,
  ): void {
    const { frames } = this.#objective;
    if (frames.held.length === 0) return;
    const { reach } = this.#formulaOf(n);
    const x = frames.current.position.slice(3 * (frames.firstSoft + first)).subarray(0, lambda.length);
    let largest = 0;
    for (const value of lambda) largest = Math.max(largest, Math.abs(value));
    if (largest === 0) return;
    const step = DIFFERENCE / largest;
    const product = new Float64Array(lambda.length);
    for (const sign of [1, -1]) {
      const gradient = new Float64Array(lambda.length);
      addElasticGradient(
        gradient,
        mesh,
        x.map((value, i) => value + sign * step * lambda[i]),
      );
      for (let i = 0; i < product.length; i++) product[i] += (0.5 * sign * gradient[i]) / step;
    }
    for (let i = 0; i < product.length; i++) {
      const v = first + Math.floor(i / 3);
      if (this.#isPinned[v] === 1)
        start[6 * (frames.firstSoft + v) + (i % 3)] -= reach * reach * product[i] + damping[i];
    }
  }
}
