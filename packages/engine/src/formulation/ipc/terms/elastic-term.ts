/**
 * Soft bodies in the energy of a step: inertia, elasticity, damping and springs of their vertices, and the barrier that keeps volumes
 * positive (volume-barrier.ts).
 *   E = J(x) of soft/step-objective.ts + h² Σ V κ β(J)
 * Vertices are separate unknowns; held ones are prescribed, attached ones are points of the body they are attached
 * to: their inertia and forces act on it through their arms.
 */

import { placeSoftVertices, type SoftCarriers } from '../../../collision/surface/soft-carriers.ts';
import type { FramePoses, Frames } from '../../../dynamics/frames.ts';
import type { Workspace } from '../../../dynamics/workspace.ts';
import { writePoint } from '../../../geometry/motion/pose-path.ts';
import type { Model } from '../../../model/model.ts';
import { measureStiffness } from '../../../soft/elastic-energy.ts';
import { beginStep } from '../../../soft/implicit-step.ts';
import type { SoftBodies, SoftPart } from '../../../soft/soft-bodies.ts';
import { assembleStep, evaluateStep } from '../../../soft/step-objective.ts';
import type { State } from '../../../state/state.ts';
import type { StepFormula } from '../bdf2.ts';
import type { BodyMatrix } from '../body-matrix.ts';
import type { StepHistory } from '../step-history.ts';
import { PointBlocks } from './point-blocks.ts';
import { VolumeBarrier } from './volume-barrier.ts';

/** What a body's part of the arrays over all vertices is. */
interface ElasticPart {
  readonly soft: SoftPart;
  readonly x: Float64Array;
  readonly ahead: Float64Array;
  readonly gradient: Float64Array;
  readonly frame: Int32Array;
  /** Edge of the matrix of every pair of the pattern; −1 where it has none. */
  readonly edge: Int32Array;
  /** The same where nothing is pulled. */
  readonly ownEdge: Int32Array;
  /** hₑ and w of the step (bdf2.ts): h and 1, or those of order two. */
  reach: number;
  weight: number;
}

export class ElasticTerm {
  readonly isEmpty: boolean;
  /** Size of the rounding of the energy, kg m². */
  rounding = 0;
  readonly #model: Model;
  readonly #soft: SoftBodies | undefined;
  readonly #carriers: SoftCarriers;
  readonly #frames: Frames;
  readonly #parts: readonly ElasticPart[];
  readonly #volume = new VolumeBarrier();
  readonly #blocks = new PointBlocks();
  /** Places of all vertices at the poses evaluated last, and at the end of a step, m. */
  readonly #x: Float64Array;
  readonly #ahead: Float64Array;
  /** Which vertices were unknowns in the last step. */
  #lastFree = new Uint8Array(0);
  #h = 1;

