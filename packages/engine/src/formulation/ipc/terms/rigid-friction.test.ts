/** Friction of feet: what it is where bodies turn far in a step, the work it does, and forces mixed with those of the pass before. */
import { describe, expect, test } from 'vitest';
import { WitnessPoints } from '../../../collision/collisions/witness-points.ts';
import type { FramePoses } from '../../../dynamics/frames.ts';
import { matrixFromQuaternion, quaternionFromAxisAngle } from '../../../linear-algebra/quaternion.ts';
import { createRandom } from '../../../testing/box-sets.ts';
import { IncrementalDisplacement } from './incremental-displacement.ts';
import { RigidFriction } from './rigid-friction.ts';

/** Poses of one moving frame and the world: at `position` (m), turned by `angle` (rad) about `axis`. */
function pose(position: readonly number[], axis: readonly number[], angle: number): FramePoses {
  const poses = {
    position: Float64Array.from([...position, 0, 0, 0]),
    orientation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0),
    rotation: new Float64Array(18),
  };
  const length = Math.hypot(...axis);
  const unit = Float64Array.from(axis, (x) => x / length);
  quaternionFromAxisAngle(poses.orientation, 0, unit, 0, angle);
  for (let f = 0; f < 2; f++) matrixFromQuaternion(poses.rotation, 9 * f, poses.orientation, 4 * f);
  return poses;
}

/** A foot below a frame at `poses`, on the ground. */
function touch(poses: FramePoses, shift: number = 0, number: number = 0): WitnessPoints {
  const feet = new WitnessPoints();
  feet.a = 0;
  feet.b = 1;
  feet.pointA.set([poses.position[0] + shift, poses.position[1], 0]);
  feet.pointB.set(feet.pointA);
  feet.normal.set([0, 0, 1]);
  feet.key[1] = number;
  return feet;
}

const EPSILON = 1e-5;
const R = 0.02;

function create(
  start: FramePoses,
  spin: readonly number[] = [0, 0, 0],
  h: number = 0.01,
): [RigidFriction, IncrementalDisplacement] {
  const displacement = new IncrementalDisplacement(start, 1, 2);
  displacement.begin(Float64Array.from([0, 0, 0, ...spin]), h);
  const friction = new RigidFriction(displacement);
  friction.smoothing = EPSILON;
  return [friction, displacement];
}

describe('friction of feet', () => {
  for (const angle of [0.01, 1, 2.5, 4]) {
    test(`a ball that rolls by ${angle} rad in a step does not slip, wherever friction was taken`, () => {
      const start = pose([0, 0, R], [0, 1, 0], 0);
      const end = pose([R * angle, 0, R], [0, 1, 0], angle);
      const [friction, displacement] = create(start, [0, angle / 0.01, 0]);
      const atRest = EPSILON / 3;
      friction.beginLag(1);
      friction.append(touch(start), 1, start);
      expect(friction.value(end, 1)).toBeCloseTo(atRest, 12);
      displacement.pivotAt(end);
      friction.beginLag(1);
      friction.append(touch(end), 1, end);
      expect(friction.value(end, 1)).toBeCloseTo(atRest, 12);
      expect(friction.measureWork(end)).toBeCloseTo(0, 12);
    });
  }

  test('taken at the start it does no work, whatever comes of the step; of the force times the slip where all is sliding', () => {
    const random = createRandom(3);
    const any = (size: number): number => 2 * size * (random() - 0.5);
    for (let n = 0; n < 200; n++) {
      const start = pose([0, 0, R], [0, 0, 1], 0);
      const [friction] = create(start);
      friction.beginLag(1);
      for (let i = 0; i < 3; i++) friction.append(touch(start, any(0.02), i), random(), start);
      const end = pose([any(0.05), any(0.05), R + any(0.01)], [any(1), any(1), any(1)], any(1.9));
      const work = friction.measureWork(end);
      expect(work).toBeLessThan(0);
      // E is μ λ |u| where all slide, and more than the work takes out nowhere
      expect(-work).toBeLessThanOrEqual(friction.value(end, 1) * (1 + 1e-12));
      expect(-work).toBeGreaterThan(0.99 * friction.value(end, 1) - 3 * EPSILON);
    }
  });

  test('a share of new forces leaves the rest to those of before; contacts that have gone fade', () => {
    const start = pose([0, 0, R], [0, 0, 1], 0);
    const [friction] = create(start);
    const slid = pose([0.001, 0, R], [0, 0, 1], 0);
    friction.beginLag(1);
    friction.append(touch(start, 0, 1), 8, start);
    friction.append(touch(start, 0.01, 2), 4, start);
    friction.endLag();
    expect(friction.value(slid, 1)).toBeCloseTo(0.012, 12);
    // the first is 2 N now, the second gone, a third is new
    friction.beginLag(0.25);
    friction.append(touch(start, 0, 1), 2, start);
    friction.append(touch(start, 0.02, 3), 4, start);
    friction.endLag();
    expect(friction.count).toBe(3);
    expect(friction.value(slid, 1)).toBeCloseTo(0.001 * (6.5 + 3 + 1), 12);
    for (let n = 0; n < 60; n++) {
      friction.beginLag(0.25);
      friction.append(touch(start, 0, 1), 2, start);
      friction.endLag();
    }
    expect(friction.count).toBe(1);
    expect(friction.value(slid, 1)).toBeCloseTo(0.002, 8);
  });
});
