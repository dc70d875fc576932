/** The patch of two boxes that meet with a face: the compiled twin of the engine's geometry/pair/box-patch.ts, in the same order of operations. */
import { face } from './box-axes';
import { BoxPair } from './box-pair';
import { Doubles } from './doubles';

const CAPACITY: i32 = 8;
const SAME_CORNER: f64 = 1e-14;

/** Corners, and where they begin. */
export let count: i32 = 0;
export let start: i32 = 0;
/** The reference face: axis of its box, the two axes along it, and the side of the box it is on. */
export let axis: i32 = 0;
export let axisX: i32 = 0;
export let axisY: i32 = 0;
export let side: f64 = 1;
/** Lowest corner. */
export let lowest: f64 = 0;
let incident: i32 = 0;
let scale2: f64 = 0;

/** Clips the incident face by the reference face. */
export function clip(p: BoxPair, sizeA: usize, sizeB: usize): void {
  const ofA: bool = face < 3;
  axis = ofA ? face : face - 3;
  axisX = axis == 2 ? 0 : axis + 1;
  axisY = 3 - axis - axisX;
  const size: usize = ofA ? sizeA : sizeB;
  placeIncident(p, ofA, size, ofA ? sizeB : sizeA);
  const limitX: f64 = load<f64>(size + ((<usize>axisX) << 3));
  const limitY: f64 = load<f64>(size + ((<usize>axisY) << 3));
  scale2 = limitX * limitX + limitY * limitY;
  cut(p, p.x, 1, limitX, 4);
  cut(p, p.x, -1, limitX, 5);
  cut(p, p.y, 1, limitY, 6);
  cut(p, p.y, -1, limitY, 7);
  lowest = Infinity;
  for (let k: i32 = start; k < start + count; k++) lowest = Math.min(lowest, p.z[k]);
}

/** Whether an earlier corner is so near that corner k counts as the same. */
export function repeats(p: BoxPair, k: i32): bool {
  const least: f64 = SAME_CORNER * scale2;
  for (let q: i32 = start; q < k; q++) {
    const dx: f64 = p.x[q] - p.x[k];
    const dy: f64 = p.y[q] - p.y[k];
    if (dx * dx + dy * dy <= least) return true;
  }
  return false;
}

/** Name of corner k. */
export function nameCorner(p: BoxPair, k: i32): i32 {
  const before: i32 = k == start ? start + count - 1 : k - 1;
  const name: i32 = 2 * face + (side > 0 ? 0 : 1);
  return (name * 6 + incident) * 64 + p.label[before] * 8 + p.label[k];
}

function placeIncident(p: BoxPair, ofA: bool, size: usize, incidentSize: usize): void {
  const r: Doubles = p.turn;
  const center: Doubles = ofA ? p.centerB : p.centerA;
  const down: i32 = ofA ? 3 : 1;
  const right: i32 = ofA ? 1 : 3;
  side = center[axis] >= 0 ? 1 : -1;
  const row: i32 = axis * down;
  let most: i32 = 0;
  for (let c: i32 = 1; c < 3; c++) {
    if (Math.abs(r[row + c * right]) > Math.abs(r[row + most * right])) most = c;
  }
  const facing: f64 = side * r[row + most * right] > 0 ? -1 : 1;
  incident = 2 * most + (facing > 0 ? 0 : 1);
  // its middle and half edges
  const u: i32 = most == 2 ? 0 : most + 1;
  const v: i32 = 3 - most - u;
  const depth: f64 = facing * load<f64>(incidentSize + ((<usize>most) << 3));
  const halfU: f64 = load<f64>(incidentSize + ((<usize>u) << 3));
  const halfV: f64 = load<f64>(incidentSize + ((<usize>v) << 3));
  const rowX: i32 = axisX * down;
  const rowY: i32 = axisY * down;
  const mx: f64 = center[axisX] + depth * r[rowX + most * right];
  const my: f64 = center[axisY] + depth * r[rowY + most * right];
  const mz: f64 = side * (center[axis] + depth * r[row + most * right]) - load<f64>(size + ((<usize>axis) << 3));
  const ux: f64 = halfU * r[rowX + u * right];
  const uy: f64 = halfU * r[rowY + u * right];
  const uz: f64 = side * halfU * r[row + u * right];
  const vx: f64 = halfV * r[rowX + v * right];
  const vy: f64 = halfV * r[rowY + v * right];
  const vz: f64 = side * halfV * r[row + v * right];
  // its corners around
  start = 0;
  count = 4;
  placeCorner(p, 0, mx + ux + vx, my + uy + vy, mz + uz + vz);
  placeCorner(p, 1, mx - ux + vx, my - uy + vy, mz - uz + vz);
  placeCorner(p, 2, mx - ux - vx, my - uy - vy, mz - uz - vz);
  placeCorner(p, 3, mx + ux - vx, my + uy - vy, mz + uz - vz);
}

@inline
function placeCorner(p: BoxPair, k: i32, x: f64, y: f64, z: f64): void {
  p.x[k] = x;
  p.y[k] = y;
  p.z[k] = z;
  p.label[k] = k;
}

/** Keeps the part with sign · coordinate ≤ limit; the new edge gets the label `name`. */
function cut(p: BoxPair, coordinate: Doubles, sign: f64, limit: f64, name: i32): void {
  const from: i32 = start;
  const corners: i32 = count;
  const beyond: Doubles = p.beyond;
  let any: bool = false;
  for (let k: i32 = 0; k < corners; k++) {
    const over: f64 = sign * coordinate[from + k] - limit;
    beyond[k] = over;
    if (over > 0) any = true;
  }
  if (!any) return;
  const to: i32 = CAPACITY - from;
  let n: i32 = to;
  for (let k: i32 = 0; k < corners; k++) {
    const next: i32 = k + 1 == corners ? 0 : k + 1;
    const i: i32 = from + k;
    const q: i32 = from + next;
    const here: f64 = beyond[k];
    const there: f64 = beyond[next];
    if (here <= 0) {
      p.x[n] = p.x[i];
      p.y[n] = p.y[i];
      p.z[n] = p.z[i];
      // a corner on the cut whose edge leaves continues along the cut
      p.label[n++] = here == 0 && there > 0 ? name : p.label[i];
    }
    if ((here < 0 && there > 0) || (here > 0 && there < 0)) {
      const t: f64 = here / (here - there);
      p.x[n] = p.x[i] + t * (p.x[q] - p.x[i]);
      p.y[n] = p.y[i] + t * (p.y[q] - p.y[i]);
      p.z[n] = p.z[i] + t * (p.z[q] - p.z[i]);
      p.label[n++] = here < 0 ? name : p.label[i];
    }
  }
  start = to;
  count = n - to;
}
