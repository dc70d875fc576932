import { describe, expect, test } from 'vitest';
import { NexdynError } from '../error.ts';
import { computeConvexHull } from './convex-hull.ts';
import { computeLimitedHull } from './limited-hull.ts';

const random = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
};

const cloud = (seed: number, count: number): number[] => {
  const next = random(seed);
  return Array.from({ length: 3 * count }, (_, i) => (i % 3 === 2 ? 2 : 1) * (next() + next() + next() - 1.5));
};

/** Six times the volume below the triangles; every edge must run once each way. */
function measureVolume(points: readonly number[], faces: Int32Array): number {
  const edges = new Set<string>();
  let volume = 0;
  for (let f = 0; f < faces.length; f += 3) {
    const corner = [...faces.subarray(f, f + 3)];
    corner.forEach((from, k) => {
      const key = `${from} ${corner[(k + 1) % 3]}`;
      edges.add(key);
    });
    const [a, b, c] = corner.map((i) => points.slice(3 * i, 3 * i + 3));
    volume +=
      a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  expect(edges.size).toBe(faces.length);
  expect([...edges].filter((edge) => !edges.has(edge.split(' ').reverse().join(' ')))).toEqual([]);
  return volume;
}

const listVertices = (faces: Int32Array): number[] => [...new Set(faces)].sort((a, b) => a - b);

describe('a hull of limited vertices', () => {
  test('has as many as asked for, is closed and grows to the whole hull', () => {
    for (let seed = 1; seed <= 5; seed++) {
      const points = cloud(seed, 80);
      const whole = computeConvexHull(points);
      const all = listVertices(whole);
      let before = 0;
      for (const most of [4, 5, 8, 13, 21]) {
        const faces = computeLimitedHull(points, most);
        const vertices = listVertices(faces);
        expect(vertices.length).toBe(Math.min(most, all.length));
        expect(faces.length / 3).toBe(2 * vertices.length - 4);
        const volume = measureVolume(points, faces);
        expect(volume).toBeGreaterThan(before);
        before = volume;
      }
      expect(listVertices(computeLimitedHull(points, 1000))).toEqual(all);
      expect(measureVolume(points, computeLimitedHull(points, 1000))).toBeCloseTo(measureVolume(points, whole), 12);
    }
  });

  test('of a grid of points in a cube is the cube at 8', () => {
    const points: number[] = [];
    for (let i = 0; i < 125; i++) points.push((i % 5) - 2, (Math.floor(i / 5) % 5) - 2, Math.floor(i / 25) - 2);
    for (const most of [8, 9, 40])
      expect(listVertices(computeLimitedHull(points, most))).toEqual([0, 4, 20, 24, 100, 104, 120, 124]);
    expect(measureVolume(points, computeLimitedHull(points, 8))).toBeCloseTo(6 * 64, 12);
  });

  test('of many points on circles stays closed', () => {
    const points: number[] = [];
    for (let i = 0; i < 64; i++) {
      for (const z of [-1, 1])
        points.push(Math.fround(Math.cos((i * Math.PI) / 32)), Math.fround(Math.sin((i * Math.PI) / 32)), z);
    }
    for (let most = 4; most <= 128; most += 12) {
      const faces = computeLimitedHull(points, most);
      expect(listVertices(faces).length).toBe(most);
      expect(measureVolume(points, faces)).toBeLessThanOrEqual(12 * Math.PI);
    }
  });

  test('of points of a grid, many on lines and in planes, is closed and inside the whole', () => {
    const next = random(5);
    for (let n = 0; n < 150; n++) {
      const size = 1 + (n % 5);
      const points = Array.from({ length: 3 * (6 + (n % 40)) }, () => Math.floor(next() * (size + 1)) + 0.1 * size);
      let whole: Int32Array;
      try {
        whole = computeConvexHull(points);
      } catch {
        continue;
      }
      const most = 4 + Math.floor(next() * new Set(whole).size);
      const faces = computeLimitedHull(points, most);
      expect(new Set(faces).size).toBeLessThanOrEqual(most);
      expect(measureVolume(points, faces)).toBeLessThanOrEqual(measureVolume(points, whole) + 1e-9);
    }
  });

  test('of points in a plane is refused', () => {
    const flat = [0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 2, 0.5, 0.5, 1];
    expect(() => computeLimitedHull(flat, 4)).toThrow(NexdynError);
    expect(() => computeLimitedHull([0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1], 4)).toThrow(/one plane/);
  });
});
