import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../scripts/long-run.ts';
import { NexdynError } from '../error.ts';
import { computeConvexHull } from './convex-hull.ts';
import { orientPoints } from './orientation.ts';

/** Numbers in [0, 1) from a seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Closed, consistently oriented, of sphere topology, and no point above any face: that is the hull. */
function expectHull(points: number[], faces: Int32Array): void {
  const p = Float64Array.from(points);
  const used = new Set<number>();
  const edges = new Set<number>();
  const count = points.length / 3;
  expect(faces.length % 3).toBe(0);
  let above = 0;
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [faces[f], faces[f + 1], faces[f + 2]];
    for (const [from, to] of [
      [a, b],
      [b, c],
      [c, a],
    ]) {
      expect(edges.has(from * count + to), 'an edge runs twice in the same direction').toBe(false);
      edges.add(from * count + to);
      used.add(from);
    }
    for (let i = 0; i < p.length; i += 3) if (orientPoints(p, 3 * a, 3 * b, 3 * c, i) > 0) above++;
  }
  expect(above, 'points above faces').toBe(0);
  for (const edge of edges) {
    expect(edges.has((edge % count) * count + Math.floor(edge / count)), 'an edge without its twin').toBe(true);
  }
  expect(used.size - edges.size / 2 + faces.length / 3, 'Euler: V − E + F').toBe(2);
}

function volumeOf(points: number[], faces: Int32Array): number {
  let six = 0;
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2]];
    six +=
      points[a] * (points[b + 1] * points[c + 2] - points[b + 2] * points[c + 1]) +
      points[a + 1] * (points[b + 2] * points[c] - points[b] * points[c + 2]) +
      points[a + 2] * (points[b] * points[c + 1] - points[b + 1] * points[c]);
  }
  return six / 6;
}

describe('convex hull', () => {
  test('of a tetrahedron, in every order of its corners', () => {
    const corners = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    for (let n = 0; n < 24; n++) {
      const rest = [...corners];
      const points: number[] = [];
      for (let k = 4, m = n; k > 0; m = Math.floor(m / k), k--) points.push(...rest.splice(m % k, 1)[0]);
      const faces = computeConvexHull(points);
      expect(faces.length).toBe(12);
      expectHull(points, faces);
      expect(volumeOf(points, faces)).toBeCloseTo(1 / 6, 15);
    }
  });

  test('of random points in a ball and on a sphere', () => {
    for (let seed = 1; seed <= takeSamples(30, 0.4); seed++) {
      const random = createRandom(seed);
      const points: number[] = [];
      const onSphere = seed % 2 === 0;
      for (let i = 0; i < 20 + 10 * seed; i++) {
        const v = [random() - 0.5, random() - 0.5, random() - 0.5];
        const length = onSphere ? Math.hypot(...v) : 1;
        for (const x of v) points.push(x / length + 100 * (seed % 3));
      }
      expectHull(points, computeConvexHull(points));
    }
  });

  test('of a cube with points all over its faces, edges and inside', () => {
    const random = createRandom(7);
    for (const n of [2, 3, 6]) {
      const points: number[] = [];
      for (let i = 0; i <= n; i++) for (let j = 0; j <= n; j++) for (let k = 0; k <= n; k++) points.push(i, j, k);
      // shuffle, to meet the coplanar points in another order
      for (let i = points.length / 3 - 1; i > 0; i--) {
        const j = Math.floor(random() * (i + 1));
        for (let k = 0; k < 3; k++) {
          const swap = points[3 * i + k];
          points[3 * i + k] = points[3 * j + k];
          points[3 * j + k] = swap;
        }
      }
      const faces = computeConvexHull(points);
      expectHull(points, faces);
      expect(volumeOf(points, faces)).toBe(n ** 3);
    }
  });

  test('of a turned cube with coplanar points up to round-off', () => {
    const random = createRandom(3);
    const [c, s] = [Math.cos(0.3), Math.sin(0.3)];
    const points: number[] = [];
    for (let i = 0; i < 600; i++) {
      const v = [random(), random(), random()];
      if (i < 400) v[i % 3] = i % 2;
      if (i < 8) v.splice(0, 3, i & 1, (i >> 1) & 1, i >> 2);
      points.push(c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]);
    }
    const faces = computeConvexHull(points);
    expectHull(points, faces);
    expect(volumeOf(points, faces)).toBeCloseTo(1, 13);
  });

  test('of rings and prisms with many points on circles', () => {
    for (const n of [3, 16, 101]) {
      const points: number[] = [];
      for (let i = 0; i < n; i++) {
        const angle = (2 * Math.PI * i) / n;
        for (const z of [0, 1]) points.push(Math.cos(angle), Math.sin(angle), z);
      }
      const faces = computeConvexHull(points);
      expectHull(points, faces);
      expect(volumeOf(points, faces)).toBeCloseTo((n / 2) * Math.sin((2 * Math.PI) / n), 12);
    }
  });

  test('with duplicates and points on edges', () => {
    const points = [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 2, 0, 0, 1, 1, 0, 0.5, 0.5, 0.5, 0, 1, 1];
    const faces = computeConvexHull(points);
    expectHull(points, faces);
    expect(volumeOf(points, faces)).toBeCloseTo(8 / 6, 15);
  });

  test('is the same at any size and from the same input', () => {
    const random = createRandom(11);
    const points = Array.from({ length: 300 }, () => random());
    const faces = computeConvexHull(points);
    expect(computeConvexHull(points)).toEqual(faces);
    for (const scale of [2 ** -30, 2 ** 30]) expect(computeConvexHull(points.map((x) => x * scale))).toEqual(faces);
  });

  test('names what has no hull', () => {
    const line = Array.from({ length: 30 }, (_, i) => [i, 2 * i, -i]).flat();
    const plane = Array.from({ length: 30 }, (_, i) => [Math.cos(i), Math.sin(i), 0.1 * Math.cos(i)]).flat();
    const cases: [number[], string][] = [
      [[], '0 vertices'],
      [[0, 0, 0, 1, 0, 0, 0, 1, 0], '3 vertices'],
      [new Array(15).fill(1), 'one point'],
      [line, 'one line'],
      [plane, 'one plane'],
      [[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, Number.NaN, 1], 'vertex 3'],
      [[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, Infinity], 'vertex 3'],
    ];
    for (const [points, text] of cases) {
      const error = (() => {
        try {
          computeConvexHull(points, "mesh 'hat'", { path: 'meshes[4]' });
        } catch (thrown) {
          return thrown;
        }
      })();
      expect(error).toBeInstanceOf(NexdynError);
      expect((error as NexdynError).code).toBe('invalid-mesh');
      expect((error as NexdynError).message).toContain(text);
      expect((error as NexdynError).message).toContain("mesh 'hat'");
      expect((error as NexdynError).path).toBe('meshes[4]');
    }
  });
});
