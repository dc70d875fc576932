/**
 * READ FIRST. A simulation owns a state and the workspace of its step. `#evaluate` and `#advance` are the step:
 * every line is a phase, every phase a file.
 */
import { areFinite, findNonFiniteAcceleration, findNonFiniteState } from './diagnostics/non-finite.ts';
import { type Phase, PhaseClock } from './diagnostics/phase-clock.ts';
import { updateTwists } from './dynamics/bias-force.ts';
import { type Energy, type Momentum, measureCenterOfMass, measureEnergy, measureMomentum } from './dynamics/energy.ts';
import { computeFreeMotion } from './dynamics/free-motion.ts';
import { advance, solveAcceleration } from './dynamics/integrate.ts';
import { updateKinematics } from './dynamics/kinematics.ts';
import { advanceRungeKutta, isRungeKutta } from './dynamics/runge-kutta.ts';
import { createWorkspace, type Workspace } from './dynamics/workspace.ts';
import { NexdynError } from './error.ts';
import type { Formulation, NonFinite, StepReport } from './formulation/formulation.ts';
import { createFreeMotion } from './formulation/free-motion.ts';
import { Arena } from './kernels/arena.ts';
import type { Model } from './model/model.ts';
import { hashDoubles } from './state/hash.ts';
import { createState, resetState, type State } from './state/state.ts';

/** How a simulation is run. */
export interface SimulationOptions {
  /** Clock for phase times, ms, such as `performance.now`. Default: none, phases are not timed. */
  clock?: () => number;
}

export class Simulation {
  readonly model: Model;
  readonly state: State;
  readonly formulation: Formulation;
  /** What the model has and the formulation does not resolve, in words; empty where the motion is complete. */
  readonly unresolved: readonly string[];
  readonly #work: Workspace;
  readonly #clock: PhaseClock;
  readonly #report: StepReport = { status: 'converged', iterations: 0, residual: 0, nonFinite: undefined };
  /** Whether the workspace holds the poses and velocities of the current state. */
  #isFresh = false;

  constructor(model: Model, options: SimulationOptions = {}) {
    if (model.constraintJoint.kind.length > 0) {
      throw new NexdynError('unsupported-formulation', 'joints are not resolved in body coordinates yet', {
        hint: "compile the scene with coordinates: 'joint'",
      });
    }
    const arena = new Arena();
    this.model = model;
    this.state = createState(model, arena);
    this.formulation = createFreeMotion(model.options.formulation);
    this.unresolved = this.formulation.unresolved(model);
    this.#work = createWorkspace(model, arena, this.state.all.length);
    this.#clock = new PhaseClock(options.clock);
    this.reset();
  }

  /** Advances by `count` steps. A step that overflows is not taken: the state stays as it was and the report names the number. */
  step(count = 1): StepReport {
    const { model, state } = this;
    const work = this.#work;
    // the user may have written anything; afterwards only the integrator writes
    work.stateBefore.set(state.all);
    if (!areFinite(state.all)) return this.#diverge(findNonFiniteState(model, state));
    for (let n = 0; n < count; n++) {
      work.stateBefore.set(state.all);
      this.#clock.start();
      this.#evaluate();
      if (!areFinite(work.acceleration)) return this.#diverge(findNonFiniteAcceleration(model, work.acceleration));
      this.#advance();
      if (!areFinite(state.motion)) return this.#diverge(findNonFiniteState(model, state));
    }
    return this.#report;
  }

  /** From a state to the acceleration of the step. */
  readonly #evaluate = (): void => {
    const { model, state, formulation } = this;
    const work = this.#work;
    const h = model.options.timestep;
    updateKinematics(model, state, work); // poses, spatial axes, mass matrix
    this.#clock.charge(0);
    computeFreeMotion(model, state, work, h); // forces: M a₀ = f
    this.#clock.charge(1);
    formulation.solve(model, state, work, h, this.#report); // constraint forces
    this.#clock.charge(2);
    solveAcceleration(model, state, work, h); // Â a = f + constraint forces
    this.#clock.charge(3);
  };

