import { expect, test } from 'vitest';
import { createPosePaths, writePoseAt, writePosePath } from '../../geometry/motion/pose-path.ts';
import { rotateByQuaternion } from '../../linear-algebra/quaternion.ts';
import { createRandom } from '../../testing/box-sets.ts';
import { measureRelativeApproach } from './relative-approach.ts';

const REACH = Float64Array.of(0.7, 1.3);

/** Distance of a point of frame 0 from a point of frame 1 at t. */
function measureDistance(paths: Float64Array, points: Float64Array, t: number): number {
  const pose = new Float64Array(14);
  const at = new Float64Array(6);
  for (let f = 0; f < 2; f++) {
    writePoseAt(pose, 7 * f, paths, f, t);
    rotateByQuaternion(at, 3 * f, pose, 7 * f + 3, points, 3 * f);
    for (let k = 0; k < 3; k++) at[3 * f + k] += pose[7 * f + k];
  }
  return Math.hypot(at[3] - at[0], at[4] - at[1], at[5] - at[2]);
}

test('no two points come nearer than the bound, seen from either frame', () => {
  const random = createRandom(11);
  const between = (size: number): number => size * (2 * random() - 1);
  let tightest = 0;
  for (let n = 0; n < 300; n++) {
    const position = Float64Array.from({ length: 6 }, () => between(2));
    const step = Float64Array.from({ length: 12 }, () => between(1));
    // two of three go and turn nearly together
    if (n % 3 > 0) for (let k = 0; k < 3; k++) step[9 + k] = step[3 + k] + between(0.01);
    const paths = createPosePaths(2);
    const orientation = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0);
    for (let f = 0; f < 2; f++) writePosePath(paths, f, { position, orientation, step }, 1);
    const points = new Float64Array(6);
    for (let f = 0; f < 2; f++) {
      const direction = [between(1), between(1), between(1)];
      const length = Math.hypot(...direction);
      for (let k = 0; k < 3; k++) points[3 * f + k] = (REACH[f] * direction[k]) / length;
    }
    const before = measureDistance(paths, points, 0);
    for (const t of [0.1, 0.5, 1]) {
      const change = Math.abs(measureDistance(paths, points, t) - before);
      const bounds = [
        measureRelativeApproach(step, position, REACH, 0, 1),
        measureRelativeApproach(step, position, REACH, 1, 0),
      ];
      for (const bound of bounds) {
        expect(change).toBeLessThanOrEqual(t * bound * (1 + 1e-12) + 1e-12);
        tightest = Math.max(tightest, change / (t * bound));
      }
    }
  }
  // it says something
  expect(tightest).toBeGreaterThan(0.5);
});

test('frames that turn about one axis as one do not come nearer to first order', () => {
  const h = 1e-3;
  const position = Float64Array.of(0, 0, 0, 1, 0, 0);
  // about z through the origin of the first
  const step = Float64Array.of(0, 0, 0, 0, 0, h, 0, h, 0, 0, 0, h);
  expect(measureRelativeApproach(step, position, REACH, 0, 1)).toBeLessThanOrEqual(h * h * (1 + 1e-9));
});
