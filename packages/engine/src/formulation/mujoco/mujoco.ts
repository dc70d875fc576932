/**
 * `mujoco`: the step as a minimisation over accelerations (MuJoCo 3.14's convex, soft contact model)
 *   a = argmin ½ (a − a₀)ᵀ M (a − a₀) + Σ s(J a − a_ref)
 * Constraint forces Jᵀ f then act through the integrator, which may treat dampers implicitly.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import { isExplicit, solveAcceleration } from '../../dynamics/integrate.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { minimizeByNewton, type NewtonOptions } from '../../minimize/newton.ts';
import type { Model } from '../../model/model.ts';
import { ConvexObjective } from '../../objective/convex-objective.ts';
import { listTrees } from '../../objective/forest.ts';
import { IslandHessian } from '../../objective/island-hessian.ts';
import { Islands } from '../../objective/islands.ts';
import type { State } from '../../state/state.ts';
import { readContactForces } from '../contact-forces.ts';
import { type Formulation, type StepReport, summarizeTrace } from '../formulation.ts';
import { listUnresolved } from '../unresolved.ts';
import { MujocoBuilder } from './mujoco-builder.ts';
import { MujocoStopping } from './mujoco-stopping.ts';

export function createMujoco(model: Model, memory: Memory): Formulation {
  const { mujoco: options, disabled } = model.options;
  const builder = new MujocoBuilder(model, memory);
  const { problem } = builder;
  const islands = new Islands(listTrees(model), memory);
  const objective = new ConvexObjective(problem, islands, model.massMatrix, memory);
  const hessian = new IslandHessian(objective, options.jacobian, memory);
  const rule = new MujocoStopping(options.tolerance);
  const direction = memory.f64(model.size.velocity);
  const unconstrained = memory.f64(model.size.velocity);
  const usesIslands = !disabled.has('island');

  /** a₀, and in `factor` the factor of M. */
  function solveUnconstrained(work: Workspace): void {
    const { kernels, rowStart, column } = work.plan;
    work.factor.set(work.massMatrix);
    kernels.factorTree(work.factor, work.inverseDiagonal, rowStart, column);
    unconstrained.set(work.smoothForce);
    kernels.solveTree(unconstrained, work.factor, work.inverseDiagonal, rowStart, column);
  }

  /** An island starts from the acceleration of the last step where its cost is the lower one, else from a₀. */
  function begin(island: number, state: State): void {
    objective.enter(island, unconstrained);
    if (!disabled.has('warmStart')) {
      const cost = objective.measureTarget();
      objective.enter(island, state.warmStart);
      objective.begin();
      if (objective.value < cost) return;
      objective.enter(island, unconstrained);
    }
    objective.begin();
  }

  function solveIslands(state: State, work: Workspace, report: StepReport): void {
    const { rowStart } = model.massMatrix;
    work.solution.set(unconstrained);
    for (let island = 0; island < islands.count; island++) {
      begin(island, state);
      hessian.enter();
      let inertia = 0;
      for (let i = islands.dofStart[island]; i < islands.dofStart[island + 1]; i++) {
        inertia += work.massMatrix[rowStart[islands.dof[i] + 1] - 1];
      }
      rule.scale = usesIslands ? 1 / inertia : 1 / (model.inverseWeight.meanInertia * model.size.velocity);
      newton.slopeTolerance = (options.tolerance * options.lineSearchTolerance) / rule.scale;
      minimizeByNewton(objective, hessian, rule, newton, direction, report.trace);
      objective.leave(work.solution);
      writeForce(work, island);
    }
  }

  // constraint force of an island: Jᵀ f = p − g
  function writeForce(work: Workspace, island: number): void {
    const { dof, dofStart } = islands;
    for (let i = 0; i < objective.size; i++) {
      work.constraintForce[dof[dofStart[island] + i]] = objective.momentum[i] - objective.gradient[i];
    }
  }

  const newton: { -readonly [Key in keyof NewtonOptions]: NewtonOptions[Key] } = {
    iterations: options.iterations,
    lineSearch: { maximum: Infinity, iterations: options.lineSearchIterations },
    slopeTolerance: 0,
    relativeSlopeTolerance: 0,
  };

  return {
    id: 'mujoco',
    usesContacts: true,
    unresolved: listUnresolved(model),
    problem,
    solve(_model: Model, state: State, work: Workspace, contacts: ContactSet, h: number, report: StepReport): void {
      report.trace.clear();
      builder.build(state, work, contacts);
      work.constraintForce.fill(0);
      if (problem.rowCount === 0) {
        solveAcceleration(model, state, work, h);
        work.solution.set(work.acceleration);
      } else {
        solveUnconstrained(work);
        problem.metric = work.massMatrix;
        problem.target = unconstrained;
        islands.split(problem, usesIslands);
        solveIslands(state, work, report);
        if (isExplicit(model, work)) work.acceleration.set(work.solution);
        else solveAcceleration(model, state, work, h);
      }
      readContactForces(problem, contacts, 1);
      summarizeTrace(report);
    },
  };
}
