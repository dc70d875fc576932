import { expect, test } from 'vitest';
import { writeBarycentric } from './barycentric.ts';

test('weights that sum to one and give the point back, outside as well', () => {
  const x = Float64Array.of(9, 9, 9, 0.1, 0, 0.2, 1, 0.1, 0, 0, 1.2, 0.1, 0.2, 0.1, 0.9);
  const corner = Int32Array.of(7, 1, 2, 3, 4);
  const out = new Float64Array(4);
  for (const point of [
    [0.3, 0.3, 0.3],
    [-0.5, 2, 0.1],
  ]) {
    writeBarycentric(out, x, corner, 1, Float64Array.of(0, ...point), 1);
    expect(out.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 14);
    for (let k = 0; k < 3; k++) {
      const sum = out.reduce((total, w, i) => total + w * x[3 * corner[1 + i] + k], 0);
      expect(sum).toBeCloseTo(point[k], 13);
    }
  }
});
