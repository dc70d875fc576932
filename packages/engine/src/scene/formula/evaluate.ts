/**
 * Values of formulas. A name is a number or a series over the frames of a run; arithmetic with a series is done frame by frame, and
 * reductions (`max`, `mean`, `last`, …) make one number of it. Conditions are 1 or 0.
 */
import { NexdynError } from '../../error.ts';
import type { Formula } from './parse.ts';

/** A number, or one per frame. */
export type FormulaValue = number | Float64Array;

/** What names mean. */
export interface FormulaScope {
  read(words: readonly string[]): FormulaValue;
  /** Time of each frame, s. */
  readonly time: Float64Array;
}

const OPERATIONS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '^': (a, b) => a ** b,
  '<': (a, b) => Number(a < b),
  '<=': (a, b) => Number(a <= b),
  '>': (a, b) => Number(a > b),
  '>=': (a, b) => Number(a >= b),
  '==': (a, b) => Number(a === b),
  '!=': (a, b) => Number(a !== b),
  '&&': (a, b) => Number(a !== 0 && b !== 0),
  '||': (a, b) => Number(a !== 0 || b !== 0),
};

/** Functions of numbers, frame by frame. */
const POINTWISE: Readonly<Record<string, (...inputs: number[]) => number>> = {
  abs: Math.abs,
  sqrt: Math.sqrt,
  exp: Math.exp,
  log: Math.log,
  log10: Math.log10,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  atan2: Math.atan2,
  hypot: Math.hypot,
  sign: Math.sign,
  floor: Math.floor,
  ceil: Math.ceil,
  round: Math.round,
  degrees: (angle) => (angle * 180) / Math.PI,
  radians: (angle) => (angle * Math.PI) / 180,
};

/** Functions that make a number of a series; with several inputs `min` and `max` compare them. */
const REDUCTIONS: Readonly<Record<string, (series: Float64Array, time: Float64Array) => number>> = {
  first: (series) => series[0] ?? Number.NaN,
  last: (series) => series.at(-1) ?? Number.NaN,
  max: (series) => series.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
  min: (series) => series.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
  sum: (series) => series.reduce((sum, value) => sum + value, 0),
  mean: (series) => series.reduce((sum, value) => sum + value, 0) / series.length,
  rms: (series) => Math.sqrt(series.reduce((sum, value) => sum + value * value, 0) / series.length),
  deviation: (series) => {
    const mean = series.reduce((sum, value) => sum + value, 0) / series.length;
    return Math.sqrt(series.reduce((sum, value) => sum + (value - mean) ** 2, 0) / series.length);
  },
  // trapezia
  integral: (series, time) => {
    let sum = 0;
    for (let i = 1; i < series.length; i++) sum += 0.5 * (series[i]! + series[i - 1]!) * (time[i]! - time[i - 1]!);
    return sum;
  },
  any: (series) => Number(series.some((value) => value !== 0)),
  all: (series) => Number(series.every((value) => value !== 0)),
  /** Time at which a condition holds for the first time, s. */
  when: (series, time) => {
    const found = series.findIndex((value) => value !== 0);
    return found < 0 ? Number.NaN : time[found]!;
  },
};

export const FUNCTION_NAMES: readonly string[] = [...Object.keys(POINTWISE), ...Object.keys(REDUCTIONS)];

/** Whether a function makes one number of a whole run. */
export function isReduction(name: string): boolean {
  return Object.hasOwn(REDUCTIONS, name);
}

export function evaluateFormula(formula: Formula, scope: FormulaScope): FormulaValue {
  if (formula.kind === 'number') return formula.value;
  if (formula.kind === 'name') return formula.words.join('.') === 'pi' ? Math.PI : scope.read(formula.words);
  const inputs = formula.inputs.map((input) => evaluateFormula(input, scope));
  if (formula.kind === 'operation') return operate(formula.operator, inputs);
  const { name } = formula;
  if (Object.hasOwn(POINTWISE, name)) return combine(inputs, POINTWISE[name]!);
  const [only] = inputs;
  if (inputs.length > 1) return combine(inputs, name === 'max' ? Math.max : Math.min);
  return REDUCTIONS[name]!(typeof only === 'number' ? Float64Array.of(only) : only!, scope.time);
}

function operate(operator: string, inputs: readonly FormulaValue[]): FormulaValue {
  if (operator === '?') return combine(inputs, (test, yes, no) => (test !== 0 ? yes! : no!));
  if (operator === '!') return combine(inputs, (value) => Number(value === 0));
  if (inputs.length === 1) return combine(inputs, (value) => -value!);
  return combine(inputs, OPERATIONS[operator] as (...values: number[]) => number);
}

/** Applies a function of numbers frame by frame. */
function combine(inputs: readonly FormulaValue[], compute: (...values: number[]) => number): FormulaValue {
  const series = inputs.find((input) => typeof input !== 'number') as Float64Array | undefined;
  if (!series) return compute(...(inputs as number[]));
  return Float64Array.from(series, (_, i) =>
    compute(...inputs.map((input) => (typeof input === 'number' ? input : input[i]!))),
  );
}

/** How many inputs functions take that are not one. */
const INPUTS: Readonly<Record<string, readonly [number, number]>> = {
  atan2: [2, 2],
  hypot: [1, 8],
  min: [1, 8],
  max: [1, 8],
};

/** Refuses functions that do not exist and wrong numbers of inputs; reductions where there is only one moment. */
export function checkFormula(formula: Formula, place: string, options: { allowReductions: boolean }): void {
  if (formula.kind === 'number' || formula.kind === 'name') return;
  if (formula.kind === 'call') {
    const { name, inputs } = formula;
    if (!FUNCTION_NAMES.includes(name)) {
      throw new NexdynError('invalid-value', `there is no function '${name}'`, {
        path: place,
        hint: `functions are ${FUNCTION_NAMES.join(', ')}`,
      });
    }
    const [least, most] = INPUTS[name] ?? [1, 1];
    if (inputs.length < least || inputs.length > most) {
      throw new NexdynError('invalid-value', `${name} has ${inputs.length} inputs`, {
        path: place,
        hint: least === most ? `it takes ${least}` : `it takes ${least} to ${most}`,
      });
    }
    if (isReduction(name) && inputs.length === 1 && !options.allowReductions) {
      throw new NexdynError('invalid-value', `${name} needs a whole run`, {
        path: place,
        hint: 'this formula is computed at one moment: leave the function out',
      });
    }
  }
  for (const input of formula.inputs) checkFormula(input, place, options);
}
