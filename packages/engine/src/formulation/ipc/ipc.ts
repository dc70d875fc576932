/**
 * `ipc`: the step as a minimisation over positions (incremental potential contact)
 *   x⁺ = argmin ½ |x − x̃|²_M + h² (κ Σ b(d) + friction) + joints
 *   v⁺ = (x⁺ − x)/h,   R⁺ = R exp(h ω⁺)
 * Surfaces that do not intersect at the start never do: every iterate is reached on a path that CCD has found free. Joints are
 * augmented-Lagrangian terms. Source: Li et al., Incremental Potential Contact (2020); rigid bodies: Ferguson et al. (2021).
 */

import type { ContactSet } from '../../collision/contact-set.ts';
import { checkBarrierSize } from '../../collision/initial-state/barrier-size.ts';
import {
  changeFingerprinted,
  hasFingerprint,
  hasStepped,
  writeFingerprint,
} from '../../collision/initial-state/pose-fingerprint.ts';
import { StartRule } from '../../collision/initial-state/start-rule.ts';
import { displaceCandidates, hasTeleported } from '../../collision/initial-state/teleports.ts';
import { refuseOpenSolids } from '../../collision/surface/open-meshes.ts';
import { STIFFNESS_RANGE } from '../../contact/barrier-stiffness.ts';
import { updateKinematics } from '../../dynamics/kinematics.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import type { JointWorkspace } from '../../joint/joint-workspace.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import { relativeQuaternion, rotationVector } from '../../linear-algebra/quaternion.ts';
import { OUTCOME, type SolveTrace } from '../../minimize/solve-trace.ts';
import type { Model } from '../../model/model.ts';
import type { SoftBodies } from '../../soft/soft-bodies.ts';
import type { State } from '../../state/state.ts';
import { type Formulation, type StepReport, summarizeTrace } from '../formulation.ts';
import type { SolverReadout } from '../solver-readout.ts';
import { GRADIENTS_FROM } from './body-matrix.ts';
import { ContactReport } from './contact-report.ts';
import { EnergyGuard } from './energy-guard.ts';
import { FrictionPasses } from './friction-passes.ts';
import { HeldAdjoint } from './held-adjoint.ts';
import { HeldStep } from './held-step.ts';
import { IpcObjective } from './ipc-objective.ts';
import { listIpcUnresolved } from './ipc-unresolved.ts';
import { chooseStiffness, KEPT_RANGE, mayStiffen, readStiffness, writeStiffness } from './kept-stiffness.ts';
import { readIpcBalance } from './momentum-balance.ts';
import { NearContacts } from './near-contacts.ts';
import { NewtonDescent } from './newton-descent.ts';
import { PushShift } from './push-shift.ts';
import { SecondOrder } from './second-order.ts';
import { createKeptHistory } from './step-history.ts';
import { choosePressure, createRestDistance, measureLoads, type SurfaceLoads } from './terms/barrier-pressure.ts';
import { addWholeTurns } from './terms/incremental-displacement.ts';

/** Most friction passes of a step that repeats them until nothing moves. */
const MOST_PASSES = 50;
/** Rounds in which mocap bodies advance as far as their path is free. */
const MOST_FOLLOW_ROUNDS = 40;
/** How often a step is done again with less spin at most. */
const MOST_SLOWINGS = 12;

const turn = /* @__PURE__ */ new Float64Array(4);
const vector = /* @__PURE__ */ new Float64Array(3);

