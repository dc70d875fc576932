/** Friction pyramids with n edges: friction over the direction of sliding, against the closed form of the law. */
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../../../../scripts/long-run.ts';
import '../../compliance.ts';
import { NexdynError } from '../../error.ts';
import { compileModel } from '../../model/compile.ts';
import type { MujocoOptions, PyramidEdges } from '../../scene/options.ts';
import type { Scene } from '../../scene/scene.ts';
import { Simulation, type SimulationOptions } from '../../simulation.ts';

const MU = 0.5;
const G = 9.81;
const H = 1e-3;
/** Of a ball of radius 0.1 m and 1000 kg/m³. */
const MASS = (4000 / 3) * Math.PI * 0.1 ** 3;
const EDGES: readonly PyramidEdges[] = takeCases([4, 6, 8, 16, 32], 2);
/** Contacts all but rigid: the law is met to 1e-3. */
const HARD = { solimp: [0.9999, 0.99999, 0.001, 0.5, 2] as [number, number, number, number, number] };

/** A ball that cannot turn, on a plane. */
function createPuck(mujoco: MujocoOptions, belt = 0): Scene {
  const axes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ] as const;
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'mujoco', timestep: H, mujoco: { tolerance: 1e-12, ...mujoco } },
    shapes: [{ kind: 'plane', friction: MU, mujoco: HARD, ...(belt !== 0 && { surfaceVelocity: [0, belt, 0] }) }],
    bodies: [
      {
        position: [0, 0, 0.1],
        joints: axes.map((axis) => ({ kind: 'slide', axis: [...axis] })),
        shapes: [{ kind: 'sphere', radius: 0.1, friction: MU, mujoco: HARD }],
      },
    ],
  };
}

const start = (mujoco: MujocoOptions, options: SimulationOptions = {}): Simulation =>
  new Simulation(compileModel(createPuck(mujoco)), options);

/** Friction against the motion and across it, over μ times the normal impulse, while sliding in one direction. */
function measureFriction(mujoco: MujocoOptions, angle: number): { along: number; across: number } {
  const simulation = start(mujoco);
  simulation.step(200);
  let along = 0;
  let across = 0;
  let normal = 0;
  for (let n = 0; n < 100; n++) {
    simulation.state.velocity[0] = 2 * Math.cos(angle);
    simulation.state.velocity[1] = 2 * Math.sin(angle);
    simulation.step();
    const [x, y, z] = simulation.solverReadout().impulse;
    along -= x * Math.cos(angle) + y * Math.sin(angle);
    across += y * Math.cos(angle) - x * Math.sin(angle);
    normal += z;
  }
  return { along: along / (MU * normal), across: across / (MU * normal) };
}

describe.each(EDGES)('%i edges', (pyramidEdges) => {
  // where the first edge lies, from the contact frame
  const sector = (2 * Math.PI) / pyramidEdges;
  const forces = Array.from({ length: 16 }, (_, k) => measureFriction({ pyramidEdges }, (k * sector) / 16));

  test('friction is μ along an edge, μ cos(π/n) halfway between two, and pulls aside in between', () => {
    const along = forces.map((force) => force.along);
    expect(Math.max(...along)).toBeCloseTo(1, 3);
    expect(Math.min(...along)).toBeCloseTo(Math.cos(Math.PI / pyramidEdges), 3);
    // the force is that of an edge: μ cos δ along and μ sin δ across, δ the angle to the nearest edge; none is longer
    for (const force of forces) {
      expect(Math.hypot(force.along, force.across)).toBeLessThan(1 + 1e-3);
      expect(Math.abs(force.across)).toBeLessThan(Math.sin(Math.PI / pyramidEdges) + 1e-3);
    }
    const best = along.indexOf(Math.max(...along));
    const quarter = forces[(best + 4) % 16];
    expect(quarter.along).toBeCloseTo(Math.cos(sector / 4), 2);
    expect(Math.abs(quarter.across)).toBeCloseTo(Math.sin(sector / 4), 2);
  });

  test('contacts are as soft at rest as with four edges', () => {
    const [one, four] = [pyramidEdges, 4 as const].map((edges) => {
      const simulation = start({ pyramidEdges: edges });
      simulation.step(2000);
      return simulation.state.position[2];
    });
    expect(one).toBeCloseTo(four, 12);
  });

  test('the forces of contacts are in their frame: weight and friction', () => {
    const simulation = start({ pyramidEdges });
    simulation.step(500);
    const [rest] = simulation.contactForces();
    expect(Math.hypot(...rest.force)).toBeCloseTo(MASS * G, 6);
    expect(rest.mode).toBe('stick');
    simulation.state.velocity.set([1, 0.3, 0]);
    simulation.step();
    const [slide] = simulation.contactForces();
    const { impulse } = simulation.solverReadout();
    for (let k = 0; k < 3; k++) expect(Math.abs(slide.force[k])).toBeCloseTo(Math.abs(impulse[k]) / H, 6);
    expect(slide.mode).toBe('slide');
  });
});

