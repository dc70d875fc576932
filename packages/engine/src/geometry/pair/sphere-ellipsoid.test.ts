import { describe, expect, test } from 'vitest';
import { longTest, takeSamples } from '../../../../../scripts/long-run.ts';
import { createOraclePair, loadOracle } from '../../testing/contact-oracle.ts';
import { createRandom } from '../../testing/forest.ts';
import { moveShape, randomQuaternion, rotate, runPair, surfacePoint, toMatrix } from '../../testing/pair-poses.ts';
import { signedDistance } from '../../testing/primitive-distance.ts';
import { placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { testSphereEllipsoid } from './sphere-ellipsoid.ts';

const EVERYWHERE = Number.POSITIVE_INFINITY;
const SIZES = [
  [0.1, 0.2, 0.4],
  [1, 0.05, 0.3],
  [0.2, 0.2, 0.2],
  [0.5, 0.5, 0.1],
];

/** Distance of a point from an ellipsoid without symmetric coordinates, by bisection of Σ (eᵢ yᵢ / (t + eᵢ²))² = 1. */
function bisectDistance(size: readonly number[], point: readonly number[]): number {
  const excess = (t: number) => size.reduce((sum, e, k) => sum + ((e * point[k]) / (t + e * e)) ** 2, -1);
  let low = -(Math.min(...size) ** 2);
  let high = 100;
  for (let n = 0; n < 200; n++) {
    const middle = 0.5 * (low + high);
    if (excess(middle) > 0) low = middle;
    else high = middle;
  }
  const nearest = size.map((e, k) => (e * e * point[k]) / (high + e * e));
  return Math.sign(high) * Math.hypot(...nearest.map((x, k) => x - point[k]));
}

describe('sphere and ellipsoid', () => {
  longTest(
    '10,000 poses as by MuJoCo, whose iteration stalls on some spheres apart from the flattest ellipsoid',
    async () => {
      const mujoco = await loadOracle();
      const random = createRandom(31);
      let touching = 0;
      let worst = 0;
      let stalled = 0;
      for (const size of SIZES) {
        const oracle = createOraclePair(
          mujoco,
          { kind: SHAPE.sphere, size: [0.1] },
          { kind: SHAPE.ellipsoid, size },
          0.5,
        );
        for (let i = 0; i < 2500; i++) {
          const turn = randomQuaternion(random);
          // from the surface outwards: penetrating by up to the radius, and apart
          const direction = rotate(toMatrix(randomQuaternion(random)), [1, 0, 0]);
          const scale = 1 + 0.5 * random();
          const place = rotate(
            toMatrix(turn),
            direction.map((x, k) => -scale * size[k] * x),
          );
          const theirs = oracle.collide([0, 0, 0, 1, 0, 0, 0], [...place, ...turn]);
          const ours = runPair(testSphereEllipsoid, oracle.a, oracle.b, 0.5);
          expect(ours.length).toBe(theirs.length);
          if (ours.length === 0) continue;
          touching++;
          const { rotation: r, position: p } = oracle.b;
          const local = [0, 1, 2].map((k) => -(r[k] * p[0] + r[k + 3] * p[1] + r[k + 6] * p[2]));
          worst = Math.max(worst, Math.abs(ours[0].gap + 0.1 - bisectDistance(size, local)));
          if (Math.abs(theirs[0].gap - ours[0].gap) > 1e-9) stalled++;
        }
        oracle.free();
      }
      expect(touching).toBeGreaterThan(5000);
      expect(worst).toBeLessThan(1e-12);
      expect(stalled).toBeLessThan(50);
    },
  );

  test('points on both surfaces, the normal that of the ellipsoid, no point of the surface nearer, inside and outside', () => {
    const random = createRandom(32);
    let worst = 0;
    for (let i = 0; i < takeSamples(2000, 0.15); i++) {
      const size = SIZES[i % SIZES.length];
      const b = placeShape(SHAPE.ellipsoid, size, [random(), random(), random()], toMatrix(randomQuaternion(random)));
      const local = size.map((x) => (i % 2 ? 0.99 : 3) * x * (2 * random() - 1));
      const place = rotate(b.rotation, local).map((x, k) => x + b.position[k]);
      const a = placeShape(SHAPE.sphere, [0.1], place);
      const [contact] = runPair(testSphereEllipsoid, a, b, EVERYWHERE);
      worst = Math.max(worst, Math.abs(signedDistance(a, surfacePoint(contact, -1))));
      worst = Math.max(worst, Math.abs(signedDistance(b, surfacePoint(contact, 1))));
      const r = b.rotation;
      const on = surfacePoint(contact, 1).map((x, k) => x - b.position[k]);
      const q = [0, 1, 2].map((k) => (r[k] * on[0] + r[k + 3] * on[1] + r[k + 6] * on[2]) / size[k] ** 2);
      const length = Math.hypot(...q);
      rotate(r, q).forEach((x, k) => {
        worst = Math.max(worst, Math.abs(x / length + contact.normal[k]));
      });
      const inside = local.reduce((sum, x, k) => sum + (x / size[k]) ** 2, 0) < 1;
      expect(contact.gap + 0.1 < 0).toBe(inside);
      let nearest = Infinity;
      for (let n = 0; n < 50; n++) {
        const u = rotate(toMatrix(randomQuaternion(random)), [1, 0, 0]);
        const distance = Math.hypot(...u.map((x, k) => size[k] * x - local[k]));
        nearest = Math.min(nearest, distance);
      }
      expect(Math.abs(contact.gap + 0.1)).toBeLessThanOrEqual(nearest + 1e-12);
      const turn = toMatrix(randomQuaternion(random));
      const [moved] = runPair(testSphereEllipsoid, moveShape(a, turn, place), moveShape(b, turn, place), EVERYWHERE);
      expect(Math.abs(moved.gap - contact.gap)).toBeLessThan(1e-12);
    }
    // rounding at the sharp ends of the flattest, whose curvature reaches 400 / m
    expect(worst).toBeLessThan(1e-11);
  });

  test('centres on axes, on the surface, in the middle, and without extent', () => {
    for (const size of [...SIZES, [0, 0, 0], [0.3, 0, 0], [0.3, 0.3, 0]]) {
      const b = placeShape(SHAPE.ellipsoid, size);
      const least = Math.min(...size);
      const [middle] = runPair(testSphereEllipsoid, placeShape(SHAPE.sphere, [0.1]), b, EVERYWHERE);
      expect(middle.gap).toBeCloseTo(-least - 0.1, 7);
      for (let k = 0; k < 3; k++) {
        for (const factor of [1, 2]) {
          const place = [0, 0, 0];
          place[k] = factor * size[k];
          const [contact] = runPair(testSphereEllipsoid, placeShape(SHAPE.sphere, [0.1], place), b, EVERYWHERE);
          expect(contact.gap).toBeCloseTo((factor - 1) * size[k] - 0.1, 7);
        }
      }
    }
  });
});