export function createIpc(model: Model, memory: Memory, jointWork: JointWorkspace, soft: SoftBodies): Formulation {
  refuseOpenSolids(model);
  const { ipc: options } = model.options;
  const objective = new IpcObjective(model, memory, soft, jointWork);
  const { frames, inertia, joints, barrier, candidates, surfaces, attachments } = objective;
  const descent = new NewtonDescent(objective);
  const guard = new EnergyGuard(objective);
  const second =
    model.options.integrator === 'bdf2' ? new SecondOrder(model, objective, listSoftBodies(model)) : undefined;
  const pushShift = new PushShift(objective);
  const passes = new FrictionPasses(frames, surfaces.reach);
  const contactReport = new ContactReport(model, objective);
  /** Made when first asked for. */
  let nearContacts: NearContacts | undefined;
  const { leftOut } = objective.collisions;
  const startRule = new StartRule(model, objective, leftOut);
  checkBarrierSize(model, objective);
  let softMass = weighSoftBodies(soft);
  /** κ₀, Pa; found in the first step. */
  let pressure = 0;
  /** κ/κ₀ that acted in the step before, and with which this step begins. */
  let ratioBefore = 1;
  let ratio = 1;
  const isStiffnessFixed = options.barrierStiffness > 0 || !objective.collisions.isActive;
  /** Whether mocap bodies or held vertices are moved in the step. */
  let isMoved = false;
  /** For derivatives: whether the last step was one minimum, and the solution from which every step is one Newton step. */
  let isPlain = false;
  let near: Float64Array | undefined;
  let startAt: Float64Array | undefined;
  let polishes = false;
  /** Tolerances that a solve which is polished ends with first: those of the simulation that derivatives are taken of. */
  let coarse: typeof options | undefined;
  let tolerances = options;
  const heldStep = new HeldStep(objective, second?.isActive);
  const last: { state?: State; work?: Workspace; h: number } = { h: 1 };
  const adjoint = new HeldAdjoint(
    model,
    objective,
    soft,
    heldStep,
    {
      read: () => (isPlain ? heldStep.read(pressure) : undefined),
      isSmooth: () => descent.outcome === OUTCOME.converged && !isMoved,
      lag: () => beginContacts(last.h),
      restore(solution): boolean {
        const { state, work, h } = last;
        begin(state!, work!, h);
        takeOrders(state!, work!, h, solution);
        heldStep.place(solution, pressure);
        return heldStep.read(pressure) !== undefined;
      },
    },
    pushShift,
    second,
  );

  function readParameters(): void {
    objective.readParameters(soft);
    softMass = weighSoftBodies(soft);
    pressure = 0;
    nearContacts = undefined;
  }

  function readLoads(): SurfaceLoads {
    return measureLoads(model, surfaces, objective.fields.pairs, inertia.mass, softMass);
  }

  /** Candidates at the start; pairs that have come apart are among them again. */
  function findCandidates(work: Workspace): void {
    if (startRule.release(work)) candidates.forget();
    surfaces.place(frames.current);
    candidates.cover();
  }

  /** Poses, prediction, stiffness and lagged friction at the start of the step. */
  function begin(state: State, work: Workspace, h: number): void {
    displaceCandidates(model, objective, state);
    frames.begin(state, work);
    if (frames.hasJumped) candidates.forget();
    objective.scale = h * h;
    if (second) chooseOrder(second, state, work, h);
    objective.drives.begin(state, work, h);
    inertia.begin(state, work, frames, h);
    objective.beginSoft(state, work, h);
    pressure ||= choosePressure(model, readLoads());
    ratioBefore = isStiffnessFixed ? 1 : readStiffness(state.impulses);
    objective.prescribed.begin(
      inertia.mass.reduce((sum, mass) => sum + mass / 3, 0) + sumOf(softMass),
      h * h * pressure,
    );
    // held vertices have their targets now
    if (second && !isMoved && isPulling()) {
      isMoved = true;
      second.giveUp();
    }
    if (second?.isAny) second.predict(state, work, h);
    if (objective.collisions.isActive) findCandidates(work);
    beginContacts(h);
    joints.begin(state, frames, h, second);
    objective.added.begin(state, work, h);
    objective.beginAttachments(state, work, h);
    guard.begin(state, h);
    second?.markStart();
  }

  /** Which bodies take the step at order two; their drives act by their whole stiffness at its end. */
  function chooseOrder(order: SecondOrder, state: State, work: Workspace, h: number): void {
    const { drives } = objective;
    if (drives.wholeDofs.length === 0) drives.wholeDofs = new Uint8Array(model.size.velocity);
    isMoved = frames.hasKinematic && isAway();
    order.choose(state, work, h, isMoved);
    for (let i = 0; i < drives.wholeDofs.length; i++) drives.wholeDofs[i] = order.isActive[Math.floor(i / 6)];
  }

  /**
   * Takes groups that contacts or limits have touched in the step back to order one, all where it found no minimum, and does it again.
   * The minimum of order two is near that of order one: the descent begins there.
   */
  function demote(order: SecondOrder, state: State, work: Workspace, h: number, trace: SolveTrace): void {
    while (order.isAny) {
      // for derivatives: what only rounding keeps from its tolerance is a minimum all the same
      if (polishes && descent.outcome !== OUTCOME.converged) polish();
      const isNear = descent.outcome === OUTCOME.converged;
      if (descent.outcome !== OUTCOME.converged) order.giveUp();
      else if (!order.demote()) return;
      if (isNear) frames.keep();
      frames.restart();
      inertia.begin(state, work, frames, h);
      objective.beginSoft(state, work, h);
      if (order.isAny) order.predict(state, work, h);
      restartContacts(h);
      joints.begin(state, frames, h, order);
      objective.added.begin(state, work, h);
      objective.beginAttachments(state, work, h);
      guard.begin(state, h);
      if (isNear) returnToKept();
      minimize(h, trace, !isNear);
    }
  }

  function returnToKept(): void {
    frames.returnToKept();
    candidates.forget();
    surfaces.place(frames.current);
    candidates.cover();
  }

  /** Back to the contacts of the start of the step. */
  function restartContacts(h: number): void {
    candidates.forget();
    surfaces.place(frames.current);
    candidates.cover();
    beginContacts(h);
  }

  /** Contacts, stiffness and friction at the start of the step. */
  function beginContacts(h: number): void {
    objective.beginStiffness(ratioBefore * pressure, pressure);
    objective.place(frames.current);
    objective.beginFriction(options.frictionVelocity * h, h);
    if (!isStiffnessFixed) beginStiffness(h);
    if (polishes) adjoint.takeLag();
  }

  /** κ of the step, from the gaps at its start, and the most that it may grow to in it. */
  function beginStiffness(h: number): void {
    ratio = chooseStiffness(ratioBefore, objective.collisions.nearest, objective.range, h);
    const most = mayStiffen(h) ? Math.min(KEPT_RANGE, STIFFNESS_RANGE * ratio) : ratio;
    objective.beginStiffness(ratio * pressure, most * pressure);
  }

  /** Takes a step back in which contacts have created energy, and does it again with less spin; whether it did. */
  function guardEnergy(h: number, trace: SolveTrace): boolean {
    let isSlowed = false;
    for (let round = 0; round < MOST_SLOWINGS && guard.hasGained(h); round++) {
      isSlowed = true;
      guard.slow(h);
      frames.restart();
      restartContacts(h);
      minimize(h, trace);
    }
    return isSlowed;
  }

  /** Whether the step that was taken is one minimum whose friction was taken at its start, with what is moved from outside at its target. */
  function canHold(): boolean {
    const isLagged = objective.friction.count > 0 || objective.rigidFriction.count > 0 || objective.added.hasLag;
    const isOnePass = options.frictionPasses === 0 || options.frictionPasses === 1;
    const isFactored = frames.solidVertices <= GRADIENTS_FROM && descent.outcome === OUTCOME.converged;
    // κ that follows the gap is another function of the state
    return (isOnePass || !isLagged) && isFactored && attachments.isEmpty && !descent.isAtKink && ratio === ratioBefore;
  }

  /** For derivatives: Newton steps to round-off, also where a descent has no more to gain or has run out of rounds. */
  function polish(): void {
    const { outcome } = descent;
    if (outcome === OUTCOME.infeasible) return;
    descent.outcome = OUTCOME.converged;
    if (!canHold() || !heldStep.polish()) descent.outcome = outcome;
  }

  /** Leaves order two to those that have it in a solution. */
  function takeOrders(state: State, work: Workspace, h: number, solution: Float64Array): void {
    if (second?.restrict(heldStep.listOrders(solution))) {
      inertia.begin(state, work, frames, h);
      objective.beginSoft(state, work, h);
      if (second.isAny) second.predict(state, work, h);
      joints.begin(state, frames, h, second);
      objective.added.begin(state, work, h);
    }
  }

  /** Newton steps from a solution, with its orders; whether they have come to a minimum. If not, the step begins anew. */
  function takeNear(state: State, work: Workspace, h: number, solution: Float64Array): boolean {
    takeOrders(state, work, h, solution);
    heldStep.place(solution, pressure);
    if (heldStep.take()) return true;
    begin(state, work, h);
    return false;
  }

  /** Newton steps from where a solution of the same step is known to be; whether they have led to it. If not, the step begins anew. */
  function takeKnown(state: State, work: Workspace, h: number, solution: Float64Array): boolean {
    takeOrders(state, work, h, solution);
    heldStep.place(solution, pressure);
    if (heldStep.take()) {
      descent.close(OUTCOME.converged, 0, heldStep.energy, heldStep.lastStep / h);
      isPlain = canHold();
      if (isPlain) return true;
    }
    begin(state, work, h);
    return false;
  }

  /** The step with nothing known of its solution. */
  function descendAnew(state: State, work: Workspace, h: number, trace: SolveTrace): void {
    if (!isPulling()) minimize(h, trace);
    if (second) demote(second, state, work, h, trace);
    isPlain = !guardEnergy(h, trace);
    if (frames.hasKinematic) follow(h, trace);
  }

  /** For derivatives: the step as the simulation takes it, and Newton steps to round-off from there; whether they found it. If not, it begins anew. */
  function descendCoarsely(state: State, work: Workspace, h: number, trace: SolveTrace): boolean {
    tolerances = joints.tolerances = coarse!;
    descendAnew(state, work, h, trace);
    tolerances = joints.tolerances = options;
    isPlain &&= descent.outcome === OUTCOME.converged && canHold() && heldStep.polish();
    if (isPlain) {
      descent.close(OUTCOME.converged, 0, heldStep.energy, heldStep.lastStep / h);
      return true;
    }
    trace.clear();
    begin(state, work, h);
    return false;
  }

  /** Minimises with fixed friction; takes the multipliers of joints from the result until they are met. The iterations it took. */
  function descend(h: number, trace: SolveTrace, budget: number, isFresh: boolean): number {
    let spent = 0;
    for (let round = 1; ; round++) {
      descent.run(tolerances, h, trace, budget - spent, isFresh && round === 1);
      spent += descent.iterations;
      const hasRunAway = joints.hasRunAway || (descent.outcome !== OUTCOME.converged && joints.isTorn);
      if (hasRunAway && !frames.hasKinematic && spent < budget) {
        joints.restart();
        frames.restart();
        restartContacts(h);
        continue;
      }
      const isMet = joints.isWithinTolerance() && attachments.isWithinTolerance();
      if (!isMet && (round >= options.jointRounds || spent >= budget) && descent.outcome === OUTCOME.converged)
        descent.outcome = OUTCOME.iterationLimit;
      joints.updateMultipliers();
      attachments.updateMultipliers();
      if (joints.isContradictory && descent.outcome === OUTCOME.converged) {
        joints.dropMultipliers();
        descent.outcome = OUTCOME.infeasible;
      }
      // short steps that leave forces out of balance: rounding is all that is left to gain
      if (isMet && !descent.isBalanced && descent.outcome === OUTCOME.converged) descent.outcome = OUTCOME.stalled;
      if (isMet || descent.outcome !== OUTCOME.converged || spent >= budget) return spent;
    }
  }

  /** Minimises with friction taken from the last minimisation: as many passes as asked for, or until nothing moves any more. */
  function minimize(h: number, trace: SolveTrace, isFresh = true): void {
    const { frictionPasses, iterations } = options;
    const most = frictionPasses < 0 ? MOST_PASSES : Math.max(1, frictionPasses);
    let budget = iterations;
    let isOpen = false;
    passes.begin();
    for (let pass = 1; ; pass++) {
      const spent = descend(h, trace, budget, isFresh && pass === 1);
      budget -= spent;
      if (descent.outcome !== OUTCOME.converged) return;
      // the first step of a pass already met the tolerance, so the lagged friction forces remain valid
      const isSettled = pass > 1 && spent <= 1 && descent.residual <= passes.share * descent.tolerance;
      if (isSettled || pass >= most || budget <= 0) {
        isOpen = !isSettled && frictionPasses < 0;
        if (pass === 1) break;
        // friction of before that would do work is taken once more, in a form that cannot
        if (budget > 0 && objective.rigidFriction.measureWork(frames.current) > 0 && objective.lagFrictionAtStart())
          descend(h, trace, budget, false);
        break;
      }
      passes.notice();
      if (!objective.lagFriction(passes.share)) return;
    }
    if (isOpen && descent.outcome === OUTCOME.converged) descent.outcome = OUTCOME.iterationLimit;
  }

  /**
   * Mocap bodies and held vertices move to their targets as far as the path is free; the others move out of the way, and so on. What they
   * have not reached then is left for the next step, and the step is reported as stalled. With soft bodies they are pulled there
   * together with the others before.
   */
  function follow(h: number, trace: SolveTrace): void {
    if (isPulling()) {
      objective.setPulled(true);
      minimize(h, trace);
      objective.setPulled(false);
    }
    for (let round = 0; round < MOST_FOLLOW_ROUNDS && frames.writeKinematicStep(); round++) {
      const free = objective.limitStep();
      // bodies that were pulled and have no free path yet are kept back: closer to the wall they would only get stuck
      if (!objective.elastic.isEmpty && free < 1) break;
      frames.move(free);
      candidates.move(1);
      frames.accept();
      frames.step.fill(0);
      minimize(h, trace);
    }
    if (frames.writeKinematicStep()) descent.outcome = OUTCOME.stalled;
    frames.step.fill(0);
  }

  /** Whether a scene with soft bodies has prescribed motion. */
  function isPulling(): boolean {
    return !objective.elastic.isEmpty && frames.hasKinematic && isAway();
  }

  /** Whether mocap bodies or held vertices are not where they are to be. */
  function isAway(): boolean {
    const isFar = frames.writeKinematicStep();
    frames.step.fill(0);
    return isFar;
  }

  /** Velocities that lead to the accepted poses, as accelerations, and what contacts and joints did for that. */
  function writeMotion(state: State, work: Workspace, h: number): void {
    const { start, current } = frames;
    const { acceleration, constraintForce, advanceShift } = work;
    const { velocity, mass, inertia: tensor } = inertia;
    for (let g = 0; g < frames.moving; g++) {
      const i = 6 * g;
      relativeQuaternion(turn, 0, start.orientation, 4 * g, current.orientation, 4 * g);
      rotationVector(vector, 0, turn, 0);
      addWholeTurns(vector, velocity, i + 3, h);
      for (let k = 0; k < 3; k++) {
        // (x⁺ − x)/h, without the round-off of the difference where the body flies freely, and without that of the flight where
        // it would have gone far: the state has to be the accepted one
        const to = current.position[3 * g + k];
        const flight = inertia.position[3 * g + k];
        const isFar = Math.abs(to - flight) > Math.abs(to);
        const linear = isFar ? (to - start.position[3 * g + k]) / h : velocity[i + k] + (to - flight) / h;
        acceleration[i + k] = (linear - state.velocity[i + k]) / h;
        acceleration[i + 3 + k] = (vector[k] / h - advanceShift[i + 3 + k] - state.velocity[i + 3 + k]) / h;
        constraintForce[i + k] = (mass[3 * g + k] * (linear - velocity[i + k])) / h;
        if (second) advanceShift[i + k] = 0;
        vector[k] = (vector[k] / h - guard.readFlight(i + 3 + k)) / h;
      }
      for (let k = 0; k < 3; k++) {
        const o = 9 * g + 3 * k;
        constraintForce[i + 3 + k] = tensor[o] * vector[0] + tensor[o + 1] * vector[1] + tensor[o + 2] * vector[2];
      }
      if (second && inertia.weight[g] !== 1) second.writeMotion(g, state, work, h);
      takeResidual(constraintForce, i, current.rotation, 9 * g, objective.matrix.gradient, h);
    }
  }

  return {
    id: 'ipc',
    held: {
      read: () => (isPlain ? heldStep.read(pressure) : undefined),
      hold(solution): void {
        near = solution;
      },
      get condition(): number {
        return objective.matrix.condition;
      },
      get refusal(): string | undefined {
        if (!heldStep.hasFactor) return 'the Hessian of the step has a negative eigenvalue';
        if (isPlain) return undefined;
        return options.frictionPasses === 1 ? 'the step is not one minimum' : 'friction is taken in several passes';
      },
      polish(isPolished, like): void {
        polishes = isPolished;
        const isOnePass = options.frictionPasses === 0 || options.frictionPasses === 1;
        coarse = isPolished && isOnePass ? like?.options.ipc : undefined;
      },
      readStart: () => (isPlain && objective.fields.count === 0 ? heldStep.copy(pressure) : undefined),
      beginAt(start): void {
        startAt = start;
      },
    },
    reverse: adjoint,
    usesContacts: true,
    contactsAre: 'after',
    addNearContacts(out: ContactSet, state: State, work: Workspace): void {
      nearContacts ??= new NearContacts(model);
      nearContacts.add(out, state, work);
    },
    unresolved: listIpcUnresolved(model),
    listLeftOut: () => startRule.describeLeftOut(),
    readEqualityForces: (out) => joints.readEqualityForces(out),
    readLimitForces: (out) => joints.readLimitForces(out),
    readAttachmentForces: (out) => attachments.readForces(out),
    /**
     * Moves bodies apart that touch or overlap where no step has put them: before the first step, and where the user has moved them.
     * A step may leave them as near as it likes.
     */
    prepareState(_model: Model, state: State, work: Workspace, h: number): boolean {
      if (!objective.collisions.isActive) return false;
      const isFirst = !hasStepped(state.impulses);
      if (leftOut.read(state.impulses)) candidates.forget();
      if (!isFirst && !hasTeleported(model, objective, state)) return false;
      updateKinematics(model, state, work);
      frames.begin(state, work);
      candidates.forget();
      if (!isFirst && hasFingerprint(state.impulses, frames, frames.start)) return false;
      inertia.readMasses(work, h);
      objective.beginSoft(state, work, h);
      const loads = readLoads();
      const { elastic } = objective;
      const rest = createRestDistance(model, loads, choosePressure(model, loads), (n) => elastic.shapeProxy(n));
      const hasMoved = startRule.apply(state, work, isFirst, rest);
      candidates.forget();
      return hasMoved;
    },
    ...(second && { kept: createKeptHistory(frames.moving, model.size.softVertex) }),
    changeState(state: State, apply: () => void): void {
      const change = second ? (): void => second.history.change(state, apply) : apply;
      changeFingerprinted(state, frames, change);
    },
    // samples in fields keep the friction and the places that they were made with
    ...(objective.fields.pairs.length === 0 && { readParameters }),
    // both are unknowns of the solve
    predictSoftBodies(): void {},
    detectContacts(): void {},
    listTermEnergies: () => objective.listEnergies(),
    readSolution(out: SolverReadout, work: Workspace, h: number): void {
      readIpcBalance(out, objective, soft, work.constraintForce, h);
    },
    endStep(state: State, work: Workspace, h: number): void {
      second?.keep(state, work, h, descent.outcome === OUTCOME.converged && !isMoved);
    },
    solve(_model: Model, state: State, work: Workspace, contacts: ContactSet, h: number, report: StepReport): void {
      const { trace } = report;
      trace.clear();
      last.state = state;
      last.work = work;
      last.h = h;
      // a step that was given up may have left it so
      if (frames.isPulled) objective.setPulled(false);
      begin(state, work, h);
      const isNear = near !== undefined && takeNear(state, work, h, near);
      if (!isNear && !(startAt && takeKnown(state, work, h, startAt))) {
        if (!(coarse && descendCoarsely(state, work, h, trace))) {
          descendAnew(state, work, h, trace);
          if (isPlain && polishes) polish();
          isPlain &&= canHold();
        }
      }
      trace.close(descent.outcome, 6 * frames.moving + 3 * frames.isFree.length, descent.energy, descent.residual);
      work.hasEndVelocity.fill(0);
      writeMotion(state, work, h);
      // the torque that takes spin is none of these
      if (guard.isSlowed) work.pushShift.fill(0);
      else pushShift.write(state, work, h);
      joints.accountDrives(frames.current, work, jointWork);
      objective.added.writeForces(work);
      objective.elastic.writeVelocities(work.softVelocity, state, work.softAdvance);
      work.solution.set(work.acceleration);
      joints.writeMultipliers(work.impulses, h);
      attachments.writeMultipliers(work.impulses, h, objective.firstTie);
      frames.writeReached(work.impulses);
      writeFingerprint(work.impulses, frames, frames.current);
      writeStiffness(work.impulses, barrier.stiffness === ratio * pressure ? ratio : barrier.stiffness / pressure);
      leftOut.write(work.impulses);
      report.frictionWork = objective.rigidFriction.measureWork(frames.current);
      contactReport.write(contacts);
      summarizeTrace(report);
      report.minimumDistance = objective.collisions.nearest;
      report.collisionFreeStep = descent.collisionFreeStep;
      report.barrierStiffness = barrier.stiffness;
    },
  };
}

// kg
function weighSoftBodies({ parts }: SoftBodies): number[] {
  return parts.map(({ mesh }) => sumOf(mesh.mass));
}

function sumOf(numbers: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum += numbers[i];
  return sum;
}

// per soft vertex: its soft body
function listSoftBodies({ soft, size }: Model): Int32Array {
  const of = new Int32Array(size.softVertex);
  for (let n = 0; n < size.softBody; n++) of.fill(n, soft.vertexStart[n], soft.vertexStart[n + 1]);
  return of;
}

// forces that acted: those that the motion needs, less what the minimisation has left over, ∇E/h²; torques in the axes of the body
function takeResidual(
  force: Float64Array,
  i: number,
  rotation: Float64Array,
  r: number,
  gradient: Float64Array,
  h: number,
): void {
  const scale = 1 / (h * h);
  for (let k = 0; k < 3; k++) {
    force[i + k] -= scale * gradient[i + k];
    for (let c = 0; c < 3; c++) force[i + 3 + k] -= scale * rotation[r + 3 * c + k] * gradient[i + 3 + c];
  }
}
