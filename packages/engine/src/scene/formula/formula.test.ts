import { expect, test } from 'vitest';
import { NexdynError } from '../../error.ts';
import { checkFormula, evaluateFormula } from './evaluate.ts';
import { listNames, parseFormula } from './parse.ts';

const time = Float64Array.of(0, 0.5, 1);
const NAMES: Record<string, number | Float64Array> = { a: 2, 'bodies.my cube.x': Float64Array.of(1, -3, 2) };

function compute(text: string): number | Float64Array {
  const formula = parseFormula(text, 'measure.x');
  checkFormula(formula, 'measure.x', { allowReductions: true });
  return evaluateFormula(formula, { time, read: (words) => NAMES[words.join('.')]! });
}

test.each([
  ['1 + 2 * 3', 7],
  ['-2 ^ 2', -4],
  ['2 ^ 3 ^ 2', 512],
  ['2 ^ -1', 0.5],
  ['7 - 2 - 1', 4],
  ['.5e1 % 3', 2],
  ['a > 1 && !(a == 3) ? 10 : 20', 10],
  ['hypot(3, 4) + atan2(0, 1)', 5],
  ['degrees(pi)', 180],
  ["max(bodies['my cube'].x)", 2],
  ["min(bodies['my cube'].x * a)", -6],
  ["max(bodies['my cube'].x, 5) - 1", Float64Array.of(4, 4, 4)],
  // trapezia: 0.5 (1 − 3) / 2 + 0.5 (−3 + 2) / 2
  ["integral(bodies['my cube'].x)", -0.75],
  ["when(bodies['my cube'].x < 0)", 0.5],
  ["when(bodies['my cube'].x > 9)", Number.NaN],
  ["rms(bodies['my cube'].x)", Math.sqrt(14 / 3)],
])('%s', (text, value) => expect(compute(text)).toEqual(value));

test.each([
  ['1 +', /ends too early/],
  ['(1', /'\)' is missing/],
  ['1 2', /'2' is not expected/],
  ['x = 1', /not part of a formula/],
  ['process.exit(1)', /'\(' is not expected/],
  ['constructor("x")', /not expected|no function/],
  ['hasOwnProperty(1)', /no function/],
  ['atan2(1)', /has 1 inputs/],
  ['bodies[0]', /quotes/],
  [`${'('.repeat(2000)}1`, /too deeply/],
  ['1'.repeat(5000), /too many/],
])('%s is refused', (text, reason) => {
  expect(() => compute(text)).toThrow(NexdynError);
  expect(() => compute(text)).toThrow(reason);
});

test('names are listed once; a function of a whole run has no place in a condition', () => {
  expect(listNames(parseFormula('a + b.c.0 * a', ''))).toEqual([['a'], ['b', 'c', '0']]);
  expect(() => checkFormula(parseFormula('max(a) > 1', ''), 'stop[0]', { allowReductions: false })).toThrow(
    /whole run/,
  );
});
