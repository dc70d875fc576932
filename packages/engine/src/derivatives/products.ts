/**
 * Products of the Jacobian of one step with a vector: forward, δ ↦ J δ, and reverse, λ ↦ Jᵀ λ. With `difference` the forward product is
 * a difference along δ, four steps whatever the size; with `implicit` both are products with the same matrix, so that λᵀ(J δ) and
 * (Jᵀ λ)ᵀ δ agree to round-off.
 */
import { NexdynError } from '../error.ts';
import type { Simulation } from '../simulation.ts';
import type { DerivativeReport } from './derivative-report.ts';
import {
  createReport,
  createStepMap,
  evaluateJacobian,
  type LinearizeOptions,
  noteSilence,
  type StepJacobian,
} from './linearize.ts';
import type { StepMap } from './step-map.ts';

/** A change of the inputs of a step; what is left out does not change. */
export interface InputVector {
  /** On the tangent space of the state. */
  state?: Float64Array;
  /** Of the controls. */
  control?: Float64Array;
  /** Of parameters by path. */
  parameters?: Readonly<Record<string, number>>;
}

/** A change of what a step gives. */
export interface StepChange {
  /** Of the next state, on its tangent space. */
  readonly state: Float64Array;
  /** Of the outputs that were asked for. */
  readonly outputs: Float64Array;
  readonly report: DerivativeReport;
}

/** The gradient of a number by the inputs of a step. */
export interface InputGradient {
  /** By the state before the step. */
  readonly state: Float64Array;
  /**
   * By what the step reads of the one before it, where its integrator has two steps (`bdf2`); else empty. It is the `history` of the gradient
   * that goes on to the step before.
   */
  readonly history: Float64Array;
  /** By the controls. */
  readonly control: Float64Array;
  /** By the parameters among the inputs, by path. */
  readonly parameters: Readonly<Record<string, number>>;
  readonly report: DerivativeReport;
}

/** How the next state and the outputs change along a direction of the inputs. */
export function jvp(simulation: Simulation, direction: InputVector, options: LinearizeOptions = {}): StepChange {
  const { state, control, parameters = {} } = direction;
  const paths = Object.keys(parameters);
  const map = createStepMap(simulation, { ...options, inputs: ['state', 'control', ...paths] });
  const { tangent } = map;
  requireLength('direction.state', state, tangent.size);
  requireLength('direction.control', control, simulation.model.size.actuator);
  if (options.method === 'difference' && paths.length === 0) {
    const jacobian = evaluateJacobian(
      createStepMap(simulation, { ...options, inputs: [] }),
      simulation.snapshot(),
      options,
    );
    const out = new Float64Array(jacobian.rows);
    jacobian.map.differentiateAlong({ ...(state && { state }), ...(control && { control }) }, out);
    jacobian.report.kinks.push(...jacobian.map.kinks);
    jacobian.report.jumps.push(...jacobian.map.jumps);
    return cutChange(jacobian, out);
  }
  const jacobian = evaluateJacobian(map, simulation.snapshot(), options);
  const { rows, columns, values } = jacobian;
  const input = new Float64Array(columns);
  input.set(state ?? []);
  input.set(control ?? [], tangent.wholeSize);
  map.inputs.parameters.forEach(({ path }, i) => {
    input[columns - map.inputs.parameters.length + i] = parameters[path];
  });
  const out = new Float64Array(rows);
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) out[r] += values[r * columns + c] * input[c];
  return cutChange(jacobian, out);
}

/** Gradient of a number by what a step gives; what is left out does not matter to it. */
export interface StepCotangent {
  /** By the next state, on its tangent space. */
  state?: Float64Array;
  /** By what the next step reads of this one besides its state: `history` of the gradient of the next step. */
  history?: Float64Array;
  /** By the outputs that were asked for. */
  outputs?: Float64Array;
}

