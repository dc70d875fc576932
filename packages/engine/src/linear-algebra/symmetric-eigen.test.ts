import { describe, expect, test } from 'vitest';
import { matrixFromQuaternion } from './quaternion.ts';
import { diagonalizeSymmetric } from './symmetric-eigen.ts';

/** xx, yy, zz, xy, xz, yz of R diag(values) Rᵀ. */
function rebuild(values: ArrayLike<number>, quaternion: Float64Array): number[] {
  const R = new Float64Array(9);
  matrixFromQuaternion(R, 0, quaternion, 0);
  const entry = (r: number, c: number) =>
    R[3 * r] * values[0] * R[3 * c] + R[3 * r + 1] * values[1] * R[3 * c + 1] + R[3 * r + 2] * values[2] * R[3 * c + 2];
  return [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)];
}

function decompose(tensor: number[]): { values: Float64Array; quaternion: Float64Array } {
  const values = new Float64Array(3);
  const quaternion = new Float64Array(4);
  diagonalizeSymmetric(Float64Array.from(tensor), values, quaternion);
  return { values, quaternion };
}

describe('principal axes', () => {
  test('rebuild the matrix, ordered, whatever its scale', () => {
    let state = 5;
    const random = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 31 - 1;
    };
    for (let n = 0; n < 2000; n++) {
      const scale = 10 ** (20 * random());
      const tensor = Array.from({ length: 6 }, () => scale * random());
      // nearly diagonal, nearly spherical and singular ones too
      if (n % 4 === 1) for (let k = 3; k < 6; k++) tensor[k] *= 1e-9;
      if (n % 4 === 2) for (let k = 0; k < 3; k++) tensor[k] = scale * (1 + 1e-12 * random());
      if (n % 4 === 3) tensor.splice(2, 4, 0, tensor[3], 0, 0);
      const { values, quaternion } = decompose(tensor);
      const largest = Math.max(...tensor.map(Math.abs));
      expect(Math.abs(Math.hypot(...quaternion) - 1)).toBeLessThan(1e-15);
      expect(values[0] - values[1]).toBeGreaterThanOrEqual(-1e-13 * largest);
      expect(values[1] - values[2]).toBeGreaterThanOrEqual(-1e-13 * largest);
      rebuild(values, quaternion).forEach((entry, k) => {
        expect(Math.abs(entry - tensor[k]) / largest).toBeLessThan(1e-14);
      });
    }
  });

  test('of a diagonal matrix only sort', () => {
    const { values, quaternion } = decompose([1, 3, 2, 0, 0, 0]);
    expect(Array.from(values)).toEqual([3, 2, 1]);
    rebuild(values, quaternion).forEach((entry, k) => {
      expect(entry).toBeCloseTo([1, 3, 2, 0, 0, 0][k], 15);
    });
  });

  test('keep the axes of a sphere and of nothing', () => {
    for (const moment of [0, 2.5]) {
      const { values, quaternion } = decompose([moment, moment, moment, 0, 0, 0]);
      expect(Array.from(values)).toEqual([moment, moment, moment]);
      expect(Array.from(quaternion)).toEqual([1, 0, 0, 0]);
    }
  });

  test('give the closed form of a 2 × 2 block', () => {
    const { values } = decompose([2, 2, 5, 1, 0, 0]);
    [5, 3, 1].forEach((value, k) => {
      expect(values[k]).toBeCloseTo(value, 14);
    });
  });

  test('leave what is below the tolerance', () => {
    const values = new Float64Array(3);
    const quaternion = new Float64Array(4);
    diagonalizeSymmetric(Float64Array.of(3, 2, 1, 1e-8, -2e-8, 1e-8), values, quaternion, 1e-7);
    expect(Array.from(values)).toEqual([3, 2, 1]);
    expect(Array.from(quaternion)).toEqual([1, 0, 0, 0]);
    diagonalizeSymmetric(Float64Array.of(3, 2, 1, 1e-6, -2e-8, 1e-8), values, quaternion, 1e-7);
    expect(quaternion[3]).toBeCloseTo(0.5e-6, 12);
  });
});
