import load, { type MainModule } from '@mujoco/mujoco';
import { beforeAll, describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/box-sets.ts';
import { placeShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { castRayShape, RayHit } from './cast-ray.ts';

let mujoco: MainModule;

beforeAll(async () => {
  mujoco = await load();
});

/** A rotation from a random quaternion, row by row. */
function randomRotation(random: () => number): number[] {
  const q = [0, 1, 2, 3].map(() => random() - 0.5);
  const length = Math.hypot(...q);
  const [w, x, y, z] = q.map((v) => v / length) as [number, number, number, number];
  return [
    [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
  ].flat();
}

const KINDS = ['plane', 'sphere', 'capsule', 'ellipsoid', 'cylinder', 'box'] as const;

const RAYS = takeSamples(10_000, 0.15);

describe(`primitives, ${RAYS} random rays each against mju_rayGeom`, () => {
  for (const name of KINDS) {
    test(name, () => {
      const random = createRandom(SHAPE[name]);
      const normal = new mujoco.DoubleBuffer(3);
      const hit = new RayHit();
      let hits = 0;
      let inside = 0;
      let worstDistance = 0;
      let worstNormal = 0;
      for (let k = 0; k < RAYS; k++) {
        const size = [0, 1, 2].map(() => 0.1 + random());
        if (name === 'plane' && k % 2 === 0) size.fill(0);
        const position = [0, 1, 2].map(() => 4 * random() - 2);
        const rotation = randomRotation(random);
        // origins near and far, a good part of them inside; half of the rays aimed at the shape
        const spread = [0.5, 2, 20][k % 3]!;
        const origin = position.map((p) => p + spread * (random() - 0.5));
        const target = position.map((p) => p + 1.5 * (random() - 0.5));
        const length = 0.2 + 3 * random();
        const aim = k % 2 === 0 ? target.map((t, i) => t - origin[i]!) : [0, 1, 2].map(() => random() - 0.5);
        const direction = aim.map((v) => (length * v) / Math.hypot(...aim));

        const expected = mujoco.mju_rayGeom(position, rotation, size, origin, direction, SHAPE[name], normal);
        const found = castRayShape(hit, placeShape(SHAPE[name], size, position, rotation), origin, direction, Infinity);
        if (found !== expected >= 0) expect.fail(`ray ${k}`);
        if (!found) continue;
        hits++;
        const theirs = Array.from(normal.GetView() as Float64Array);
        const steepness = Math.abs(theirs.reduce((sum, n, i) => sum + (n * direction[i]!) / length, 0));
        if (theirs.reduce((sum, n, i) => sum + n * direction[i]!, 0) > 0) inside++;
        // a shift of the surface moves the hit by one over the steepness, its normal by the shift over the steepness
        worstDistance = Math.max(worstDistance, Math.abs(hit.distance - expected) * length * steepness);
        const turn = Math.hypot(...theirs.map((n, i) => n - hit.normal[i]!));
        worstNormal = Math.max(worstNormal, turn * steepness);
      }
      normal.delete();
      expect(hits).toBeGreaterThan(0.15 * RAYS);
      if (name !== 'plane') expect(inside).toBeGreaterThan(0.03 * RAYS);
      // rounding of numbers up to 20² (their discriminant), over the least size 0.1
      expect(worstDistance).toBeLessThan(1e-11);
      expect(worstNormal).toBeLessThan(1e-10);
    });
  }
});

describe('rays in special places', () => {
  const hit = new RayHit();
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  type Case = [
    name: string,
    kind: number,
    size: number[],
    origin: number[],
    direction: number[],
    expected: number[] | null,
  ];
  // distance, then normal
  const cases: Case[] = [
    ['box through the middle of an edge', SHAPE.box, [1, 1, 1], [-3, 1, 0], [1, 0, 0], [2, -1, 0, 0]],
    ['box past its edge', SHAPE.box, [1, 1, 1], [-3, 1.0000001, 0], [1, 0, 0], null],
    ['box into a corner', SHAPE.box, [1, 1, 1], [-3, -3, -3], [1, 1, 1], [2, -1, 0, 0]],
    ['box from its centre', SHAPE.box, [1, 2, 3], [0, 0, 0], [0, 0, -2], [1.5, 0, 0, -1]],
    ['box from its face outward', SHAPE.box, [1, 2, 3], [1, 0, 0], [1, 0, 0], [0, 1, 0, 0]],
    ['sphere tangent', SHAPE.sphere, [1], [-3, 1, 0], [1, 0, 0], [3, 0, 1, 0]],
    ['sphere behind', SHAPE.sphere, [1], [3, 0, 0], [1, 0, 0], null],
    ['sphere from its centre', SHAPE.sphere, [2], [0, 0, 0], [0, 1, 0], [2, 0, 1, 0]],
    ['sphere of no size', SHAPE.sphere, [0], [-1, 0, 0], [1, 0, 0], [1, 0, 0, 1]],
    ['capsule along its axis', SHAPE.capsule, [1, 2], [0, 0, 9], [0, 0, -1], [6, 0, 0, 1]],
    ['capsule along its axis from inside', SHAPE.capsule, [1, 2], [0, 0, 1], [0, 0, -1], [4, 0, 0, -1]],
    ['capsule along its side', SHAPE.capsule, [1, 2], [0.6, 0, 9], [0, 0, -1], [6.2, 0.6, 0, 0.8]],
    ['capsule across', SHAPE.capsule, [1, 2], [5, 0, 2], [-1, 0, 0], [4, 1, 0, 0]],
    ['capsule without length', SHAPE.capsule, [1, 0], [5, 0, 0], [-1, 0, 0], [4, 1, 0, 0]],
    ['cylinder along its axis', SHAPE.cylinder, [1, 2], [0, 0, 9], [0, 0, -1], [7, 0, 0, 1]],
    ['cylinder along its wall', SHAPE.cylinder, [1, 2], [1, 0, 9], [0, 0, -1], [7, 0, 0, 1]],
    ['cylinder across at its rim', SHAPE.cylinder, [1, 2], [5, 0, 2], [-1, 0, 0], [4, 1, 0, 0]],
    ['cylinder above its rim', SHAPE.cylinder, [1, 2], [5, 0, 2.0000001], [-1, 0, 0], null],
    ['plane from below', SHAPE.plane, [0, 0], [0, 0, -1], [0, 0, 1], null],
    ['plane along it', SHAPE.plane, [0, 0], [0, 0, 1], [1, 0, 0], null],
    ['plane beyond its half sizes', SHAPE.plane, [1, 1], [2, 0, 1], [0, 0, -1], null],
    ['ellipsoid along an axis', SHAPE.ellipsoid, [1, 2, 3], [0, 0, -8], [0, 0, 1], [5, 0, 0, -1]],
    ['no direction', SHAPE.sphere, [1], [0, 0, 0], [0, 0, 0], null],
    ['no direction in a capsule', SHAPE.capsule, [1, 1], [0, 0, 0], [0, 0, 0], null],
    ['no direction in a box', SHAPE.box, [1, 1, 1], [0, 0, 0], [0, 0, 0], null],
  ];
  for (const [name, kind, size, origin, direction, expected] of cases) {
    test(name, () => {
      const found = castRayShape(hit, placeShape(kind, size, [0, 0, 0], identity), origin, direction, 100);
      expect(found).toBe(expected !== null);
      const values = [hit.distance, ...hit.normal];
      const wanted = expected ?? [Infinity, 0, 0, 0];
      for (let i = 0; i < 4; i++) {
        if (wanted[i] === Infinity) expect(values[i]).toBe(Infinity);
        else expect(Math.abs(values[i]! - wanted[i]!)).toBeLessThan(1e-14);
      }
    });
  }

  test('a hit beyond the largest distance is none', () => {
    const ball = placeShape(SHAPE.sphere, [1], [10, 0, 0], identity);
    expect(castRayShape(hit, ball, [0, 0, 0], [1, 0, 0], 9)).toBe(true);
    expect(castRayShape(hit, ball, [0, 0, 0], [1, 0, 0], 8.9999)).toBe(false);
    expect([hit.distance, ...hit.normal]).toEqual([Infinity, 0, 0, 0]);
  });

  test('a ball is met exactly from a million radii away', () => {
    const ball = placeShape(SHAPE.sphere, [1], [0, 0, 0], identity);
    expect(castRayShape(hit, ball, [1e6, 0.6, 0], [-1, 0, 0], Infinity)).toBe(true);
    // the nearest number to 10⁶ − 0.8 has a spacing of 1.2e-10
    expect(Math.abs(hit.distance - (1e6 - 0.8))).toBeLessThan(2.4e-10);
  });
});