/** Gradient by the inputs of a step of λ · state⁺ + μ · outputs. */
export function vjp(simulation: Simulation, cotangent: StepCotangent, options: LinearizeOptions = {}): InputGradient {
  const map = createStepMap(simulation, options);
  const { size, wholeSize } = map.tangent;
  requireLength('cotangent.state', cotangent.state, size);
  requireLength('cotangent.history', cotangent.history, wholeSize - size);
  const pulled = pullBack(map, simulation.snapshot(), options, (rows) => {
    requireLength('cotangent.outputs', cotangent.outputs, rows.length - wholeSize);
    rows.set(cotangent.state ?? []);
    rows.set(cotangent.history ?? [], size);
    rows.set(cotangent.outputs ?? [], wholeSize);
  });
  return { ...cutGradient(map, pulled.gradient), report: pulled.report };
}

/** Jᵀ λ of the step from a snapshot, over all columns; `write` fills λ over the rows. `start`: where its solution is, if that is known. */
export function pullBack(
  map: StepMap,
  snapshot: Float64Array,
  options: LinearizeOptions,
  write: (rows: Float64Array) => void,
  start?: Float64Array,
): { gradient: Float64Array; report: DerivativeReport } {
  // a check needs every entry
  if (options.check !== true) {
    map.begin(snapshot, options.side, start);
    if (map.isReversible) {
      const report = createReport(map, options);
      const rows = new Float64Array(map.rows);
      write(rows);
      const { inputs, tangent } = map;
      const first = (inputs.hasState ? tangent.wholeSize : 0) + inputs.controls + inputs.forces;
      const gradient = new Float64Array(first + inputs.parameters.length);
      map.pullBack(rows, gradient);
      const column = new Float64Array(map.rows);
      for (const input of map.listParameterColumns()) {
        map.differentiate(input, column, options.side);
        noteSilence(report, map, input, column);
        for (let r = 0; r < rows.length; r++) gradient[first + input.index] += rows[r] * column[r];
      }
      report.kinks.push(...map.kinks);
      report.jumps.push(...map.jumps);
      return { gradient, report };
    }
  }
  const jacobian = evaluateJacobian(map, snapshot, options);
  const rows = new Float64Array(jacobian.rows);
  write(rows);
  return { gradient: multiplyTransposed(jacobian, rows), report: jacobian.report };
}

/** Jᵀ λ, λ over the rows. */
export function multiplyTransposed({ rows, columns, values }: StepJacobian, cotangent: Float64Array): Float64Array {
  const out = new Float64Array(columns);
  for (let r = 0; r < rows; r++) {
    const weight = cotangent[r];
    if (weight === 0) continue;
    for (let c = 0; c < columns; c++) out[c] += weight * values[r * columns + c];
  }
  return out;
}

/** Parts of a gradient over the columns of a Jacobian. */
export function cutGradient(map: StepMap, gradient: Float64Array): Omit<InputGradient, 'report'> {
  const { inputs, tangent } = map;
  const control = inputs.hasState ? tangent.wholeSize : 0;
  const parameter = control + inputs.controls + inputs.forces;
  return {
    state: gradient.slice(0, inputs.hasState ? tangent.size : 0),
    history: inputs.hasState ? gradient.slice(tangent.size, tangent.wholeSize) : new Float64Array(0),
    control: gradient.slice(control, control + inputs.controls),
    parameters: Object.fromEntries(inputs.parameters.map(({ path }, i) => [path, gradient[parameter + i]])),
  };
}

function cutChange({ map, report }: StepJacobian, out: Float64Array): StepChange {
  const { size, wholeSize } = map.tangent;
  return { state: out.slice(0, size), outputs: out.slice(wholeSize), report };
}

/** Raises an error where a vector has another length than it must, or numbers that are not finite. */
export function requireLength(name: string, vector: Float64Array | undefined, length: number): void {
  if (vector === undefined) return;
  const bad = vector.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0)
    throw new NexdynError('invalid-argument', `${name}: number ${bad} is ${vector[bad]}`, {
      hint: 'give finite numbers',
    });
  if (vector.length === length) return;
  throw new NexdynError('invalid-argument', `${name} has ${vector.length} numbers`, { hint: `it must have ${length}` });
}
