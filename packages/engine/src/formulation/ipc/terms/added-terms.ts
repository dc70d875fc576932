/**
 * The user's terms (term/term.ts) in the unknowns of `ipc`. A body b of a frame moves with it, arm a from the origin of the frame:
 *   dx_b = dx + dθ × a + ½ dθ × (dθ × a),   dθ_b = dθ
 * so that, with T = [1, −[a]×; 0, 1] per body (T = [1, −[a]×] per soft vertex that is fixed to a frame, T = 1 per other vertex),
 *   gradient Tᵀ g,   Hessian Tᵀ H T + on dθ the curvature ½ (a fᵀ + f aᵀ) − (a·f) 1,  f = ∂ψ/∂dx_b
 * all times h². Blocks are gathered once per assembly: first for the pattern of the matrix, then for its numbers.
 */
import { placeSoftVertices, type SoftCarriers } from '../../../collision/surface/soft-carriers.ts';
import type { FramePoses, Frames } from '../../../dynamics/frames.ts';
import type { Workspace } from '../../../dynamics/workspace.ts';
import { copyInto } from '../../../linear-algebra/growth.ts';
import { LARGEST_BLOCK, projectPsd } from '../../../linear-algebra/project-psd.ts';
import type { Model } from '../../../model/model.ts';
import type { State } from '../../../state/state.ts';
import { requireBlockSize } from '../../../term/hessian-block.ts';
import type { Configuration, HessianSink, Term } from '../../../term/term.ts';
import { TermGradient } from '../../../term/term-gradient.ts';
import { addWeighted, TermList } from '../../../term/term-list.ts';
import type { BodyMatrix } from '../body-matrix.ts';
import type { PotentialTerm } from '../potential-term.ts';

export class AddedTerms implements PotentialTerm, HessianSink {
  readonly name: string = 'added';
  /** Where bodies and soft vertices are at the poses looked at last. */
  readonly configuration: Configuration;
  readonly #model: Model;
  readonly #frames: Frames;
  readonly #carriers: SoftCarriers;
  #terms = new TermList();
  #scale = 0;
  /** Per body: where it is in its frame, m, and how it is turned there. */
  readonly #offset: Float64Array;
  readonly #turn: Float64Array;
  readonly #gradient: TermGradient;
  readonly #direction: { readonly body: Float64Array; readonly vertex: Float64Array };
  // the blocks of one assembly: frames and numbers of each
  #term: Term | undefined;
  #isProjected = false;
  #poses: FramePoses;
  #blockCount = 0;
  #frameStart = new Int32Array(65);
  #valueStart = new Int32Array(65);
  #frame = new Int32Array(256);
  #value = new Float64Array(1024);
  /** First row of the frame of each unknown of the block at hand, and T by rows. */
  readonly #map = new Float64Array(2 * LARGEST_BLOCK * LARGEST_BLOCK);
  readonly #product = new Float64Array(2 * LARGEST_BLOCK * LARGEST_BLOCK);
  readonly #local = new Float64Array(LARGEST_BLOCK * LARGEST_BLOCK);
  readonly #arm = new Float64Array(3);
  readonly #curvature = new Float64Array(9);

  constructor(model: Model, frames: Frames, carriers: SoftCarriers) {
    const { size } = model;
    this.#model = model;
    this.#frames = frames;
    this.#carriers = carriers;
    this.#poses = frames.start;
    this.#offset = new Float64Array(3 * size.body);
    this.#turn = new Float64Array(9 * size.body);
    this.#gradient = new TermGradient(size);
    this.#direction = { body: new Float64Array(6 * size.body), vertex: new Float64Array(3 * size.softVertex) };
    this.configuration = {
      bodyPosition: new Float64Array(3 * size.body),
      bodyRotation: new Float64Array(9 * size.body),
      softPosition: new Float64Array(3 * size.softVertex),
    };
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
    this.#terms = work.terms;
    this.#scale = h * h;
    if (this.isEmpty) return;
    this.#placeInFrames(work);
    this.#place(this.#frames.start);
    this.#terms.begin({ model: this.#model, h, time: state.time[0], start: this.configuration });
  }

  value(poses: FramePoses): number {
    if (this.isEmpty) return 0;
    this.#place(poses);
    return this.#scale * this.#terms.value(this.configuration);
  }

