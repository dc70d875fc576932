import { describe, expect, test } from 'vitest';
import { createTurns, takeSamples } from '../../../../../scripts/long-run.ts';
import { createOraclePair, loadOracle } from '../../testing/contact-oracle.ts';
import { createRandom } from '../../testing/forest.ts';
import {
  compareContacts,
  moveShape,
  type Pose,
  quarterTurns,
  randomQuaternion,
  rotate,
  runPair,
  smallTurn,
  surfacePoint,
  toMatrix,
} from '../../testing/pair-poses.ts';
import { signedDistance } from '../../testing/primitive-distance.ts';
import { PRIMITIVE_SIZES } from '../../testing/primitive-sizes.ts';
import type { PairTest } from '../pair-test.ts';
import { placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { findClosedForm } from './closed-forms.ts';

const takeTurn = createTurns();

const mujoco = await loadOracle();

/** Poses of B: anywhere about the plane, some with axes along the plane's axes, some nearly so, some touching. */
function randomPlacement(random: () => number, planeTurn: number[], origin: number[], reach: number): Pose {
  const extent = 1.5 * reach;
  const across = [extent * (2 * random() - 1), extent * (2 * random() - 1), extent * (2 * random() - 1)];
  const place = rotate(toMatrix(planeTurn), across).map((x, k) => x + origin[k]);
  const choice = random();
  if (choice < 0.6) return [...place, ...randomQuaternion(random)];
  return [...place, ...(choice < 0.8 ? quarterTurns(random) : smallTurn(random, 10 ** (-12 * random())))];
}

const POSES = takeSamples(10_000, 0.15);

describe.each(PRIMITIVE_SIZES)('plane and %s', (_, kind, sizes) => {
  const test = takeTurn();
  const pair = findClosedForm(SHAPE.plane, kind) as PairTest;

  test(`${POSES} poses as by MuJoCo`, () => {
    const random = createRandom(3 + kind);
    const sizesAndReach = sizes.flatMap((size) => [
      { size, reach: 0 },
      { size, reach: 0.5 * Math.max(...size) },
      { size, reach: 100 },
    ]);
    let touching = 0;
    let worst = 0;
    for (const { size, reach } of sizesAndReach) {
      const oracle = createOraclePair(mujoco, { kind: SHAPE.plane, size: [0, 0, 1] }, { kind, size }, reach);
      for (let i = 0; i < POSES / sizesAndReach.length; i++) {
        const turn = i % 3 ? randomQuaternion(random) : [1, 0, 0, 0];
        const origin = [random(), random(), random()];
        const theirs = oracle.collide(
          [...origin, ...turn],
          randomPlacement(random, turn, origin, 2 * Math.max(...size)),
        );
        const ours = runPair(pair, oracle.a, oracle.b, reach);
        if (theirs.length > 0) touching++;
        // a box level with the plane has corners at the height of its centre: which of them are reported is rounding noise
        if (kind === SHAPE.box && ours.length !== theirs.length) {
          const height = signedDistance(oracle.a, Array.from(oracle.b.position));
          expect(ours.some((c) => Math.abs(c.gap - height) < 1e-12) || height > reach - 1e-12).toBe(true);
          continue;
        }
        worst = Math.max(worst, compareContacts(ours, theirs));
      }
      oracle.free();
    }
    expect(touching).toBeGreaterThan(0.3 * POSES);
    expect(worst).toBeLessThan(1e-9);
  });

  test('points lie on both surfaces, the lowest gap is the distance, and moving the pair moves the points', () => {
    const random = createRandom(70 + kind);
    let worst = 0;
    for (let i = 0; i < takeSamples(1000, 0.2); i++) {
      const size = sizes[i % sizes.length];
      const b = placeShape(kind, size, [random(), random(), random() - 0.5], toMatrix(randomQuaternion(random)));
      const a = placeShape(SHAPE.plane, [0, 0, 0]);
      const contacts = runPair(pair, a, b, Number.POSITIVE_INFINITY);
      const scale = 1 + Math.max(...size);
      const lowest = Math.min(...contacts.map((contact) => contact.gap));
      for (const contact of contacts) {
        worst = Math.max(worst, Math.abs(signedDistance(a, surfacePoint(contact, -1))) / scale);
        const distance = signedDistance(b, surfacePoint(contact, 1)) / scale;
        // the lowest point of the higher ball of a tilted capsule lies within the capsule
        worst = Math.max(worst, kind === SHAPE.capsule && contact.gap > lowest ? distance : Math.abs(distance));
      }
      const turn = toMatrix(randomQuaternion(random));
      const shift = [random(), -random(), random()];
      const moved = runPair(pair, moveShape(a, turn, shift), moveShape(b, turn, shift), Number.POSITIVE_INFINITY);
      expect(moved.length).toBe(contacts.length);
      moved.forEach((contact, k) => {
        worst = Math.max(worst, Math.abs(contact.gap - contacts[k].gap));
        const expected = rotate(turn, contacts[k].position).map((x, j) => x + shift[j]);
        expected.forEach((x, j) => {
          worst = Math.max(worst, Math.abs(x - contact.position[j]));
        });
        expect(contact.feature).toBe(contacts[k].feature);
      });
      // no point of the surface is lower: sampled along random supports
      for (let k = 0; k < 5; k++) {
        const direction = rotate(toMatrix(randomQuaternion(random)), [1, 0, 0]);
        const far = direction.map((x, j) => b.position[j] + 10 * x);
        const inside = (t: number) =>
          signedDistance(
            b,
            far.map((x, j) => b.position[j] + t * (x - b.position[j])),
          ) <= 0;
        let low = 0;
        let high = 1;
        for (let n = 0; n < 50; n++) inside((low + high) / 2) ? (low = (low + high) / 2) : (high = (low + high) / 2);
        const height = b.position[2] + low * (far[2] - b.position[2]);
        expect(height).toBeGreaterThanOrEqual(lowest - 1e-12);
      }
    }
    expect(worst).toBeLessThan(1e-12);
  });
});

describe('special placements', () => {
  const plane = placeShape(SHAPE.plane, [0, 0, 0]);

  test('a box turned by 45° about an edge keeps its two lowest corners', () => {
    const q = [Math.cos(Math.PI / 8), Math.sin(Math.PI / 8), 0, 0];
    for (let noise = -3; noise <= 3; noise++) {
      const b = placeShape(SHAPE.box, [0.1, 0.1, 0.1], [0, 0, -1], toMatrix(q));
      b.rotation[4] += noise * 2 ** -53;
      const contacts = runPair(findClosedForm(SHAPE.plane, SHAPE.box) as PairTest, plane, b, 0);
      expect(contacts.length).toBe(4);
      const gaps = contacts.map((contact) => contact.gap).sort((x, y) => x - y);
      expect(gaps[0]).toBeCloseTo(-1 - 0.1 * Math.SQRT2, 12);
      expect(gaps[1]).toBeCloseTo(-1 - 0.1 * Math.SQRT2, 12);
    }
  });

  test('a standing cylinder touches with a regular triangle, a lying one with a line', () => {
    const pair = findClosedForm(SHAPE.plane, SHAPE.cylinder) as PairTest;
    const standing = runPair(pair, plane, placeShape(SHAPE.cylinder, [0.3, 0.5], [0, 0, 0.5]), 1e-9);
    expect(standing.length).toBe(3);
    for (let i = 0; i < 3; i++) {
      const [p, q] = [standing[i].position, standing[(i + 1) % 3].position];
      expect(Math.hypot(p[0] - q[0], p[1] - q[1])).toBeCloseTo(0.3 * Math.sqrt(3), 12);
    }
    const lying = placeShape(SHAPE.cylinder, [0.3, 0.5], [0, 0, 0.3], [0, 0, 1, 0, 1, 0, -1, 0, 0]);
    const line = runPair(pair, plane, lying, 1e-9);
    expect(line.map((contact) => contact.position[0]).sort()).toEqual([-0.5, 0.5]);
  });

  test('features stay with the ends of a cylinder that rocks about level', () => {
    const pair = findClosedForm(SHAPE.plane, SHAPE.cylinder) as PairTest;
    for (const tilt of [-1e-6, 0, 1e-6]) {
      const q = [Math.cos(Math.PI / 4 + tilt), 0, Math.sin(Math.PI / 4 + tilt), 0];
      const contacts = runPair(pair, plane, placeShape(SHAPE.cylinder, [0.3, 0.5], [0, 0, 0.3], toMatrix(q)), 1e-3);
      for (const contact of contacts) expect(contact.feature).toBe(contact.position[0] > 0 ? 0 : 1);
    }
  });

  test('shapes without extent', () => {
    for (const [, kind] of PRIMITIVE_SIZES) {
      const pair = findClosedForm(SHAPE.plane, kind) as PairTest;
      for (const contact of runPair(pair, plane, placeShape(kind, [0, 0, 0], [1, 2, 0.25]), 1)) {
        expect(contact.gap).toBe(0.25);
        expect(contact.position).toEqual([1, 2, 0.125]);
      }
    }
  });
});
