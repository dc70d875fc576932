/**
 * `sap`: the step as a minimisation over velocities (semi-analytic primal; compliant, regularised contact)
 *   v = argmin ½ (v − v*)ᵀ A (v − v*) + Σ ½ γᵀ R γ,   γ = projection of −R⁻¹ (J v − v̂) onto the friction cone
 * v* is the velocity after a step without constraints, A the symmetric part of the integrator's matrix. Impulses γ in N s.
 * Source: Castro, Permenter, Han, An unconstrained convex formulation of compliant contact (2022).
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import { assembleMetric, solveAcceleration } from '../../dynamics/integrate.ts';
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
import { SapBuilder } from './sap-builder.ts';
import { SapStopping } from './sap-stopping.ts';
import { listSapUnresolved } from './sap-unresolved.ts';

export function createSap(model: Model, memory: Memory): Formulation {
  const { sap: options, disabled } = model.options;
  const forest = listTrees(model);
  const builder = new SapBuilder(model, forest, memory);
  const { problem, delassus, drives, freeVelocity } = builder;
  const islands = new Islands(forest, memory);
  const objective = new ConvexObjective(problem, islands, model.massMatrix, memory);
  const hessian = new IslandHessian(objective, options.matrix, memory);
  const rule = new SapStopping(objective, options.relativeTolerance, options.absoluteTolerance, memory);
  const direction = memory.f64(model.size.velocity);
  const velocity = memory.f64(model.size.velocity);
  const metric = memory.f64(model.size.massMatrix);
  const factor = memory.f64(model.size.massMatrix);
  const inverseDiagonal = memory.f64(model.size.velocity);
  const newton: NewtonOptions = {
    iterations: options.iterations,
    lineSearch: { maximum: 1.5, iterations: 100 },
    slopeTolerance: 0,
    relativeSlopeTolerance: 1e-8,
  };
  problem.metric = metric;
  problem.target = freeVelocity;
  delassus.factor = factor;
  delassus.inverseDiagonal = inverseDiagonal;

  /** a₀ in the workspace, and v* = v + h a₀. */
  function solveFreeMotion(state: State, work: Workspace, h: number): void {
    work.constraintForce.fill(0);
    solveAcceleration(model, state, work, h, drives.isRow);
    for (let i = 0; i < freeVelocity.length; i++) freeVelocity[i] = state.velocity[i] + h * work.acceleration[i];
  }

  /** A and its factor; M alone where negative damping has left A without one. */
  function factorMetric(state: State, work: Workspace, h: number): void {
    const { kernels, rowStart, column } = work.plan;
    assembleMetric(metric, model, state, work, h, drives.isRow);
    factor.set(metric);
    if (kernels.factorTree(factor, inverseDiagonal, rowStart, column) < 0) return;
    metric.set(work.massMatrix);
    factor.set(metric);
    kernels.factorTree(factor, inverseDiagonal, rowStart, column);
  }

  function solveIslands(state: State, work: Workspace, h: number, report: StepReport): void {
    const start = disabled.has('warmStart') ? freeVelocity : state.velocity;
    for (let island = 0; island < islands.count; island++) {
      objective.enter(island, start);
      objective.begin();
      hessian.enter();
      rule.enter();
      minimizeByNewton(objective, hessian, rule, newton, direction, report.trace);
      objective.leave(velocity);
      writeMotion(state, work, island, h);
    }
  }

  // acceleration (v − v₀)/h; constraint force Jᵀ γ/h, Jᵀ γ = p − g
  function writeMotion(state: State, work: Workspace, island: number, h: number): void {
    const { dof, dofStart } = islands;
    for (let i = 0; i < objective.size; i++) {
      const g = dof[dofStart[island] + i];
      work.acceleration[g] = (velocity[g] - state.velocity[g]) / h;
      work.constraintForce[g] = (objective.momentum[i] - objective.gradient[i]) / h;
    }
  }

  return {
    id: 'sap',
    usesContacts: true,
    unresolved: listSapUnresolved(model),
    problem,
    solve(_model: Model, state: State, work: Workspace, contacts: ContactSet, h: number, report: StepReport): void {
      report.trace.clear();
      drives.takeOut(work);
      solveFreeMotion(state, work, h);
      problem.clear();
      if (contacts.count > 0 || builder.hasJointRows) {
        factorMetric(state, work, h);
        builder.h = h;
        builder.startVelocity = state.velocity;
        builder.build(state, work, contacts);
      }
      if (problem.rowCount > 0) {
        islands.split(problem, !disabled.has('island'));
        solveIslands(state, work, h, report);
        drives.putBack(work);
      }
      work.solution.set(work.acceleration);
      readContactForces(problem, contacts, 1 / h);
      summarizeTrace(report);
    },
  };
}
