import { describe, expect, test } from 'vitest';
import { createRandom } from '../testing/forest.ts';
import {
  integrateQuaternion,
  matrixFromQuaternion,
  multiplyQuaternions,
  normalizeQuaternion,
  quaternionFromAxisAngle,
  relativeQuaternion,
  rotateByQuaternion,
  rotationVector,
} from './quaternion.ts';

const random = createRandom(11);

function randomQuaternion(): Float64Array {
  const q = Float64Array.from({ length: 4 }, () => random() - 0.5);
  normalizeQuaternion(q, 0, q, 0);
  return q;
}

function randomVector(scale = 1): Float64Array {
  return Float64Array.from({ length: 3 }, () => scale * (random() - 0.5));
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  for (let i = 0; i < expected.length; i++) expect(Math.abs(actual[i] - expected[i])).toBeLessThan(tolerance);
}

describe('quaternions', () => {
  test('rotate vectors as their matrices do', () => {
    for (let n = 0; n < 200; n++) {
      const q = randomQuaternion();
      const v = randomVector();
      const m = new Float64Array(9);
      const out = new Float64Array(3);
      matrixFromQuaternion(m, 0, q, 0);
      rotateByQuaternion(out, 0, q, 0, v, 0);
      expectClose(
        out,
        [0, 1, 2].map((i) => m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2]),
        1e-15,
      );
    }
  });

  test('products compose rotations; out may be an input', () => {
    for (let n = 0; n < 200; n++) {
      const a = randomQuaternion();
      const b = randomQuaternion();
      const v = randomVector();
      const step = new Float64Array(3);
      rotateByQuaternion(step, 0, b, 0, v, 0);
      rotateByQuaternion(step, 0, a, 0, step, 0);
      const product = a.slice();
      multiplyQuaternions(product, 0, product, 0, b, 0);
      const direct = new Float64Array(3);
      rotateByQuaternion(direct, 0, product, 0, v, 0);
      expectClose(direct, step, 1e-15);
      // a* (a b) = b
      relativeQuaternion(product, 0, a, 0, product, 0);
      expectClose(product, b, 1e-15);
    }
  });

  test('exponential and logarithm are inverse below half a turn', () => {
    for (let n = 0; n < 200; n++) {
      const v = randomVector(3.5);
      const q = Float64Array.from([1, 0, 0, 0]);
      integrateQuaternion(q, 0, v, 0, 1);
      const back = new Float64Array(3);
      rotationVector(back, 0, q, 0);
      expectClose(back, v, 1e-14);
    }
  });

  test('the exponential of ω dt agrees with q̇ = ½ q ω to first order and stays a unit', () => {
    const q = randomQuaternion();
    const w = randomVector(2);
    const h = 1e-6;
    const next = q.slice();
    integrateQuaternion(next, 0, w, 0, h);
    const rate = new Float64Array(4);
    multiplyQuaternions(rate, 0, q, 0, Float64Array.from([0, ...w]), 0);
    // the next term of the series is h |w|² / 8
    for (let k = 0; k < 4; k++) expect(Math.abs((next[k] - q[k]) / h - 0.5 * rate[k])).toBeLessThan(1e-6);
    for (let n = 0; n < 10_000; n++) integrateQuaternion(next, 0, w, 0, 0.01);
    expect(Math.hypot(...next)).toBeCloseTo(1, 15);
  });

  test('axis and angle', () => {
    const q = new Float64Array(4);
    quaternionFromAxisAngle(q, 0, Float64Array.from([0, 0, 1]), 0, Math.PI / 2);
    const out = new Float64Array(3);
    rotateByQuaternion(out, 0, q, 0, Float64Array.from([1, 0, 0]), 0);
    expectClose(out, [0, 1, 0], 1e-15);
  });

  test('the zero quaternion becomes the identity', () => {
    const q = new Float64Array(4);
    normalizeQuaternion(q, 0, q, 0);
    expect([...q]).toEqual([1, 0, 0, 0]);
  });
});
