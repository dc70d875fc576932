/**
 * Everything a step can recompute. Never saved; nothing here is read before it is written in the same step, except `plan`,
 * which holds constants of the model, and poses that the last step has left for these very positions (`configuration`). Arrays come from one arena and keep their size.
 *
 * Spatial vectors have six numbers, angular part first; those of one tree refer to the tree's centre of mass, in world axes,
 * so that inertias and forces of its bodies add up without transforms.
 */
import type { Arena } from '../kernels/arena.ts';
import type { Model } from '../model/model.ts';
import { type ConstraintImpulses, createImpulses } from '../state/constraint-impulses.ts';
import { TermList } from '../term/term-list.ts';
import { createTermWeights, type TermWeights } from '../term/term-weights.ts';
import { COMPILED_MECHANISM } from './compiled-mechanism.ts';
import {
  type Configuration,
  type CoriolisScratch,
  createConfiguration,
  createCoriolisScratch,
  createTensionScratch,
  type TensionScratch,
} from './inertial-scratch.ts';
import { measureEasiestTurn, measureReach } from './link-tension.ts';
import type { MechanismRecord } from './mechanism-record.ts';
import { createPlan, type DynamicsPlan, updatePlan } from './plan.ts';
import { isRungeKutta } from './runge-kutta.ts';

/**
 * Everything that a step computes and does not keep: poses, Jacobians, forces, factors. `simulation.derived` is one, up to
 * date.
 */
export interface Workspace {
  /** Constants of the model that the phases work from. */
  readonly plan: DynamicsPlan;
  /** For the compiled dynamics; undefined where it is not loaded or the host refuses it. */
  readonly mechanism: MechanismRecord | undefined;
  /** Energies that the user has added to the step. */
  readonly terms: TermList;
  /** Factors on gravity, springs and elasticity. */
  readonly weights: TermWeights;
  /** One number: how many times stiffer than usual the springs that stiffen are in this step, at least 1. */
  readonly springGrowth: Float64Array;

  // written by updateKinematics
  /** Per body: origin of its frame, m. */
  readonly bodyPosition: Float64Array;
  /** Per body: quaternion w x y z. */
  readonly bodyOrientation: Float64Array;
  /** Per body: rotation matrix, row by row. */
  readonly bodyRotation: Float64Array;
  /** Per body: centre of mass, m. */
  readonly bodyCenter: Float64Array;
  /** Per joint: anchor in world axes, m. */
  readonly jointAnchor: Float64Array;
  /** Per joint: axis in world axes. */
  readonly jointAxis: Float64Array;
  /** Per body, filled at roots of trees: centre of mass of the tree, m. */
  readonly treeCenter: Float64Array;
  /** Per body: spatial inertia: xx yy zz xy xz yz (kg m²), mass times offset (kg m), mass (kg). */
  readonly bodyInertia: Float64Array;
  /** Per dof: spatial velocity per unit of joint velocity. */
  readonly motionSubspace: Float64Array;
  /** Per body: spatial inertia of the body and all below it. */
  readonly subtreeInertia: Float64Array;
  /** Vertices of soft bodies, m. */
  readonly softPosition: Float64Array;
  /** Mass matrix M, lower triangle by rows (see TreeSparsity). */
  readonly massMatrix: Float64Array;
  /** Per site: position, m. */
  readonly sitePosition: Float64Array;
  /** Per site: quaternion w x y z. */
  readonly siteOrientation: Float64Array;
  /** Per tendon: length, m. */
  readonly tendonLength: Float64Array;
  /** Per tendon: row of its Jacobian, over the dofs of `plan.tendonSpan`. */
  readonly tendonJacobian: Float64Array;
  /** Per actuator: length of its transmission. */
  readonly actuatorLength: Float64Array;
  /** Moments of actuators, d length / d position, in the places of `plan.moment`. */
  readonly actuatorMoment: Float64Array;

