import { describe, expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../../../../scripts/long-run.ts';
import { L_HUB, L_OUTLINE, prismMesh } from '../../testing/closed-meshes.ts';
import { createRandom } from '../../testing/forest.ts';
import { measureKeptMemory } from '../../testing/heap-growth.ts';
import {
  AT_ORIGIN,
  type Contact,
  randomQuaternion,
  rotate,
  runPair,
  surfacePoint,
  toMatrix,
} from '../../testing/pair-poses.ts';
import { ContactPoints } from '../contact-points.ts';
import { buildPolyhedron } from '../convex/build-polyhedron.ts';
import { type PlacedShape, placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { SHAPE_TABLE } from '../shapes/shape-table.ts';
import { buildTriangleMesh } from '../triangle-mesh/build-triangle-mesh.ts';
import type { SignedDistanceField } from './field.ts';
import { buildExactMeshField, buildMeshField } from './mesh-field.ts';
import { createTorusField } from './primitive-field.ts';
import { boundMissedDepth, testSignedDistancePair } from './signed-distance-pairs.ts';
import { buildSurfaceSamples } from './surface-samples.ts';

type Point = [number, number, number];

const R = 1;
const r = 0.3;
const torus = createTorusField(R, r);
const angle = prismMesh(L_OUTLINE, 0.4, L_HUB);
const angleField = buildMeshField(angle.vertices, angle.faces, 0.05);

function placeField(field: SignedDistanceField): PlacedShape {
  return placeShape(SHAPE.signedDistance, [], [0, 0, 0], undefined, { field });
}

function move(
  shape: PlacedShape,
  position: readonly number[],
  quaternion: readonly number[] = AT_ORIGIN.slice(3),
): void {
  shape.position.set(position);
  shape.rotation.set(toMatrix(quaternion));
}

function drawPose(random: () => number, range: number): [number[], number[]] {
  return [[0, 1, 2].map(() => range * (2 * random() - 1)), randomQuaternion(random)];
}

/** A world point in the frame of a shape. */
function toLocal(shape: PlacedShape, p: readonly number[]): Point {
  const [x, y, z] = p.map((c, k) => c - shape.position[k]);
  const m = shape.rotation;
  return [0, 1, 2].map((k) => m[k] * x + m[k + 3] * y + m[k + 6] * z) as Point;
}

/** What holds for every contact: a surface point of A whose distance to B is the gap, along the normal. */
function checkContact(
  contact: Contact,
  a: PlacedShape,
  b: PlacedShape,
  fieldOfA: SignedDistanceField | undefined,
): void {
  const g = new Float64Array(3);
  const onA = surfacePoint(contact, -1);
  const onB = surfacePoint(contact, 1);
  // deeper than the tube's radius there is no field to compare with: a ball goes on into its gap
  if (contact.gap < -r + 1e-3) return;
  const gap = b.field!.gradient(g, ...toLocal(b, onA));
  const length = Math.hypot(...g);
  expect(Math.abs(gap - contact.gap)).toBeLessThan(1e-12);
  // where the spline rounds off a medial axis its gradient is short and its direction of little worth
  if (length > 0.1)
    rotate(b.rotation, [...g]).forEach((component, k) => {
      expect(Math.abs(component / length + contact.normal[k])).toBeLessThan(1e-9);
    });
  if (b.field!.errorBound === 0) expect(Math.abs(b.field!.distance(...toLocal(b, onB)))).toBeLessThan(1e-12);
  if (fieldOfA) expect(Math.abs(fieldOfA.distance(...toLocal(a, onA)))).toBeLessThan(1e-9);
}

/** Least distance to B of points in the frame of A. */
function findLeast(points: Float64Array, a: PlacedShape, b: PlacedShape): number {
  const [m, p, n, q] = [a.rotation, a.position, b.rotation, b.position];
  let least = Infinity;
  for (let i = 0; i < points.length; i += 3) {
    const x = m[0] * points[i] + m[1] * points[i + 1] + m[2] * points[i + 2] + p[0] - q[0];
    const y = m[3] * points[i] + m[4] * points[i + 1] + m[5] * points[i + 2] + p[1] - q[1];
    const z = m[6] * points[i] + m[7] * points[i + 1] + m[8] * points[i + 2] + p[2] - q[2];
    const d = b.field!.distance(
      n[0] * x + n[3] * y + n[6] * z,
      n[1] * x + n[4] * y + n[7] * z,
      n[2] * x + n[5] * y + n[8] * z,
    );
    least = Math.min(least, d);
  }
  return least;
}

function leastGap(contacts: readonly Contact[]): number {
  return Math.min(...contacts.map((contact) => contact.gap));
}

describe('a sphere is exact', () => {
  test('on a torus: gap, normal and position in closed form', () => {
    const ball = placeShape(SHAPE.sphere, [0.2]);
    const ring = placeField(torus);
    const random = createRandom(1);
    for (let i = 0; i < takeSamples(10_000, 0.03); i++) {
      const [center] = drawPose(random, 2);
      move(ball, center);
      move(
        ring,
        [0, 1, 2].map(() => random() - 0.5),
        randomQuaternion(random),
      );
      const [x, y, z] = toLocal(ring, center);
      const gap = Math.hypot(Math.hypot(x, y) - R, z) - r - 0.2;
      const contacts = runPair(testSignedDistancePair, ball, ring, 1);
      expect(contacts.length).toBe(gap <= 1 ? 1 : 0);
      if (contacts.length === 0) continue;
      expect(Math.abs(contacts[0].gap - gap)).toBeLessThan(1e-14);
      // from the centre to the nearest point of the ring's circle
      const q = Math.hypot(x, y);
      const toCircle = rotate(ring.rotation, [(x * R) / q - x, (y * R) / q - y, -z]);
      const way = Math.hypot(...toCircle);
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(contacts[0].normal[k] - toCircle[k] / way)).toBeLessThan(1e-12);
        const middle = center[k] + ((0.2 + gap / 2) * toCircle[k]) / way;
        expect(Math.abs(contacts[0].position[k] - middle)).toBeLessThan(1e-13);
      }
    }
  });

  test('on the grid of a mesh: within its error of the exact distance', () => {
    const exact = buildExactMeshField(angle.vertices, angle.faces);
    const ball = placeShape(SHAPE.sphere, [0.1]);
    const solid = placeField(angleField);
    const random = createRandom(2);
    for (let i = 0; i < takeSamples(10_000, 0.03); i++) {
      const p: Point = [2.4 * random() - 0.2, 2 * random() - 0.2, random() - 0.5];
      move(ball, p);
      const contacts = runPair(testSignedDistancePair, ball, solid, 10);
      expect(contacts.length).toBe(1);
      // beyond the grid the field is a lower bound
      const error = contacts[0].gap - (exact.distance(...p) - 0.1);
      expect(error).toBeLessThan(angleField.errorBound);
      if (angleField.distance(...p) < 0.1) expect(error).toBeGreaterThan(-angleField.errorBound);
    }
    expect(boundMissedDepth(ball, solid)).toBe(angleField.errorBound);
  });
});

