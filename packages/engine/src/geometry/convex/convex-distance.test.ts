/**
 * Signed distance of convex shapes against closed forms and brute force. The answer carries its own proof where the shapes are
 * apart: no distance is below g(n) (the gap between the support planes) and none above |pointB − pointA|, so when both equal the
 * gap it is the distance. In penetration −g(n) is a depth that frees the shapes; that none is smaller is shown by a grid of
 * directions, each improved by a search.
 */
import { describe, expect, test } from 'vitest';
import { createTurns, takeCases, takeSamples } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/forest.ts';
import { moveShape, quarterTurns, randomQuaternion, rotate, runPair, toMatrix } from '../../testing/pair-poses.ts';
import { minimizeConvex, signedDistance } from '../../testing/primitive-distance.ts';
import { findClosedForm } from '../pair/closed-forms.ts';
import type { PairTest } from '../pair-test.ts';
import { type PlacedShape, placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { buildPolyhedron } from './build-polyhedron.ts';
import { closestPoints } from './convex-distance.ts';
import type { ConvexPolyhedron } from './polyhedron.ts';
import { supportShape } from './support.ts';

const takeTurn = createTurns();

const out = { pointA: new Float64Array(3), pointB: new Float64Array(3), normal: new Float64Array(3) };
const sa = new Float64Array(3);
const sb = new Float64Array(3);

// gap between the support planes across a unit vector
function planeGap(a: PlacedShape, b: PlacedShape, n: ArrayLike<number>): number {
  supportShape(sa, 0, a, n[0], n[1], n[2]);
  supportShape(sb, 0, b, -n[0], -n[1], -n[2]);
  return n[0] * (sb[0] - sa[0]) + n[1] * (sb[1] - sa[1]) + n[2] * (sb[2] - sa[2]);
}

function ball(count: number, radius: number, random: () => number): number[] {
  return Array.from({ length: count }, () => rotate(toMatrix(randomQuaternion(random)), [0, 0, radius])).flat();
}

function createShape(kind: number, random: () => number, hulls: readonly ConvexPolyhedron[]): PlacedShape {
  // sizes over a factor of ten, so that needles and disks occur
  const size = [0, 0, 0].map(() => 0.05 * 10 ** random());
  const hull = kind === SHAPE.convexMesh ? { hull: hulls[Math.floor(random() * hulls.length)] } : {};
  const turn = random() < 0.15 ? quarterTurns(random) : randomQuaternion(random);
  const reach = 0.6 * random();
  const position = [0, 0, 0].map(() => reach * (2 * random() - 1));
  return placeShape(kind, size, position, toMatrix(turn), hull);
}

const random = createRandom(17);
const HULLS = [4, 8, 30, 200].map((count) => buildPolyhedron(ball(count, 0.25, random), undefined, 'ball'));
HULLS.push(
  buildPolyhedron(
    [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [0.3, 0.2, 0.004].map((s, k) => (i & (1 << k) ? s : -s))),
    undefined,
    'plate',
  ),
);

const KINDS: [string, number][] = [
  ['sphere', SHAPE.sphere],
  ['capsule', SHAPE.capsule],
  ['ellipsoid', SHAPE.ellipsoid],
  ['cylinder', SHAPE.cylinder],
  ['box', SHAPE.box],
  ['hull', SHAPE.convexMesh],
];
const PAIRS = KINDS.flatMap(([nameA, kindA], i) =>
  KINDS.slice(i).map(([nameB, kindB]) => [nameA, nameB, kindA, kindB] as const),
);

// the largest g over a grid of directions, the best of them improved by shrinking steps
function searchGap(a: PlacedShape, b: PlacedShape): number {
  const starts: [number, number[]][] = [];
  const golden = Math.PI * (3 - Math.sqrt(5));
  for (let i = 0; i < 1500; i++) {
    const z = 1 - (2 * i + 1) / 1500;
    const r = Math.sqrt(1 - z * z);
    const n = [r * Math.cos(golden * i), r * Math.sin(golden * i), z];
    starts.push([planeGap(a, b, n), n]);
  }
  starts.sort((p, q) => q[0] - p[0]);
  let best = -Infinity;
  for (const [value, start] of starts.slice(0, 12)) {
    let n = start;
    let gap = value;
    for (let step = 0.05, round = 0; step > 1e-7 && round < 300; round++) {
      let isBetter = false;
      for (let k = 0; k < 6; k++) {
        const t = n.map((x, j) => x + (j === k >> 1 ? (k & 1 ? step : -step) : 0));
        const length = Math.hypot(...t);
        const trial = t.map((x) => x / length);
        const g = planeGap(a, b, trial);
        if (g > gap + 1e-12) {
          gap = g;
          n = trial;
          isBetter = true;
        }
      }
      if (!isBetter) step *= 0.5;
    }
    best = Math.max(best, gap);
  }
  return best;
}

// pulls B out along the normal until it overlaps by `depth` at most
function makeShallow(a: PlacedShape, b: PlacedShape, depth: number): void {
  const start = Array.from(b.position);
  const way = Array.from(out.normal);
  let low = 0;
  let high = 3;
  for (let k = 0; k < 40; k++) {
    const t = 0.5 * (low + high);
    b.position.set(start.map((x, j) => x + t * way[j]));
    if (closestPoints(out, a, b) < -depth) low = t;
    else high = t;
  }
  b.position.set(start.map((x, j) => x + low * way[j]));
}

describe.each(PAIRS)('%s and %s', (_nameA, _nameB, kindA, kindB) => {
  const test = takeTurn();
  test('the gap is proven by support planes and points, from either side and anywhere', () => {
    const random = createRandom(100 * kindA + kindB);
    let apart = 0;
    const trials = takeSamples(1500, 0.1);
    for (let trial = 0; trial < trials; trial++) {
      const a = createShape(kindA, random, HULLS);
      const b = createShape(kindB, random, HULLS);
      const gap = closestPoints(out, a, b);
      const length = Math.hypot(...out.normal);
      if (!(Math.abs(length - 1) < 1e-12)) expect.fail(`normal of length ${length}`);
      const plane = planeGap(a, b, out.normal);
      if (Math.abs(plane - gap) > 2e-11) expect.fail(`trial ${trial}: gap ${gap}, between planes ${plane}`);
      // the points are one above the other by the gap
      const miss = Math.hypot(...[0, 1, 2].map((k) => out.pointB[k] - out.pointA[k] - gap * out.normal[k]));
      if (miss > 1e-9) expect.fail(`trial ${trial}: gap ${gap}, points miss by ${miss}`);
      if (gap > 0) {
        apart++;
        const distance = Math.hypot(...[0, 1, 2].map((k) => out.pointB[k] - out.pointA[k]));
        if (distance - gap > 1e-10) expect.fail(`trial ${trial}: gap ${gap}, distance ${distance}`);
      }
      const swapped = closestPoints(out, b, a);
      if (Math.abs(swapped - gap) > 1e-10) expect.fail(`trial ${trial}: swapped ${swapped - gap}`);
      const turn = toMatrix(randomQuaternion(random));
      const moved = closestPoints(out, moveShape(a, turn, [10, -20, 30]), moveShape(b, turn, [10, -20, 30]));
      if (Math.abs(moved - gap) > 1e-10) expect.fail(`trial ${trial}: moved ${moved - gap}`);
    }
    expect(apart).toBeGreaterThan(0.13 * trials);
    expect(apart).toBeLessThan(0.87 * trials);
  });

  test('no direction frees the shapes by less', () => {
    const random = createRandom(31 * kindA + kindB);
    for (let trial = 0, overlapping = 0; overlapping < takeSamples(12, 1 / 3); trial++) {
      const a = createShape(kindA, random, HULLS);
      const b = createShape(kindB, random, HULLS);
      if (closestPoints(out, a, b) > 0) continue;
      if (overlapping % 2 === 1) makeShallow(a, b, 0.02 * random());
      const gap = closestPoints(out, a, b);
      overlapping++;
      const searched = searchGap(a, b);
      if (searched > gap + 1e-9) expect.fail(`trial ${trial}: gap ${gap}, searched ${searched}`);
    }
  });
});

describe('closed forms', () => {
  // boxes are left out here: their closed form prefers faces to edges that are a little shallower
  test.each(PAIRS.filter(([, , a, b]) => findClosedForm(a, b) && !(a === SHAPE.box && b === SHAPE.box)))(
    '%s and %s as in closed form',
    (_nameA, _nameB, kindA, kindB) => {
      const closed = findClosedForm(kindA, kindB) as PairTest;
      const random = createRandom(7 * kindA + kindB);
      for (let trial = 0; trial < takeSamples(3000, 0.1); trial++) {
        const a = createShape(kindA, random, HULLS);
        const b = createShape(kindB, random, HULLS);
        const gap = closestPoints(out, a, b);
        const deepest = Math.min(...runPair(closed, a, b, Infinity).map((contact) => contact.gap));
        if (Math.abs(gap - deepest) > 1e-9) expect.fail(`trial ${trial}: ${gap} and ${deepest} in closed form`);
      }
    },
  );

  test('sphere and ellipsoid: the nearest point of an ellipsoid by bisection', () => {
    const random = createRandom(4);
    for (let trial = 0; trial < takeSamples(2000, 0.2); trial++) {
      const size = [0, 0, 0].map(() => 0.05 + random());
      const p = size.map((s) => 2 * s * (2 * random() - 1));
      const radius = random();
      // outside: x_i = s_i² p_i/(s_i² + t) with Σ (s_i p_i/(s_i² + t))² = 1, t > 0
      const isOutside = p.reduce((sum, x, k) => sum + (x / size[k]) ** 2, 0) > 1;
      if (!isOutside) continue;
      let low = 0;
      let high = 1e3;
      for (let k = 0; k < 200; k++) {
        const t = 0.5 * (low + high);
        const value = p.reduce((sum, x, j) => sum + ((size[j] * x) / (size[j] ** 2 + t)) ** 2, 0);
        if (value > 1) low = t;
        else high = t;
      }
      const distance = Math.hypot(...p.map((x, k) => x - (size[k] ** 2 * x) / (size[k] ** 2 + low)));
      const gap = closestPoints(out, placeShape(SHAPE.sphere, [radius], p), placeShape(SHAPE.ellipsoid, size));
      expect(Math.abs(gap - (distance - radius))).toBeLessThan(1e-12 * 10);
    }
  });

  test('ellipsoid over a wide box: the height of its support point', () => {
    const random = createRandom(5);
    const box = placeShape(SHAPE.box, [50, 50, 1], [0, 0, -1]);
    for (let trial = 0; trial < takeSamples(2000, 0.2); trial++) {
      const size = [0, 0, 0].map(() => 0.05 + random());
      const matrix = toMatrix(randomQuaternion(random));
      const z = 3 * random() - 1;
      const lowest = z - Math.hypot(...size.map((s, k) => s * matrix[6 + k]));
      const gap = closestPoints(out, placeShape(SHAPE.ellipsoid, size, [0.3, 0.4, z], matrix), box);
      expect(Math.abs(gap - lowest)).toBeLessThan(1e-12);
      expect(Math.abs(out.normal[2] + 1)).toBeLessThan(1e-12);
    }
  });

  test('two cylinders apart: distances of rims and generator lines of each from the other', () => {
    const random = createRandom(6);
    for (let trial = 0; trial < takeSamples(60, 0.1); trial++) {
      const [a, b] = [0, 1].map((k) =>
        placeShape(
          SHAPE.cylinder,
          [0.1 + 0.3 * random(), 0.1 + 0.3 * random()],
          [1.2 * k, 0.3 * random(), 0.3 * random()],
          toMatrix(randomQuaternion(random)),
        ),
      );
      let least = Infinity;
      for (const [from, to] of [
        [a, b],
        [b, a],
      ]) {
        const [radius, half] = from.size;
        const place = (angle: number, end: number) =>
          rotate(from.rotation, [radius * Math.cos(angle), radius * Math.sin(angle), end]).map(
            (x, k) => x + from.position[k],
          );
        for (let i = 0; i < 720; i++) {
          const top = place((i * Math.PI) / 360, half);
          const bottom = place((i * Math.PI) / 360, -half);
          least = Math.min(least, signedDistance(to, top), signedDistance(to, bottom));
          const line = (t: number) =>
            signedDistance(
              to,
              top.map((x, k) => x + t * (bottom[k] - x)),
            );
          if (i % 4 === 0) least = Math.min(least, minimizeConvex(line, 0, 1));
        }
      }
      // samples are at most a degree from the true place: r (1 − cos 1°) too far
      const gap = closestPoints(out, a, b);
      expect(gap).toBeLessThan(least + 1e-12);
      expect(gap).toBeGreaterThan(least - 1.3e-4);
    }
  });

  test('two boxes: the best of the fifteen separating axes, when they overlap', () => {
    const random = createRandom(12);
    let overlapping = 0;
    const trials = takeSamples(5000, 0.1);
    for (let trial = 0; trial < trials; trial++) {
      const a = createShape(SHAPE.box, random, HULLS);
      const b = createShape(SHAPE.box, random, HULLS);
      const axes = [a, b].map((s) => [0, 1, 2].map((k) => [s.rotation[k], s.rotation[k + 3], s.rotation[k + 6]]));
      const all = [...axes[0], ...axes[1]];
      for (const [ux, uy, uz] of axes[0]) {
        for (const [vx, vy, vz] of axes[1]) all.push([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]);
      }
      let best = -Infinity;
      for (const axis of all) {
        const length = Math.hypot(...axis);
        if (length < 1e-6) continue;
        for (const sign of [1, -1])
          best = Math.max(
            best,
            planeGap(
              a,
              b,
              axis.map((x) => (sign * x) / length),
            ),
          );
      }
      if (best > 0) continue;
      overlapping++;
      const gap = closestPoints(out, a, b);
      if (Math.abs(gap - best) > 1e-12) expect.fail(`trial ${trial}: ${gap} and ${best} by axes`);
    }
    expect(overlapping).toBeGreaterThan(0.2 * trials);
  });
});

describe('degenerate placements', () => {
  const shapes = () => [
    placeShape(SHAPE.sphere, [0.2]),
    placeShape(SHAPE.capsule, [0.1, 0.3]),
    placeShape(SHAPE.ellipsoid, [0.1, 0.2, 0.3]),
    placeShape(SHAPE.ellipsoid, [0.2, 0.2, 0.2]),
    placeShape(SHAPE.cylinder, [0.2, 0.3]),
    placeShape(SHAPE.box, [0.1, 0.2, 0.3]),
    placeShape(SHAPE.convexMesh, [0], undefined, undefined, { hull: HULLS[2] }),
    placeShape(SHAPE.convexMesh, [0], undefined, undefined, { hull: HULLS[4] }),
    // without extent
    placeShape(SHAPE.sphere, [0]),
    placeShape(SHAPE.capsule, [0, 0]),
    placeShape(SHAPE.ellipsoid, [0, 0, 0]),
    placeShape(SHAPE.ellipsoid, [0.2, 0.1, 0]),
    placeShape(SHAPE.cylinder, [0, 0]),
    placeShape(SHAPE.cylinder, [0.2, 0]),
    placeShape(SHAPE.cylinder, [0, 0.2]),
    placeShape(SHAPE.box, [0, 0, 0]),
    placeShape(SHAPE.box, [0.2, 0.1, 0]),
    placeShape(SHAPE.box, [0.2, 0, 0]),
  ];

  test('coincident centres and shifts along axes: finite, and as deep as a search finds', () => {
    for (const a of shapes()) {
      for (const b of shapes()) {
        for (const shift of [
          [0, 0, 0],
          [0.05, 0, 0],
          [0, 0, 0.1],
          [1e-12, 0, 0],
          [1e-300, 0, 0],
        ]) {
          b.position.set(shift);
          const gap = closestPoints(out, a, b);
          expect(Number.isFinite(gap)).toBe(true);
          expect(Math.abs(Math.hypot(...out.normal) - 1)).toBeLessThan(1e-12);
          expect(Math.abs(planeGap(a, b, out.normal) - gap)).toBeLessThan(1e-9);
        }
      }
    }
    // the search takes long: each pair once
    const all = shapes();
    const pairs = all.flatMap((a, i) => all.slice(i).map((b) => [a, b] as const));
    for (const [a, same] of takeCases(pairs, 9)) {
      const b = { ...same, position: Float64Array.of(0.05, 0, 0) };
      const gap = closestPoints(out, a, b);
      expect(searchGap(a, b) - gap, `${a.kind} ${a.size} and ${b.kind} ${b.size}`).toBeLessThan(1e-8);
    }
  });

  test('touching within rounding: the gap is zero and the normal that of the faces', () => {
    const random = createRandom(8);
    const cube = HULLS[4];
    for (let trial = 0; trial < 500; trial++) {
      const turn = toMatrix(randomQuaternion(random));
      const gap = [0, 1e-15, -1e-15, 1e-13, -1e-13, 1e-10, -1e-10, 1e-7, -1e-7][trial % 9];
      const x = 0.2 * (random() - 0.5);
      const others: PlacedShape[] = [
        placeShape(SHAPE.box, [0.1, 0.1, 0.1], [x, 0.02, 0.104 + gap]),
        placeShape(SHAPE.cylinder, [0.1, 0.1], [x, 0.02, 0.104 + gap]),
        placeShape(SHAPE.ellipsoid, [0.1, 0.05, 0.1], [x, 0.02, 0.104 + gap]),
        placeShape(SHAPE.sphere, [0.1], [x, 0.02, 0.104 + gap]),
        placeShape(SHAPE.convexMesh, [0], [x, 0.02, 0.008 + gap], undefined, { hull: cube }),
      ];
      const plate = moveShape(placeShape(SHAPE.convexMesh, [0], undefined, undefined, { hull: cube }), turn, [1, 2, 3]);
      const up = rotate(turn, [0, 0, 1]);
      for (const other of others) {
        const found = closestPoints(out, plate, moveShape(other, turn, [1, 2, 3]));
        expect(Math.abs(found - gap), `kind ${other.kind} at ${gap}`).toBeLessThan(1e-14 * 5);
        const cosine = out.normal[0] * up[0] + out.normal[1] * up[1] + out.normal[2] * up[2];
        expect(cosine, `kind ${other.kind} at ${gap}`).toBeGreaterThan(1 - 1e-7);
      }
    }
  });

  test('polyhedra of one, two and three vertices', () => {
    const hull = (vertices: number[]) => {
      const count = vertices.length / 3;
      const none = new Int32Array(1);
      return {
        vertices: Float64Array.from(vertices),
        neighborStart: new Int32Array(count + 1),
        neighbor: none,
        faceStart: none,
        faceVertex: none,
        faceNormal: new Float64Array(0),
        center: new Float64Array(3),
      };
    };
    const box = placeShape(SHAPE.box, [1, 1, 1]);
    const place = (vertices: number[]) =>
      placeShape(SHAPE.convexMesh, [0], [0, 0, 0], undefined, { hull: hull(vertices) });
    expect(closestPoints(out, box, place([3, 0, 0]))).toBeCloseTo(2, 14);
    expect(closestPoints(out, box, place([0.5, 0.2, 0]))).toBeCloseTo(-0.5, 14);
    expect(closestPoints(out, place([0, 0, 0]), place([0, 0, 0]))).toBe(0);
    expect(closestPoints(out, box, place([-3, 2, 0, 3, 2, 0]))).toBeCloseTo(1, 14);
    expect(closestPoints(out, box, place([-3, 0.5, 0, 3, 0.5, 0]))).toBeCloseTo(-0.5, 14);
    expect(closestPoints(out, box, place([-9, -9, 2, 9, -9, 2, 0, 9, 2]))).toBeCloseTo(1, 14);
    expect(closestPoints(out, box, place([-9, -9, 0.25, 9, -9, 0.25, 0, 9, 0.25]))).toBeCloseTo(-0.75, 14);
    expect(closestPoints(out, place([-1, 0, 0, 1, 0, 0]), place([0, -1, 0.5, 0, 1, 0.5]))).toBeCloseTo(0.5, 14);
  });
});

// a gap changes with the square of an angle: where its rounding ended the search, normals were off by 1e-11 rad, and their rates by 1e-5
test('normals of overlapping ellipsoids turn smoothly', () => {
  const a = placeShape(
    SHAPE.ellipsoid,
    [0.12, 0.09, 0.07],
    [0, 0, 0],
    [
      0.0598343259533779, -0.9943756337929619, -0.08738965817847333, -0.31718728219806214, -0.10194893168204702,
      0.942867245873297, -0.9464734974892387, -0.028696937950498935, -0.32150335037562733,
    ],
  );
  const rotation = [
    0.8615104163794604, -0.14453161159176905, -0.4867344406556565, -0.42051145290491476, 0.3341396571803397,
    -0.8435169277941033, 0.28455214011756513, 0.9313760265059923, 0.227087597205181,
  ];
  const position = [0.055920750301890025, 0.05872612844221273, 0.19359999999999888];
  const turn = (n: number, d: number): number[] => {
    const at = position.map((x, k) => x + 1e-5 * Math.sin(n + k) + (k === n % 3 ? d : 0));
    closestPoints(out, a, placeShape(SHAPE.ellipsoid, [0.12, 0.09, 0.07], at, rotation));
    return [...out.normal];
  };
  for (let n = 0; n < 300; n++) {
    const rate = (d: number): number[] => {
      const minus = turn(n, -d);
      return turn(n, d).map((x, k) => (x - minus[k]!) / (2 * d));
    };
    const long = rate(1e-5);
    // the longer one leaves (1e-5/0.07)² of the rate, the shorter one 1e-16/1e-7
    const short = rate(1.2e-7);
    for (let k = 0; k < 3; k++) expect(Math.abs(short[k]! - long[k]!)).toBeLessThan(1e-7 * Math.hypot(...long));
  }
});
