/**
 * Scenes of the position-level formulation with numbers that are known: free flight, rest, slopes, sliding, stacks, impacts, thin
 * sheets, gaps. Invariant I0 holds on every accepted state: exact arithmetic finds no edge through a triangle.
 */
import {
  type Body,
  compileModel,
  type IpcOptions,
  type Scene,
  type Shape,
  Simulation,
  type Vec3,
} from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { IntersectionCheck } from '../../packages/engine/src/testing/world-surfaces.ts';
import { longTest, takeSamples } from '../../scripts/long-run.ts';
import { advance, body, build, cube, G, sumNormalForces } from './checked-scene.ts';

describe('free flight', () => {
  test('free fall is the sum of backward Euler to 1e-12', () => {
    const options = { integrator: 'semiImplicit' as const };
    const simulation = build({ options, bodies: [body('a', [0, 0, 5], cube(0.1))] }, 0.01);
    for (let n = 1; n <= 100; n++) {
      simulation.step();
      expect(Math.abs(simulation.bodyPosition[5]! - (5 - (G * 1e-4 * n * (n + 1)) / 2))).toBeLessThan(1e-12);
    }
  });

  test('a body turned about its middle axis flips again and again; momentum and energy stay', () => {
    const nut: Shape = { kind: 'box', halfSize: [0.3, 0.2, 0.05] };
    const simulation = build({ options: { gravity: [0, 0, 0] }, bodies: [body('nut', [0, 0, 0], nut)] }, 0.01);
    const tilt = (3 * Math.PI) / 180;
    simulation.state.velocity.set([0, 0, 0, 0, Math.PI * Math.cos(tilt), Math.PI * Math.sin(tilt)]);
    const energy = simulation.energy().kinetic;
    const momentum = Math.hypot(...simulation.momentum().angular);
    let flips = 0;
    let side = 1;
    let [turned, gained] = [0, 0];
    const steps = takeSamples(4000, 0.4);
    for (let n = 0; n < steps; n++) {
      simulation.step();
      if (simulation.state.velocity[4]! * side < -1) {
        side = -side;
        flips++;
      }
      turned = Math.max(turned, Math.abs(Math.hypot(...simulation.momentum().angular) / momentum - 1));
      gained = Math.max(gained, Math.abs(simulation.energy().kinetic / energy - 1));
    }
    expect(turned).toBeLessThan(1e-9);
    expect(gained).toBeLessThan(1e-3);
    expect(flips).toBeGreaterThan((5 * steps) / 4000);
  });

  test('more than half a turn in a step is kept', () => {
    const simulation = build({ options: { gravity: [0, 0, 0] }, bodies: [body('a', [0, 0, 0], cube(0.1))] }, 0.01);
    simulation.state.velocity[5] = 400;
    for (let n = 0; n < 10; n++) simulation.step();
    expect(simulation.state.velocity[5]).toBeCloseTo(400, 9);
  });
});

