/**
 * Velocities of mocap bodies, by which their surfaces carry what lies on them. A mocap body is placed anew before a step and has no velocity
 * of its own; from where it was at the start of the step before follow
 *   v = (p − p₀)/(t − t₀),   ω = R₀ log(q₀* q)/(t − t₀)
 * p, q its pose and t the time now, p₀, q₀ and t₀ those before; m/s and rad/s in world axes, v at its origin. A way longer than the body is a
 * jump, and so is a turn of more than a radian: it then has no velocity. Poses before are part of the state: a step writes them behind its impulses.
 * Only in scenes of our own: files that name an integrator of MuJoCo get mocap bodies without velocity, as there. With `accuracy`, whose trial
 * steps begin at times between two poses, they have none either.
 */
import { measureShapeLength } from '../collision/shape-thickness.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { matrixFromQuaternion, relativeQuaternion, rotationVector } from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import { type ConstraintImpulses, MOCAP_POSE } from '../state/constraint-impulses.ts';
import type { State } from '../state/state.ts';

/** rad. */
const WIDEST_TURN = 1;

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

  constructor(model: Model) {
    const { size, options, body, shape } = model;
    this.isPresent = size.mocap > 0 && options.appliesStart && options.accuracy === undefined;
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
      const passed = time[0] - impulses.value[p + 3];
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

  /** Keeps the poses and the time for the next step, behind the impulses of constraints. */
  write(out: ConstraintImpulses, { mocapPosition, mocapOrientation, time }: State): void {
    if (!this.isPresent) return;
    for (let m = 0; m < this.#length.length; m++) {
      for (let k = 0; k < 3; k++) entry[k] = mocapPosition[3 * m + k];
      entry[3] = time[0];
      out.add(MOCAP_POSE, 2 * m, entry, 0, 4);
      out.add(MOCAP_POSE, 2 * m + 1, mocapOrientation, 4 * m, 4);
    }
  }
}
