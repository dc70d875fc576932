/** Shapes, brute-force distances and checks for tests of surfaces. */

import { ContactPoints } from '../geometry/contact-points.ts';
import { buildPolyhedron } from '../geometry/convex/build-polyhedron.ts';
import { closestPoints } from '../geometry/convex/convex-distance.ts';
import type { ConvexPolyhedron } from '../geometry/convex/polyhedron.ts';
import type { PairTest } from '../geometry/pair-test.ts';
import { type PlacedShape, placeShape } from '../geometry/placed-shape.ts';
import { SHAPE } from '../geometry/shape-kind.ts';
import { TriangleCore } from '../geometry/triangle-mesh/triangle-core.ts';
import type { TriangleSet } from '../geometry/triangle-mesh/triangle-mesh.ts';
import { sphereMesh } from './closed-meshes.ts';
import { multiply, quarterTurns, randomQuaternion, smallTurn } from './pair-poses.ts';

/** A small convex mesh, at most 0.25 from its centre. */
export const PEBBLE: ConvexPolyhedron = /* @__PURE__ */ buildPolyhedron(
  sphereMesh(0.25, 7, 4).vertices,
  undefined,
  'pebble',
);

/** Movers of about the same size. */
export const MOVERS: readonly [string, number, readonly number[]][] = [
  ['sphere', SHAPE.sphere, [0.2]],
  ['capsule', SHAPE.capsule, [0.1, 0.2]],
  ['ellipsoid', SHAPE.ellipsoid, [0.2, 0.25, 0.15]],
  ['cylinder', SHAPE.cylinder, [0.2, 0.15]],
  ['box', SHAPE.box, [0.2, 0.25, 0.15]],
  ['convex mesh', SHAPE.convexMesh, []],
];

/** A mover at the origin. */
export function placeMover(kind: number, size: readonly number[]): PlacedShape {
  return placeShape(kind, size, [0, 0, 0], undefined, kind === SHAPE.convexMesh ? { hull: PEBBLE } : {});
}

/** A rotation: any, along the axes, or nearly along the axes. */
export function mixedQuaternion(random: () => number): number[] {
  const choice = random();
  if (choice < 0.5) return randomQuaternion(random);
  return choice < 0.75 ? quarterTurns(random) : multiply(quarterTurns(random), smallTurn(random, 0.02));
}

/** Least distance of a convex shape to the triangles of a surface, one by one; not above zero where they overlap. */
export function measureByBruteForce(shape: PlacedShape, set: TriangleSet, count: number, frame: PlacedShape): number {
  const core = new TriangleCore();
  core.rotation.set(frame.rotation);
  const out = { pointA: new Float64Array(3), pointB: new Float64Array(3), normal: new Float64Array(3) };
  let least = Infinity;
  for (let t = 0; t < count; t++) {
    core.load(set, t);
    const { position } = core;
    const [x, y, z] = position;
    for (let k = 0; k < 3; k++) {
      position[k] =
        frame.position[k] + frame.rotation[3 * k] * x + frame.rotation[3 * k + 1] * y + frame.rotation[3 * k + 2] * z;
    }
    least = Math.min(least, closestPoints(out, shape, core));
  }
  return least;
}

/** Runs a pair test and returns what it appended. */
export function collide(test: PairTest | undefined, a: PlacedShape, b: PlacedShape, reach: number): ContactPoints {
  const out = new ContactPoints();
  if (!test) throw new Error(`no test for kinds ${a.kind} and ${b.kind}`);
  test(out, a, b, reach);
  return out;
}

/** Least gap of contacts, Infinity without any. */
export function leastGap(contacts: ContactPoints): number {
  let least = Infinity;
  for (let i = 0; i < contacts.count; i++) least = Math.min(least, contacts.gap[i]);
  return least;
}

/** Contacts as plain data, for comparing. */
export function listContacts(contacts: ContactPoints): number[][] {
  return Array.from({ length: contacts.count }, (_, i) => [
    contacts.gap[i],
    contacts.feature[i],
    ...contacts.position.slice(3 * i, 3 * i + 3),
    ...contacts.normal.slice(3 * i, 3 * i + 3),
  ]);
}
