/** Runs of a scene with some parameters, compared with a recorded one frame by frame, and their derivatives by the parameters. */
import { NexdynError } from '../error.ts';
import { wasTaken } from '../formulation/solve-status.ts';
import { compileModel } from '../model/compile.ts';
import type { Simulation } from '../simulation.ts';
import type { Parameter } from './parameter.ts';
import { requireSource } from './step-inputs.ts';
import { Tangent } from './tangent.ts';
import { createTightTwin } from './twin.ts';
import { createTwin } from './twin-copy.ts';

/** Share of a parameter by which runs differ. */
const SHARE = 1e-5;
/** The same with soft bodies, whose steps are not solved down to round-off. */
const SOFT_SHARE = 1e-3;

/** The size of a parameter, in shares of which it changes. */
export function scaleOf(value: number): number {
  return Math.abs(value) || 1;
}

/** A recorded motion: rows are frames. */
export interface RecordedMotion {
  /** s. */
  readonly time: ArrayLike<number>;
  /** Positions as in `state.position`, row by row. */
  readonly position: ArrayLike<number>;
  /** Velocities; those of the first frame are where the run starts. Default: those of the simulation. */
  readonly velocity?: ArrayLike<number>;
  /** Controls that held until the next frame. Default: those of the simulation. */
  readonly control?: ArrayLike<number>;
}

/** Runs of the scene with some parameters, compared with a recorded one. */
export class RecordedRun {
  readonly #simulation: Simulation;
  readonly #parameters: readonly Parameter[];
  readonly #data: RecordedMotion;
  readonly #steps: Int32Array;
  readonly #tangent: Tangent;
  readonly #frames: number;
  /** Share of a parameter over which differences are taken. */
  readonly #share: number;

  constructor(simulation: Simulation, parameters: readonly Parameter[], data: RecordedMotion) {
    const { size, options } = simulation.model;
    this.#simulation = simulation;
    this.#share = size.softBody > 0 ? SOFT_SHARE : SHARE;
    this.#parameters = parameters;
    this.#data = data;
    this.#tangent = new Tangent(simulation.model, simulation.formulation);
    const frames = data.time.length;
    this.#frames = frames;
    if (frames < 2)
      throw new NexdynError('invalid-argument', `the data has ${frames} frames`, { hint: 'give two or more' });
    checkRows('position', data.position, frames, size.position);
    if (data.velocity) checkRows('velocity', data.velocity, frames, size.velocity);
    if (data.control) checkRows('control', data.control, frames, size.actuator);
    this.#steps = Int32Array.from({ length: frames }, (_, k) =>
      k === 0 ? 0 : Math.max(0, Math.round((data.time[k] - data.time[k - 1]) / options.timestep)),
    );
  }

  /** Residuals of all frames but the first; undefined where the scene is refused or the run is not finite. */
  measure(theta: Float64Array): Float64Array | undefined {
    const { position, velocity, control, time } = this.#data;
    const { size } = this.#simulation.model;
    const twin = this.#open(theta);
    if (!twin) return undefined;
    const { state } = twin;
    const row = (values: ArrayLike<number>, k: number, width: number): number[] =>
      Array.from({ length: width }, (_, i) => values[k * width + i]);
    twin.restore(this.#simulation.snapshot());
    state.time[0] = time[0];
    state.position.set(row(position, 0, size.position));
    if (velocity) state.velocity.set(row(velocity, 0, size.velocity));
    const n = size.velocity;
    const out = new Float64Array((this.#frames - 1) * n);
    const difference = new Float64Array(this.#tangent.size);
    const target = this.#tangent.copy(state);
    for (let k = 1; k < this.#frames; k++) {
      if (control) state.control.set(row(control, k - 1, size.actuator));
      if (this.#steps[k] > 0 && !wasTaken(twin.step(this.#steps[k]).status)) return undefined;
      target.position.set(row(position, k, size.position));
      this.#tangent.subtract(difference, state, target);
      out.set(difference.subarray(0, n), (k - 1) * n);
    }
    return out;
  }

  /** Columns of J, one per parameter, by differences over a share of each value. */
  differentiate(theta: Float64Array, share: number = this.#share): Float64Array[] {
    return Array.from(theta, (value, i) => {
      const length = share * scaleOf(value);
      const at = (sign: number): Float64Array | undefined => {
        const shifted = theta.slice();
        shifted[i] += sign * length;
        return this.measure(shifted);
      };
      const plus = at(1);
      const minus = at(-1);
      const [high, low] = [plus ?? this.measure(theta), minus ?? this.measure(theta)];
      if (!high || !low)
        throw new NexdynError('invalid-argument', `no run near ${this.#parameters[i].path} = ${value} is finite`);
      const width = (plus ? length : 0) + (minus ? length : 0);
      return high.map((entry, r) => (entry - low[r]) / width);
    });
  }

  /** How far a share of one parameter moves the run, the root of a sum of squares; undefined where there is no such run. */
  measureChange(theta: Float64Array, parameter: number, share: number, residual: Float64Array): number | undefined {
    const shifted = theta.slice();
    shifted[parameter] += share * scaleOf(theta[parameter]);
    const found = this.measure(shifted);
    if (!found) return undefined;
    let sum = 0;
    for (let r = 0; r < found.length; r++) sum += (found[r] - residual[r]) ** 2;
    return Math.sqrt(sum);
  }

  #open(theta: Float64Array): Simulation | undefined {
    const { scene, choice } = requireSource(this.#simulation);
    let changed = scene;
    this.#parameters.forEach((parameter, i) => {
      changed = parameter.shift(changed, theta[i] - parameter.value);
    });
    try {
      const model = compileModel(changed, choice);
      // elastic steps at round-off end where their solver stalls, which is rougher than their usual tolerance
      return model.size.softBody > 0 ? createTwin(this.#simulation, model) : createTightTwin(this.#simulation, model);
    } catch (error) {
      if (error instanceof NexdynError) return undefined;
      throw error;
    }
  }
}

function checkRows(name: string, values: ArrayLike<number>, frames: number, width: number): void {
  if (values.length === frames * width) return;
  throw new NexdynError('invalid-argument', `${name} of the data has ${values.length} numbers`, {
    hint: `${frames} frames of ${width} numbers are ${frames * width}`,
  });
}
