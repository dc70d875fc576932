/**
 * How lagged friction depends on where a step starts, for derivatives. With λ · ∂E/∂x of friction at the solution x:
 *   from where points slide   u = Tᵀ (x − x⁰): exactly, by the Hessian of E in u (RigidFriction.addStartRate, FrictionTerm.writeSlope)
 *   lagged forces, tangents and nearest points   by centred differences of the lagging alone, with u as it is: no solve
 * Frames that touch no common contact are moved together (colours of a graph), so that the differences of all contacts take a number of
 * laggings that does not grow with the scene: twelve per colour. The differences make a matrix G = ∂²E/∂x∂x⁰ of blocks of frames.
 */
import { copyPoses, type FramePoses } from '../../dynamics/frames.ts';
import { integrateQuaternion, matrixFromQuaternion } from '../../linear-algebra/quaternion.ts';
import type { IpcObjective } from './ipc-objective.ts';

/** Length of differences, share of the least gap, and the most, m or rad. */
const SHARE = 1e-4;
const LONGEST = 2e-8;

/** Rows of one frame by the start of another, 6 × 6, of friction of rigid frames or of soft bodies. */
interface StartBlock {
  readonly isSoft: boolean;
  readonly row: number;
  readonly start: number;
  readonly values: Float64Array;
}

const unit = /* @__PURE__ */ new Float64Array(3);
const gradient = /* @__PURE__ */ new Float64Array(24);
const slope = /* @__PURE__ */ new Float64Array(3);
const along = /* @__PURE__ */ new Float64Array(3);

export class FrictionStart {
  readonly #objective: IpcObjective;
  readonly #blocks = new Map<number, StartBlock>();
  /** Poses of the start and of the solution. */
  readonly #base: FramePoses;
  readonly #end: FramePoses;
  /** Points of surfaces at the start and at the end of the step. */
  #startPoints = new Float64Array(0);
  #endPoints = new Float64Array(0);

  constructor(objective: IpcObjective) {
    this.#objective = objective;
    this.#base = createCopy(objective.frames.start);
    this.#end = createCopy(objective.frames.start);
  }

  get isEmpty(): boolean {
    const { friction, rigidFriction } = this.#objective;
    return friction.count + rigidFriction.count === 0;
  }

  /** Takes G as zero. */
  clear(): void {
    this.#blocks.clear();
  }

