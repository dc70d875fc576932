/**
 * Impulses from step to step, by the key of their constraint: contacts by pair of shapes and feature, others by kind
 * and index. Keys ascend in the order in which rows are built. Where faces lie on each other, round-off decides which edges meet in a corner:
 * corners appear twice, in the middle of an edge, or vanish, and features change although nothing moves. So an impulse whose feature is gone, or is
 * elsewhere, goes to the two contacts of the pair between which it was, in parts that keep force and torque; what moving corners leave
 * out of these is made up for in the end (pair-wrench.ts). Places are measured from a body of the pair, along world axes, and are in the
 * entry's numbers of spin and roll, which such contacts lack.
 */
import { CARRIER, type ContactSet, isSoftContact } from '../../collision/contact-set.ts';
import { type ConvexProblem, SOURCE } from '../../objective/convex-problem.ts';
import { type ConstraintImpulses, IMPULSE_WIDTH } from '../../state/constraint-impulses.ts';
import { keepWrench, noteWrench, PLACED_ROWS } from './pair-wrench.ts';

/** First part of names that are not of contacts: negative, by the order of building. */
const RANK: Readonly<Record<number, number>> = {
  [SOURCE.term]: -9,
  [SOURCE.constraintJoint]: -8,
  [SOURCE.drive]: -7,
  [SOURCE.equality]: -6,
  [SOURCE.dofFriction]: -5,
  [SOURCE.tendonFriction]: -4,
  [SOURCE.jointLimit]: -3,
  [SOURCE.tendonLimit]: -2,
  [SOURCE.attachment]: -1,
};

/** Most contacts of a pair whose places are compared. */
const MOST_COMPARED = 16;
/** Share of the way to the next contact within which a contact with the feature of before is that of before. */
const NEAR_SHARE = 0.1;

/** Writes the impulses of the last step to `force`, 0 where a constraint is new. */
export function readImpulses(
  problem: ConvexProblem,
  contacts: ContactSet,
  impulses: ConstraintImpulses,
  bodyPosition: Float64Array,
): void {
  const { rows, source, sourceIndex } = problem;
  const { force } = problem.data;
  impulses.rewind();
  let b = 0;
  while (b < rows.blockCount) {
    if (source[b] === SOURCE.contact) {
      b = readPair(problem, contacts, impulses, bodyPosition, b);
      continue;
    }
    copyEntry(
      force,
      rows.rowStart[b],
      rows.rowStart[b + 1],
      impulses,
      impulses.find(rankOf(problem, b), sourceIndex[b]),
    );
    b++;
  }
}

/** Of the contacts of the pair that block `first` is one of: by place, or by feature where there are too many or some have none. Returns the block after them. */
function readPair(
  problem: ConvexProblem,
  contacts: ContactSet,
  impulses: ConstraintImpulses,
  bodyPosition: Float64Array,
  first: number,
): number {
  const { rows, source, sourceIndex } = problem;
  const { force } = problem.data;
  const pair = contacts.pair[sourceIndex[first]];
  let areCompared = true;
  let end = first;
  for (; end < rows.blockCount && source[end] === SOURCE.contact; end++) {
    const i = sourceIndex[end];
    if (contacts.pair[i] !== pair) break;
    if (end - first >= MOST_COMPARED || !hasPlace(contacts, i)) areCompared = false;
    else readPlace(places, 3 * (end - first), contacts, i, bodyPosition);
  }
  if (!areCompared) {
    for (let b = first; b < end; b++) {
      const at = impulses.find(pair, contacts.feature[sourceIndex[b]]);
      copyEntry(force, rows.rowStart[b], rows.rowStart[b + 1], impulses, at);
    }
    return end;
  }
  const count = end - first;
  const start = impulses.findFirst(pair);
  const entries = impulses.findEnd(start, pair) - start;
  isTaken.fill(0, 0, Math.min(entries, MOST_COMPARED));
  for (let b = first; b < end; b++) {
    const at = impulses.find(pair, contacts.feature[sourceIndex[b]]);
    const isHere = at >= 0 && isNear(b - first, count, impulses.value, at + PLACED_ROWS);
    copyEntry(force, rows.rowStart[b], rows.rowStart[b + 1], impulses, isHere ? at : -1);
    const entry = at / IMPULSE_WIDTH - start;
    if (isHere && entry < MOST_COMPARED) isTaken[entry] = 1;
  }
  for (let n = 0; n < Math.min(entries, MOST_COMPARED); n++) {
    if (isTaken[n] === 0) spread(problem, impulses.value, IMPULSE_WIDTH * (start + n), first, count);
  }
  if (entries > 0) {
    noteWrench(contacts, sourceIndex[first], impulses, IMPULSE_WIDTH * start, entries);
    keepWrench(problem, contacts, places, first, count);
  }
  return end;
}

