/** Bodies at 100 m/s stop at thin walls, and what passes by is not slowed. */
import {
  compileModel,
  type FormulationId,
  type Scene,
  type Shape,
  Simulation,
  type SoftBody,
  type Vec3,
} from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { createTurns } from '../../scripts/long-run.ts';

const takeTurn = createTurns();

const BALL: Shape = { kind: 'sphere', radius: 0.02, density: 1000 };
const PLATE: Shape = { kind: 'box', halfSize: [0.0025, 0.1, 0.1], density: 1000 };
const WALL: Shape = { kind: 'box', halfSize: [0.005, 4, 4] };
const STARTS = 5;

interface Flight {
  shape?: Shape;
  from: Vec3;
  velocity: Vec3;
  parts: Partial<Scene>;
  h: number;
  options?: Scene['options'];
}

function fly(formulation: FormulationId, { shape = BALL, from, velocity, parts, h, options = {} }: Flight): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    ...parts,
    bodies: [
      { name: 'projectile', position: from, joints: [{ kind: 'free' }], shapes: [shape] },
      ...(parts.bodies ?? []),
    ],
    options: { timestep: h, gravity: [0, 0, 0], ...options },
  };
  const simulation = new Simulation(compileModel(scene, { formulation }));
  simulation.setVelocity('projectile', { linear: velocity });
  for (let n = 0; n < Math.round(0.1 / h); n++) expect(simulation.step().status).toBe('converged');
  return simulation;
}

const sheet = { name: 'sheet', vertices: [0, -4, -4, 0, 4, -4, 0, 4, 4, 0, -4, 4], faces: [0, 2, 1, 0, 3, 2] };
const terrain = { name: 'terrain', rows: 3, columns: 3, halfSize: [4, 4], baseDepth: 0.05, heights: Array(9).fill(0) };
/** What stands in the way at x = 0. */
const WALLS: [string, Shape, Partial<Scene>, Vec3][] = [
  ['ball, static wall', BALL, { shapes: [WALL] }, [100, 0, 0]],
  ['plate flat-on, static wall', PLATE, { shapes: [WALL] }, [100, 0, 0]],
  [
    'ball, loose wall',
    BALL,
    { bodies: [{ name: 'wall', joints: [{ kind: 'free' }], shapes: [{ ...WALL, mass: 10 }] }] },
    [100, 0, 0],
  ],
  ['ball at an angle', BALL, { shapes: [WALL] }, [80, 40, -30]],
  [
    'ball, sheet of triangles',
    BALL,
    { meshes: [sheet], shapes: [{ kind: 'triangleMesh', mesh: 'sheet' }] },
    [100, 0, 0],
  ],
  [
    'ball, terrain on its side',
    BALL,
    {
      heightFields: [terrain as NonNullable<Scene['heightFields']>[number]],
      shapes: [{ kind: 'heightField', heightField: 'terrain', orientation: [Math.SQRT1_2, 0, -Math.SQRT1_2, 0] }],
    },
    [100, 0, 0],
  ],
];

