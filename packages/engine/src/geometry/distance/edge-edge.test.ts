import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { compareLists, differentiate } from '../../testing/central-differences.ts';
import { createRandom } from '../../testing/forest.ts';
import { pointsOf, searchEdgeEdge } from '../../testing/searched-distance.ts';
import {
  classifyEdgeEdge,
  EDGE_EDGE,
  EDGE_EDGE_POINTS,
  measureEdgeEdge,
  writeEdgeEdgeCoefficients,
  writeEdgeEdgeGradient,
  writeEdgeEdgeHessian,
} from './edge-edge.ts';

const E = EDGE_EDGE;
const stencil = (...points: number[][]): Float64Array => Float64Array.from(points.flat());
const measure = (x: Float64Array): number => measureEdgeEdge(x, 0, classifyEdgeEdge(x, 0));

/** Random stencils; the second edge is longer or shorter than the first, so that every type comes up. */
function draw(count: number, seed: number): Float64Array[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, k) => {
    const size = [0.3, 1, 3][k % 3];
    return Float64Array.from({ length: 12 }, (_, i) => (i < 6 ? 1 : size) * (2 * random() - 1));
  });
}

describe('perpendicular edges on a grid of shifts', () => {
  // edge a along x and edge b along z, b shifted by (±2, y, ±2): the closest ends follow from the signs
  const shifts = [-2, 0, 2];
  for (const y of [-2, -1e-3, 0, 1e-6, 1]) {
    test(`height ${y}`, () => {
      for (const sx of shifts) {
        for (const sz of shifts) {
          const x = stencil([-1, 0, 0], [1, 0, 0], [sx, y, sz - 1], [sx, y, sz + 1]);
          const a = sx < 0 ? 0 : sx > 0 ? 1 : 2;
          const b = sz > 0 ? 0 : sz < 0 ? 1 : 2;
          const expected = [
            [E.a0b0, E.a0b1, E.a0b],
            [E.a1b0, E.a1b1, E.a1b],
            [E.ab0, E.ab1, E.ab],
          ][a][b];
          expect(classifyEdgeEdge(x, 0)).toBe(expected);
          expect(measure(x)).toBeCloseTo((sx === 0 ? 0 : 1) + (sz === 0 ? 0 : 1) + y * y, 12);
        }
      }
    });
  }

  test('two lines: (ya − yb)²', () => {
    for (const [ya, yb] of [
      [0, 0],
      [1, -1],
      [-10, 3],
      [1e-6, -1e-6],
    ]) {
      const x = stencil([-1, ya, 0], [1, ya, 0], [0, yb, -1], [0, yb, 1]);
      expect(Math.abs(measure(x) - (ya - yb) ** 2)).toBeLessThan(1e-15);
    }
  });
});

