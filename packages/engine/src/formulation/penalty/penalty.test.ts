import { describe, expect, test } from 'vitest';
import { linearize } from '../../derivatives/linearize.ts';
import { compileModel } from '../../model/compile.ts';
import type { PenaltyOptions, SceneOptions } from '../../scene/options.ts';
import type { Vec3 } from '../../scene/pose.ts';
import type { Scene } from '../../scene/scene.ts';
import { Simulation } from '../../simulation.ts';

const G = 9.81;
const MODES = ['semiImplicit', 'explicit'] as const;

/** A crate of 2 kg on four corners, thrown along the floor. */
function crate(speed: number, penalty: PenaltyOptions, options: SceneOptions = {}, coordinates?: 'body'): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.001, penalty, ...options },
    shapes: [{ kind: 'plane', friction: 0.4 }],
    bodies: [
      {
        name: 'crate',
        position: [0, 0, 0.1],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', name: 'crate', halfSize: [0.1, 0.1, 0.1], mass: 2, friction: 0.4 }],
      },
    ],
  };
  const model = compileModel(scene, { formulation: 'penalty', ...(coordinates && { coordinates }) });
  const simulation = new Simulation(model);
  simulation.setVelocity('crate', { linear: [speed, 0, 0] });
  return simulation;
}

/** A ball of 1 kg that is pressed into the floor by a depth. */
function ball(depth: number, timestep: number, penalty: PenaltyOptions, gravity: Vec3 = [0, 0, 0]): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep, gravity, fastBodies: 'off', penalty },
    shapes: [{ kind: 'plane', friction: 0.5 }],
    bodies: [
      {
        name: 'ball',
        position: [0, 0, 0.1 - depth],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'sphere', radius: 0.1, mass: 1, friction: 0.5 }],
      },
    ],
  };
  return new Simulation(compileModel(scene, { formulation: 'penalty' }));
}

test.each(MODES)('%s: rests at the depth m g/(n k), and the forces of contact carry the weight', (contactForce) => {
  for (const stiffness of [5e3, 2e4]) {
    const simulation = crate(0, { contactForce, stiffness, dissipation: 200 });
    simulation.step(1500);
    expect(0.1 - simulation.bodyPosition[5]!).toBeCloseTo((2 * G) / (4 * stiffness), 6);
    const forces = simulation.contactForces().map(({ force }) => force[2]);
    expect(forces.reduce((sum, force) => sum + Math.abs(force), 0)).toBeCloseTo(2 * G, 1);
  }
});

test.each(MODES)('%s: slides with the deceleration μ g', (contactForce) => {
  const simulation = crate(3, { contactForce, slipSpeed: 1e-3 });
  simulation.step(200);
  const before = simulation.state.velocity[0]!;
  simulation.step(300);
  // friction tips the crate a little, and its corners rise and fall: forces carry the weight on average
  expect(Math.abs((before - simulation.state.velocity[0]!) / 0.3 - 0.4 * G)).toBeLessThan(0.01 * 0.4 * G);
});

test('both coordinates give the same motion', () => {
  const [joint, body] = [crate(1, {}), crate(1, {}, {}, 'body')];
  joint.step(200);
  body.step(200);
  for (let k = 0; k < 3; k++) expect(body.bodyPosition[3 + k]).toBeCloseTo(joint.bodyPosition[3 + k]!, 9);
});

describe('the stable step', () => {
  const stiffness = 1e4;
  // h ω = 2, of which 0.9 is said
  const bound = 2 / Math.sqrt(stiffness);

  test.each(MODES)('%s: is 0.9 · 2/ω of a ball on a spring, and none in flight', (contactForce) => {
    const simulation = ball(1e-3, 1e-3, { contactForce, stiffness, dissipation: 0 });
    simulation.step();
    expect(simulation.report.stableStep).toBeCloseTo(0.9 * bound, 7);
    simulation.step(200);
    expect(simulation.report.stableStep).toBe(Infinity);
  });

  test('explicit dampers shorten it to (√(χ² + 4κ) − χ)/κ', () => {
    const depth = 1e-3;
    const dissipation = 10;
    const simulation = ball(depth, 1e-3, { contactForce: 'explicit', stiffness, dissipation });
    simulation.step();
    const chi = stiffness * dissipation * depth;
    const expected = (Math.sqrt(chi * chi + 4 * stiffness) - chi) / stiffness;
    expect(simulation.report.stableStep).toBeCloseTo(0.9 * expected, 7);
  });

  test('a ball that bounces without loss keeps its energy below the bound and gains it above', () => {
    const run = (h: number): { status: string; growth: number } => {
      const simulation = ball(-0.01, h, { stiffness, dissipation: 0 }, [0, 0, -G]);
      const start = G * 0.01;
      let status = 'converged';
      let most = 0;
      for (let n = 0; n < 600 && status === 'converged'; n++) {
        status = simulation.step().status;
        most = Math.max(most, simulation.energy().total - G * 0.1);
      }
      return { status, growth: most / start };
    };
    const stable = run(0.1 * bound);
    expect(stable.status).toBe('converged');
    expect(stable.growth).toBeLessThan(1.2);
    expect(run(1.5 * bound).status).toBe('unstable');
  });
});

test('forces are continuous where a contact begins', () => {
  const read = (depth: number): number => {
    const simulation = ball(depth, 1e-3, {});
    simulation.setVelocity('ball', { linear: [0.3, 0, -1] });
    simulation.step();
    return Math.hypot(...(simulation.contactForces()[0]?.force ?? [0, 0, 0]));
  };
  // f = k δ (1 + d v) with k = 0.1 m/h²
  expect(read(0)).toBe(0);
  for (const depth of [1e-7, 1e-5]) {
    const normal = 0.1e6 * depth * (1 + 20);
    expect(read(depth)).toBeGreaterThan(0.5 * normal);
    expect(read(depth)).toBeLessThan(1.5 * normal);
  }
});

describe('derivatives', () => {
  test.each(MODES)('%s: those of the held solution agree with differences of whole steps', (contactForce) => {
    const simulation = crate(0.7, { contactForce, slipSpeed: 0.05 });
    simulation.step(120);
    const { report } = linearize(simulation, {
      inputs: ['state', 'shapes.crate.friction', 'bodies.crate.mass'],
      check: true,
    });
    expect(report.method).toBe('implicit');
    expect(report.unread).toEqual([]);
    expect(report.check!.error).toBeLessThan(1e-6);
  });
});
