/**
 * Where bodies and soft vertices are at poses of the frames, for the user's terms. A body b of a frame moves with it, arm a from the
 * origin of the frame: x_b = x + a, dx_b = dx + dθ × a. Soft vertices that are fixed to a frame do likewise.
 */
import { placeSoftVertices, type SoftCarriers } from '../../../collision/surface/soft-carriers.ts';
import type { FramePoses, Frames } from '../../../dynamics/frames.ts';
import type { Workspace } from '../../../dynamics/workspace.ts';
import type { Model } from '../../../model/model.ts';
import type { Configuration, Direction } from '../../../term/term.ts';

export class TermConfiguration implements Configuration {
  readonly bodyPosition: Float64Array;
  readonly bodyRotation: Float64Array;
  readonly softPosition: Float64Array;
  readonly model: Model;
  readonly frames: Frames;
  readonly carriers: SoftCarriers;
  /** The arm that was read last, m. */
  readonly arm: Float64Array = new Float64Array(3);
  /** Per body: where it is in its frame, m, and how it is turned there. */
  readonly #offset: Float64Array;
  readonly #turn: Float64Array;
  readonly #direction: Direction;

  constructor(model: Model, frames: Frames, carriers: SoftCarriers) {
    const { size } = model;
    this.model = model;
    this.frames = frames;
    this.carriers = carriers;
    this.bodyPosition = new Float64Array(3 * size.body);
    this.bodyRotation = new Float64Array(9 * size.body);
    this.softPosition = new Float64Array(3 * size.softVertex);
    this.#offset = new Float64Array(3 * size.body);
    this.#turn = new Float64Array(9 * size.body);
    this.#direction = { body: new Float64Array(6 * size.body), vertex: new Float64Array(3 * size.softVertex) };
  }

  /** Takes where bodies are in their frames: mocap bodies have been put where they are to be, their frames have not. */
  begin({ bodyPosition, bodyRotation }: Workspace): void {
    const { ofBody, moving, start, mocapBody } = this.frames;
    for (let b = 0; b < this.model.size.body; b++) {
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

  /** Moves bodies and vertices to where some poses have them. */
  place(poses: FramePoses): void {
    const { bodyPosition, bodyRotation, softPosition } = this;
    const { position, rotation } = poses;
    for (let b = 0; b < this.model.size.body; b++) {
      const f = this.frames.ofBody[b];
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
    if (softPosition.length > 0) placeSoftVertices(softPosition, this.carriers, this.frames, poses);
  }

  /** Writes `arm` from the origin of a frame to that of a body, or to a vertex where `body` is −1, in world axes. */
  readArm(body: number, vertex: number, f: number, { position }: FramePoses): void {
    const { bodyPosition, softPosition } = this;
    for (let k = 0; k < 3; k++)
      this.arm[k] = (body >= 0 ? bodyPosition[3 * body + k] : softPosition[3 * vertex + k]) - position[3 * f + k];
  }

  /** Frame of unknown i of a block: its bodies come first, then its vertices. */
  frameOf(bodies: ArrayLike<number>, vertices: ArrayLike<number>, i: number): number {
    return i < bodies.length ? this.frames.ofBody[bodies[i]] : this.carriers.frame[vertices[i - bodies.length]];
  }

  /** Unknowns of a frame. */
  sizeOf(frame: number): number {
    return frame < this.frames.firstSoft ? 6 : 3;
  }

  /** The step of the frames as one of bodies and vertices; overwritten by the next. */
  readDirection(step: Float64Array, poses: FramePoses): Direction {
    const { body, vertex } = this.#direction;
    for (let b = 1; b < this.model.size.body; b++) {
      const f = this.frames.ofBody[b];
      this.readArm(b, -1, f, poses);
      for (let k = 3; k < 6; k++) body[6 * b + k] = step[6 * f + k];
      this.#writePointStep(body, 6 * b, step, f);
    }
    for (let v = 0; v < this.model.size.softVertex; v++) {
      const f = this.carriers.frame[v];
      if (f < this.frames.firstSoft) this.readArm(-1, v, f, poses);
      else this.arm.fill(0);
      this.#writePointStep(vertex, 3 * v, step, f);
    }
    return this.#direction;
  }

  // dx + dθ × a
  #writePointStep(out: Float64Array, o: number, step: Float64Array, f: number): void {
    const a = this.arm;
    const i = 6 * f;
    out[o] = step[i] + step[i + 4] * a[2] - step[i + 5] * a[1];
    out[o + 1] = step[i + 1] + step[i + 5] * a[0] - step[i + 3] * a[2];
    out[o + 2] = step[i + 2] + step[i + 3] * a[1] - step[i + 4] * a[0];
  }
}
