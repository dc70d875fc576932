/**
 * Derivatives of the forces of joints and actuators, by their own coordinate. In Φ = −σ λᵀ f they are
 *   spring −k (q − q₀), damper −d v, its lead −β h k v       actuator m f,  f = (g₀ + g₁ l + g₂ l̇) w + b₀ + b₁ l + b₂ l̇,  l = m q
 * w the control or the activation. Forces at a limit do not change.
 */
import { actuatorInput, nextActivation } from '../../dynamics/actuation.ts';
import { implicitShare, isSemiImplicit, vibrationScale } from '../../dynamics/implicit-share.ts';
import { vary } from '../../dynamics/vary.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { InputBars } from '../../formulation/row-rates.ts';
import { ADDED } from '../../model/control-kinds.ts';
import { ACTIVATION, JOINT, type Model, STATION } from '../../model/model.ts';
import { hasPowers } from '../../model/power-laws.ts';
import type { State } from '../../state/state.ts';

export class JointPart {
  readonly #model: Model;
  readonly #work: Workspace;
  /** Per dof: −∂f/∂q and −∂f/∂v of springs, dampers and actuators. */
  readonly #stiffness: Float64Array;
  readonly #damping: Float64Array;
  /** Per actuator: its force along its dof by control and by activation; the next activation by both. */
  readonly #byControl: Float64Array;
  readonly #byActivation: Float64Array;
  readonly #nextByControl: Float64Array;
  readonly #nextByActivation: Float64Array;

  constructor(model: Model, work: Workspace) {
    const { velocity, actuator } = model.size;
    this.#model = model;
    this.#work = work;
    this.#stiffness = new Float64Array(velocity);
    this.#damping = new Float64Array(velocity);
    this.#byControl = new Float64Array(actuator);
    this.#byActivation = new Float64Array(actuator);
    this.#nextByControl = new Float64Array(actuator);
    this.#nextByActivation = new Float64Array(actuator);
  }