  constructor(model: Model, soft: SoftBodies | undefined, carriers: SoftCarriers, frames: Frames) {
    const length = 3 * model.size.softVertex;
    this.#model = model;
    this.#soft = soft;
    this.#carriers = carriers;
    this.#frames = frames;
    this.#x = new Float64Array(length);
    this.#ahead = new Float64Array(length);
    const gradient = new Float64Array(length);
    this.#parts = (soft?.parts ?? []).map((part) => {
      const { first, mesh } = part;
      const end = first + mesh.vertexCount;
      return {
        soft: part,
        x: this.#x.subarray(3 * first, 3 * end),
        ahead: this.#ahead.subarray(3 * first, 3 * end),
        gradient: gradient.subarray(3 * first, 3 * end),
        frame: carriers.frame.subarray(first, end),
        edge: new Int32Array(mesh.pattern.pairCount),
        ownEdge: new Int32Array(mesh.pattern.pairCount),
        reach: 0,
        weight: 1,
      };
    });
    this.isEmpty = this.#parts.length === 0;
  }

  /** Holds, prediction and the pattern of the matrix at the start of a step. */
  begin(state: State, work: Workspace, matrix: BodyMatrix, h: number): void {
    if (this.#soft === undefined || this.isEmpty) return;
    this.#h = h;
    this.rounding = 0;
    for (let n = 0; n < this.#parts.length; n++) {
      const part = this.#parts[n];
      const { soft, frame } = part;
      const { mesh, boundary, first } = soft;
      part.reach = h;
      part.weight = 1;
      this.#soft.updateHolds(n, this.#model, state, work, h);
      const { isPrescribed, target } = boundary;
      for (let v = 0; v < mesh.vertexCount; v++) {
        // attached vertices move with their body and have no target
        if (frame[v] < this.#frames.firstSoft) isPrescribed[v] = 0;
        else if (isPrescribed[v] !== 0)
          this.#frames.holdAt(first + v, target[3 * v], target[3 * v + 1], target[3 * v + 2]);
      }
      beginStep(mesh, soft, boundary, { gravity: work.plan.gravity, force: soft.force }, soft.work, h);
      this.rounding += 2 ** -46 * h * h * measureStiffness(mesh);
    }
    this.#beginPattern(matrix);
  }

  /** Takes the step of soft body n at order two, where it has begun: x̂ for the start, x̃ for the prediction. */
  raiseOrder(n: number, history: StepHistory, { share, reach, weight, before }: StepFormula): void {
    const h = this.#h;
    const part = this.#parts[n];
    const { first, mesh, boundary, work, position, velocity } = part.soft;
    const from = 3 * (this.#frames.firstSoft + first);
    part.reach = reach;
    part.weight = weight;
    for (let v = 0; v < mesh.vertexCount; v++) {
      for (let i = 3 * v; i < 3 * v + 3; i++) {
        const moved = position[i] - history.position[from + i];
        const speedBefore = history.softVelocity[3 * first + i];
        const lead = moved - before * speedBefore + (reach - before) * (velocity[i] - speedBefore);
        const acceleration = (work.predicted[i] - position[i] - h * velocity[i]) / (h * h);
        work.start[i] = position[i] + share * moved;
        if (boundary.isPrescribed[v] !== 0) continue;
        work.predicted[i] = position[i] + h * velocity[i] + share * lead + reach * reach * acceleration;
      }
    }
  }

  /** w of the step of soft body n. */
  weightOf(n: number): number {
    return this.#parts[n].weight;
  }

  // pairs of vertices of tetrahedra, rebuilt if the set of unknowns has changed since the last step
  #beginPattern(matrix: BodyMatrix): void {
    const { isFree } = this.#frames;
    const isSame = this.#lastFree.length > 0 && this.#lastFree.every((free, v) => free === isFree[v]);
    if (isSame) {
      matrix.restorePattern();
      for (const { edge, ownEdge } of this.#parts) edge.set(ownEdge);
      return;
    }
    matrix.clearPattern();
    this.#couple(matrix);
    matrix.keepPattern();
    for (const { edge, ownEdge } of this.#parts) ownEdge.set(edge);
    this.#lastFree = isFree.slice();
  }

  #couple(matrix: BodyMatrix): void {
    for (const { soft, frame, edge } of this.#parts) {
      const { low, high, pairCount } = soft.mesh.pattern;
      for (let p = 0; p < pairCount; p++) edge[p] = matrix.couple(frame[low[p]], frame[high[p]]);
    }
  }

  /** Makes held vertices unknowns, or no longer. */
  setPulled(matrix: BodyMatrix, isPulled: boolean): void {
    const { held } = this.#frames;
    for (const { soft } of this.#parts) {
      const { first, mesh, boundary } = soft;
      for (const v of held) {
        if (v >= first && v < first + mesh.vertexCount) boundary.isPrescribed[v - first] = isPulled ? 0 : 1;
      }
    }
    if (isPulled) this.#couple(matrix);
  }

  /** Frame of the first vertex of soft body n. */
  shapeProxy(n: number): number {
    return this.#frames.firstSoft + this.#parts[n].soft.first;
  }

  /** Mass of soft body n, kg; Infinity where it is held or attached anywhere. */
  measureMass(n: number): number {
    const { soft } = this.#parts[n];
    let sum = 0;
    for (let v = 0; v < soft.mesh.vertexCount; v++)
      sum += this.#frames.isFree[soft.first + v] === 1 ? soft.mesh.mass[v] : Infinity;
    return sum;
  }

  /** Names every vertex by its frame, and the proxy of its body. */
  eachVertex(visit: (frame: number, shapeProxy: number) => void): void {
    const { firstSoft } = this.#frames;
    for (const { soft } of this.#parts) {
      for (let v = 0; v < soft.mesh.vertexCount; v++) visit(firstSoft + soft.first + v, firstSoft + soft.first);
    }
  }

  /** Soft bodies. */
  get count(): number {
    return this.#parts.length;
  }

  /** The first tetrahedron without positive volume at the current poses, in words; undefined where there is none. */
  describeInverted(): string | undefined {
    placeSoftVertices(this.#x, this.#carriers, this.#frames, this.#frames.current);
    for (let n = 0; n < this.#parts.length; n++) {
      const t = this.#volume.findInverted(this.#parts[n].soft.mesh, this.#parts[n].x);
      const name = this.#model.soft.name[n];
      if (t >= 0) return `tetrahedron ${t} of ${name ? `"${name}"` : `soft body ${n}`}`;
    }
    return undefined;
  }

  /** E at the poses; Infinity where a tetrahedron has no volume left. */
  value(poses: FramePoses): number {
    if (this.isEmpty) return 0;
    const h = this.#h;
    placeSoftVertices(this.#x, this.#carriers, this.#frames, poses);
    let energy = 0;
    for (const { soft, x, gradient, reach, weight } of this.#parts) {
      const { mesh, boundary, work } = soft;
      energy += weight * evaluateStep(gradient, mesh, boundary, work, reach, x) + h * h * this.#volume.value(mesh, x);
    }
    return energy;
  }

  /** Whether the barrier of volumes pushes at the current poses. */
  get isNearlyFlat(): boolean {
    placeSoftVertices(this.#x, this.#carriers, this.#frames, this.#frames.current);
    return this.#parts.some(({ soft, x }) => this.#volume.value(soft.mesh, x) !== 0);
  }

  /** Adds gradient and Hessian at the poses evaluated last. */
  add(matrix: BodyMatrix, poses: FramePoses, isProjected: boolean): void {
    const h = this.#h;
    const { firstSoft } = this.#frames;
    for (const { soft, x, gradient, frame, edge, reach, weight } of this.#parts) {
      const { mesh, boundary, work, first } = soft;
      if (!matrix.isGradientOnly) assembleStep(mesh, boundary, work, reach, x, isProjected);
      const { values, low, high, pairCount } = work.hessian;
      for (let v = 0; v < mesh.vertexCount; v++) {
        if (frame[v] < firstSoft) {
          this.#addAttached(matrix, poses, soft, v, x, gradient, frame[v], isProjected, weight);
        } else {
          const block = matrix.blockOf(firstSoft + first + v);
          if (block < 0) continue;
          const row = matrix.rowOf(block);
          for (let k = 0; k < 3; k++) matrix.gradient[row + k] += weight * gradient[3 * v + k];
          matrix.addVertexBlock(block, values, 9 * v, weight);
        }
      }
      for (let p = 0, o = 9 * mesh.vertexCount; p < pairCount && !matrix.isGradientOnly; p++, o += 9) {
        const a = high[p];
        const b = low[p];
        if (frame[a] < firstSoft || frame[b] < firstSoft)
          this.#addPair(matrix, poses, frame, a, b, x, values, o, weight);
        else if (edge[p] >= 0) matrix.addEdgeBlock(edge[p], values, o, weight);
      }
      this.#volume.add(matrix, poses, mesh, x, frame, h * h, isProjected);
    }
  }

  /** The largest part of the paths of the frames, at most `end`, on which no tetrahedron turns inside out. */
  limit(end: number): number {
    if (this.isEmpty) return end;
    const { firstSoft, current, paths, step } = this.#frames;
    const { frame, local, attached } = this.#carriers;
    placeSoftVertices(this.#x, this.#carriers, this.#frames, current);
    for (let v = 0, f = firstSoft; v < frame.length; v++, f++)
      for (let k = 0; k < 3; k++) this.#ahead[3 * v + k] = this.#x[3 * v + k] + step[6 * f + k];
    for (const v of attached) writePoint(this.#ahead, 3 * v, paths, frame[v], local, 3 * v, 1);
    let free = end;
    for (const { soft, x, ahead } of this.#parts) free = this.#volume.limit(soft.mesh, x, ahead, free);
    return free;
  }

  /** Writes the step of free vertices to where they would be without elasticity and contact. */
  writeInertialPredictor(): void {
    const { firstSoft, isFree, step, current } = this.#frames;
    for (const { soft } of this.#parts) {
      const { first, mesh, work } = soft;
      for (let v = 0; v < mesh.vertexCount; v++) {
        if (isFree[first + v] === 0) continue;
        const f = firstSoft + first + v;
        for (let k = 0; k < 3; k++) step[6 * f + k] = work.predicted[3 * v + k] - current.position[3 * f + k];
      }
    }
  }

  /** Velocities of all vertices at the accepted poses, m/s, and those that lead there from the state, where they may differ. */
  writeVelocities(out: Float64Array, state: State, advance: Float64Array): void {
    if (this.isEmpty) return;
    placeSoftVertices(this.#x, this.#carriers, this.#frames, this.#frames.current);
    for (let i = 0; i < out.length; i++) out[i] = (this.#x[i] - state.softPosition[i]) / this.#h;
    for (let i = 0; i < advance.length; i++) advance[i] = out[i];
    for (const { soft, x, reach, weight } of this.#parts) {
      if (weight === 1) continue;
      for (let i = 0; i < x.length; i++) out[3 * soft.first + i] = (x[i] - soft.work.start[i]) / reach;
    }
  }

  // gradient and diagonal block of a vertex that is a point of a body
  #addAttached(
    matrix: BodyMatrix,
    poses: FramePoses,
    { work }: SoftPart,
    v: number,
    x: Float64Array,
    gradient: Float64Array,
    frame: number,
    isProjected: boolean,
    weight: number,
  ): void {
    const blocks = this.#blocks;
    blocks.count = 1;
    blocks.frame[0] = frame;
    for (let a = 0; a < 3; a++) {
      blocks.x[a] = x[3 * v + a];
      blocks.gradient[a] = weight * gradient[3 * v + a];
      for (let b = 0; b < 3; b++) blocks.hessian[12 * a + b] = weight * work.hessian.values[9 * v + 3 * a + b];
    }
    blocks.addTo(matrix, poses, !isProjected);
  }

  // the block between vertices a and b one of which is a point of a body, at least
  #addPair(
    matrix: BodyMatrix,
    poses: FramePoses,
    frame: Int32Array,
    a: number,
    b: number,
    x: Float64Array,
    values: Float64Array,
    o: number,
    weight: number,
  ): void {
    const blocks = this.#blocks;
    const { hessian } = blocks;
    blocks.count = 2;
    blocks.frame[0] = frame[a];
    blocks.frame[1] = frame[b];
    blocks.gradient.fill(0, 0, 6);
    hessian.fill(0);
    for (let i = 0; i < 3; i++) {
      blocks.x[i] = x[3 * a + i];
      blocks.x[3 + i] = x[3 * b + i];
      for (let j = 0; j < 3; j++) hessian[12 * i + 3 + j] = hessian[12 * (3 + j) + i] = weight * values[o + 3 * i + j];
    }
    blocks.addTo(matrix, poses, false);
  }
}
