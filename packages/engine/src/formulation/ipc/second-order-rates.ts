/**
 * How a rigid frame that takes a step of order two (bdf2.ts) depends on its own state before, for derivatives: its prediction x̃, R̃ and its
 * velocity at the end, which also depends on where it ends. By centred differences of these formulas of one frame, no solve.
 *   inputs    x, φ; v, ω; x', v'; turn of the last step, ω'; force, torque       φ and turns in the axes of the frame
 *   outputs   x̃, turn of R̃ in its axes; v⁺, ω⁺
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import {
  integrateQuaternion,
  matrixFromQuaternion,
  relativeQuaternion,
  rotationVector,
} from '../../linear-algebra/quaternion.ts';
import type { State } from '../../state/state.ts';
import type { IpcObjective } from './ipc-objective.ts';
import type { SecondOrder } from './second-order.ts';

/** Inputs, of which the last six are forces; outputs. */
export const INPUTS = 30;
export const OUTPUTS = 12;
/** Length of differences: all inputs are of size 1 or smaller, forces by what they move in a step. */
const DIFFERENCE = 1e-6;

const unit = /* @__PURE__ */ new Float64Array(3);
const turn = /* @__PURE__ */ new Float64Array(3);
const quaternion = /* @__PURE__ */ new Float64Array(4);
const velocity = /* @__PURE__ */ new Float64Array(6);

export class FrameRates {
  /** By input, row by output: OUTPUTS × INPUTS; and of the end velocity by its pose in the world, 6 × 6. */
  readonly byInput: Float64Array = new Float64Array(OUTPUTS * INPUTS);
  readonly byPose: Float64Array = new Float64Array(36);
  readonly #objective: IpcObjective;
  readonly #second: SecondOrder;
  readonly #rotation = new Float64Array(9);
  readonly #end: Float64Array;

  constructor(objective: IpcObjective, second: SecondOrder) {
    this.#objective = objective;
    this.#second = second;
    this.#end = new Float64Array(6 * objective.frames.moving);
  }

  /** Of frame g; predictions and histories are as before afterwards. */
  measure(g: number, state: State, work: Workspace, h: number): void {
    const { inertia, frames } = this.#objective;
    const { history } = this.#second;
    const { start, current } = frames;
    const q = 4 * g;
    const m = 9 * g;
    for (let k = 0; k < 9; k++) this.#rotation[k] = inertia.rotation[m + k];
    relativeQuaternion(quaternion, 0, history.orientation, q, start.orientation, q);
    rotationVector(turn, 0, quaternion, 0);
    const orientation = start.orientation.slice(q, q + 4);
    const before = history.orientation.slice(q, q + 4);
    const places: readonly [Float64Array, number][] = [
      [start.position, 3 * g],
      [unit, 0],
      [state.velocity, 6 * g],
      [state.velocity, 6 * g + 3],
      [history.position, 3 * g],
      [history.velocity, 6 * g],
      [turn, 0],
      [history.velocity, 6 * g + 3],
      [work.smoothForce, 6 * g],
      [work.smoothForce, 6 * g + 3],
    ];
    this.byInput.fill(0);
    const force = (DIFFERENCE * inertia.mass[3 * g]) / (h * h);
    const least = Math.min(inertia.inertia[m], inertia.inertia[m + 4], inertia.inertia[m + 8]);
    const torque = (DIFFERENCE * least) / (h * h);
    for (let c = 0; c < INPUTS; c++) {
      const [array, o] = places[Math.floor(c / 3)];
      const length = c < 24 ? DIFFERENCE : c < 27 ? force : torque;
      const at = array[o + (c % 3)];
      for (const sign of [1, -1]) {
        if (array === unit) unit.fill(0);
        array[o + (c % 3)] = (array === unit ? 0 : at) + sign * length;
        if (array === unit) integrateQuaternion(start.orientation, q, unit, 0, 1);
        this.#follow(g);
        this.#second.predictFrame(g, state, work, h);
        this.#add(g, state, work, c, (0.5 * sign) / length);
        for (let k = 0; k < 4; k++) start.orientation[q + k] = orientation[k];
      }
      array[o + (c % 3)] = at;
    }
    for (let k = 0; k < 4; k++) history.orientation[q + k] = before[k];
    matrixFromQuaternion(start.rotation, m, start.orientation, q);
    this.#second.predictFrame(g, state, work, h);
    this.#measurePose(g, state, work, current);
  }

  // rotations of the start, and where the frame was before by its turn
  #follow(g: number): void {
    const { start } = this.#objective.frames;
    const { orientation } = this.#second.history;
    matrixFromQuaternion(start.rotation, 9 * g, start.orientation, 4 * g);
    for (let k = 0; k < 4; k++) orientation[4 * g + k] = start.orientation[4 * g + k];
    integrateQuaternion(orientation, 4 * g, turn, 0, -1);
  }

  #add(g: number, state: State, work: Workspace, c: number, weight: number): void {
    const { position, rotation } = this.#objective.inertia;
    const { byInput } = this;
    const base = this.#rotation;
    for (let k = 0; k < 3; k++) byInput[INPUTS * k + c] += weight * position[3 * g + k];
    // R̃₀ᵀ R̃ is 1 + [χ], of which the antisymmetric part is exact to third order
    const entry = (a: number, b: number): number => {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += base[3 * k + a] * rotation[9 * g + 3 * k + b];
      return sum;
    };
    byInput[INPUTS * 3 + c] += 0.5 * weight * (entry(2, 1) - entry(1, 2));
    byInput[INPUTS * 4 + c] += 0.5 * weight * (entry(0, 2) - entry(2, 0));
    byInput[INPUTS * 5 + c] += 0.5 * weight * (entry(1, 0) - entry(0, 1));
    this.#readEnd(g, state, work);
    for (let k = 0; k < 6; k++) byInput[INPUTS * (6 + k) + c] += weight * velocity[k];
  }

  #readEnd(g: number, state: State, work: Workspace): void {
    this.#second.writeEndVelocity(this.#end, g, state, work);
    for (let k = 0; k < 6; k++) velocity[k] = this.#end[6 * g + k];
  }

  #measurePose(
    g: number,
    state: State,
    work: Workspace,
    { position, rotation }: { position: Float64Array; rotation: Float64Array },
  ): void {
    const m = 9 * g;
    const base = rotation.slice(m, m + 9);
    this.byPose.fill(0);
    for (let c = 0; c < 6; c++) {
      for (const sign of [1, -1]) {
        const amount = sign * DIFFERENCE;
        const at = position[3 * g + (c % 3)];
        if (c < 3) position[3 * g + c] = at + amount;
        else {
          // R + ε [e] R
          const a = (c - 2) % 3;
          const b = (c - 1) % 3;
          for (let k = 0; k < 3; k++) {
            rotation[m + 3 * a + k] = base[3 * a + k] - amount * base[3 * b + k];
            rotation[m + 3 * b + k] = base[3 * b + k] + amount * base[3 * a + k];
          }
        }
        this.#readEnd(g, state, work);
        for (let k = 0; k < 6; k++) this.byPose[6 * k + c] += (0.5 * velocity[k]) / amount;
        position[3 * g + (c % 3)] = at;
        rotation.set(base, m);
      }
    }
  }
}