test('a capsule has the least distance of its axis', () => {
  const capsule = placeShape(SHAPE.capsule, [0.1, 0.7]);
  const ring = placeField(torus);
  const random = createRandom(3);
  let exact = 0;
  const trials = takeSamples(2000, 0.1);
  for (let i = 0; i < trials; i++) {
    move(capsule, ...drawPose(random, 1.2));
    const [m, p] = [capsule.rotation, capsule.position];
    let least = Infinity;
    for (let j = 0; j <= 2000; j++) {
      const t = 0.7 * (j / 1000 - 1);
      least = Math.min(least, torus.distance(p[0] + t * m[2], p[1] + t * m[5], p[2] + t * m[8]));
    }
    const contacts = runPair(testSignedDistancePair, capsule, ring, Infinity);
    for (const contact of contacts) checkContact(contact, capsule, ring, undefined);
    const found = leastGap(contacts);
    // the promise, and that no point is deeper than the axis allows (steps of 0.7 mm)
    expect(found).toBeLessThanOrEqual(least - 0.1 + boundMissedDepth(capsule, ring));
    expect(found).toBeGreaterThan(least - 0.1 - 0.00036);
    // by descent within a covering radius: as deep as the finest lattice
    if (found <= least - 0.1 + 1e-9) exact++;
  }
  expect(exact).toBeGreaterThan(0.99 * trials);
});

