import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/box-sets.ts';
import { buildBoundingTree } from '../bounding-tree/tree-builder.ts';
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';
import type { HeightField } from '../height-field.ts';
import { type PlacedShape, placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import type { SignedDistanceField } from '../signed-distance/field.ts';
import type { TriangleMesh } from '../triangle-mesh/triangle-mesh.ts';
import { writeShapeBounds } from './shape-bounds.ts';
import { UNBOUNDED } from './unbounded.ts';

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
// a quarter turn about x: y to z
const QUARTER = [1, 0, 0, 0, 0, -1, 0, 1, 0];

function randomRotation(random: () => number): number[] {
  const u = [0, 1, 2].map(() => random() - 0.5);
  const v = [0, 1, 2].map(() => random() - 0.5);
  const cross = (a: number[], b: number[]) =>
    [0, 1, 2].map((i) => a[(i + 1) % 3]! * b[(i + 2) % 3]! - a[(i + 2) % 3]! * b[(i + 1) % 3]!);
  const unit = (a: number[]) => a.map((x) => x / Math.hypot(...a));
  const x = unit(u);
  const z = unit(cross(x, v));
  return [...x, ...cross(z, x), ...z];
}

function bounds(shape: PlacedShape, inflate = 0): Float64Array {
  const out = new Float64Array(8).fill(Number.NaN);
  writeShapeBounds(out, 1, shape, inflate);
  expect(Number.isNaN(out[0]) && Number.isNaN(out[7])).toBe(true);
  return out.slice(1, 7);
}

/** Box of points of the shape's frame, placed. */
function sampledBounds({ position, rotation }: PlacedShape, points: number[][]): Float64Array {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const p of points) {
    for (let i = 0; i < 3; i++) {
      const x = position[i]! + rotation[3 * i]! * p[0]! + rotation[3 * i + 1]! * p[1]! + rotation[3 * i + 2]! * p[2]!;
      box[i] = Math.min(box[i]!, x);
      box[3 + i] = Math.max(box[3 + i]!, x);
    }
  }
  return box;
}

const STEPS = takeSamples(200, 0.25);
const STEP = Math.PI / STEPS;

/** Points of the unit sphere, at most a step apart along each angle. */
const SPHERE: number[][] = [];
for (let i = 0; i <= STEPS; i++) {
  for (let j = 0; j < 2 * STEPS; j++) {
    const s = Math.sin(i * STEP);
    SPHERE.push([s * Math.cos(j * STEP), s * Math.sin(j * STEP), Math.cos(i * STEP)]);
  }
}
const CIRCLE = Array.from({ length: 2 * STEPS }, (_, j) => [Math.cos(j * STEP), Math.sin(j * STEP)]);
const CORNERS = Array.from({ length: 8 }, (_, c) => [c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1]);

/** Surfaces by samples, and how far a sample at most stays behind the true extent, in units of the largest size. */
const CURVED = STEP * STEP;
const SURFACES: [string, number, (size: number[]) => number[][], number][] = [
  ['sphere', SHAPE.sphere, ([r]) => SPHERE.map((p) => p.map((x) => r! * x)), CURVED],
  [
    'capsule',
    SHAPE.capsule,
    ([r, h]) => SPHERE.flatMap(([x, y, z]) => [-1, 1].map((s) => [r! * x!, r! * y!, r! * z! + s * h!])),
    CURVED,
  ],
  ['ellipsoid', SHAPE.ellipsoid, (size) => SPHERE.map((p) => p.map((x, k) => size[k]! * x)), CURVED],
  [
    'cylinder',
    SHAPE.cylinder,
    ([r, h]) => CIRCLE.flatMap(([x, y]) => [-1, 1].map((s) => [r! * x!, r! * y!, s * h!])),
    CURVED,
  ],
  ['box', SHAPE.box, (size) => CORNERS.map((p) => p.map((x, k) => size[k]! * x)), 0],
];

describe('boxes of primitives enclose their surfaces and touch them', () => {
  for (const [name, kind, sample, slack] of SURFACES) {
    test(name, () => {
      const random = createRandom(kind);
      for (let k = 0; k < 12; k++) {
        const size = [0, 1, 2].map(() => 0.05 + random());
        const rotation = k === 0 ? IDENTITY : k === 1 ? QUARTER : randomRotation(random);
        const shape = placeShape(kind, size, [random(), -3, 5 * random()], rotation);
        const sampled = sampledBounds(shape, sample(size));
        const inflate = k % 2 === 0 ? 0 : 0.25;
        const box = bounds(shape, inflate);
        for (let i = 0; i < 6; i++) {
          const beyond = (i < 3 ? sampled[i]! - box[i]! : box[i]! - sampled[i]!) - inflate;
          expect(beyond).toBeGreaterThan(-1e-14 * 10);
          expect(beyond).toBeLessThan(slack * Math.max(...size) + 1e-13);
        }
      }
    });
  }
});

