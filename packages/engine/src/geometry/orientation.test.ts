import { describe, expect, test } from 'vitest';
import { orientPoints } from './orientation.ts';

/** The value of a double as a whole number of 2⁻¹¹⁰⁰. */
function toInteger(x: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  const high = bits.getUint32(0);
  const exponent = (high >>> 20) & 0x7ff;
  const mantissa = (BigInt(high & 0xfffff) << 32n) | BigInt(bits.getUint32(4));
  const value = exponent === 0 ? mantissa << 26n : (mantissa | (1n << 52n)) << BigInt(exponent - 1 + 26);
  return x < 0 ? -value : value;
}

function orientWithIntegers(p: Float64Array): number {
  const q = Array.from(p, toInteger);
  const row = (i: number) => [q[3 * i] - q[9], q[3 * i + 1] - q[10], q[3 * i + 2] - q[11]];
  const [a, b, c] = [row(0), row(1), row(2)];
  const det =
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  return det > 0n ? -1 : det < 0n ? 1 : 0;
}

describe('orientation of four points', () => {
  test('is positive above a counter-clockwise triangle', () => {
    expect(orientPoints(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, 1), 0, 3, 6, 9)).toBeGreaterThan(0);
    expect(orientPoints(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.2, -1), 0, 3, 6, 9)).toBeLessThan(0);
  });

  test('agrees with whole-number arithmetic on nearly flat points', () => {
    let state = 1;
    const random = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    let zeros = 0;
    for (let n = 0; n < 3000; n++) {
      const [ux, uy, uz, vx, vy, vz] = Array.from({ length: 6 }, random);
      const p = new Float64Array(12);
      for (let i = 0; i < 4; i++) {
        // points of a plane, moved by a few units in the last place; sometimes of a coarse grid, or far from the origin
        const s = n % 3 === 0 ? Math.round(8 * random()) : random();
        const t = n % 3 === 0 ? Math.round(8 * random()) : random();
        const far = n % 5 === 0 ? 1e6 : 0;
        const grid = n % 3 === 0 ? Math.round : (x: number) => x;
        p[3 * i] = grid(16 * ux) * s + grid(16 * vx) * t + far;
        p[3 * i + 1] = grid(16 * uy) * s + grid(16 * vy) * t;
        p[3 * i + 2] = grid(16 * uz) * s + grid(16 * vz) * t;
        if (n % 2 === 0) p[3 * i + 2] *= 1 + Math.round(2 * random()) * 2 ** -52;
      }
      const expected = orientWithIntegers(p);
      if (expected === 0) zeros++;
      expect(Math.sign(orientPoints(p, 0, 3, 6, 9)) + 0, Array.from(p).join(' ')).toBe(expected);
    }
    expect(zeros).toBeGreaterThan(300);
  });
});
