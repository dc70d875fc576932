/**
 * `sap`: the step as a minimisation over velocities (semi-analytic primal; compliant, regularised contact)
 *   v = argmin ½ (v − v*)ᵀ A (v − v*) + Σ ½ γᵀ R γ,   γ = projection of −R⁻¹ (J v − v̂) onto the friction cone
 * v* is the velocity after a step without constraints, A the symmetric part of the integrator's matrix. Impulses γ in N s.
 * Source: Castro, Permenter, Han, An unconstrained convex formulation of compliant contact (2022).
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import { StartingPairs } from '../../collision/initial-state/starting-pairs.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { JointWorkspace } from '../../joint/joint-workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { Model } from '../../model/model.ts';
import { listCliques } from '../../objective/forest.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import type { State } from '../../state/state.ts';
import { readContactForces, readEqualityForces, readLimitForces, readTendonFriction } from '../contact-forces.ts';
import { Contradictions } from '../contradictions.ts';
import { doubtResidual, type Formulation, type HeldSolution, type StepReport, summarizeTrace } from '../formulation.ts';
import { findSlightChange, markImpacts } from '../impacts.ts';
import { readAttachmentForces } from '../soft-rows/attachment-rows.ts';
import { holdSoft } from '../soft-rows/held-soft.ts';
import { reportSoft } from '../soft-rows/soft-report.ts';
import { readMomentumBalance, type SolverReadout } from '../solver-readout.ts';
import { createVelocityPhases, RepeatedSolve } from '../velocity-phases.ts';
import { VelocitySolver } from '../velocity-solve/velocity-solver.ts';
import { resolveContradictions, VelocityStep } from '../velocity-solve/velocity-step.ts';
import { measureFreeDepth } from './contact-material.ts';
import { tightenFriction } from './lagged-contact.ts';
import { SapBuilder } from './sap-builder.ts';
import { SapRates } from './sap-rates.ts';
import { listSapUnresolved } from './sap-unresolved.ts';

/** How often lagged friction is taken anew in a step. */
const LAG_PASSES = 12;
/** Relative residual up to which a solve that round-off has ended counts as converged. */
const ROUND_OFF_BOUND = 1e-4;

export function createSap(model: Model, memory: Memory, joints: JointWorkspace, soft: SoftBodies): Formulation {
  const { sap: options, disabled } = model.options;
  const forest = listCliques(model);
  const builder = new SapBuilder(model, forest, joints, soft, memory);
  const { problem, freeVelocity } = builder;
  const { drives } = builder.rows;
  const solver = new VelocitySolver({
    problem,
    forest,
    pattern: model.massMatrix,
    options,
    isSeparate: !disabled.has('island'),
    memory,
    soft,
  });
  const step = new VelocityStep(model, forest, soft, builder, memory);
  const { velocity, hasSoft } = step;
  const isLagged = options.contactModel === 'lagged';
  const from = memory.f64(isLagged ? velocity.length : 0);
  let isLagOpen = false;
  let isContradicted = false;
  const starting = model.options.appliesStart
    ? new StartingPairs(model, (contacts, i, h) => measureFreeDepth(model, contacts, i, h))
    : undefined;
  const repeated = new RepeatedSolve();
  const contradictions = new Contradictions({
    model,
    problem,
    islands: solver.islands,
    joints,
    starting,
    corrections: { restReference: () => 0 },
    memory,
  });
  const solved = { step, builder, solver, contradictions };

  /** Solves again where friction of the last normal force has left the cone of the present one. */
  function tightenLaggedFriction(contacts: ContactSet, work: Workspace, report: StepReport): void {
    isLagOpen = tightenFriction(problem, contacts);
    for (let pass = 0; pass < LAG_PASSES && isLagOpen; pass++) {
      report.trace.clear();
      from.set(velocity);
      solver.repeat(from, velocity, step.impulseOf(work), report.trace);
      isLagOpen = tightenFriction(problem, contacts);
    }
  }

  /** Lagged friction takes several solves. */
  const held: HeldSolution = {
    read(): Float64Array | undefined {
      if (isLagged || isContradicted) return undefined;
      return step.copySolution(solver);
    },
    hold(solution): void {
      solver.held = solution;
    },
    get refusal(): string | undefined {
      return isLagged ? 'lagged friction takes several solves' : undefined;
    },
  };

  return {
    id: 'sap',
    held: holdSoft(held, soft),
    convex: {
      objective: solver.objective,
      memory,
      createRates: (parts) => (builder.surfaceMotion.canMove || isLagged ? undefined : new SapRates(builder, parts)),
      assemble: (state, work, contacts, h) => step.assemble(state, work, contacts, h),
      soft,
    },
    usesContacts: true,
    readParameters: () => contradictions.weigh(),
    ...createVelocityPhases(soft, starting, true, repeated),
    unresolved: listSapUnresolved(model),
    problem,
    readEqualityForces: (out) => readEqualityForces(out, problem, 1 / builder.h),
    readLimitForces: (out) => readLimitForces(out, model, problem, 1 / builder.h),
    readTendonFriction: (out) => readTendonFriction(out, problem, 1 / builder.h),
    readAttachmentForces: (out) => readAttachmentForces(out, model, problem, 1 / builder.h),
    readSolution(out: SolverReadout): void {
      readMomentumBalance(out, solver.objective, velocity, 1);
    },
    solve(_model: Model, state: State, work: Workspace, contacts: ContactSet, h: number, report: StepReport): void {
      report.trace.clear();
      let isInfeasible = false;
      const before = repeated.take() ? step.copySolution(solver) : undefined;
      const start = step.assemble(state, work, contacts, h);
      work.isImpact.fill(0);
      if (problem.rowCount > 0) {
        const first = before ?? (disabled.has('warmStart') ? freeVelocity : start);
        solver.solve(first, velocity, step.impulseOf(work), report.trace);
        isInfeasible = resolveContradictions(solved, state, work, contacts, report);
        isContradicted = isInfeasible;
        if (isLagged) tightenLaggedFriction(contacts, work, report);
        step.writeMotion(state, work, solver, h);
        markImpacts(work, problem, solver.islands, start, velocity, findSlightChange(model, h));
        drives.moveForces(state, work);
        builder.terms.moveForces(work, 1 / h);
      }
      work.solution.set(work.acceleration);
      work.impulses.clear();
      builder.mocapMotion.write(work.impulses, state, h);
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
