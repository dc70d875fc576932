/**
 * How fast springs and servos can make a mechanism vibrate, in the initial pose with all joints free:
 *   r_i = √k_i Σ_j |J_i M⁻¹ J_jᵀ| √k_j      1/s²
 * Row i belongs to a spring or servo of stiffness k_i along J_i; the sum goes over all of them. By Gershgorin's theorem no eigenvalue
 * of M⁻¹ Σ k Jᵀ J over a set of rows exceeds the largest r of the set. Steps take springs implicitly as far as that asks for
 * (dynamics/implicit-share.ts). Infinity stands for stiffness that changes with the control.
 */

import { factorTree, solveTree } from '../linear-algebra/tree-ldl.ts';
import { ACTIVATION, DC_MOTOR, JOINT, type Model, type ModelActuators, type ModelVibrations } from './model.ts';
import { boundMuscleStiffness } from './muscle-force.ts';
import { usualStiffness } from './power-laws.ts';
import type { RestDynamics } from './rest-dynamics.ts';

type Workspace = ReturnType<RestDynamics>;

/** √k J of a spring and where its bound goes. */
interface Row {
  readonly column: number[];
  readonly value: number[];
  readonly out: Float64Array;
  readonly index: number;
}

/** Share by which a matrix without a factor is made definite. */
const SINGULAR_SHARE = 1e-9;

/** Bounds of a mechanism in joint coordinates; `dynamics` has its kinematics in the initial pose. */
export function boundVibrations(model: Model, dynamics: RestDynamics): ModelVibrations {
  const { size } = model;
  const out = {
    joint: new Float64Array(size.joint),
    constraintJoint: new Float64Array(0),
    tendon: new Float64Array(size.tendon),
    actuator: new Float64Array(size.actuator),
  };
  const hasSprings = [model.joint, model.tendon].some(({ stiffness, stiffnessPowers }) =>
    stiffness.some((_, n) => usualStiffness(stiffness, stiffnessPowers, n) > 0),
  );
  if (!hasSprings && !hasServos(model)) return out;
  const work = dynamics();
  const rows = [
    ...listJoints(model, out.joint),
    ...listTendons(model, work, out.tendon),
    ...listServos(model, work, out),
  ];
  sumRows(model, work, rows);
  return out;
}

/** Bounds of the same scene in body coordinates: groups have the free joint given, or −1. */
export function splitVibrations(model: Model, freeJoints: readonly number[]): ModelVibrations {
  const { vibration, joint } = model;
  return {
    ...vibration,
    joint: Float64Array.from(freeJoints, (j) => (j < 0 ? 0 : vibration.joint[j])),
    constraintJoint: vibration.joint.filter((_, j) => joint.kind[j] !== JOINT.free),
  };
}

function hasServos({ actuator }: Model): boolean {
  return actuator.transmission.some((_, a) => servoStiffness(actuator, a) > 0 || actuator.gain[3 * a + 1] !== 0);
}

// of a servo, of a muscle or of the controller of a motor, N/m or N m/rad
function servoStiffness(actuator: ModelActuators, a: number): number {
  const { activation, bias, dcMotor, isMuscle } = actuator;
  if (isMuscle[a] === 1) return boundMuscleStiffness(actuator, a);
  if (activation[a] === ACTIVATION.dcMotor) return dcMotor[DC_MOTOR.width * a + DC_MOTOR.stiffness];
  return -bias[3 * a + 1];
}

function listJoints({ joint, dof, size }: Model, out: Float64Array): Row[] {
  const rows: Row[] = [];
  for (let i = 0; i < size.velocity; i++) {
    const j = dof.joint[i];
    const k = usualStiffness(joint.stiffness, joint.stiffnessPowers, j);
    if (k > 0) rows.push({ column: [i], value: [Math.sqrt(k)], out, index: j });
  }
  return rows;
}

function listTendons({ tendon, size }: Model, work: Workspace, out: Float64Array): Row[] {
  const { rowStart, column } = work.plan.tendon;
  const rows: Row[] = [];
  for (let t = 0; t < size.tendon; t++) {
    const k = usualStiffness(tendon.stiffness, tendon.stiffnessPowers, t);
    if (!(k > 0)) continue;
    const columns = Array.from(column.subarray(rowStart[t], rowStart[t + 1]));
    const scale = Math.sqrt(k);
    const value = columns.map((i) => scale * work.tendonJacobian[t * size.velocity + i]);
    rows.push({ column: columns, value, out, index: t });
  }
  return rows;
}

function listServos({ actuator, size }: Model, work: Workspace, { actuator: out }: ModelVibrations): Row[] {
  const { rowStart, column } = work.plan.moment;
  const rows: Row[] = [];
  for (let a = 0; a < size.actuator; a++) {
    const k = servoStiffness(actuator, a);
    if (actuator.gain[3 * a + 1] !== 0) out[a] = Infinity;
    if (!(k > 0)) continue;
    const scale = Math.sqrt(k);
    rows.push({
      column: Array.from(column.subarray(rowStart[a], rowStart[a + 1])),
      value: Array.from(work.actuatorMoment.subarray(rowStart[a], rowStart[a + 1]), (m) => scale * m),
      out,
      index: a,
    });
  }
  return rows;
}

function sumRows(model: Model, work: Workspace, rows: readonly Row[]): void {
  const { rowStart, column } = model.massMatrix;
  const factor = Float64Array.from(work.massMatrix);
  const inverseDiagonal = new Float64Array(model.size.velocity);
  if (factorTree(factor, inverseDiagonal, rowStart, column) >= 0) {
    factor.set(work.massMatrix);
    for (let i = 0; i < inverseDiagonal.length; i++) factor[rowStart[i + 1] - 1] *= 1 + SINGULAR_SHARE;
    factorTree(factor, inverseDiagonal, rowStart, column);
  }
  const push = new Float64Array(model.size.velocity);
  for (const row of rows) {
    push.fill(0);
    row.column.forEach((i, n) => {
      push[i] = row.value[n];
    });
    solveTree(push, factor, inverseDiagonal, rowStart, column);
    let sum = 0;
    for (const { column: columns, value } of rows) {
      let product = 0;
      for (let n = 0; n < columns.length; n++) product += value[n] * push[columns[n]];
      sum += Math.abs(product);
    }
    row.out[row.index] = Math.max(row.out[row.index], sum);
  }
}
