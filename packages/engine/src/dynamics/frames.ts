/**
 * Frames that carry points: first the movable groups of bodies (unknowns, six numbers each), then the world, then mocap bodies,
 * then the vertices of soft bodies (three numbers each; frames that do not turn). A frame of a group stands at its centre of mass
 * with the axes of its topmost body. Soft vertices that are held are moved as mocap bodies are.
 *   x ← x + α dx,   R ← exp(α dθ) R       dx, dθ in world axes (m, rad): the world perturbation, everywhere
 */

import { PATH, writePoseAt, writePosePath } from '../geometry/motion/pose-path.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import {
  matrixFromQuaternion,
  multiplyQuaternions,
  normalizeQuaternion,
  relativeQuaternion,
  rotationVector,
} from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import type { ConstraintImpulses } from '../state/constraint-impulses.ts';
import type { State } from '../state/state.ts';
import type { Workspace } from './workspace.ts';

/** Poses of all frames at one iterate. */
export interface FramePoses {
  readonly position: Float64Array;
  readonly orientation: Float64Array;
  /** 3 × 3, row by row. */
  readonly rotation: Float64Array;
}

/** Differences of poses that are round-off, m and rad. */
const NEAR = 1e-12;

/** First number of entries of the state that say where mocap bodies came to; joints have 0. */
const REACHED = 1;

const turn = /* @__PURE__ */ new Float64Array(4);

export class Frames {
  /** Movable groups; frame `moving` is the world. */
  readonly moving: number;
  /** Frame of the first soft vertex: those before it are rigid; and all of them. */
  readonly firstSoft: number;
  readonly count: number;
  /** Per soft vertex: whether it is an unknown of the step: neither held nor fixed to a body. */
  readonly isFree: Uint8Array;
  /** Soft vertices of solids: factors of shells and rods stay small. */
  readonly solidVertices: number;
  /** Per body of the model: its frame. */
  readonly ofBody: Int32Array;
  /** Per mocap frame: its body. */
  readonly mocapBody: readonly number[];
  readonly start: FramePoses;
  readonly current: FramePoses;
  readonly trial: FramePoses;
  /** Six numbers per frame: dx, dθ; zero for the world. */
  readonly step: Float64Array;
  #kept: FramePoses | undefined;
  /** The way from `current` along `step`, for CCD. */
  readonly paths: Float64Array;
  readonly #pose = new Float64Array(7);
  /** Per mocap frame: where the user has put it, position and quaternion. */
  readonly target: Float64Array;
  /** Held soft vertices, and per vertex where it is to be, m. */
  readonly held: number[] = [];
  readonly softTarget: Float64Array;
  /** Whether mocap frames are not where the last step has left them: another state. */
  hasJumped = false;
  /** Whether mocap frames and held vertices are unknowns for now (prescribed-motion.ts). */
  isPulled = false;
  readonly #isAttached: Uint8Array;

  constructor(model: Model, memory: Memory) {
    const { body, joint, size } = model;
    this.moving = size.joint;
    const mocapBody: number[] = [];
    this.ofBody = new Int32Array(size.body).fill(this.moving);
    const groupOf = new Int32Array(size.body).fill(-1);
    for (let j = 0; j < size.joint; j++) groupOf[joint.body[j]] = j;
    for (let b = 1; b < size.body; b++) {
      const root = body.root[b];
      if (groupOf[body.weld[b]] >= 0) this.ofBody[b] = groupOf[body.weld[b]];
      else if (body.mocap[root] >= 0) {
        let place = mocapBody.indexOf(root);
        if (place < 0) place = mocapBody.push(root) - 1;
        this.ofBody[b] = this.moving + 1 + place;
      }
    }
    this.mocapBody = mocapBody;
    this.firstSoft = this.moving + 1 + mocapBody.length;
    this.count = this.firstSoft + size.softVertex;
    this.isFree = new Uint8Array(size.softVertex);
    const { dimension, vertexStart } = model.soft;
    this.solidVertices = dimension.reduce((sum, d, n) => (d < 3 ? sum : sum + vertexStart[n + 1] - vertexStart[n]), 0);
    this.#isAttached = new Uint8Array(size.softVertex);
    const { attachment } = model.soft;
    attachment.vertex.forEach((v, n) => {
      if (this.ofBody[attachment.body[n]] < this.moving) this.#isAttached[v] = 1;
    });
    this.softTarget = new Float64Array(3 * size.softVertex);
    this.target = new Float64Array(7 * mocapBody.length);
    this.start = createPoses(this.count, memory);
    this.current = createPoses(this.count, memory);
    this.trial = createPoses(this.count, memory);
    this.step = memory.f64(6 * this.count);
    this.paths = memory.f64(16 * this.count);
  }

