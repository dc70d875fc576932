/**
 * Derivatives of the forces of joints and actuators, by their own coordinate. In Φ = −σ λᵀ f they are
 *   spring −k (q − q₀), damper −d v, its lead −β h k v       actuator m f,  f = (g₀ + g₁ l + g₂ l̇) w + b₀ + b₁ l + b₂ l̇,  l = m q
 * w the control or the activation. Forces at a limit do not change.
 */
import { actuatorInput, nextActivation } from '../../dynamics/actuation.ts';
import { implicitShare, isSemiImplicit, vibrationScale } from '../../dynamics/implicit-share.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { JOINT, type Model, STATION } from '../../model/model.ts';
import type { State } from '../../state/state.ts';

/** Gradients by the inputs of a step. */
export interface InputBars {
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly activation: Float64Array;
  readonly control: Float64Array;
  readonly force: Float64Array;
}

/** Length of differences of controls and activations, on which inputs depend piecewise linearly. */
const DIFFERENCE = 1e-6;

/** Adds the derivatives of −σ λᵀ f. */
export function addJointForces(
  out: InputBars,
  model: Model,
  state: State,
  work: Workspace,
  h: number,
  lambda: Float64Array,
  scale: number,
): void {
  const { dof, joint, vibration, options } = model;
  const { springJoints, hasDamping } = work.plan;
  if (hasDamping) for (let i = 0; i < lambda.length; i++) out.velocity[i] += scale * lambda[i] * dof.damping[i];
  for (const j of springJoints) {
    const k = work.weights.springs * joint.stiffness[j];
    const i = joint.dofStart[j];
    const lead = isSemiImplicit(options.integrator)
      ? implicitShare(vibrationScale(work) * vibration.joint[j], h) * h * k
      : 0;
    out.position[i] += scale * lambda[i] * k;
    out.velocity[i] += scale * lambda[i] * lead;
  }
  for (let i = 0; i < lambda.length; i++) out.force[i] -= scale * lambda[i];
  if (!options.disabled.has('actuation')) addActuators(out, model, state, work, h, lambda, scale);
}

function addActuators(
  out: InputBars,
  model: Model,
  state: State,
  work: Workspace,
  h: number,
  lambda: Float64Array,
  scale: number,
): void {
  const { actuator, joint } = model;
  const { actuatorForce, actuatorLength, actuatorVelocity, actuatorJointForce } = work;
  for (let a = 0; a < model.size.actuator; a++) {
    const j = actuator.target[a];
    const i = joint.dofStart[j];
    const gear = actuator.gear[6 * a];
    const isHeld =
      (actuator.forceLimited[a] && isAtEnd(actuatorForce[a], actuator.forceRange, a)) ||
      (joint.actuatorForceLimited[j] && isAtEnd(actuatorJointForce[i], joint.actuatorForceRange, j));
    if (isHeld) continue;
    const { gain, bias } = actuator;
    const c = 3 * a;
    const w = actuatorInput(model, state, work, a, h);
    const bar = -scale * lambda[i] * gear;
    out.position[i] += bar * gear * (gain[c + 1] * w + bias[c + 1]);
    out.velocity[i] += bar * gear * (gain[c + 2] * w + bias[c + 2]);
    const byInput = bar * (gain[c] + gain[c + 1] * actuatorLength[a] + gain[c + 2] * actuatorVelocity[a]);
    addInput(out, model, state, a, byInput, () => actuatorInput(model, state, work, a, h));
  }
}

function isAtEnd(value: number, range: Float64Array, k: number): boolean {
  return value <= range[2 * k] || value >= range[2 * k + 1];
}

/** Adds the derivatives of activations at the end of the step. */
export function addActivations(
  out: InputBars,
  model: Model,
  state: State,
  work: Workspace,
  h: number,
  end: Float64Array,
): void {
  for (let a = 0; a < model.size.actuator; a++) {
    const slot = model.actuator.activationStart[a];
    if (slot < 0 || end[slot] === 0) continue;
    addInput(out, model, state, a, end[slot], () => {
      actuatorInput(model, state, work, a, h);
      return nextActivation(model, a, state.activation[slot], work.activationRate[slot], h);
    });
  }
}

function addInput(out: InputBars, model: Model, state: State, a: number, bar: number, read: () => number): void {
  if (bar === 0) return;
  const vary = (values: Float64Array, k: number): number => {
    const at = values[k];
    values[k] = at + DIFFERENCE;
    const after = read();
    values[k] = at - DIFFERENCE;
    const before = read();
    values[k] = at;
    return (0.5 * (after - before)) / DIFFERENCE;
  };
  out.control[a] += bar * vary(state.control, a);
  const slot = model.actuator.activationStart[a];
  if (slot >= 0) out.activation[slot] += bar * vary(state.activation, slot);
}

/** Whether the forces of joints and actuators are among those above. */
export function hasOwnForcesOnly(model: Model, work: Workspace): boolean {
  const { joint, actuator, size } = model;
  const { springJoints, compensatedBodies, hasFluid } = work.plan;
  const isLine = (j: number): boolean => joint.kind[j] === JOINT.hinge || joint.kind[j] === JOINT.slide;
  for (const j of springJoints) if (!isLine(j)) return false;
  if (compensatedBodies.length > 0 || hasFluid || !areTendonsIdle(model)) return false;
  for (let a = 0; a < size.actuator; a++) {
    if (actuator.transmission[a] > 1 || actuator.target[a] >= size.joint || !isLine(actuator.target[a])) return false;
  }
  return true;
}

/** Tendons that are sums of joint positions and do nothing but end at their limits. */
function areTendonsIdle({ tendon }: Model): boolean {
  const isIdle = [tendon.stiffness, tendon.damping, tendon.armature, tendon.frictionLoss].every((values) =>
    values.every((value) => value === 0),
  );
  return isIdle && tendon.stationKind.every((kind) => kind === STATION.joint);
}
