/** Which function evaluates which law. */
import { CONSTRAINT_LAW, type ConvexProblem } from './convex-problem.ts';
import { differentiateConeAlongLine, evaluateCone } from './laws/friction-cone.ts';
import { differentiatePyramidAlongLine, evaluatePyramid } from './laws/friction-pyramid.ts';
import { differentiateLaggedAlongLine, evaluateLagged } from './laws/lagged-friction.ts';
import type { LineDerivatives } from './laws/law.ts';
import { differentiateSpringAlongLine, evaluateSpring } from './laws/spring.ts';

/** Force, Hessian block and cost of a block at its residual; true where the Hessian may have changed. */
export function evaluateLaw(problem: ConvexProblem, block: number): boolean {
  switch (problem.law[block]) {
    case CONSTRAINT_LAW.spring:
      return evaluateSpring(problem, block);
    case CONSTRAINT_LAW.pyramid:
      return evaluatePyramid(problem, block);
    case CONSTRAINT_LAW.cone:
      return evaluateCone(problem, block);
    default:
      return evaluateLagged(problem, block);
  }
}

/** Slope of a block's cost along residual + α direction; adds its curvature. */
export function differentiateLawAlongLine(
  problem: ConvexProblem,
  block: number,
  direction: Float64Array,
  alpha: number,
  line: LineDerivatives,
): number {
  switch (problem.law[block]) {
    case CONSTRAINT_LAW.spring:
      return differentiateSpringAlongLine(problem, block, direction, alpha, line);
    case CONSTRAINT_LAW.pyramid:
      return differentiatePyramidAlongLine(problem, block, direction, alpha, line);
    case CONSTRAINT_LAW.cone:
      return differentiateConeAlongLine(problem, block, direction, alpha, line);
    default:
      return differentiateLaggedAlongLine(problem, block, direction, alpha, line);
  }
}