  /** From the acceleration to the next state. */
  #advance(): void {
    const { model, state } = this;
    const h = model.options.timestep;
    this.#isFresh = false;
    if (isRungeKutta(model.options.integrator)) advanceRungeKutta(model, state, this.#work, h, this.#evaluate);
    else advance(model, state, this.#work, h);
    this.#clock.charge(3);
  }

  #diverge(nonFinite: NonFinite | undefined): StepReport {
    this.state.all.set(this.#work.stateBefore);
    this.#isFresh = false;
    this.#report.status = 'diverged';
    this.#report.nonFinite = nonFinite;
    return this.#report;
  }

  /** Recomputes poses, velocities and all forces of the current state without advancing. */
  forward(): void {
    this.#evaluate();
    this.#isFresh = true;
  }

  /** Arrays of the last evaluation (see Workspace), brought up to the current state. */
  get derived(): Workspace {
    if (!this.#isFresh) {
      updateKinematics(this.model, this.state, this.#work);
      updateTwists(this.model, this.state, this.#work);
      this.#isFresh = true;
    }
    return this.#work;
  }

  /** Back to a keyframe by name or number; without one to the first keyframe, or to the initial pose where there is none; `null` asks for the initial pose. */
  reset(keyframe?: string | number | null): void {
    resetState(this.model, this.state, this.#keyframeNumber(keyframe));
    this.#report.status = 'converged';
    this.#report.nonFinite = undefined;
    this.#isFresh = false;
  }

  #keyframeNumber(keyframe: string | number | null | undefined): number {
    const { name } = this.model.keyframe;
    if (keyframe === null) return -1;
    if (keyframe === undefined) return name.length > 0 ? 0 : -1;
    const index = typeof keyframe === 'string' ? name.indexOf(keyframe) : keyframe;
    if (name[index] === undefined) {
      const hint =
        name.length > 0 ? `keyframes: ${name.map((n, i) => n || i).join(', ')}` : 'the scene has no keyframes';
      throw new NexdynError('invalid-argument', `no keyframe ${JSON.stringify(keyframe)}`, { hint });
    }
    return index;
  }

  /** A copy of everything that decides the future. */
  snapshot(): Float64Array {
    return this.state.all.slice();
  }

  /** Returns to a snapshot of a simulation of the same model. */
  restore(snapshot: Float64Array): void {
    if (snapshot.length !== this.state.all.length) {
      throw new NexdynError(
        'incompatible-snapshot',
        `snapshot has ${snapshot.length} numbers, this model ${this.state.all.length}`,
        {
          hint: 'restore snapshots of the same scene and coordinates',
        },
      );
    }
    this.state.all.set(snapshot);
    this.#isFresh = false;
  }

  /** Hash of the state's bytes: equal states, equal hash, on every machine and in every browser. */
  hash(): string {
    return hashDoubles(this.state.all);
  }

  /** s. */
  get time(): number {
    return this.state.time[0];
  }

  /** s. */
  get timestep(): number {
    return this.model.options.timestep;
  }

  /** Per body (the world first): origin of its frame in the world, m. */
  get bodyPosition(): Float64Array {
    return this.derived.bodyPosition;
  }

  /** Per body: quaternion w x y z. */
  get bodyOrientation(): Float64Array {
    return this.derived.bodyOrientation;
  }

  /** J. */
  energy(): Energy {
    return measureEnergy(this.model, this.state, this.derived);
  }

  /** kg m/s and kg m²/s about the origin of the world. */
  momentum(): Momentum {
    return measureMomentum(this.model, this.derived);
  }

  /** Centre of mass of all moving bodies, m. */
  centerOfMass(): [number, number, number] {
    return measureCenterOfMass(this.model, this.derived);
  }

  /** Milliseconds spent per phase, where a clock was given. */
  phaseTimes(): Record<Phase, number> {
    return this.#clock.read();
  }
}
