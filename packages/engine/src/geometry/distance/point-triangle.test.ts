import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { compareLists, differentiate } from '../../testing/central-differences.ts';
import { createRandom } from '../../testing/forest.ts';
import { pointsOf, searchPointTriangle } from '../../testing/searched-distance.ts';
import {
  classifyPointTriangle,
  measurePointTriangle,
  POINT_TRIANGLE,
  POINT_TRIANGLE_POINTS,
  writePointTriangleCoefficients,
  writePointTriangleGradient,
  writePointTriangleHessian,
} from './point-triangle.ts';

const T = POINT_TRIANGLE;
const stencil = (...points: number[][]): Float64Array => Float64Array.from(points.flat());
const measure = (x: Float64Array): number => measurePointTriangle(x, 0, classifyPointTriangle(x, 0));

/** Random stencils: the point at all heights, so that every type comes up. */
function draw(count: number, seed: number, height: number): Float64Array[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const x = Float64Array.from({ length: 12 }, () => 2 * random() - 1);
    if (height < 1) {
      // place the point near the plane of the triangle, inside or around it
      const [, a, b, c] = pointsOf(x);
      const s = 2 * random() - 0.5;
      const t = 2 * random() - 0.5;
      for (let i = 0; i < 3; i++) x[i] = a[i] + s * (b[i] - a[i]) + t * (c[i] - a[i]) + height * (random() - 0.5);
    }
    return x;
  });
}

describe('the triangle (−1,0,1), (1,0,1), (0,0,−1)', () => {
  const corners = [
    [-1, 0, 1],
    [1, 0, 1],
    [0, 0, -1],
  ];
  const heights = [0, 1e-12, -1e-12, 1, -1, 10, -10];

  test.each(heights)('over the face, the edge and the corner at height %f', (y) => {
    for (const z of [0, 0.5, 1 - 1e-9, 1, 1 + 1e-12, 1.1, 2, 10]) {
      const x = stencil([0, y, z], ...corners);
      expect(classifyPointTriangle(x, 0)).toBe(z < 1 ? T.face : T.edge0);
      expect(measure(x)).toBeCloseTo(y * y + Math.max(0, z - 1) ** 2, 12);
    }
    for (const z of [-1, -1 - 1e-12, -1.5, -11]) {
      const x = stencil([0, y, z], ...corners);
      expect(classifyPointTriangle(x, 0)).toBe(T.corner2);
      expect(measure(x)).toBeCloseTo(y * y + (z + 1) ** 2, 12);
    }
  });

  test.each(heights)('all seven regions at height %f', (y) => {
    const cases: [number, number, number][] = [
      [-2, 1.1, T.corner0],
      [2, 1.1, T.corner1],
      [0.1, -2, T.corner2],
      [0.3, 1.5, T.edge0],
      [1, 0, T.edge1],
      [-1, 0, T.edge2],
      [0.1, 0.2, T.face],
    ];
    for (const [px, pz, type] of cases) {
      const x = stencil([px, y, pz], ...corners);
      expect(classifyPointTriangle(x, 0)).toBe(type);
      // the two slanted edges: distance of (±1, 0) from 2x ∓ z = 1 is 1/√5
      const flat = [(px + 1) ** 2 + 0.01, (px - 1) ** 2 + 0.01, px * px + 1, 0.25, 0.2, 0.2, 0][type];
      expect(measure(x)).toBeCloseTo(flat + y * y, 12);
    }
  });
});

