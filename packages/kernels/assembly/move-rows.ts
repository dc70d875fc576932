/** Passes over the rows of an island that do several things at each block while its numbers are near. */
import { Doubles, Integers } from './doubles';
import { clearChanged, curvature, hasChanged, setCurvature } from './evaluation';
import { Island } from './island';
import { differentiateLawAlongLine, moveLaw } from './laws';
import { addBlock, areSixes, multiplyBlock } from './rows';

/** w = J d; returns the curvature at the start of the line, that of the metric included. */
export function aimRows(a: Island, metricCurvature: f64): f64 {
  const block: Integers = a.block;
  const rowStart: Integers = a.rowStart;
  const columnStart: Integers = a.columnStart;
  const columnCount: Integers = a.columnCount;
  const valueStart: Integers = a.valueStart;
  const column: Integers = a.column;
  const value: Doubles = a.value;
  const out: Doubles = a.rowDirection;
  const end: i32 = a.endBlock;
  let before: usize = 0;
  let isPair: bool = false;
  setCurvature(metricCurvature);
  for (let s: i32 = a.firstBlock; s < end; s++) {
    const b: i32 = block[s];
    const n: i32 = columnCount[b];
    const first: i32 = rowStart[b];
    const dimension: i32 = rowStart[b + 1] - first;
    const c: usize = column.at(columnStart[b]);
    if (c != before) {
      before = c;
      isPair = n == 12 && areSixes(c);
    }
    multiplyBlock(isPair, dimension, n, out.at(first), value.at(valueStart[b]), c, a.direction);
    differentiateLawAlongLine(a, b, 0);
  }
  return curvature;
}

/** Residuals and laws at α on the line, and the gradient p − Jᵀ f there; returns the change of the costs on top of `start`. */
export function moveRows(a: Island, alpha: f64, start: f64): f64 {
  const block: Integers = a.block;
  const rowStart: Integers = a.rowStart;
  const columnStart: Integers = a.columnStart;
  const columnCount: Integers = a.columnCount;
  const valueStart: Integers = a.valueStart;
  const column: Integers = a.column;
  const value: Doubles = a.value;
  const force: Doubles = a.force;
  const end: i32 = a.endBlock;
  memory.copy(a.gradient.at(0), a.momentum.at(0), (<usize>a.size) << 3);
  let before: usize = 0;
  let isPair: bool = false;
  let change: f64 = start;
  clearChanged();
  for (let s: i32 = a.firstBlock; s < end; s++) {
    const b: i32 = block[s];
    const n: i32 = columnCount[b];
    const first: i32 = rowStart[b];
    const dimension: i32 = rowStart[b + 1] - first;
    const c: usize = column.at(columnStart[b]);
    if (c != before) {
      before = c;
      isPair = n == 12 && areSixes(c);
    }
    change += moveLaw(a, b, alpha);
    addBlock(isPair, dimension, n, a.gradient, value.at(valueStart[b]), c, force.at(first), -1);
  }
  a.hasChanged = i32(hasChanged);
  return change;
}