const hull = buildPolyhedron(
  Array.from({ length: 60 }, (_, i) => 0.5 * Math.sin(1 + i * i)),
  undefined,
  'hull',
);
const mesh = buildTriangleMesh(
  angle.vertices.map((x) => 0.4 * x),
  angle.faces,
  'angle',
);
const solids: { name: string; shape: PlacedShape }[] = [
  { name: 'box', shape: placeShape(SHAPE.box, [0.5, 0.3, 0.2]) },
  { name: 'cylinder', shape: placeShape(SHAPE.cylinder, [0.3, 0.4]) },
  { name: 'ellipsoid', shape: placeShape(SHAPE.ellipsoid, [0.5, 0.3, 0.2]) },
  { name: 'convex mesh', shape: placeShape(SHAPE.convexMesh, [], [0, 0, 0], undefined, { hull }) },
  { name: 'triangle mesh', shape: placeShape(SHAPE.triangleMesh, [], [0, 0, 0], undefined, { mesh }) },
];
const partners = [
  { partner: 'torus', field: torus },
  { partner: 'grid of an L', field: angleField },
];

describe.each(solids)('$name', ({ shape }) => {
  const dense = buildSurfaceSamples(shape, 20_000)!;
  const ownField = SHAPE_TABLE[shape.kind].field?.(shape.size);

  test.each(takeCases(partners, shape.kind === SHAPE.box ? 1 : 2))(
    'on a $partner: no surface point is deeper than promised, most poses to 1e-6',
    ({ field }) => {
      const b = placeField(field);
      const random = createRandom(4);
      const missed = boundMissedDepth(shape, b);
      expect(missed).toBeLessThan(0.2);
      let exact = 0;
      let touching = 0;
      const poses = takeSamples(120, 0.5);
      for (let i = 0; i < poses; i++) {
        move(shape, ...drawPose(random, 1.2));
        move(
          b,
          [0, 1, 2].map(() => random() - 0.5),
          randomQuaternion(random),
        );
        const least = findLeast(dense.points, shape, b);
        const contacts = runPair(testSignedDistancePair, shape, b, 0.01);
        for (const contact of contacts) checkContact(contact, shape, b, ownField);
        expect(contacts.length).toBeLessThanOrEqual(9);
        if (least > 0.01 + 1e-12) continue;
        // ten times as many samples; what they find was found before, or is less than promised deeper
        touching++;
        const found = contacts.length > 0 ? leastGap(contacts) : 0.01;
        expect(found).toBeLessThanOrEqual(least + missed);
        expect(found).toBeGreaterThanOrEqual(least - dense.coveringRadius * field.lipschitz);
        if (found <= least + 1e-6) exact++;
      }
      expect(touching).toBeGreaterThan(0.2 * poses);
      expect(exact / touching).toBeGreaterThan(0.9);
    },
  );
});