describe('rest and friction', () => {
  test('a cube rests where the barrier carries its weight, on a plane and on triangles alike', () => {
    const floor: Shape = { kind: 'box', halfSize: [1, 1, 0.5], position: [0, 0, -0.5] };
    const heights = ([{ kind: 'plane' }, floor] as Shape[]).map((shape) => {
      const simulation = build({ shapes: [shape], bodies: [body('a', [0.03, 0.02, 0.12], cube(0.1))] }, 0.01);
      advance(simulation, 60);
      expect(sumNormalForces(simulation)).toBeCloseTo(8 * G, 6);
      return simulation.bodyPosition[5]!;
    });
    expect(heights[0]).toBeGreaterThan(0.1);
    expect(heights[0]).toBeLessThan(0.101);
    // one side presses per corner on both floors
    expect(heights[1]).toBeCloseTo(heights[0]!, 9);
  });

  /** How long a cube creeps or slides, s. */
  const SECONDS = takeSamples(25, 0.6);

  // started from rest in the place where a rough slope holds the cube
  function slide(friction: number, g: number, seconds: number): number {
    const angle = (26.565 * Math.PI) / 180;
    const scene = (mu: number): Partial<Scene> => ({
      options: { gravity: [g * Math.sin(angle), 0, -g * Math.cos(angle)] },
      shapes: [{ kind: 'plane', friction: mu }],
      bodies: [body('a', [0, 0, 0.5009], cube(0.5, mu))],
    });
    const ipc: IpcOptions = { frictionVelocity: 1e-5, tolerance: 1e-8, frictionPasses: -1 };
    const rough = build(scene(5), 0.025, ipc);
    rough.step(200);
    const simulation = build(scene(friction), 0.025, ipc);
    simulation.state.position.set(rough.state.position);
    const start = simulation.state.position[0]!;
    advance(simulation, Math.round(seconds / 0.025));
    return simulation.state.position[0]! - start;
  }

  test('on a slope as steep as its friction a cube creeps as the smoothing says', () => {
    const share = Math.tan((26.565 * Math.PI) / 180) / 0.5;
    const creep = 1e-5 * (1 - Math.sqrt(1 - share)) * SECONDS;
    const way = slide(0.5, 9.8, SECONDS);
    expect(way).toBeGreaterThan(0.99 * creep);
    expect(way).toBeLessThan(1.01 * creep);
  });

  test('with less friction it slides as backward Euler does', () => {
    const angle = (26.565 * Math.PI) / 180;
    const a = 9.8 * (Math.sin(angle) - 0.49 * Math.cos(angle));
    const steps = 40 * SECONDS;
    const travel = (a * 0.025 ** 2 * steps * (steps + 1)) / 2;
    expect(Math.abs(slide(0.49, 9.8, SECONDS) / travel - 1)).toBeLessThan(2e-4);
  });

  longTest('a cube that slides is slowed by μ g, and not at all without friction', () => {
    for (const [mu, travel] of [
      [0.05, 10 * 2.5 - (0.05 * G * 0.01 ** 2 * 250 * 251) / 2],
      [0, 25],
    ] as const) {
      const simulation = build(
        { shapes: [{ kind: 'plane', friction: mu }], bodies: [body('a', [0, 0, 0.5009], cube(0.5, mu))] },
        0.01,
        { tolerance: 1e-6 },
      );
      simulation.state.velocity[0] = 10;
      advance(simulation, 250);
      // the first step still finds its normal force
      expect(Math.abs(simulation.bodyPosition[3]! - travel)).toBeLessThan(mu === 0 ? 1e-6 : 0.02);
    }
  });
});

