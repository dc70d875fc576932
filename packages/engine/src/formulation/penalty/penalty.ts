/**
 * `penalty`: contact by springs, dampers and smooth friction, the classical baseline. Velocities first, then positions:
 *   A (v⁺ − v*) = h Jᵀ f(δ, u)      u = J v⁺ (`semiImplicit`) or J v (`explicit`)
 * f is the force of each contact (contact-blocks.ts) at the depth δ of the start of the step, N. Joints, limits, equalities, dry friction
 * and servos are the rows of `sap` in the same solve: without them, and without friction or dampers at the end of the step, it is one
 * linear system. All forces are continuous functions of the state, so that derivatives follow from the chain rule. Springs are explicit:
 * the step is stable up to the bound of stable-step.ts, which the report has.
 */
import { CONTACT_MODE, type ContactSet } from '../../collision/contact-set.ts';
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
import { measureFreeDepth } from './contact-stiffness.ts';
import { PenaltyBuilder } from './penalty-builder.ts';
import { PenaltyRates } from './penalty-rates.ts';
import { listPenaltyUnresolved } from './penalty-unresolved.ts';
import { StableStep } from './stable-step.ts';

/** Relative residual up to which a solve that round-off has ended counts as converged. */
const ROUND_OFF_BOUND = 1e-4;
/** Share of its bound that friction reaches at twice the slip speed, from which on a contact counts as sliding. */
const SLIDING = 2 / Math.sqrt(5);

export function createPenalty(model: Model, memory: Memory, joints: JointWorkspace, soft: SoftBodies): Formulation {
  const { penalty: options, disabled } = model.options;
  const forest = listCliques(model);
  const builder = new PenaltyBuilder(model, forest, joints, soft, memory);
  const { problem, freeVelocity, springs, delassus } = builder;
  const { drives } = builder.rows;
  const solver = new VelocitySolver({
    problem,
    forest,
    pattern: model.massMatrix,
    options: {
      solver: 'newton',
      matrix: 'auto',
      iterations: options.iterations,
      relativeTolerance: options.tolerance,
      absoluteTolerance: Math.min(options.tolerance, 1e-14),
      lineSearchIterations: 100,
      lineSearchTolerance: 1e-8,
      pcgIterations: 0,
      pcgTolerance: 0.1,
    },
    isSeparate: !disabled.has('island'),
    memory,
    soft,
  });
  const step = new VelocityStep(model, forest, soft, builder, memory);
  const stable = new StableStep(model, forest, soft, memory);
  const { velocity, hasSoft } = step;
  let isContradicted = false;
  const starting = model.options.appliesStart
    ? new StartingPairs(model, (contacts, i, h) => measureFreeDepth(model, options, contacts, i, h))
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

  /** The problem of a step; v at its start. */
  function assemble(state: State, work: Workspace, contacts: ContactSet, h: number): Float64Array {
    springs.clear();
    return step.assemble(state, work, contacts, h);
  }

  const held: HeldSolution = {
    read: () => (isContradicted ? undefined : step.copySolution(solver)),
    hold(solution): void {
      solver.held = solution;
    },
  };

  return {
    id: 'penalty',
    held: holdSoft(held, soft),
    convex: {
      objective: solver.objective,
      memory,
      createRates: (parts) => (builder.surfaceMotion.canMove ? undefined : new PenaltyRates(builder, parts)),
      assemble,
      soft,
    },
    usesContacts: true,
    readParameters: () => contradictions.weigh(),
    ...createVelocityPhases(soft, starting, false, repeated),
    unresolved: listPenaltyUnresolved(model),
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
      report.stableStep = Infinity;
      const before = repeated.take() ? step.copySolution(solver) : undefined;
      const start = assemble(state, work, contacts, h);
      work.isImpact.fill(0);
      isContradicted = false;
      if (problem.rowCount > 0) {
        report.stableStep = stable.measure(springs, problem, work, delassus, h);
        const first = before ?? (disabled.has('warmStart') ? freeVelocity : start);
        solver.solve(first, velocity, step.impulseOf(work), report.trace);
        isContradicted = resolveContradictions(solved, state, work, contacts, report);
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
      if (options.contactForce === 'explicit') readModes(contacts);
      summarizeTrace(report);
      if (hasSoft) reportSoft(soft, report);
      doubtResidual(report, Math.max(options.tolerance, ROUND_OFF_BOUND));
      if (isContradicted && report.status === 'converged') report.status = 'infeasible';
    },
  };
}

/** Rows of given force do not say whether a contact slides. */
function readModes({ count, force, friction, condim, mode }: ContactSet): void {
  for (let i = 0; i < count; i++) {
    if (mode[i] === CONTACT_MODE.open || !(condim[i] > 1)) continue;
    const grip = Math.sqrt(force[6 * i + 1] ** 2 + force[6 * i + 2] ** 2);
    const isSliding = grip > SLIDING * friction[5 * i] * force[6 * i];
    mode[i] = isSliding ? CONTACT_MODE.slide : CONTACT_MODE.stick;
  }
}
