/**
 * Boxes of points along a whole path, t from 0 to 1.
 *
 * A curve stays within M/8 of its chord, M ≥ |ẍ| = |ω| u (u: boundTipSpeed); and within 2 u/|ω| of it, since start, end and
 * chord lie in one ball about the moving origin or axis. So the box of start and end, grown by the lesser one on each side, holds
 * the curve: also that of a half turn, whose start and end alone say nothing of what is between. A straight path is not grown.
 * (The box of the start, grown by L, is safe as well; it is larger by a factor of the order of 1/|ω|.)
 */
import { rotateByQuaternion } from '../../linear-algebra/quaternion.ts';
import { ROUNDING } from './moving-stencil.ts';
import { boundTipSpeed, measureTurn, type PosePaths, writePoseAt } from './pose-path.ts';

const start = /* @__PURE__ */ new Float64Array(7);
const end = /* @__PURE__ */ new Float64Array(7);
const first = /* @__PURE__ */ new Float64Array(3);
const last = /* @__PURE__ */ new Float64Array(3);
const corner = /* @__PURE__ */ new Float64Array(3);
const box = /* @__PURE__ */ new Float64Array(6);

/** Boxes of `count` points of body i, grown by `margin` (m): low x y z, high x y z each, to out. */
export function writeSweptPoints(
  out: Float64Array,
  paths: PosePaths,
  i: number,
  local: Float64Array,
  count: number,
  margin: number,
): void {
  writePoseAt(start, 0, paths, i, 0);
  writePoseAt(end, 0, paths, i, 1);
  const turn = measureTurn(paths, i);
  for (let v = 0; v < count; v++) sweepPoint(out, 6 * v, paths, i, local, 3 * v, turn, margin);
}

/** The box along the path of all that lies in a box of body i (low x y z, high x y z), grown by `margin`, to out[o]. */
export function writeSweptBox(
  out: Float64Array,
  o: number,
  paths: PosePaths,
  i: number,
  bounds: Float64Array,
  margin: number,
): void {
  writePoseAt(start, 0, paths, i, 0);
  writePoseAt(end, 0, paths, i, 1);
  const turn = measureTurn(paths, i);
  out.fill(Infinity, o, o + 3).fill(-Infinity, o + 3, o + 6);
  for (let c = 0; c < 8; c++) {
    for (let k = 0; k < 3; k++) corner[k] = bounds[(c >> k) & 1 ? k + 3 : k];
    sweepPoint(box, 0, paths, i, corner, 0, turn, margin);
    growBox(out, o, box, 0);
  }
}

/** The box at o grows to hold the box at s. */
export function growBox(out: Float64Array, o: number, boxes: Float64Array, s: number): void {
  for (let k = 0; k < 3; k++) {
    out[o + k] = Math.min(out[o + k], boxes[s + k]);
    out[o + 3 + k] = Math.max(out[o + 3 + k], boxes[s + 3 + k]);
  }
}

function sweepPoint(
  out: Float64Array,
  o: number,
  paths: PosePaths,
  i: number,
  local: Float64Array,
  l: number,
  turn: number,
  margin: number,
): void {
  rotateByQuaternion(first, 0, start, 3, local, l);
  rotateByQuaternion(last, 0, end, 3, local, l);
  const speed = turn > 0 ? boundTipSpeed(paths, i, first[0], first[1], first[2]) : 0;
  const bulge = turn > 0 ? Math.min((turn * speed) / 8, (2 * speed) / turn) : 0;
  const size = Math.abs(first[0]) + Math.abs(first[1]) + Math.abs(first[2]);
  for (let k = 0; k < 3; k++) {
    const x = first[k] + start[k];
    const y = last[k] + end[k];
    const grow = margin + bulge + ROUNDING * (size + Math.abs(start[k]) + Math.abs(end[k]));
    out[o + k] = Math.min(x, y) - grow;
    out[o + 3 + k] = Math.max(x, y) + grow;
  }
}
