/**
 * The terms of the optimality condition after the last solve, for each dof of the model and each vertex of soft bodies:
 *   gradient = A (v − v*) − Jᵀ γ
 * v* the velocity without constraints, A the mass matrix with the implicit terms of the integrator, Jᵀ γ the impulse of contacts,
 * limits, equalities and joints. All are impulses in N s (N m s for dofs that turn); the gradient vanishes at the solution.
 * `mujoco` solves for accelerations: its numbers are times h. Under `ipc` v* is the motion without contact, joints and elasticity,
 * and the gradient is that of the incremental potential at the accepted poses, over h.
 */
import { addTransposed } from '../linear-algebra/block-rows.ts';
import type { Model } from '../model/model.ts';
import type { ConvexObjective } from '../objective/convex-objective.ts';

/** Gradient, change of velocity and impulse of the last solve. Arrays that the next read-out overwrites. */
export interface SolverReadout {
  /** Per dof: A (v − v*) − Jᵀ γ, N s or N m s; zero at an exact solution. */
  readonly gradient: Float64Array;
  /** Per dof: v − v*, m/s or rad/s. */
  readonly velocityChange: Float64Array;
  /** Per dof: impulse of all constraints Jᵀ γ, N s or N m s. */
  readonly impulse: Float64Array;
  /** Gradient of the vertices of all soft bodies, three numbers each, N s. */
  readonly softGradient: Float64Array;
  /** v − v* of the vertices, m/s. */
  readonly softVelocityChange: Float64Array;
  /** Impulse on the vertices, N s. */
  readonly softImpulse: Float64Array;
}

export function createSolverReadout({ size }: Model): SolverReadout {
  return {
    gradient: new Float64Array(size.velocity),
    velocityChange: new Float64Array(size.velocity),
    impulse: new Float64Array(size.velocity),
    softGradient: new Float64Array(3 * size.softVertex),
    softVelocityChange: new Float64Array(3 * size.softVertex),
    softImpulse: new Float64Array(3 * size.softVertex),
  };
}

/** Zero throughout, as where nothing is constrained. */
export function clearSolverReadout(out: SolverReadout): void {
  out.gradient.fill(0);
  out.velocityChange.fill(0);
  out.impulse.fill(0);
  out.softGradient.fill(0);
  out.softVelocityChange.fill(0);
  out.softImpulse.fill(0);
}

/**
 * Writes the balance of a convex problem and its solution, a vector over all dofs; dofs without constraints have none.
 * `scale`: h where the solution is an acceleration, 1 where it is a velocity.
 */
export function readMomentumBalance(
  out: SolverReadout,
  objective: ConvexObjective,
  solution: Float64Array,
  scale: number,
): void {
  const { problem, islands } = objective;
  const { dof, dofStart, block, blockStart } = islands;
  if (problem.rowCount === 0) return;
  // in the memory of the objective, where compiled functions can write
  const { x: change, momentum, gradient } = objective;
  for (let island = 0; island < islands.count; island++) {
    const first = dofStart[island];
    objective.enter(island, solution);
    const { size } = objective;
    for (let i = 0; i < size; i++) change[i] -= problem.target[dof[first + i]];
    objective.multiplyMetric(momentum, change);
    gradient.set(momentum.subarray(0, size));
    addTransposed(gradient, -1, problem.rows, problem.data.force, block, blockStart[island], blockStart[island + 1]);
    for (let i = 0; i < size; i++)
      write(out, dof[first + i], scale * change[i], scale * momentum[i], scale * gradient[i]);
  }
}

// soft vertices are numbered after the dofs of the model
function write(out: SolverReadout, g: number, change: number, momentum: number, gradient: number): void {
  const i = g - out.gradient.length;
  const isSoft = i >= 0;
  const at = isSoft ? i : g;
  (isSoft ? out.softVelocityChange : out.velocityChange)[at] = change;
  (isSoft ? out.softGradient : out.gradient)[at] = gradient;
  (isSoft ? out.softImpulse : out.impulse)[at] = momentum - gradient;
}
