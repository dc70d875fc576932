/** Gradients by the inputs and by the end of a step, in the parts of a tangent vector (tangent.ts). */
import type { InputBars } from '../../formulation/row-rates.ts';
import type { Model } from '../../model/model.ts';

/** Gradient by the state after a step. */
export interface EndBars {
  readonly position: Float64Array;
  readonly softPosition: Float64Array;
  readonly velocity: Float64Array;
  readonly softVelocity: Float64Array;
  readonly activation: Float64Array;
  /** Of what the next step reads of this one, where its integrator has two steps. */
  readonly kept: Float64Array;
}

/** Zeros in the form of the end of a step; `kept` numbers are kept of one for the next. */
export function createEndBars({ size }: Model, kept: number): EndBars {
  return {
    position: new Float64Array(size.velocity),
    softPosition: new Float64Array(3 * size.softVertex),
    velocity: new Float64Array(size.velocity),
    softVelocity: new Float64Array(3 * size.softVertex),
    activation: new Float64Array(size.activation),
    kept: new Float64Array(kept),
  };
}

/** Zeros in the form of the inputs of a step. */
export function createBars(model: Model, kept: number): InputBars {
  return {
    ...createEndBars(model, kept),
    control: new Float64Array(model.size.actuator),
    force: new Float64Array(model.size.velocity),
  };
}

/** Zeros again. */
export function clearBars(bars: InputBars): void {
  for (const part of listParts(bars)) part.fill(0);
}

/** out += scale · from. */
export function addBars(out: InputBars, from: InputBars, scale: number): void {
  add(out.position, from.position, scale);
  add(out.softPosition, from.softPosition, scale);
  add(out.velocity, from.velocity, scale);
  add(out.softVelocity, from.softVelocity, scale);
  add(out.activation, from.activation, scale);
  add(out.kept, from.kept, scale);
  add(out.control, from.control, scale);
  add(out.force, from.force, scale);
}

/** The parts of the end of a step, in the order of a tangent vector. */
export function listEndParts(end: EndBars): Float64Array[] {
  return [end.position, end.softPosition, end.velocity, end.softVelocity, end.activation, end.kept];
}

function listParts(bars: InputBars): Float64Array[] {
  return [...listEndParts(bars), bars.control, bars.force];
}

function add(out: Float64Array, from: Float64Array, scale: number): void {
  for (let i = 0; i < out.length; i++) out[i] += scale * from[i];
}