// whether contact k of `count` is so near to a place that no other can be meant
function isNear(k: number, count: number, value: Float64Array, at: number): boolean {
  let spacing = Infinity;
  for (let m = 0; m < count; m++) if (m !== k) spacing = Math.min(spacing, measureSquare(places, 3 * m, places, 3 * k));
  return measureSquare(places, 3 * k, value, at) < NEAR_SHARE * NEAR_SHARE * spacing;
}

// adds an impulse to the two contacts, of `count` from block `first` on, between which its place is, in parts that keep the torque
function spread(problem: ConvexProblem, value: Float64Array, at: number, first: number, count: number): void {
  const place = at + PLACED_ROWS;
  let [one, other, part, least] = [0, 0, 0, Infinity];
  for (let a = 0; a < count; a++) {
    for (let b = Math.min(a + 1, count - 1); b < count; b++) {
      let along = 0;
      for (let k = 0; k < 3; k++)
        along += (places[3 * b + k] - places[3 * a + k]) * (value[place + k] - places[3 * a + k]);
      const length = measureSquare(places, 3 * b, places, 3 * a);
      const t = length > 0 ? Math.min(Math.max(along / length, 0), 1) : 0;
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const x = places[3 * a + k];
        square += (x + t * (places[3 * b + k] - x) - value[place + k]) ** 2;
      }
      if (!(square < least)) continue;
      [one, other, part, least] = [a, b, t, square];
    }
  }
  addShare(problem, value, at, first + one, 1 - part);
  addShare(problem, value, at, first + other, part);
}

function addShare({ rows, data }: ConvexProblem, value: Float64Array, at: number, b: number, share: number): void {
  const row = rows.rowStart[b];
  for (let r = row; r < rows.rowStart[b + 1]; r++) data.force[r] += share * value[at + r - row];
}

function measureSquare(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const x = a[i] - b[j];
  const y = a[i + 1] - b[j + 1];
  const z = a[i + 2] - b[j + 2];
  return x * x + y * y + z * z;
}

function copyEntry(force: Float64Array, first: number, end: number, { value }: ConstraintImpulses, at: number): void {
  for (let r = first; r < end; r++) force[r] = at < 0 ? 0 : value[at + r - first];
}

/** Keeps the impulses in `force` for the next step. */
export function writeImpulses(
  problem: ConvexProblem,
  contacts: ContactSet,
  impulses: ConstraintImpulses,
  bodyPosition: Float64Array,
): void {
  const { rows, source, sourceIndex } = problem;
  const { force } = problem.data;
  impulses.clear();
  for (let b = 0; b < rows.blockCount; b++) {
    const i = sourceIndex[b];
    const first = rows.rowStart[b];
    const count = rows.rowStart[b + 1] - first;
    if (source[b] !== SOURCE.contact) {
      impulses.add(rankOf(problem, b), i, force, first, count);
      continue;
    }
    impulses.add(contacts.pair[i], contacts.feature[i], force, first, count);
    if (!hasPlace(contacts, i)) continue;
    readPlace(places, 0, contacts, i, bodyPosition);
    impulses.place(places);
  }
}

// rigid contacts without spin and roll
function hasPlace(contacts: ContactSet, i: number): boolean {
  return contacts.condim[i] <= PLACED_ROWS && !isSoftContact(contacts, i);
}

// from the body of side 2, or of side 1 where that is the world
function readPlace(
  out: Float64Array,
  at: number,
  { position, carrierKind1, carrierKind2, carrier1, carrier2 }: ContactSet,
  i: number,
  bodyPosition: Float64Array,
): void {
  const isSecond = carrierKind2[i] === CARRIER.body;
  const body = isSecond ? carrier2[i] : carrierKind1[i] === CARRIER.body ? carrier1[i] : -1;
  for (let k = 0; k < 3; k++) out[at + k] = position[3 * i + k] - (body < 0 ? 0 : bodyPosition[3 * body + k]);
}

const places = /* @__PURE__ */ new Float64Array(3 * MOST_COMPARED);
const isTaken = /* @__PURE__ */ new Uint8Array(MOST_COMPARED);

// armature of joints comes after their constraints
function rankOf({ rows, source, regularization }: ConvexProblem, b: number): number {
  return RANK[source[b]] + (source[b] === SOURCE.constraintJoint && regularization[rows.rowStart[b]] > 0 ? 0.5 : 0);
}
