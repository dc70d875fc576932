/**
 * Bodies of points and of edges alone: balls and rods as thin as the barrier is long. They rest on planes, sheets and the
 * rims of holes; where there is no point and no edge, there is nothing to stop them.
 */
import type { Body, Quaternion, Shape, Vec3 } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { advance, build, findFastest, G, place, sumNormalForces } from './checked-scene.ts';
import { createFrame } from './sharp-meshes.ts';

const RADIUS = 1e-4;
const DHAT = 1e-4;
const MASS = 0.1;
const frame = createFrame('frame', 0.2, 1);
const wide = createFrame('wide', 0.35, 1);

const point = (position: Vec3): Shape => ({ kind: 'sphere', radius: RADIUS, position, mass: MASS, friction: 0.5 });

/** A rod between two points. */
function wire(p: Vec3, q: Vec3): Shape {
  const along = q.map((value, k) => value - p[k]!) as Vec3;
  const length = Math.hypot(...along);
  const [x, y, z] = along.map((value) => value / length) as Vec3;
  // the shortest turn from z to the direction; straight down it is half a turn about x
  const w = Math.sqrt((1 + z) / 2);
  const orientation: Quaternion = w < 1e-9 ? [0, 1, 0, 0] : [w, -y / (2 * w), x / (2 * w), 0];
  const position = p.map((value, k) => (value + q[k]!) / 2) as Vec3;
  return { kind: 'capsule', radius: RADIUS, halfLength: length / 2, position, orientation, mass: MASS, friction: 0.5 };
}

const free = (name: string, z: number, shapes: Shape[]): Body => ({
  name,
  position: [0, 0, z],
  joints: [{ kind: 'free' }],
  shapes,
});

/** A tip at the origin, a level triangle above it. */
const corners: Vec3[] = [
  [0, 0, 0],
  [0.6, 0, 0.8],
  [-0.3, 0.3 * Math.sqrt(3), 0.8],
  [-0.3, -0.3 * Math.sqrt(3), 0.8],
];
const pairs = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [2, 3],
  [3, 1],
] as const;
const edges = (): Shape[] => pairs.map(([i, j]) => wire(corners[i]!, corners[j]!));

describe('points alone', () => {
  // a shell of points: a lattice on three rings, and a tip below
  const cloud = Array.from({ length: 12 }, (_, i): Vec3 => {
    const angle = (2 * Math.PI * (i + 0.3 * Math.floor(i / 4))) / 4;
    const ring = Math.floor(i / 4);
    return [0.3 * Math.cos(angle), 0.3 * Math.sin(angle), 0.1 * ring];
  });

  test('a cloud of points rests on a plane and on a sheet with its weight', () => {
    for (const ground of [{ kind: 'plane' }, { kind: 'triangleMesh', mesh: 'frame' }] as Shape[]) {
      const simulation = build(
        { meshes: [frame], shapes: [ground], bodies: [free('cloud', 0.05, cloud.map(point))] },
        0.01,
        { barrierDistance: DHAT },
      );
      advance(simulation, 100);
      expect(sumNormalForces(simulation) / (12 * MASS * G)).toBeCloseTo(1, 4);
      expect(place(simulation, 1)[2]).toBeGreaterThan(RADIUS);
      expect(place(simulation, 1)[2]).toBeLessThan(RADIUS + DHAT);
    }
  });

  test('a point falls through a hole, and so does a cloud without a point above its rim', () => {
    const narrow = cloud.map(([x, y, z]): Vec3 => [0.4 * x, 0.4 * y, z]);
    const simulation = build(
      {
        meshes: [frame],
        shapes: [{ kind: 'triangleMesh', mesh: 'frame' }],
        bodies: [free('cloud', 0.05, narrow.map(point))],
      },
      0.01,
      { barrierDistance: DHAT },
    );
    advance(simulation, 60);
    expect(place(simulation, 1)[2]).toBeLessThan(-1);
  });
});

describe('edges alone', () => {
  test('a tetrahedron of edges stands on three corners, on a plane and on a sheet', () => {
    for (const ground of [{ kind: 'plane' }, { kind: 'triangleMesh', mesh: 'frame' }] as Shape[]) {
      // lying on the level triangle: its three corners outside of the hole
      const upside = corners.map(([x, y, z]): Vec3 => [x, y, 0.8 - z]);
      const simulation = build(
        {
          meshes: [frame],
          shapes: [ground],
          bodies: [
            free(
              'tet',
              0.02,
              pairs.map(([i, j]) => wire(upside[i]!, upside[j]!)),
            ),
          ],
        },
        0.01,
        { barrierDistance: DHAT },
      );
      advance(simulation, 100);
      expect(sumNormalForces(simulation) / (6 * MASS * G)).toBeCloseTo(1, 4);
      expect(place(simulation, 1)[2]).toBeLessThan(RADIUS + DHAT);
      expect(findFastest(simulation)).toBeLessThan(1e-3);
    }
  });

  test('in a hole its edges hang on the rim, its tip below', () => {
    const simulation = build(
      { meshes: [wide], shapes: [{ kind: 'triangleMesh', mesh: 'wide' }], bodies: [free('tet', -0.3, edges())] },
      0.01,
      { barrierDistance: DHAT, tolerance: 1e-6 },
    );
    advance(simulation, 200);
    const [, , z] = place(simulation, 1);
    // edges go out by 0.75 of their height: they meet the rim, 0.35 to 0.495 away, between 0.467 and 0.66 above the tip
    expect(z).toBeLessThan(-0.46);
    expect(z).toBeGreaterThan(-0.67);
    expect(findFastest(simulation)).toBeLessThan(2e-3);
    const lift = simulation.contactForces().reduce((sum, { force }) => sum + Math.abs(force[2]), 0);
    expect(lift / (6 * MASS * G)).toBeCloseTo(1, 3);
  });
});
