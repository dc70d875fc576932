/**
 * READ FIRST. A simulation owns a state and the workspace of its step. `#evaluate` and `#advance` are the step: every line is
 * a phase, every phase a file. What users set and read between steps is in `readout/`, in parts that a simulation inherits:
 *   state-access     state, poses, joints, controls, forces, soft bodies
 *   drawn-state      the same for pictures
 *   contact-readout  contacts, rays, distances
 *   force-readout    forces of joints, residual of the solve
 *   energy-readout   energies, momentum, terms
 */
import './formulation/built-in.ts';
import type { CollisionWorkspace } from './collision/detect-contacts.ts';
import { EnergyWatch, GROWING_MEMORY, type WatchedStep } from './diagnostics/energy-watch.ts';
import { JointWatch, MOST_DRIFT } from './diagnostics/joint-watch.ts';
import { areFinite, findNonFiniteAcceleration, findNonFiniteState } from './diagnostics/non-finite.ts';
import { type Phase, PhaseClock } from './diagnostics/phase-clock.ts';
import { restoreCoriolisForce } from './dynamics/coriolis-readout.ts';
import { computeFreeMotion } from './dynamics/free-motion.ts';
import { advance } from './dynamics/integrate.ts';
import { updateKinematics } from './dynamics/kinematics.ts';
import { computeMiddle, takeMiddle } from './dynamics/midpoint.ts';
import { advanceRungeKutta, isRungeKutta } from './dynamics/runge-kutta.ts';
import type { Workspace } from './dynamics/workspace.ts';
import { createReport, type EnergyGain, type NonFinite, type StepReport } from './formulation/formulation.ts';
import { applyJointForces, updateJoints } from './joint/articulation.ts';
import type { JointWorkspace } from './joint/joint-workspace.ts';
import { followHinges } from './joint/whole-turns.ts';
import { ArenaFullError } from './kernels/arena.ts';
import type { Model } from './model/model.ts';
import { EnergyReadout } from './readout/energy-readout.ts';
import { createSimulationData, type SimulationData } from './readout/simulation-data.ts';
import { ConstraintImpulses } from './state/constraint-impulses.ts';
import { findIndex } from './state/inputs.ts';
import { resetState } from './state/state.ts';
import { chooseWorse, StepControl, type SteppedSystem } from './step-control.ts';
import { clearDeadline, StepTimeoutError, setDeadline } from './step-deadline.ts';
import type { Term } from './term/term.ts';
import { createSceneTerms } from './term/term-registry.ts';

/** Times that a step which tears a joint is halved. */
const MOST_HALVINGS = 4;

/** How a simulation is run. */
export interface SimulationOptions {
  /** Clock for phase times and `maxStepTime`, ms, such as `performance.now`. Default: none, nothing is timed. */
  clock?: () => number;
  /** Without compiled functions: everything runs as TypeScript, slower and with the same results. Default: false. */
  portable?: boolean;
  /** Most bytes of memory that the simulation takes, at most 4 GiB. Default: 1 GiB. */
  memory?: number;
  /** Energies to add to the step, after those of the scene. */
  terms?: readonly Term[];
  /** Longest time that a step may take by the clock, s. Default: `options.maxStepTime` of the scene. */
  maxStepTime?: number;
  /** Whether steps that create energy without a cause are refused as `unstable`. Default: true. */
  checkEnergy?: boolean;
}

/** A simulation owns a state and steps it. Whatever is written into `state` between two steps is where the next one begins. */
export class Simulation extends EnergyReadout {
  readonly #data: SimulationData;
  readonly #work: Workspace;
  readonly #collision: CollisionWorkspace;
  readonly #joints: JointWorkspace;
  readonly #clock: PhaseClock;
  readonly #report: StepReport = createReport();
  readonly #now: (() => number) | undefined;
  readonly #maxStepTime: number;
  readonly #watch: EnergyWatch | undefined;
  readonly #watched: { -readonly [K in keyof WatchedStep]: WatchedStep[K] };
  /** Where steps are error-controlled. */
  readonly #control: StepControl | undefined;
  readonly #jointWatch: JointWatch;
  /** Why no more steps can be taken: memory is at its limit. */
  #full: ArenaFullError | undefined;

