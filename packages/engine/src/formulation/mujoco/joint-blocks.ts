/**
 * Joints of body coordinates as rows of `mujoco`.
 *   constraints  6 − freedom rows per chain of joints, as hard as the formulation allows: the shortest time constant of the time
 *                step, the highest impedance. They are taken as they are; with J̇ v under Runge-Kutta, and damped at the velocity v + s of
 *                the way where gyroscopic forces are integrated by themselves (equality-blocks.ts).
 *   armature     ½ m q̈², q̈ = J a + J̇ v: a spring row with D = m and a_ref = −J̇ v; so that of tendons that is not in the mass matrix
 */
import { isRungeKutta } from '../../dynamics/runge-kutta.ts';
import { TENDON_ARMATURE } from '../../dynamics/tendon-plan.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { writeJointChain } from '../../joint/joint-coordinate.ts';
import { writeJointDirection } from '../../joint/joint-direction.ts';
import { createResidual } from '../../joint/residual.ts';
import { measureTendonRate, writeTendonRow } from '../../joint/tendon-row.ts';
import { JOINT } from '../../model/model.ts';
import { CONSTRAINT_LAW, SOURCE } from '../../objective/convex-problem.ts';
import type { Solimp, Solref } from '../../scene/mujoco-parameters.ts';
import type { MujocoBuilder } from './mujoco-builder.ts';

const residual = /* @__PURE__ */ createResidual();

/** Shorter than any time step allows. */
const HARD_SOLREF: Readonly<Solref> = [1e-9, 1];
const HARD_SOLIMP: Readonly<Solimp> = [0.9999, 0.9999, 0.001, 0.5, 2];

export function addJointChains(builder: MujocoBuilder, work: Workspace): void {
  const { model, problem, joints } = builder;
  const { chains } = joints.coordinates;
  if (chains.length === 0) return;
  const impedance = setHard(builder);
  // with J̇ v of the start, a step that turns by θ gains (1 + θ²) in energy; stages of Runge-Kutta need it
  const takesDrift = isRungeKutta(model.options.integrator);
  for (let b = 0; b < chains.length; b++) {
    const block = writeJointChain(problem.rows, model, work, joints.coordinates, b, residual);
    if (block < 0) continue;
    const first = problem.describe(CONSTRAINT_LAW.spring, SOURCE.constraintJoint, chains[b].first);
    for (let k = 0; k < residual.dimension; k++) {
      const drift = takesDrift ? residual.rate[k] : 0;
      const lead = builder.isOnTheWay ? impedance.damping * builder.measureShift(work, k) : 0;
      const reference = -impedance.stiffness * impedance.value * residual.value[k] - drift - lead;
      const regularization = impedance.regularize(builder.freeInverseWeight(block, k));
      builder.setRow(first + k, reference, regularization, -Infinity, Infinity, impedance.damping);
    }
  }
}

/** Sets the impedance of rows that are never softened by the user: the least time constant holds even where safe references are off. */
export function setHard({ impedance, leastPeriod }: MujocoBuilder): MujocoBuilder['impedance'] {
  impedance.set(HARD_SOLREF, 0, HARD_SOLIMP, 0, 0, leastPeriod);
  return impedance;
}

/** Inertia of drives, seen at the joints. */
export function addJointDynamics(builder: MujocoBuilder, work: Workspace): void {
  const { model, joints } = builder;
  addTendonDynamics(builder, work);
  const { rate } = joints.coordinates;
  const { kind, armature } = model.constraintJoint;
  for (let c = 0; c < kind.length; c++) {
    if (!(armature[c] > 0)) continue;
    const directions = kind[c] === JOINT.ball ? 3 : 1;
    for (let k = 0; k < directions; k++) addDirection(builder, c, k, armature[c], -rate[3 * c + k]);
  }
}

/** Inertia along tendons, where it is not in the mass matrix. */
function addTendonDynamics(builder: MujocoBuilder, work: Workspace): void {
  const { model, problem, joints } = builder;
  const { tendonArmature } = work.plan;
  for (let t = 0; t < tendonArmature.length; t++) {
    if (tendonArmature[t] !== TENDON_ARMATURE.row) continue;
    if (writeTendonRow(problem.rows, model, work, joints, t) < 0) continue;
    const at = problem.describe(CONSTRAINT_LAW.spring, SOURCE.constraintJoint, model.size.constraintJoint + t);
    const reference = -measureTendonRate(model, work, joints, t);
    builder.setRow(at, reference, 1 / model.tendon.armature[t], -Infinity, Infinity, 0);
  }
}

// a spring along direction k of joint c
function addDirection(builder: MujocoBuilder, c: number, k: number, stiffness: number, reference: number): void {
  const { problem, joints } = builder;
  if (writeJointDirection(problem.rows, joints, c, k) < 0) return;
  const at = problem.describe(CONSTRAINT_LAW.spring, SOURCE.constraintJoint, c);
  builder.setRow(at, reference, 1 / stiffness, -Infinity, Infinity, 0);
}
