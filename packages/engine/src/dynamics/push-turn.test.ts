/** Pushes of torques at the end of a step: against their definition, and derivatives against centred differences. */
import { expect, test } from 'vitest';
import { reversePushShift, writePushShift } from './push-turn.ts';

const INERTIA = Float64Array.of(2, 0.1, -0.2, 0.1, 3, 0.3, -0.2, 0.3, 1.5);
const H = 0.1;
const WAY = Float64Array.of(3, -2, 4);
const IMPULSE = Float64Array.of(0.7, -0.4, 0.2);

function shift(impulse: Float64Array, way: Float64Array, inertia = INERTIA): Float64Array {
  const out = new Float64Array(6);
  writePushShift(out, 3, { impulse, way, inertia }, H);
  return out.slice(3);
}

test('of a ball the shift is half a turn of the push, and none along its spin', () => {
  const ball = Float64Array.of(2, 0, 0, 0, 2, 0, 0, 0, 2);
  const way = Float64Array.of(0, 0, 5);
  const angle = (H * 5) / 2;
  // J⁻¹ (1 − exp(−h u/2)) t
  const [x, y, z] = shift(Float64Array.of(1, 0, 4), way, ball);
  expect(x).toBeCloseTo(0.5 * (1 - Math.cos(angle)), 14);
  expect(y).toBeCloseTo(0.5 * Math.sin(angle), 14);
  expect(z).toBeCloseTo(0, 14);
});

test('what does not turn has none', () => {
  expect([...shift(IMPULSE, new Float64Array(3))].every((value) => Math.abs(value) < 1e-15)).toBe(true);
});

test('derivatives', () => {
  const y = Float64Array.of(0, 0, 0, 0.3, 0.9, -0.5);
  const byImpulse = new Float64Array(3);
  const byWay = new Float64Array(6);
  reversePushShift(byImpulse, byWay, y, 3, { impulse: IMPULSE, way: WAY, inertia: INERTIA }, H);
  const dot = (value: Float64Array): number => y[3]! * value[0]! + y[4]! * value[1]! + y[5]! * value[2]!;
  const differ = (at: Float64Array, i: number, take: (at: Float64Array) => Float64Array): number => {
    const [up, down] = [1e-5, -1e-5].map((e) => dot(take(at.map((value, k) => (k === i ? value + e : value)))));
    return (up! - down!) / 2e-5;
  };
  for (let k = 0; k < 3; k++) {
    expect(byImpulse[k]).toBeCloseTo(
      differ(IMPULSE, k, (at) => shift(at, WAY)),
      9,
    );
    expect(byWay[3 + k]).toBeCloseTo(
      differ(WAY, k, (at) => shift(IMPULSE, at)),
      9,
    );
  }
});
