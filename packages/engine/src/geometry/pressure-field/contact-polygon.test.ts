import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { ContactPolygon } from './contact-polygon.ts';

const CORNERS = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);

/** Repeatable numbers in [0, 1). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

function volumeOf(t: Float64Array): number {
  const e = (i: number, k: number): number => t[3 * i + k] - t[k];
  return (
    (e(1, 0) * (e(2, 1) * e(3, 2) - e(2, 2) * e(3, 1)) +
      e(1, 1) * (e(2, 2) * e(3, 0) - e(2, 0) * e(3, 2)) +
      e(1, 2) * (e(2, 0) * e(3, 1) - e(2, 1) * e(3, 0))) /
    6
  );
}

function randomTetrahedron(random: () => number): Float64Array {
  for (;;) {
    const t = Float64Array.from({ length: 12 }, random);
    if (volumeOf(t) > 0.02) return t;
  }
}

/** Σ over planes across a direction of the area of what `cut` leaves, times their distance: the volume. */
function integrate(t: Float64Array, n: readonly number[], cut: (polygon: ContactPolygon) => void): number {
  const polygon = new ContactPolygon();
  const height = (i: number): number => n[0] * t[3 * i] + n[1] * t[3 * i + 1] + n[2] * t[3 * i + 2];
  const heights = [0, 1, 2, 3].map(height);
  const low = Math.min(...heights);
  const step = (Math.max(...heights) - low) / 4000;
  let sum = 0;
  for (let k = 0; k < 4000; k++) {
    polygon.setSection(
      t,
      Float64Array.from(heights, (h) => h - low - (k + 0.5) * step),
    );
    cut(polygon);
    if (polygon.count === 0) continue;
    polygon.measure();
    sum += polygon.area * step;
  }
  return sum;
}

describe('section of a tetrahedron', () => {
  test('parallel to a face: areas and centroids of similar triangles', () => {
    const polygon = new ContactPolygon();
    for (const z of [0.1, 0.5, 0.9]) {
      polygon.setSection(CORNERS, Float64Array.of(-z, -z, -z, 1 - z));
      polygon.measure();
      expect(polygon.area).toBeCloseTo(0.5 * (1 - z) ** 2, 14);
      expect(polygon.centroid[0]).toBeCloseTo((1 - z) / 3, 14);
      expect(polygon.centroid[1]).toBeCloseTo((1 - z) / 3, 14);
      expect(polygon.centroid[2]).toBeCloseTo(z, 14);
    }
  });

  test('x + y = z + c: a quadrilateral in all cases of signs, areas add up to the volume in every direction', () => {
    const random = createRandom(3);
    for (let n = 0; n < takeSamples(20, 0.3); n++) {
      const t = randomTetrahedron(random);
      const angle = 2 * Math.PI * random();
      const z = 2 * random() - 1;
      const r = Math.sqrt(1 - z * z);
      const volume = integrate(t, [r * Math.cos(angle), r * Math.sin(angle), z], () => {});
      // midpoint rule on piecewise quadratic areas
      expect(Math.abs(volume - volumeOf(t))).toBeLessThan(1e-5 * volumeOf(t));
    }
  });

  test('along the face between two tetrahedra it belongs to one of them', () => {
    const polygon = new ContactPolygon();
    polygon.setSection(CORNERS, Float64Array.of(0, 0, 0, 1));
    const above = polygon.count;
    polygon.setSection(CORNERS, Float64Array.of(0, 0, 0, -1));
    expect([above, polygon.count].sort()).toEqual([0, 3]);
  });
});

describe('clip', () => {
  test('a triangle by a half-space through its middle', () => {
    const polygon = new ContactPolygon();
    polygon.setTriangle(Float64Array.of(0, 0, 0, 2, 0, 0, 0, 2, 0), 0, 3, 6);
    polygon.clip(1, 0, 0, 1);
    polygon.measure();
    expect(polygon.area).toBeCloseTo(1.5, 15);
    polygon.clip(-1, 0, 0, -1.5);
    expect(polygon.count).toBe(0);
  });

  test('common part of two tetrahedra has the volume that sampling finds', () => {
    const random = createRandom(11);
    for (let n = 0; n < takeSamples(4, 0.5); n++) {
      const a = randomTetrahedron(random);
      const b = randomTetrahedron(random);
      const volumes = [
        [0, 0, 1],
        [0.6, 0, 0.8],
      ].map((direction) => integrate(a, direction, (polygon) => polygon.clipByTetrahedron(b)));
      expect(Math.abs(volumes[0] - volumes[1])).toBeLessThan(1e-5);
      // samples inside both, by barycentric coordinates
      let hits = 0;
      const samples = 40_000;
      for (let k = 0; k < samples; k++) {
        const x = [random(), random(), random()];
        if (isInside(a, x) && isInside(b, x)) hits++;
      }
      const share = hits / samples;
      const deviation = Math.sqrt((share * (1 - share)) / samples) + 1e-5;
      expect(Math.abs(volumes[0] - share)).toBeLessThan(5 * deviation);
    }
  });
});

function isInside(t: Float64Array, x: readonly number[]): boolean {
  for (let i = 0; i < 4; i++) {
    const replaced = Float64Array.from(t);
    replaced.set(x, 3 * i);
    if (volumeOf(replaced) < 0) return false;
  }
  return true;
}
