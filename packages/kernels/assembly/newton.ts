/**
 * Newton's method on an island whose Hessian is dense or has the pattern of A, whole iterations in one call: the twin of the engine's
 * minimize/newton.ts with its exact line search, and of formulation/mujoco/mujoco-stopping.ts.
 */
import { prepareDense } from './dense-hessian';
import { solveDense } from './dense-solve';
import { Doubles } from './doubles';
import { Target } from './hessian-target';
import { Island } from './island';
import { dot } from './lanes';
import { solveMetric } from './metric';
import { aimIsland, moveIsland } from './objective';
import { searchLine } from './search-line';
import { prepareTrees } from './tree-hessian';

/** How a call ends; see OUTCOME of the engine. */
const CONVERGED: i32 = 0;
const UNFINISHED: i32 = 1;
const STALLED: i32 = 2;

/** Places of the numbers. */
const SCALE: i32 = 0;
const TOLERANCE: i32 = 1;
const SLOPE_TOLERANCE: i32 = 2;
const VALUE: i32 = 3;
const RESIDUAL: i32 = 4;
/** Where the trace begins: value, residual and step of each iteration. */
const TRACE: i32 = 5;

/** Sizes and addresses, in the order in which the engine writes them. */
@unmanaged
export class Newton {
  /** 1 where the Hessian has the pattern of A, 0 where it is dense. */
  isTree: i32;
  /** 1 where no iteration was made yet. */
  isFirst: i32;
  /** Most iterations of this call, and evaluations of a line search. */
  limit: i32;
  searchLimit: i32;
  /** 1 where a small promise ends the solve before its step. */
  endsEarly: i32;
  /** Written: entries of the trace. */
  count: i32;
  target: Target;
  numbers: Doubles;
}

/** Iterates from where the island is; says how it ended. */
export function minimizeIsland(a: Island, c: Newton): i32 {
  const n: i32 = a.size;
  const g: Doubles = a.gradient;
  const p: Doubles = a.direction;
  const t: Target = c.target;
  const numbers: Doubles = c.numbers;
  const scale: f64 = numbers[SCALE];
  const tolerance: f64 = numbers[TOLERANCE];
  const slopeTolerance: f64 = numbers[SLOPE_TOLERANCE];
  let isFirst: bool = c.isFirst != 0;
  let entry: i32 = TRACE;
  let outcome: i32 = UNFINISHED;
  for (let k: i32 = 0; k < c.limit && outcome == UNFINISHED; k++) {
    // direction: H p = −g
    if (isFirst || a.hasChanged != 0) {
      if ((c.isTree != 0 ? prepareTrees(a, t) : prepareDense(a, t)) >= 0) {
        outcome = STALLED;
        break;
      }
    }
    for (let i: i32 = 0; i < n; i++) p[i] = -g[i];
    if (c.isTree != 0) solveMetric(a, p, t.matrix, t.inverseDiagonal);
    else solveDense(p, t.matrix, t.inverseDiagonal, n);
    let slope: f64 = 0;
    let square: f64 = 0;
    for (let i: i32 = 0; i < n; i++) {
      slope += p[i] * g[i];
      square += p[i] * p[i];
    }

    // a step that promises little is not taken, but for the first one
    if (c.endsEarly != 0 && !isFirst && -0.5 * scale * slope < tolerance) {
      outcome = CONVERGED;
      entry = note(a, numbers, entry, 0);
      break;
    }
    isFirst = false;
    if (!(slope < 0)) {
      outcome = STALLED;
      break;
    }

    // step length, and step
    aimIsland(a);
    const least: f64 = slopeTolerance > 0 ? slopeTolerance * sqrt<f64>(square) : 0;
    const step: f64 = searchLine(a, slope, -slope, least, c.searchLimit);
    if (step == 0) {
      entry = note(a, numbers, entry, 0);
      outcome = STALLED;
      break;
    }
    const decrease: f64 = -moveIsland(a, step);
    numbers[VALUE] = numbers[VALUE] - decrease;
    entry = note(a, numbers, entry, step);
    const residual: f64 = numbers[RESIDUAL];
    const promise: f64 = -0.5 * slope;
    if (residual <= tolerance || scale * promise < tolerance || (decrease >= 0 && scale * decrease < tolerance)) {
      outcome = CONVERGED;
    }
  }
  c.count = (entry - TRACE) / 3;
  return outcome;
}

/** An entry of the trace; returns where the next one goes. */
function note(a: Island, numbers: Doubles, entry: i32, step: f64): i32 {
  const residual: f64 = numbers[SCALE] * sqrt<f64>(dot(a.gradient.at(0), a.gradient.at(0), a.size));
  numbers[RESIDUAL] = residual;
  numbers[entry] = numbers[VALUE];
  numbers[entry + 1] = residual;
  numbers[entry + 2] = step;
  return entry + 3;
}