  // written by computeFreeMotion
  /** Per body: spatial velocity. */
  readonly bodyTwist: Float64Array;
  /** Per dof: rate of change of its axis. */
  readonly motionSubspaceRate: Float64Array;
  /** Per body: spatial acceleration without joint accelerations, gravity included. */
  readonly bodyAcceleration: Float64Array;
  /** Per body: spatial force, summed towards the root. */
  readonly bodyForce: Float64Array;
  /** Coriolis, centrifugal and gravity forces c(q, v), N or N m. */
  readonly biasForce: Float64Array;
  /** Velocity by which positions advance minus that at the end of the step; see inertial-motion.ts. */
  readonly advanceShift: Float64Array;
  /** Change of velocity by gyroscopic forces alone; see inertial-motion.ts. */
  readonly inertialChange: Float64Array;
  /** `midpoint`: M in the middle of the step; see midpoint.ts. */
  readonly middleMass: Float64Array;
  /** `midpoint`: forces in the middle of the step, N or N·m. */
  readonly middleForce: Float64Array;
  /** `midpoint`: the state that the step starts from. */
  readonly middleStart: Float64Array;
  /** `midpoint`: per dof, whether an impact stops it in the step; see formulation/impacts.ts. */
  readonly isImpact: Uint8Array;
  /** Springs, dampers, gravity compensation and fluid forces. */
  readonly passiveForce: Float64Array;
  /** Gravity compensation alone. */
  readonly gravityCompensationForce: Float64Array;
  /** Forces of actuators in joint coordinates. */
  readonly actuatorJointForce: Float64Array;
  /** User's generalised forces and body wrenches in joint coordinates. */
  readonly externalForce: Float64Array;
  /** Sum of all smooth forces, minus bias. */
  readonly smoothForce: Float64Array;
  /** Per actuator: velocity of its transmission. */
  readonly actuatorVelocity: Float64Array;
  /** Per actuator: its scalar force. */
  readonly actuatorForce: Float64Array;
  /** Per tendon: rate of its length, m/s. */
  readonly tendonVelocity: Float64Array;
  /** Per tendon: what its spring and damper do along it in the step, N. */
  readonly tendonForce: Float64Array;
  /** Per tendon whose actuators have a limit together: the sum of their forces before any limit, N. */
  readonly tendonActuation: Float64Array;
  /** Per activation: its rate. */
  readonly activationRate: Float64Array;

  // written by the formulation
  /** Constraint forces in joint coordinates; zero where nothing is constrained. */
  readonly constraintForce: Float64Array;
  /** Acceleration of the step, after constraints. */
  readonly acceleration: Float64Array;
  /** Where the solve is over positions: what pushes to spins change by where they act (push-turn.ts), rad/s. */
  readonly pushShift: Float64Array;
  /** Velocities of soft vertices at the end of the step, m/s. */
  readonly softVelocity: Float64Array;
  /** `bdf2`: velocities by which soft vertices move, m/s. */
  readonly softAdvance: Float64Array;
  /** `bdf2`: velocities at the end of the step, m/s or rad/s. */
  readonly endVelocity: Float64Array;
  /** `bdf2`: per dof, whether `endVelocity` has its velocity. */
  readonly hasEndVelocity: Uint8Array;
  /** Per mocap body: its velocity (m/s) and spin (rad/s), world axes; zero under formulations in which it has none. */
  readonly mocapTwist: Float64Array;
  /** Where the solver of the next step starts. */
  readonly solution: Float64Array;
  /** Impulses of the step, from which the next one starts; empty but for `ccp` and `ipc`. */
  readonly impulses: ConstraintImpulses;

  // scratch
  /** Per body: energy that joints would give to its spin, J (ccp/spin-gain.ts): it ends the step without it. */
  readonly spinGain: Float64Array;
  /** Coriolis forces of trees over a step; empty where there are no trees. */
  readonly coriolis: CoriolisScratch;
  /** Tension of links; empty where there are no trees. */
  readonly tension: TensionScratch;
  /** The positions that poses and M belong to, where a step has left them. */
  readonly configuration: Configuration;
  /** One row over the dofs, zero between uses. */
  readonly row: Float64Array;
  /** Factor of M or of M − h ∂f/∂v (lower part). */
  readonly factor: Float64Array;
  /** Upper part of an unsymmetric factor. */
  readonly factorUpper: Float64Array;
  /** One over the diagonal of the factor. */
  readonly inverseDiagonal: Float64Array;
  /** −h ∂f/∂v before it is added to M, lower and upper part. */
  readonly forceRate: Float64Array;
  /** Upper part of −h ∂f/∂v. */
  readonly forceRateUpper: Float64Array;
  /** Per body: derivative of its acceleration and of its force by one joint velocity. */
  readonly rateAcceleration: Float64Array;
  /** Derivative of the force of each body by one joint velocity. */
  readonly rateForce: Float64Array;
  /** The state before the step, for returning to it when numbers overflow. */
  readonly stateBefore: Float64Array;
  /** Runge-Kutta: velocities and accelerations of the stages, and activation rates. */
  readonly stageVelocity: Float64Array;
  /** Runge-Kutta: accelerations of the stages. */
  readonly stageAcceleration: Float64Array;
  /** Runge-Kutta: activation rates of the stages. */
  readonly stageActivationRate: Float64Array;
}

