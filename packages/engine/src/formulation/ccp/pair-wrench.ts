/**
 * Force and torque of a pair of shapes from step to step. Corners of faces that lie on each other move by micrometres in a step, and impulses that
 * stay with them leave a torque that is wrong by 1e-4 of their own, a hundred times the usual tolerance. So the contacts k of a pair get
 * what is missing by the least change,
 *
 *   δf = F/n + ω × (r − r̄),    T ω = M,    T = Σ (|r − r̄|² 1 − (r − r̄)(r − r̄)ᵀ)
 *
 * with F, N s, the missing impulse, M, N m s, its torque about the mean r̄ of their n places r, m. Contacts in a line do not hold every torque.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import type { ConvexProblem } from '../../objective/convex-problem.ts';
import { type ConstraintImpulses, IMPULSE_WIDTH } from '../../state/constraint-impulses.ts';

/** Rows of a contact whose entry has room for its place as well, and where that is. */
export const PLACED_ROWS = 3;
/** Least contacts that hold any torque. */
const LEAST_FACE = 3;
/** By how much their normals and tangents may differ. */
const SAME_FRAME = 1e-9;
/** Least determinant of T, share of the cube of its trace. */
const LEAST_SPREAD = 1e-6;

/** Notes force and torque of `entries` entries of the last step, from a place on, along the axes of contact i. */
export function noteWrench(
  { frame }: ContactSet,
  i: number,
  { value }: ConstraintImpulses,
  at: number,
  entries: number,
): void {
  for (let k = 0; k < 9; k++) axes[k] = frame[9 * i + k];
  wrench.fill(0);
  for (let n = 0; n < entries; n++) {
    const entry = at + IMPULSE_WIDTH * n;
    addWrench(1, value, entry, value, entry + PLACED_ROWS);
  }
}

/** Gives `count` contacts from block `first` on, with their places, the force and torque noted before. */
export function keepWrench(
  problem: ConvexProblem,
  contacts: ContactSet,
  places: Float64Array,
  first: number,
  count: number,
): void {
  if (count < LEAST_FACE || !haveOneFrame(problem, contacts, first, count)) return;
  const { force } = problem.data;
  const { rowStart } = problem.rows;
  for (let k = 0; k < count; k++) addWrench(-1, force, rowStart[first + k], places, 3 * k);
  if (!findTurn(places, count)) return;
  for (let k = 0; k < count; k++) {
    const x = places[3 * k] - center[0];
    const y = places[3 * k + 1] - center[1];
    const z = places[3 * k + 2] - center[2];
    const dx = wrench[0] / count + turn[1] * z - turn[2] * y;
    const dy = wrench[1] / count + turn[2] * x - turn[0] * z;
    const dz = wrench[2] / count + turn[0] * y - turn[1] * x;
    const row = rowStart[first + k];
    for (let i = 0; i < 3; i++) force[row + i] += axes[3 * i] * dx + axes[3 * i + 1] * dy + axes[3 * i + 2] * dz;
  }
}

// whether the blocks are contacts with friction and the same normal and tangents
function haveOneFrame({ rows, sourceIndex }: ConvexProblem, { frame }: ContactSet, first: number, n: number): boolean {
  const from = 9 * sourceIndex[first];
  for (let b = first; b < first + n; b++) {
    if (rows.rowStart[b + 1] - rows.rowStart[b] !== PLACED_ROWS) return false;
    const at = 9 * sourceIndex[b];
    for (let k = 0; k < 9; k++) if (!(Math.abs(frame[at + k] - frame[from + k]) <= SAME_FRAME)) return false;
  }
  return true;
}

// adds an impulse along the axes, and its torque, in world axes
function addWrench(sign: number, impulse: Float64Array, row: number, place: Float64Array, at: number): void {
  const n = sign * impulse[row];
  const s = sign * impulse[row + 1];
  const t = sign * impulse[row + 2];
  const fx = axes[0] * n + axes[3] * s + axes[6] * t;
  const fy = axes[1] * n + axes[4] * s + axes[7] * t;
  const fz = axes[2] * n + axes[5] * s + axes[8] * t;
  const x = place[at];
  const y = place[at + 1];
  const z = place[at + 2];
  wrench[0] += fx;
  wrench[1] += fy;
  wrench[2] += fz;
  wrench[3] += y * fz - z * fy;
  wrench[4] += z * fx - x * fz;
  wrench[5] += x * fy - y * fx;
}

// r̄ and ω of the missing force and torque; false where the places are in a line
function findTurn(places: Float64Array, count: number): boolean {
  center.fill(0);
  for (let i = 0; i < 3 * count; i++) center[i % 3] += places[i] / count;
  const cx = center[0];
  const cy = center[1];
  const cz = center[2];
  let xx = 0;
  let yy = 0;
  let zz = 0;
  let xy = 0;
  let xz = 0;
  let yz = 0;
  for (let k = 0; k < count; k++) {
    const x = places[3 * k] - cx;
    const y = places[3 * k + 1] - cy;
    const z = places[3 * k + 2] - cz;
    xx += y * y + z * z;
    yy += x * x + z * z;
    zz += x * x + y * y;
    xy -= x * y;
    xz -= x * z;
    yz -= y * z;
  }
  const a = yy * zz - yz * yz;
  const b = xz * yz - xy * zz;
  const c = xy * yz - xz * yy;
  const determinant = xx * a + xy * b + xz * c;
  if (!(determinant > LEAST_SPREAD * (xx + yy + zz) ** 3)) return false;
  const mx = wrench[3] - (cy * wrench[2] - cz * wrench[1]);
  const my = wrench[4] - (cz * wrench[0] - cx * wrench[2]);
  const mz = wrench[5] - (cx * wrench[1] - cy * wrench[0]);
  const d = xy * xz - xx * yz;
  turn[0] = (a * mx + b * my + c * mz) / determinant;
  turn[1] = (b * mx + (xx * zz - xz * xz) * my + d * mz) / determinant;
  turn[2] = (c * mx + d * my + (xx * yy - xy * xy) * mz) / determinant;
  return true;
}

/** Normal and tangents of the pair; force and torque that are missing; r̄; ω. */
const axes = /* @__PURE__ */ new Float64Array(9);
const wrench = /* @__PURE__ */ new Float64Array(6);
const center = /* @__PURE__ */ new Float64Array(3);
const turn = /* @__PURE__ */ new Float64Array(3);
