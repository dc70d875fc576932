/**
 * What the compiled functions see of an island: sizes and addresses, in the order in which the engine writes them
 * (objective/island-record.ts).
 */
import { Doubles, Integers } from './doubles';

@unmanaged
export class Island {
  // sizes
  size: i32;
  firstBlock: i32;
  endBlock: i32;
  firstTree: i32;
  endTree: i32;
  firstDof: i32;
  /** Written: 1 where the Hessian may have changed. */
  hasChanged: i32;
  /** Written: curvature, then slope and curvature of the metric along the line. */
  numbers: Doubles;
  // rows
  rowStart: Integers;
  columnStart: Integers;
  columnCount: Integers;
  valueStart: Integers;
  column: Integers;
  value: Doubles;
  // laws
  law: Integers;
  hessianStart: Integers;
  reference: Doubles;
  regularization: Doubles;
  stiffness: Doubles;
  low: Doubles;
  high: Doubles;
  friction: Doubles;
  residual: Doubles;
  force: Doubles;
  zone: Integers;
  hessian: Doubles;
  cost: Doubles;
  // metric
  metric: Doubles;
  target: Doubles;
  patternRow: Integers;
  patternColumn: Integers;
  // islands
  block: Integers;
  tree: Integers;
  treeDof: Integers;
  localDof: Integers;
  dof: Integers;
  // vectors
  x: Doubles;
  gradient: Doubles;
  momentum: Doubles;
  offset: Doubles;
  direction: Doubles;
  metricDirection: Doubles;
  rowDirection: Doubles;
}