/** Length of all state together, needed for the copy of it. */
export function createWorkspace(model: Model, arena: Arena, stateLength: number): Workspace {
  const { size } = model;
  const plan = createPlan(model, arena);
  const nb = size.body;
  const nv = size.velocity;
  const nm = size.massMatrix;
  const rk4 = isRungeKutta(model.options.integrator) ? 4 : 0;
  const isMidpoint = model.options.integrator === 'midpoint';
  const isBdf2 = model.options.integrator === 'bdf2';
  const isUnsymmetric = plan.biasRate !== 'none';
  const upper = isUnsymmetric ? nm : 0;
  const work: Omit<Workspace, 'mechanism'> = {
    plan,
    terms: new TermList(),
    weights: createTermWeights(),
    springGrowth: Float64Array.of(1),
    bodyPosition: arena.f64(3 * nb),
    bodyOrientation: arena.f64(4 * nb),
    bodyRotation: arena.f64(9 * nb),
    bodyCenter: arena.f64(3 * nb),
    jointAnchor: arena.f64(3 * size.joint),
    jointAxis: arena.f64(3 * size.joint),
    treeCenter: arena.f64(3 * nb),
    bodyInertia: arena.f64(10 * nb),
    motionSubspace: arena.f64(6 * nv),
    subtreeInertia: arena.f64(10 * nb),
    softPosition: arena.f64(3 * size.softVertex),
    massMatrix: arena.f64(nm),
    sitePosition: arena.f64(3 * size.site),
    siteOrientation: arena.f64(4 * size.site),
    tendonLength: arena.f64(size.tendon),
    tendonJacobian: arena.f64(size.tendon * nv),
    actuatorLength: arena.f64(size.actuator),
    actuatorMoment: arena.f64(plan.moment.column.length),
    bodyTwist: arena.f64(6 * nb),
    motionSubspaceRate: arena.f64(6 * nv),
    bodyAcceleration: arena.f64(6 * nb),
    bodyForce: arena.f64(6 * nb),
    biasForce: arena.f64(nv),
    advanceShift: arena.f64(nv),
    inertialChange: arena.f64(nv),
    middleMass: arena.f64(isMidpoint ? nm : 0),
    middleForce: arena.f64(isMidpoint ? nv : 0),
    middleStart: arena.f64(isMidpoint ? size.position + nv : 0),
    isImpact: arena.u8(isMidpoint ? nv : 0),
    passiveForce: arena.f64(nv),
    gravityCompensationForce: arena.f64(nv),
    actuatorJointForce: arena.f64(nv),
    externalForce: arena.f64(nv),
    smoothForce: arena.f64(nv),
    actuatorVelocity: arena.f64(size.actuator),
    actuatorForce: arena.f64(size.actuator),
    tendonVelocity: arena.f64(size.tendon),
    tendonForce: arena.f64(size.tendon),
    tendonActuation: arena.f64(size.tendon),
    activationRate: arena.f64(size.activation),
    constraintForce: arena.f64(nv),
    acceleration: arena.f64(nv),
    pushShift: arena.f64(nv),
    softVelocity: arena.f64(3 * size.softVertex),
    softAdvance: arena.f64(isBdf2 ? 3 * size.softVertex : 0),
    endVelocity: arena.f64(isBdf2 ? nv : 0),
    hasEndVelocity: arena.u8(isBdf2 ? nv : 0),
    mocapTwist: arena.f64(6 * size.mocap),
    solution: arena.f64(nv),
    impulses: createImpulses(model.options),
    spinGain: arena.f64(nb),
    coriolis: createCoriolisScratch(model, plan.inertial, arena),
    tension: createTensionScratch(model, plan.inertial, arena),
    configuration: createConfiguration(model, plan.inertial),
    row: arena.f64(nv),
    factor: arena.f64(nm),
    factorUpper: arena.f64(upper),
    inverseDiagonal: arena.f64(nv),
    forceRate: arena.f64(nm),
    forceRateUpper: arena.f64(upper),
    rateAcceleration: arena.f64(isUnsymmetric ? 6 * nb : 0),
    rateForce: arena.f64(isUnsymmetric ? 6 * nb : 0),
    stateBefore: arena.f64(stateLength),
    stageVelocity: arena.f64(rk4 * nv),
    stageAcceleration: arena.f64(rk4 * nv),
    stageActivationRate: arena.f64(rk4 * size.activation),
  };
  const compiled = arena.compiledDynamics;
  return { ...work, mechanism: compiled && new (COMPILED_MECHANISM.require())(compiled, model, plan, work, arena) };
}

/** Brings what a workspace has of its model up to changed parameters. */
export function updateParameters(work: Workspace, model: Model): void {
  updateMasses(work, model);
  const { reach, easiest } = work.tension;
  if (reach.length === 0) return;
  reach.set(measureReach(model));
  easiest.set(measureEasiestTurn(model));
}

/** The same for what kinematics and mass matrix need. */
export function updateMasses(work: Workspace, model: Model): void {
  updatePlan(work.plan, model);
  work.mechanism?.update();
  work.configuration.isKnown = false;
}
