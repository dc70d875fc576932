/**
 * Takes steps and checks them. A step is tried by the phases of the simulation. It is taken back, and the report says why, where a
 * number is not finite, energy appears without a cause or the time is up. It is taken again as two halves where it tears a joint, lets
 * bodies pass through each other, or creates energy because joints are closed at the positions, which may load the springs in them.
 */
import { EnergyWatch, type WatchedStep } from './diagnostics/energy-watch.ts';
import { JointWatch, MOST_CLOSED_DRIFT } from './diagnostics/joint-watch.ts';
import { areFinite, findNonFiniteAcceleration, findNonFiniteState } from './diagnostics/non-finite.ts';
import type { Workspace } from './dynamics/workspace.ts';
import type { NonFinite, StepReport } from './formulation/formulation.ts';
import { ArenaFullError } from './kernels/arena.ts';
import { GROWING_MEMORY } from './linear-algebra/memory.ts';
import { breakAttachments, nameBroken } from './readout/attachment-forces.ts';
import type { SimulationData } from './readout/simulation-data.ts';
import type { SimulationOptions } from './simulation-options.ts';
import { ConstraintImpulses } from './state/constraint-impulses.ts';
import { keepControls } from './state/control-history.ts';
import { chooseWorse, StepControl } from './step-control.ts';
import { clearDeadline, StepTimeoutError, setDeadline } from './step-deadline.ts';
import { clearRefusal, reportDivergence, reportGain, reportTimeout } from './step-refusal.ts';

/** Times that a step which tears a joint, or creates energy by closing it, is halved. */
const MOST_HALVINGS = 4;
/** Times that a step in which bodies pass through each other is halved: a shortest one is 1/256 of it. */
const MOST_PASSING_HALVINGS = 8;

/** The phases of a step. */
export interface StepPhases {
  /** Makes the state one that the formulation can start from. */
  prepareState(): boolean;
  /** From a state to the acceleration of the step. */
  evaluate(): void;
  /** From the acceleration to the next state. */
  advance(): void;
  /** The workspace with the kinematics of the current state. */
  readKinematics(): Workspace;
  measureEnergy: WatchedStep['measureEnergy'];
}

export class Stepper {
  readonly #data: SimulationData;
  readonly #report: StepReport;
  readonly #phases: StepPhases;
  readonly #now: (() => number) | undefined;
  readonly #maxStepTime: number;
  readonly #watch: EnergyWatch | undefined;
  readonly #watched: { -readonly [K in keyof WatchedStep]: WatchedStep[K] };
  /** Whether `evaluate` leaves the kinematics of the state at the start of the step in the workspace. */
  readonly #keepsStart: boolean;
  readonly #jointWatch: JointWatch;
  /** Where steps are error-controlled. */
  readonly #control: StepControl | undefined;
  /** Why no more steps can be taken: memory is at its limit. */
  #full: ArenaFullError | undefined;

  constructor(data: SimulationData, report: StepReport, phases: StepPhases, options: SimulationOptions) {
    const { model, state, work, joints } = data;
    this.#data = data;
    this.#report = report;
    this.#phases = phases;
    this.#now = options.clock;
    this.#maxStepTime = options.maxStepTime ?? model.options.maxStepTime;
    const watch = options.checkEnergy === false ? undefined : new EnergyWatch(model, joints);
    this.#watch = watch;
    this.#keepsStart = data.formulation.contactsAre === 'before' && model.options.integrator !== 'midpoint';
    this.#jointWatch = new JointWatch(model, joints, GROWING_MEMORY);
    const { accuracy, timestep } = model.options;
    this.#watched = { state, work, h: timestep, measureEnergy: phases.measureEnergy };
    const system = {
      model,
      state,
      report,
      takeStep: (h: number, isFirst: boolean) => this.#takeStep(h, isFirst),
      mark: () => watch?.mark(),
      returnToMark: () => {
        data.isFresh = false;
        watch?.returnToMark();
      },
    };
    this.#control = accuracy === undefined ? undefined : new StepControl(system, accuracy);
  }

  /** Takes steps until one cannot be taken. */
  takeSteps(count: number): void {
    const { model, state } = this.#data;
    this.requireMemory();
    clearRefusal(this.#report);
    const whole = model.size.breakableAttachment > 0 ? state.attachmentBroken.slice() : undefined;
    this.#takeAll(count);
    this.#report.broken = whole && nameBroken(model, whole, state);
  }

  #takeAll(count: number): void {
    const { model, state, work } = this.#data;
    const watch = this.#watch;
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
        const { timestep } = model.options;
        if (this.#control ? this.#control.advance(isFirst) : this.#takeStep(timestep, isFirst)) continue;
        // the next call goes on with the balance as it is, and refuses the step again
        if (this.#report.status === 'unstable') watch?.accept(state);
        return;
      } finally {
        clearDeadline();
      }
    }
    if (count > 0) watch?.accept(state);
  }

