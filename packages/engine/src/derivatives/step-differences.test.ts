/** Centred differences of functions with breaks at the point and near it. */
import { expect, test } from 'vitest';
import { takeCentred } from './step-differences.ts';

const LENGTH = 1e-6;

/** The derivative of f at 0, and what lies there. */
function differentiate(f: (x: number) => number): { value: number; between: string } {
  const out = new Float64Array(1);
  const between = takeCentred((times) => Float64Array.of(f(times * LENGTH)), LENGTH, out);
  return { value: out[0]!, between };
}

test('a smooth function', () => {
  const { value, between } = differentiate((x) => 3 * x + 100 * x * x);
  expect(between).toBe('none');
  expect(value).toBeCloseTo(3, 8);
});

test('a jump between the nearer and the farther point is not part of the derivative', () => {
  for (const at of [1.5, -1.2, 0.5]) {
    const sign = Math.sign(at);
    const { value, between } = differentiate((x) => 3 * x + (sign * x > sign * at * LENGTH ? 1e-6 : 0));
    expect(between).toBe('none');
    expect(value).toBeCloseTo(3, 6);
  }
});

test('a kink near by is not one here', () => {
  const { value, between } = differentiate((x) => 3 * x + Math.max(0, x - 0.3 * LENGTH));
  expect(between).toBe('none');
  expect(value).toBeCloseTo(3, 6);
});

test('a kink here has the mean of both sides, a jump here the slopes beside it', () => {
  expect(differentiate((x) => 3 * x + 2 * Math.abs(x))).toEqual({ value: expect.closeTo(3, 6), between: 'kink' });
  const jump = differentiate((x) => (x > 0 ? 5 * x + 1e-4 : 3 * x));
  expect(jump.between).toBe('jump');
  expect(jump.value).toBeCloseTo(4, 6);
});
