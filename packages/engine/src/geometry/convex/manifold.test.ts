import { describe, expect, test } from 'vitest';
import { createTurns, takeSamples } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/forest.ts';
import { measurePassingMemory } from '../../testing/heap-growth.ts';
import {
  type Contact,
  moveShape,
  multiply,
  randomQuaternion,
  rotate,
  runPair,
  smallTurn,
  surfacePoint,
  toMatrix,
} from '../../testing/pair-poses.ts';
import { signedDistance } from '../../testing/primitive-distance.ts';
import { ContactPoints } from '../contact-points.ts';
import { type PlacedShape, placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { buildPolyhedron } from './build-polyhedron.ts';
import { ContactFeature, findFeature } from './contact-feature.ts';
import { closestPoints } from './convex-distance.ts';
import { testConvexPair } from './convex-pair.ts';
import type { ConvexPolyhedron } from './polyhedron.ts';

const takeTurn = createTurns();

const out = { pointA: new Float64Array(3), pointB: new Float64Array(3), normal: new Float64Array(3) };

function prism(sides: number, radius: number, half: number): ConvexPolyhedron {
  const points: number[] = [];
  for (let i = 0; i < 2 * sides; i++) {
    const angle = (2 * Math.PI * (i % sides)) / sides;
    points.push(radius * Math.cos(angle), radius * Math.sin(angle), i < sides ? -half : half);
  }
  return buildPolyhedron(points, undefined, 'prism');
}

function block(x: number, y: number, z: number): ConvexPolyhedron {
  const points = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [x, y, z].map((s, k) => (i & (1 << k) ? s : -s)));
  return buildPolyhedron(points, undefined, 'block');
}

const SHAPES: [string, () => PlacedShape, number][] = [
  ['box', () => placeShape(SHAPE.box, [0.1, 0.15, 0.1]), 0.1],
  ['cylinder', () => placeShape(SHAPE.cylinder, [0.12, 0.1]), 0.1],
  ['block', () => placeShape(SHAPE.convexMesh, [0], undefined, undefined, { hull: block(0.1, 0.15, 0.1) }), 0.1],
  ['prism', () => placeShape(SHAPE.convexMesh, [0], undefined, undefined, { hull: prism(24, 0.12, 0.1) }), 0.1],
  ['wedge', () => placeShape(SHAPE.convexMesh, [0], undefined, undefined, { hull: prism(3, 0.15, 0.1) }), 0.1],
];
const PAIRS = SHAPES.flatMap(([nameA, a, halfA]) =>
  SHAPES.map(([nameB, b, halfB]) => [nameA, nameB, a, b, halfA + halfB] as const),
);

// distance of a point from the surface of a shape
function fromSurface(shape: PlacedShape, point: readonly number[]): number {
  if (shape.kind !== SHAPE.convexMesh) return signedDistance(shape, point);
  const { faceNormal, faceStart, faceVertex, vertices } = shape.hull as ConvexPolyhedron;
  const d = point.map((x, k) => x - shape.position[k]);
  const r = shape.rotation;
  const local = [0, 1, 2].map((k) => r[k] * d[0] + r[k + 3] * d[1] + r[k + 6] * d[2]);
  let highest = -Infinity;
  for (let f = 0; f < faceNormal.length / 3; f++) {
    const v = 3 * faceVertex[faceStart[f]];
    let above = 0;
    for (let k = 0; k < 3; k++) above += faceNormal[3 * f + k] * (local[k] - vertices[v + k]);
    highest = Math.max(highest, above);
  }
  return highest;
}

function area(contacts: readonly Contact[]): number {
  const points = contacts.map((c) => c.position).sort((p, q) => Math.atan2(p[1], p[0]) - Math.atan2(q[1], q[0]));
  const middle = [0, 1].map((k) => points.reduce((sum, p) => sum + p[k], 0) / points.length);
  points.sort(
    (p, q) => Math.atan2(p[1] - middle[1], p[0] - middle[0]) - Math.atan2(q[1] - middle[1], q[0] - middle[0]),
  );
  let sum = 0;
  points.forEach((p, i) => {
    const q = points[(i + 1) % points.length];
    sum += 0.5 * (p[0] * q[1] - p[1] * q[0]);
  });
  return sum;
}

