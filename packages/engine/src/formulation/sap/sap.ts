/**
 * `sap`: the step as a minimisation over velocities (semi-analytic primal; compliant, regularised contact)
 *   v = argmin ½ (v − v*)ᵀ A (v − v*) + Σ ½ γᵀ R γ,   γ = projection of −R⁻¹ (J v − v̂) onto the friction cone
 * v* is the velocity after a step without constraints, A the symmetric part of the integrator's matrix. Impulses γ in N s.
 * Source: Castro, Permenter, Han, An unconstrained convex formulation of compliant contact (2022).
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import { StartingPairs } from '../../collision/initial-state/starting-pairs.ts';
import { assembleMetric, solveAcceleration } from '../../dynamics/integrate.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { JointWorkspace } from '../../joint/joint-workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { Model } from '../../model/model.ts';
import { listCliques } from '../../objective/forest.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import type { State } from '../../state/state.ts';
import { readContactForces, readEqualityForces } from '../contact-forces.ts';
import { Contradictions } from '../contradictions.ts';
import { doubtResidual, type Formulation, type HeldSolution, type StepReport, summarizeTrace } from '../formulation.ts';
import { findSlightChange, markImpacts } from '../impacts.ts';
import { hasAttachmentRows } from '../soft-rows/attachment-rows.ts';
import { gatherStart } from '../soft-rows/soft-motion.ts';
import { reportSoft } from '../soft-rows/soft-report.ts';
import { readMomentumBalance, type SolverReadout } from '../solver-readout.ts';
import { createVelocityPhases } from '../velocity-phases.ts';
import { measureFreeDepth } from './contact-material.ts';
import { tightenFriction } from './lagged-contact.ts';
import { SapBuilder } from './sap-builder.ts';
import { SapSolver } from './sap-solver.ts';
import { listSapUnresolved } from './sap-unresolved.ts';

/** How often lagged friction is taken anew in a step. */
const LAG_PASSES = 12;
/** Relative residual up to which a solve that round-off has ended counts as converged. */
const ROUND_OFF_BOUND = 1e-4;

