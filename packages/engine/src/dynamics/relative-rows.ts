/**
 * Rows of the Jacobian of body 2 as seen from body 1: for a direction f at a point and an axis t,
 *   row = f · (velocity of the point of body 2 − velocity of the point of body 1) + t · (ω₂ − ω₁)
 * over the dofs that move either. A dof i moves the point x of its body by v_i = s_lin + s_ang × (x − c), c the centre of its
 * tree. Dofs that move both bodies cancel where both points are the same one (contacts) and may be left out.
 */
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import type { Model } from '../model/model.ts';
import type { Workspace } from './workspace.ts';

/** Adds a block over the dofs of two bodies; values are zero. With `common`, dofs that move both have columns, too. */
export function addRelativeBlock(
  rows: BlockRows,
  model: Model,
  body1: number,
  body2: number,
  dimension: number,
  common: boolean,
): number {
  const { parent } = model.dof;
  const { lastDof } = model.body;
  // count, then write from the end: both chains go towards lower numbers
  let count = 0;
  let i = lastDof[body1];
  let j = lastDof[body2];
  while (i >= 0 || j >= 0) {
    if (i === j) {
      if (!common) break;
      j = parent[j];
      i = parent[i];
    } else if (i > j) i = parent[i];
    else j = parent[j];
    count++;
  }
  const block = rows.add(dimension, count);
  const { column, columnStart, value, valueStart } = rows;
  let at = columnStart[block] + count;
  i = lastDof[body1];
  j = lastDof[body2];
  while (at > columnStart[block]) {
    column[--at] = Math.max(i, j);
    if (i === j) {
      j = parent[j];
      i = parent[i];
    } else if (i > j) i = parent[i];
    else j = parent[j];
  }
  value.fill(0, valueStart[block], rows.valueEnd);
  return block;
}

/**
 * Adds to row k of a block: sign × (f · velocity of the world point x, y, z of a body + t · its angular velocity).
 * Columns of the block that do not move the body are left alone.
 */
export function addBodyRow(
  rows: BlockRows,
  block: number,
  k: number,
  model: Model,
  work: Workspace,
  body: number,
  sign: number,
  point: Float64Array,
  p: number,
  force: Float64Array,
  f: number,
  torque: Float64Array | undefined,
  t: number,
): void {
  const { parent } = model.dof;
  const { motionSubspace, treeCenter } = work;
  const { column, columnStart, columnCount, value, valueStart } = rows;
  const c = 3 * model.body.root[body];
  const dx = point[p] - treeCenter[c];
  const dy = point[p + 1] - treeCenter[c + 1];
  const dz = point[p + 2] - treeCenter[c + 2];
  const fx = sign * force[f];
  const fy = sign * force[f + 1];
  const fz = sign * force[f + 2];
  let mx = dy * fz - dz * fy;
  let my = dz * fx - dx * fz;
  let mz = dx * fy - dy * fx;
  if (torque) {
    mx += sign * torque[t];
    my += sign * torque[t + 1];
    mz += sign * torque[t + 2];
  }
  const start = columnStart[block];
  const row = valueStart[block] + k * columnCount[block];
  let at = columnCount[block] - 1;
  for (let i = model.body.lastDof[body]; i >= 0; i = parent[i]) {
    while (at >= 0 && column[start + at] > i) at--;
    if (at < 0) break;
    if (column[start + at] !== i) continue;
    const s = 6 * i;
    value[row + at] +=
      motionSubspace[s] * mx +
      motionSubspace[s + 1] * my +
      motionSubspace[s + 2] * mz +
      motionSubspace[s + 3] * fx +
      motionSubspace[s + 4] * fy +
      motionSubspace[s + 5] * fz;
  }
}
