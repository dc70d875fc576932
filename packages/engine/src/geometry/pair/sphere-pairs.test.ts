import { describe, expect } from 'vitest';
import { createTurns, takeSamples } from '../../../../../scripts/long-run.ts';
import { createOraclePair, loadOracle } from '../../testing/contact-oracle.ts';
import { createRandom } from '../../testing/forest.ts';
import {
  compareContacts,
  moveShape,
  quarterTurns,
  randomQuaternion,
  rotate,
  runPair,
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

/** Ellipsoids have a test of their own. */
const OTHERS = PRIMITIVE_SIZES.filter(([, kind]) => kind !== SHAPE.ellipsoid);

const POSES = takeSamples(10_000, 0.15);

describe.each(OTHERS)('sphere and %s', (_, kind, sizes) => {
  const test = takeTurn();
  const pair = findClosedForm(SHAPE.sphere, kind) as PairTest;

  test(`${POSES} poses as by MuJoCo: apart, touching, centre inside, along axes`, () => {
    const random = createRandom(11 + kind);
    const cases = sizes.flatMap((size) => [
      { size, radius: 0.5 * Math.max(...size), reach: 0 },
      { size, radius: 0.01, reach: 0.3 * Math.max(...size) },
      { size, radius: 0.3, reach: 100 },
    ]);
    let touching = 0;
    let worst = 0;
    for (const { size, radius, reach } of cases) {
      const oracle = createOraclePair(mujoco, { kind: SHAPE.sphere, size: [radius] }, { kind, size }, reach);
      const extent = Math.max(...size) * 1.5 + radius;
      for (let i = 0; i < POSES / cases.length; i++) {
        const turn = i % 4 === 0 ? quarterTurns(random) : randomQuaternion(random);
        const place = [0, 1, 2].map((k) => (i % 2 ? extent : (size[k] ?? size[0])) * (2 * random() - 1));
        let theirs = oracle.collide([random(), random(), random(), ...randomQuaternion(random)], [...place, ...turn]);
        let ours = runPair(pair, oracle.a, oracle.b, reach);
        if (i % 5 === 1 && ours.length === 1) {
          // move B along the normal until the two touch
          const { gap, normal } = ours[0];
          const shift = place.map((x, k) => x - gap * normal[k]);
          const at = Array.from(oracle.a.position);
          theirs = oracle.collide([...at, 1, 0, 0, 0], [...shift, ...turn]);
          ours = runPair(pair, oracle.a, oracle.b, reach);
          expect(Math.abs(signedDistance(oracle.b, at) - radius)).toBeLessThan(1e-12);
          // at reach zero rounding decides
          if (ours.length !== theirs.length && reach === 0) continue;
        }
        if (theirs.length > 0) touching++;
        worst = Math.max(worst, compareContacts(ours, theirs));
      }
      oracle.free();
    }
    expect(touching).toBeGreaterThan(0.3 * POSES);
    expect(worst).toBeLessThan(1e-9);
  });

  test('the gap is the signed distance of the centre less the radius, with points on both surfaces', () => {
    const random = createRandom(71 + kind);
    let worst = 0;
    for (let i = 0; i < takeSamples(5000, 0.1); i++) {
      const size = sizes[i % sizes.length];
      const extent = 1.5 * Math.max(...size);
      const center = [0, 1, 2].map((k) => (i % 2 ? extent : (size[k] ?? size[0])) * (2 * random() - 1));
      const b = placeShape(kind, size, [random(), random(), random()], toMatrix(randomQuaternion(random)));
      const radius = random();
      const a = placeShape(
        SHAPE.sphere,
        [radius],
        rotate(b.rotation, center).map((x, k) => x + b.position[k]),
      );
      const contacts = runPair(pair, a, b, Number.POSITIVE_INFINITY);
      expect(contacts.length).toBe(1);
      const scale = 1 + Math.max(...size);
      worst = Math.max(worst, Math.abs(contacts[0].gap + radius - signedDistance(b, Array.from(a.position))) / scale);
      worst = Math.max(worst, Math.abs(signedDistance(a, surfacePoint(contacts[0], -1))) / scale);
      worst = Math.max(worst, Math.abs(signedDistance(b, surfacePoint(contacts[0], 1))) / scale);
      const turn = toMatrix(randomQuaternion(random));
      const shift = [random(), -random(), random()];
      const moved = runPair(pair, moveShape(a, turn, shift), moveShape(b, turn, shift), Number.POSITIVE_INFINITY);
      expect(moved[0].feature).toBe(contacts[0].feature);
      rotate(turn, contacts[0].position).forEach((x, k) => {
        worst = Math.max(worst, Math.abs(x + shift[k] - moved[0].position[k]) / scale);
      });
      worst = Math.max(worst, Math.abs(moved[0].gap - contacts[0].gap));
    }
    expect(worst).toBeLessThan(1e-12);
  });

  test('degenerate placements give the exact gap and points on both surfaces', () => {
    // the centre at the middle, on axes, on faces, edges and corners, and shapes without extent
    const tiny = [0, 1e-300, 1e-16, 1e-15, 1e-12];
    for (const size of [...sizes, [0, 0, 0], [0.5, 0, 0]]) {
      for (const x of [0, 0.5, 1, 1.5]) {
        for (const y of [0, 1]) {
          for (const z of [0, 0.5, 1, -1, 2]) {
            for (const e of tiny) {
              const full = kind === SHAPE.box ? size : [size[0], size[0], kind === SHAPE.sphere ? size[0] : size[1]];
              const center = [x * full[0] + e, y * full[1], z * full[2]];
              const a = placeShape(SHAPE.sphere, [0.25], center);
              const b = placeShape(kind, size);
              const [contact] = runPair(pair, a, b, Number.POSITIVE_INFINITY);
              expect(Math.abs(contact.gap + 0.25 - signedDistance(b, center))).toBeLessThan(1e-12);
              expect(Math.abs(signedDistance(a, surfacePoint(contact, -1)))).toBeLessThan(1e-12);
              expect(Math.abs(signedDistance(b, surfacePoint(contact, 1)))).toBeLessThan(1e-12);
            }
          }
        }
      }
    }
  });
});
