/** The deepest points of segments and triangles in convex shapes against ternary searches, and the planes behind which the shapes are. */
import { describe, expect, test } from 'vitest';
import { ContactPoints } from '../../geometry/contact-points.ts';
import { placeShape } from '../../geometry/placed-shape.ts';
import { SHAPE } from '../../geometry/shape-kind.ts';
import { createRandom } from '../../testing/forest.ts';
import { randomQuaternion, toMatrix } from '../../testing/pair-poses.ts';
import { minimizeConvex, signedDistance } from '../../testing/primitive-distance.ts';
import { findPairTest } from '../narrow-phase.ts';
import { PartDepth } from './part-depth.ts';

const KINDS: [string, number, number[]][] = [
  ['box', SHAPE.box, [0.3, 0.2, 0.25]],
  ['cylinder', SHAPE.cylinder, [0.2, 0.3]],
  ['capsule', SHAPE.capsule, [0.1, 0.3]],
  ['sphere', SHAPE.sphere, [0.3]],
];

describe.each(KINDS)('%s', (_, kind, size) => {
  const random = createRandom(kind + 5);
  const shape = placeShape(kind, size, [0.1, -0.2, 0.05], toMatrix(randomQuaternion(random)));
  const ball = placeShape(SHAPE.sphere, [0, 0, 0]);
  const points = new ContactPoints();
  const isFirst = SHAPE.sphere <= kind;
  const run = isFirst ? findPairTest(SHAPE.sphere, kind) : findPairTest(kind, SHAPE.sphere);
  const depth = new PartDepth((p, out) => {
    ball.position.set(p);
    points.clear();
    if (isFirst) run?.(points, ball, shape, Infinity);
    else run?.(points, shape, ball, Infinity);
    for (let c = 0; c < 3; c++) out[c] = (isFirst ? -1 : 1) * points.normal[c];
    out[3] = points.gap[0];
  });
  const corners = (): Float64Array =>
    Float64Array.from({ length: 9 }, (_, k) => shape.position[k % 3] + 0.7 * (2 * random() - 1));
  const mix = (x: Float64Array, weights: ArrayLike<number>): number[] =>
    [0, 1, 2].map((c) => weights[0] * x[c] + weights[1] * x[3 + c] + weights[2] * x[6 + c]);

  // φ(y) ≥ φ_min + g·(y − x_min) at any y, so that the shape is behind the plane
  function checkPlane(x: Float64Array): void {
    const at = mix(x, depth.weights);
    for (let k = 0; k < 20; k++) {
      const y = [0, 1, 2].map((c) => shape.position[c] + random() - 0.5);
      const linear = y.reduce((sum, value, c) => sum + depth.gradient[c] * (value - at[c]), depth.distance);
      expect(signedDistance(shape, y)).toBeGreaterThan(linear - 1e-9);
    }
  }

  test('segments', () => {
    let inside = 0;
    for (let n = 0; n < 100; n++) {
      const x = corners();
      const at = (s: number): number => signedDistance(shape, mix(x, [1 - s, s, 0]));
      const isInside = depth.findOnSegment(x, 0, 3);
      expect(Math.abs(depth.distance - Math.min(at(0), at(1), minimizeConvex(at, 0, 1)))).toBeLessThan(1e-9);
      expect(Math.abs(at(depth.weights[1]) - depth.distance)).toBeLessThan(1e-12);
      if (!isInside) continue;
      inside++;
      const along = [0, 1, 2].reduce((sum, c) => sum + depth.gradient[c] * (x[3 + c] - x[c]), 0);
      expect(Math.abs(along)).toBeLessThan(1e-9);
      checkPlane(x);
    }
    expect(inside).toBeGreaterThan(20);
  });

  test('triangles', () => {
    let inside = 0;
    for (let n = 0; n < 30; n++) {
      const x = corners();
      const lowest = minimizeConvex(
        (t) => minimizeConvex((s) => signedDistance(shape, mix(x, [1 - t, t * (1 - s), t * s])), 0, 1),
        0,
        1,
      );
      const isInside = depth.findOnTriangle(x, 0, 3, 6);
      expect(Math.abs(depth.distance - lowest)).toBeLessThan(1e-8);
      expect(Math.abs(signedDistance(shape, mix(x, depth.weights)) - depth.distance)).toBeLessThan(1e-12);
      if (!isInside) continue;
      inside++;
      for (const o of [3, 6]) {
        const along = [0, 1, 2].reduce((sum, c) => sum + depth.gradient[c] * (x[o + c] - x[c]), 0);
        expect(Math.abs(along)).toBeLessThan(1e-6);
      }
      checkPlane(x);
    }
    expect(inside).toBeGreaterThan(3);
  });

  test('what is above the limit is not looked for, and its distance is bounded from below', () => {
    for (let n = 0; n < 100; n++) {
      const x = corners();
      depth.limit = Infinity;
      depth.findOnSegment(x, 0, 3);
      const { distance } = depth;
      depth.limit = 0.05;
      const isInside = depth.findOnSegment(x, 0, 3);
      expect(depth.distance).toBeLessThanOrEqual(distance + 1e-12);
      if (distance > 0.05) expect(isInside).toBe(false);
      else expect(depth.distance).toBe(distance);
    }
    depth.limit = Infinity;
  });
});
