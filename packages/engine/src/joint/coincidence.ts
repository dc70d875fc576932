/**
 * Two points, one on each body, that must coincide:
 *   C = x₁ − x₂          m, world axes
 *   J = J₁ − J₂          over the dofs that move either body (the points differ, so common dofs do not cancel)
 *   J̇ v = ẍ₁ − ẍ₂        m/s², at joint accelerations of zero
 * The translational part of connect, weld and the joints of body coordinates.
 */
import { transformPoint } from '../dynamics/poses.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import type { Model } from '../model/model.ts';
import { computePointRate } from './point-motion.ts';
import type { Residual } from './residual.ts';

const x1 = /* @__PURE__ */ new Float64Array(3);
const x2 = /* @__PURE__ */ new Float64Array(3);
const rate1 = /* @__PURE__ */ new Float64Array(3);
const rate2 = /* @__PURE__ */ new Float64Array(3);

/** Fills rows 0 to 2 of a block and of the residual; the points are given in the frames of their bodies. */
export function writeCoincidence(
  rows: BlockRows,
  block: number,
  model: Model,
  work: Workspace,
  body1: number,
  point1: Float64Array,
  i1: number,
  body2: number,
  point2: Float64Array,
  i2: number,
  out: Residual,
): void {
  transformPoint(x1, 0, work, body1, point1, i1);
  transformPoint(x2, 0, work, body2, point2, i2);
  computePointRate(rate1, 0, model, work, body1, x1, 0);
  computePointRate(rate2, 0, model, work, body2, x2, 0);
  for (let k = 0; k < 3; k++) {
    out.value[k] = x1[k] - x2[k];
    out.rate[k] = rate1[k] - rate2[k];
  }
  addPointRows(rows, block, model, work, body1, 1);
  addPointRows(rows, block, model, work, body2, -1);
}

/** Adds the velocity of x₁, or with sign −1 takes off that of x₂, of its body: one way through the dofs for all three rows. */
function addPointRows(rows: BlockRows, block: number, model: Model, work: Workspace, body: number, sign: 1 | -1): void {
  const { parent } = model.dof;
  const { motionSubspace, treeCenter } = work;
  const { column, columnStart, columnCount, value, valueStart } = rows;
  const x = sign === 1 ? x1 : x2;
  const c = 3 * model.body.root[body];
  const dx = sign * (x[0] - treeCenter[c]);
  const dy = sign * (x[1] - treeCenter[c + 1]);
  const dz = sign * (x[2] - treeCenter[c + 2]);
  const start = columnStart[block];
  const count = columnCount[block];
  const row = valueStart[block];
  let at = count - 1;
  for (let i = model.body.lastDof[body]; i >= 0; i = parent[i]) {
    while (at >= 0 && column[start + at] > i) at--;
    if (at < 0) break;
    if (column[start + at] !== i) continue;
    const s = 6 * i;
    const ax = motionSubspace[s];
    const ay = motionSubspace[s + 1];
    const az = motionSubspace[s + 2];
    const v = row + at;
    value[v] += ay * dz - az * dy + sign * motionSubspace[s + 3];
    value[v + count] += az * dx - ax * dz + sign * motionSubspace[s + 4];
    value[v + 2 * count] += ax * dy - ay * dx + sign * motionSubspace[s + 5];
  }
}
