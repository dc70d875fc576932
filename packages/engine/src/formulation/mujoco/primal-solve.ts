/**
 * Solvers over accelerations: Newton with the factor of an island's Hessian, or conjugate gradients preconditioned by A⁻¹. Islands with a soft
 * body too large for a factor have Newton directions by conjugate gradients.
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import { searchByBrackets } from '../../minimize/bracketing-line-search.ts';
import { ConjugateGradient } from '../../minimize/conjugate-gradient.ts';
import { ExactLineSearch } from '../../minimize/exact-line-search.ts';
import { minimizeByNewton } from '../../minimize/newton.ts';
import { HessianDirection, takeNewtonStep } from '../../minimize/newton-direction.ts';
import type { SolveTrace } from '../../minimize/solve-trace.ts';
import type { ModelOptions } from '../../model/model.ts';
import { CompiledNewton } from '../../objective/compiled-newton.ts';
import type { ConvexObjective } from '../../objective/convex-objective.ts';
import { COMPILED_DESCENT } from '../../objective/descent-access.ts';
import { IslandHessian } from '../../objective/island-hessian.ts';
import { MATRIX_FREE_HESSIAN } from '../../objective/matrix-free-access.ts';
import type { MatrixFreeHessian } from '../../objective/matrix-free-hessian.ts';
import type { MetricFactor } from '../../objective/metric-factor.ts';
import { areFactored, type FactorChoice } from '../soft-rows/soft-islands.ts';
import type { IslandSolve } from './island-solve.ts';
import { MujocoStopping } from './mujoco-stopping.ts';

/** Conjugate gradients: as many iterations as they take, and the relative residual of the first direction. */
const GRADIENTS = { pcgIterations: 0, pcgTolerance: 0.1 };

/** Evaluations of MuJoCo's default. With fewer a search may stop before its tolerance: then it has to be MuJoCo's, to stop at the same place. */
const COMPLETE_SEARCH = 50;

export function createPrimalSolve(
  options: ModelOptions['mujoco'],
  objective: ConvexObjective,
  metric: MetricFactor,
  memory: Memory,
  soft: FactorChoice,
  keepsTrajectories: boolean,
): IslandSolve {
  const size = objective.x.length;
  const isNewton = options.solver !== 'cg';
  const hessian = new IslandHessian(objective, options.jacobian, memory);
  const direction = new HessianDirection(objective, hessian, memory.f64(size));
  const conjugate = new ConjugateGradient(
    options.variant === 'genesis' ? 'polak-ribiere' : 'hager-zhang',
    isNewton ? 0 : size,
    memory,
  );
  const { compiledDynamics } = memory;
  const isExact = options.variant !== 'mujoco' || options.lineSearchIterations >= COMPLETE_SEARCH;
  const descent =
    compiledDynamics && !isNewton && isExact
      ? new (COMPILED_DESCENT.require())(compiledDynamics, objective, metric, conjugate.rule, memory)
      : undefined;
  const newton =
    memory.compiled && isNewton && isExact ? new CompiledNewton(objective, direction.vector, memory) : undefined;
  const stopping = new MujocoStopping(
    options.tolerance,
    objective,
    metric,
    isNewton,
    memory.f64(size),
    keepsTrajectories,
  );
  const lineSearch = new ExactLineSearch(objective, direction.vector, {
    maximum: Infinity,
    iterations: options.lineSearchIterations,
    slopeTolerance: 0,
    relativeSlopeTolerance: 0,
  });
  const limit = options.lineSearchIterations;
  if (!isExact)
    lineSearch.options.find = (slope, curvature, tolerance) =>
      searchByBrackets(objective, slope, curvature, tolerance, limit);
  const parts = { objective, direction, lineSearch, stopping };
  /** Made when first needed. */
  let large: MatrixFreeHessian | undefined;

  function chooseHessian(): IslandHessian | MatrixFreeHessian {
    const { islands, island, hasSoft } = objective;
    if (!hasSoft || areFactored(islands, island, soft)) return hessian;
    large ??= new (MATRIX_FREE_HESSIAN.require())(objective, GRADIENTS, memory);
    return large;
  }

  const rule = {
    scale: 1,
    tolerance: options.tolerance,
    slopeTolerance: 0,
    searchLimit: limit,
    limit: options.iterations,
    endsEarly: stopping.endsEarly,
  };

  /** Newton's method; in compiled code where the Hessian is dense or has the pattern of A. */
  function minimize(trace: SolveTrace): void {
    const { record } = objective;
    const chosen = chooseHessian();
    chosen.enter();
    const target = newton && record && chosen === hessian ? hessian.target : undefined;
    if (newton && record && target) {
      const residual = stopping.measure();
      newton.minimize(record, target, rule, residual, stopping.isMinimum(residual), trace);
      return;
    }
    direction.hessian = chosen;
    minimizeByNewton(parts, options.iterations, trace);
  }

  function descend(trace: SolveTrace): void {
    if (descent && objective.record) {
      const residual = stopping.measure();
      descent.minimize(rule, residual, stopping.isMinimum(residual), trace);
    } else conjugate.minimize(objective, metric, stopping, lineSearch.options, options.iterations, trace);
  }

  return {
    x: objective.x,
    gradient: objective.gradient,
    solve(scale: number, trace: SolveTrace): void {
      stopping.scale = scale;
      lineSearch.options.slopeTolerance = (options.tolerance * options.lineSearchTolerance) / scale;
      rule.scale = scale;
      rule.slopeTolerance = lineSearch.options.slopeTolerance;
      if (isNewton) minimize(trace);
      else descend(trace);
    },
    solveNear(): void {
      hessian.enter();
      takeNewtonStep(objective, direction);
    },
    // Jᵀ f = p − g
    readConstraintForce(out: Float64Array): void {
      const { momentum, gradient } = objective;
      for (let i = 0; i < objective.size; i++) out[i] = momentum[i] - gradient[i];
    },
  };
}
