/** Every kind of shape by pressure: on rigid ground of every kind, and as ground. Forces of the last step carry the weight. */
import { compileModel, NexdynError, type Scene, type Shape, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { isLongRun } from '../../scripts/long-run.ts';

const G = 9.81;
const CORNERS = [-1, 1].flatMap((z) => [-1, 1].flatMap((y) => [-1, 1].flatMap((x) => [0.05 * x, 0.05 * y, 0.05 * z])));
const FACES = [
  0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
];

const ASSETS: Partial<Scene> = {
  meshes: [
    { name: 'cube', vertices: CORNERS, faces: FACES },
    { name: 'sheet', vertices: [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], faces: [0, 1, 2, 0, 2, 3] },
  ],
  heightFields: [
    { name: 'table', rows: 5, columns: 5, halfSize: [1, 1], baseDepth: 0.5, heights: new Array(25).fill(0) },
  ],
  signedDistanceFields: [{ name: 'ring', kind: 'torus', majorRadius: 0.08, minorRadius: 0.03 }],
};

const GROUNDS: readonly Shape[] = [
  { kind: 'plane' },
  { kind: 'plane', contact: 'hydroelastic' },
  { kind: 'heightField', heightField: 'table' },
  { kind: 'triangleMesh', mesh: 'sheet' },
  { kind: 'box', halfSize: [0.5, 0.5, 0.1], position: [0, 0, -0.1] },
  { kind: 'box', halfSize: [0.5, 0.5, 0.1], position: [0, 0, -0.1], contact: 'hydroelastic' },
];

/** Each with its height above the ground, m. */
const SHAPES: readonly [Shape, number][] = [
  [{ kind: 'box', halfSize: [0.05, 0.06, 0.05] }, 0.05],
  [{ kind: 'cylinder', radius: 0.05, halfLength: 0.04 }, 0.04],
  [{ kind: 'convexMesh', mesh: 'cube' }, 0.05],
  [{ kind: 'triangleMesh', mesh: 'cube', hydroelastic: { resolution: 0.034 } }, 0.05],
  [{ kind: 'signedDistance', field: 'ring' }, 0.03],
];

function simulate(ground: Shape, shape: Shape, height: number): Simulation {
  return new Simulation(
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation: 'sap', timestep: 0.004 },
      ...ASSETS,
      shapes: [ground],
      bodies: [
        {
          name: 'body',
          position: [0.02, 0.03, height + 1e-4],
          joints: [{ kind: 'free' }],
          inertia: { kind: 'principal', mass: 1, moments: [2e-3, 2e-3, 2e-3] },
          shapes: [shape],
        },
      ],
    }),
  );
}

const shapes = SHAPES.map(([shape, height], n) => ({ shape, height, kind: shape.kind, n }));

describe.each(shapes)('$kind', ({ shape, height, n }) => {
  // in `npm test` every shape on every second ground, in turn
  const grounds = GROUNDS.filter((_, g) => isLongRun || (g + n) % 2 === 0);

  test('rests on grounds of several kinds where its lowest points are', () => {
    for (const ground of grounds) {
      const simulation = simulate(ground, { ...shape, contact: 'hydroelastic' }, height);
      simulation.step(100);
      const carried = simulation.contactForces().reduce((sum, { force, bodyName2 }) => {
        return sum + (bodyName2 === 'body' ? force[2] : -force[2]);
      }, 0);
      expect(Math.abs(carried - G)).toBeLessThan(1e-3 * G);
      // sunk in by what the slopes of both say: 1e7 Pa over 4 to 10 cm; cells of a lattice are softer along edges, and a ring lacks
      // what is between its polyhedron and the torus
      const slack = { signedDistance: 1e-3, triangleMesh: 6e-5 }[shape.kind as string] ?? 3e-5;
      expect(Math.abs(simulation.bodyPosition[5] - height)).toBeLessThan(slack);
    }
  });

  test('is rigid to a compliant plane where it has no pressure', () => {
    const simulation = simulate({ kind: 'plane', contact: 'hydroelastic' }, shape, height);
    simulation.step(100);
    const carried = simulation.contactForces().reduce((sum, { force }) => sum + force[2], 0);
    expect(Math.abs(carried - G)).toBeLessThan(1e-3 * G);
    expect(simulation.contactPatches()).toHaveLength(1);
  });
});

describe('errors', () => {
  test.each<[string, Shape, string, string]>([
    ['terrain', { kind: 'heightField', heightField: 'table', contact: 'hydroelastic' }, 'invalid-value', 'shapes[0]'],
    ['an open mesh', { kind: 'triangleMesh', mesh: 'sheet', contact: 'hydroelastic' }, 'invalid-mesh', 'shapes[0]'],
    [
      'a thickness of a solid',
      { kind: 'sphere', radius: 0.1, contact: 'hydroelastic', hydroelastic: { thickness: 0.1 } },
      'invalid-value',
      'shapes[0].hydroelastic.thickness',
    ],
    [
      'a resolution without inside',
      { kind: 'signedDistance', field: 'ring', contact: 'hydroelastic', hydroelastic: { resolution: 0.3 } },
      'invalid-mesh',
      'shapes[0]',
    ],
  ])('%s has no pressure', (_, ground, code, path) => {
    try {
      simulate(ground, { kind: 'sphere', radius: 0.05 }, 0.05);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(NexdynError);
      expect(error).toMatchObject({ code, path });
    }
  });
});
