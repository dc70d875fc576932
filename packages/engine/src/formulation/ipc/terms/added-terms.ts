/**
 * The user's terms (term/term.ts) in the unknowns of `ipc`. A body b of a frame moves with it, arm a from the origin of the frame:
 *   dx_b = dx + dθ × a + ½ dθ × (dθ × a),   dθ_b = dθ
 * so that, with T of term-blocks.ts,
 *   gradient Tᵀ g,   Hessian Tᵀ H T + on dθ the curvature ½ (a fᵀ + f aᵀ) − (a·f) 1,  f = ∂ψ/∂dx_b
 * all times h².
 */
import type { SoftCarriers } from '../../../collision/surface/soft-carriers.ts';
import type { FramePoses, Frames } from '../../../dynamics/frames.ts';
import type { Workspace } from '../../../dynamics/workspace.ts';
import { projectPsd } from '../../../linear-algebra/project-psd.ts';
import type { Model } from '../../../model/model.ts';
import type { State } from '../../../state/state.ts';
import { TermGradient } from '../../../term/term-gradient.ts';
import { addWeighted, TermList } from '../../../term/term-list.ts';
import type { BodyMatrix } from '../body-matrix.ts';
import type { PotentialTerm } from '../potential-term.ts';
import { TermBlocks } from './term-blocks.ts';
import { TermConfiguration } from './term-configuration.ts';

export class AddedTerms implements PotentialTerm {
  readonly name: string;
  readonly #model: Model;
  readonly #frames: Frames;
  readonly #carriers: SoftCarriers;
  /** Where bodies and soft vertices are at the poses looked at last. */
  readonly #at: TermConfiguration;
  readonly #blocks: TermBlocks;
  readonly #gradient: TermGradient;
  readonly #curvature = new Float64Array(9);
  readonly #own: TermList | undefined;
  #terms = new TermList();
  #scale = 0;
  #h = 0;
  #time = 0;
  #isProjected = false;
  #poses: FramePoses;

  /** Of the workspace, or of the engine itself where `own` is given. */
  constructor(model: Model, frames: Frames, carriers: SoftCarriers, name = 'added', own?: TermList) {
    this.name = name;
    this.#own = own;
    if (own) this.#terms = own;
    this.#model = model;
    this.#frames = frames;
    this.#carriers = carriers;
    this.#poses = frames.start;
    this.#at = new TermConfiguration(model, frames, carriers);
    this.#blocks = new TermBlocks(this.#at);
    this.#gradient = new TermGradient(model.size);
  }

  get isEmpty(): boolean {
    return this.#terms.isEmpty;
  }

  /** Whether a term keeps something fixed that a new pass may take from the poses. */
  get hasLag(): boolean {
    return this.#terms.items.some(({ lag }) => lag !== undefined);
  }