describe.each(PAIRS)('%s under %s', (nameA, nameB, createA, createB, height) => {
  const test = takeTurn();
  test('lying flat: three or four points that span the common area, all with the gap of the faces', () => {
    const random = createRandom(nameA.length * 31 + nameB.length);
    for (let trial = 0; trial < takeSamples(60, 0.25); trial++) {
      const a = createA();
      const b = createB();
      const gap = [-1e-3, -1e-8, 0, 1e-8, 1e-3][trial % 5];
      b.position.set([0.05 * (random() - 0.5), 0.05 * (random() - 0.5), height + gap]);
      const angle = 2 * Math.PI * random();
      b.rotation.set([Math.cos(angle), -Math.sin(angle), 0, Math.sin(angle), Math.cos(angle), 0, 0, 0, 1]);
      const contacts = runPair(testConvexPair, a, b, 0.01);
      expect(contacts.length).toBeGreaterThanOrEqual(3);
      expect(contacts.length).toBeLessThanOrEqual(4);
      for (const contact of contacts) {
        expect(Math.abs(contact.gap - gap)).toBeLessThan(1e-12);
        expect(contact.normal[2]).toBeGreaterThan(1 - 1e-12);
        expect(Math.abs(contact.position[2] - (0.1 + 0.5 * gap))).toBeLessThan(1e-9);
      }
      expect(new Set(contacts.map((contact) => contact.feature)).size).toBe(contacts.length);
      // the centre of the upper shape is over the points or near them: the area is a good part of the common one
      expect(area(contacts)).toBeGreaterThan(0.006);
    }
  });

  test('leaning a little, anywhere: points are on both surfaces, the deepest is the gap', () => {
    const random = createRandom(nameA.length * 7 + nameB.length);
    for (let trial = 0; trial < takeSamples(200, 0.2); trial++) {
      const a = createA();
      const b = createB();
      const lean = [1e-6, 1e-3, 0.02, 0.3][trial % 4];
      b.position.set([0.1 * (random() - 0.5), 0.1 * (random() - 0.5), height + 0.02 * (random() - 0.5)]);
      const spin = 2 * Math.PI * random();
      const turn = multiply(smallTurn(random, lean), [Math.cos(spin), 0, 0, Math.sin(spin)]);
      b.rotation.set(toMatrix(turn));
      const matrix = toMatrix(randomQuaternion(random));
      const [movedA, movedB] = [a, b].map((shape) => moveShape(shape, matrix, [1, -2, 3]));
      const gap = closestPoints(out, movedA, movedB);
      const contacts = runPair(testConvexPair, movedA, movedB, 0.05);
      const deepest = Math.min(...contacts.map((contact) => contact.gap));
      expect(Math.abs(deepest - gap)).toBeLessThan(3e-7);
      for (const contact of contacts) {
        expect(contact.gap).toBeGreaterThan(gap - 1e-9);
        expect(Math.abs(fromSurface(movedA, surfacePoint(contact, -1)))).toBeLessThan(1e-7);
        expect(Math.abs(fromSurface(movedB, surfacePoint(contact, 1)))).toBeLessThan(1e-7);
      }
      // the same points from the other side, where the choice among equally deep ones does not matter
      const swapped = runPair(testConvexPair, movedB, movedA, 0.05);
      expect(Math.abs(Math.min(...swapped.map((contact) => contact.gap)) - deepest)).toBeLessThan(1e-6);
      // and moved along, where faces are not so nearly parallel that either gives the normal
      if (lean < 0.01) continue;
      const unmoved = runPair(testConvexPair, a, b, 0.05);
      expect(unmoved.length).toBe(contacts.length);
      unmoved.forEach((contact, i) => {
        expect(Math.abs(contact.gap - contacts[i].gap)).toBeLessThan(1e-9);
        // along a rim the closest points are known to the root of the tolerance of the gap
        const position = rotate(matrix, contact.position).map((x, k) => x + [1, -2, 3][k]);
        expect(Math.hypot(...position.map((x, k) => x - contacts[i].position[k]))).toBeLessThan(1e-5);
      });
    }
  });
});

