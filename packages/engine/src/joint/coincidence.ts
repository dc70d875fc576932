/**
 * Two points, one on each body, that must coincide:
 *   C = x₁ − x₂          m, world axes
 *   J = J₁ − J₂          over the dofs that move either body (the points differ, so common dofs do not cancel)
 *   J̇ v = ẍ₁ − ẍ₂        m/s², at joint accelerations of zero
 * The translational part of connect, weld and the joints of body coordinates.
 */
import { transformPoint } from '../dynamics/poses.ts';
import { addPointRows } from '../dynamics/relative-rows.ts';
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
  addPointRows(rows, block, 0, model, work, body1, 1, x1, 0);
  addPointRows(rows, block, 0, model, work, body2, -1, x2, 0);
}
