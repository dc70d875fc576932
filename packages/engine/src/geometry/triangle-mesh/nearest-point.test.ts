import { expect, test } from 'vitest';
import { createRandom } from '../../testing/forest.ts';
import { EDGE, FACE, findNearestOnTriangle, VERTEX } from './nearest-point.ts';

const nearestPoint = new Float64Array(4);

test('no sample of the triangle is nearer, and the region is where the point lies', () => {
  const random = createRandom(11);
  const triangles = Int32Array.of(0, 1, 2);
  const regions = new Set<number>();
  for (let i = 0; i < 3000; i++) {
    const v = Float64Array.from({ length: 9 }, () => random() - 0.5);
    // every third one is a needle
    if (i % 3 === 0) for (let k = 0; k < 3; k++) v[6 + k] = 0.5 * (v[k] + v[3 + k]) + 1e-3 * (random() - 0.5);
    const x = Array.from({ length: 3 }, () => 2 * (random() - 0.5));
    const region = findNearestOnTriangle(nearestPoint, v, triangles, 0, Float64Array.from(x));
    regions.add(region);
    const p = Array.from(nearestPoint);
    const squared = (q: number[]) => q.reduce((sum, c, k) => sum + (c - x[k]) * (c - x[k]), 0);
    expect(p[3]).toBeCloseTo(squared(p.slice(0, 3)), 14);
    let least = Infinity;
    for (let a = 0; a <= 20; a++) {
      for (let b = 0; b <= 20 - a; b++) {
        const w = [a / 20, b / 20, (20 - a - b) / 20];
        least = Math.min(least, squared([0, 1, 2].map((k) => w[0] * v[k] + w[1] * v[3 + k] + w[2] * v[6 + k])));
      }
    }
    expect(p[3]).toBeLessThanOrEqual(least + 1e-12);
    // the point is on the region: a vertex exactly, an edge by weights
    if (region >= VERTEX) {
      expect(p.slice(0, 3)).toEqual(Array.from(v.slice(3 * (region - VERTEX), 3 * (region - VERTEX) + 3)));
    } else if (region >= EDGE) {
      const a = 3 * (region - EDGE);
      const b = region - EDGE === 2 ? 0 : a + 3;
      const along = Math.hypot(p[0] - v[a], p[1] - v[a + 1], p[2] - v[a + 2]);
      const rest = Math.hypot(p[0] - v[b], p[1] - v[b + 1], p[2] - v[b + 2]);
      expect(along + rest).toBeCloseTo(Math.hypot(v[b] - v[a], v[b + 1] - v[a + 1], v[b + 2] - v[a + 2]), 12);
    }
  }
  expect(Array.from(regions).sort()).toEqual([FACE, EDGE, EDGE + 1, EDGE + 2, VERTEX, VERTEX + 1, VERTEX + 2]);
});
