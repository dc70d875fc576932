/**
 * Watches for energy that appears without a cause. With E = T + V the energy of motion, weight, springs, servos and added terms, and
 * W the work of motors, applied forces and moved targets of servos, the balance
 *   X = E − ΣW
 * only falls in a correct motion, by friction, impacts and dampers; contacts and limits give back what they took before. An
 * integrator that is not stable makes X grow exponentially. Let X_r be the least X so far. The step is unstable where
 *   X − X_r > GAIN · S
 * S is the energy available to the motion: T at X_r, what weight, springs and sources have given since, the energy to push
 * apart what overlapped at the start, and m |g| ρ of every body (ρ its radius of gyration). S fades where energy is lost.
 *
 * Growth of one percent per step takes hundreds of steps to reach that. But X never exceeds X₀, its value where the watch began: contacts
 * give back no more than they took since. The step is unstable, too, where
 *   X − X₀ > SLOW_GAIN · S₀
 * with S₀ as S, since the beginning and without fading.
 *
 * E costs kinematics, so it is only measured where Σ M_ii v_i² has grown or fallen by a factor since it was measured last; a settled
 * step costs one pass over the velocities. Surfaces, mocap bodies, held vertices and wind that move with speed u can supply
 * ½ m u² at once and m |g| h u in a step; S counts that instead of their work, and the energy with which they have loaded springs in earlier steps.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import { RECOVERY_SPEED } from '../collision/initial-state/starting-pairs.ts';
import type { Energy } from '../dynamics/energy.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { EnergyGain } from '../formulation/formulation.ts';
import { JointDrift } from '../joint/joint-drift.ts';
import type { JointWorkspace } from '../joint/joint-workspace.ts';
import { GROWING_MEMORY } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { MotionScales } from './motion-scales.ts';
import { SourceSpeed } from './source-speed.ts';
import { SourceWork } from './source-work.ts';

/** Allowed unexplained energy, as a multiple of the energy available. */
const GAIN = 10;
/** The same since the beginning. */
const SLOW_GAIN = 2;
/** Allowed energy of bodies that are pushed apart, as a multiple of the estimate. */
const RECOVERY_GAIN = 4;
/** Growth and fall of Σ M_ii v_i² after which E is measured. */
const GROWTH = 10;
const FALL = 0.01;
/** Growth after which E is compared with the beginning. */
const SLOW_GROWTH = 2;
/** Share of S below which motion is not worth a look. */
const SMALL = 0.05;
/** What is left of S each time that X has fallen. */
const FADING = 0.9;
/** Steps between two evaluations of V where something is moved from outside. */
const LOOK_AT_LOAD = 8;
/** s: about the shortest time in which formulations remove an overlap. */
const LEAST_RECOVERY = 0.005;

/** Where the watch reads. */
export interface WatchedStep {
  readonly state: State;
  readonly work: Workspace;
  readonly h: number;
  /** Energy of the current state. */
  measureEnergy(): Energy;
}

/** What a watch knows of a motion. */
export interface WatchMemory {
  isKnown: boolean;
  readonly numbers: Float64Array;
  readonly motion: Float64Array;
  readonly equalityActive: Float64Array;
  readonly input: Float64Array;
}

export class EnergyWatch {
  readonly #model: Model;
  readonly #scales: MotionScales;
  readonly #sources: SourceWork;
  readonly #speeds: SourceSpeed;
  readonly #drift: JointDrift | undefined;
  /** Error of joints and equalities when the watch began, m or rad. */
  #startDrift = 0;
  /** The motion and the switches where the last step has left them. */
  readonly #motion: Float64Array;
  readonly #equalityActive: Float64Array;
  #isKnown = false;
  /** At the least X: X, V and work up to then. */
  #least = 0;
  #potential = 0;
  #workThen = 0;
  /** ΣW; S; Σ M_ii v_i² when E was measured last. */
  #work = 0;
  #scale = 0;
  #lastMotion = 0;
  /** What moving surfaces and the like have supplied since the least X, J. */
  #supplied = 0;
  /** Whether anything was moved from outside since the least X: it may have loaded springs without bound. */
  #isDriven = false;
  /** Where the watch began: X, V; what was to draw from or was supplied since; Σ M_ii v_i² when E was compared with it last. */
  #first = 0;
  #firstPotential = 0;
  #firstScale = 0;
  #suppliedSince = 0;
  #wasDriven = false;
  #comparedMotion = 0;
  /** Most that V was seen to have risen since the least X and since the beginning, J; steps in which something was moved from outside. */
  #loaded = 0;
  #loadedSince = 0;
  #drivenSteps = 0;
  /** The numbers above where steps may be taken back to. */
  readonly #marked = new Float64Array(15);

