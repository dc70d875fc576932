import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/forest.ts';
import { randomQuaternion, rotate, toMatrix } from '../../testing/pair-poses.ts';
import { placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { buildPolyhedron } from './build-polyhedron.ts';
import { findSupportVertex, supportShape } from './support.ts';

const point = new Float64Array(3);

function unit(random: () => number): number[] {
  return rotate(toMatrix(randomQuaternion(random)), [0, 0, 1]);
}

// points on the surface of each kind, in its frame
const SURFACES: [string, number, number[], (u: number[]) => number[]][] = [
  ['sphere', SHAPE.sphere, [0.3], (u) => u.map((x) => 0.3 * x)],
  ['capsule', SHAPE.capsule, [0.2, 0.5], (u) => u.map((x, k) => 0.2 * x + (k === 2 ? Math.sign(u[2]) * 0.5 : 0))],
  ['ellipsoid', SHAPE.ellipsoid, [0.1, 0.3, 0.2], (u) => [0.1 * u[0], 0.3 * u[1], 0.2 * u[2]]],
  [
    'cylinder',
    SHAPE.cylinder,
    [0.2, 0.4],
    (u) => [(0.2 * u[0]) / Math.hypot(u[0], u[1]), (0.2 * u[1]) / Math.hypot(u[0], u[1]), Math.sign(u[2]) * 0.4],
  ],
  ['box', SHAPE.box, [0.1, 0.2, 0.3], (u) => [0.1, 0.2, 0.3].map((s, k) => s * Math.sign(u[k]))],
];

describe('support mapping', () => {
  test.each(SURFACES)('of a %s is not below any point of its surface, and one comes close', (_, kind, size, place) => {
    const random = createRandom(3);
    const samples = Array.from({ length: 4000 }, () => place(unit(random)));
    for (let trial = 0; trial < takeSamples(50, 0.3); trial++) {
      const matrix = toMatrix(randomQuaternion(random));
      const position = [random(), random(), random()];
      const shape = placeShape(kind, size, position, matrix);
      const d = unit(random);
      supportShape(point, 0, shape, d[0], d[1], d[2]);
      const height = d[0] * point[0] + d[1] * point[1] + d[2] * point[2];
      let highest = -Infinity;
      for (const sample of samples) {
        const world = rotate(matrix, sample).map((x, k) => x + position[k]);
        highest = Math.max(highest, d[0] * world[0] + d[1] * world[1] + d[2] * world[2]);
      }
      expect(height).toBeGreaterThanOrEqual(highest - 1e-14);
      // 4000 samples cover the sphere to about 0.06 rad: the height falls by half its square times the size
      expect(height).toBeLessThan(highest + 0.01);
    }
  });

  test.each([4, 10, 11, 30, 100, 1000])(
    'of a hull of %i points climbs to the highest vertex from anywhere',
    (count) => {
      const random = createRandom(count);
      const points = Array.from({ length: count }, () =>
        unit(random).map((x, k) => x * (1 + k) + 0.1 * random()),
      ).flat();
      const hull = buildPolyhedron(points, undefined, 'points');
      for (let trial = 0; trial < takeSamples(1000, 0.2); trial++) {
        // also along axes, where faces and edges may be across
        const d = trial % 10 === 0 ? [0, 0, trial % 20 === 0 ? 1 : -1] : unit(random);
        const hint = Math.floor((random() * hull.vertices.length) / 3);
        const vertex = findSupportVertex(hull, Float64Array.from(d), hint);
        const height = (i: number) => d[0] * points[3 * i] + d[1] * points[3 * i + 1] + d[2] * points[3 * i + 2];
        let highest = -Infinity;
        for (let i = 0; i < count; i++) highest = Math.max(highest, height(i));
        const { vertices } = hull;
        const found = d[0] * vertices[3 * vertex] + d[1] * vertices[3 * vertex + 1] + d[2] * vertices[3 * vertex + 2];
        expect(Math.abs(found - highest)).toBeLessThan(1e-15 * 8);
      }
    },
  );

  test('of a grid on the faces of a cube ignores the points inside its faces and edges', () => {
    const points: number[] = [];
    for (let x = 0; x < 5; x++) for (let y = 0; y < 5; y++) for (let z = 0; z < 5; z++) points.push(x, y, z);
    const hull = buildPolyhedron(points, undefined, 'grid');
    expect(hull.vertices.length / 3).toBe(8);
    for (let i = 0; i < 8; i++) {
      const d = [0, 1, 2].map((k) => (i & (1 << k) ? 1 : -1));
      const v = 3 * findSupportVertex(hull, Float64Array.from(d), 0);
      expect(Array.from(hull.vertices.slice(v, v + 3))).toEqual(d.map((s) => (s > 0 ? 4 : 0)));
    }
  });
});

test('vertices that rounding alone tells apart do not end the climb', () => {
  // a crooked double cone over twelve corners; those at x = 0 are there twice, 1e-17 apart, as in files of swept profiles
  const points = [0.01, 0, 0.02, -0.01, 0, -0.02];
  for (let k = 0; k < 12; k++) {
    const y = 0.05 * Math.sin((k * Math.PI) / 6);
    if (k % 6 !== 3) points.push(0.05 * Math.cos((k * Math.PI) / 6), y, 0);
    else for (const sign of [1, -1]) points.push(Math.sign(y) * sign * 5e-18, y, 0);
  }
  const ring = points.length / 3 - 2;
  const faces: number[] = [];
  for (let k = 0; k < ring; k++) {
    const next = (k + 1) % ring;
    faces.push(0, 2 + k, 2 + next, 1, 2 + next, 2 + k);
  }
  const hull = buildPolyhedron(points, faces, 'double cone');
  const { vertices } = hull;
  const count = vertices.length / 3;
  const random = createRandom(5);
  for (let n = 0; n < takeSamples(500, 0.3); n++) {
    const d = new Float64Array([random() - 0.5, random() - 0.5, random() - 0.5]);
    const heights = Array.from(
      { length: count },
      (_, i) => d[0] * vertices[3 * i] + d[1] * vertices[3 * i + 1] + d[2] * vertices[3 * i + 2],
    );
    for (let hint = 0; hint < count; hint++) {
      expect(heights[findSupportVertex(hull, d, hint)]).toBeCloseTo(Math.max(...heights), 14);
    }
  }
});
