/** Vertices of a soft body against every kind of rigid shape: gaps and normals are those of a small ball in their place. */
import '../../compliance.ts';
import { describe, expect, test } from 'vitest';
import { compileModel } from '../../model/compile.ts';
import type { Shape } from '../../scene/shape.ts';
import { Simulation } from '../../simulation.ts';
import { CARRIER } from '../contact-set.ts';

const RADIUS = 1e-3;
/** The box as a mesh. */
const BLOCK = {
  name: 'block',
  vertices: [-0.35, 0.35].flatMap((z) => [-0.25, 0.25].flatMap((y) => [-0.3, 0.3].flatMap((x) => [x, y, z]))),
  // biome-ignore format: two triangles per row
  faces: [
    0, 2, 1, 1, 2, 3,
    4, 5, 6, 5, 7, 6,
    0, 1, 4, 1, 5, 4,
    2, 6, 3, 3, 6, 7,
    0, 4, 2, 2, 4, 6,
    1, 3, 5, 3, 7, 5,
  ],
};
const SHAPES: readonly Shape[] = [
  { kind: 'plane' },
  { kind: 'sphere', radius: 0.3 },
  { kind: 'capsule', radius: 0.2, halfLength: 0.3 },
  { kind: 'ellipsoid', radii: [0.3, 0.25, 0.35] },
  { kind: 'cylinder', radius: 0.25, halfLength: 0.3 },
  { kind: 'box', halfSize: [0.3, 0.25, 0.35] },
  { kind: 'convexMesh', mesh: 'block' },
  { kind: 'triangleMesh', mesh: 'block' },
];

describe.each(SHAPES.map((shape) => [shape.kind, shape] as const))('%s', (_, shape) => {
  test('the gap of a vertex is that of a ball of 1 mm around it plus 1 mm, its normal the same', () => {
    for (const shift of [0.12, 0.2, 0.3, 0.37]) {
      const x = [0.11, 0.05, shift] as [number, number, number];
      const scene = {
        format: 'nexdyn-scene' as const,
        version: 1 as const,
        options: { formulation: 'sap' as const },
        meshes: [BLOCK],
        bodies: [
          { name: 'fixed', shapes: [{ ...shape, name: 'fixed' } as Shape] },
          {
            name: 'ball',
            position: x,
            joints: [{ kind: 'free' as const }],
            shapes: [{ kind: 'sphere' as const, name: 'ball', radius: RADIUS, collisionGroups: 0, collisionMask: 0 }],
          },
        ],
        // one corner stands at x, the others behind it
        softBodies: [
          {
            name: 'soft',
            mesh: {
              kind: 'tetrahedra' as const,
              vertices: [...x, x[0] + 0.01, x[1], x[2] + 1, x[0], x[1] + 0.01, x[2] + 1, x[0], x[1], x[2] + 2],
              tetrahedra: [0, 1, 2, 3],
            },
            contact: 'point' as const,
            elasticity: { youngsModulus: 1e5, poissonRatio: 0.3 },
          },
        ],
      };
      const simulation = new Simulation(compileModel(scene));
      const near = simulation.closestPoints('fixed', 'ball');
      const contacts = simulation.contacts();
      const gap = near.gap + RADIUS;
      // without a margin only vertices inside touch
      expect(contacts.length).toBe(gap <= 0 ? 1 : 0);
      if (gap > 0) continue;
      expect(Math.abs(contacts[0].gap - gap)).toBeLessThan(1e-7);
      const sign = contacts[0].shapeName2 === 'soft' || contacts[0].bodyName2 === 'soft' ? 1 : -1;
      const away = contacts[0].normal.map((value) => sign * value);
      const direction = away.reduce((sum, value, k) => sum + value * near.normal[k], 0);
      expect(direction).toBeGreaterThan(1 - 1e-6);
    }
  });
});

test('a soft cube on another: vertices inside touch the nearest face; weights put the point on it', () => {
  const cube = (name: string, z: number) => ({
    name,
    position: [0.03, 0.02, z] as [number, number, number],
    mesh: {
      kind: 'box' as const,
      halfSize: [0.1, 0.1, 0.1] as [number, number, number],
      cells: [2, 2, 2] as [number, number, number],
    },
    contact: 'point' as const,
    elasticity: { youngsModulus: 1e5, poissonRatio: 0.3 },
  });
  const simulation = new Simulation(
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation: 'sap' },
      softBodies: [{ ...cube('low', 0), position: [0, 0, 0] }, cube('high', 0.19)],
    }),
  );
  const set = simulation.contactSet();
  expect(set.count).toBeGreaterThan(3);
  const x = simulation.state.softPosition;
  for (let i = 0; i < set.count; i++) {
    expect(set.carrierKind1[i]).toBe(CARRIER.soft);
    expect(set.carrierKind2[i]).toBe(CARRIER.soft);
    expect(Math.abs(set.gap[i] + 0.01)).toBeLessThan(1e-12);
    // from low to high
    expect(Math.abs(set.frame[9 * i + 2] - 1)).toBeLessThan(1e-12);
    const point = (vertex: Int32Array, weight: Float64Array, k: number): number =>
      [0, 1, 2, 3].reduce((sum, n) => {
        const v = vertex[4 * i + n];
        return v < 0 ? sum : sum + weight[4 * i + n] * x[3 * v + k];
      }, 0);
    for (let k = 0; k < 3; k++) {
      const apart = point(set.vertex2, set.weight2, k) - point(set.vertex1, set.weight1, k);
      expect(Math.abs(apart - set.gap[i] * set.frame[9 * i + k])).toBeLessThan(1e-12);
    }
  }
});