describe.each(['mujoco', 'sap', 'ccp'] as const)('%s', (formulation) => {
  const test = takeTurn();
  test.each(WALLS)('%s', (_, shape, parts, velocity) => {
    for (const h of [1 / 60, 1 / 240]) {
      for (let k = 0; k < STARTS; k++) {
        const from: Vec3 = [-0.3 - 0.37 * k, 0.11 * k - 0.2, 0.05 * k];
        const simulation = fly(formulation, { shape, from, velocity, parts, h });
        const wall = parts.bodies ? simulation.pose('wall').position[0] : 0;
        expect(simulation.pose('projectile').position[0]).toBeLessThan(wall);
        expect(simulation.velocity('projectile').linear[0]).toBeLessThan(2);
      }
    }
  });

  const tiles = Array.from(
    { length: 20 },
    (_, i): Shape => ({ kind: 'box', halfSize: [0.05, 1, 0.05], position: [0.1 * i - 1, 0, -0.05] }),
  );
  const post = (y: number): Shape => ({ kind: 'capsule', radius: 0.05, halfLength: 1, position: [0, y, 0] });
  test.each<[string, Partial<Scene>, Vec3, Vec3]>([
    ['over the borders of tiles', { shapes: tiles }, [-3, 0, 0.0205], [100, 0, 0]],
    [
      'over the edge of a wall',
      { shapes: [{ kind: 'box', halfSize: [0.005, 1, 1] }] },
      [-2.03, 0, 1.0215],
      [100, 0, 0],
    ],
    [
      'past the corner of a block',
      { shapes: [{ kind: 'box', halfSize: [0.5, 0.5, 0.5] }] },
      [-2, 0, 3.03],
      [70, 0, -70],
    ],
    ['between two posts', { shapes: [post(0.0725), post(-0.0725)] }, [-2.01, 0, 0], [100, 0, 0]],
    ['close over a plane', { shapes: [{ kind: 'plane' }] }, [-3, 0.1, 0.0205], [100, 3, 0]],
  ])('%s nothing is slowed', (_, parts, from, velocity) => {
    for (const h of [1 / 60, 1 / 240]) {
      const { linear } = fly(formulation, { from, velocity, parts, h }).velocity('projectile');
      linear.forEach((v, k) => void expect(v).toBeCloseTo(velocity[k]!, 9));
    }
  });

  test('a ball that hits a loose bar off its centre keeps momentum and angular momentum', () => {
    const bar: Shape = { kind: 'box', halfSize: [0.005, 0.3, 0.05], mass: 1 };
    const parts = { bodies: [{ name: 'bar', joints: [{ kind: 'free' as const }], shapes: [bar] }] };
    const ball: Shape = { kind: 'sphere', radius: 0.02, mass: 0.1, friction: 0 };
    const simulation = fly(formulation, {
      shape: ball,
      from: [-1.23, 0.2, 0],
      velocity: [100, 0, 0],
      parts,
      h: 1 / 240,
    });
    const { linear, angular } = simulation.momentum();
    expect(linear[0]).toBeCloseTo(10, 6);
    // about the origin: r × m v
    expect(angular[2]).toBeCloseTo(-2, 1);
    expect(simulation.velocity('bar').angular[2]).toBeLessThan(-1);
  });
});

test.each<FormulationId>(['mujoco', 'sap', 'ccp', 'ipc'])(
  '%s: 300 m/s and 1000 m/s end at a wall of 4 mm',
  (formulation) => {
    const parts = { shapes: [{ kind: 'box', halfSize: [0.002, 1, 1] } as Shape] };
    for (const speed of [300, 1000]) {
      const end = fly(formulation, { from: [-1, 0, 0], velocity: [speed, 0, 0], parts, h: 1 / 60 });
      expect(end.pose('projectile').position[0]).toBeLessThan(-0.02);
    }
  },
);

test('the option decides; files that name an integrator of MuJoCo keep its trajectories', () => {
  const flight: Flight = { from: [-1, 0, 0], velocity: [100, 0, 0], parts: { shapes: [WALL] }, h: 1 / 240 };
  const end = (formulation: FormulationId, options: Scene['options']): number =>
    fly(formulation, { ...flight, options }).pose('projectile').position[0];
  expect(end('sap', { fastBodies: 'off' })).toBeGreaterThan(8);
  expect(end('mujoco', { integrator: 'euler' })).toBeGreaterThan(8);
  expect(end('mujoco', { integrator: 'euler', fastBodies: 'on' })).toBeLessThan(0);
  expect(end('sap', { integrator: 'euler' })).toBeLessThan(0);
});