  /** One step of length h; false, with the state as it was, where it cannot be taken: the report says why. */
  #takeStep(h: number, isFirst: boolean, halvings = 0): boolean {
    const data = this.#data;
    const { model, state, work, formulation } = data;
    const watch = this.#watch;
    const phases = this.#phases;
    data.h = h;
    this.#watched.h = h;
    work.stateBefore.set(state.all);
    if (data.sleeping?.begin()) return this.#rest(h);
    let isTorn = false;
    let hasFiniteState: boolean;
    try {
      phases.prepareState();
      const isNew = isFirst && watch?.hasJumped(state) === true;
      if (isNew) {
        // positions may have been written behind the back of the workspace
        data.isFresh = false;
        if (!this.#keepsStart) watch.restart(this.#watched);
      }
      phases.evaluate();
      if (isNew) {
        // the workspace has the poses and M of the start: the energy there costs no kinematics of its own
        if (this.#keepsStart) {
          data.isFresh = true;
          watch.restart(this.#watched);
        }
        watch.allowRecovery(data.collision.contacts, h);
      }
      if (!areFinite(work.acceleration)) return this.#diverge(findNonFiniteAcceleration(model, work.acceleration));
      if (halvings < MOST_PASSING_HALVINGS && formulation.passesThrough?.()) return this.#takeHalves(h, halvings + 1);
      // where the step begins, with the forces that act in it
      if (!data.sensors.isEmpty) data.sensors.measure();
      phases.advance();
      hasFiniteState = areFinite(state.motion);
      if (hasFiniteState) isTorn = this.#closeJoints();
      data.sleeping?.keep();
    } catch (error) {
      this.takeBack(work.stateBefore);
      if (!(error instanceof StepTimeoutError)) throw this.judgeError(error);
      watch?.forget();
      return reportTimeout(this.#report, error);
    }
    if (formulation.closePositions) hasFiniteState &&= areFinite(state.motion);
    if (!hasFiniteState) return this.#diverge(findNonFiniteState(model, state));
    if (isTorn && halvings < MOST_HALVINGS) return this.#takeHalves(h, halvings + 1);
    const mayHalve = formulation.closePositions !== undefined && !this.#control && halvings < MOST_HALVINGS;
    if (mayHalve) watch?.mark();
    const gain = watch?.look(this.#watched);
    if (gain && mayHalve) {
      watch?.returnToMark();
      return this.#takeHalves(h, halvings + 1);
    }
    if (gain) {
      this.takeBack(work.stateBefore);
      return reportGain(this.#report, gain);
    }
    data.hasSolved = true;
    data.sensors.accept(work.stateBefore[0]);
    if (model.size.breakableAttachment > 0) breakAttachments(data);
    data.soft.endStep();
    formulation.endStep?.(state, work, h);
    state.impulses.copyFrom(work.impulses);
    data.sleeping?.update(data.collision.contacts, work.stateBefore);
    return true;
  }

  /** All is asleep: only time goes on. Readings of sensors stay as they are. */
  #rest(h: number): boolean {
    const { model, state } = this.#data;
    const report = this.#report;
    report.trace.clear();
    report.status = 'converged';
    report.iterations = 0;
    report.residual = 0;
    keepControls(model, state);
    state.time[0] += h;
    return true;
  }

  /** A step that tore a joint, created energy or let bodies pass through each other, from its start as two halves; the report has the worse status of both. */
  #takeHalves(h: number, halvings: number): boolean {
    const { state, work } = this.#data;
    const before = work.stateBefore.slice();
    const impulses = new ConstraintImpulses(true);
    impulses.copyFrom(state.impulses);
    this.takeBack(before);
    if (this.#takeStep(0.5 * h, false, halvings)) {
      const { status } = this.#report;
      if (this.#takeStep(0.5 * h, false, halvings)) {
        this.#report.status = chooseWorse(status, this.#report.status);
        return true;
      }
    }
    this.takeBack(before);
    state.impulses.copyFrom(impulses);
    return false;
  }

  /**
   * Closes joints at the positions where the formulation can, and corrects the status: a solve that converged may still leave a joint
   * or an equality open. Whether the step has torn a joint.
   */
  #closeJoints(): boolean {
    const data = this.#data;
    const { formulation, state, model } = data;
    const report = this.#report;
    const watch = this.#jointWatch;
    const phases = this.#phases;
    const closed = formulation.closePositions?.(state, phases.readKinematics, data.h);
    if (closed?.hasMoved) data.isFresh = false;
    let isOpen = false;
    // `ipc` closes joints at the position and says so itself
    if (report.status === 'converged' && formulation.contactsAre === 'before') {
      const { problem } = formulation;
      if (closed?.isContradiction) report.status = 'infeasible';
      else if (
        closed
          ? closed.drift > MOST_CLOSED_DRIFT
          : model.size.constraintJoint > 0 && !watch.areClosed(phases.readKinematics())
      ) {
        report.status = 'stalled';
        isOpen = true;
      } else if (problem && watch.lacksRows(problem, state) && watch.hasFixedOpen(state, phases.readKinematics()))
        report.status = 'infeasible';
    }
    report.contradiction =
      report.status === 'infeasible'
        ? watch.nameContradiction(state, phases.readKinematics(), data.collision.contacts)
        : undefined;
    report.open = isOpen ? watch.nameOpen(state, phases.readKinematics()) : undefined;
    return closed?.isTorn === true;
  }

  #diverge(nonFinite: NonFinite | undefined): false {
    this.takeBack(this.#data.work.stateBefore);
    return reportDivergence(this.#report, nonFinite);
  }

  /** Back to how the state was. Impulses are copied into the state at the end of a step only, so they are still those before. */
  takeBack(before: Float64Array): void {
    this.#data.state.all.set(before);
    this.#data.isFresh = false;
  }

  /** An array that was to grow and could not leaves others of the workspace too short: no more steps are taken. */
  judgeError(error: unknown): unknown {
    if (error instanceof ArenaFullError) this.#full ??= error;
    return error;
  }

  /** Throws where memory was at its limit before. */
  requireMemory(): void {
    if (this.#full) throw this.#full;
  }

  /** The watch of energies, where there is one. */
  get watch(): EnergyWatch | undefined {
    return this.#watch;
  }

  /** The parameters of the model have changed. */
  readParameters(): void {
    this.#watch?.readParameters();
    this.#watch?.forget();
  }

  /** The state is set anew: nothing of the steps before counts. */
  forget(): void {
    this.#report.status = 'converged';
    clearRefusal(this.#report);
    this.#watch?.forget();
  }
}
