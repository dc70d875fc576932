/** Round bodies roll: friction acts where they touch, not at their centres. */
import { type Body, compileModel, type Scene, type Shape, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';

const H = 0.002;
const R = 0.1;
const ANGLE = 0.2;
const PULL = 9.81 * Math.sin(ANGLE);

function build(shape: Shape, ground: Partial<Scene>, height: number): Simulation {
  const lying: Body['orientation'] = [Math.SQRT1_2, Math.SQRT1_2, 0, 0];
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: H, gravity: [PULL, 0, -9.81 * Math.cos(ANGLE)], ipc: { tolerance: 1e-6 } },
    ...ground,
    bodies: [{ name: 'a', position: [0, 0, height], orientation: lying, joints: [{ kind: 'free' }], shapes: [shape] }],
  };
  return new Simulation(compileModel(scene, { formulation: 'ipc' }));
}

const grounds: Record<string, Partial<Scene>> = {
  'a plane': { shapes: [{ kind: 'plane', friction: 0.5 }] },
  'a box': { shapes: [{ kind: 'box', halfSize: [3, 1, 0.5], position: [0, 0, -0.5], friction: 0.5 }] },
};
// mass and moment about the axis of a capsule with balls at its ends, both over density π
const straight = R * R * 0.4;
const ends = (4 / 3) * R ** 3;
const bodies: Record<string, { shape: Shape; inertia: number }> = {
  'a ball': { shape: { kind: 'sphere', radius: R, friction: 0.5 }, inertia: 0.4 },
  'a capsule': {
    shape: { kind: 'capsule', radius: R, halfLength: 0.2, friction: 0.5 },
    inertia: (0.5 * straight + 0.4 * ends) / (straight + ends),
  },
};

describe('down a slope', () => {
  for (const [name, { shape, inertia }] of Object.entries(bodies)) {
    for (const [ground, parts] of Object.entries(grounds)) {
      test(`${name} rolls on ${ground} with g sin θ/(1 + I/m r²)`, () => {
        const simulation = build(shape, parts, R + 5e-4);
        simulation.step(20);
        const from = simulation.state.velocity[0]!;
        simulation.step(200);
        const gained = simulation.state.velocity[0]! - from;
        expect(gained / ((PULL * 200 * H) / (1 + inertia))).toBeCloseTo(1, 3);
        // the surface does not slide: ω r = v; the body lies on its side, so that its z axis is the world's −y
        expect(Math.abs(simulation.state.velocity[5]! * R + simulation.state.velocity[0]!)).toBeLessThan(1e-3);
        // contacts are reported where surfaces meet
        for (const { position } of simulation.contactForces()) expect(Math.abs(position[2]!)).toBeLessThan(1e-3);
      });
    }
  }

  test('without friction a ball slides and does not turn', () => {
    const simulation = build(
      { kind: 'sphere', radius: R, friction: 0 },
      { shapes: [{ kind: 'plane', friction: 0 }] },
      R,
    );
    simulation.step(100);
    expect(simulation.state.velocity[0]! / (PULL * 100 * H)).toBeCloseTo(1, 6);
    expect(Math.abs(simulation.state.velocity[5]!)).toBeLessThan(1e-9);
  });

  test('a ball rolls on a soft slab, too', () => {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { timestep: 0.005, gravity: [PULL, 0, -9.81 * Math.cos(ANGLE)] },
      softBodies: [
        {
          mesh: { kind: 'box', halfSize: [0.4, 0.1, 0.04], cells: [8, 2, 1] },
          elasticity: { youngsModulus: 1e7, poissonRatio: 0.3, density: 1000 },
          position: [0.2, 0, -0.04],
          // all of its lower side
          pinned: Array.from({ length: 27 }, (_, v) => v),
        },
      ],
      bodies: [
        {
          name: 'a',
          position: [0, 0.013, R + 5e-4],
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'sphere', radius: R, mass: 0.1, friction: 0.5 }],
        },
      ],
    };
    const simulation = new Simulation(compileModel(scene, { formulation: 'ipc' }));
    simulation.step(40);
    const { velocity } = simulation.state;
    // 5/7 g sin θ t, and what the slab takes by giving way
    expect(velocity[0]! / ((5 / 7) * PULL * 0.2)).toBeGreaterThan(0.9);
    expect(velocity[0]! / ((5 / 7) * PULL * 0.2)).toBeLessThan(1.05);
    expect((velocity[4]! * R) / velocity[0]!).toBeGreaterThan(0.9);
    expect((velocity[4]! * R) / velocity[0]!).toBeLessThan(1.1);
  });

  test('a plane that moves takes a box along', () => {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { timestep: 0.01 },
      bodies: [
        { name: 'belt', mocap: true, shapes: [{ kind: 'plane', friction: 0.8 }] },
        {
          name: 'a',
          position: [0, 0, 0.1008],
          joints: [{ kind: 'free' }],
          shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], friction: 0.8 }],
        },
      ],
    };
    const simulation = new Simulation(compileModel(scene, { formulation: 'ipc' }));
    for (let n = 1; n <= 100; n++) {
      simulation.setMocapPose('belt', [0.005 * n, 0, 0]);
      simulation.step();
    }
    expect(simulation.state.velocity[0]).toBeCloseTo(0.5, 2);
  });
});