  constructor(model: Model, joints: JointWorkspace) {
    this.#model = model;
    this.#scales = new MotionScales(model);
    const { equality, constraintJoint } = model.size;
    const isLimited = model.joint.limited.some(Boolean) || model.tendon.limited.some(Boolean);
    const isJoined = equality > 0 || constraintJoint > 0 || isLimited;
    this.#drift = isJoined ? new JointDrift(model, joints, GROWING_MEMORY) : undefined;
    this.#sources = new SourceWork(model);
    this.#speeds = new SourceSpeed(model);
    const { size } = model;
    this.#motion = new Float64Array(1 + size.position + size.velocity + 6 * size.softVertex + size.activation);
    this.#equalityActive = new Float64Array(size.equality);
  }

  /** Takes masses and gravity from the model. */
  readParameters(): void {
    this.#scales.readParameters();
  }

  /** Whether the state was changed since the last step: energy gained that way is not the fault of a step. */
  hasJumped({ motion, equalityActive }: State): boolean {
    if (!this.#isKnown) return true;
    const { length } = motion;
    for (let i = 0; i < length; i++) if (motion[i] !== this.#motion[i]) return true;
    for (let e = 0; e < equalityActive.length; e++) if (equalityActive[e] !== this.#equalityActive[e]) return true;
    return false;
  }

  /** Begins anew with the current state. */
  restart(step: WatchedStep): void {
    const { kinetic, total } = step.measureEnergy();
    const { state, work } = step;
    this.#sources.begin(this.#model, state, work, step.h);
    this.#speeds.begin(state);
    const energy = total + this.#sources.measureServos(this.#model, work);
    this.#work = 0;
    this.#workThen = 0;
    this.#supplied = 0;
    this.#isDriven = false;
    this.#least = energy;
    this.#potential = energy - kinetic;
    this.#scale = Math.max(this.#scales.floor, kinetic);
    this.#lastMotion = this.#scales.measureMotion(state, work);
    this.#first = energy;
    this.#firstPotential = this.#potential;
    this.#firstScale = this.#scale;
    this.#suppliedSince = 0;
    this.#wasDriven = false;
    this.#comparedMotion = this.#lastMotion;
    this.#loaded = 0;
    this.#loadedSince = 0;
    this.#drivenSteps = 0;
    const drift = this.#drift;
    this.#startDrift = drift
      ? Math.max(drift.measureDrift(this.#model, state, work), drift.measureLimits(this.#model, state, work))
      : 0;
  }

  /** Counts overlaps and joint errors present when the watch began: removing them supplies energy, over one step at the fastest. */
  allowRecovery(contacts: ContactSet, h: number): void {
    // a barrier pushes apart what starts within its reach
    let depth = Math.max(this.#startDrift, this.#model.options.clearance.barrierDistance);
    let speed = 0;
    for (let i = 0; i < contacts.count; i++) {
      depth = Math.max(depth, -contacts.gap[i] - contacts.recovery[i]);
      if (contacts.recovery[i] > 0) speed = RECOVERY_SPEED;
    }
    // joints that are velocity constraints close by half in a step; rotors move with them
    const rate = Math.max(this.#startDrift / Math.max(h, LEAST_RECOVERY), (0.5 * this.#startDrift) / h);
    speed = Math.max(speed, depth / Math.max(h, LEAST_RECOVERY), rate);
    const energy = 0.5 * (this.#scales.mass * speed * speed + this.#scales.armature * rate * rate);
    // the speed is an estimate: both comparisons allow for twice of it
    this.#scale = Math.max(this.#scale, (RECOVERY_GAIN / GAIN) * energy);
    this.#firstScale = Math.max(this.#firstScale, (RECOVERY_GAIN / SLOW_GAIN) * energy);
  }

  /** Room for what the watch knows of a motion. */
  createMemory(): WatchMemory {
    return {
      isKnown: false,
      numbers: new Float64Array(this.#marked.length + 3),
      motion: new Float64Array(this.#motion.length),
      equalityActive: new Float64Array(this.#equalityActive.length),
      input: new Float64Array(this.#model.size.actuator),
    };
  }

  /** Puts what it knows of the motion aside. */
  save(memory: WatchMemory): void {
    memory.isKnown = this.#isKnown;
    if (!this.#isKnown) return;
    this.mark();
    memory.numbers.set(this.#marked);
    memory.numbers.set([this.#first, this.#firstPotential, this.#startDrift], this.#marked.length);
    memory.motion.set(this.#motion);
    memory.equalityActive.set(this.#equalityActive);
    this.#sources.exchange(memory.input, true);
  }

  /** Goes on with a motion that was put aside, in a state whose mocap bodies are where they were. */
  load(memory: WatchMemory, state: State): void {
    this.#isKnown = memory.isKnown;
    if (!memory.isKnown) return;
    const { length } = this.#marked;
    this.#marked.set(memory.numbers.subarray(0, length));
    this.returnToMark();
    this.#first = memory.numbers[length];
    this.#firstPotential = memory.numbers[length + 1];
    this.#startDrift = memory.numbers[length + 2];
    this.#motion.set(memory.motion);
    this.#equalityActive.set(memory.equalityActive);
    this.#sources.exchange(memory.input, false);
    this.#speeds.begin(state);
  }

  /** Checks a step before it is accepted; returns its energy gain where that is too large. */
  look(step: WatchedStep): EnergyGain | undefined {
    const { state, work, h } = step;
    const before = this.#work;
    this.#work += this.#sources.measure(this.#model, state, work, h);
    this.#countMotionOfSources(step);
    const motion = this.#scales.measureMotion(state, work);
    const small = SMALL * this.#scale;
    const hasGrown = motion > GROWTH * Math.max(this.#lastMotion, small);
    const hasFallen = this.#lastMotion > small && motion < FALL * this.#lastMotion;
    let gain = hasGrown || hasFallen ? this.#compare(step, motion) : undefined;
    if (!gain && motion > SLOW_GROWTH * Math.max(this.#comparedMotion, SMALL * this.#firstScale))
      gain = this.#compareWithFirst(step, motion);
    // the step is not taken: neither is its work
    if (gain) this.#work = before;
    return gain;
  }

  /** Notes the balance, so that steps from here can be taken back. */
  mark(): void {
    const m = this.#marked;
    m[0] = this.#least;
    m[1] = this.#potential;
    m[2] = this.#workThen;
    m[3] = this.#work;
    m[4] = this.#scale;
    m[5] = this.#lastMotion;
    m[6] = this.#supplied;
    m[7] = Number(this.#isDriven);
    m[8] = this.#firstScale;
    m[9] = this.#suppliedSince;
    m[10] = Number(this.#wasDriven);
    m[11] = this.#comparedMotion;
    m[12] = this.#loaded;
    m[13] = this.#loadedSince;
    m[14] = this.#drivenSteps;
    this.#sources.mark();
    this.#speeds.mark();
  }

  /** Takes the balance back to where it was marked. */
  returnToMark(): void {
    const m = this.#marked;
    this.#least = m[0];
    this.#potential = m[1];
    this.#workThen = m[2];
    this.#work = m[3];
    this.#scale = m[4];
    this.#lastMotion = m[5];
    this.#supplied = m[6];
    this.#isDriven = m[7] !== 0;
    this.#firstScale = m[8];
    this.#suppliedSince = m[9];
    this.#wasDriven = m[10] !== 0;
    this.#comparedMotion = m[11];
    this.#loaded = m[12];
    this.#loadedSince = m[13];
    this.#drivenSteps = m[14];
    this.#sources.returnToMark();
    this.#speeds.returnToMark();
  }

  /** Notes where a step that was taken has led to. */
  accept({ motion, equalityActive }: State): void {
    this.#motion.set(motion);
    this.#equalityActive.set(equalityActive);
    this.#isKnown = true;
  }

  /** Forgets the motion so far. */
  forget(): void {
    this.#isKnown = false;
  }

  // X − X_r against S
  #compare(step: WatchedStep, motion: number): EnergyGain | undefined {
    const { kinetic, total } = step.measureEnergy();
    const energy = total + this.#sources.measureServos(this.#model, step.work);
    const potential = energy - kinetic;
    const balance = energy - this.#work;
    const released = Math.max(0, this.#potential - potential);
    const loaded = this.#isDriven ? this.#loaded : 0;
    const sources = Math.max(0, this.#work - this.#workThen) + this.#supplied + loaded;
    const scale = Math.max(this.#scale, released, sources);
    const created = balance - this.#least - (this.#isDriven ? Math.max(0, potential - this.#potential) : 0);
    // energies that overflow explain nothing; the state overflows next, and the step that does is `diverged`
    if (Number.isNaN(created - GAIN * scale)) return undefined;
    if (created > GAIN * scale) {
      return { name: this.#scales.findFastest(step.state, step.work), created, reference: scale };
    }
    this.#scale = scale;
    this.#lastMotion = motion;
    this.#noteLoad(potential);
    if (balance < this.#least) {
      this.#least = balance;
      this.#potential = potential;
      this.#workThen = this.#work;
      this.#supplied = 0;
      this.#isDriven = false;
      this.#loaded = 0;
      this.#scale = Math.max(this.#scales.floor, kinetic, FADING * scale);
    }
    return undefined;
  }

  // X − X₀ against S₀
  #compareWithFirst(step: WatchedStep, motion: number): EnergyGain | undefined {
    const { kinetic, total } = step.measureEnergy();
    const energy = total + this.#sources.measureServos(this.#model, step.work);
    const potential = energy - kinetic;
    const released = Math.max(0, this.#firstPotential - potential);
    const loaded = this.#wasDriven ? this.#loadedSince : 0;
    const scale = Math.max(this.#firstScale, released, Math.abs(this.#work) + this.#suppliedSince + loaded);
    const raised = this.#wasDriven ? Math.max(0, potential - this.#firstPotential) : 0;
    const created = energy - this.#work - this.#first - raised;
    if (created > SLOW_GAIN * scale)
      return { name: this.#scales.findFastest(step.state, step.work), created, reference: scale };
    this.#comparedMotion = motion;
    this.#noteLoad(potential);
    return undefined;
  }

  // what is moved from outside may load springs and lift weights
  #noteLoad(potential: number): void {
    this.#loaded = Math.max(this.#loaded, potential - this.#potential);
    this.#loadedSince = Math.max(this.#loadedSince, potential - this.#firstPotential);
  }

  #countMotionOfSources(step: WatchedStep): void {
    const { state, h } = step;
    if (this.#speeds.isNever) return;
    const speed = this.#speeds.measure(state, h);
    if (speed === 0) return;
    if (++this.#drivenSteps % LOOK_AT_LOAD === 0) {
      const { kinetic, total } = step.measureEnergy();
      this.#noteLoad(total + this.#sources.measureServos(this.#model, step.work) - kinetic);
    }
    this.#isDriven = true;
    this.#wasDriven = true;
    const energy = 2 * this.#scales.mass * speed * speed;
    const lift = this.#scales.mass * this.#scales.gravity * h * speed;
    this.#scale = Math.max(this.#scale, energy);
    this.#firstScale = Math.max(this.#firstScale, energy);
    this.#supplied += lift;
    this.#suppliedSince += lift;
  }
}
