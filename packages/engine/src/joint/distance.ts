/**
 * Distance: two points, one on each body, at the two ends of a rod of length L.
 *   C = |d| − L,  d = x₂ − x₁        m;  n = d/|d|
 *   J = nᵀ (J₂ − J₁)
 *   J̇ v = n · (ẍ₂ − ẍ₁) + (|ḋ|² − (n · ḋ)²)/|d|      the second term is the rotation of the rod
 * Where the points coincide n is the x axis and the turning is left out.
 */
import { transformPoint } from '../dynamics/poses.ts';
import { addBodyRow, addRelativeBlock } from '../dynamics/relative-rows.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import type { Model } from '../model/model.ts';
import { computePointRate, computePointVelocity } from './point-motion.ts';
import type { Residual } from './residual.ts';
import { dropZeroBlock } from './zero-block.ts';

const x1 = /* @__PURE__ */ new Float64Array(3);
const x2 = /* @__PURE__ */ new Float64Array(3);
const motion1 = /* @__PURE__ */ new Float64Array(3);
const motion2 = /* @__PURE__ */ new Float64Array(3);
const n = /* @__PURE__ */ new Float64Array(3);

/** Adds the block of equality e; -1 where nothing can change the distance. */
export function writeDistance(rows: BlockRows, model: Model, work: Workspace, e: number, out: Residual): number {
  const { object1, object2, data } = model.equality;
  const body1 = object1[e];
  const body2 = object2[e];
  transformPoint(x1, 0, work, body1, data, 11 * e);
  transformPoint(x2, 0, work, body2, data, 11 * e + 3);
  const dx = x2[0] - x1[0];
  const dy = x2[1] - x1[1];
  const dz = x2[2] - x1[2];
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const isPoint = length < 1e-15;
  n[0] = isPoint ? 1 : dx / length;
  n[1] = isPoint ? 0 : dy / length;
  n[2] = isPoint ? 0 : dz / length;

  const block = addRelativeBlock(rows, model, body1, body2, 1, true);
  addBodyRow(rows, block, 0, model, work, body1, -1, x1, 0, n, 0, undefined, 0);
  addBodyRow(rows, block, 0, model, work, body2, 1, x2, 0, n, 0, undefined, 0);

  computePointVelocity(motion1, 0, model, work, body1, x1, 0);
  computePointVelocity(motion2, 0, model, work, body2, x2, 0);
  let along = 0;
  let square = 0;
  for (let k = 0; k < 3; k++) {
    const speed = motion2[k] - motion1[k];
    along += n[k] * speed;
    square += speed * speed;
  }
  computePointRate(motion1, 0, model, work, body1, x1, 0);
  computePointRate(motion2, 0, model, work, body2, x2, 0);
  let rate = isPoint ? 0 : (square - along * along) / length;
  for (let k = 0; k < 3; k++) rate += n[k] * (motion2[k] - motion1[k]);
  out.dimension = 1;
  out.value[0] = length - data[11 * e + 6];
  out.rate[0] = rate;
  return dropZeroBlock(rows, block);
}