describe('many contacts', () => {
  test('five cubes fall on each other and stay a stack', () => {
    const bodies = Array.from({ length: 5 }, (_, i) => body(`c${i}`, [0, 0, 0.6 + 2 * i], cube(0.5)));
    // at other heights and steps an impact may turn the symmetry of the fall into a slip of a millimetre
    const options = { integrator: 'semiImplicit' as const };
    const simulation = build({ options, shapes: [{ kind: 'plane' }], bodies }, 0.01, { tolerance: 1e-5 });
    advance(simulation, takeSamples(400, 0.7));
    for (let b = 1; b <= 5; b++) {
      const [x, y, z] = simulation.bodyPosition.subarray(3 * b, 3 * b + 3);
      expect(Math.abs(x!)).toBeLessThan(1e-6);
      expect(Math.abs(y!)).toBeLessThan(1e-6);
      expect(z).toBeGreaterThan(b - 0.5);
      expect(z).toBeLessThan(b - 0.5 + 0.001 * b);
    }
    // each contact carries all above it: 5 + 4 + 3 + 2 + 1 weights
    expect(sumNormalForces(simulation) / (15 * 1000 * G)).toBeCloseTo(1, 5);
  });

  test('corners, edges and faces of tetrahedra meet without passing', () => {
    const tet = {
      name: 'tet',
      vertices: [0, 0, 0, 1, 0, 0, 0.5, 0.9, 0, 0.5, 0.3, 0.8],
      faces: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3],
    };
    const shape: Shape = { kind: 'triangleMesh', mesh: 'tet', friction: 0 };
    const turns: [number, number, number, number][] = [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0.7, 0.7, 0, 0],
      [0.8, 0.3, 0.4, 0.2],
    ];
    for (const orientation of turns) {
      const simulation = build(
        {
          meshes: [tet],
          shapes: [{ ...shape, position: [0, 0, 0] }],
          bodies: [body('a', [0.1, 0.05, 1.9], shape, { orientation })],
        },
        0.01,
      );
      advance(simulation, 60);
    }
  });

  test('a cube at 1000 m/s does not pass a sheet without thickness', () => {
    const sheet = { name: 'sheet', vertices: [-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0], faces: [0, 1, 2, 0, 2, 3] };
    const simulation = build(
      { meshes: [sheet], shapes: [{ kind: 'triangleMesh', mesh: 'sheet' }], bodies: [body('a', [0, 0, 5], cube(0.5))] },
      0.01,
      { barrierDistance: 1e-2, tolerance: 1e-5 },
    );
    simulation.state.velocity[2] = -1000;
    advance(simulation, 100, () => expect(simulation.bodyPosition[5]).toBeGreaterThan(0.5));
  });

  test('a cube spins on over a plane a tenth of a millimetre below it', () => {
    const simulation = build(
      { shapes: [{ kind: 'plane', friction: 0 }], bodies: [body('a', [0, 0, 0.5001], cube(0.5, 0))] },
      0.01,
      { barrierDistance: 1e-4, tolerance: 1e-6 },
    );
    simulation.state.velocity[5] = Math.PI;
    advance(simulation, 1000);
    expect(simulation.state.velocity[5]).toBeCloseTo(Math.PI, 4);
  });

  test('a rotor that turns half way round in a step meets a pin that it touches neither at the start nor at the end', () => {
    const simulation = build(
      {
        options: { gravity: [0, 0, 0] },
        shapes: [{ kind: 'box', halfSize: [0.02, 0.02, 0.5], position: [0, 0.8, 0] }],
        bodies: [body('rotor', [0, 0, 0], { kind: 'box', halfSize: [1, 0.05, 0.1], friction: 0 })],
      },
      0.01,
      { iterations: 400 },
    );
    simulation.state.velocity[5] = Math.PI / 0.01;
    const check = new IntersectionCheck(simulation);
    simulation.step();
    expect(check.count()).toBe(0);
    // without contact it would turn about its centre, which stays: the pin has pushed it aside
    expect(Math.hypot(simulation.bodyPosition[3]!, simulation.bodyPosition[4]!)).toBeGreaterThan(0.01);
    expect(simulation.report.minimumDistance).toBeGreaterThan(0);
  });

  test('a mocap body pushes a cube before it, and one that jumps does not pass through', () => {
    const hand: Body = { name: 'hand', mocap: true, position: [-0.5, 0, 0.2], shapes: [cube(0.1)] };
    const parts = { shapes: [{ kind: 'plane' } as Shape], bodies: [hand, body('a', [0, 0, 0.12], cube(0.1))] };
    const simulation = build(parts, 0.01);
    let n = 0;
    advance(simulation, 60, () => simulation.setMocapPose('hand', [-0.5 + 0.01 * ++n, 0, 0.2]));
    expect(simulation.bodyPosition[6]! - (simulation.bodyPosition[3]! - 0.01)).toBeGreaterThan(0.2);
    const jumping = build(parts, 0.01);
    jumping.step(20);
    jumping.setMocapPose('hand', [1, 0, 0.2]);
    for (let k = 0; k < 5; k++) expect(jumping.step().minimumDistance).toBeGreaterThan(0);
    // it is on its way, the cube before it, and says that it has not arrived
    expect(jumping.report.status).toBe('stalled');
    expect(jumping.bodyPosition[6]).toBeGreaterThan(0.02);
  });

  test('points and wires: balls and rods thinner than the barrier is long hang in a frame of edges', () => {
    const wire = (position: Vec3, orientation: [number, number, number, number]): Shape => ({
      kind: 'capsule',
      radius: 1e-4,
      halfLength: 0.5,
      position,
      orientation,
    });
    const along: [number, number, number, number] = [Math.SQRT1_2, 0, Math.SQRT1_2, 0];
    const across: [number, number, number, number] = [Math.SQRT1_2, Math.SQRT1_2, 0, 0];
    const simulation = build(
      {
        shapes: [wire([0, 0.1, 0], along), wire([0, -0.1, 0], along)],
        bodies: [
          body('rod', [0, 0, 0.05], { ...wire([0, 0, 0], across), mass: 0.1 }),
          body('ball', [0.2, 0, 0.3], { kind: 'sphere', radius: 0.11, mass: 0.1 }),
        ],
      },
      0.01,
      { barrierDistance: 1e-3 },
    );
    advance(simulation, 100);
    expect(simulation.bodyPosition[5]).toBeGreaterThan(2e-4);
    expect(simulation.bodyPosition[5]).toBeLessThan(2e-4 + 1e-3);
    // a ball of radius 0.11 between wires 0.2 apart: √((r + r_wire)² − 0.1²) above them, and up to d̂ more along the slope
    const low = Math.sqrt(0.1101 ** 2 - 0.01);
    expect(simulation.bodyPosition[8]).toBeGreaterThan(low);
    expect(simulation.bodyPosition[8]).toBeLessThan(Math.sqrt(0.1111 ** 2 - 0.01));
  });
});

