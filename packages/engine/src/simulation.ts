/**
 * READ FIRST. A simulation owns a state and the workspace of its step. `#evaluate` and `#advance` are the step: every line is a phase,
 * every phase a file. `stepper.ts` tries a step, checks it, and takes it or says why not. What users set and read between steps is in
 * parts that a simulation inherits, in `readout/` and beside this file:
 *   state-access     state, poses, joints, controls, forces, soft bodies
 *   drawn-state      the same for pictures
 *   contact-readout  contacts, rays, distances
 *   force-readout    forces of joints, residual of the solve
 *   energy-readout   energies, momentum, terms
 *   sensor-readout   sensors
 *   continuation     keyframes, other simulations, motions put aside, parameters
 */
import './formulation/built-in.ts';
import type { CollisionWorkspace } from './collision/detect-contacts.ts';
import { applyBodyTransmissions, createFindTouch, type FindTouch } from './contact/body-transmission.ts';
import { Continuation } from './continuation.ts';
import { type Phase, PhaseClock } from './diagnostics/phase-clock.ts';
import { restoreCoriolisForce } from './dynamics/coriolis-readout.ts';
import { computeFreeMotion } from './dynamics/free-motion.ts';
import { advance } from './dynamics/integrate.ts';
import { updateKinematics } from './dynamics/kinematics.ts';
import { computeMiddle, takeMiddle } from './dynamics/midpoint.ts';
import { advanceRungeKutta, isRungeKutta } from './dynamics/runge-kutta.ts';
import type { Workspace } from './dynamics/workspace.ts';
import { createReport, type StepReport } from './formulation/formulation.ts';
import { applyJointForces, updateJoints } from './joint/articulation.ts';
import type { JointWorkspace } from './joint/joint-workspace.ts';
import { followHinges } from './joint/whole-turns.ts';
import type { Model } from './model/model.ts';
import { OWN_PARAMETERS } from './model/parameter-access.ts';
import { createSimulationData, type SimulationData } from './readout/simulation-data.ts';
import type { SimulationOptions } from './simulation-options.ts';
import { Stepper } from './stepper.ts';
import { createSceneTerms } from './term/term-registry.ts';

export type { SimulationOptions } from './simulation-options.ts';

/** Most repetitions of a solve that throws bodies at others. */
const MOST_LOOKS = 8;
/** Most repetitions of a solve that leads soft bodies elsewhere than they were linear. */
const MOST_LINEARIZATIONS = 8;

/** A simulation owns a state and steps it. Whatever is written into `state` between two steps is where the next one begins. */
export class Simulation extends Continuation {
  readonly #data: SimulationData;
  readonly #work: Workspace;
  readonly #collision: CollisionWorkspace;
  readonly #joints: JointWorkspace;
  readonly #clock: PhaseClock;
  readonly #report: StepReport = createReport();
  protected readonly stepper: Stepper;
  /** Where actuators make bodies stick. */
  readonly #findTouch: FindTouch | undefined;

  constructor(model: Model, options: SimulationOptions = {}) {
    const parameters = options.ownParameters ? OWN_PARAMETERS.require()(model) : undefined;
    const { portable = false, memory, threads } = options;
    const size = memory === undefined ? {} : { maximumBytes: memory };
    const data = createSimulationData(parameters?.model ?? model, { portable, threads, ...size }, parameters);
    super(data);
    this.#data = data;
    this.#work = data.work;
    this.#collision = data.collision;
    this.#joints = data.joints;
    data.sensors.noiseSeed = options.sensorNoise;
    const contacts = data.formulation.contactsAre === 'before' ? data.collision.contacts : undefined;
    this.#findTouch = createFindTouch(data.model, data.arena, contacts);
    this.#clock = new PhaseClock(options.clock);
    const phases = {
      prepareState: () => this.prepareState(),
      evaluate: this.#evaluate,
      advance: () => this.#advance(),
      readKinematics: () => this.derived,
      measureEnergy: () => this.energy(),
    };
    this.stepper = new Stepper(data, this.#report, phases, options);
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
    this.stepper.takeSteps(count);
    this.formulation.noteState?.(this.state);
    return this.#report;
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
    for (let n = 0; this.#findUnforeseen(n === MOST_LOOKS); n++) {
      const { iterations } = this.#report;
      this.#evaluateOnce(isMidpoint, true);
      this.#report.iterations += iterations;
    }
    // forces that depend on velocities, by the acceleration that was found
    if (isMidpoint) this.#evaluateOnce(true, true);
    // soft bodies that bend on the way: Newton's method on the whole step
    for (let n = 0; this.#relinearize(n === MOST_LINEARIZATIONS); n++) this.#evaluateOnce(isMidpoint, true);
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
    if (this.#data.sleeping && !isAgain) this.#wakeTouched(); // what awake bodies touch takes part in the step
    if (this.#findTouch) applyBodyTransmissions(model, state, work, this.#findTouch(work), h); // bodies that stick
    if (!isAgain) formulation.linearizeSoftBodies?.(model, state, work, this.#collision.contacts, h); // thin ones: v* and A under load
    this.#clock.charge('collision');
    arena.user = 'the solve';
    formulation.solve(model, state, work, this.#collision.contacts, h, this.#report); // the minimisation: forces, acceleration
    this.#data.sleeping?.hold(work); // what sleeps stays where it is
    this.#clock.charge('solve');
  }

  // whether the contacts of the step are more than were foreseen
  #findUnforeseen(isLast: boolean): boolean {
    const { model, state, formulation } = this;
    const { h } = this.#data;
    this.#clock.start();
    const hasFound = formulation.findUnforeseen?.(model, state, this.#work, this.#collision, h, isLast) === true;
    if (hasFound) this.#data.sleeping?.wakeTouched(this.#collision.contacts);
    this.#clock.charge('collision');
    return hasFound;
  }

  #relinearize(isLast: boolean): boolean {
    const { formulation } = this;
    if (!formulation.relinearizeSoftBodies) return false;
    this.#clock.start();
    const isAgain = formulation.relinearizeSoftBodies(this.#work, this.#data.h, isLast, this.#report);
    this.#clock.charge('solve');
    return isAgain;
  }

  #wakeTouched(): void {
    const { model, formulation } = this;
    const { sleeping, h } = this.#data;
    if (formulation.contactsAre === 'after') return;
    const detect = (): void => formulation.detectContacts(model, this.#work, this.#collision, h);
    while (sleeping?.wakeTouched(this.#collision.contacts)) detect();
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

  /**
   * Recomputes poses, velocities and all forces of the current state without advancing, and leaves the state as it is. Where the
   * formulation cannot start from it as it is (`ipc`, bodies that touch), forces are those of the state that a step would start from.
   */
  forward(): void {
    this.stepper.requireMemory();
    this.#data.h = this.timestep;
    const before = this.state.all.slice();
    let isUntouched = false;
    try {
      const hasMoved = this.prepareState();
      this.#work.stateBefore.set(this.state.all);
      this.#evaluate();
      restoreCoriolisForce(this.model, this.state, this.#work, this.timestep);
      this.#data.sensors.measure();
      this.#data.sensors.show(this.time);
      this.#data.hasSolved = true;
      this.#data.isFresh = true;
      isUntouched = !hasMoved;
    } catch (error) {
      throw this.stepper.judgeError(error);
    } finally {
      if (!isUntouched) this.stepper.takeBack(before);
    }
  }

  /** Ends the threads of this simulation, where it has some; later steps are taken by the calling thread alone, with the same results. */
  dispose(): void {
    this.#data.arena.work?.end();
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