describe('features', () => {
  test('of a resting body stay the same while it creeps and rocks a little', () => {
    const a = placeShape(SHAPE.box, [1, 1, 0.1]);
    const random = createRandom(3);
    for (const [, create, half] of SHAPES) {
      const b = create();
      let before: number[] | undefined;
      for (let step = 0; step < 50; step++) {
        b.position.set([0.2 + 1e-5 * step, 0.1, 0.1 + half - 1e-4]);
        b.rotation.set(
          toMatrix(multiply(smallTurn(random, 1e-8), [Math.cos(1e-4 * step), 0, 0, Math.sin(1e-4 * step)])),
        );
        const features = runPair(testConvexPair, a, b, 0).map((contact) => contact.feature);
        if (before) expect(features).toEqual(before);
        before = features;
      }
    }
  });

  test('of aligned blocks of one size stay the same through rounding', () => {
    const hull = block(0.1, 0.1, 0.1);
    const random = createRandom(4);
    const a = placeShape(SHAPE.box, [0.1, 0.1, 0.1]);
    const b = placeShape(SHAPE.convexMesh, [0], undefined, undefined, { hull });
    const expected = [-0.1, 0.1];
    for (let step = 0; step < 50; step++) {
      b.position.set([1e-12 * random(), 1e-12 * random(), 0.2 - 1e-4]);
      const contacts = runPair(testConvexPair, a, b, 0);
      expect(contacts.length).toBe(4);
      for (const contact of contacts) {
        for (let k = 0; k < 2; k++) {
          expect(Math.min(...expected.map((x) => Math.abs(x - contact.position[k])))).toBeLessThan(1e-9);
        }
      }
    }
  });
});

describe('edges', () => {
  test('a cylinder on its side has a point at each end of the line, on a box, a hull, and along another cylinder', () => {
    const lying = [1, 0, 0, 0, 0, -1, 0, 1, 0];
    const b = placeShape(SHAPE.cylinder, [0.1, 0.2], [0.05, 0.02, 0.2 - 1e-4], lying);
    for (const a of [
      placeShape(SHAPE.box, [0.3, 0.3, 0.1]),
      placeShape(SHAPE.convexMesh, [0], undefined, undefined, { hull: block(0.3, 0.3, 0.1) }),
      placeShape(SHAPE.cylinder, [0.1, 0.3], [0.05, 0, 0], lying),
    ]) {
      const contacts = runPair(testConvexPair, a, b, 0).sort((p, q) => p.position[1] - q.position[1]);
      expect(contacts.length).toBe(2);
      contacts.forEach((contact, i) => {
        expect(Math.abs(contact.gap + 1e-4)).toBeLessThan(1e-12);
        expect(Math.abs(contact.position[1] - (i === 0 ? -0.18 : 0.22))).toBeLessThan(1e-9);
        expect(Math.abs(contact.position[0] - 0.05)).toBeLessThan(1e-9);
      });
    }
  });

  test('a block on its edge has a point at each end; crossed edges have one', () => {
    const root = Math.SQRT1_2;
    const hull = block(0.1, 0.1, 0.1);
    const onEdge = [1, 0, 0, 0, root, -root, 0, root, root];
    const across = [root, -root, 0, 0, 0, -1, root, root, 0];
    const a = placeShape(SHAPE.box, [0.3, 0.3, 0.1]);
    const b = placeShape(SHAPE.convexMesh, [0], [0, 0, 0.1 + 0.1 * Math.SQRT2 - 1e-4], onEdge, { hull });
    const contacts = runPair(testConvexPair, a, b, 0);
    expect(contacts.map((contact) => contact.position[0]).sort((p, q) => p - q)).toEqual([
      expect.closeTo(-0.1, 9),
      expect.closeTo(0.1, 9),
    ]);
    const c = placeShape(SHAPE.convexMesh, [0], [0, 0, 0], onEdge, { hull });
    const d = placeShape(SHAPE.convexMesh, [0], [0.01, 0.02, 0.2 * Math.SQRT2 - 1e-4], across, { hull });
    const crossed = runPair(testConvexPair, c, d, 0);
    expect(crossed.length).toBe(1);
    expect(Math.abs(crossed[0].gap + 1e-4)).toBeLessThan(1e-12);
    expect(crossed[0].normal[2]).toBeGreaterThan(1 - 1e-12);
  });

  test('nothing is reported beyond the reach', () => {
    const a = placeShape(SHAPE.cylinder, [0.1, 0.1]);
    for (const [, create, half] of SHAPES) {
      const b = create();
      b.position[2] = 0.1 + half + 0.01;
      expect(runPair(testConvexPair, a, b, 0.0099).length).toBe(0);
      expect(runPair(testConvexPair, a, b, 0.0101).length).toBeGreaterThan(2);
    }
  });
});

