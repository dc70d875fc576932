/**
 * MuJoCo's line search: the root of the slope φ'(α) of a convex function by Newton steps, one-sided until two of them enclose the root, then between
 * both ends and their middle. It ends at the same root as the exact search; where a file stops it after a few evaluations, this is where MuJoCo is by
 * then.
 *   first      α₁ = −φ'(0)/φ''(0)
 *   one-sided  Newton steps while the slope keeps its sign
 *   bracket    of both Newton points and the middle, those with the smaller slope of either sign are the next ends
 * Evaluations are counted, that at 0 too. Values are asked for only where slopes do not tell which is lower.
 * Source: MuJoCo, computation, "Newton solver"; PrimalSearch in engine_solver.c.
 */
import type { Line } from './exact-line-search.ts';

/** A line whose values can be compared, too. */
export interface MeasuredLine extends Line {
  /** φ(0) − φ(α). */
  measureFall(alpha: number): number;
}

/** A point of the line. */
interface Point {
  alpha: number;
  slope: number;
  curvature: number;
}

const first: Point = { alpha: 0, slope: 0, curvature: 0 };
const second: Point = { alpha: 0, slope: 0, curvature: 0 };
const firstNext: Point = { alpha: 0, slope: 0, curvature: 0 };
const secondNext: Point = { alpha: 0, slope: 0, curvature: 0 };
const middle: Point = { alpha: 0, slope: 0, curvature: 0 };
/** The Newton point of the first end, while the second end still looks at the one before. */
const firstAfter: Point = { alpha: 0, slope: 0, curvature: 0 };
const CANDIDATES: readonly Point[] = [firstNext, secondNext, middle];

/** Step length along the line with at most `limit` evaluations (and those of the step begun); `slope` and `curvature` are those at 0. */
export function searchByBrackets(
  line: MeasuredLine,
  slope: number,
  curvature: number,
  tolerance: number,
  limit: number,
): number {
  evaluate(line, -slope / curvature, first);
  let count = 2;
  if (Math.abs(first.slope) < tolerance) return first.alpha;

  // newton steps until the slope changes its sign
  const sign = first.slope < 0 ? 1 : -1;
  let isEnclosed = false;
  while (first.slope * sign <= -tolerance && count < limit) {
    copy(first, second);
    isEnclosed = true;
    evaluate(line, first.alpha - first.slope / first.curvature, first);
    count++;
    if (Math.abs(first.slope) < tolerance) return first.alpha;
  }
  if (count >= limit || !isEnclosed) return first.alpha;

  copy(first, secondNext);
  evaluate(line, first.alpha - first.slope / first.curvature, firstNext);
  count++;
  while (count < limit) {
    evaluate(line, 0.5 * (first.alpha + second.alpha), middle);
    count++;
    const best = chooseFlat(line, tolerance);
    if (best) return best.alpha;
    const movesFirst = tighten(first);
    if (movesFirst) {
      evaluate(line, first.alpha - first.slope / first.curvature, firstAfter);
      count++;
    }
    const movesSecond = tighten(second);
    if (movesFirst) copy(firstAfter, firstNext);
    if (movesSecond) {
      evaluate(line, second.alpha - second.slope / second.curvature, secondNext);
      count++;
    }
    // nothing between the two numbers
    if (!movesFirst && !movesSecond) return middle.alpha;
  }

  // the lower end, if it is below the start
  const ofFirst = line.measureFall(first.alpha);
  const ofSecond = line.measureFall(second.alpha);
  if (ofFirst >= ofSecond && ofFirst > 0) return first.alpha;
  return ofSecond >= ofFirst && ofSecond > 0 ? second.alpha : 0;
}

function evaluate(line: Line, alpha: number, out: Point): void {
  out.alpha = alpha;
  out.slope = line.slope(alpha);
  out.curvature = line.curvature;
}

function copy(from: Point, to: Point): void {
  to.alpha = from.alpha;
  to.slope = from.slope;
  to.curvature = from.curvature;
}

/** The lowest of the candidates whose slope counts as zero. */
function chooseFlat(line: MeasuredLine, tolerance: number): Point | undefined {
  let best: Point | undefined;
  let lowest = 0;
  let count = 0;
  for (const point of CANDIDATES) {
    if (!(Math.abs(point.slope) < tolerance)) continue;
    if (count++ === 0) {
      best = point;
      continue;
    }
    if (count === 2) lowest = line.measureFall(best!.alpha);
    const fall = line.measureFall(point.alpha);
    if (fall > lowest) {
      lowest = fall;
      best = point;
    }
  }
  return best;
}

/** Moves an end to the candidates of the same sign with smaller slopes; whether there is one. */
function tighten(end: Point): boolean {
  let hasMoved = false;
  for (const point of CANDIDATES) {
    const isSmaller =
      end.slope < 0 ? point.slope < 0 && end.slope < point.slope : point.slope > 0 && end.slope > point.slope;
    if (end.slope === 0 || !isSmaller) continue;
    copy(point, end);
    hasMoved = true;
  }
  return hasMoved;
}