describe('distance', () => {
  test('edges built at a known distance s: D = s² to 1e-15', () => {
    const random = createRandom(2);
    for (let k = 0; k < 500; k++) {
      const angle = 0.1 + 2.9 * random();
      const s = random();
      const [i, j] = [0.1 + 0.8 * random(), 0.1 + 0.8 * random()];
      const u = [1, 0, 0];
      const v = [Math.cos(angle), 0, Math.sin(angle)];
      const x = stencil(
        u.map((value) => -i * value),
        u.map((value) => (1 - i) * value),
        v.map((value, a) => -j * value + (a === 1 ? s : 0)),
        v.map((value, a) => (1 - j) * value + (a === 1 ? s : 0)),
      );
      expect(classifyEdgeEdge(x, 0)).toBe(E.ab);
      expect(Math.abs(measure(x) - s * s)).toBeLessThan(1e-15);
    }
  });

  test('agrees with a search over both edges, for all types', () => {
    const seen = new Set<number>();
    for (const x of draw(takeSamples(6000, 0.15), 17)) {
      seen.add(classifyEdgeEdge(x, 0));
      // the search ends within 1e-8 of the place, where D is flat: 1e-15 of the largest D
      expect(Math.abs(measure(x) - searchEdgeEdge(x))).toBeLessThan(1e-13);
    }
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('agrees with the search for parallel and nearly parallel edges of any size', () => {
    const random = createRandom(6);
    for (const size of [1, 1e-4, 1e4]) {
      for (const tilt of [0, 1e-14, 1e-10, 1e-8, 1.5e-8, 1e-7, 1e-6, 1e-4]) {
        for (let k = 0; k < takeSamples(60, 0.2); k++) {
          const x = Float64Array.from({ length: 12 }, () => 2 * random() - 1);
          const stretch = k % 2 === 0 ? 1 + random() : -1 - random();
          for (let a = 0; a < 3; a++) {
            x[9 + a] = x[6 + a] + stretch * (x[3 + a] - x[a]) + tilt * (2 * random() - 1);
          }
          for (let i = 0; i < 12; i++) x[i] *= size;
          // at the bound of the sine, 1.6e-8, the distance is right to about that share of the length
          expect(Math.abs(Math.sqrt(measure(x)) - Math.sqrt(searchEdgeEdge(x)))).toBeLessThan(1e-7 * size);
        }
      }
    }
  });

  test('collinear edges: apart, touching, overlapping', () => {
    const line = (a0: number, a1: number, b0: number, b1: number): Float64Array =>
      stencil([a0, 0, 0], [a1, 0, 0], [b0, 0, 0], [b1, 0, 0]);
    expect(classifyEdgeEdge(line(0, 1, 3, 5), 0)).toBe(E.a1b0);
    expect(measure(line(0, 1, 3, 5))).toBe(4);
    expect(measure(line(0, 1, 5, 3))).toBe(4);
    expect(classifyEdgeEdge(line(0, 1, 5, 3), 0)).toBe(E.a1b1);
    expect(measure(line(0, 1, 1, 2))).toBe(0);
    expect(measure(line(0, 2, 1, 5))).toBe(0);
    // short edges nearly in line are no parallel edges: the crossing point is found
    const short = stencil([-1e-5, 0, 0], [1e-5, 0, 0], [-1e-5, 1e-9, -1e-7], [1e-5, 1e-9, 1e-7]);
    expect(classifyEdgeEdge(short, 0)).toBe(E.ab);
    expect(Math.abs(measure(short) / 1e-18 - 1)).toBeLessThan(1e-9);
  });

  test('edges without length are points', () => {
    const random = createRandom(12);
    for (let k = 0; k < takeSamples(200, 0.2); k++) {
      const [a, b, c] = [0, 1, 2].map(() => [0, 1, 2].map(() => 2 * random() - 1));
      for (const points of [
        [a, a, b, c],
        [b, c, a, a],
        [a, a, b, b],
        [a, a, a, a],
        [a, b, a, a],
      ]) {
        const x = stencil(...points);
        const type = classifyEdgeEdge(x, 0);
        expect(Math.abs(measure(x) - searchEdgeEdge(x))).toBeLessThan(1e-14);
        const hessian = new Float64Array(144);
        writeEdgeEdgeHessian(hessian, 0, x, 0, type);
        expect(hessian.every(Number.isFinite)).toBe(true);
      }
    }
  });

  test('reads its stencil at an offset and writes at an offset', () => {
    const x = draw(1, 5)[0];
    const moved = new Float64Array(20);
    moved.set(x, 7);
    const type = classifyEdgeEdge(x, 0);
    expect(classifyEdgeEdge(moved, 7)).toBe(type);
    expect(measureEdgeEdge(moved, 7, type)).toBe(measureEdgeEdge(x, 0, type));
    const here = new Float64Array(12);
    const there = new Float64Array(16).fill(NaN);
    writeEdgeEdgeGradient(here, 0, x, 0, type);
    writeEdgeEdgeGradient(there, 3, moved, 7, type);
    expect(there.slice(3, 15)).toEqual(here);
  });
});

describe('derivatives', () => {
  test('gradient and Hessian of every type agree with central differences', () => {
    const gradient = new Float64Array(12);
    const hessian = new Float64Array(144);
    for (const x of draw(takeSamples(90, 0.3), 23)) {
      const [a0, a1, b0, b1] = pointsOf(x);
      const [u, v] = [sub(a1, a0), sub(b1, b0)];
      // differences resolve edges and angles that are not much smaller than their step
      const sine = Math.hypot(...cross(u, v)) / Math.hypot(...u) / Math.hypot(...v);
      const reach = Math.min(Math.hypot(...u), Math.hypot(...v)) * sine;
      for (let type = 0; type < 9; type++) {
        const h = 5e-3 * reach;
        writeEdgeEdgeGradient(gradient, 0, x, 0, type);
        writeEdgeEdgeHessian(hessian, 0, x, 0, type);
        const slopes = differentiate(x, h, (y) => measureEdgeEdge(y, 0, type));
        expect(compareLists(gradient, slopes.flat())).toBeLessThan(1e-6);
        const bends = differentiate(x, h, (y) => {
          const out = new Float64Array(12);
          writeEdgeEdgeGradient(out, 0, y, 0, type);
          return out;
        });
        expect(compareLists(hessian, bends.flat())).toBeLessThan(1e-6);
      }
    }
  });

  test('weights give the offset of the closest points, whose length is the distance; unused points have none', () => {
    const weights = new Float64Array(4);
    const gradient = new Float64Array(12);
    for (const x of draw(takeSamples(900, 0.3), 9)) {
      const type = classifyEdgeEdge(x, 0);
      writeEdgeEdgeCoefficients(weights, 0, x, 0, type);
      writeEdgeEdgeGradient(gradient, 0, x, 0, type);
      expect(weights[0] + weights[1]).toBeCloseTo(1, 12);
      expect(weights[2] + weights[3]).toBeCloseTo(-1, 12);
      const offset = [0, 1, 2].map((a) => pointsOf(x).reduce((sum, point, i) => sum + weights[i] * point[a], 0));
      expect(Math.hypot(...offset)).toBeCloseTo(Math.sqrt(measure(x)), 10);
      for (let i = 0; i < 4; i++) {
        expect(weights[i] !== 0).toBe(((EDGE_EDGE_POINTS[type] >> i) & 1) === 1);
        for (let a = 0; a < 3; a++) expect(gradient[3 * i + a]).toBeCloseTo(2 * weights[i] * offset[a], 10);
      }
      // closest points are convex combinations
      expect(Math.min(weights[0], weights[1], -weights[2], -weights[3])).toBeGreaterThanOrEqual(0);
    }
  });
});

function sub(a: number[], b: number[]): number[] {
  return a.map((value, i) => value - b[i]);
}

function cross(a: number[], b: number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