export function createSap(model: Model, memory: Memory, joints: JointWorkspace, soft: SoftBodies): Formulation {
  const { sap: options, disabled } = model.options;
  const forest = listCliques(model);
  const builder = new SapBuilder(model, forest, joints, soft, memory);
  const { problem, delassus, freeVelocity } = builder;
  const { drives } = builder.rows;
  const solver = new SapSolver(problem, forest, model.massMatrix, options, !disabled.has('island'), memory, soft);
  const dofs = forest.start[forest.count];
  const nv = model.size.velocity;
  const hasSoft = dofs > nv;
  const hasAttachments = hasAttachmentRows(model);
  const velocity = memory.f64(dofs);
  const isLagged = options.contactModel === 'lagged';
  const from = memory.f64(isLagged ? dofs : 0);
  let isLagOpen = false;
  let isContradicted = false;
  // with soft bodies: v of all dofs at the start of the step, and their impulses
  const startVelocity = memory.f64(hasSoft ? dofs : 0);
  const impulse = memory.f64(hasSoft ? dofs : 0);
  const metric = memory.f64(model.size.massMatrix);
  const factor = memory.f64(model.size.massMatrix);
  const inverseDiagonal = memory.f64(model.size.velocity);
  const starting = model.options.appliesStart
    ? new StartingPairs(model, (contacts, i, h) => measureFreeDepth(model, contacts, i, h))
    : undefined;
  const contradictions = new Contradictions(
    model,
    problem,
    solver.islands,
    joints,
    starting,
    { restReference: () => 0 },
    memory,
  );
  problem.metric = metric;
  problem.target = freeVelocity;
  problem.softMetric = soft.parts.map(({ work }) => work.hessian);
  delassus.factor = factor;
  delassus.inverseDiagonal = inverseDiagonal;

  /** a₀ in the workspace, and v* = v + h a₀ + s, by which bodies would move; s the shift of inertial-motion.ts. */
  function solveFreeMotion(state: State, work: Workspace, h: number): void {
    work.constraintForce.fill(0);
    solveAcceleration(model, state, work, h);
    for (let i = 0; i < nv; i++) freeVelocity[i] = state.velocity[i] + h * work.acceleration[i] + work.advanceShift[i];
    if (hasSoft) freeVelocity.set(soft.freeVelocity, nv);
  }

  /** A and its factor; M alone where negative damping has left A without one. */
  function factorMetric(state: State, work: Workspace, h: number): void {
    const { kernels, rowStart, column } = work.plan;
    assembleMetric(metric, model, state, work, h);
    factor.set(metric);
    if (kernels.factorTree(factor, inverseDiagonal, rowStart, column) < 0) return;
    metric.set(work.massMatrix);
    factor.set(metric);
    kernels.factorTree(factor, inverseDiagonal, rowStart, column);
  }

  /** Solves again where friction of the last normal force has left the cone of the present one. */
  function tightenLaggedFriction(contacts: ContactSet, work: Workspace, report: StepReport): void {
    isLagOpen = tightenFriction(problem, contacts);
    for (let pass = 0; pass < LAG_PASSES && isLagOpen; pass++) {
      report.trace.clear();
      from.set(velocity);
      solver.repeat(from, velocity, hasSoft ? impulse : work.constraintForce, report.trace);
      isLagOpen = tightenFriction(problem, contacts);
    }
  }

  /** Solves again without what cannot be had; whether there is such a thing. */
  function resolveContradictions(state: State, work: Workspace, contacts: ContactSet, report: StepReport): boolean {
    const push = hasSoft ? impulse : work.constraintForce;
    const motion = { x: velocity, target: freeVelocity, push, scale: 1 };
    if (solver.held || !contradictions.find(motion, state, work, contacts)) return false;
    let isReal = false;
    for (const withJoints of [false, true]) {
      if (contradictions.drop(contacts, withJoints)) isReal = true;
      report.trace.clear();
      solver.repeat(freeVelocity, velocity, push, report.trace);
      if (!contradictions.find(motion, state, work, contacts)) break;
    }
    return isReal;
  }

  // acceleration (v − s − v₀)/h and constraint force Jᵀ γ/h of what is constrained
  function writeMotion(state: State, work: Workspace, h: number): void {
    const { dof, dofStart, count } = solver.islands;
    for (let s = 0; s < dofStart[count]; s++) {
      const i = dof[s];
      if (i >= nv) {
        work.softVelocity[i - nv] = velocity[i];
        continue;
      }
      if (hasSoft) work.constraintForce[i] = impulse[i];
      work.acceleration[i] = (velocity[i] - work.advanceShift[i] - state.velocity[i]) / h;
      work.constraintForce[i] /= h;
    }
  }

  /** Lagged friction takes several solves, and soft bodies have a solve of their own before. */
  const held: HeldSolution = {
    read(): Float64Array | undefined {
      if (isLagged || hasSoft || isContradicted) return undefined;
      const solution = freeVelocity.slice();
      const { dof, dofStart, count } = solver.islands;
      if (problem.rowCount > 0) for (let s = 0; s < dofStart[count]; s++) solution[dof[s]] = velocity[dof[s]];
      return solution;
    },
    hold(solution): void {
      solver.held = solution;
    },
  };

  return {
    id: 'sap',
    held,
    usesContacts: true,
    ...createVelocityPhases(soft, starting),
    unresolved: listSapUnresolved(model),
    problem,
    readEqualityForces: (out) => readEqualityForces(out, problem, 1 / builder.h),
    readSolution(out: SolverReadout): void {
      readMomentumBalance(out, solver.objective, velocity, 1);
    },
    solve(_model: Model, state: State, work: Workspace, contacts: ContactSet, h: number, report: StepReport): void {
      report.trace.clear();
      let isInfeasible = false;
      drives.begin(state, work, h);
      builder.terms.begin(state, work, h);
      solveFreeMotion(state, work, h);
      problem.clear();
      const start = hasSoft ? startVelocity : state.velocity;
      if (hasSoft) gatherStart(startVelocity, soft, state);
      if (contacts.count > 0 || builder.rows.isNeeded || hasAttachments || !work.terms.isEmpty) {
        factorMetric(state, work, h);
        builder.h = h;
        builder.startVelocity = start;
        builder.build(state, work, contacts);
      }
      work.isImpact.fill(0);
      if (problem.rowCount > 0) {
        solver.solve(
          disabled.has('warmStart') ? freeVelocity : start,
          velocity,
          hasSoft ? impulse : work.constraintForce,
          report.trace,
        );
        isInfeasible = resolveContradictions(state, work, contacts, report);
        isContradicted = isInfeasible;
        if (isLagged) tightenLaggedFriction(contacts, work, report);
        writeMotion(state, work, h);
        markImpacts(work, problem, solver.islands, start, velocity, findSlightChange(model, h));
        drives.moveForces(state, work);
        builder.terms.moveForces(work, 1 / h);
      }
      work.solution.set(work.acceleration);
      work.impulses.clear();
      starting?.write(work.impulses, h);
      readContactForces(problem, contacts, 1 / h);
      summarizeTrace(report);
      if (hasSoft) reportSoft(soft, report);
      if (isLagOpen && report.status === 'converged') report.status = 'iteration-limit';
      isLagOpen = false;
      doubtResidual(report, Math.max(options.relativeTolerance, ROUND_OFF_BOUND));
      if (isInfeasible && report.status === 'converged') report.status = 'infeasible';
    },
  };
}