describe('distance', () => {
  test('agrees with a search over the triangle, for all types', () => {
    const seen = new Set<number>();
    for (const height of [1, 1e-2, 1e-6]) {
      for (const x of draw(takeSamples(2000, 0.15), 3, height)) {
        seen.add(classifyPointTriangle(x, 0));
        // the search ends within 1e-8 of the place, where D is flat: 1e-15
        expect(Math.abs(measure(x) - searchPointTriangle(x))).toBeLessThan(1e-14);
      }
    }
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test('agrees with the search on triangles without area and edges without length', () => {
    const random = createRandom(8);
    for (let k = 0; k < takeSamples(500, 0.15); k++) {
      const [p, a, b] = [0, 1, 2].map(() => [0, 1, 2].map(() => 2 * random() - 1));
      const s = 3 * random() - 1;
      const between = a.map((value, i) => value + s * (b[i] - value));
      for (const corners of [
        [a, b, between],
        [between, a, b],
        [a, between, b],
        [a, a, b],
        [a, b, b],
        [b, a, b],
        [a, a, a],
      ]) {
        const x = stencil(p, ...corners);
        // a point on a line is there to 1e-16: the triangle may be as wide as that
        expect(Math.abs(Math.sqrt(measure(x)) - Math.sqrt(searchPointTriangle(x)))).toBeLessThan(1e-7);
        expect(Number.isNaN(measure(x))).toBe(false);
      }
    }
  });

  test('a point and a segment, a point and a point are triangles with equal corners', () => {
    const segment = stencil([0.25, 1, 0], [0, 0, 0], [1, 0, 0], [1, 0, 0]);
    expect(classifyPointTriangle(segment, 0)).toBe(T.edge0);
    expect(measure(segment)).toBe(1);
    const point = stencil([3, 4, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]);
    expect(classifyPointTriangle(point, 0)).toBe(T.corner0);
    expect(measure(point)).toBe(25);
  });

  test('a point on a corner, on an edge, on the face has distance 0', () => {
    const corners = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ];
    for (const [p, type] of [
      [[0, 0, 0], T.corner0],
      [[0.5, 0, 0], T.edge0],
      [[0.5, 0.5, 0], T.edge1],
      [[0.25, 0.25, 0], T.face],
    ] as const) {
      const x = stencil([...p], ...corners);
      expect(classifyPointTriangle(x, 0)).toBe(type);
      expect(measure(x)).toBe(0);
      const gradient = new Float64Array(12);
      writePointTriangleGradient(gradient, 0, x, 0, type);
      expect(Math.max(...gradient.map(Math.abs))).toBe(0);
    }
  });

  test('reads its stencil at an offset and writes at an offset', () => {
    const x = draw(1, 5, 1)[0];
    const moved = new Float64Array(20);
    moved.set(x, 7);
    const type = classifyPointTriangle(x, 0);
    expect(classifyPointTriangle(moved, 7)).toBe(type);
    expect(measurePointTriangle(moved, 7, type)).toBe(measurePointTriangle(x, 0, type));
    const here = new Float64Array(144);
    const there = new Float64Array(150).fill(NaN);
    writePointTriangleHessian(here, 0, x, 0, type);
    writePointTriangleHessian(there, 3, moved, 7, type);
    expect(there.slice(3, 147)).toEqual(here);
    expect(there[2] + there[147]).toBeNaN();
  });
});

describe('derivatives', () => {
  test('gradient and Hessian of every type agree with central differences', () => {
    const gradient = new Float64Array(12);
    const hessian = new Float64Array(144);
    for (const x of draw(60, 21, 1)) {
      const corners = pointsOf(x).slice(1);
      const area = Math.hypot(...cross(sub(corners[1], corners[0]), sub(corners[2], corners[0])));
      if (area < 0.2) continue; // the closed forms hold, the differences do not resolve slivers
      // a type fixes the formula: each is a smooth function of the stencil, wherever the point is
      for (let type = 0; type < 7; type++) {
        writePointTriangleGradient(gradient, 0, x, 0, type);
        writePointTriangleHessian(hessian, 0, x, 0, type);
        const slopes = differentiate(x, 1e-3, (y) => measurePointTriangle(y, 0, type));
        expect(compareLists(gradient, slopes.flat())).toBeLessThan(1e-6);
        const bends = differentiate(x, 1e-3, (y) => {
          const out = new Float64Array(12);
          writePointTriangleGradient(out, 0, y, 0, type);
          return out;
        });
        expect(compareLists(hessian, bends.flat())).toBeLessThan(1e-6);
      }
    }
  });

  test('hold close to the surface: |∂D/∂p| = 2d to 1e-12 at d = 1e-9', () => {
    const gradient = new Float64Array(12);
    const random = createRandom(4);
    for (let k = 0; k < 200; k++) {
      const x = Float64Array.from({ length: 12 }, () => 2 * random() - 1);
      const [, a, b, c] = pointsOf(x);
      const n = cross(sub(b, a), sub(c, a));
      const size = Math.hypot(...n);
      if (size < 0.1) continue;
      for (let i = 0; i < 3; i++) x[i] = (a[i] + b[i] + c[i]) / 3 + (1e-9 * n[i]) / size;
      expect(classifyPointTriangle(x, 0)).toBe(T.face);
      const d = Math.sqrt(measure(x));
      // the coordinates are rounded at 1e-16: d is right to 1e-7 of itself, its direction to 1e-14
      expect(Math.abs(d / 1e-9 - 1)).toBeLessThan(1e-6);
      writePointTriangleGradient(gradient, 0, x, 0, T.face);
      for (let i = 0; i < 3; i++) expect(Math.abs(gradient[i] / (2 * d) - n[i] / size)).toBeLessThan(1e-12);
    }
  });

  test('weights give the offset of the closest points, whose length is the distance; unused points have none', () => {
    const weights = new Float64Array(4);
    const gradient = new Float64Array(12);
    for (const x of [...draw(takeSamples(500, 0.3), 9, 1), ...draw(takeSamples(500, 0.3), 10, 1e-2)]) {
      const type = classifyPointTriangle(x, 0);
      writePointTriangleCoefficients(weights, 0, x, 0, type);
      writePointTriangleGradient(gradient, 0, x, 0, type);
      expect(weights[0]).toBe(1);
      expect(Math.abs(weights[0] + weights[1] + weights[2] + weights[3])).toBeLessThan(1e-13);
      const offset = [0, 1, 2].map((a) => pointsOf(x).reduce((sum, point, i) => sum + weights[i] * point[a], 0));
      expect(Math.hypot(...offset)).toBeCloseTo(Math.sqrt(measure(x)), 11);
      for (let a = 0; a < 3; a++) expect(gradient[a]).toBeCloseTo(2 * offset[a], 11);
      for (let i = 0; i < 4; i++) {
        const counts = ((POINT_TRIANGLE_POINTS[type] >> i) & 1) === 1;
        expect(weights[i] !== 0).toBe(counts);
        // closest points are convex combinations
        if (i > 0 && counts) expect(weights[i]).toBeLessThan(0);
      }
    }
  });

  test('value and gradient are continuous over the borders of the types', () => {
    // p slides in steps of 1e-3 along a line past a triangle: no step of ∂D/∂p beyond its Lipschitz bound
    const random = createRandom(31);
    const gradient = new Float64Array(12);
    let borders = 0;
    let largest = 0;
    for (let k = 0; k < 20; k++) {
      const x = Float64Array.from({ length: 12 }, () => 2 * random() - 1);
      let before: number[] | undefined;
      let last = -1;
      for (let s = -2; s <= 2; s += 1e-3) {
        x[0] = s;
        const type = classifyPointTriangle(x, 0);
        writePointTriangleGradient(gradient, 0, x, 0, type);
        const now = Array.from(gradient.subarray(0, 3));
        // p minus its projection on a convex set is 1-Lipschitz: ∂D/∂p moves by at most twice the step
        if (before !== undefined) largest = Math.max(largest, Math.hypot(...sub(now, before)));
        before = now;
        if (type !== last && last >= 0) borders++;
        last = type;
      }
    }
    expect(largest).toBeLessThanOrEqual(2e-3 + 1e-12);
    expect(borders).toBeGreaterThan(20);
  });
});

function sub(a: number[], b: number[]): number[] {
  return a.map((value, i) => value - b[i]);
}

function cross(a: number[], b: number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
