import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { createOraclePair, loadOracle } from '../../testing/contact-oracle.ts';
import { createRandom } from '../../testing/forest.ts';
import {
  AT_ORIGIN,
  compareContacts,
  moveShape,
  multiply,
  quarterTurns,
  randomQuaternion,
  runPair,
  smallTurn,
  surfacePoint,
  toMatrix,
} from '../../testing/pair-poses.ts';
import { minimizeConvex, signedDistance } from '../../testing/primitive-distance.ts';
import { type PlacedShape, placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { testCapsuleCapsule } from './capsule-capsule.ts';

const mujoco = await loadOracle();

const EVERYWHERE = Number.POSITIVE_INFINITY;

/** The gap by a search along the axis of A. */
function searchGap(a: PlacedShape, b: PlacedShape): number {
  const at = (s: number) => [0, 1, 2].map((k) => a.position[k] + s * a.rotation[3 * k + 2]);
  return minimizeConvex((s) => signedDistance(b, at(s)), -a.size[1], a.size[1]) - a.size[0];
}

const SIZES: [number[], number[]][] = [
  [
    [0.1, 0.4],
    [0.2, 0.3],
  ],
  [
    [0.01, 1],
    [0.3, 0.05],
  ],
  [
    [0.05, 0.5],
    [0.05, 0.5],
  ],
];

describe('capsule and capsule', () => {
  test('poses as by MuJoCo, whose near-parallel and contained cases are replaced by the analytic ones', () => {
    const random = createRandom(5);
    let touching = 0;
    let worst = 0;
    let worstGap = 0;
    for (const [sizeA, sizeB] of SIZES) {
      for (const reach of [0, 0.05, 100]) {
        const oracle = createOraclePair(
          mujoco,
          { kind: SHAPE.capsule, size: sizeA },
          { kind: SHAPE.capsule, size: sizeB },
          reach,
        );
        const extent = 0.6 * (sizeA[0] + sizeA[1] + sizeB[0] + sizeB[1]);
        for (let i = 0; i < takeSamples(1112, 0.2); i++) {
          const turnA = i % 5 ? randomQuaternion(random) : quarterTurns(random);
          const turnB = i % 7 ? randomQuaternion(random) : quarterTurns(random);
          const place = [0, 1, 2].map(() => extent * (2 * random() - 1));
          const theirs = oracle.collide([random(), 0, 0, ...turnA], [place[0], place[1], place[2], ...turnB]);
          const ours = runPair(testCapsuleCapsule, oracle.a, oracle.b, reach);
          if (ours.length > 0) touching++;
          const [ra, rb] = [oracle.a.rotation, oracle.b.rotation];
          const parallel = Math.abs(ra[2] * rb[2] + ra[5] * rb[5] + ra[8] * rb[8]) > 1 - 1e-6;
          if (parallel) {
            const gap = searchGap(oracle.a, oracle.b);
            expect(ours.length > 0).toBe(gap <= reach);
            if (ours.length > 0) worst = Math.max(worst, Math.abs(gap - Math.min(...ours.map((c) => c.gap))));
          } else {
            worstGap = Math.max(worstGap, compareContacts(ours, theirs));
          }
        }
        oracle.free();
      }
    }
    expect(touching).toBeGreaterThan(takeSamples(3000, 0.2));
    expect(worst).toBeLessThan(1e-9);
    expect(worstGap).toBeLessThan(1e-9);
  });

  test('the least gap is the distance for any angle, with the closest points on both surfaces', () => {
    const random = createRandom(6);
    let worst = 0;
    for (let i = 0; i < takeSamples(4000, 0.2); i++) {
      const [sizeA, sizeB] = SIZES[i % SIZES.length];
      const turn = randomQuaternion(random);
      const other = i % 2 ? randomQuaternion(random) : multiply(turn, smallTurn(random, 10 ** (-14 * random())));
      const extent = 0.6 * (sizeA[1] + sizeB[1]);
      const a = placeShape(SHAPE.capsule, sizeA, [0, 0, 0], toMatrix(turn));
      const place = [0, 1, 2].map(() => extent * (2 * random() - 1));
      const b = placeShape(SHAPE.capsule, sizeB, place, toMatrix(other));
      const contacts = runPair(testCapsuleCapsule, a, b, EVERYWHERE);
      const least = contacts.reduce((best, contact) => (contact.gap < best.gap ? contact : best));
      worst = Math.max(worst, Math.abs(least.gap - searchGap(a, b)));
      expect(Math.abs(signedDistance(a, surfacePoint(least, -1)))).toBeLessThan(1e-12);
      expect(Math.abs(signedDistance(b, surfacePoint(least, 1)))).toBeLessThan(1e-12);
      // the pair swapped, and moved as a whole
      const swapped = runPair(testCapsuleCapsule, b, a, EVERYWHERE);
      const turned = toMatrix(randomQuaternion(random));
      const moved = runPair(testCapsuleCapsule, moveShape(a, turned, place), moveShape(b, turned, place), EVERYWHERE);
      worst = Math.max(worst, Math.abs(least.gap - Math.min(...swapped.map((contact) => contact.gap))));
      worst = Math.max(worst, Math.abs(least.gap - Math.min(...moved.map((contact) => contact.gap))));
    }
    // the search stops at the rounding of its function values
    expect(worst).toBeLessThan(1e-10);
  });

  test('parallel capsules touch at both ends of the stretch beside each other, as by MuJoCo within its reach', () => {
    const oracle = createOraclePair(
      mujoco,
      { kind: SHAPE.capsule, size: [0.1, 0.5] },
      { kind: SHAPE.capsule, size: [0.2, 0.3] },
      0.01,
    );
    const random = createRandom(8);
    for (let i = 0; i < 200; i++) {
      const turn = randomQuaternion(random);
      const matrix = toMatrix(turn);
      const along = 1.2 * (random() - 0.5);
      const across = 0.3 + 0.02 * (random() - 0.6);
      const place = [0, 3, 6].map((k) => across * matrix[k] + along * matrix[k + 2]);
      // B may point the other way
      const theirs = oracle.collide([0, 0, 0, ...turn], [...place, ...(i % 2 ? turn : multiply(turn, [0, 1, 0, 0]))]);
      const ours = runPair(testCapsuleCapsule, oracle.a, oracle.b, 0.01);
      expect(ours.length).toBe(across - 0.3 <= 0.01 ? 2 : 0);
      const key = (position: number[]) => position[0] + 2 * position[1] + 3 * position[2];
      ours.sort((x, y) => key(x.position) - key(y.position));
      theirs.sort((x, y) => key(x.position) - key(y.position));
      // MuJoCo begins with the ends of A, also where these reach beyond B, if they are near enough
      if (ours.length > 0 && Math.abs(along) < 0.08) expect(compareContacts(ours, theirs)).toBeLessThan(1e-9);
      for (const contact of ours) expect(contact.gap).toBeCloseTo(across - 0.3, 12);
    }
    oracle.free();
  });

  test('axes that meet, coincide or have no length', () => {
    const q = Math.SQRT1_2;
    const cases: [number[], number[], number[], number[], number, number][] = [
      // half lengths, place and turn of B, gap, points
      [[0.5, 0.5], [0, 0, 0], [1, 0, 0, 0], [], -0.3, 2],
      [[0.5, 0.5], [0, 0, 0.4], [1, 0, 0, 0], [], -0.3, 2],
      [[0.5, 0.5], [0, 0, 0], [q, q, 0, 0], [], -0.3, 1],
      [[0.5, 0.5], [0, 0.5, 0], [q, q, 0, 0], [], -0.3, 1],
      [[0.5, 0], [0, 0, 0.2], [1, 0, 0, 0], [], -0.3, 1],
      [[0, 0], [0, 0, 0], [1, 0, 0, 0], [], -0.3, 1],
      [[0, 0], [1, 0, 0], [q, q, 0, 0], [], 0.7, 1],
      [[0.5, 0.5], [0, 0, 1.5], [1, 0, 0, 0], [], 0.2, 1],
      [[0.5, 0.5], [0, 0, 1], [1, 0, 0, 0], [], -0.3, 1],
    ];
    for (const [[halfA, halfB], place, turn, , gap, count] of cases) {
      const a = placeShape(SHAPE.capsule, [0.1, halfA], AT_ORIGIN.slice(0, 3));
      const b = placeShape(SHAPE.capsule, [0.2, halfB], place, toMatrix(turn));
      const contacts = runPair(testCapsuleCapsule, a, b, EVERYWHERE);
      expect(contacts.length).toBe(count);
      for (const contact of contacts) expect(contact.gap).toBeCloseTo(gap, 12);
    }
  });
});