describe('a plane', () => {
  test('meets a torus at its lowest points', () => {
    const plane = placeShape(SHAPE.plane, [0, 0]);
    const ring = placeField(torus);
    const random = createRandom(5);
    for (let i = 0; i < takeSamples(1000, 0.3); i++) {
      move(plane, ...drawPose(random, 1));
      move(ring, ...drawPose(random, 1));
      // the ring's circle is lowest where it is farthest along the normal, less the tube
      const up = rotate(plane.rotation, [0, 0, 1]);
      const axis = rotate(ring.rotation, [0, 0, 1]);
      const along = up[0] * axis[0] + up[1] * axis[1] + up[2] * axis[2];
      const height = up.reduce((sum, u, k) => sum + u * (ring.position[k] - plane.position[k]), 0);
      const gap = height - R * Math.sqrt(Math.max(1 - along * along, 0)) - r;
      const contacts = runPair(testSignedDistancePair, plane, ring, gap + 0.05);
      expect(Math.abs(leastGap(contacts) - gap)).toBeLessThan(1e-6);
      for (const contact of contacts) {
        up.forEach((u, k) => {
          expect(Math.abs(contact.normal[k] - u)).toBeLessThan(1e-12);
        });
        expect(Math.abs(torus.distance(...toLocal(ring, surfacePoint(contact, 1))))).toBeLessThan(1e-9);
      }
    }
  });

  test('carries a ring that lies flat on points all around it', () => {
    const plane = placeShape(SHAPE.plane, [0, 0]);
    const ring = placeField(torus);
    move(ring, [0, 0, r - 1e-3]);
    const contacts = runPair(testSignedDistancePair, plane, ring, 1e-3);
    expect(contacts.length).toBeGreaterThanOrEqual(6);
    const turns = contacts.map(({ position: [x, y] }) => Math.atan2(y, x)).sort((a, b) => a - b);
    const steps = turns.map((turn, i) => (i > 0 ? turn - turns[i - 1] : turn + 2 * Math.PI - turns.at(-1)!));
    expect(Math.max(...steps)).toBeLessThan(Math.PI / 2);
    // each within a covering radius of the lowest circle, which is 1 mm deep
    for (const contact of contacts) {
      expect(contact.gap).toBeGreaterThan(-1e-3 - 1e-12);
      expect(contact.gap).toBeLessThan(0);
    }
  });
});

test('a box that lies on a slab gets points out to its corners, at equal gaps', () => {
  const slab = prismMesh([-1, -1, 1, -1, 1, 1, -1, 1], 0.5, [0, 0]);
  const ground = placeField(buildMeshField(slab.vertices, slab.faces, 0.1));
  const box = placeShape(SHAPE.box, [0.3, 0.2, 0.1]);
  move(box, [0.1, 0, 0.25 + 0.1 - 1e-3]);
  const contacts = runPair(testSignedDistancePair, box, ground, 1e-3);
  // flat faces are reproduced by the spline, away from its edges
  for (const { gap, normal } of contacts) {
    expect(Math.abs(gap + 1e-3)).toBeLessThan(1e-12);
    expect(normal[2]).toBeCloseTo(-1, 12);
  }
  for (const [x, y] of [
    [-0.2, -0.2],
    [0.4, -0.2],
    [-0.2, 0.2],
    [0.4, 0.2],
  ]) {
    const nearest = Math.min(...contacts.map(({ position: p }) => Math.hypot(p[0] - x, p[1] - y)));
    expect(nearest).toBeLessThan(1e-9);
  }
  // the same places the next time
  const again = runPair(testSignedDistancePair, box, ground, 1e-3);
  expect(again).toEqual(contacts);
});

test('large ground and a small field: the field is the one that is sampled', () => {
  const ground = placeShape(SHAPE.box, [10, 10, 1]);
  const ring = placeField(createTorusField(0.1, 0.03));
  const q = randomQuaternion(createRandom(6));
  move(ring, [3.3, 2.1, 1.12], q);
  const axis = rotate(toMatrix(q), [0, 0, 1]);
  const gap = 0.12 - 0.1 * Math.sqrt(1 - axis[2] ** 2) - 0.03;
  const contacts = runPair(testSignedDistancePair, ground, ring, 0.2);
  expect(Math.abs(leastGap(contacts) - gap)).toBeLessThan(1e-7);
  for (const { normal } of contacts) expect(normal[2]).toBeCloseTo(1, 12);
  expect(boundMissedDepth(ground, ring)).toBeLessThan(0.02);
});

