import { describe, expect, test } from 'vitest';
import {
  composePoses,
  type Poses,
  relatePoses,
  transformPoint,
  unrotateByQuaternion,
  untransformPoint,
} from './pose.ts';
import { rotateByQuaternion } from './quaternion.ts';

const half = Math.SQRT1_2;

/** Three poses: a quarter turn about z at (1, 2, 3), a skew one, and room for a result. */
function createPoses(): Poses {
  const skew = [0.3, -0.5, 0.7, 0.2];
  const length = Math.hypot(...skew);
  return {
    position: Float64Array.of(1, 2, 3, -0.4, 0.6, 0.1, 0, 0, 0),
    orientation: Float64Array.of(half, 0, 0, half, ...skew.map((x) => x / length), 1, 0, 0, 0),
  };
}

describe('poses', () => {
  test('take points there and back', () => {
    const poses = createPoses();
    const out = new Float64Array(3);
    // a quarter turn about z takes x to y
    transformPoint(out, 0, poses, 0, Float64Array.of(1, 0, 0), 0);
    expect(Array.from(out)).toEqual([expect.closeTo(1, 15), expect.closeTo(3, 15), expect.closeTo(3, 15)]);
    for (const pose of [0, 1]) {
      transformPoint(out, 0, poses, pose, Float64Array.of(0.2, -3, 5), 0);
      untransformPoint(out, 0, poses, pose, out, 0);
      expect(Math.hypot(out[0] - 0.2, out[1] + 3, out[2] - 5)).toBeLessThan(1e-14);
    }
  });

  test('compose like the maps they are, and relate back', () => {
    const poses = createPoses();
    composePoses(poses, 2, poses, 0, poses, 1);
    const x = Float64Array.of(0.7, 0.1, -0.9);
    const inner = new Float64Array(3);
    const outer = new Float64Array(3);
    const direct = new Float64Array(3);
    transformPoint(inner, 0, poses, 1, x, 0);
    transformPoint(outer, 0, poses, 0, inner, 0);
    transformPoint(direct, 0, poses, 2, x, 0);
    for (let k = 0; k < 3; k++) expect(direct[k]).toBeCloseTo(outer[k], 14);

    const local = { position: new Float64Array(3), orientation: new Float64Array(4) };
    relatePoses(local, 0, poses, 0, poses, 2);
    for (let k = 0; k < 3; k++) expect(local.position[k]).toBeCloseTo(poses.position[3 + k], 14);
    for (let k = 0; k < 4; k++) expect(local.orientation[k]).toBeCloseTo(poses.orientation[4 + k], 14);
  });

  test('unrotate what was rotated, in place', () => {
    const { orientation } = createPoses();
    const v = Float64Array.of(3, -1, 2);
    rotateByQuaternion(v, 0, orientation, 4, v, 0);
    unrotateByQuaternion(v, 0, orientation, 4, v, 0);
    expect(Math.hypot(v[0] - 3, v[1] + 1, v[2] - 2)).toBeLessThan(1e-14);
  });
});