  constructor(model: Model, options: SimulationOptions = {}) {
    const data = createSimulationData(model, options.portable ?? false, options.memory);
    super(data);
    this.#data = data;
    this.#work = data.work;
    this.#collision = data.collision;
    this.#joints = data.joints;
    this.#clock = new PhaseClock(options.clock);
    this.#now = options.clock;
    this.#maxStepTime = options.maxStepTime ?? model.options.maxStepTime;
    const { accuracy } = model.options;
    const watch = options.checkEnergy === false ? undefined : new EnergyWatch(model, data.joints);
    this.#watch = watch;
    this.#jointWatch = new JointWatch(model, data.joints, GROWING_MEMORY);
    this.#watched = { state: data.state, work: data.work, h: this.timestep, measureEnergy: () => this.energy() };
    const { state } = data;
    const system: SteppedSystem = {
      model,
      state,
      report: this.#report,
      takeStep: (h, isFirst) => this.#takeStep(h, isFirst),
      mark: () => watch?.mark(),
      returnToMark: () => {
        data.isFresh = false;
        watch?.returnToMark();
      },
    };
    this.#control = accuracy === undefined ? undefined : new StepControl(system, accuracy);
    this.reset();
    for (const term of createSceneTerms(model, model.terms)) this.addTerm(term);
    for (const term of options.terms ?? []) this.addTerm(term);
  }

  /**
   * Advances by `count` steps. A step that overflows or creates energy without a cause is not taken: the state stays as it was and the
   * report names the number, joint or body. So it does where a step raises an error, or takes longer than `maxStepTime`.
   */
  step(count = 1): StepReport {
    this.formulation.noticeMoves?.(this.state);
    this.#takeSteps(count);
    this.formulation.noteState?.(this.state);
    return this.#report;
  }

