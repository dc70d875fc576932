/**
 * `ccp`: the step as a minimisation over impulses (Anitescu and Tasora's cone complementarity problem)
 *   γ = argmin ½ γᵀ N γ + pᵀ γ over the friction cones,  N = J A⁻¹ Jᵀ + E,  p = J v* + b,  v* = v + h a₀
 *   v⁺ = v* + A⁻¹ Jᵀ γ
 * A is the symmetric matrix of the integrator (M plus dampers); vertices of soft bodies are unknowns behind the dofs, with v* and A of their
 * implicit elastic step without contact (soft/elastic-bodies.ts). Source: Anitescu and Tasora, An iterative approach for cone
 * complementarity problems for nonsmooth dynamics (2010).
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import { isStart, StartingPairs } from '../../collision/initial-state/starting-pairs.ts';
import { assembleMetric, solveAcceleration } from '../../dynamics/integrate.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { JointWorkspace } from '../../joint/joint-workspace.ts';
import { addTransposed } from '../../linear-algebra/block-rows.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { ConeProgram } from '../../minimize/cone/cone-program.ts';
import { OUTCOME } from '../../minimize/solve-trace.ts';
import type { Model } from '../../model/model.ts';
import { ConvexObjective } from '../../objective/convex-objective.ts';
import { SOURCE } from '../../objective/convex-problem.ts';
import { listCliques } from '../../objective/forest.ts';
import { Islands } from '../../objective/islands.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import type { State } from '../../state/state.ts';
import { readContactForces, readEqualityForces, readLimitForces, readTendonFriction } from '../contact-forces.ts';
import { Contradictions } from '../contradictions.ts';
import {
  type Formulation,
  type HeldSolution,
  type Projection,
  type StepReport,
  summarizeTrace,
} from '../formulation.ts';
import { findSlightChange, markImpacts } from '../impacts.ts';
import { hasAttachmentRows, readAttachmentForces } from '../soft-rows/attachment-rows.ts';
import { holdSoft } from '../soft-rows/held-soft.ts';
import { requireMetrics } from '../soft-rows/soft-islands.ts';
import { gatherStart } from '../soft-rows/soft-motion.ts';
import { listSoftAdhesion, listSoftUnresolved, reportSoft } from '../soft-rows/soft-report.ts';
import { readMomentumBalance, type SolverReadout } from '../solver-readout.ts';
import { listUnresolved } from '../unresolved.ts';
import { createVelocityPhases, RepeatedSolve } from '../velocity-phases.ts';
import { addAdhesion, subtractAdhesion } from './adhesion.ts';
import { CcpBuilder } from './ccp-builder.ts';
import { CcpRates } from './ccp-rates.ts';
import { CcpSolver } from './ccp-solver.ts';
import { measureFreeDepth } from './contact-blocks.ts';
import { createSolution, HeldImpulses, type ImpulseSolution } from './held-impulses.ts';
import { ImpulseReverse } from './impulse-reverse.ts';
import { IslandProgram } from './island-program.ts';
import { PositionProjection } from './position-projection.ts';
import { SoftResponse } from './soft-response.ts';
import { SpinGain } from './spin-gain.ts';
import { readImpulses, writeImpulses } from './warm-start.ts';
import { WhitenedRows } from './whitened-rows.ts';

/** Residual above which a step of driven bodies counts as unsolved. */
const UNSOLVED = 1e-5;
/** Residual from which Newton steps go on. */
const ROUGH = 1e-7;

/** What belongs to unknowns that were read for derivatives. */
const SOLUTIONS = /* @__PURE__ */ new WeakMap<Float64Array, ImpulseSolution>();

