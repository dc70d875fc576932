/**
 * Servos as rows of a formulation over velocities, so that stiff gains are stable at any time step. A servo is an actuator whose force falls with
 * length and velocity, u = c − k_p l − k_d l̇ clamped to its range; taken at the end of the step, l = l₀ + h l̇, its impulse is
 *   γ = h u = clamp(−(l̇ − v̂)/R, h · range)      1/R = h (h k_p + k_d)      v̂ = (c − k_p l₀)/(h k_p + k_d)
 * with R not below what the step resolves: both gains are then weaker by the same factor. Their explicit force is taken out of
 * the free motion before the solve; afterwards the force that acted is in its place.
 * Not servos, and left explicit: motors, gains that vary, actuators that share a force limit of a joint or tendon.
 */
import { actuatorInput } from '../../dynamics/actuation.ts';
import { createMomentPattern, type MomentPattern } from '../../dynamics/moment-pattern.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { JointWorkspace } from '../../joint/joint-workspace.ts';
import { JOINT, type Model, TRANSMISSION } from '../../model/model.ts';
import { CONSTRAINT_LAW, type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';
import type { State } from '../../state/state.ts';
import { rigidLimit } from './near-rigid.ts';

/** Where the rows of servos go. */
export interface DriveHost {
  readonly model: Model;
  readonly problem: ConvexProblem;
  readonly joints: JointWorkspace;
  readonly options: { readonly nearRigidJoint: number };
  /** Time step, s. */
  readonly h: number;
  /** w of the last block, which has one row. */
  measureRow(): number;
}

export class DriveRows {
  /** Per actuator: 1 where it is a row. */
  readonly isRow: Uint8Array;
  readonly count: number;
  readonly #builder: DriveHost;
  /** Per actuator: the dof whose force limit it has for itself, or −1. */
  readonly #limitedDof: Int32Array;

  constructor(builder: DriveHost) {
    const { model } = builder;
    const { disabled } = model.options;
    this.#builder = builder;
    this.isRow = new Uint8Array(model.size.actuator);
    this.#limitedDof = new Int32Array(model.size.actuator).fill(-1);
    const pattern = createMomentPattern(model);
    let count = 0;
    if (!disabled.has('constraint') && !disabled.has('actuation')) {
      for (let a = 0; a < model.size.actuator; a++) {
        const limited = findLimitedDof(model, pattern, a);
        if (!isServo(model, a) || limited === undefined) continue;
        this.isRow[a] = 1;
        this.#limitedDof[a] = limited;
        count++;
      }
    }
    this.count = count;
  }

  /** Takes the explicit forces of servos out of the smooth force. */
  removeExplicitForces(work: Workspace): void {
    const { actuatorForce, actuatorJointForce, smoothForce } = work;
    for (let a = 0; a < this.isRow.length; a++) {
      if (this.isRow[a] === 0) continue;
      const dof = this.#limitedDof[a];
      if (dof >= 0) {
        smoothForce[dof] -= actuatorJointForce[dof];
        actuatorJointForce[dof] = 0;
      } else addMoments(work, a, -actuatorForce[a], actuatorJointForce, smoothForce);
      actuatorForce[a] = 0;
    }
  }

  add(state: State, work: Workspace): void {
    const { model, problem, joints, options, h } = this.#builder;
    const { rowStart, column } = work.plan.moment;
    const { bias, gain } = model.actuator;
    for (let a = 0; a < this.isRow.length; a++) {
      if (this.isRow[a] === 0) continue;
      joints.row.clear();
      for (let m = rowStart[a]; m < rowStart[a + 1]; m++) joints.row.add(column[m], work.actuatorMoment[m]);
      if (joints.row.write(problem.rows, 1) < 0) continue;
      const input = actuatorInput(model, state, work, a, h);
      const turn = work.plan.servoPeriod[a];
      let length = work.actuatorLength[a];
      if (turn > 0) length += turn * Math.round((input - length) / turn);
      const stiffness = -bias[3 * a + 1];
      const rate = h * stiffness - bias[3 * a + 2];
      const regularization = Math.max(rigidLimit(this.#builder.measureRow(), options.nearRigidJoint), 1 / (h * rate));
      const reference = (gain[3 * a] * input + bias[3 * a] - stiffness * length) / rate;
      const row = problem.describe(CONSTRAINT_LAW.spring, SOURCE.actuator, a);
      problem.setRow(row, reference, regularization, h * this.#bound(model, a, 0), h * this.#bound(model, a, 1));
    }
  }

  /** Moves what servos did from the constraint forces to the actuators' own places. */
  moveForcesToActuators(work: Workspace): void {
    const { problem, h } = this.#builder;
    const { rows, source, sourceIndex, force } = problem;
    const { actuatorForce, actuatorJointForce, smoothForce, constraintForce } = work;
    for (let b = 0; b < rows.blockCount; b++) {
      if (source[b] !== SOURCE.actuator) continue;
      const a = sourceIndex[b];
      const u = force[rows.rowStart[b]] / h;
      actuatorForce[a] = u;
      addMoments(work, a, u, actuatorJointForce, smoothForce);
      addMoments(work, a, -u, constraintForce, undefined);
    }
  }

  // its own range, and that of the joint it drives alone; side 0 is the lower one
  #bound(model: Model, a: number, side: number): number {
    const { actuator, joint } = model;
    let bound = side === 0 ? -Infinity : Infinity;
    if (actuator.forceLimited[a]) bound = actuator.forceRange[2 * a + side];
    if (this.#limitedDof[a] < 0) return bound;
    const gear = actuator.gear[6 * a];
    const j = actuator.target[a];
    const other = joint.actuatorForceRange[2 * j + (gear > 0 ? side : 1 - side)] / gear;
    return side === 0 ? Math.max(bound, other) : Math.min(bound, other);
  }
}

/** Adds m f to one or two arrays over the dofs. */
function addMoments(work: Workspace, a: number, f: number, out: Float64Array, second: Float64Array | undefined): void {
  const { rowStart, column } = work.plan.moment;
  for (let m = rowStart[a]; m < rowStart[a + 1]; m++) {
    const value = work.actuatorMoment[m] * f;
    out[column[m]] += value;
    if (second) second[column[m]] += value;
  }
}

function isServo({ actuator }: Model, a: number): boolean {
  const { gain, bias } = actuator;
  const c = 3 * a;
  const isSteady = gain[c + 1] === 0 && gain[c + 2] === 0;
  return isSteady && bias[c + 1] <= 0 && bias[c + 2] <= 0 && bias[c + 1] + bias[c + 2] < 0;
}

// −1 where no limit of joint or tendon is met; undefined where one is and the actuator does not have it for itself
function findLimitedDof(model: Model, pattern: MomentPattern, a: number): number | undefined {
  const { actuator, joint, tendon, dof } = model;
  const { rowStart, column } = pattern;
  const target = actuator.target[a];
  const kind = actuator.transmission[a];
  if (kind === TRANSMISSION.tendon && tendon.actuatorForceLimited[target]) return undefined;
  let meetsLimit = false;
  for (let m = rowStart[a]; m < rowStart[a + 1]; m++) {
    if (joint.actuatorForceLimited[dof.joint[column[m]]]) meetsLimit = true;
  }
  if (!meetsLimit) return -1;
  const isScalar = joint.kind[target] === JOINT.hinge || joint.kind[target] === JOINT.slide;
  if (kind !== TRANSMISSION.joint || !isScalar || joint.actuatorGravityCompensation[target]) return undefined;
  const i = joint.dofStart[target];
  for (let m = 0; m < column.length; m++) {
    const isOwn = m >= rowStart[a] && m < rowStart[a + 1];
    if (!isOwn && column[m] === i) return undefined;
  }
  return i;
}
