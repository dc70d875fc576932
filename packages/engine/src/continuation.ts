/**
 * Seventh part of a simulation: where it goes on from. At a keyframe, from another simulation, with a motion that was put aside, or with
 * other parameters.
 */
import { updateParameters } from './dynamics/workspace.ts';
import type { Model } from './model/model.ts';
import type { ModelParameters } from './model/model-parameters.ts';
import { SensorReadout } from './readout/sensor-readout.ts';
import type { SimulationData } from './readout/simulation-data.ts';
import type { SuspendedMotion } from './readout/suspended-motion.ts';
import { carryState } from './state/carry-state.ts';
import { createImpulses } from './state/constraint-impulses.ts';
import { findIndex } from './state/inputs.ts';
import { resetState } from './state/state.ts';
import type { Stepper } from './stepper.ts';

export abstract class Continuation extends SensorReadout {
  readonly #data: SimulationData;

  constructor(data: SimulationData) {
    super(data);
    this.#data = data;
  }

  /** Takes the steps, and remembers what the next one is checked against. */
  protected abstract readonly stepper: Stepper;

  /** Back to a keyframe by name or number; without one to the first keyframe, or the initial pose where there is none; `null` is the initial pose. */
  reset(keyframe?: string | number | null): void {
    const { name } = this.model.keyframe;
    const first = name.length > 0 ? 0 : null;
    const chosen = keyframe === undefined ? first : keyframe;
    resetState(this.model, this.state, chosen === null ? -1 : findIndex(name, chosen, 'keyframe'));
    this.#data.sleeping?.start();
    this.stepper.forget();
    this.#data.hasSolved = false;
    this.#data.isFresh = false;
    this.#data.isPrepared = false;
  }

  /**
   * Goes on where a simulation of another scene is: what both scenes have, by name, keeps its motion; what only this one has begins at its
   * initial pose. So bodies are added and removed in the middle of a run: change the scene, compile it, and let the new simulation continue.
   */
  continueFrom(other: Continuation): void {
    this.reset(null);
    carryState(other, this);
    this.formulation.noteState?.(this.state);
  }

  /**
   * What of another model of the same scene this simulation can take over as it is: masses, inertias, friction, stiffness, damping, gains,
   * gravity, poses of shapes. Undefined where the models differ in more than that, or with options other than `ownParameters`.
   */
  matchParameters(model: Model): ModelParameters | undefined {
    return this.formulation.readParameters ? this.#data.parameters?.match(model) : undefined;
  }

  /**
   * The same for values of the scene by path, as `setSceneParameters` takes them, without compiling a model: `bodies.arm.mass`,
   * `shapes.*.friction`, `joints.elbow.damping`, `gravity.2`. Undefined where a value takes the compiler: compile the changed scene and
   * call `matchParameters`.
   */
  computeParameters(values: Readonly<Record<string, unknown>>): ModelParameters | undefined {
    return this.formulation.readParameters ? this.#data.parameters?.compute(values) : undefined;
  }

  /** Goes on with these parameters as if it had been made with their model; the state stays. */
  setParameters(parameters: ModelParameters): void {
    this.#data.parameters?.set(parameters);
    updateParameters(this.#data.work, this.model);
    this.#data.collision.material.forget();
    this.#data.queries.material.forget();
    this.#data.soft.readParameters(this.model, this.#data.work.weights);
    this.formulation.readParameters?.();
    this.stepper.readParameters();
    this.#data.sensors.readParameters();
    this.#data.jointForces = undefined;
    this.#data.isFresh = false;
    this.#data.hasSolved = false;
  }

  /** Room for a motion, with its state in memory of the caller's where one is given. */
  createMotion(state: Float64Array = new Float64Array(this.state.all.length)): SuspendedMotion {
    return { state, impulses: createImpulses(this.model.options), watch: this.stepper.watch?.createMemory() };
  }

  /** Puts the motion aside, so that the simulation can go on with another one of its model. */
  suspend(motion: SuspendedMotion): void {
    motion.state.set(this.state.all);
    motion.impulses.copyFrom(this.state.impulses);
    if (motion.watch) this.stepper.watch?.save(motion.watch);
  }

  /** Goes on with a motion that was put aside, as if there had been no other; its state may have been written to since. */
  resume({ state, impulses, watch }: SuspendedMotion): void {
    this.state.all.set(state);
    this.state.impulses.copyFrom(impulses);
    if (watch) this.stepper.watch?.load(watch, this.state);
    this.formulation.noteState?.(this.state);
    this.#data.isPrepared = false;
    this.#data.hasSolved = false;
    this.#data.isFresh = false;
  }

  /** Whether parameters can be set: its model is then its own and not the one it was made with. */
  get hasOwnParameters(): boolean {
    return this.#data.parameters !== undefined;
  }
}
