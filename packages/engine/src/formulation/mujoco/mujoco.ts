/**
 * `mujoco`: the step as a minimisation over accelerations (MuJoCo 3.14's convex, soft contact model)
 *   a = argmin ½ (a − a₀)ᵀ M (a − a₀) + Σ s(J a − a_ref)
 * Vertices of soft bodies are unknowns behind the dofs: a₀ = (v* − v)/h and in place of M their matrix A, both of the implicit elastic
 * step without contact (soft/elastic-bodies.ts).
 * Constraint forces Jᵀ f then act through the integrator, which may treat dampers implicitly.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import { StartingPairs } from '../../collision/initial-state/starting-pairs.ts';
import { assembleMetric, isExplicit, solveAcceleration } from '../../dynamics/integrate.ts';
import { isRungeKutta } from '../../dynamics/runge-kutta.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { JointWorkspace } from '../../joint/joint-workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { SolveTrace } from '../../minimize/solve-trace.ts';
import type { Model } from '../../model/model.ts';
import { ConvexObjective } from '../../objective/convex-objective.ts';
import { listCliques } from '../../objective/forest.ts';
import { shareIslands } from '../../objective/island-solver.ts';
import { Islands } from '../../objective/islands.ts';
import { MetricFactor } from '../../objective/metric-factor.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import type { State } from '../../state/state.ts';
import { readContactForces, readEqualityForces, readLimitForces, readTendonFriction } from '../contact-forces.ts';
import { Contradictions } from '../contradictions.ts';
import { type Formulation, type HeldSolution, type StepReport, summarizeTrace } from '../formulation.ts';
import { readAttachmentForces } from '../soft-rows/attachment-rows.ts';
import { holdSoft } from '../soft-rows/held-soft.ts';
import { requireMetrics } from '../soft-rows/soft-islands.ts';
import { gatherStart } from '../soft-rows/soft-motion.ts';
import { listSoftAdhesion, listSoftUnresolved, reportSoft } from '../soft-rows/soft-report.ts';
import { readMomentumBalance, type SolverReadout } from '../solver-readout.ts';
import { listUnresolved } from '../unresolved.ts';
import { createVelocityPhases, RepeatedSolve } from '../velocity-phases.ts';
import { subtractAdhesion } from './adhesion.ts';
import { friction, measureFreeDepth } from './contact-blocks.ts';
import { orderContacts } from './contact-order.ts';
import { createDualSolve, createSlipSolve } from './dual-solve.ts';
import { BALANCED_GRADIENT, ForceBalance, IslandBalance } from './force-balance.ts';
import { listWithoutGenesis } from './genesis.ts';
import { MujocoBuilder } from './mujoco-builder.ts';
import { MujocoIslands, type MujocoSetup } from './mujoco-islands.ts';
import { MujocoRates } from './mujoco-rates.ts';
import { createPrimalSolve } from './primal-solve.ts';
import { readPyramidForces } from './pyramid-directions.ts';

export function createMujoco(model: Model, memory: Memory, joints: JointWorkspace, soft: SoftBodies): Formulation {
  const { mujoco: options, disabled } = model.options;
  const builder = new MujocoBuilder(model, joints, soft, memory);
  const { problem } = builder;
  const forest = listCliques(model);
  const islands = new Islands(forest, memory);
  const objective = new ConvexObjective(problem, islands, model.massMatrix, memory);
  const metric = new MetricFactor(objective, soft);
  const createSolve = options.solver === 'pgs' ? createDualSolve : createPrimalSolve;
  const solver = createSolve(options, objective, metric, memory, soft, !model.options.appliesStart);
  const slip = options.noslipIterations > 0 ? createSlipSolve(options, objective, metric, memory) : undefined;
  const parts = new MujocoIslands(objective, metric, solver, options.iterations, memory, slip);
  const sweeps = slip !== undefined || options.solver === 'pgs';
  const nv = model.size.velocity;
  const dofs = forest.start[forest.count];
  const hasSoft = dofs > nv;
  const unconstrained = memory.f64(dofs);
  const rigidUnconstrained = unconstrained.subarray(0, nv);
  // with soft bodies, over all unknowns: v at the start, accelerations to start from, those of the solution, forces
  const startVelocity = memory.f64(hasSoft ? dofs : 0);
  const warmStart = memory.f64(hasSoft ? dofs : 0);
  const wholeSolution = memory.f64(hasSoft ? dofs : 0);
  const wholeForce = memory.f64(hasSoft ? dofs : 0);
  const massMatrix = memory.f64(model.size.massMatrix);
  /** For derivatives: unknowns of the last solve, and those from which every solve is one Newton step. */
  const last = memory.f64(dofs);
  let near: Float64Array | undefined;
  let isContradicted = false;
  const usesIslands = !disabled.has('island');
  const balance = new ForceBalance(model, soft, memory);
  const ofIslands = new IslandBalance();
  const setup: MujocoSetup = {
    solver: 'mujoco',
    forest,
    pattern: model.massMatrix,
    options,
    keepsTrajectories: !model.options.appliesStart,
  };
  const shared = sweeps ? undefined : shareIslands(parts, problem, setup, memory);
  const hasGradient = solver.gradient !== undefined && !slip && !hasSoft;
  const isSemiImplicit = model.options.integrator === 'semiImplicit';
  const starting = model.options.appliesStart
    ? new StartingPairs(model, (contacts, i, h) => measureFreeDepth(model, contacts, i, h))
    : undefined;
  problem.softMetric = soft.parts.map((part) => part.work.hessian);
  const repeated = new RepeatedSolve();
  const contradictions = new Contradictions({
    model,
    problem,
    islands,
    joints,
    starting,
    corrections: { restReference: (row) => -builder.damping[row] * builder.velocity[row] },
    memory,
  });

  /** A = M, or with `semiImplicit` M and what the step takes implicitly; a₀, and in `factor` the factor of A. */
  function solveUnconstrained(state: State, work: Workspace, h: number): void {
    const { kernels, rowStart, column } = work.plan;
    if (isSemiImplicit) assembleMetric(massMatrix, model, state, work, h);
    else massMatrix.set(work.massMatrix);
    work.factor.set(massMatrix);
    kernels.factorTree(work.factor, work.inverseDiagonal, rowStart, column);
    rigidUnconstrained.set(work.smoothForce);
    kernels.solveTree(rigidUnconstrained, work.factor, work.inverseDiagonal, rowStart, column);
    metric.factor = work.factor;
    metric.inverseDiagonal = work.inverseDiagonal;
    for (let i = nv; i < dofs; i++) unconstrained[i] = (soft.freeVelocity[i - nv] - startVelocity[i]) / h;
  }

  /** The problem of a step but for A and a₀. */
  function assemble(state: State, work: Workspace, contacts: ContactSet, h: number): void {
    builder.drives.begin(state, work, h);
    builder.beginStep(h);
    builder.terms.begin(state, work, h);
    if (hasSoft) gatherStart(startVelocity, soft, state);
    builder.build(state, work, contacts, hasSoft ? startVelocity : state.velocity);
  }

  /** Starts from the acceleration of the last solve where its cost is the lower one, else from a₀; all islands have begun there and keep it. */
  function chooseStart(state: State): Float64Array {
    if (disabled.has('warmStart')) return unconstrained;
    // soft vertices go on as they move
    if (hasSoft) warmStart.set(state.warmStart);
    const warm = repeated.take() ? last : hasSoft ? warmStart : state.warmStart;
    if (!shared?.weigh(warm)) {
      for (let island = 0; island < islands.count; island++) parts.weighIsland(island, warm);
    }
    const { costs } = parts.step;
    let difference = 0;
    for (let island = 0; island < islands.count; island++) {
      difference -= costs[2 * island];
      difference += costs[2 * island + 1];
    }
    return difference < 0 ? warm : unconstrained;
  }

  /** One Newton step from the unknowns of another solve, for derivatives. */
  function solveNear(work: Workspace, near: Float64Array): void {
    const x = hasSoft ? wholeSolution : work.solution;
    const force = hasSoft ? wholeForce : work.constraintForce;
    x.set(unconstrained);
    for (let island = 0; island < islands.count; island++) parts.solveNear(island, near, x, force);
  }

  function solveIslands(work: Workspace, start: Float64Array, report: StepReport): void {
    const x = hasSoft ? wholeSolution : work.solution;
    const force = hasSoft ? wholeForce : work.constraintForce;
    x.set(unconstrained);
    // at the warm start all have begun already
    parts.step.hasBegun[0] = start === unconstrained ? 0 : 1;
    for (let island = 0; island < islands.count; island++) parts.step.scale[island] = measureScale(work, island);
    if (!shared?.solve(start, x, force, report.trace)) {
      for (let island = 0; island < islands.count; island++) parts.solveIsland(island, start, x, force, report.trace);
    }
    if (hasGradient) weighGradient(work);
  }

  function weighGradient(work: Workspace): void {
    const { dof, dofStart, count } = islands;
    const { rowStart } = model.massMatrix;
    const { gradient } = parts.step;
    ofIslands.clear();
    for (let s = 0; s < dofStart[count]; s++) {
      const i = dof[s];
      ofIslands.add(gradient[i], work.constraintForce[i], work.massMatrix[rowStart[i + 1] - 1]);
    }
  }

  /** Inverse inertia of an island, which makes costs and gradients comparable with a tolerance. */
  function measureScale(work: Workspace, island: number): number {
    const { rowStart } = model.massMatrix;
    let inertia = 0;
    for (let i = islands.dofStart[island]; i < islands.dofStart[island + 1] && islands.dof[i] < nv; i++) {
      inertia += work.massMatrix[rowStart[islands.dof[i] + 1] - 1];
    }
    for (let s = islands.treeStart[island + 1] - 1; s >= islands.treeStart[island]; s--) {
      const body = islands.tree[s] - forest.rigidCount;
      if (body < 0) break;
      inertia += 3 * model.soft.mass[body];
    }
    return 1 / inertia;
  }

  /**
   * Whether the gradient of every island is so small that forces balance whatever the masses. A solver also ends at a wider tolerance of the
   * file, and where a step gains little, which may be far from the minimum.
   */
  function isWithin({ solveCount, finalResidual }: SolveTrace): boolean {
    const bound = Math.min(options.tolerance, BALANCED_GRADIENT);
    for (let n = 0; n < solveCount; n++) if (!(finalResidual[n] <= bound)) return false;
    return true;
  }

  /** Solves again without what cannot be had, but not where MuJoCo's trajectories are kept; whether there is such a thing. */
  function resolveContradictions(state: State, work: Workspace, contacts: ContactSet, report: StepReport): boolean {
    const x = hasSoft ? wholeSolution : work.solution;
    const motion = { x, target: unconstrained, push: hasSoft ? wholeForce : work.constraintForce, scale: 1 };
    if (!contradictions.find(motion, state, work, contacts)) return false;
    let isReal = starting === undefined;
    for (const withJoints of starting ? [false, true] : []) {
      if (contradictions.drop(contacts, withJoints)) isReal = true;
      report.trace.clear();
      solveIslands(work, unconstrained, report);
      if (!contradictions.find(motion, state, work, contacts)) break;
    }
    return isReal;
  }

  /** Accelerations and forces of the dofs to the workspace, and velocities of the soft vertices that constraints move. */
  function writeMotion(work: Workspace, h: number): void {
    for (let i = 0; i < nv; i++) {
      work.solution[i] = wholeSolution[i];
      work.constraintForce[i] = wholeForce[i];
    }
    const { dof, dofStart, count } = islands;
    for (let s = 0; s < dofStart[count]; s++) {
      const i = dof[s];
      if (i >= nv) work.softVelocity[i - nv] = startVelocity[i] + h * wholeSolution[i];
    }
  }

  /** Passes that remove slip are no part of the minimisation, and the stages of Runge-Kutta have a solution each. */
  const held: HeldSolution = {
    read: () =>
      slip || isContradicted || !solver.solveNear || isRungeKutta(model.options.integrator) ? undefined : last.slice(),
    hold(solution): void {
      near = solution;
    },
    get refusal(): string | undefined {
      if (isContradicted) return 'joints, limits and contacts of the step contradict each other';
      if (slip) return 'a second solve without slip follows the first';
      return isRungeKutta(model.options.integrator) ? 'the integrator has four stages, each with a solve' : undefined;
    },
  };

  return {
    id: 'mujoco',
    held: holdSoft(held, soft),
    convex: {
      objective,
      memory,
      createRates: ({ contacts }) =>
        builder.surfaceMotion.isPresent || builder.directions || options.variant !== 'mujoco'
          ? undefined
          : new MujocoRates(builder, contacts),
      assemble,
      soft,
    },
    usesContacts: true,
    readParameters: () => contradictions.weigh(),
    ...createVelocityPhases(soft, starting, false, repeated),
    unresolved: [
      ...listUnresolved(model),
      ...listSoftUnresolved(model),
      ...listSoftAdhesion(model),
      ...listWithoutGenesis(model),
    ],
    problem,
    readEqualityForces: (out) => readEqualityForces(out, problem, 1),
    readLimitForces: (out) => readLimitForces(out, model, problem, 1),
    readTendonFriction: (out) => readTendonFriction(out, problem, 1),
    readAttachmentForces: (out) => readAttachmentForces(out, model, problem, 1),
    readSolution(out: SolverReadout, work: Workspace, h: number): void {
      readMomentumBalance(out, objective, hasSoft ? wholeSolution : work.solution, h);
    },
    solve(_model: Model, state: State, work: Workspace, contacts: ContactSet, h: number, report: StepReport): void {
      report.trace.clear();
      let isBalanced = true;
      let isInfeasible = false;
      assemble(state, work, contacts, h);
      work.constraintForce.fill(0);
      if (problem.rowCount === 0) {
        solveAcceleration(model, state, work, h);
        work.solution.set(work.acceleration);
        if (!near) last.set(work.solution);
      } else {
        solveUnconstrained(state, work, h);
        problem.metric = massMatrix;
        problem.target = unconstrained;
        islands.split(problem, usesIslands);
        if (sweeps) orderContacts(islands, problem, contacts, model.shape);
        if (hasSoft) {
          requireMetrics(islands, soft);
          wholeForce.fill(0);
        }
        if (near) {
          solveNear(work, near);
          if (hasSoft) writeMotion(work, h);
        } else {
          solveIslands(work, chooseStart(state), report);
          isInfeasible = resolveContradictions(state, work, contacts, report);
          if (hasSoft) writeMotion(work, h);
          isBalanced =
            isWithin(report.trace) ||
            (hasGradient && ofIslands.isSmall) ||
            (hasSoft
              ? balance.isMet(startVelocity, wholeSolution, wholeForce, work.massMatrix, massMatrix, unconstrained, h)
              : balance.isMet(
                  state.velocity,
                  work.solution,
                  work.constraintForce,
                  work.massMatrix,
                  massMatrix,
                  unconstrained,
                  h,
                ));
        }
        isContradicted = isInfeasible;
        if (!near) last.set(hasSoft ? wholeSolution : work.solution);
        if (isSemiImplicit || isExplicit(model, work)) work.acceleration.set(work.solution);
        else solveAcceleration(model, state, work, h);
        builder.drives.moveForces(state, work);
        builder.terms.moveForces(work, 1);
      }
      work.impulses.clear();
      starting?.write(work.impulses, h);
      readContactForces(problem, contacts, 1);
      if (builder.directions) readPyramidForces(builder.directions, problem, contacts, friction);
      subtractAdhesion(problem, contacts);
      summarizeTrace(report);
      if (hasSoft) reportSoft(soft, report);
      if (!isBalanced && report.status === 'converged') report.status = 'stalled';
      if (isInfeasible && report.status === 'converged') report.status = 'infeasible';
    },
  };
}
