import { describe, expect, test } from 'vitest';
import { createTurns, takeSamples } from '../../../../../scripts/long-run.ts';
import { gearOutline, L_HUB, L_OUTLINE, prismMesh, torusMesh } from '../../testing/closed-meshes.ts';
import { createRandom } from '../../testing/forest.ts';
import type { HeightField } from '../height-field.ts';
import { type PlacedShape, placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { SHAPE_TABLE } from '../shapes/shape-table.ts';
import { buildTriangleMesh } from '../triangle-mesh/build-triangle-mesh.ts';
import { closeMesh } from './closed-mesh.ts';
import { ExactMeshField } from './exact-mesh-field.ts';
import type { SignedDistanceField } from './field.ts';
import { buildMeshField } from './mesh-field.ts';
import { createTorusField } from './primitive-field.ts';
import { meshHeightField } from './shape-triangles.ts';
import { buildSurfaceSamples } from './surface-samples.ts';
import { createTerrainField } from './terrain-field.ts';
import { coverByCorners } from './triangle-samples.ts';

const takeTurn = createTurns();

type Point = [number, number, number];

/** A random point carried to the zero surface of a field. */
function drawFromField(field: SignedDistanceField, random: () => number): Point {
  const g = new Float64Array(3);
  const { bounds } = field;
  for (;;) {
    const p = [0, 1, 2].map((k) => bounds[k] + random() * (bounds[3 + k] - bounds[k])) as Point;
    for (let i = 0; i < 30; i++) {
      const d = field.gradient(g, ...p);
      if (Math.abs(d) < 1e-12) return p;
      const squared = g[0] ** 2 + g[1] ** 2 + g[2] ** 2;
      for (let k = 0; k < 3; k++) p[k] -= (d * g[k]) / squared;
    }
  }
}

/** A random point of a random triangle, small ones as often as large ones. */
function drawFromTriangles(vertices: ArrayLike<number>, triangles: ArrayLike<number>, random: () => number): Point {
  const t = 3 * Math.floor((random() * triangles.length) / 3);
  let [u, v] = [random(), random()];
  if (u + v > 1) [u, v] = [1 - u, 1 - v];
  return [0, 1, 2].map((k) => {
    const at = (i: number) => vertices[3 * triangles[t + i] + k];
    return at(0) + u * (at(1) - at(0)) + v * (at(2) - at(0));
  }) as Point;
}

const gear = prismMesh(gearOutline(12, 0.8, 1), 0.3, [0, 0]);
const angle = prismMesh(L_OUTLINE, 0.4, L_HUB);
const ring = torusMesh(1, 0.3, 60, 24);
const torus = createTorusField(1, 0.3);
const gearField = buildMeshField(gear.vertices, gear.faces, 0.05);
const terrain: HeightField = {
  rows: 9,
  columns: 12,
  halfSizeX: 2,
  halfSizeY: 1,
  baseDepth: 0.3,
  heights: Float64Array.from({ length: 108 }, (_, i) => 0.3 * Math.sin(i) * Math.sin(0.37 * i * i)),
};
const ground = meshHeightField(terrain);

interface Case {
  name: string;
  shape: PlacedShape;
  draw(random: () => number): Point;
}

function primitive(name: 'capsule' | 'ellipsoid' | 'cylinder' | 'box', size: number[]): Case {
  const shape = placeShape(SHAPE[name], size);
  const field = SHAPE_TABLE[shape.kind].field!(shape.size);
  return { name: `${name} ${size.join(' ')}`, shape, draw: (random) => drawFromField(field, random) };
}

function triangleMesh(name: string, mesh: { vertices: number[]; faces: number[] }): Case {
  return {
    name,
    shape: placeShape(SHAPE.triangleMesh, [], [0, 0, 0], undefined, {
      mesh: buildTriangleMesh(mesh.vertices, mesh.faces, name),
    }),
    draw: (random) => drawFromTriangles(mesh.vertices, mesh.faces, random),
  };
}

function signedDistance(name: string, field: SignedDistanceField): Case {
  return {
    name,
    shape: placeShape(SHAPE.signedDistance, [], [0, 0, 0], undefined, { field }),
    draw: (random) => drawFromField(field, random),
  };
}

const cases: Case[] = [
  primitive('ellipsoid', [1, 0.6, 0.3]),
  primitive('ellipsoid', [1, 1, 0.02]),
  primitive('ellipsoid', [0.1, 0.1, 2]),
  primitive('cylinder', [0.5, 0.8]),
  primitive('cylinder', [1, 0.02]),
  primitive('cylinder', [0.01, 3]),
  primitive('box', [1, 0.5, 0.2]),
  primitive('box', [3, 0.01, 0.02]),
  triangleMesh('mesh of a gear', gear),
  triangleMesh('mesh of an L', angle),
  triangleMesh('mesh of a torus', ring),
  signedDistance('torus', torus),
  signedDistance('field of a gear', gearField),
  {
    name: 'terrain',
    shape: placeShape(SHAPE.heightField, [], [0, 0, 0], undefined, { heightField: terrain }),
    draw: (random) => drawFromTriangles(ground.vertices, ground.triangles, random),
  },
];

function distanceToSamples(points: Float64Array, [x, y, z]: Point): number {
  let least = Infinity;
  for (let i = 0; i < points.length; i += 3) {
    const [dx, dy, dz] = [points[i] - x, points[i + 1] - y, points[i + 2] - z];
    least = Math.min(least, dx * dx + dy * dy + dz * dz);
  }
  return Math.sqrt(least);
}

describe.each(cases)('$name', ({ shape, draw }) => {
  const test = takeTurn();
  const samples = buildSurfaceSamples(shape)!;

  test('no surface point is farther from all samples than the covering radius', () => {
    const random = createRandom(1);
    let worst = 0;
    for (let i = 0; i < takeSamples(4000, 0.2); i++)
      worst = Math.max(worst, distanceToSamples(samples.points, draw(random)));
    expect(worst).toBeLessThanOrEqual(samples.coveringRadius * (1 + 1e-12));
    // and the radius is no idle bound
    expect(worst).toBeGreaterThan(0.4 * samples.coveringRadius);
  });

  test('samples are on the surface, of a number near to the one asked for', () => {
    const field = shape.field ?? SHAPE_TABLE[shape.kind].field?.(shape.size);
    if (field) {
      for (let i = 0; i < samples.points.length; i += 3) {
        const [x, y, z] = samples.points.subarray(i, i + 3);
        if (Math.abs(field.distance(x, y, z)) > 1e-11)
          expect.fail(`sample ${i / 3} is off by ${field.distance(x, y, z)}`);
      }
    }
    expect(samples.points.length / 3).toBeGreaterThan(300);
    expect(samples.points.length / 3).toBeLessThan(16_000);
    expect(buildSurfaceSamples(shape)!.points).toEqual(samples.points);
  });

  test('spheres of the tree hold their samples, and every sample is in one leaf', () => {
    const { spheres, children, order } = samples.tree;
    const seen = new Uint8Array(order.length);
    const visit = (node: number, above: number[]): void => {
      const [left, right] = [children[2 * node], children[2 * node + 1]];
      if (left >= 0) {
        for (const child of [left, right]) visit(child, [...above, node]);
        return;
      }
      for (let i = -1 - left; i < -1 - left + right; i++) {
        seen[order[i]]++;
        const p = samples.points.subarray(3 * order[i], 3 * order[i] + 3);
        for (const n of [...above, node]) {
          const d = Math.hypot(p[0] - spheres[4 * n], p[1] - spheres[4 * n + 1], p[2] - spheres[4 * n + 2]);
          if (d > spheres[4 * n + 3] * (1 + 1e-10)) expect.fail(`sample ${order[i]} is outside of node ${n}`);
        }
      }
    };
    visit(0, []);
    expect(seen.every((times) => times === 1)).toBe(true);
  });
});

test('spheres and capsules are sampled on their core', () => {
  const sphere = buildSurfaceSamples(placeShape(SHAPE.sphere, [0.3]))!;
  expect([...sphere.points, sphere.radius, sphere.coveringRadius]).toEqual([0, 0, 0, 0.3, 0]);
  const capsule = buildSurfaceSamples(placeShape(SHAPE.capsule, [0.3, 2]))!;
  expect(capsule.radius).toBe(0.3);
  expect(capsule.points[2]).toBe(-2);
  expect(capsule.points.at(-1)).toBe(2);
  expect(capsule.coveringRadius).toBeCloseTo(2 / 64, 15);
});

test('a plane has no samples; shapes without size have some', () => {
  expect(buildSurfaceSamples(placeShape(SHAPE.plane, [1, 1]))).toBeUndefined();
  for (const kind of [SHAPE.sphere, SHAPE.capsule, SHAPE.ellipsoid, SHAPE.cylinder, SHAPE.box]) {
    const samples = buildSurfaceSamples(placeShape(kind, [0, 0, 0]))!;
    expect(samples.points.length).toBeGreaterThan(0);
    expect(samples.points.every((x) => x === 0)).toBe(true);
    expect(samples.coveringRadius).toBe(0);
  }
});

test('the cover of a triangle by its corners is that of a dense lattice', () => {
  const random = createRandom(2);
  for (let i = 0; i < takeSamples(50, 0.3); i++) {
    const [ax, ay, bx, by] = [0, 1, 2, 3].map(() => random() - 0.5);
    const squares = [ax * ax + ay * ay, (ax - bx) ** 2 + (ay - by) ** 2, bx * bx + by * by] as const;
    const radius = coverByCorners(...squares);
    let worst = 0;
    const n = 200;
    for (let j = 0; j <= n; j++) {
      for (let k = 0; j + k <= n; k++) {
        const [x, y] = [(j * ax + k * bx) / n, (j * ay + k * by) / n];
        worst = Math.max(worst, Math.min(Math.hypot(x, y), Math.hypot(x - ax, y - ay), Math.hypot(x - bx, y - by)));
      }
    }
    expect(worst).toBeLessThanOrEqual(radius * (1 + 1e-9));
    // a lattice point is within a cell of the farthest point
    expect(worst).toBeGreaterThan(radius - Math.sqrt(Math.max(...squares)) / n);
  }
});

test('terrain has the distance of its closed mesh near the ground', () => {
  const exact = new ExactMeshField(closeMesh(ground.vertices, ground.triangles, 'terrain'));
  const field = createTerrainField(terrain);
  const random = createRandom(3);
  const [g, e] = [new Float64Array(3), new Float64Array(3)];
  for (let i = 0; i < takeSamples(20_000, 0.15); i++) {
    const [x, y, z] = [4.4 * random() - 2.2, 2.2 * random() - 1.1, 1.4 * random() - 0.5];
    const d = field.gradient(g, x, y, z);
    const truth = exact.gradient(e, x, y, z);
    if (Math.abs(truth) < 4 * 0.25) {
      expect(Math.abs(d - truth)).toBeLessThan(1e-13);
      // the gradient is unique but for points between two features
      if (g[0] * e[0] + g[1] * e[1] + g[2] * e[2] < 1 - 1e-9) {
        expect(Math.abs(exact.distance(x - d * g[0], y - d * g[1], z - d * g[2]))).toBeLessThan(1e-12);
      }
    }
  }
  // far away: never more than the distance
  for (let i = 0; i < takeSamples(2000, 0.3); i++) {
    const p = [0, 1, 2].map(() => 20 * random() - 10) as Point;
    expect(field.distance(...p)).toBeLessThanOrEqual(exact.distance(...p) + 1e-13);
  }
});
