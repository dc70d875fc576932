/**
 * The work that sources of energy do in a step, J:
 *   applied forces, weight compensation, motors   W = h f·v⁺
 *   dampers with a negative coefficient           W = −h d v⁺²
 *   servos f = g w + b₀ + b₁ l + b₂ l̇, b₁ < 0, without a limit of force: a spring with energy ½ |b₁| (l − l₀)² whose rest length
 *   l₀ = (g w + b₀)/|b₁| the input w moves; the work is what that adds to the energy. Where b₁ = 0 and b₂ < 0: W = h (g w + b₀) l̇⁺.
 * A servo that is too stiff for the time step thus does no work: what it adds to the motion is not explained. Force limits keep
 * other servos from growing without bound, so their work counts as that of motors.
 */
import { actuatorInput } from '../dynamics/actuation.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import { type Model, TRANSMISSION } from '../model/model.ts';
import type { State } from '../state/state.ts';

export class SourceWork {
  /** Actuators that are springs, those that are dampers with a target speed, and the others. */
  readonly #springs: number[] = [];
  readonly #dampers: number[] = [];
  readonly #motors: number[] = [];
  /** Per actuator: its input in the last step. */
  readonly #input: Float64Array;
  readonly #markedInput: Float64Array;
  readonly #hasNegativeDamping: boolean;

  constructor(model: Model) {
    const { actuator, size, options, dof } = model;
    this.#input = new Float64Array(size.actuator);
    this.#markedInput = new Float64Array(size.actuator);
    this.#hasNegativeDamping = dof.damping.some((damping) => damping < 0);
    if (options.disabled.has('actuation')) return;
    for (let a = 0; a < size.actuator; a++) {
      const { gain, bias } = actuator;
      const c = 3 * a;
      const isPlain = gain[c + 1] === 0 && gain[c + 2] === 0 && !isLimited(model, a);
      if (isPlain && bias[c + 1] < 0) this.#springs.push(a);
      else if (isPlain && bias[c + 1] === 0 && bias[c + 2] < 0) this.#dampers.push(a);
      else this.#motors.push(a);
    }
  }

  /** Notes inputs where a motion begins. */
  begin(model: Model, state: State, work: Workspace, h: number): void {
    for (const a of this.#springs) this.#input[a] = actuatorInput(model, state, work, a, h);
  }

  /** Notes the inputs, so that steps from here can be taken back. */
  mark(): void {
    this.#markedInput.set(this.#input);
  }

  returnToMark(): void {
    this.#input.set(this.#markedInput);
  }

  /** Copies the inputs out of the watch or back into it. */
  exchange(input: Float64Array, isSaved: boolean): void {
    if (isSaved) input.set(this.#input);
    else this.#input.set(input);
  }

  /** Work of the step that has led to the velocities of the state; the workspace has its forces. */
  measure(model: Model, state: State, work: Workspace, h: number): number {
    const { externalForce, gravityCompensationForce: lift } = work;
    const { velocity } = state;
    let power = 0;
    for (let i = 0; i < velocity.length; i++) power += (externalForce[i] + lift[i]) * velocity[i];
    for (let i = 0; i < state.softForce.length; i++) power += state.softForce[i] * state.softVelocity[i];
    if (this.#hasNegativeDamping) {
      for (let i = 0; i < velocity.length; i++) power -= Math.min(0, model.dof.damping[i]) * velocity[i] ** 2;
    }
    const { actuatorForce, actuatorMoment } = work;
    const { rowStart, column } = work.plan.moment;
    for (const a of this.#motors)
      power += actuatorForce[a] * measureRate(rowStart, column, actuatorMoment, velocity, a);
    const { gain, bias } = model.actuator;
    for (const a of this.#dampers) {
      const input = actuatorInput(model, state, work, a, h);
      power += (gain[3 * a] * input + bias[3 * a]) * measureRate(rowStart, column, actuatorMoment, velocity, a);
    }
    let sum = h * power;
    for (const a of this.#springs) sum += this.#moveTarget(model, state, work, a, h);
    return sum;
  }

  /** Energy of servos that are springs, at the lengths in the workspace. */
  measureServos(model: Model, work: Workspace): number {
    let sum = 0;
    for (const a of this.#springs) sum += measureSpring(model, work, a, this.#input[a]);
    return sum;
  }

  // what a new target adds to the energy of the spring
  #moveTarget(model: Model, state: State, work: Workspace, a: number, h: number): number {
    const input = actuatorInput(model, state, work, a, h);
    const before = this.#input[a];
    if (input === before) return 0;
    this.#input[a] = input;
    return measureSpring(model, work, a, input) - measureSpring(model, work, a, before);
  }
}

function measureSpring({ actuator }: Model, { actuatorLength, plan }: Workspace, a: number, input: number): number {
  const { gain, bias } = actuator;
  const stiffness = -bias[3 * a + 1];
  const turn = plan.servoPeriod[a];
  let l = actuatorLength[a];
  if (turn > 0) l += turn * Math.round((input - l) / turn);
  const stretch = l - (gain[3 * a] * input + bias[3 * a]) / stiffness;
  return 0.5 * stiffness * stretch * stretch;
}

// l̇⁺
function measureRate(
  rowStart: Int32Array,
  column: Int32Array,
  moment: Float64Array,
  velocity: Float64Array,
  a: number,
): number {
  let rate = 0;
  for (let k = rowStart[a]; k < rowStart[a + 1]; k++) rate += moment[k] * velocity[column[k]];
  return rate;
}

function isLimited({ actuator, joint, tendon }: Model, a: number): boolean {
  if (actuator.forceLimited[a]) return true;
  const target = actuator.target[a];
  if (actuator.transmission[a] === TRANSMISSION.joint) return joint.actuatorForceLimited[target] !== 0;
  return actuator.transmission[a] === TRANSMISSION.tendon && tendon.actuatorForceLimited[target] !== 0;
}
