/**
 * Solvers over forces, both by Gauss-Seidel: `pgs` over all rows, `noslip` afterwards over friction alone, without softness.
 * The forces they start from are those at the acceleration the primal solvers would start from.
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import { minimizeByGaussSeidel, sweepBlocks } from '../../minimize/gauss-seidel.ts';
import { SolveTrace } from '../../minimize/solve-trace.ts';
import type { ModelOptions } from '../../model/model.ts';
import type { ConvexObjective } from '../../objective/convex-objective.ts';
import { DUAL_OBJECTIVES } from '../../objective/dual-access.ts';
import type { MetricFactor } from '../../objective/metric-factor.ts';
import type { IslandSolve } from './island-solve.ts';

export function createDualSolve(
  options: ModelOptions['mujoco'],
  objective: ConvexObjective,
  metric: MetricFactor,
  memory: Memory,
): IslandSolve {
  const { DualObjective } = DUAL_OBJECTIVES.require();
  const dual = new DualObjective(objective, metric, memory);
  const { iterations, tolerance } = options;
  const limits = { iterations, tolerance, scale: 1 };
  return {
    x: dual.x,
    solve(scale: number, trace: SolveTrace): void {
      limits.scale = scale;
      dual.enter();
      minimizeByGaussSeidel(dual, limits, trace);
    },
    readConstraintForce(out: Float64Array): void {
      dual.update(out);
    },
  };
}

export function createSlipSolve(
  options: ModelOptions['mujoco'],
  objective: ConvexObjective,
  metric: MetricFactor,
  memory: Memory,
): IslandSolve {
  const { DualObjective, SlipObjective } = DUAL_OBJECTIVES.require();
  const dual = new DualObjective(objective, metric, memory);
  const slip = new SlipObjective(objective, dual, memory);
  const limits = { iterations: options.noslipIterations, tolerance: options.noslipTolerance, scale: 1 };
  // usually few sweeps are run, and their residual says nothing about the step
  const unreported = new SolveTrace();
  return {
    x: dual.x,
    solve(scale: number): void {
      unreported.clear();
      slip.enter();
      limits.scale = scale;
      sweepBlocks(slip, limits, slip.softness, unreported);
    },
    readConstraintForce(out: Float64Array): void {
      dual.update(out);
    },
  };
}