test('an elliptic cone has the same friction in all directions', () => {
  for (let k = 0; k < 8; k++) {
    const { along, across } = measureFriction({ cone: 'elliptic' }, (k * Math.PI) / 16);
    expect(along).toBeCloseTo(1, 3);
    expect(across).toBeCloseTo(0, 3);
  }
});

test.each<MujocoOptions>([
  { solver: 'cg', iterations: 500 },
  { solver: 'pgs', iterations: 2000 },
  { noslipIterations: 5 },
])('eight edges under %o: the motion of Newton', (options) => {
  const [one, other] = [{}, options].map((more) => {
    const simulation = start({ pyramidEdges: 8, ...more });
    simulation.state.velocity.set([1, 0.3, 0]);
    simulation.step(100);
    return simulation.state.velocity.slice();
  });
  for (let k = 0; k < 2; k++) expect(other[k]).toBeCloseTo(one[k], 4);
});

test('four edges are those of MuJoCo, byte by byte; compiled functions have those of TypeScript', () => {
  const run = (mujoco: MujocoOptions, options: SimulationOptions = {}): string => {
    const simulation = start(mujoco, options);
    simulation.state.velocity.set([1, 0.3, 0]);
    simulation.step(200);
    return simulation.hash();
  };
  expect(run({ pyramidEdges: 4 })).toBe(run({ cone: 'pyramidal' }));
  expect(run({ pyramidEdges: 8 })).not.toBe(run({ cone: 'pyramidal' }));
  expect(run({ pyramidEdges: 16 }, { portable: true })).toBe(run({ pyramidEdges: 16 }));
});

test('a belt carries the ball along, whatever the number of edges', () => {
  for (const pyramidEdges of [4, 8] as const) {
    const simulation = new Simulation(compileModel(createPuck({ pyramidEdges }, 0.5)));
    simulation.step(1000);
    expect(simulation.state.velocity[1]).toBeCloseTo(0.5, 3);
    expect(simulation.state.velocity[0]).toBeCloseTo(0, 3);
  }
});

test('spin and roll keep their edges: a spinning ball slows as with four', () => {
  const spin = (pyramidEdges: PyramidEdges): number => {
    const mujoco = { ...HARD, condim: 6 as const };
    const contact = { friction: MU, mujoco, spinFriction: 0.01, rollFriction: 0.01 };
    const simulation = new Simulation(
      compileModel({
        format: 'nexdyn-scene',
        version: 1,
        options: { formulation: 'mujoco', timestep: H, mujoco: { tolerance: 1e-12, pyramidEdges } },
        shapes: [{ kind: 'plane', ...contact }],
        bodies: [
          { position: [0, 0, 0.1], joints: [{ kind: 'free' }], shapes: [{ kind: 'sphere', radius: 0.1, ...contact }] },
        ],
      }),
    );
    simulation.step(200);
    simulation.state.velocity.set([0, 0, 0, 0, 0, 20]);
    simulation.step(100);
    return simulation.state.velocity[5];
  };
  expect(spin(4)).toBeLessThan(19.9);
  expect(spin(8)).toBeCloseTo(spin(4), 2);
});

test.each([0, 2, 3, 5, 7.5, 34])('%f edges: refused, with the field', (pyramidEdges) => {
  const scene = createPuck({ pyramidEdges: pyramidEdges as PyramidEdges });
  expect(() => compileModel(scene)).toThrow(NexdynError);
  expect(() => compileModel(scene)).toThrow(/pyramidEdges/);
});
