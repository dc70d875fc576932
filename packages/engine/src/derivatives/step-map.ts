/**
 * The step as a map z = (state, control, applied force, parameters) → (state⁺, outputs), evaluated on a twin of the simulation near one
 * state, and its derivative by centred differences on the tangent space:
 *   ∂f/∂z ≈ (8 (f(ε) − f(−ε)) − (f(2ε) − f(−2ε)))/(12 ε)
 * Truncation is of order ε⁴; a kink between the points shows as a second difference f(ε) − 2 f + f(−ε) of first order in ε.
 */
import { NexdynError } from '../error.ts';
import { wasTaken } from '../formulation/solve-status.ts';
import { compileModel } from '../model/compile.ts';
import type { Simulation } from '../simulation.ts';
import { type Output, type OutputValues, readOutputs } from './outputs.ts';
import type { Parameter } from './parameter.ts';
import { haveSameNumbers } from './same-numbers.ts';
import { requireSource, type StepInputs } from './step-inputs.ts';
import { type StateCopy, Tangent } from './tangent.ts';
import { createTwin, findTwin, tightenModel } from './twin.ts';

/** Length of differences: of positions and velocities in their units, of parameters as a share. */
export const DIFFERENCE = 1e-6;
const PARAMETER_SHARE = 1e-5;
/** Second difference, as a share of the first, from which a column lies on a kink. */
const KINK_SHARE = 1e-2;

/** Which side of a state differences are taken from; `centred` is the default. */
export type Side = 'centred' | 'forward' | 'backward';

/** A change of the input of a step: of its state, and the simulation that takes it. */
interface Shift {
  /** Simulation that takes the step shifted by a number of lengths. */
  simulationAt(times: number): Simulation;
  apply(simulation: Simulation, times: number): void;
  readonly length: number;
}

export class StepMap {
  readonly tangent: Tangent;
  readonly twin: Simulation;
  readonly inputs: StepInputs;
  /** Rows of a Jacobian: the whole tangent vector, then the outputs. */
  rows = 0;
  /** Outputs of the step without shift. */
  outputs: OutputValues = { names: [], values: [] };
  /** Names of columns that lie on a kink. */
  readonly kinks: string[] = [];
  readonly #simulation: Simulation;
  readonly #asked: readonly Output[];
  readonly #parameterTwins: Map<string, Simulation> = new Map();
  #snapshot: Float64Array = new Float64Array(0);
  #base: StateCopy;
  #outputIndex: Map<string, number> = new Map();
  #unit: Float64Array;

  constructor(simulation: Simulation, inputs: StepInputs, outputs: readonly Output[]) {
    this.#simulation = simulation;
    this.inputs = inputs;
    this.#asked = outputs;
    this.twin = findTwin(simulation);
    this.tangent = new Tangent(this.twin.model, this.twin.formulation);
    this.#unit = new Float64Array(this.tangent.wholeSize);
    this.#base = this.tangent.copy(this.twin.state);
  }