// one corner alone has no size by which gaps could be compared: rounding decided whether the closest points joined it, and a contact stood twice
test('no contact stands twice where features meet at one point', () => {
  const points = [0.1, 0.1, -0.05, 0.1, -0.1, -0.05, -0.1, -0.1, -0.05, -0.1, 0.1, -0.05, -0.1, 0, 0.08, 0.1, 0, 0.08];
  const hull = buildPolyhedron(points, undefined, 'wedge');
  const rotation = [
    0.4221365419306402, -0.7382236700020062, -0.5261430917683995, -0.5596174222066801, 0.24439224890271663,
    -0.7918969436984987, 0.7131823614823852, 0.6287274781056115, -0.3099559283920325,
  ];
  const a = placeShape(SHAPE.convexMesh, [0], [0, 0, 0], rotation, { hull });
  const boxRotation = [
    -0.53227846370394, -0.6898096857612981, 0.4907567977184552, -0.5681273491286487, -0.13870993197596135,
    -0.8111663639126557, 0.6276232566189913, -0.7105787445463899, -0.3180674386821897,
  ];
  for (let i = -20; i <= 20; i++) {
    const place = [0.04174855487234891 + 5e-8 * i, -0.0010202999925240657, 0.20799999999999896];
    const b = placeShape(SHAPE.box, [0.09, 0.07, 0.06], place, boxRotation);
    expect(runPair(testConvexPair, a, b, 0).length).toBe(1);
  }
});

test('a settled pair makes no objects', () => {
  const points = new ContactPoints();
  const hull = prism(24, 0.12, 0.1);
  const a = placeShape(SHAPE.cylinder, [0.1, 0.1]);
  const pairs = [
    placeShape(SHAPE.convexMesh, [0], [0.01, 0, 0.199], undefined, { hull }),
    placeShape(SHAPE.ellipsoid, [0.1, 0.1, 0.1], [0.01, 0, 0.199]),
    placeShape(SHAPE.cylinder, [0.1, 0.1], [0.01, 0, 0.201]),
  ];
  const run = (count: number) => {
    for (let i = 0; i < count; i++) {
      points.clear();
      testConvexPair(points, a, pairs[i % 3], 0.01);
    }
  };
  run(20000);
  // V8 boxes numbers that pass between functions, 16 bytes each; an object of three numbers for each of some twenty support
  // points would be 20 · 72 bytes
  const most = 3000 * 1000;
  expect(measurePassingMemory(() => run(3000), most)).toBeLessThan(most);
});

describe('numbers of features', () => {
  // with 1027 sides, the edges 0-1026 and 1-2 of a cap had one number while ends were packed as from · 1024 + to
  test.each([500, 1027, 1500])('each edge and cap of a prism with %i sides has its own', (sides) => {
    const shape = placeShape(SHAPE.convexMesh, [0], undefined, undefined, { hull: prism(sides, 1, 1) });
    const feature = new ContactFeature();
    const ids = new Set<number>();
    const at = (x: number, y: number, z: number) => {
      const length = Math.hypot(x, y, z);
      findFeature(feature, shape, Float64Array.of(x / length, y / length, z / length), 1, new Float64Array(3));
      expect(feature.count).toBeGreaterThan(1);
      ids.add(feature.id);
    };
    for (const z of [-1, 1]) {
      at(0, 0, z);
      for (let i = 0; i < sides; i++) {
        const angle = (2 * Math.PI * (i + 0.5)) / sides;
        at(Math.cos(angle), Math.sin(angle), z);
      }
    }
    expect(ids.size).toBe(2 * sides + 2);
  });
});
