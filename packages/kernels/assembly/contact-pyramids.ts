/**
 * Contacts with friction pyramids as blocks of `mujoco`: the compiled twin of addPyramid in the engine's formulation/mujoco/contact-blocks.ts, in
 * the same order of operations. Contacts that are anything else, and those for whose rows there is no room, are left to the engine.
 */
import { countColumns, ContactSides, writeColumns, writeContact } from './contact-rows';
import { Doubles, Integers } from './doubles';
import { damping, impedance, regularize, setImpedance, stiffness } from './impedance';

const LEAST_FRICTION: f64 = 1e-5;
const IMMOVABLE: f64 = 1e-14;
const LEAST_SOFTNESS: f64 = 1e-15;
/** As in the engine's objective/convex-problem.ts. */
const PYRAMID: i32 = 1;
const CONTACT: i32 = 7;

/** What it sees, in the order of the engine's formulation/mujoco/pyramid-record.ts. */
@unmanaged
export class Pyramids {
  sides: ContactSides;
  /** Least time constant, s, and impedance ratio. */
  numbers: Doubles;
  /** Per body: inverse weight, 1/kg. */
  weight: Doubles;
  // contacts
  gap: Doubles;
  recovery: Doubles;
  margin: Doubles;
  friction: Doubles;
  condim: usize;
  ahead: usize;
  solref: Doubles;
  solimp: Doubles;
  contactStiffness: Doubles;
  adhesion: Doubles;
  // the last block and its bodies
  body1: i32;
  body2: i32;
  block: i32;
  // how much there is of everything
  blockCount: i32;
  rowCount: i32;
  columnEnd: i32;
  valueEnd: i32;
  hessianEnd: i32;
  // and how much room
  mostBlocks: i32;
  mostRows: i32;
  mostColumns: i32;
  mostValues: i32;
  mostHessian: i32;
  // rows
  rowStart: Integers;
  columnStart: Integers;
  columnCount: Integers;
  valueStart: Integers;
  column: Integers;
  value: Doubles;
  law: Integers;
  source: Integers;
  sourceIndex: Integers;
  hessianStart: Integers;
  reference: Doubles;
  regularization: Doubles;
  stiffness: Doubles;
  low: Doubles;
  high: Doubles;
  rowFriction: Doubles;
  zone: Integers;
  hessian: Doubles;
  damping: Doubles;
}

/** Adds blocks of contacts from `first` on; returns the first one that is left to the engine, or their number. */
export function addPyramids(a: Pyramids, first: i32, count: i32): i32 {
  const safePeriod: f64 = a.numbers[0];
  const ratio: f64 = a.numbers[1];
  for (let i: i32 = first; i < count; i++) {
    if (load<u8>(a.ahead + i) != 0 || a.adhesion[i] != 0) return i;
    const r: f64 = a.gap[i] + a.recovery[i] - a.margin[i];
    // detected, but beyond the distance at which it acts
    if (a.gap[i] + a.recovery[i] >= a.margin[i]) continue;
    const dimension: i32 = load<u8>(a.condim + i);
    const body1: i32 = a.sides.carrier1[i];
    const body2: i32 = a.sides.carrier2[i];
    if (a.sides.lastDof[body1] == a.sides.lastDof[body2]) continue;
    const weight: f64 = a.weight[body1] + a.weight[body2];
    if (dimension == 1 || a.contactStiffness[i] > 0 || !(weight > IMMOVABLE)) return i;
    if (!setImpedance(a.solref.at(2 * i), a.solimp.at(5 * i), Math.abs(r), safePeriod)) return i;
    const isLike: bool = a.block >= 0 && body1 == a.body1 && body2 == a.body2;
    const n: i32 = isLike ? a.columnCount[a.block] : countColumns(a.sides, body1, body2);
    if (!hasRoom(a, dimension, n, isLike)) return i;
    addBlock(a, i, dimension, n, isLike, body1, body2);
    // all edges together push along the normal
    const slide: f64 = Math.max(LEAST_FRICTION, a.friction[5 * i]);
    const edge: f64 = Math.max(
      LEAST_SOFTNESS,
      ((2 * slide * slide) / ratio) * regularize(weight * (1 + slide * slide)),
    );
    const row: i32 = a.rowStart[a.block];
    for (let k: i32 = 0; k < dimension; k++) {
      a.reference[row + k] = k == 0 ? -stiffness * impedance * r : 0;
      a.regularization[row + k] = edge;
      a.stiffness[row + k] = 1 / edge;
      a.low[row + k] = 0;
      a.high[row + k] = 0;
      a.damping[row + k] = damping;
      a.zone[row + k] = -1;
      if (k > 0) a.rowFriction[row + k] = Math.max(LEAST_FRICTION, a.friction[5 * i + k - 1]);
    }
  }
  return count;
}

@inline
function hasRoom(a: Pyramids, dimension: i32, n: i32, isLike: bool): bool {
  return (
    a.blockCount < a.mostBlocks &&
    a.rowCount + dimension <= a.mostRows &&
    (isLike || a.columnEnd + n <= a.mostColumns) &&
    a.valueEnd + dimension * n <= a.mostValues &&
    a.hessianEnd + dimension * dimension <= a.mostHessian
  );
}

/** Columns, values and law of contact i; laws write what changes: nothing is known yet. */
@inline
function addBlock(a: Pyramids, i: i32, dimension: i32, n: i32, isLike: bool, body1: i32, body2: i32): void {
  const block: i32 = a.blockCount++;
  if (isLike) a.columnStart[block] = a.columnStart[a.block];
  else {
    a.columnStart[block] = a.columnEnd;
    writeColumns(a.sides, a.column.at(a.columnEnd), n, body1, body2);
    a.columnEnd += n;
    a.body1 = body1;
    a.body2 = body2;
  }
  a.block = block;
  a.columnCount[block] = n;
  a.valueStart[block] = a.valueEnd;
  a.rowStart[block] = a.rowCount;
  a.rowCount += dimension;
  a.rowStart[block + 1] = a.rowCount;
  writeContact(a.sides, a.value.at(a.valueEnd), a.column.at(a.columnStart[block]), n, dimension, i);
  a.valueEnd += dimension * n;
  a.law[block] = PYRAMID;
  a.source[block] = CONTACT;
  a.sourceIndex[block] = i;
  a.hessianStart[block] = a.hessianEnd;
  memory.fill(a.hessian.at(a.hessianEnd), 0, (dimension * dimension) << 3);
  a.hessianEnd += dimension * dimension;
}