const THIN_PLATE: Shape = { kind: 'box', halfSize: [0.3, 0.3, 0.005] };
const FAST_SOFT: readonly [string, SoftBody['mesh'], SoftBody['contact']?][] = [
  ['cloth', { kind: 'grid', size: [0.2, 0.2], cells: [4, 4], thickness: 0.002 }],
  ['a rod', { kind: 'polyline', points: [-0.1, 0, 0, -0.05, 0, 0, 0, 0, 0, 0.05, 0, 0], radius: 0.003 }],
  ['a solid by points', { kind: 'box', halfSize: [0.05, 0.05, 0.02], cells: [3, 3, 1] }, 'point'],
  ['a solid by pressure', { kind: 'box', halfSize: [0.05, 0.05, 0.02], cells: [3, 3, 2] }, 'hydroelastic'],
];

describe.each(['mujoco', 'sap', 'ccp'] as const)(
  'soft bodies at 10 m/s, ten thicknesses of a plate in a step: %s',
  (formulation) => {
    const open = (more: Partial<Scene>, options: Scene['options'] = {}): Simulation =>
      new Simulation(
        compileModel({
          format: 'nexdyn-scene',
          version: 1,
          ...more,
          options: { formulation, timestep: 0.01, ...options },
        }),
      );
    const elasticity = { youngsModulus: 1e6, poissonRatio: 0.3, density: 300, stiffnessDamping: 0.005 };
    const lowest = (simulation: Simulation): number =>
      simulation.softPosition('soft').reduce((least, z, i) => (i % 3 === 2 ? Math.min(least, z) : least), Infinity);

    test.each(FAST_SOFT)('%s stays on it, and slips through where the option is off', (_, mesh, contact) => {
      const drop = (options: Scene['options']): number => {
        const simulation = open(
          {
            bodies: [{ name: 'plate', shapes: [THIN_PLATE] }],
            softBodies: [
              {
                name: 'soft',
                position: [0, 0, 0.36],
                velocity: [0, 0, -10],
                mesh,
                elasticity,
                ...(contact && { contact }),
              },
            ],
          },
          options,
        );
        simulation.step(10);
        return lowest(simulation);
      };
      expect(drop({})).toBeGreaterThan(0);
      expect(drop({ fastBodies: 'off' })).toBeLessThan(-0.1);
    });

    test('a plate takes resting cloth along, with all momentum', () => {
      const simulation = open(
        {
          bodies: [
            {
              name: 'plate',
              position: [0, 0, -0.33],
              joints: [{ kind: 'free' }],
              shapes: [{ ...THIN_PLATE, mass: 1 }],
            },
          ],
          softBodies: [{ name: 'soft', mesh: FAST_SOFT[0][1], elasticity }],
        },
        { gravity: [0, 0, 0] },
      );
      simulation.state.velocity[2] = 10;
      simulation.step(12);
      expect(lowest(simulation)).toBeGreaterThan(simulation.pose('plate').position[2]);
      expect(Math.abs(simulation.momentum().linear[2] / 10 - 1)).toBeLessThan(1e-9);
    });

    test('what passes by is left alone', () => {
      const soft: SoftBody = { name: 'soft', mesh: FAST_SOFT[0][1], elasticity };
      const simulation = open(
        {
          bodies: [{ name: 'plate', shapes: [THIN_PLATE] }],
          // the cloth ends 10 mm beside the plate
          softBodies: [{ ...soft, position: [0, 0.41, 0.33], velocity: [3, 0, -10] }],
        },
        { gravity: [0, 0, 0] },
      );
      const before = simulation.momentum().linear[2];
      simulation.step(10);
      expect(Math.abs(simulation.momentum().linear[2] / before - 1)).toBeLessThan(1e-12);
    });
  },
);

test.each(['mujoco', 'sap', 'ccp'] as const)('%s: a ball that reaches a thin wall with speed left', (formulation) => {
  // 15 mm before the wall, 200 mm in a step: it stops where it touches at 7.5 m/s, of which a soft contact of 10 mm takes too little
  const flight = { from: [-0.64, 0, 0], velocity: [100, 0, 0], parts: { shapes: [WALL] }, h: 0.002 } satisfies Flight;
  expect(fly(formulation, flight).state.position[0]).toBeLessThan(0);
});