  /** A step of length h begins; the frames have begun it. */
  begin(state: State, work: Workspace, h: number): void {
    this.#terms = this.#own ?? work.terms;
    this.#scale = h * h;
    this.#h = h;
    this.#time = state.time[0];
    if (this.isEmpty) return;
    this.#at.begin(work);
    this.beginFrom(this.#frames.start);
  }

  /** The same from other poses: for derivatives. */
  beginFrom(start: FramePoses): void {
    this.#at.place(start);
    this.#terms.begin({ model: this.#model, h: this.#h, time: this.#time, start: this.#at });
  }

  /** Whether all of them have a Hessian: without it a minimum has no derivative here. */
  get hasWholeHessian(): boolean {
    return this.#terms.items.every(({ addHessian, weight }) => addHessian !== undefined || weight === 0);
  }

  /** Whether one of them may depend on where the step starts. */
  get readsStart(): boolean {
    return this.#terms.items.some(({ begin, lag }) => begin !== undefined || lag !== undefined);
  }

  /** Runs with the smooth force of `work` as it was before `writeForces`. */
  withoutForces(work: Workspace, run: () => void): void {
    if (this.isEmpty) {
      run();
      return;
    }
    const before = work.smoothForce.slice();
    const { current } = this.#frames;
    this.#at.place(current);
    this.#gradient.clear();
    this.#terms.addGradient(this.#at, this.#gradient);
    this.#addDofForces(work.smoothForce, current, 1);
    run();
    work.smoothForce.set(before);
  }

  /** Per frame on which a term acts: all that share a block of the Hessian with it, itself among them. */
  listNear(poses: FramePoses): Map<number, number[]> {
    this.#at.place(poses);
    this.#blocks.clear();
    this.#blocks.gather(this.#terms.items, poses, this.#scale, false);
    return this.#blocks.listNear();
  }

  /** Adds h² ∂ψ/∂(dx, dθ) at poses, six numbers per frame. */
  writeGradient(out: Float64Array, poses: FramePoses): void {
    const { ofBody, moving, firstSoft } = this.#frames;
    const { body, vertex } = this.#gradient;
    this.#at.place(poses);
    this.#gradient.clear();
    this.#terms.addGradient(this.#at, this.#gradient);
    for (let b = 1; b < this.#model.size.body; b++) {
      const f = ofBody[b];
      if (f >= moving) continue;
      this.#at.readArm(b, -1, f, poses);
      this.#addFrameForce(out, f, body, 6 * b);
      for (let k = 0; k < 3; k++) out[6 * f + 3 + k] += this.#scale * body[6 * b + 3 + k];
    }
    for (let v = 0; v < this.#model.size.softVertex; v++) {
      const f = this.#carriers.frame[v];
      if (f < firstSoft) this.#at.readArm(-1, v, f, poses);
      else this.#at.arm.fill(0);
      this.#addFrameForce(out, f, vertex, 3 * v);
    }
  }

  #addFrameForce(out: Float64Array, f: number, g: Float64Array, o: number): void {
    const a = this.#at.arm;
    const s = this.#scale;
    for (let k = 0; k < 3; k++) out[6 * f + k] += s * g[o + k];
    out[6 * f + 3] += s * (a[1] * g[o + 2] - a[2] * g[o + 1]);
    out[6 * f + 4] += s * (a[2] * g[o] - a[0] * g[o + 2]);
    out[6 * f + 5] += s * (a[0] * g[o + 1] - a[1] * g[o]);
  }

  value(poses: FramePoses): number {
    if (this.isEmpty) return 0;
    this.#at.place(poses);
    return this.#scale * this.#terms.value(this.#at);
  }

  /** Gathers gradient and Hessian at the poses and says which frames are coupled. */
  couple(matrix: BodyMatrix, poses: FramePoses, isProjected: boolean): void {
    this.#blocks.clear();
    if (this.isEmpty) return;
    this.#at.place(poses);
    this.#poses = poses;
    this.#isProjected = isProjected;
    this.#gradient.clear();
    this.#terms.addGradient(this.#at, this.#gradient);
    this.#blocks.gather(this.#terms.items, poses, this.#scale, isProjected);
    this.#blocks.couple(matrix);
  }

  add(matrix: BodyMatrix): void {
    if (this.isEmpty) return;
    this.#addGradient(matrix);
    this.#blocks.add(matrix);
  }

