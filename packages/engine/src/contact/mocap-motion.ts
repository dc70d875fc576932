/**
 * Velocities of mocap bodies, by which their surfaces carry what lies on them. A mocap body is placed anew before a step and has no velocity
 * of its own; from where it was at the start of the step before follow
 *   v = (p − p₀)/(t − t₀),   ω = R₀ log(q₀* q)/(t − t₀)
 * p, q its pose and t the time now, p₀, q₀ and t₀ those before; m/s and rad/s in world axes, v at its origin. A way longer than the body is a
 * jump, and so is a turn of more than a radian: it then has no velocity. Poses before are part of the state: a step writes them behind its impulses.
 * Only in scenes of our own: files that name an integrator of MuJoCo get mocap bodies without velocity, as there. With `accuracy` many steps
 * lead through one interval of `timestep`, whose pose is that of its start: all have the velocity (p − p₀)/timestep, and the poses that are
 * kept change with the last of them.
 */
import { measureShapeLength } from '../collision/shape-thickness.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { matrixFromQuaternion, relativeQuaternion, rotationVector } from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import { type ConstraintImpulses, MOCAP_POSE } from '../state/constraint-impulses.ts';
import type { State } from '../state/state.ts';

/** rad. */
const WIDEST_TURN = 1;

/** Share of an interval by which sums of steps may miss it: less than the shortest step. */
const ROUND_OFF = 1e-5;

const entry = /* @__PURE__ */ new Float64Array(6);
const turn = /* @__PURE__ */ new Float64Array(4);
const vector = /* @__PURE__ */ new Float64Array(3);
const rotation = /* @__PURE__ */ new Float64Array(9);
const before = /* @__PURE__ */ new Float64Array(7);

export class MocapMotion {
  /** Whether mocap bodies may have a velocity. */
  readonly isPresent: boolean;
  /** Per mocap body: the length of its largest shape, m. */
  readonly #length: Float64Array;
  /** With `accuracy`: time from one pose to the next, s; otherwise 0. */
  readonly #interval: number;

  constructor(model: Model) {
    const { size, options, body, shape } = model;
    this.isPresent = size.mocap > 0 && options.appliesStart;
    this.#interval = options.accuracy === undefined ? 0 : options.timestep;
    this.#length = new Float64Array(size.mocap);
    if (!this.isPresent) return;
    measureShapeLength(model).forEach((length, s) => {
      const m = s < size.shape ? body.mocap[body.root[shape.body[s]]] : -1;
      if (m >= 0) this.#length[m] = Math.max(this.#length[m], length);
    });
  }

  /** Writes the velocities of the step that begins in the state to the workspace. */
  begin({ impulses, mocapPosition, mocapOrientation, time }: State, { mocapTwist }: Workspace): void {
    if (!this.isPresent) return;
    mocapTwist.fill(0);
    impulses.rewind();
    for (let m = 0; 6 * m < mocapTwist.length; m++) {
      const p = impulses.find(MOCAP_POSE, 2 * m);
      const q = impulses.find(MOCAP_POSE, 2 * m + 1);
      if (p < 0 || q < 0) continue;
      for (let k = 0; k < 3; k++) before[k] = impulses.value[p + k];
      for (let k = 0; k < 4; k++) before[3 + k] = impulses.value[q + k];
      const passed = this.#measureTime(time[0] - impulses.value[p + 3]);
      if (!(passed > 0)) continue;
      relativeQuaternion(turn, 0, before, 3, mocapOrientation, 4 * m);
      rotationVector(vector, 0, turn, 0);
      const way = Math.hypot(
        mocapPosition[3 * m] - before[0],
        mocapPosition[3 * m + 1] - before[1],
        mocapPosition[3 * m + 2] - before[2],
      );
      if (way > this.#length[m] || Math.hypot(vector[0], vector[1], vector[2]) > WIDEST_TURN) continue;
      matrixFromQuaternion(rotation, 0, before, 3);
      for (let k = 0; k < 3; k++) {
        const r = 3 * k;
        mocapTwist[6 * m + k] = (mocapPosition[3 * m + k] - before[k]) / passed;
        mocapTwist[6 * m + 3 + k] =
          (rotation[r] * vector[0] + rotation[r + 1] * vector[1] + rotation[r + 2] * vector[2]) / passed;
      }
    }
  }

  // from one pose to the next: within an interval it is that interval; none where time was set back or ahead
  #measureTime(since: number): number {
    const interval = this.#interval;
    if (interval === 0) return since;
    return since > (1 - ROUND_OFF) * interval && since < (2 - ROUND_OFF) * interval ? interval : 0;
  }

  /** Keeps the poses and the time for the next step of length h, behind the impulses of constraints. */
  write(out: ConstraintImpulses, { impulses, mocapPosition, mocapOrientation, time }: State, h: number): void {
    if (!this.isPresent) return;
    impulses.rewind();
    for (let m = 0; m < this.#length.length; m++) {
      let start = time[0];
      if (this.#interval > 0) {
        const p = impulses.find(MOCAP_POSE, 2 * m);
        const q = impulses.find(MOCAP_POSE, 2 * m + 1);
        const since = p < 0 || q < 0 ? -1 : time[0] - impulses.value[p + 3];
        if (since >= 0 && since + h < (2 - ROUND_OFF) * this.#interval) {
          out.add(MOCAP_POSE, 2 * m, impulses.value, p, 4);
          out.add(MOCAP_POSE, 2 * m + 1, impulses.value, q, 4);
          continue;
        }
        if (this.#measureTime(since) > 0) start = impulses.value[p + 3] + this.#interval;
      }
      for (let k = 0; k < 3; k++) entry[k] = mocapPosition[3 * m + k];
      entry[3] = start;
      out.add(MOCAP_POSE, 2 * m, entry, 0, 4);
      out.add(MOCAP_POSE, 2 * m + 1, mocapOrientation, 4 * m, 4);
    }
  }
}