export function createCcp(model: Model, memory: Memory, joints: JointWorkspace, soft: SoftBodies): Formulation {
  const { ccp: options, disabled } = model.options;
  const builder = new CcpBuilder(model, joints, memory);
  const { problem, freeVelocity } = builder;
  const { drives } = builder.rows;
  const forest = listCliques(model);
  const islands = new Islands(forest, memory);
  const nv = model.size.velocity;
  const dofs = forest.start[forest.count];
  const hasSoft = dofs > nv;
  const hasAttachments = hasAttachmentRows(model);
  const response = hasSoft ? new SoftResponse(islands, soft, memory) : undefined;
  // few products of N are needed after the interior point
  const takesFewProducts = options.solver === 'auto' && !options.coulomb;
  const metric = memory.f64(model.size.massMatrix);
  const factor = memory.f64(model.size.massMatrix);
  const inverseDiagonal = memory.f64(model.size.velocity);
  const root = memory.f64(model.size.velocity);
  const whitened = new WhitenedRows(islands, model.massMatrix, factor, root, memory, response);
  const program = new IslandProgram(problem, islands, whitened, builder.curvature, memory);
  const solver = new CcpSolver(problem, program, islands, options, builder.driven, model.massMatrix, memory);
  const projection = new PositionProjection(model, joints, memory);
  const spinGain = new SpinGain(model, problem, islands);
  const isTouching = new Uint8Array(islands.forest.count);
  const velocity = memory.f64(dofs);
  const push = memory.f64(dofs);
  // with soft bodies, over all unknowns: v at the start of the step, and forces
  const startVelocity = memory.f64(hasSoft ? dofs : 0);
  const wholeForce = memory.f64(hasSoft ? dofs : 0);
  /** A and J of the last solve as products, for the read-out. */
  let balance: ConvexObjective | undefined;
  const starting = model.options.appliesStart
    ? new StartingPairs(model, (contacts, i, h) => measureFreeDepth(model, contacts, i, h), options.recoverySpeed)
    : undefined;
  const contradictions = new Contradictions({
    model,
    problem,
    islands,
    joints,
    starting,
    corrections: { restReference: () => 0 },
    memory,
  });
  /** For derivatives: Newton steps to round-off after every solve, or from another solution. */
  let heldImpulses: HeldImpulses | undefined;
  let rough: CcpSolver | undefined;
  let polishes = false;
  let isPolished = false;
  let near: ImpulseSolution | undefined;
  const repeated = new RepeatedSolve();
  const phases = createVelocityPhases(soft, starting, true, repeated);
  let last = createSolution();
  problem.metric = metric;
  problem.softMetric = soft.parts.map(({ work }) => work.hessian);
  problem.target = freeVelocity;

  /** a₀ in the workspace, and v* = v + h a₀ + s, by which bodies would move; s the shift of inertial-motion.ts. */
  function solveFreeMotion(state: State, work: Workspace, h: number): void {
    work.constraintForce.fill(0);
    solveAcceleration(model, state, work, h);
    for (let i = 0; i < nv; i++) freeVelocity[i] = state.velocity[i] + h * work.acceleration[i] + work.advanceShift[i];
    if (hasSoft) freeVelocity.set(soft.freeVelocity, nv);
  }

  /** L and D^(−½) of A; of M alone where negative damping has left A without a factor. */
  function factorMetric(state: State, work: Workspace, h: number): void {
    const { kernels, rowStart, column } = work.plan;
    assembleMetric(metric, model, state, work, h);
    factor.set(metric);
    if (kernels.factorTree(factor, inverseDiagonal, rowStart, column) >= 0) {
      metric.set(work.massMatrix);
      factor.set(metric);
      kernels.factorTree(factor, inverseDiagonal, rowStart, column);
    }
    for (let i = 0; i < root.length; i++) root[i] = Math.sqrt(inverseDiagonal[i]);
  }

  // acceleration (v⁺ − s − v)/h and constraint force Jᵀ γ/h of what is constrained
  function writeMotion(state: State, work: Workspace, h: number): void {
    const { dof, dofStart, block, blockStart, count } = islands;
    for (let island = 0; island < count; island++) {
      const first = dofStart[island];
      const size = dofStart[island + 1] - first;
      push.fill(0, 0, size);
      addTransposed(push, 1 / h, problem.rows, problem.data.force, block, blockStart[island], blockStart[island + 1]);
      for (let i = 0; i < size; i++) {
        const g = dof[first + i];
        if (hasSoft) wholeForce[g] = push[i];
        if (g >= nv) {
          work.softVelocity[g - nv] = velocity[g];
          continue;
        }
        work.constraintForce[g] = push[i];
        work.acceleration[g] = (velocity[g] - work.advanceShift[g] - state.velocity[g]) / h;
      }
    }
  }

  /**
   * Solves again without the corrections of overlaps of the start that push against joints with next to no lever; whether there are any.
   * What contradicts itself in other ways, the solver has found.
   */
  function releaseOverlaps(
    state: State,
    work: Workspace,
    contacts: ContactSet,
    h: number,
    report: StepReport,
  ): boolean {
    if (starting === undefined || starting.count === 0) return false;
    const motion = { x: velocity, target: freeVelocity, push: hasSoft ? wholeForce : work.constraintForce, scale: h };
    if (!contradictions.find(motion, state, work, contacts)) return false;
    const isReal = contradictions.drop(contacts, false);
    solveAgain(state, work, h, report);
    return isReal;
  }

  /**
   * Solves again where mocap bodies push against the friction of others and nothing could follow them (contact-blocks.ts): without the
   * friction of those that push. Whether it did.
   */
  function followDriven(state: State, work: Workspace, contacts: ContactSet, h: number, report: StepReport): boolean {
    if (model.size.mocap === 0 || !(hasContradiction(report) || isUnsolved(report))) return false;
    builder.easesDriven = true;
    buildAgain(state, work, contacts);
    builder.easesDriven = false;
    solveAgain(state, work, h, report);
    return true;
  }

  /** Solves again where a contradiction may come from links of one mechanism that overlap since the start, without pushing them apart. */
  function releaseLinks(state: State, work: Workspace, contacts: ContactSet, h: number, report: StepReport): void {
    if (!hasContradiction(report) || !contradictions.hasOverlappingLinks(contacts)) return;
    // the solver has taken out corrections that may not contradict anything
    buildAgain(state, work, contacts);
    contradictions.leaveOutLinks(contacts);
    solveAgain(state, work, h, report);
  }

  function buildAgain(state: State, work: Workspace, contacts: ContactSet): void {
    builder.build(state, work, contacts);
    islands.split(problem, !disabled.has('island'));
    response?.measure(problem);
  }

  function solveAgain(state: State, work: Workspace, h: number, report: StepReport): void {
    report.trace.clear();
    problem.data.force.fill(0, 0, problem.rowCount);
    velocity.set(freeVelocity);
    solver.solve(hasSoft ? startVelocity : state.velocity, velocity, report.trace);
    writeMotion(state, work, h);
  }

  // whether the solver has found an island without a solution
  function hasContradiction({ trace }: StepReport): boolean {
    for (let n = 0; n < trace.solveCount; n++) if (trace.outcome[n] === OUTCOME.infeasible) return true;
    return false;
  }

  // whether the solver has ended far from a solution in an island that something given moves
  function isUnsolved({ trace }: StepReport): boolean {
    for (let n = 0; n < trace.solveCount; n++) {
      const isFar = trace.outcome[n] !== OUTCOME.converged && !(trace.finalResidual[n] <= UNSOLVED);
      if (isFar && builder.driven.moves(islands, n)) return true;
    }
    return false;
  }

  /** From the solution of another step, where that can be; whether it could. */
  function solveNear(contacts: ContactSet): boolean {
    if (!near) return false;
    heldImpulses ??= new HeldImpulses(problem, program, islands, (island) => solver.isCoulomb(island), memory);
    if (heldImpulses.solveNear(near, velocity, contacts)) return true;
    velocity.set(freeVelocity);
    return false;
  }

  /** Solves roughly, then by Newton steps to round-off; where these end at no solution, the same from no impulses, then to the tolerance, and by Newton steps from there. */
  function solveTightly(start: Float64Array, contacts: ContactSet, report: StepReport): void {
    heldImpulses ??= new HeldImpulses(problem, program, islands, (island) => solver.isCoulomb(island), memory);
    const coarse = { ...options, tolerance: ROUGH };
    rough ??= new CcpSolver(problem, program, islands, coarse, builder.driven, model.massMatrix, memory);
    for (const [n, one] of [rough, rough, solver].entries()) {
      velocity.set(freeVelocity);
      // impulses of the step before may lead to a sharing of the load among corners that has no partition
      if (n === 1) problem.data.force.fill(0, 0, problem.rowCount);
      report.trace.clear();
      one.solve(start, velocity, report.trace);
      if (hasContradiction(report)) return;
      if (polish(heldImpulses, contacts, report)) return;
    }
  }

  /** Newton steps to round-off; whether they end at a solution. If not, impulses and velocities stay as they are. */
  function polish(impulses: HeldImpulses, contacts: ContactSet, { trace }: StepReport): boolean {
    const force = problem.data.force.slice(0, problem.rowCount);
    const before = velocity.slice();
    velocity.set(freeVelocity);
    isPolished = impulses.solve(velocity, contacts);
    if (isPolished) {
      last = impulses.solution;
      trace.clear();
      trace.close(OUTCOME.converged, problem.rowCount, 0, impulses.solution.residual);
    } else {
      problem.data.force.set(force);
      velocity.set(before);
    }
    return isPolished;
  }

  const held: HeldSolution = {
    read(): Float64Array | undefined {
      if (!isPolished) return undefined;
      // without rows nothing was solved
      const key = (problem.rowCount > 0 ? velocity : freeVelocity).slice();
      SOLUTIONS.set(key, last);
      return key;
    },
    hold(solution): void {
      near = solution && SOLUTIONS.get(solution);
    },
    get margin(): number {
      return isPolished ? last.margin : 0;
    },
    get sideMargin(): number {
      return last.sideMargin;
    },
    get condition(): number {
      return last.condition;
    },
    get refusal(): string | undefined {
      return isPolished
        ? undefined
        : 'no partition of its contacts into open, sticking and sliding ones solves the step';
    },
    polish(isOn): void {
      polishes = isOn;
      projection.tighten(isOn);
    },
  };

  // trees of islands that push against something
  function listTouching(): void {
    const { block, blockStart, tree, treeStart, count } = islands;
    isTouching.fill(0);
    if (problem.rowCount === 0) return;
    for (let island = 0; island < count; island++) {
      let touches = 0;
      for (let s = blockStart[island]; s < blockStart[island + 1]; s++) {
        const b = block[s];
        if (problem.source[b] === SOURCE.contact && problem.data.force[problem.rows.rowStart[b]] > 0) touches = 1;
      }
      for (let s = treeStart[island]; s < treeStart[island + 1]; s++) isTouching[tree[s]] = touches;
    }
  }

  return {
    id: 'ccp',
    held: holdSoft(held, soft),
    cone: {
      problem,
      createRates: ({ contacts }) =>
        builder.surfaceMotion.canMove || builder.rows.isNeeded ? undefined : new CcpRates(builder, contacts),
      createReverse: (entries) => new ImpulseReverse(problem, islands, entries, memory, () => last),
    },
    usesContacts: true,
    readParameters: () => contradictions.weigh(),
    ...phases,
    prepareState(_model: Model, state: State, work: Workspace, h: number): boolean {
      phases.prepareState?.(model, state, work, h);
      return isStart(model, state) && projection.assemble(state, work);
    },
    unresolved: [...listUnresolved(model), ...listSoftUnresolved(model), ...listSoftAdhesion(model)],
    problem,
    readEqualityForces: (out) => readEqualityForces(out, problem, 1 / builder.h),
    readLimitForces: (out) => readLimitForces(out, model, problem, 1 / builder.h),
    readTendonFriction: (out) => readTendonFriction(out, problem, 1 / builder.h),
    readAttachmentForces: (out) => readAttachmentForces(out, model, problem, 1 / builder.h),
    captureProgram(): ConeProgram {
      // by itself: the matrices of soft bodies are those of the last step
      if (response && problem.rowCount > 0) {
        response.allowsProducts = false;
        response.measure(problem);
      }
      const copy = new IslandProgram(problem, islands, whitened, builder.curvature, memory);
      copy.fill(0, problem.rowCount > 0 ? islands.count : 0, { eliminates: false, scaling: false });
      return copy;
    },
    readSolution(out: SolverReadout): void {
      balance ??= new ConvexObjective(problem, islands, model.massMatrix, memory);
      readMomentumBalance(out, balance, velocity, 1);
    },
    solve(_model: Model, state: State, work: Workspace, contacts: ContactSet, h: number, report: StepReport): void {
      report.trace.clear();
      builder.mocapMotion.begin(state, work);
      let isInfeasible = false;
      drives.begin(state, work, h);
      builder.terms.begin(state, work, h);
      solveFreeMotion(state, work, h);
      problem.clear();
      isPolished = polishes;
      if (!near) last = createSolution();
      const start = hasSoft ? startVelocity : state.velocity;
      if (hasSoft) gatherStart(startVelocity, soft, state);
      if (contacts.count > 0 || builder.rows.isNeeded || hasAttachments || !work.terms.isEmpty) {
        builder.h = h;
        builder.startVelocity = start;
        builder.build(state, work, contacts);
      }
      work.isImpact.fill(0);
      work.spinGain.fill(0);
      if (problem.rowCount > 0) {
        const hasAdhesion = addAdhesion(problem, work, contacts);
        if (hasAdhesion) solveFreeMotion(state, work, h);
        factorMetric(state, work, h);
        if (disabled.has('warmStart')) problem.data.force.fill(0, 0, problem.rowCount);
        else readImpulses(problem, contacts, repeated.take() ? work.impulses : state.impulses, work.bodyPosition);
        islands.split(problem, !disabled.has('island'));
        velocity.set(freeVelocity);
        if (response) {
          requireMetrics(islands, soft);
          response.allowsProducts = takesFewProducts && !polishes && !near;
          response.measure(problem);
        }
        isPolished = false;
        program.shareRules = polishes ? new Map() : undefined;
        program.shareMargin = Infinity;
        if (!solveNear(contacts)) {
          if (polishes) solveTightly(start, contacts, report);
          else solver.solve(start, velocity, report.trace);
        }
        writeMotion(state, work, h);
        if (!near && !hasAdhesion) isInfeasible = followDriven(state, work, contacts, h, report);
        if (!near) releaseLinks(state, work, contacts, h, report);
        if (!near && releaseOverlaps(state, work, contacts, h, report)) isInfeasible = true;
        if (isInfeasible) isPolished = false;
        markImpacts(work, problem, islands, start, velocity, findSlightChange(model, h));
        spinGain.measure(state, work, h);
        drives.moveForces(state, work);
        builder.terms.moveForces(work, 1 / h);
      }
      work.solution.set(work.acceleration);
      writeImpulses(problem, contacts, work.impulses, work.bodyPosition);
      builder.mocapMotion.write(work.impulses, state, h);
      starting?.write(work.impulses, h);
      readContactForces(problem, contacts, 1 / h);
      subtractAdhesion(problem, contacts);
      summarizeTrace(report);
      if (hasSoft) reportSoft(soft, report);
      if (isInfeasible && report.status === 'converged') report.status = 'infeasible';
    },
    closePositions(state: State, readKinematics: () => Workspace, h: number): Projection | undefined {
      if (!projection.rows.isNeeded && !builder.hasDeepLimit) return undefined;
      listTouching();
      const limitDepth = builder.hasDeepLimit ? builder.limitDepth : Infinity;
      const touchingDepth = h * options.recoverySpeed;
      return projection.project(state, readKinematics(), limitDepth, isTouching, touchingDepth, builder.startDrift);
    },
  };
}