  /** Part of the step of the frames that the terms allow. */
  limit(step: Float64Array): number {
    let part = 1;
    if (!this.#terms.items.some(({ maxStep }) => maxStep !== undefined)) return part;
    const { current } = this.#frames;
    this.#at.place(current);
    const direction = this.#at.readDirection(step, current);
    for (const term of this.#terms.items) if (term.maxStep) part = Math.min(part, term.maxStep(this.#at, direction));
    return part;
  }

  /** Takes what terms keep fixed from the current poses. */
  lag(): void {
    if (!this.hasLag) return;
    this.#at.place(this.#frames.current);
    for (const term of this.#terms.items) term.lag?.(this.#at);
  }

  /** Counts what the terms do at the current poses as smooth force, and what external ones do as applied force. */
  writeForces(work: Workspace): void {
    if (this.isEmpty) return;
    const { current } = this.#frames;
    this.#at.place(current);
    this.#gradient.clear();
    this.#terms.addGradient(this.#at, this.#gradient);
    this.#addDofForces(work.smoothForce, current, -1);
    this.#addDofForces(work.constraintForce, current, 1);
    if (!this.#terms.hasExternal) return;
    this.#gradient.clear();
    for (const term of this.#terms.items) if (term.external) addWeighted(term, this.#at, this.#gradient);
    this.#addDofForces(work.externalForce, current, -1);
  }

  #addGradient(matrix: BodyMatrix): void {
    const { body, vertex } = this.#gradient;
    for (let b = 1; b < this.#model.size.body; b++) {
      const f = this.#frames.ofBody[b];
      const block = matrix.blockOf(f);
      if (block < 0) continue;
      this.#at.readArm(b, -1, f, this.#poses);
      this.#addPoint(matrix, block, body, 6 * b);
      for (let k = 0; k < 3; k++) matrix.gradient[matrix.rowOf(block) + 3 + k] += this.#scale * body[6 * b + 3 + k];
    }
    for (let v = 0; v < this.#model.size.softVertex; v++) {
      const f = this.#carriers.frame[v];
      const block = matrix.blockOf(f);
      if (block < 0) continue;
      if (f < this.#frames.firstSoft) this.#at.readArm(-1, v, f, this.#poses);
      this.#addPoint(matrix, block, vertex, 3 * v);
    }
  }

  // h² f at an arm: force, torque and curvature of the rotation
  #addPoint(matrix: BodyMatrix, block: number, g: Float64Array, o: number): void {
    const row = matrix.rowOf(block);
    const s = this.#scale;
    for (let k = 0; k < 3; k++) matrix.gradient[row + k] += s * g[o + k];
    if (!matrix.isTurning(block)) return;
    const a = this.#at.arm;
    matrix.gradient[row + 3] += s * (a[1] * g[o + 2] - a[2] * g[o + 1]);
    matrix.gradient[row + 4] += s * (a[2] * g[o] - a[0] * g[o + 2]);
    matrix.gradient[row + 5] += s * (a[0] * g[o + 1] - a[1] * g[o]);
    const dot = a[0] * g[o] + a[1] * g[o + 1] + a[2] * g[o + 2];
    const c = this.#curvature;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) c[3 * i + j] = s * (0.5 * (a[i] * g[o + j] + g[o + i] * a[j]) - (i === j ? dot : 0));
    }
    if (this.#isProjected) projectPsd(c, 0, 3);
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) matrix.addDiagonal(block, 3 + i, 3 + j, c[3 * i + j]);
  }

  // sign Tᵀ g in the dofs of body coordinates: linear in the world, angular in the axes of the frame
  #addDofForces(out: Float64Array, { rotation }: FramePoses, sign: number): void {
    const { moving, ofBody } = this.#frames;
    const { body, vertex } = this.#gradient;
    const poses = this.#frames.current;
    for (let b = 1; b < this.#model.size.body; b++) {
      if (ofBody[b] >= moving) continue;
      this.#at.readArm(b, -1, ofBody[b], poses);
      this.#addDofForce(out, ofBody[b], rotation, body, 6 * b, true, sign);
    }
    for (const v of this.#carriers.attached) {
      this.#at.readArm(-1, v, this.#carriers.frame[v], poses);
      this.#addDofForce(out, this.#carriers.frame[v], rotation, vertex, 3 * v, false, sign);
    }
  }

  #addDofForce(
    out: Float64Array,
    f: number,
    rotation: Float64Array,
    g: Float64Array,
    o: number,
    hasTorque: boolean,
    sign: number,
  ): void {
    const a = this.#at.arm;
    const x = (hasTorque ? g[o + 3] : 0) + a[1] * g[o + 2] - a[2] * g[o + 1];
    const y = (hasTorque ? g[o + 4] : 0) + a[2] * g[o] - a[0] * g[o + 2];
    const z = (hasTorque ? g[o + 5] : 0) + a[0] * g[o + 1] - a[1] * g[o];
    for (let k = 0; k < 3; k++) {
      const m = 9 * f + k;
      out[6 * f + k] += sign * g[o + k];
      out[6 * f + 3 + k] += sign * (rotation[m] * x + rotation[m + 3] * y + rotation[m + 6] * z);
    }
  }
}
