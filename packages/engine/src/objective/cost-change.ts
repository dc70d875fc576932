/**
 * s(y) − s(y − δ) of a block without cancellation of two large numbers, if both ends lie in the same zone of the
 * law: quadratic zones δᵀ D (y − ½ δ), the surface of a cone ½ D_m (e − e⁻)(e + e⁻) with e = N − μ T. Across zones, and for
 * laws that are not quadratic, it is the difference.
 */
import { CONSTRAINT_LAW, type ConvexProblem } from './convex-problem.ts';

/** y is the residual now, δ = α times `direction`, `before` the cost at y − δ. */
export function measureCostChange(
  problem: ConvexProblem,
  block: number,
  direction: Float64Array,
  alpha: number,
  before: number,
): number {
  switch (problem.law[block]) {
    case CONSTRAINT_LAW.spring:
      return changeSpring(problem, block, direction, alpha);
    case CONSTRAINT_LAW.pyramid:
      return changePyramid(problem, block, direction, alpha);
    case CONSTRAINT_LAW.cone:
      return changeCone(problem, block, direction, alpha, before);
    default:
      return problem.data.cost[block] - before;
  }
}

function changeSpring(problem: ConvexProblem, block: number, direction: Float64Array, alpha: number): number {
  const { rows, stiffness, regularization, low, high } = problem;
  const { residual } = problem.data;
  let sum = 0;
  for (let r = rows.rowStart[block]; r < rows.rowStart[block + 1]; r++) {
    const d = stiffness[r];
    const y = residual[r];
    const delta = alpha * direction[r];
    const now = Math.min(high[r], Math.max(low[r], -d * y));
    const then = Math.min(high[r], Math.max(low[r], -d * (y - delta)));
    if (now === then) sum -= now * delta;
    // s = −f y − ½ R f², its difference split into the move at one force and the change of force at one place
    else sum -= then * delta + (now - then) * (y + 0.5 * regularization[r] * (now + then));
  }
  return sum;
}

function changePyramid(problem: ConvexProblem, block: number, direction: Float64Array, alpha: number): number {
  const { rows, stiffness, friction } = problem;
  const { residual } = problem.data;
  const first = rows.rowStart[block];
  const normal = residual[first];
  const normalDelta = alpha * direction[first];
  let plus = 0;
  let minus = 0;
  for (let r = first + 1; r < rows.rowStart[block + 1]; r++) {
    const side = friction[r] * residual[r];
    const sideDelta = friction[r] * alpha * direction[r];
    plus += changeEdge(normal + side, normalDelta + sideDelta);
    minus += changeEdge(normal - side, normalDelta - sideDelta);
  }
  return stiffness[first] * (plus + minus);
}

// ½ min(e, 0)² − ½ min(e − δ, 0)²
function changeEdge(e: number, delta: number): number {
  const then = e - delta;
  if (e < 0 && then < 0) return delta * (e - 0.5 * delta);
  if (e < 0) return 0.5 * e * e;
  return then < 0 ? -0.5 * then * then : 0;
}

function changeCone(
  problem: ConvexProblem,
  block: number,
  direction: Float64Array,
  alpha: number,
  before: number,
): number {
  const { rows, stiffness, friction } = problem;
  const { residual, cost } = problem.data;
  const first = rows.rowStart[block];
  const last = rows.rowStart[block + 1];
  const mu = friction[first];
  const normal = mu * residual[first];
  const normalDelta = mu * alpha * direction[first];
  let square = 0;
  let squareThen = 0;
  let along = 0;
  for (let r = first + 1; r < last; r++) {
    const u = friction[r] * residual[r];
    const delta = friction[r] * alpha * direction[r];
    square += u * u;
    squareThen += (u - delta) * (u - delta);
    along += delta * (2 * u - delta);
  }
  const tangent = Math.sqrt(square);
  const tangentThen = Math.sqrt(squareThen);
  const normalThen = normal - normalDelta;
  const isStuck = mu * normal + tangent <= 0;
  if (isStuck && mu * normalThen + tangentThen <= 0) {
    let sum = 0;
    for (let r = first; r < last; r++) {
      const delta = alpha * direction[r];
      sum += stiffness[r] * delta * (residual[r] - 0.5 * delta);
    }
    return sum;
  }
  const excess = normal - mu * tangent;
  const excessThen = normalThen - mu * tangentThen;
  const isSliding = !isStuck && excess < 0 && excessThen < 0 && mu * normalThen + tangentThen > 0;
  if (!isSliding) return cost[block] - before;
  const scale = stiffness[first] / (mu * mu * (1 + mu * mu));
  const change = normalDelta - (mu * along) / (tangent + tangentThen);
  return 0.5 * scale * change * (excess + excessThen);
}