  /** Takes the step from a snapshot; derivatives are those there from now on. */
  begin(snapshot: Float64Array): void {
    this.#snapshot = snapshot;
    this.kinks.length = 0;
    this.#step(this.twin, () => {});
    this.#base = this.tangent.copy(this.twin.state);
    this.outputs = readOutputs(this.twin, this.#asked);
    this.#outputIndex = new Map(this.outputs.names.map((name, i) => [name, i]));
    this.rows = this.tangent.wholeSize + this.outputs.values.length;
  }

  /** Columns of a Jacobian, in the order state, control, applied force, parameters. */
  listColumns(): StepColumn[] {
    const { inputs, tangent } = this;
    const columns: StepColumn[] = [];
    const names = tangent.listNames();
    if (inputs.hasState)
      for (let i = 0; i < tangent.wholeSize; i++)
        columns.push({ kind: 'state', index: i, name: names[i] ?? `state before the last step ${i - tangent.size}` });
    const actuators = this.twin.model.actuator.name;
    for (let i = 0; i < inputs.controls; i++)
      columns.push({ kind: 'control', index: i, name: `control of ${actuators[i] || i}` });
    for (let i = 0; i < inputs.forces; i++) columns.push({ kind: 'force', index: i, name: `force on ${names[i]}` });
    inputs.parameters.forEach(({ path }, index) => {
      columns.push({ kind: 'parameter', index, name: path });
    });
    return columns;
  }

  /** Writes the derivative by a column to `out`: its rows. */
  differentiate(column: StepColumn, out: Float64Array, side: Side = 'centred'): void {
    if (column.kind === 'state' && column.index >= this.tangent.size) {
      this.#step(this.twin, () => {}, true);
      if (!this.tangent.hasKept(this.twin.state, column.index - this.tangent.size)) {
        out.fill(0);
        return;
      }
    }
    const shift = this.#createShift(column);
    if (this.#takeDifferences(shift, out, side)) this.kinks.push(column.name);
  }

  /** Writes the derivative along a direction of all inputs but parameters. */
  differentiateAlong(direction: { state?: Float64Array; control?: Float64Array }, out: Float64Array): void {
    const { state: delta, control } = direction;
    let largest = 0;
    for (const value of delta ?? []) largest = Math.max(largest, Math.abs(value));
    for (const value of control ?? []) largest = Math.max(largest, Math.abs(value));
    if (largest === 0) {
      out.fill(0);
      return;
    }
    const length = DIFFERENCE / largest;
    const apply = ({ state }: Simulation, times: number): void => {
      if (delta) this.tangent.retract(state, delta, times * length);
      if (control) for (let i = 0; i < control.length; i++) state.control[i] += times * length * control[i];
    };
    if (this.#takeDifferences({ simulationAt: () => this.twin, apply, length }, out, 'centred'))
      this.kinks.push('along the direction');
  }

  #createShift({ kind, index }: StepColumn): Shift {
    const twin = this.twin;
    if (kind === 'parameter') return this.#createParameterShift(this.inputs.parameters[index]);
    const length = DIFFERENCE;
    const simulationAt = (): Simulation => twin;
    if (kind === 'state') {
      const apply = ({ state }: Simulation, times: number): void => {
        this.#unit[index] = 1;
        this.tangent.retract(state, this.#unit, times * length);
        this.#unit[index] = 0;
      };
      return { simulationAt, apply, length };
    }
    const field = kind === 'control' ? 'control' : 'appliedForce';
    const scale = Math.max(1, Math.abs(this.#simulation.state[field][index]));
    const apply = ({ state }: Simulation, times: number): void => {
      state[field][index] += times * length * scale;
    };
    return { simulationAt, apply, length: length * scale };
  }

  #createParameterShift(parameter: Parameter): Shift {
    const length = PARAMETER_SHARE * Math.max(Math.abs(parameter.value), 1e-3);
    return {
      simulationAt: (times) => this.#findParameterTwin(parameter, times * length),
      apply: () => {},
      length,
    };
  }

  #findParameterTwin(parameter: Parameter, amount: number): Simulation {
    const key = `${parameter.path} ${amount}`;
    const known = this.#parameterTwins.get(key);
    if (known) return known;
    const { scene, choice } = requireSource(this.#simulation);
    if (this.#parameterTwins.size === 0) this.#checkScene();
    const model = compileModel(parameter.shift(scene, amount), choice);
    const twin = createTwin(this.#simulation, tightenModel(model));
    this.#parameterTwins.set(key, twin);
    return twin;
  }

  #checkScene(): void {
    const { scene, choice } = requireSource(this.#simulation);
    if (haveSameNumbers(this.#simulation.model, compileModel(scene, choice))) return;
    throw new NexdynError('invalid-argument', 'the scene was changed after it was compiled', {
      hint: 'derivatives by parameters compile it again: leave it as it is, or compile a copy',
    });
  }

  /** Whether the column lies on a kink. */
  #takeDifferences(shift: Shift, out: Float64Array, side: Side): boolean {
    const { rows } = this;
    const chosen = side === 'centred' ? this.#chooseSide(shift) : side;
    const at = (times: number): Float64Array => this.#evaluate(shift, times);
    if (chosen !== 'centred') {
      const sign = chosen === 'forward' ? 1 : -1;
      const [one, two] = [at(sign), at(2 * sign)];
      // f is zero at the base by construction, but for parameters whose twin rounds otherwise
      for (let r = 0; r < rows; r++) out[r] = (sign * (4 * one[r] - two[r])) / (2 * shift.length);
      return false;
    }
    const plus = at(1);
    const minus = at(-1);
    const farther = at(2);
    const behind = at(-2);
    let first = 0;
    let second = 0;
    for (let r = 0; r < rows; r++) {
      out[r] = (8 * (plus[r] - minus[r]) - (farther[r] - behind[r])) / (12 * shift.length);
      first = Math.max(first, Math.abs(plus[r] - minus[r]));
      second = Math.max(second, Math.abs(plus[r] + minus[r]));
    }
    if (!(second > KINK_SHARE * first && second > 1e-12)) return false;
    // what is merely curved has a second difference four times as large at twice the length
    let secondFar = 0;
    for (let r = 0; r < rows; r++) secondFar = Math.max(secondFar, Math.abs(farther[r] + behind[r]));
    return secondFar < 3 * second;
  }

  /** Parameters at the edge of what a scene allows, such as a friction of 0, have one side. */
  #chooseSide(shift: Shift): Side {
    for (const [times, other] of [
      [-2, 'forward'],
      [2, 'backward'],
    ] as const) {
      try {
        shift.simulationAt(times);
      } catch (error) {
        if (!(error instanceof NexdynError)) throw error;
        return other;
      }
    }
    return 'centred';
  }

  /** f(z + times ε) ⊖ f(z), with the differences of the outputs behind. */
  #evaluate(shift: Shift, times: number): Float64Array {
    const { tangent } = this;
    const simulation = shift.simulationAt(times);
    this.#step(simulation, () => shift.apply(simulation, times));
    const out = new Float64Array(this.rows);
    const whole = out.subarray(0, tangent.wholeSize);
    tangent.subtract(whole, simulation.state, this.#base);
    const { names, values } = readOutputs(simulation, this.#asked);
    const base = this.outputs.values;
    // what a shifted step does not have any more is zero there
    for (let i = 0; i < base.length; i++) out[tangent.wholeSize + i] = -base[i];
    names.forEach((name, k) => {
      const i = this.#outputIndex.get(name);
      if (i !== undefined) out[tangent.wholeSize + i] = values[k] - base[i];
    });
    return out;
  }

  /** One step from the snapshot with a change; or the state before it alone. */
  #step(simulation: Simulation, change: () => void, isBefore = false): void {
    const { formulation, state } = simulation;
    simulation.restore(this.#snapshot);
    change();
    formulation.acceptState?.(state);
    formulation.noteState?.(state);
    if (isBefore) return;
    const { status } = simulation.step();
    if (wasTaken(status)) return;
    throw new NexdynError('invalid-argument', `the step at ${simulation.time} s was not taken: it is ${status}`, {
      hint: 'a derivative needs a step; shorten the time step, or look at report.energyGain and report.nonFinite',
    });
  }
}

/** One input of a step. */
export interface StepColumn {
  readonly kind: 'state' | 'control' | 'force' | 'parameter';
  /** Place within its kind. */
  readonly index: number;
  readonly name: string;
}
