/**
 * Keeps contacts from creating energy. Barriers push a body along its true, curved path. If it turns far in a step, a corner may be
 * pushed forward or back, and in half of the cases the body leaves with more spin than it had:
 *   G = (T⁺ + V⁺) − (T + V) − f·(x⁺ − x)
 * T, T⁺ kinetic energy before and after the step, J, that of spin before it by free flight; V, V⁺ energy of the barrier, J;
 * f smooth forces, N. A step with G > 0 is repeated with less spin until it creates no energy; the energy of the corner impacts
 * is lost, as in any inelastic impact. The torque that takes the spin is one of the contacts.
 * Checked where a body turns far, and not in scenes with joints, soft bodies, mocap bodies or user terms, which store or supply energy.
 */
import { integrateQuaternion, matrixFromQuaternion } from '../../linear-algebra/quaternion.ts';
import type { State } from '../../state/state.ts';
import type { IpcObjective } from './ipc-objective.ts';

/** Rotation of free motion in a step from which energy is checked, rad. */
const FAR_TURN = 0.25;
/** Share of T that is round-off and the error of the solve. */
const SLIGHT = 1e-6;
/** Multiple of G that a step done again takes from the spin, and its growth from one repetition to the next; what is left at least. */
const FIRST_FACTOR = 2;
const GROWTH = 4;
const LEAST_LEFT = 0.5;

const orientation = /* @__PURE__ */ new Float64Array(4);
const twist = /* @__PURE__ */ new Float64Array(6);

export class EnergyGuard {
  readonly #objective: IpcObjective;
  /** Twists at the start of the step and of its free flight. */
  readonly #start: Float64Array;
  readonly #flight: Float64Array;
  /** T, J, and V of κ = 1, m³. */
  #kinetic = 0;
  #barrier = 0;
  #isDue = false;
  #isSlowed = false;
  /** G, and the multiple of it that the next repetition takes from the spin. */
  #gain = 0;
  #factor = FIRST_FACTOR;

  constructor(objective: IpcObjective) {
    this.#objective = objective;
    this.#start = new Float64Array(6 * objective.frames.moving);
    this.#flight = new Float64Array(6 * objective.frames.moving);
  }

  /** A step begins: the contacts are those at its start. */
  begin({ velocity }: State, h: number): void {
    const { inertia, frames, joints, elastic, added } = this.#objective;
    this.#isDue = false;
    this.#isSlowed = false;
    this.#factor = FIRST_FACTOR;
    if (frames.hasKinematic || !joints.isEmpty || !elastic.isEmpty || !added.isEmpty) return;
    for (let g = 0; g < frames.moving && !this.#isDue; g++) this.#isDue = this.#turnsFar(g, h);
    if (!this.#isDue) return;
    this.#flight.set(inertia.velocity);
    this.#start.set(inertia.velocity);
    this.#kinetic = 0;
    for (let g = 0; g < frames.moving; g++) {
      for (let k = 0; k < 3; k++) this.#start[6 * g + k] = velocity[6 * g + k];
      // nothing touches what takes a step of order two
      if (inertia.weight[g] === 1) this.#kinetic += this.#measureKinetic(this.#start, 6 * g, g);
    }
    this.#barrier = this.#measureBarrier();
  }

  /** Whether contacts have created energy up to the current poses. */
  hasGained(h: number): boolean {
    if (!this.#isDue) return false;
    const { frames, barrier, displacement, inertia } = this.#objective;
    let gain = barrier.stiffness * (this.#measureBarrier() - this.#barrier) - this.#kinetic;
    for (let g = 0; g < frames.moving; g++) {
      if (inertia.weight[g] !== 1) continue;
      displacement.writeTwist(twist, frames.current, g, h);
      gain += this.#measureKinetic(twist, 0, g);
      // f h is m (ṽ − v)
      for (let i = 6 * g, k = 0; k < 3; i++, k++)
        gain -= inertia.mass[3 * g + k] * (this.#flight[i] - this.#start[i]) * twist[k];
    }
    this.#gain = gain;
    return gain > SLIGHT * this.#kinetic;
  }

  /** Takes spin from the free flight of bodies that turn far and have come out faster; where there are none, of all that touch. */
  slow(h: number): void {
    this.#isSlowed = true;
    const { frames } = this.#objective;
    let isSlowed = false;
    for (let g = 0; g < frames.moving; g++) isSlowed = this.#slowGroup(g, h, false) || isSlowed;
    if (!isSlowed) for (let g = 0; g < frames.moving; g++) this.#slowGroup(g, h, true);
    this.#factor *= GROWTH;
  }

  /** Whether spin was taken in this step. */
  get isSlowed(): boolean {
    return this.#isSlowed;
  }

  /** Angular velocity of free flight before spin was taken from it, rad/s: entry i of the twists. */
  readFlight(i: number): number {
    return this.#isSlowed ? this.#flight[i] : this.#objective.inertia.velocity[i];
  }

  #slowGroup(g: number, h: number, isAny: boolean): boolean {
    const { inertia, frames, displacement } = this.#objective;
    if (inertia.weight[g] !== 1 || !this.#turnsFar(g, h)) return false;
    displacement.writeTwist(twist, frames.current, g, h);
    const flight = this.#measureKinetic(inertia.velocity, 6 * g, g);
    const isTouched = Math.abs(this.#measureKinetic(twist, 0, g) - flight) > SLIGHT * flight;
    // by spin alone
    twist.fill(0, 0, 3);
    const end = this.#measureKinetic(twist, 0, g);
    for (let k = 3; k < 6; k++) twist[k] = inertia.velocity[6 * g + k];
    const spin = this.#measureKinetic(twist, 0, g);
    const isFaster = end > (1 + SLIGHT) * spin;
    if (!(isFaster || (isAny && isTouched))) return false;
    const slower = Math.sqrt(Math.max(LEAST_LEFT, 1 - (this.#factor * this.#gain) / spin));
    for (let k = 3; k < 6; k++) inertia.velocity[6 * g + k] *= slower;
    for (let k = 0; k < 4; k++) orientation[k] = frames.start.orientation[4 * g + k];
    integrateQuaternion(orientation, 0, inertia.velocity, 6 * g + 3, h);
    matrixFromQuaternion(inertia.rotation, 9 * g, orientation, 0);
    return true;
  }

  #turnsFar(g: number, h: number): boolean {
    const { velocity: v } = this.#objective.inertia;
    return h * Math.sqrt(v[6 * g + 3] ** 2 + v[6 * g + 4] ** 2 + v[6 * g + 5] ** 2) > FAR_TURN;
  }

  // V of κ = 1
  #measureBarrier(): number {
    const { barrier, fieldBarrier, contacts, candidates, fields } = this.#objective;
    return (barrier.value(contacts, candidates.pairs, 1) + fieldBarrier.value(fields, 1)) / barrier.stiffness;
  }

  // kinetic energy of group g by its twist at w: linear in the world, angular in the body
  #measureKinetic(v: Float64Array, w: number, g: number): number {
    const { mass, inertia } = this.#objective.inertia;
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      sum += mass[3 * g + i] * v[w + i] ** 2;
      for (let j = 0; j < 3; j++) sum += inertia[9 * g + 3 * i + j] * v[w + 3 + i] * v[w + 3 + j];
    }
    return 0.5 * sum;
  }
}
