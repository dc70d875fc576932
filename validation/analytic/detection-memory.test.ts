/** Finding contacts allocates nothing once the storage has grown: the heap does not grow over hundreds of detections. */
import { compileModel, type Scene, type Shape, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { measureKeptMemory } from '../../packages/engine/src/testing/heap-growth.ts';

const SHAPES: Shape[] = [
  { kind: 'sphere', radius: 0.3 },
  { kind: 'capsule', radius: 0.2, halfLength: 0.2 },
  { kind: 'ellipsoid', radii: [0.3, 0.2, 0.25] },
  { kind: 'cylinder', radius: 0.25, halfLength: 0.2 },
  { kind: 'box', halfSize: [0.2, 0.25, 0.3] },
  { kind: 'convexMesh', mesh: 'wedge' },
];

/** Every kind of shape overlapping every other, on a plane, a mesh and a terrain. */
const scene: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  meshes: [
    {
      name: 'wedge',
      vertices: [-0.3, -0.3, -0.2, 0.3, -0.3, -0.2, 0.3, 0.3, -0.2, -0.3, 0.3, -0.2, 0, -0.3, 0.3, 0, 0.3, 0.3],
    },
    { name: 'ground', vertices: [-3, -3, 0, 3, -3, 0, 3, 3, 0, -3, 3, 0], faces: [0, 1, 2, 0, 2, 3] },
  ],
  heightFields: [
    {
      name: 'hills',
      rows: 4,
      columns: 4,
      halfSize: [2, 2],
      baseDepth: 0.5,
      heights: Array.from({ length: 16 }, (_, i) => 0.05 * (i % 3)),
    },
  ],
  signedDistanceFields: [{ kind: 'torus', name: 'ring', majorRadius: 0.4, minorRadius: 0.15 }],
  shapes: [
    { kind: 'plane' },
    { kind: 'triangleMesh', mesh: 'ground', position: [0, 0, 0.02] },
    { kind: 'heightField', heightField: 'hills' },
  ],
  bodies: [...SHAPES, { kind: 'signedDistance', field: 'ring' } as Shape].map((shape, i) => ({
    position: [0.15 * i, 0.1 * (i % 2), 0.15],
    orientation: [1, 0.1 * i, 0.05, 0],
    joints: [{ kind: 'free' as const }],
    shapes: [{ ...shape, mass: 1 }],
  })),
};

const DETECTIONS = 300;

test('a detection of every kind of pair keeps less than 100 bytes', () => {
  const simulation = new Simulation(compileModel(scene));
  const count = simulation.contactSet().count;
  expect(count).toBeGreaterThan(30);
  const detect = (): void => {
    for (let n = 0; n < DETECTIONS; n++) simulation.contactSet();
  };
  detect();
  const kept = measureKeptMemory(detect, 100 * DETECTIONS);
  expect(kept).toBeLessThan(100 * DETECTIONS);
  expect(simulation.contactSet().count).toBe(count);
});