/** Wavy terrain, and the points of its solid that matter. */
function makeTerrain(): { field: HeightField; points: number[][] } {
  const heights = Float64Array.from({ length: 12 }, (_, k) => 0.3 * Math.sin(2 * k) + 0.1);
  const field: HeightField = { rows: 3, columns: 4, halfSizeX: 2, halfSizeY: 1, baseDepth: 0.5, heights };
  const top = Math.max(...heights);
  return { field, points: CORNERS.map(([x, y, z]) => [2 * x!, y!, z! > 0 ? top : -0.5]) };
}

describe('boxes of shapes with data', () => {
  const random = createRandom(1);
  const vertices = Float64Array.from({ length: 60 }, () => random() - 0.5);
  const points = Array.from({ length: 20 }, (_, k) => Array.from(vertices.slice(3 * k, 3 * k + 3)));
  const boxes = new Float64Array(6 * 20);
  for (let k = 0; k < 20; k++) boxes.set([...points[k]!, ...points[k]!], 6 * k);
  const tree = buildBoundingTree(boxes, 20);
  const root = tree.bounds;
  const rootCorners = CORNERS.map((c) => c.map((s, k) => root[s > 0 ? 3 + k : k]!));
  const field = { bounds: root.slice(0, 6) } as SignedDistanceField;
  const terrain = makeTerrain();
  const hull = { vertices } as ConvexPolyhedron;
  const mesh = { tree } as TriangleMesh;

  const cases: [string, number, Parameters<typeof placeShape>[4], number[][]][] = [
    ['convex mesh: its vertices', SHAPE.convexMesh, { hull }, points],
    ['triangle mesh: the corners of its own box', SHAPE.triangleMesh, { mesh }, rootCorners],
    ['distance field: the corners of its own box', SHAPE.signedDistance, { field }, rootCorners],
    ['height field: the corners of its own box', SHAPE.heightField, { heightField: terrain.field }, terrain.points],
  ];
  for (const [name, kind, data, corners] of cases) {
    test(name, () => {
      for (let k = 0; k < 20; k++) {
        const shape = placeShape(
          kind,
          [0, 0, 0],
          [random(), 2, -random()],
          k === 0 ? IDENTITY : randomRotation(random),
          data,
        );
        const sampled = sampledBounds(shape, corners);
        const box = bounds(shape, 0.1);
        for (let i = 0; i < 6; i++)
          expect(Math.abs(box[i]! - sampled[i]! - (i < 3 ? -0.1 : 0.1))).toBeLessThan(1e-14 * 10);
      }
    });
  }
});

describe('what has no end', () => {
  const u = UNBOUNDED;
  test('a plane across an axis of the world ends there', () => {
    expect(Array.from(bounds(placeShape(SHAPE.plane, [0, 0], [1, 2, 3], IDENTITY), 0.5))).toEqual([
      -u,
      -u,
      -u,
      u,
      u,
      3.5,
    ]);
    expect(Array.from(bounds(placeShape(SHAPE.plane, [5, 5], [1, 2, 3], QUARTER), 0.5))).toEqual([
      -u,
      1.5,
      -u,
      u,
      u,
      u,
    ]);
  });

  test('a tilted plane is endless along all axes', () => {
    const tilted = [1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8];
    expect(Array.from(bounds(placeShape(SHAPE.plane, [0, 0], [1, 2, 3], tilted)))).toEqual([-u, -u, -u, u, u, u]);
  });

  test('a field with an endless box', () => {
    const field = {
      bounds: Float64Array.of(-Infinity, -Infinity, -Infinity, Infinity, Infinity, 0),
    } as SignedDistanceField;
    const place = (rotation: number[]) => placeShape(SHAPE.signedDistance, [], [1, 2, 3], rotation, { field });
    expect(Array.from(bounds(place(IDENTITY)))).toEqual([-u, -u, -u, u, u, 3]);
    expect(Array.from(bounds(place([1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8])))).toEqual([-u, -u, -u, u, u, u]);
  });
});