describe('bad input', () => {
  const start =
    (parts: Partial<Scene>, ipc: IpcOptions = {}) =>
    () =>
      build({ ...parts, options: { start: 'refuse' } }, 0.01, ipc).step();

  test('an intersection at the start names the pair and the depth', () => {
    const floor: Shape = { kind: 'plane', name: 'floor' };
    expect(start({ shapes: [floor], bodies: [body('a', [0, 0, 0.09], cube(0.1))] })).toThrow(
      /shape "floor" and the shape of "a" intersect at the start by 10 mm/,
    );
    const block: Shape = { kind: 'box', name: 'block', halfSize: [1, 1, 1] };
    expect(start({ shapes: [block], bodies: [body('a', [0, 0, 1.09], cube(0.1))] })).toThrow(/"block".*by 10 mm/);
    expect(start({ shapes: [block], bodies: [body('a', [0, 0, 0], cube(0.1))] })).toThrow(/"block".*intersect/);
  });

  test('touching is mended: the body is moved up to where the barrier holds it', () => {
    const simulation = build({ shapes: [{ kind: 'plane' }], bodies: [body('a', [0, 0, 0.1], cube(0.1))] }, 0.01);
    simulation.step();
    expect(simulation.bodyPosition[5]).toBeGreaterThan(0.1);
    expect(simulation.bodyPosition[5]).toBeLessThan(0.101);
    expect(Math.abs(simulation.state.velocity[2]!)).toBeLessThan(0.01);
  });

  test('a barrier longer than a body, a strict mesh with a triangle without area, restitution and joint coordinates are refused', () => {
    expect(start({ bodies: [body('a', [0, 0, 1], cube(0.1))] }, { barrierDistance: 0.5 })).toThrow(
      /barrier begins at 0.5 m/,
    );
    const flat = {
      name: 'flat',
      strict: true,
      vertices: [0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0],
      faces: [0, 1, 2, 0, 1, 3],
    };
    expect(start({ meshes: [flat], shapes: [{ kind: 'triangleMesh', mesh: 'flat' }] })).toThrow(/area/);
    expect(start({ materials: [{ name: 'rubber', restitution: 0.5 }] })).toThrow(/ipc does not define restitution/);
    const scene: Scene = { format: 'nexdyn-scene', version: 1, bodies: [body('a', [0, 0, 1], cube(0.1))] };
    expect(() => new Simulation(compileModel(scene, { formulation: 'ipc', coordinates: 'joint' }))).toThrow(
      /body coordinates/,
    );
  });
});
