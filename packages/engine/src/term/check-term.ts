/**
 * Whether the derivatives of a term are right, by central differences of fourth order with step δ (m or rad):
 *   gradient   gᵢ against the slope of ψ along unknown i, and |g| against the slope along g/|g|
 *   Hessian    column j, without projection, against the slope of g along unknown j
 * Unknowns are those of term.ts: x + dx, exp(dθ) R. At a turned body the gradient is taken about the world axes there; what that
 * adds to the difference, ½ [g]×, is antisymmetric and goes when the differences are symmetrised.
 */
import { projectPsd } from '../linear-algebra/project-psd.ts';
import { integrateQuaternion, matrixFromQuaternion } from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import { requireBlockSize } from './hessian-block.ts';
import { createInitialConfiguration } from './initial-configuration.ts';
import type { Configuration, HessianSink, Term } from './term.ts';
import { TermGradient } from './term-gradient.ts';
import { nameUnknown } from './unknowns.ts';

/** Where differences of fourth order look, in steps. */
const SHIFTS = [1, -1, 2, -2];

/** An entry of a gradient or Hessian beside what finite differences say. */
export interface CheckedEntry {
  /** Difference over the larger of both; small entries are compared with a thousandth of the largest. */
  error: number;
  /** Which one, as in `body "crate" rotation y`; for a Hessian two of them. */
  entry: string;
  /** What the term says. */
  analytic: number;
  /** What finite differences say. */
  numeric: number;
}

/** What `checkTerm` found. */
export interface TermCheck {
  /** Whether all errors are within the tolerance. */
  isRight: boolean;
  /** The worst entry of the gradient. */
  worstGradient: CheckedEntry;
  /** The worst entry of the Hessian, where the term has one. */
  worstHessian: CheckedEntry | undefined;
  /** Whether every block that the term gives as `projected` is already positive semidefinite. */
  isProjectedPsd: boolean | undefined;
  /** All of this in words. */
  message: string;
}

/** How to check. */
export interface TermCheckOptions {
  /** δ, m and rad. Default: 1e-4. */
  step?: number;
  /** Largest error that is right. Default: 1e-5. */
  tolerance?: number;
  /** Time step that the term is told, s. Default: that of the model. */
  h?: number;
}

/** A model, or a simulation with its current configuration. */
export type TermCheckSource = Model | { readonly model: Model; readonly derived: Configuration };

/**
 * Compares the gradient and the Hessian of a term with finite differences and names the worst entries. `x` is where; without
 * it the current configuration of a simulation, or the initial one of a model.
 */
export function checkTerm(
  term: Term,
  source: TermCheckSource,
  x?: Configuration,
  options: TermCheckOptions = {},
): TermCheck {
  const model = 'derived' in source ? source.model : source;
  const start = x ?? ('derived' in source ? source.derived : createInitialConfiguration(model));
  const { step = 1e-4, tolerance = 1e-5, h = model.options.timestep } = options;
  const place = new MovedConfiguration(model, start);
  term.begin?.({ model, h, time: 0, start });
  term.lag?.(start);
  const worstGradient = checkGradient(term, model, place, step);
  const worstHessian = term.addHessian ? checkHessian(term, model, place, step) : undefined;
  const isProjectedPsd = term.addHessian ? areBlocksPsd(term, place.moved) : undefined;
  const isRight = worstGradient.error <= tolerance && !((worstHessian?.error ?? 0) > tolerance);
  const message = [
    `term '${term.name}': ${isRight ? 'derivatives agree with finite differences' : 'derivatives are wrong'}`,
    describeEntry('gradient', worstGradient),
    worstHessian ? describeEntry('Hessian', worstHessian) : 'no Hessian: explicit under mujoco, sap and ccp',
  ].join('\n  ');
  return { isRight, worstGradient, worstHessian, isProjectedPsd, message };
}

function describeEntry(what: string, { error, entry, analytic, numeric }: CheckedEntry): string {
  const numbers = `${analytic.toPrecision(8)} instead of ${numeric.toPrecision(8)}`;
  return `worst entry of the ${what}: ${entry}, ${numbers}, error ${error.toExponential(1)}`;
}

/** A configuration whose unknowns can be moved, one at a time or all along a direction. */
class MovedConfiguration {
  readonly moved: Configuration;
  readonly size: number;
  readonly #start: Configuration;
  readonly #bodies: number;
  readonly #turn = new Float64Array(4);
  readonly #rotation = new Float64Array(9);

  constructor({ size }: Model, start: Configuration) {
    this.#start = {
      bodyPosition: start.bodyPosition.slice(),
      bodyRotation: start.bodyRotation.slice(),
      softPosition: start.softPosition.slice(),
    };
    this.#bodies = size.body;
    this.size = 6 * size.body + 3 * size.softVertex;
    this.moved = {
      bodyPosition: start.bodyPosition.slice(),
      bodyRotation: start.bodyRotation.slice(),
      softPosition: start.softPosition.slice(),
    };
  }

  /** Moves from the start by δ along a direction over all unknowns, or along one of them. */
  move(direction: Float64Array | number, delta: number): Configuration {
    const { bodyPosition, bodyRotation, softPosition } = this.moved;
    const start = this.#start;
    const along = (i: number): number =>
      delta * (typeof direction === 'number' ? Number(i === direction) : direction[i]);
    for (let b = 1; b < this.#bodies; b++) {
      for (let k = 0; k < 3; k++) bodyPosition[3 * b + k] = start.bodyPosition[3 * b + k] + along(6 * b + k);
      this.#turnBody(bodyRotation, b, along(6 * b + 3), along(6 * b + 4), along(6 * b + 5));
    }
    const first = 6 * this.#bodies;
    for (let i = 0; i < softPosition.length; i++) softPosition[i] = start.softPosition[i] + along(first + i);
    return this.moved;
  }

  // R ← exp(dθ) R
  #turnBody(out: Float64Array, b: number, x: number, y: number, z: number): void {
    const from = this.#start.bodyRotation;
    const turn = this.#turn;
    const e = this.#rotation;
    turn.fill(0);
    turn[0] = 1;
    integrateQuaternion(turn, 0, Float64Array.of(x, y, z), 0, 1);
    matrixFromQuaternion(e, 0, turn, 0);
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) {
        const m = 9 * b + c;
        out[9 * b + 3 * r + c] = e[3 * r] * from[m] + e[3 * r + 1] * from[m + 3] + e[3 * r + 2] * from[m + 6];
      }
    }
  }
}