  /** Takes the derivatives at a state whose forces are in the workspace; of actuators whose force is not a row of the solve. */
  begin(state: State, h: number, isRow: Uint8Array): void {
    const { dof, joint, vibration, options } = this.#model;
    const work = this.#work;
    const { springJoints, hasDamping } = work.plan;
    this.#stiffness.fill(0);
    this.#damping.fill(0);
    this.#byControl.fill(0);
    this.#byActivation.fill(0);
    if (hasDamping) this.#damping.set(dof.damping);
    for (const j of springJoints) {
      const k = work.weights.springs * joint.stiffness[j];
      const i = joint.dofStart[j];
      this.#stiffness[i] += k;
      if (isSemiImplicit(options.integrator))
        this.#damping[i] += implicitShare(vibrationScale(work) * vibration.joint[j], h) * h * k;
    }
    for (let a = 0; a < this.#model.size.actuator; a++) this.#readActuator(state, a, h, isRow[a] === 1);
  }

  #readActuator(state: State, a: number, h: number, isRow: boolean): void {
    const { actuator, joint, options } = this.#model;
    const work = this.#work;
    const { actuatorForce, actuatorLength, actuatorVelocity, actuatorJointForce } = work;
    const slot = actuator.activationStart[a];
    const readInput = (): number => actuatorInput(this.#model, state, work, a, h);
    if (slot >= 0) {
      const readNext = (): number => {
        readInput();
        return nextActivation(this.#model, a, state.activation[slot], work.activationRate[slot], h);
      };
      this.#nextByControl[a] = vary(state.control, a, readNext);
      this.#nextByActivation[a] = vary(state.activation, slot, readNext);
    }
    if (options.disabled.has('actuation') || isRow) return;
    const j = actuator.target[a];
    const i = joint.dofStart[j];
    const isHeld =
      (actuator.forceLimited[a] && isAtEnd(actuatorForce[a], actuator.forceRange, a)) ||
      (joint.actuatorForceLimited[j] && isAtEnd(actuatorJointForce[i], joint.actuatorForceRange, j));
    if (isHeld) return;
    const gear = actuator.gear[6 * a];
    const { gain, bias } = actuator;
    const c = 3 * a;
    const w = readInput();
    this.#stiffness[i] -= gear * gear * (gain[c + 1] * w + bias[c + 1]);
    this.#damping[i] -= gear * gear * (gain[c + 2] * w + bias[c + 2]);
    const byInput = gear * (gain[c] + gain[c + 1] * actuatorLength[a] + gain[c + 2] * actuatorVelocity[a]);
    this.#byControl[a] = byInput * vary(state.control, a, readInput);
    if (slot >= 0) this.#byActivation[a] = byInput * vary(state.activation, slot, readInput);
  }

  /** Adds the derivatives of −σ λᵀ f. */
  add(out: InputBars, lambda: Float64Array, scale: number): void {
    const { actuator, joint, size } = this.#model;
    for (let i = 0; i < lambda.length; i++) {
      const bar = scale * lambda[i];
      out.position[i] += bar * this.#stiffness[i];
      out.velocity[i] += bar * this.#damping[i];
      out.force[i] -= bar;
    }
    for (let a = 0; a < size.actuator; a++) {
      const bar = -scale * lambda[joint.dofStart[actuator.target[a]]];
      out.control[a] += bar * this.#byControl[a];
      const slot = actuator.activationStart[a];
      if (slot >= 0) out.activation[slot] += bar * this.#byActivation[a];
    }
  }

  /** Adds the derivatives of activations at the end of the step. */
  addActivations(out: InputBars, end: Float64Array): void {
    const { activationStart } = this.#model.actuator;
    for (let a = 0; a < activationStart.length; a++) {
      const slot = activationStart[a];
      if (slot < 0) continue;
      out.control[a] += end[slot] * this.#nextByControl[a];
      out.activation[slot] += end[slot] * this.#nextByActivation[a];
    }
  }
}

function isAtEnd(value: number, range: Float64Array, k: number): boolean {
  return value <= range[2 * k] || value >= range[2 * k + 1];
}

/** Whether the forces of joints and actuators are among those above. */
export function hasOwnForcesOnly(model: Model, work: Workspace): boolean {
  const { joint, actuator, size } = model;
  const { springJoints, compensatedBodies, fluid } = work.plan;
  const isLine = (j: number): boolean => joint.kind[j] === JOINT.hinge || joint.kind[j] === JOINT.slide;
  if (work.plan.extraDamping.length > 0 || hasPowers(joint.stiffnessPowers)) return false;
  for (const j of springJoints) if (!isLine(j)) return false;
  if (compensatedBodies.length > 0 || fluid || !areTendonsIdle(model)) return false;
  for (let a = 0; a < size.actuator; a++) {
    if (actuator.transmission[a] > 1 || actuator.target[a] >= size.joint || !isLine(actuator.target[a])) return false;
    if (actuator.isDcMotor[a] || actuator.activationCount[a] > 1 || actuator.delay[a] > 0) return false;
    if (actuator.isMuscle[a] === 1 || actuator.adds[a] !== ADDED.none) return false;
    const hasOwnStates = actuator.activation[a] === ACTIVATION.dcMotor || actuator.activation[a] === ACTIVATION.pid;
    if (hasOwnStates && actuator.activationStart[a] >= 0) return false;
  }
  return true;
}

/** Tendons that are sums of joint positions and do nothing but end at their limits. */
function areTendonsIdle({ tendon }: Model): boolean {
  const isIdle = [
    tendon.stiffness,
    tendon.stiffnessPowers,
    tendon.damping,
    tendon.dampingPowers,
    tendon.armature,
    tendon.frictionLoss,
  ].every((values) => values.every((value) => value === 0));
  return isIdle && tendon.stationKind.every((kind) => kind === STATION.joint);
}