  /** Gathers gradient and Hessian at the poses and says which frames are coupled. */
  couple(matrix: BodyMatrix, poses: FramePoses, isProjected: boolean): void {
    this.#blockCount = 0;
    if (this.isEmpty) return;
    this.#place(poses);
    this.#poses = poses;
    this.#isProjected = isProjected;
    this.#gradient.clear();
    this.#terms.addGradient(this.configuration, this.#gradient);
    for (const term of this.#terms.items) {
      if (!term.addHessian || term.weight === 0) continue;
      this.#term = term;
      term.addHessian(this.configuration, this, isProjected);
    }
    for (let n = 0; n < this.#blockCount; n++) {
      const end = this.#frameStart[n + 1];
      for (let i = this.#frameStart[n]; i < end; i++)
        for (let j = i + 1; j < end; j++) matrix.couple(this.#frame[i], this.#frame[j]);
    }
  }

  add(matrix: BodyMatrix): void {
    if (this.isEmpty) return;
    this.#addGradient(matrix);
    for (let n = 0; n < this.#blockCount; n++) this.#addBlockTo(matrix, n);
  }

  /** Part of the step of the frames that the terms allow. */
  limit(step: Float64Array): number {
    let part = 1;
    if (!this.#terms.items.some(({ maxStep }) => maxStep !== undefined)) return part;
    const { current } = this.#frames;
    this.#place(current);
    this.#writeDirection(step, current);
    for (const term of this.#terms.items)
      if (term.maxStep) part = Math.min(part, term.maxStep(this.configuration, this.#direction));
    return part;
  }

  /** Takes what terms keep fixed from the current poses. */
  lag(): void {
    if (!this.hasLag) return;
    this.#place(this.#frames.current);
    for (const term of this.#terms.items) term.lag?.(this.configuration);
  }

  /** Counts what the terms do at the current poses as smooth force, and what external ones do as applied force. */
  writeForces(work: Workspace): void {
    if (this.isEmpty) return;
    const { current } = this.#frames;
    this.#place(current);
    this.#gradient.clear();
    this.#terms.addGradient(this.configuration, this.#gradient);
    this.#addDofForces(work.smoothForce, current, -1);
    this.#addDofForces(work.constraintForce, current, 1);
    if (!this.#terms.hasExternal) return;
    this.#gradient.clear();
    for (const term of this.#terms.items) if (term.external) addWeighted(term, this.configuration, this.#gradient);
    this.#addDofForces(work.externalForce, current, -1);
  }

  /** Takes a block of the term at hand, in the unknowns of the frames. */
  addBlock(bodies: ArrayLike<number>, vertices: ArrayLike<number>, block: ArrayLike<number>): void {
    const term = this.#term as Term;
    const size = requireBlockSize(term.name, bodies, vertices, block);
    const n = this.#mapUnknowns(bodies, vertices, size);
    if (n === 0) return;
    const T = this.#map;
    const product = this.#product;
    const start = this.#valueStart[this.#blockCount];
    if (start + n * n > this.#value.length) this.#value = copyInto(this.#value, new Float64Array(2 * (start + n * n)));
    const weight = this.#scale * (term.weight ?? 1);
    const local = this.#local;
    for (let i = 0; i < size * size; i++) local[i] = weight * block[i];
    // vertices that are fixed to frames may make the block larger than can be projected: it is projected before
    const isLarge = n > LARGEST_BLOCK;
    if (this.#isProjected && isLarge) projectPsd(local, 0, size);
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let k = 0; k < size; k++) sum += local[size * i + k] * T[n * k + j];
        product[n * i + j] = sum;
      }
    }
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        let sum = 0;
        for (let k = 0; k < size; k++) sum += T[n * k + i] * product[n * k + j];
        this.#value[start + n * i + j] = sum;
      }
    }
    if (this.#isProjected && !isLarge) projectPsd(this.#value, start, n);
    this.#valueStart[++this.#blockCount] = start + n * n;
  }

  // T of a block, size × n, and its frames; n
  #mapUnknowns(bodies: ArrayLike<number>, vertices: ArrayLike<number>, size: number): number {
    this.#reserve(bodies.length + vertices.length);
    const first = this.#frameStart[this.#blockCount];
    let end = first;
    // frames that may be unknowns, each once
    for (let i = 0; i < bodies.length + vertices.length; i++) {
      const f = this.#frameOf(bodies, vertices, i);
      let at = first;
      while (at < end && this.#frame[at] !== f) at++;
      if (at === end && f !== this.#frames.moving) this.#frame[end++] = f;
    }
    this.#frameStart[this.#blockCount + 1] = end;
    let n = 0;
    for (let k = first; k < end; k++) n += this.#sizeOf(this.#frame[k]);
    this.#map.fill(0, 0, size * n);
    for (let i = 0; i < bodies.length + vertices.length; i++) {
      const f = this.#frameOf(bodies, vertices, i);
      let column = 0;
      let at = first;
      for (; at < end && this.#frame[at] !== f; at++) column += this.#sizeOf(this.#frame[at]);
      if (at === end) continue;
      const isBody = i < bodies.length;
      const row = isBody ? 6 * i : 6 * bodies.length + 3 * (i - bodies.length);
      for (let k = 0; k < 3; k++) this.#map[n * (row + k) + column + k] = 1;
      if (this.#sizeOf(f) === 3) continue;
      if (isBody) for (let k = 3; k < 6; k++) this.#map[n * (row + k) + column + k] = 1;
      this.#readArm(isBody ? bodies[i] : -1, isBody ? -1 : vertices[i - bodies.length], f, this.#poses);
      const [x, y, z] = this.#arm;
      const o = n * row + column + 3;
      this.#map[o + 1] = z;
      this.#map[o + 2] = -y;
      this.#map[o + n] = -z;
      this.#map[o + n + 2] = x;
      this.#map[o + 2 * n] = y;
      this.#map[o + 2 * n + 1] = -x;
    }
    return n;
  }

  #addBlockTo(matrix: BodyMatrix, block: number): void {
    const first = this.#frameStart[block];
    const end = this.#frameStart[block + 1];
    let n = 0;
    for (let k = first; k < end; k++) n += this.#sizeOf(this.#frame[k]);
    for (let i = first, row = 0; i < end; row += this.#sizeOf(this.#frame[i++])) {
      const a = matrix.blockOf(this.#frame[i]);
      if (a < 0) continue;
      for (let j = i, column = row; j < end; column += this.#sizeOf(this.#frame[j++])) {
        const b = matrix.blockOf(this.#frame[j]);
        if (b >= 0) matrix.addPart(a, b, this.#value, this.#valueStart[block] + n * row + column, n, 1);
      }
    }
  }

  #addGradient(matrix: BodyMatrix): void {
    const { body, vertex } = this.#gradient;
    for (let b = 1; b < this.#model.size.body; b++) {
      const f = this.#frames.ofBody[b];
      const block = matrix.blockOf(f);
      if (block < 0) continue;
      this.#readArm(b, -1, f, this.#poses);
      this.#addPoint(matrix, block, body, 6 * b);
      for (let k = 0; k < 3; k++) matrix.gradient[matrix.rowOf(block) + 3 + k] += this.#scale * body[6 * b + 3 + k];
    }
    for (let v = 0; v < this.#model.size.softVertex; v++) {
      const f = this.#carriers.frame[v];
      const block = matrix.blockOf(f);
      if (block < 0) continue;
      if (f < this.#frames.firstSoft) this.#readArm(-1, v, f, this.#poses);
      this.#addPoint(matrix, block, vertex, 3 * v);
    }
  }

  // h² f at an arm: force, torque and curvature of the rotation
  #addPoint(matrix: BodyMatrix, block: number, g: Float64Array, o: number): void {
    const row = matrix.rowOf(block);
    const s = this.#scale;
    for (let k = 0; k < 3; k++) matrix.gradient[row + k] += s * g[o + k];
    if (!matrix.isTurning(block)) return;
    const a = this.#arm;
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
      this.#readArm(b, -1, ofBody[b], poses);
      this.#addDofForce(out, ofBody[b], rotation, body, 6 * b, true, sign);
    }
    for (const v of this.#carriers.attached) {
      this.#readArm(-1, v, this.#carriers.frame[v], poses);
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
    const a = this.#arm;
    const x = (hasTorque ? g[o + 3] : 0) + a[1] * g[o + 2] - a[2] * g[o + 1];
    const y = (hasTorque ? g[o + 4] : 0) + a[2] * g[o] - a[0] * g[o + 2];
    const z = (hasTorque ? g[o + 5] : 0) + a[0] * g[o + 1] - a[1] * g[o];
    for (let k = 0; k < 3; k++) {
      const m = 9 * f + k;
      out[6 * f + k] += sign * g[o + k];
      out[6 * f + 3 + k] += sign * (rotation[m] * x + rotation[m + 3] * y + rotation[m + 6] * z);
    }
  }

  // the step of the frames as one of bodies and vertices
  #writeDirection(step: Float64Array, poses: FramePoses): void {
    const { body, vertex } = this.#direction;
    for (let b = 1; b < this.#model.size.body; b++) {
      const f = this.#frames.ofBody[b];
      this.#readArm(b, -1, f, poses);
      for (let k = 3; k < 6; k++) body[6 * b + k] = step[6 * f + k];
      this.#writePointStep(body, 6 * b, step, f);
    }
    for (let v = 0; v < this.#model.size.softVertex; v++) {
      const f = this.#carriers.frame[v];
      if (f < this.#frames.firstSoft) this.#readArm(-1, v, f, poses);
      else this.#arm.fill(0);
      this.#writePointStep(vertex, 3 * v, step, f);
    }
  }

  // dx + dθ × a
  #writePointStep(out: Float64Array, o: number, step: Float64Array, f: number): void {
    const a = this.#arm;
    const i = 6 * f;
    out[o] = step[i] + step[i + 4] * a[2] - step[i + 5] * a[1];
    out[o + 1] = step[i + 1] + step[i + 5] * a[0] - step[i + 3] * a[2];
    out[o + 2] = step[i + 2] + step[i + 3] * a[1] - step[i + 4] * a[0];
  }

  // from the origin of a frame to that of a body, or to a vertex, in world axes
  #readArm(body: number, vertex: number, f: number, { position }: FramePoses): void {
    const { bodyPosition, softPosition } = this.configuration;
    for (let k = 0; k < 3; k++)
      this.#arm[k] = (body >= 0 ? bodyPosition[3 * body + k] : softPosition[3 * vertex + k]) - position[3 * f + k];
  }

  #frameOf(bodies: ArrayLike<number>, vertices: ArrayLike<number>, i: number): number {
    return i < bodies.length ? this.#frames.ofBody[bodies[i]] : this.#carriers.frame[vertices[i - bodies.length]];
  }

  #sizeOf(frame: number): number {
    return frame < this.#frames.firstSoft ? 6 : 3;
  }

  // where bodies are in their frames: mocap bodies have been put where they are to be, their frames have not
  #placeInFrames({ bodyPosition, bodyRotation }: Workspace): void {
    const { ofBody, moving, start, mocapBody } = this.#frames;
    for (let b = 0; b < this.#model.size.body; b++) {
      const f = ofBody[b];
      const root = f > moving ? mocapBody[f - moving - 1] : -1;
      const position = root < 0 ? start.position : bodyPosition;
      const rotation = root < 0 ? start.rotation : bodyRotation;
      const p = 3 * (root < 0 ? f : root);
      const m = 3 * p;
      for (let k = 0; k < 3; k++) {
        let offset = 0;
        for (let i = 0; i < 3; i++) offset += rotation[m + 3 * i + k] * (bodyPosition[3 * b + i] - position[p + i]);
        this.#offset[3 * b + k] = offset;
        for (let c = 0; c < 3; c++) {
          let turn = 0;
          for (let i = 0; i < 3; i++) turn += rotation[m + 3 * i + k] * bodyRotation[9 * b + 3 * i + c];
          this.#turn[9 * b + 3 * k + c] = turn;
        }
      }
    }
  }

  // the configuration at some poses
  #place(poses: FramePoses): void {
    const { bodyPosition, bodyRotation, softPosition } = this.configuration;
    const { position, rotation } = poses;
    for (let b = 0; b < this.#model.size.body; b++) {
      const f = this.#frames.ofBody[b];
      for (let k = 0; k < 3; k++) {
        const m = 9 * f + 3 * k;
        const o = 3 * b;
        bodyPosition[o + k] =
          position[3 * f + k] +
          rotation[m] * this.#offset[o] +
          rotation[m + 1] * this.#offset[o + 1] +
          rotation[m + 2] * this.#offset[o + 2];
        for (let c = 0; c < 3; c++) {
          const t = 9 * b + c;
          bodyRotation[9 * b + 3 * k + c] =
            rotation[m] * this.#turn[t] + rotation[m + 1] * this.#turn[t + 3] + rotation[m + 2] * this.#turn[t + 6];
        }
      }
    }
    if (softPosition.length > 0) placeSoftVertices(softPosition, this.#carriers, this.#frames, poses);
  }

  #reserve(frames: number): void {
    const end = this.#frameStart[this.#blockCount] + frames;
    if (end > this.#frame.length) this.#frame = copyInto(this.#frame, new Int32Array(2 * end));
    if (this.#blockCount + 1 < this.#frameStart.length) return;
    this.#frameStart = copyInto(this.#frameStart, new Int32Array(2 * this.#frameStart.length));
    this.#valueStart = copyInto(this.#valueStart, new Int32Array(2 * this.#valueStart.length));
  }
}