/** Slope at 0 of a function of δ, by four of its values. */
function differentiate(f: (delta: number) => number, step: number): number {
  return (8 * (f(step) - f(-step)) - (f(2 * step) - f(-2 * step))) / (12 * step);
}

function readGradient(term: Term, sink: TermGradient, x: Configuration, out: Float64Array): Float64Array {
  sink.clear();
  term.addGradient(x, sink);
  out.set(sink.body);
  out.set(sink.vertex, sink.body.length);
  // the world does not move
  return out.fill(0, 0, 6);
}

function checkGradient(term: Term, model: Model, place: MovedConfiguration, step: number): CheckedEntry {
  const gradient = readGradient(term, new TermGradient(model.size), place.move(0, 0), new Float64Array(place.size));
  const numeric = new Float64Array(place.size);
  let largest = 0;
  for (let i = 6; i < place.size; i++) {
    numeric[i] = differentiate((delta) => {
      const value = term.value(place.move(i, delta));
      largest = Math.max(largest, 1e-3 * Math.abs(value / step));
      return value;
    }, step);
    largest = Math.max(largest, Math.abs(gradient[i]), Math.abs(numeric[i]));
  }
  const worst = findWorst(gradient, numeric, largest, (i) => nameUnknown(model, i));
  const length = Math.sqrt(gradient.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 0)) return worst;
  const direction = gradient.map((value) => value / length);
  const slope = differentiate((delta) => term.value(place.move(direction, delta)), step);
  const error = measureError(length, slope, largest);
  return error > worst.error ? { error, entry: 'along the gradient itself', analytic: length, numeric: slope } : worst;
}

function checkHessian(term: Term, model: Model, place: MovedConfiguration, step: number): CheckedEntry {
  const n = place.size;
  const analytic = gatherHessian(term, model, place.move(0, 0), n);
  const sink = new TermGradient(model.size);
  const numeric = new Float64Array(n * n);
  const at = SHIFTS.map(() => new Float64Array(n));
  for (let j = 6; j < n; j++) {
    for (let s = 0; s < 4; s++) readGradient(term, sink, place.move(j, SHIFTS[s] * step), at[s]);
    for (let i = 6; i < n; i++) {
      const slope = (8 * (at[0][i] - at[1][i]) - (at[2][i] - at[3][i])) / (12 * step);
      numeric[n * i + j] += 0.5 * slope;
      numeric[n * j + i] += 0.5 * slope;
    }
  }
  let largest = 0;
  for (let i = 0; i < n * n; i++) largest = Math.max(largest, Math.abs(analytic[i]), Math.abs(numeric[i]));
  return findWorst(
    analytic,
    numeric,
    largest,
    (i) => `${nameUnknown(model, Math.floor(i / n))}, ${nameUnknown(model, i % n)}`,
  );
}

/** The unprojected Hessian over all unknowns, the world's left out. */
function gatherHessian(term: Term, model: Model, x: Configuration, n: number): Float64Array {
  const out = new Float64Array(n * n);
  const sink: HessianSink = {
    addBlock(bodies, vertices, block) {
      const size = requireBlockSize(term.name, bodies, vertices, block);
      const place: number[] = [];
      for (const b of Array.from(bodies)) for (let k = 0; k < 6; k++) place.push(b === 0 ? -1 : 6 * b + k);
      for (const v of Array.from(vertices)) for (let k = 0; k < 3; k++) place.push(6 * model.size.body + 3 * v + k);
      for (let i = 0; i < size; i++)
        for (let j = 0; j < size; j++)
          if (place[i] >= 0 && place[j] >= 0) out[n * place[i] + place[j]] += block[size * i + j];
    },
  };
  term.addHessian?.(x, sink, false);
  return out;
}

function areBlocksPsd(term: Term, x: Configuration): boolean {
  let isPsd = true;
  term.addHessian?.(
    x,
    {
      addBlock(bodies, vertices, block) {
        const n = requireBlockSize(term.name, bodies, vertices, block);
        const before = Float64Array.from(block);
        const after = before.slice();
        projectPsd(after, 0, n);
        const largest = before.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
        if (after.some((value, i) => Math.abs(value - before[i]) > 1e-9 * largest)) isPsd = false;
      },
    },
    true,
  );
  return isPsd;
}

function findWorst(
  analytic: Float64Array,
  numeric: Float64Array,
  largest: number,
  name: (index: number) => string,
): CheckedEntry {
  let at = -1;
  let worst = -1;
  for (let i = 0; i < analytic.length; i++) {
    const error = measureError(analytic[i], numeric[i], largest);
    if (error > worst || Number.isNaN(error)) {
      at = i;
      worst = Number.isNaN(error) ? Infinity : error;
    }
  }
  return { error: Math.max(0, worst), entry: at < 0 ? 'none' : name(at), analytic: analytic[at], numeric: numeric[at] };
}

function measureError(a: number, b: number, largest: number): number {
  if (a === b) return 0;
  return Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b), 1e-3 * largest);
}