test('terrain carries a field as the plane does where it is flat', () => {
  const flat = {
    rows: 5,
    columns: 7,
    halfSizeX: 3,
    halfSizeY: 2,
    baseDepth: 1,
    heights: new Float64Array(35).fill(0.5),
  };
  const ground = placeShape(SHAPE.heightField, [], [0, 0, -0.5], undefined, { heightField: flat });
  const plane = placeShape(SHAPE.plane, [0, 0]);
  const ring = placeField(createTorusField(0.4, 0.1));
  const random = createRandom(7);
  for (let i = 0; i < 50; i++) {
    move(ring, [random() - 0.5, random() - 0.5, 0.3 * random()], randomQuaternion(random));
    const onGround = runPair(testSignedDistancePair, ground, ring, 0.1);
    const onPlane = runPair(testSignedDistancePair, plane, ring, 0.1);
    expect(onGround.length > 0).toBe(onPlane.length > 0);
    if (onPlane.length > 0) expect(Math.abs(leastGap(onGround) - leastGap(onPlane))).toBeLessThan(1e-7);
  }
});

test('two fields: rings that touch, linked and side by side', () => {
  const [a, b] = [placeField(torus), placeField(createTorusField(0.8, 0.2))];
  // side by side in one plane
  move(b, [2.1 + 0.2, 0, 0]);
  let contacts = runPair(testSignedDistancePair, a, b, 0.5);
  expect(Math.abs(leastGap(contacts) - (2.3 - 1.3 - 1))).toBeLessThan(1e-6);
  const deepest = contacts.find(({ gap }) => gap === leastGap(contacts))!;
  expect(deepest.normal[0]).toBeCloseTo(1, 4);
  // a link: circles in orthogonal planes, nearest along x
  move(b, [1, 0, 0], [Math.SQRT1_2, Math.SQRT1_2, 0, 0]);
  contacts = runPair(testSignedDistancePair, a, b, 1);
  // distance of the two circles: from (1.8, 0, 0) on one to (1, 0, 0) on the other
  expect(Math.abs(leastGap(contacts) - (0.8 - 0.3 - 0.2))).toBeLessThan(1e-6);
});

test('no limit gives the closest point, from afar too', () => {
  const random = createRandom(8);
  for (const { shape } of solids) {
    const ring = placeField(torus);
    move(shape, [5 + random(), 4 * random(), -3], randomQuaternion(random));
    const dense = buildSurfaceSamples(shape, 20_000)!;
    const least = findLeast(dense.points, shape, ring);
    const contacts = runPair(testSignedDistancePair, shape, ring, Infinity);
    expect(leastGap(contacts)).toBeLessThanOrEqual(least + 1e-9);
  }
});

test('coincident centres, shapes without size and fields without a gradient give finite contacts', () => {
  const cube = prismMesh([-1, -1, 1, -1, 1, 1, -1, 1], 2, [0, 0]);
  const smoothCube = buildMeshField(cube.vertices, cube.faces, 0.25);
  const kinds = [SHAPE.plane, SHAPE.sphere, SHAPE.capsule, SHAPE.ellipsoid, SHAPE.cylinder, SHAPE.box];
  for (const field of [torus, smoothCube]) {
    for (const kind of kinds) {
      for (const size of [
        [0, 0, 0],
        [0.1, 0.1, 0.1],
        [1, 0, 0],
      ]) {
        const contacts = runPair(testSignedDistancePair, placeShape(kind, size), placeField(field), Infinity);
        expect(contacts.length).toBeGreaterThan(0);
      }
    }
    expect(runPair(testSignedDistancePair, placeField(field), placeField(field), 0).length).toBeGreaterThan(0);
  }
});

test('a settled test keeps no memory', () => {
  const out = new ContactPoints();
  const box = placeShape(SHAPE.box, [0.5, 0.3, 0.2]);
  const ring = placeField(angleField);
  const run = (times: number) => {
    for (let i = 0; i < times; i++) {
      out.clear();
      box.position[2] = 0.35 + 0.001 * (i % 10);
      testSignedDistancePair(out, box, ring, 0.01);
    }
  };
  run(2000);
  // nothing is kept (numbers that pass through calls may be boxed on their way)
  expect(measureKeptMemory(() => run(1000), 20_000)).toBeLessThan(20_000);
  expect(out.count).toBeGreaterThan(0);
});