  #takeSteps(count: number): void {
    const { model, state } = this;
    const work = this.#work;
    const watch = this.#watch;
    if (this.#full) throw this.#full;
    this.#clearFailure();
    // the user may have written anything; afterwards only the integrator writes
    work.stateBefore.set(state.all);
    if (!areFinite(state.all)) {
      this.#diverge(findNonFiniteState(model, state));
      return;
    }
    for (let n = 0; n < count; n++) {
      if (this.#now && this.#maxStepTime < Infinity) setDeadline(this.#now, this.#maxStepTime);
      try {
        // between two steps of one call nobody writes
        const isFirst = n === 0;
        if (this.#control ? this.#control.advance(isFirst) : this.#takeStep(this.timestep, isFirst)) continue;
        // the next call goes on with the balance as it is, and refuses the step again
        if (this.#report.status === 'unstable') watch?.accept(state);
        return;
      } finally {
        clearDeadline();
      }
    }
    if (count > 0) watch?.accept(state);
  }

  /** One step of length h; false, with the state as it was, where it cannot be taken: the report says why. One that tears a joint is taken as two halves. */
  #takeStep(h: number, isFirst: boolean, halvings = 0): boolean {
    const { model, state } = this;
    const work = this.#work;
    const watch = this.#watch;
    this.#data.h = h;
    this.#watched.h = h;
    work.stateBefore.set(state.all);
    let isTorn = false;
    let hasFiniteState: boolean;
    try {
      this.prepareState();
      const isNew = isFirst && watch?.hasJumped(state) === true;
      if (isNew) {
        // positions may have been written behind the back of the workspace
        this.#data.isFresh = false;
        watch.restart(this.#watched);
      }
      this.#evaluate();
      if (isNew) watch.allowRecovery(this.#collision.contacts, h);
      if (!areFinite(work.acceleration)) return this.#diverge(findNonFiniteAcceleration(model, work.acceleration));
      this.#advance();
      hasFiniteState = areFinite(state.motion);
      if (hasFiniteState) isTorn = this.#closeJoints();
    } catch (error) {
      this.#takeBack(work.stateBefore);
      if (error instanceof StepTimeoutError) return this.#giveUp(error);
      throw this.#judgeError(error);
    }
    if (this.formulation.closePositions) hasFiniteState &&= areFinite(state.motion);
    if (!hasFiniteState) return this.#diverge(findNonFiniteState(model, state));
    if (isTorn && halvings < MOST_HALVINGS) return this.#takeHalves(h, halvings + 1);
    const gain = watch?.look(this.#watched);
    if (gain) return this.#refuseGain(gain);
    this.#data.hasSolved = true;
    this.formulation.endStep?.(state, work, h);
    state.impulses.copyFrom(work.impulses);
    return true;
  }

  /**
   * Makes the state one that the formulation can start from: `ipc` moves bodies apart that touch. Every step begins with it; a run
   * that reads energies at its start calls it first. Whether it may have moved bodies.
   */
  prepareState(): boolean {
    const { formulation, model, state } = this;
    if (!formulation.prepareState) return false;
    this.#data.isFresh = false;
    this.#data.isPrepared = true;
    // nothing is moved where contacts push overlaps apart
    if (formulation.contactsAre === 'before') return formulation.prepareState(model, state, this.#work, this.#data.h);
    this.#clock.start();
    const hasMoved = formulation.prepareState(model, state, this.#work, this.#data.h);
    this.#clock.charge('collision');
    return hasMoved;
  }

  /** From a state to the acceleration of the step. */
  readonly #evaluate = (): void => {
    const isMidpoint = this.model.options.integrator === 'midpoint';
    this.#evaluateOnce(isMidpoint, false);
    // forces that depend on velocities, by the acceleration that was found
    if (isMidpoint) this.#evaluateOnce(true, true);
  };

  #evaluateOnce(isMidpoint: boolean, isAgain: boolean): void {
    const { model, state, formulation } = this;
    const { h } = this.#data;
    const work = this.#work;
    const { arena } = this.#data;
    this.#clock.start();
    arena.user = 'the dynamics';
    if (isMidpoint) computeMiddle(model, state, work, h, isAgain); // mass and forces half a step ahead
    updateKinematics(model, state, work); // poses, spatial axes, mass matrix
    updateJoints(model, work, this.#joints); // body coordinates: joints are read off the poses
    this.#clock.charge('kinematics');
    computeFreeMotion(model, state, work, h); // forces: M a₀ = f
    if (isMidpoint) takeMiddle(model, state, work);
    applyJointForces(model, work, this.#joints);
    if (!isAgain) formulation.predictSoftBodies(model, state, work, h); // elastic bodies: v*
    this.#clock.charge('freeMotion');
    arena.user = 'contact geometry';
    if (!isAgain) formulation.detectContacts(model, work, this.#collision, h); // broad phase, narrow phase: contact set
    this.#clock.charge('collision');
    arena.user = 'the solve';
    formulation.solve(model, state, work, this.#collision.contacts, h, this.#report); // the minimisation: forces, acceleration
    this.#clock.charge('solve');
  }

  /** From the acceleration to the next state. */
  #advance(): void {
    const { model, state } = this;
    const { h } = this.#data;
    this.#data.isFresh = false;
    if (isRungeKutta(model.options.integrator)) advanceRungeKutta(model, state, this.#work, h, this.#evaluate);
    else advance(model, state, this.#work, h);
    followHinges(model, state, this.#joints.coordinates, h);
    this.#data.soft.followStep();
    this.#clock.charge('integrate');
  }

  #diverge(nonFinite: NonFinite | undefined): false {
    this.#takeBack(this.#work.stateBefore);
    this.#report.status = 'diverged';
    this.#report.nonFinite = nonFinite;
    return false;
  }

  /** Joints are closed at the positions where the formulation can; whether the step has torn one. What has converged may have, too, or may have left an equality open. */
  #closeJoints(): boolean {
    const { formulation, state, model } = this;
    const report = this.#report;
    const watch = this.#jointWatch;
    const closed = formulation.closePositions?.(state, this.#readKinematics, this.#data.h);
    if (closed?.hasMoved) this.#data.isFresh = false;
    // `ipc` closes joints at the position and says so itself
    if (report.status === 'converged' && formulation.contactsAre === 'before') {
      const { problem } = formulation;
      if (closed?.isContradiction) report.status = 'infeasible';
      else if (closed ? closed.drift > MOST_DRIFT : model.size.constraintJoint > 0 && !watch.areClosed(this.derived))
        report.status = 'stalled';
      else if (problem && watch.lacksRows(problem, state) && watch.hasFixedOpen(state, this.derived))
        report.status = 'infeasible';
    }
    report.contradiction =
      report.status === 'infeasible' ? watch.nameOpen(state, this.derived, this.#collision.contacts) : undefined;
    return closed?.isTorn === true;
  }

  /** An array that was to grow and could not leaves others of the workspace too short: no more steps are taken. */
  #judgeError(error: unknown): unknown {
    if (error instanceof ArenaFullError) this.#full ??= error;
    return error;
  }

  /** A step that was torn, from its start as two halves; the report has the worse status of both. */
  #takeHalves(h: number, halvings: number): boolean {
    const { state } = this;
    const before = this.#work.stateBefore.slice();
    const impulses = new ConstraintImpulses(true);
    impulses.copyFrom(state.impulses);
    this.#takeBack(before);
    if (this.#takeStep(0.5 * h, false, halvings)) {
      const { status } = this.#report;
      if (this.#takeStep(0.5 * h, false, halvings)) {
        this.#report.status = chooseWorse(status, this.#report.status);
        return true;
      }
    }
    this.#takeBack(before);
    state.impulses.copyFrom(impulses);
    return false;
  }

  readonly #readKinematics = (): Workspace => this.derived;

  #giveUp({ activity, elapsed }: StepTimeoutError): false {
    this.#watch?.forget();
    this.#report.status = 'timed-out';
    this.#report.timeout = { activity, elapsed };
    return false;
  }

  #clearFailure(): void {
    this.#report.nonFinite = undefined;
    this.#report.energyGain = undefined;
    this.#report.timeout = undefined;
    this.#report.contradiction = undefined;
  }

  #refuseGain(gain: EnergyGain): false {
    this.#takeBack(this.#work.stateBefore);
    this.#report.status = 'unstable';
    this.#report.energyGain = gain;
    return false;
  }

  /** Back to how the state was; impulses are taken over after a step alone, so they are still those before. */
  #takeBack(before: Float64Array): void {
    this.state.all.set(before);
    this.#data.isFresh = false;
  }

  /**
   * Recomputes poses, velocities and all forces of the current state without advancing, and leaves the state as it is. Where the
   * formulation cannot start from it as it is (`ipc`, bodies that touch), forces are those of the state that a step would start from.
   */
  forward(): void {
    if (this.#full) throw this.#full;
    this.#data.h = this.timestep;
    const before = this.state.all.slice();
    let isUntouched = false;
    try {
      const hasMoved = this.prepareState();
      this.#work.stateBefore.set(this.state.all);
      this.#evaluate();
      restoreCoriolisForce(this.model, this.state, this.#work, this.timestep);
      this.#data.hasSolved = true;
      this.#data.isFresh = true;
      isUntouched = !hasMoved;
    } catch (error) {
      throw this.#judgeError(error);
    } finally {
      if (!isUntouched) this.#takeBack(before);
    }
  }

  /** Back to a keyframe by name or number; without one to the first keyframe, or the initial pose where there is none; `null` is the initial pose. */
  reset(keyframe?: string | number | null): void {
    const { name } = this.model.keyframe;
    const first = name.length > 0 ? 0 : null;
    const chosen = keyframe === undefined ? first : keyframe;
    resetState(this.model, this.state, chosen === null ? -1 : findIndex(name, chosen, 'keyframe'));
    this.#report.status = 'converged';
    this.#clearFailure();
    this.#watch?.forget();
    this.#data.hasSolved = false;
    this.#data.isFresh = false;
    this.#data.isPrepared = false;
  }

  /** What the last step reported. */
  get report(): StepReport {
    return this.#report;
  }

  /** Milliseconds spent per phase, where a clock was given. */
  phaseTimes(): Record<Phase, number> {
    return this.#clock.read();
  }
}
