/**
 * Limits of joints and tendons: a row while the distance to the limit is below the margin plus a reach.
 *   hinge, slide, tendon   distance = q − low (J = J_q),  high − q (J = −J_q); both sides may act
 *   ball                   distance = max(range) − angle,  J = −axis on its three rotations
 * distance in m or rad; angle and axis are those of the joint's quaternion, the shorter way round. Order as in MuJoCo: joints,
 * then tendons; low before high. The reach is how far a formulation looks ahead: none in `mujoco`, 2 dt max(|v|, |v*|) in `sap`.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import { normalizeQuaternion, rotationVector } from '../linear-algebra/quaternion.ts';
import { JOINT, type Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import type { JointWorkspace } from './joint-workspace.ts';

/** Where limits go; an object made once. */
export interface LimitReceiver {
  /** A row at `distance` from its limit; `source` is the number of the joint or tendon. */
  add(block: number, distance: number, margin: number, source: number): void;
}

const quaternion = /* @__PURE__ */ new Float64Array(4);
const turn = /* @__PURE__ */ new Float64Array(3);

/** Adds the rows of joint limits. `reach` has one number per joint, constraint joints after the others. */
export function writeJointLimits(
  rows: BlockRows,
  model: Model,
  state: State,
  joints: JointWorkspace,
  reach: Float64Array | undefined,
  receiver: LimitReceiver,
): void {
  const { joint, size } = model;
  const { row } = joints;
  for (let j = 0; j < size.joint; j++) {
    if (joint.limited[j] === 0) continue;
    const window = joint.margin[j] + (reach ? reach[j] : 0);
    const i = joint.dofStart[j];
    row.clear();
    if (joint.kind[j] === JOINT.ball) {
      normalizeQuaternion(quaternion, 0, state.position, joint.positionStart[j]);
      const angle = measureTurn();
      const distance = Math.max(joint.range[2 * j], joint.range[2 * j + 1]) - angle;
      if (!(distance < window)) continue;
      for (let k = 0; k < 3; k++) row.add(i + k, turn[k]);
      receiver.add(row.write(rows, -1), distance, joint.margin[j], j);
    } else {
      const q = state.position[joint.positionStart[j]];
      if (!isNear(q, joint.range, 2 * j, window)) continue;
      row.add(i, 1);
      writeSides(rows, joints, q, joint.range, 2 * j, joint.margin[j], window, j, receiver);
    }
  }
  writeConstraintJointLimits(rows, model, joints, reach, receiver);
}

/** Adds the rows of tendon limits. `reach` has one number per tendon. */
export function writeTendonLimits(
  rows: BlockRows,
  model: Model,
  work: Workspace,
  joints: JointWorkspace,
  reach: Float64Array | undefined,
  receiver: LimitReceiver,
): void {
  const { tendon, size } = model;
  const { row } = joints;
  for (let t = 0; t < size.tendon; t++) {
    if (tendon.limited[t] === 0) continue;
    const window = tendon.margin[t] + (reach ? reach[t] : 0);
    if (!isNear(work.tendonLength[t], tendon.range, 2 * t, window)) continue;
    row.clear();
    row.addTendon(work.tendonJacobian, size.velocity, work.plan.tendon, t, 1);
    writeSides(rows, joints, work.tendonLength[t], tendon.range, 2 * t, tendon.margin[t], window, t, receiver);
  }
}

// joints of body coordinates: the same, with rows over the dofs of both bodies
function writeConstraintJointLimits(
  rows: BlockRows,
  model: Model,
  joints: JointWorkspace,
  reach: Float64Array | undefined,
  receiver: LimitReceiver,
): void {
  const { kind, limited, margin, range } = model.constraintJoint;
  const { row, coordinates } = joints;
  for (let c = 0; c < kind.length; c++) {
    if (limited[c] === 0) continue;
    const source = model.size.joint + c;
    const window = margin[c] + (reach ? reach[source] : 0);
    row.clear();
    if (kind[c] === JOINT.ball) {
      normalizeQuaternion(quaternion, 0, coordinates.orientation, 4 * c);
      const distance = Math.max(range[2 * c], range[2 * c + 1]) - measureTurn();
      if (!(distance < window)) continue;
      for (let k = 0; k < 3; k++)
        row.addBlockRow(coordinates.rows, coordinates.block[c], coordinates.row[c] + k, turn[k]);
      const block = row.write(rows, -1);
      if (block >= 0) receiver.add(block, distance, margin[c], source);
    } else {
      row.addBlockRow(coordinates.rows, coordinates.block[c], coordinates.row[c], 1);
      writeSides(rows, joints, coordinates.position[c], range, 2 * c, margin[c], window, source, receiver);
    }
  }
}

// whether either end of a range is within the window
function isNear(q: number, range: Float64Array, r: number, window: number): boolean {
  return q - range[r] < window || range[r + 1] - q < window;
}

// the row of the coordinate is in the scratch
function writeSides(
  rows: BlockRows,
  joints: JointWorkspace,
  q: number,
  range: Float64Array,
  r: number,
  margin: number,
  window: number,
  source: number,
  receiver: LimitReceiver,
): void {
  for (let side = -1; side <= 1; side += 2) {
    const distance = side < 0 ? q - range[r] : range[r + 1] - q;
    if (!(distance < window)) continue;
    const block = joints.row.write(rows, -side);
    if (block >= 0) receiver.add(block, distance, margin, source);
  }
}

// angle of `quaternion`; its axis is left in `turn`: x where there is no rotation
function measureTurn(): number {
  rotationVector(turn, 0, quaternion, 0);
  const angle = Math.sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
  if (angle < 1e-15) {
    turn[0] = 1;
    turn[1] = 0;
    turn[2] = 0;
    return 0;
  }
  for (let k = 0; k < 3; k++) turn[k] /= angle;
  return angle;
}
