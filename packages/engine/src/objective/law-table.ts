/** Which function evaluates which law. */
import { type ConvexProblem, LAW } from './convex-problem.ts';
import { bendCone, evaluateCone } from './laws/friction-cone.ts';
import { bendPyramid, evaluatePyramid } from './laws/friction-pyramid.ts';
import { bendLagged, evaluateLagged } from './laws/lagged-friction.ts';
import type { Bend } from './laws/law.ts';
import { bendSpring, evaluateSpring } from './laws/spring.ts';

/** Force, Hessian block and cost of a block at its residual; true where the Hessian may have changed. */
export function evaluateLaw(problem: ConvexProblem, block: number): boolean {
  switch (problem.law[block]) {
    case LAW.spring:
      return evaluateSpring(problem, block);
    case LAW.pyramid:
      return evaluatePyramid(problem, block);
    case LAW.cone:
      return evaluateCone(problem, block);
    default:
      return evaluateLagged(problem, block);
  }
}

/** Slope of a block's cost along residual + α direction; adds its curvature. */
export function bendLaw(
  problem: ConvexProblem,
  block: number,
  direction: Float64Array,
  alpha: number,
  bend: Bend,
): number {
  switch (problem.law[block]) {
    case LAW.spring:
      return bendSpring(problem, block, direction, alpha, bend);
    case LAW.pyramid:
      return bendPyramid(problem, block, direction, alpha, bend);
    case LAW.cone:
      return bendCone(problem, block, direction, alpha, bend);
    default:
      return bendLagged(problem, block, direction, alpha, bend);
  }
}