  /**
   * Measures G; poses are those of the solution, and `lag` takes friction at the current ones. Leaves the objective at the start of the step:
   * the caller brings it back.
   */
  measure(h: number, lag: () => void): void {
    const { frames, surfaces, candidates, collisions } = this.#objective;
    const { current, start } = frames;
    this.#blocks.clear();
    copyPoses(this.#base, start);
    copyPoses(this.#end, current);
    surfaces.place(this.#end);
    this.#endPoints = surfaces.world.slice();
    const colours = this.#paint();
    copyPoses(current, start);
    candidates.forget();
    surfaces.place(start);
    this.#startPoints = surfaces.world.slice();
    candidates.cover();
    this.#objective.place(start);
    const length = Math.min(LONGEST, SHARE * Math.max(collisions.nearest, 1e-9));
    const count = Math.max(0, ...colours.values()) + 1;
    for (let colour = 0; colour < count; colour++) {
      const moved = [...colours.keys()].filter((f) => colours.get(f) === colour);
      const isMoved = new Set(moved);
      for (let k = 0; k < 6; k++) {
        const turning = k < 3 ? moved : moved.filter((f) => f < frames.moving);
        if (turning.length === 0) continue;
        for (const sign of [1, -1]) {
          this.#shift(turning, k, sign * length);
          lag();
          this.#return(turning, h);
          this.#gather(isMoved, k, sign / (2 * length));
        }
      }
    }
  }

  // every frame that is an unknown and has friction: a colour that none it touches has
  #paint(): Map<number, number> {
    const { friction, rigidFriction, frames } = this.#objective;
    const near = new Map<number, Set<number>>();
    const join = (members: readonly number[]): void => {
      for (const f of members) {
        const known = near.get(f) ?? new Set();
        for (const g of members) if (g !== f) known.add(g);
        near.set(f, known);
      }
    };
    for (let f = 0; f < rigidFriction.count; f++)
      join([rigidFriction.frameOf(f, 0), rigidFriction.frameOf(f, 1)].filter((g) => this.#isUnknown(g)));
    for (let f = 0; f < friction.count; f++) {
      const { frame, count } = friction.readPoints(f, frames.current);
      join([...new Set(frame.subarray(0, count))].filter((g) => this.#isUnknown(g)));
    }
    const colours = new Map<number, number>();
    for (const [f, others] of near) {
      const taken = new Set([...others].map((g) => colours.get(g)));
      let colour = 0;
      while (taken.has(colour)) colour++;
      colours.set(f, colour);
    }
    return colours;
  }

  // whether the start of a frame is part of the state, as an unknown or as a vertex that is held
  #isUnknown(frame: number): boolean {
    const { moving, firstSoft } = this.#objective.frames;
    return frame < moving || frame >= firstSoft;
  }

  #shift(moved: readonly number[], k: number, amount: number): void {
    const { start, current } = this.#objective.frames;
    unit.fill(0);
    unit[k % 3] = 1;
    for (const f of moved) {
      if (k < 3) start.position[3 * f + k] += amount;
      else {
        integrateQuaternion(start.orientation, 4 * f, unit, 0, amount);
        matrixFromQuaternion(start.rotation, 9 * f, start.orientation, 4 * f);
      }
    }
    copyPoses(current, start);
  }

  // the start as it was, with the forces of where it has been
  #return(moved: readonly number[], h: number): void {
    const { frames, displacement, inertia, friction, surfaces } = this.#objective;
    const { start } = frames;
    for (const f of moved) {
      for (let i = 3 * f; i < 3 * f + 3; i++) start.position[i] = this.#base.position[i];
      for (let i = 4 * f; i < 4 * f + 4; i++) start.orientation[i] = this.#base.orientation[i];
      for (let i = 9 * f; i < 9 * f + 9; i++) start.rotation[i] = this.#base.rotation[i];
    }
    displacement.begin(inertia.velocity, h);
    friction.slideFrom(this.#startPoints, start);
    surfaces.world.set(this.#endPoints);
    displacement.take(this.#end);
    displacement.differentiate();
  }

  #gather(isMoved: ReadonlySet<number>, k: number, weight: number): void {
    const { friction, rigidFriction, frames, scale } = this.#objective;
    for (let f = 0; f < rigidFriction.count; f++) {
      const a = rigidFriction.frameOf(f, 0);
      const b = rigidFriction.frameOf(f, 1);
      const start = isMoved.has(a) ? a : isMoved.has(b) ? b : -1;
      if (start < 0) continue;
      rigidFriction.writeGradient(gradient, f, scale);
      if (a < frames.moving) this.#add(false, a, start, k, weight, gradient.subarray(0, 6));
      if (b < frames.moving) this.#add(false, b, start, k, weight, gradient.subarray(6, 12));
    }
    for (let f = 0; f < friction.count; f++) {
      const blocks = friction.readPoints(f, this.#end);
      const start = blocks.frame.subarray(0, blocks.count).find((g) => isMoved.has(g));
      if (start === undefined || (k > 2 && start >= frames.moving)) continue;
      friction.writeSlope(slope, f, this.#end, scale);
      for (let i = 0; i < blocks.count; i++) {
        const frame = blocks.frame[i];
        if (!this.#isUnknown(frame)) continue;
        this.#writePointForce(frame, friction.weightOf(f, i), blocks.x, 3 * i);
        this.#add(true, frame, start, k, weight, gradient.subarray(0, frame < frames.moving ? 6 : 3));
      }
    }
  }

  // c f and its torque about the frame at the end of the step
  #writePointForce(frame: number, c: number, x: Float64Array, o: number): void {
    const { position } = this.#end;
    for (let k = 0; k < 3; k++) gradient[k] = c * slope[k];
    addTorque(x, o, position, 3 * frame);
  }

  #add(isSoft: boolean, row: number, start: number, k: number, weight: number, from: Float64Array): void {
    const key = 2 * (row * this.#objective.frames.count + start) + (isSoft ? 1 : 0);
    let block = this.#blocks.get(key);
    if (!block) {
      block = { isSoft, row, start, values: new Float64Array(36) };
      this.#blocks.set(key, block);
    }
    for (let i = 0; i < from.length; i++) block.values[6 * i + k] += weight * from[i];
  }

  /**
   * Adds the derivatives of λ · ∂E/∂x by the start, six numbers per frame; friction is that of the step, and poses those of the solution.
   * `soft` is the λ of friction of soft bodies.
   */
  addRate(out: Float64Array, lambda: Float64Array, soft: Float64Array): void {
    const { frames, friction, rigidFriction, displacement, surfaces, scale } = this.#objective;
    for (const { isSoft, row, start, values } of this.#blocks.values()) {
      const by = isSoft ? soft : lambda;
      for (let i = 0; i < 6; i++) for (let k = 0; k < 6; k++) out[6 * start + k] += by[6 * row + i] * values[6 * i + k];
    }
    if (rigidFriction.count > 0) {
      displacement.take(frames.current);
      displacement.differentiate();
      rigidFriction.addStartRate(out, lambda, scale);
    }
    if (friction.count === 0) return;
    const forces = new Float64Array(3 * friction.count);
    for (let f = 0; f < friction.count; f++) {
      const blocks = friction.readPoints(f, frames.current);
      along.fill(0);
      for (let i = 0; i < blocks.count; i++)
        this.#addAlong(soft, blocks.frame[i], friction.weightOf(f, i), blocks.x, 3 * i);
      friction.writeSlope(slope, f, frames.current, scale, along);
      forces.set(slope, 3 * f);
    }
    const points = surfaces.world.slice();
    surfaces.world.set(this.#startPoints);
    for (let f = 0; f < friction.count; f++) this.#addStartForce(out, f, forces);
    surfaces.world.set(points);
  }

  // along += c (dx + dθ × a) of a point
  #addAlong(lambda: Float64Array, frame: number, c: number, x: Float64Array, o: number): void {
    const { moving, current } = this.#objective.frames;
    const l = 6 * frame;
    for (let k = 0; k < 3; k++) along[k] += c * lambda[l + k];
    if (frame >= moving) return;
    const [a, b, d] = [0, 1, 2].map((k) => x[o + k] - current.position[3 * frame + k]);
    along[0] += c * (lambda[l + 4] * d - lambda[l + 5] * b);
    along[1] += c * (lambda[l + 5] * a - lambda[l + 3] * d);
    along[2] += c * (lambda[l + 3] * b - lambda[l + 4] * a);
  }

  // the points that contact f slides from go with their frames
  #addStartForce(out: Float64Array, f: number, forces: Float64Array): void {
    const { friction, frames } = this.#objective;
    const { start } = frames;
    const blocks = friction.readPoints(f, start);
    for (let i = 0; i < blocks.count; i++) {
      const frame = blocks.frame[i];
      if (!this.#isUnknown(frame)) continue;
      const c = friction.weightOf(f, i);
      for (let k = 0; k < 3; k++) gradient[k] = c * forces[3 * f + k];
      addTorque(blocks.x, 3 * i, start.position, 3 * frame);
      for (let k = 0; k < 3; k++) out[6 * frame + k] -= gradient[k];
      if (frame >= frames.moving) continue;
      for (let k = 0; k < 3; k++)
        for (let r = 0; r < 3; r++) out[6 * frame + 3 + k] -= start.rotation[9 * frame + 3 * r + k] * gradient[3 + r];
    }
  }
}

function createCopy({ position, orientation, rotation }: FramePoses): FramePoses {
  return { position: position.slice(), orientation: orientation.slice(), rotation: rotation.slice() };
}

// the torque of the force in `gradient` about p, behind it
function addTorque(x: Float64Array, i: number, p: Float64Array, j: number): void {
  const a = x[i] - p[j];
  const b = x[i + 1] - p[j + 1];
  const c = x[i + 2] - p[j + 2];
  gradient[3] = b * gradient[2] - c * gradient[1];
  gradient[4] = c * gradient[0] - a * gradient[2];
  gradient[5] = a * gradient[1] - b * gradient[0];
}