  /** Reads the poses at the start of the step; mocap bodies are still where the last step left them, unless the state is new. */
  begin(state: State, work: Workspace): void {
    const { moving, start, current } = this;
    for (let g = 0; g < moving; g++) {
      for (let k = 0; k < 3; k++) start.position[3 * g + k] = state.position[7 * g + k];
      normalizeQuaternion(start.orientation, 4 * g, state.position, 7 * g + 3);
    }
    this.hasJumped = false;
    state.impulses.rewind();
    this.mocapBody.forEach((b, n) => {
      const f = moving + 1 + n;
      this.target.set(work.bodyPosition.subarray(3 * b, 3 * b + 3), 7 * n);
      this.target.set(work.bodyOrientation.subarray(4 * b, 4 * b + 4), 7 * n + 3);
      if (!readReached(start, f, state.impulses, n)) {
        start.position.set(this.target.subarray(7 * n, 7 * n + 3), 3 * f);
        start.orientation.set(this.target.subarray(7 * n + 3, 7 * n + 7), 4 * f);
      }
      for (let k = 0; k < 3; k++) if (start.position[3 * f + k] !== current.position[3 * f + k]) this.hasJumped = true;
      for (let k = 0; k < 4; k++)
        if (start.orientation[4 * f + k] !== current.orientation[4 * f + k]) this.hasJumped = true;
    });
    for (let f = 0; f < this.firstSoft; f++) matrixFromQuaternion(start.rotation, 9 * f, start.orientation, 4 * f);
    this.#beginSoft(state);
    this.restart();
  }

  /** Back to the start of the step. */
  restart(): void {
    copyPoses(this.current, this.start);
    copyPoses(this.trial, this.start);
    this.step.fill(0);
  }

  // held vertices stay where they are unless `holdAt` says where they are to be
  #beginSoft({ softPosition, softHeld }: State): void {
    this.start.position.set(softPosition, 3 * this.firstSoft);
    this.softTarget.set(softPosition);
    this.held.length = 0;
    this.isPulled = false;
    for (let v = 0; v < this.isFree.length; v++) {
      if (softHeld[v] !== 0 && this.#isAttached[v] === 0) this.held.push(v);
      this.isFree[v] = softHeld[v] === 0 && this.#isAttached[v] === 0 ? 1 : 0;
    }
  }

  /** Where a held vertex is to be at the end of the step, m. */
  holdAt(v: number, x: number, y: number, z: number): void {
    this.softTarget[3 * v] = x;
    this.softTarget[3 * v + 1] = y;
    this.softTarget[3 * v + 2] = z;
  }

  /** Whether a soft vertex is a point of a movable body. */
  isAttached(v: number): boolean {
    return this.#isAttached[v] === 1;
  }

  /** Whether there are mocap bodies or held vertices. */
  get hasKinematic(): boolean {
    return this.mocapBody.length + this.held.length > 0;
  }

  /** Stores the poses that mocap bodies reached, for the next step, after the multipliers of joints. */
  writeReached(out: ConstraintImpulses): void {
    const { position, orientation } = this.current;
    for (let n = 0; n < this.mocapBody.length; n++) {
      const f = this.moving + 1 + n;
      out.add(REACHED, 2 * n, position, 3 * f, 3);
      out.add(REACHED, 2 * n + 1, orientation, 4 * f, 4);
    }
  }

