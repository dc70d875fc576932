/**
 * How pushes to spins change by where their torques act (dynamics/push-turn.ts). Barriers, joints and drives act at the end of the step:
 *   t = R⁰ᵀ (∂E/∂δ of inertia + ∂E/∂δ of friction)/h
 * since all gradients together are zero. Friction acts on u itself (incremental-displacement.ts), as a push at the start does, unless its pivot is
 * elsewhere. A body that takes a step of order two has the velocity of its formula.
 * An impact, a push K of more than a hundredth of u, must not give the energy of the turn to the body: of s a share is taken with which it has
 *   ½ (ω + K + s)ᵀ I (ω + K + s) ≤ ½ ωᵀ I ω + Kᵀ I u
 * at most, the work of the push on its way; ω spin at the start, rad/s; I inertia, kg m².
 */
import { type PushedBody, reversePushShift, writePushShift } from '../../dynamics/push-turn.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { State } from '../../state/state.ts';
import type { IpcObjective } from './ipc-objective.ts';

/** Share of u from which a push is an impact. */
const STRONG = 0.01;

const torque = /* @__PURE__ */ new Float64Array(3);
const body: PushedBody = {
  impulse: /* @__PURE__ */ new Float64Array(3),
  way: /* @__PURE__ */ new Float64Array(3),
  inertia: /* @__PURE__ */ new Float64Array(9),
};
const push = /* @__PURE__ */ new Float64Array(3);
const bar = /* @__PURE__ */ new Float64Array(3);

export class PushShift {
  readonly #objective: IpcObjective;
  /** u of the last step, by dof. */
  readonly #way: Float64Array;
  /** Whether it takes less than the whole shift of some body. */
  #isCut = false;

  constructor(objective: IpcObjective) {
    this.#objective = objective;
    this.#way = new Float64Array(6 * objective.frames.moving);
  }

  /** Whether the last step takes less than the whole shift of some body: it has no derivative here. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Writes `pushShift` of the accepted poses, after their acceleration. */
  write({ velocity }: State, work: Workspace, h: number): void {
    const { frames, inertia } = this.#objective;
    const { acceleration, advanceShift, pushShift } = work;
    const way = this.#way;
    this.#isCut = false;
    const forces = this.#objective.rigidFriction.measureForces(frames.current);
    for (let g = 0; g < frames.moving; g++) {
      const i = 6 * g + 3;
      if (inertia.weight[g] !== 1) {
        pushShift.fill(0, i, i + 3);
        continue;
      }
      for (let k = i; k < i + 3; k++) way[k] = velocity[k] + h * acceleration[k] + advanceShift[k];
      this.#readBody(g, forces, h);
      writePushShift(pushShift, i, body, h);
      this.#cut(g, velocity, work, h);
    }
  }

  // takes the share of s with which an impact gives no energy
  #cut(g: number, velocity: Float64Array, { acceleration, inertialChange, pushShift }: Workspace, h: number): void {
    const { inertia } = this.#objective.inertia;
    const i = 6 * g + 3;
    const way = this.#way;
    let strength = 0;
    let speed = 0;
    for (let k = 0; k < 3; k++) {
      push[k] = h * acceleration[i + k] - inertialChange[i + k];
      strength += push[k] * push[k];
      speed += way[i + k] * way[i + k];
    }
    if (!(strength > STRONG * STRONG * speed)) return;
    // the bound in powers of the share: constant + linear σ + ½ square σ² ≤ 0
    let constant = 0;
    let linear = 0;
    let square = 0;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        const m = inertia[9 * g + 3 * r + c];
        constant += m * push[r] * (velocity[i + c] + 0.5 * push[c] - way[i + c]);
        linear += m * pushShift[i + r] * (velocity[i + c] + push[c]);
        square += m * pushShift[i + r] * pushShift[i + c];
      }
    }
    if (!(constant + linear + 0.5 * square > 0)) return;
    this.#isCut = true;
    const root = linear * linear - 2 * square * constant;
    const share = constant < 0 ? (-2 * constant) / (linear + Math.sqrt(root)) : 0;
    for (let k = i; k < i + 3; k++) pushShift[k] *= share;
  }

  /**
   * From the gradient y by `pushShift`, by dof: adds that by u to `byWay`, that by the start to `start`, and writes that by the angular impulse over
   * h, six numbers per frame in the world: what inertia and friction of the solution depend on.
   */
  reverse(byImpulse: Float64Array, y: Float64Array, byWay: Float64Array, start: Float64Array, h: number): void {
    const { frames, inertia } = this.#objective;
    const { rotation } = frames.start;
    const { impulse } = body;
    const forces = this.#objective.rigidFriction.measureForces(frames.current);
    byImpulse.fill(0);
    for (let g = 0; g < frames.moving; g++) {
      const i = 6 * g + 3;
      if (inertia.weight[g] !== 1 || (y[i] === 0 && y[i + 1] === 0 && y[i + 2] === 0)) continue;
      this.#readBody(g, forces, h);
      reversePushShift(bar, byWay, y, i, body, h);
      for (let k = 0; k < 3; k++) {
        const r = 9 * g + 3 * k;
        const [p, q] = [(k + 1) % 3, (k + 2) % 3];
        byImpulse[i + k] = (rotation[r] * bar[0] + rotation[r + 1] * bar[1] + rotation[r + 2] * bar[2]) / h;
        start[i + k] += bar[p] * impulse[q] - bar[q] * impulse[p];
      }
    }
  }

  // t, u and J of frame g
  #readBody(g: number, forces: Float64Array, h: number): void {
    const { frames, inertia, displacement } = this.#objective;
    const { rotation } = frames.start;
    const { impulse, way } = body;
    for (let k = 0; k < 9; k++) body.inertia[k] = inertia.inertia[9 * g + k];
    inertia.writeTorque(torque, g, frames.current);
    const isFromStart = displacement.turnsFromStart(g);
    for (let k = 0; k < 3; k++) torque[k] = torque[k] / h - (isFromStart ? h * forces[6 * g + 3 + k] : 0);
    for (let k = 0; k < 3; k++) {
      const r = 9 * g + k;
      way[k] = this.#way[6 * g + 3 + k];
      impulse[k] = rotation[r] * torque[0] + rotation[r + 3] * torque[1] + rotation[r + 6] * torque[2];
    }
  }
}
