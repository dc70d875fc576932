/**
 * Joint and tendon equalities: y follows a polynomial of x, both counted from the initial pose.
 *   C = (y − y₀) − Σ cᵢ uⁱ,  u = x − x₀,  i = 0..4        m or rad; without a second joint or tendon, only c₀
 *   J = J_y − p'(u) J_x
 *   J̇ v = ÿ − p'(u) ẍ − p''(u) ẋ²                         ẍ, ÿ at zero accelerations
 * ẍ is zero for joints in joint coordinates and for fixed tendons over them; the ẍ of spatial tendons is left out.
 * MuJoCo's reference acceleration leaves out the whole of J̇ v here.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import { EQUALITY, type Model, STATION } from '../model/model.ts';
import type { State } from '../state/state.ts';
import type { JointWorkspace } from './joint-workspace.ts';
import type { Residual } from './residual.ts';

/** Adds the block of equality e; -1 where its row is zero. */
export function writePolynomial(
  rows: BlockRows,
  model: Model,
  state: State,
  work: Workspace,
  joints: JointWorkspace,
  e: number,
  out: Residual,
): number {
  const { object1, object2, data, kind } = model.equality;
  const isTendon = kind[e] === EQUALITY.tendon;
  const { row } = joints;
  const d = 11 * e;
  const x = object2[e];
  row.clear();
  out.dimension = 1;
  out.value[0] = readOffset(model, state, work, joints, isTendon, object1[e]) - data[d];
  out.rate[0] = readRate(model, joints, isTendon, object1[e]);
  if (x >= 0) {
    const u = readOffset(model, state, work, joints, isTendon, x);
    const slope = data[d + 1] + u * (2 * data[d + 2] + u * (3 * data[d + 3] + u * 4 * data[d + 4]));
    const curvature = 2 * data[d + 2] + u * (6 * data[d + 3] + u * 12 * data[d + 4]);
    out.value[0] -= u * (data[d + 1] + u * (data[d + 2] + u * (data[d + 3] + u * data[d + 4])));
    addRow(model, work, joints, isTendon, x, 1);
    const speed = row.multiply(state.velocity);
    out.rate[0] -= slope * readRate(model, joints, isTendon, x) + curvature * speed * speed;
    row.clear();
    addRow(model, work, joints, isTendon, x, -slope);
  }
  addRow(model, work, joints, isTendon, object1[e], 1);
  return row.write(rows, 1);
}

// position of a joint or length of a tendon, from the initial pose
function readOffset(
  model: Model,
  state: State,
  work: Workspace,
  joints: JointWorkspace,
  isTendon: boolean,
  n: number,
): number {
  if (isTendon) return work.tendonLength[n] - joints.tendonReference[n];
  const c = n - model.size.joint;
  if (c >= 0) return joints.coordinates.position[c] - model.constraintJoint.reference[c];
  const i = model.joint.positionStart[n];
  return state.position[i] - model.initialPosition[i];
}

// ẍ at zero accelerations
function readRate(model: Model, joints: JointWorkspace, isTendon: boolean, n: number): number {
  const { tendon, size } = model;
  const { rate } = joints.coordinates;
  if (!isTendon) return n < size.joint ? 0 : rate[3 * (n - size.joint)];
  let sum = 0;
  for (let s = tendon.stationStart[n]; s < tendon.stationStart[n] + tendon.stationCount[n]; s++) {
    const c = tendon.stationObject[s] - size.joint;
    if (tendon.stationKind[s] === STATION.joint && c >= 0) sum += tendon.stationParameter[s] * rate[3 * c];
  }
  return sum;
}

function addRow(
  model: Model,
  work: Workspace,
  joints: JointWorkspace,
  isTendon: boolean,
  n: number,
  scale: number,
): void {
  const { row, coordinates } = joints;
  const c = n - model.size.joint;
  if (isTendon) row.addTendon(work.tendonJacobian, model.size.velocity, work.plan.tendon, n, scale);
  else if (c >= 0) row.addBlockRow(coordinates.rows, coordinates.block[c], coordinates.row[c], scale);
  else row.add(model.joint.dofStart[n], scale);
}