  /** Writes the steps of prescribed frames to their targets, zero for all others; false where all are at their targets. */
  writeKinematicStep(): boolean {
    const { step, current } = this;
    let isAway = false;
    step.fill(0);
    for (let n = 0; n < this.mocapBody.length; n++) {
      const f = this.moving + 1 + n;
      for (let k = 0; k < 3; k++) step[6 * f + k] = this.target[7 * n + k] - current.position[3 * f + k];
      // exp(dθ) = q_target q*
      for (let k = 0; k < 4; k++) turn[k] = (k === 0 ? 1 : -1) * current.orientation[4 * f + k];
      multiplyQuaternions(turn, 0, this.target, 7 * n + 3, turn, 0);
      rotationVector(step, 6 * f + 3, turn, 0);
      for (let k = 0; k < 6; k++) if (Math.abs(step[6 * f + k]) > NEAR) isAway = true;
    }
    for (const v of this.held) {
      const f = this.firstSoft + v;
      for (let k = 0; k < 3; k++) {
        step[6 * f + k] = this.softTarget[3 * v + k] - current.position[3 * f + k];
        if (Math.abs(step[6 * f + k]) > NEAR) isAway = true;
      }
    }
    return isAway;
  }

  /** The way from the current poses along the whole step. */
  writePaths(): void {
    const { current, step, paths } = this;
    const motion = { position: current.position, orientation: current.orientation, step };
    for (let f = 0; f < this.count; f++) writePosePath(paths, f, motion, 1);
  }

  /** trial = current moved by α of the step, along the same curve that CCD checked. */
  move(alpha: number): void {
    const { trial, paths } = this;
    const pose = this.#pose;
    for (let f = this.firstSoft; f < this.count; f++) {
      const o = PATH.stride * f;
      for (let k = 0; k < 3; k++)
        trial.position[3 * f + k] = paths[o + PATH.position + k] + alpha * paths[o + PATH.displacement + k];
    }
    for (let f = 0; f < this.firstSoft; f++) {
      if (f === this.moving) continue;
      writePoseAt(pose, 0, paths, f, alpha);
      for (let k = 0; k < 3; k++) trial.position[3 * f + k] = pose[k];
      normalizeQuaternion(trial.orientation, 4 * f, pose, 3);
      matrixFromQuaternion(trial.rotation, 9 * f, trial.orientation, 4 * f);
    }
  }

  /** Writes the rotation matrices of poses from their quaternions, of rigid frames. */
  writeRotations({ rotation, orientation }: FramePoses): void {
    for (let f = 0; f < this.firstSoft; f++) matrixFromQuaternion(rotation, 9 * f, orientation, 4 * f);
  }

  /** The rotation vector from the start of the step to the current pose of frame f, in its axes, rad. */
  writeTurn(out: Float64Array, f: number, o: number): void {
    relativeQuaternion(turn, 0, this.start.orientation, 4 * f, this.current.orientation, 4 * f);
    rotationVector(out, o, turn, 0);
  }

  /** Keeps the current poses, which `returnToKept` restores after `restart`. */
  keep(): void {
    const { position, orientation, rotation } = this.current;
    this.#kept ??= { position: position.slice(), orientation: orientation.slice(), rotation: rotation.slice() };
    copyPoses(this.#kept, this.current);
  }

  returnToKept(): void {
    if (this.#kept) copyPoses(this.current, this.#kept);
  }

  /** current = trial. */
  accept(): void {
    copyPoses(this.current, this.trial);
  }
}

// where mocap body n came to in the last step; false where the state has no last step
function readReached(out: FramePoses, f: number, reached: ConstraintImpulses, n: number): boolean {
  const position = reached.find(REACHED, 2 * n);
  const orientation = reached.find(REACHED, 2 * n + 1);
  if (position < 0 || orientation < 0) return false;
  for (let k = 0; k < 3; k++) out.position[3 * f + k] = reached.value[position + k];
  for (let k = 0; k < 4; k++) out.orientation[4 * f + k] = reached.value[orientation + k];
  return true;
}

function createPoses(count: number, memory: Memory): FramePoses {
  const poses = {
    position: memory.f64(3 * count),
    orientation: memory.f64(4 * count),
    rotation: memory.f64(9 * count),
  };
  for (let f = 0; f < count; f++) {
    poses.orientation[4 * f] = 1;
    poses.rotation[9 * f] = poses.rotation[9 * f + 4] = poses.rotation[9 * f + 8] = 1;
  }
  return poses;
}

export function copyPoses(to: FramePoses, from: FramePoses): void {
  to.position.set(from.position);
  to.orientation.set(from.orientation);
  to.rotation.set(from.rotation);
}
