/**
 * Sliding under `ccp`, as Coulomb's law has it and with the two artefacts of the cone program: what slides hovers at μ h v, and
 * what begins to slide on the ground hops by (μ v/(1 + μ²))²/(2 g), whatever h. Both vanish under `coulomb`.
 */
import { type CcpOptions, type Coordinates, compileModel, type Scene, Simulation, type Vec3 } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../scripts/long-run.ts';

const G = 9.81;

/** A box of side 0.5 m and 1 kg that slides along x at 5 m/s, at a gap. */
function slidingBlock(gap: number, ccp: CcpOptions): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'ccp', timestep: 1e-3, ccp },
    shapes: [{ kind: 'plane', friction: 0.5 }],
    bodies: [
      { joints: [{ kind: 'free' }], shapes: [{ kind: 'box', halfSize: [0.25, 0.25, 0.25], mass: 1, friction: 0.5 }] },
    ],
    keyframes: [{ position: [0, 0, 0.25 + gap, 1, 0, 0, 0], velocity: [5, 0, 0, 0, 0, 0] }],
  };
}

/** A point of 1 kg that does not turn, sliding at 5 m/s. */
function pointMass(h: number, gap: number, ccp: CcpOptions): Scene {
  const slide = (axis: Vec3) => ({ kind: 'slide' as const, axis });
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'ccp', timestep: h, ccp: { tolerance: 1e-10, ...ccp } },
    shapes: [{ kind: 'plane', friction: 0.5 }],
    bodies: [
      {
        position: [0, 0, 0.1],
        joints: [slide([1, 0, 0]), slide([0, 1, 0]), slide([0, 0, 1])],
        shapes: [{ kind: 'sphere', radius: 0.1, mass: 1, friction: 0.5, margin: 0.03 }],
      },
    ],
    keyframes: [{ position: [0, 0, gap], velocity: [5, 0, 0] }],
  };
}

describe('a sliding block', () => {
  test.each([
    ['cone program, from the height at which it hovers', 0.5 * 1e-3 * 5, {}, 0.5 * 1e-3 * 5],
    ["Coulomb's law", 0, { coulomb: true }, 1e-6],
  ] as const)('%s', (_, gap, options, highest) => {
    const simulation = new Simulation(compileModel(slidingBlock(gap, options)));
    let largestGap = 0;
    let worst = 0;
    for (let n = 0; n < 2000; n++) {
      expect(simulation.step().status).toBe('converged');
      const { position, velocity } = simulation.state;
      largestGap = Math.max(largestGap, position[2] - 0.25);
      worst = Math.max(worst, Math.abs(velocity[0] - Math.max(0, 5 - 0.5 * G * simulation.time)));
    }
    // v = v₀ − μ g t but for a step, distance v₀²/(2 μ g)
    expect(worst).toBeLessThan(1.01 * 0.5 * G * 1e-3);
    expect(simulation.state.position[0] / (25 / (2 * 0.5 * G))).toBeCloseTo(1, 2.3);
    expect(simulation.energy().kinetic).toBeLessThan(1e-8);
    expect(largestGap).toBeLessThanOrEqual(highest * (1 + 1e-6));
  });
});

describe.each<Coordinates>(['joint', 'body'])('artefacts of the cone program in %s coordinates', (coordinates) => {
  const create = (h: number, gap: number, ccp: CcpOptions): Simulation =>
    new Simulation(compileModel(pointMass(h, gap, ccp), { coordinates }));
  const height = (simulation: Simulation): number => simulation.bodyPosition[5] - 0.1;

  test.each(takeCases([1e-2, 1e-3, 1e-4], 2))('hops by the same height at h = %d', (h) => {
    // the first step ends at u_t = (v − μ g h)/(1 + μ²), u_n = μ u_t; then it flies, in steps: the top is within u_n h/2 of u_n²/(2 g)
    const leave = (0.5 * (5 - 0.5 * G * h)) / 1.25;
    const simulation = create(h, 0, {});
    let top = 0;
    for (let n = 0; n < 0.5 / h; n++) {
      simulation.step();
      top = Math.max(top, height(simulation));
    }
    expect(Math.abs(top - leave ** 2 / (2 * G))).toBeLessThan(0.6 * leave * h);
    expect(Math.abs(top - 0.2039)).toBeLessThan(0.006 * (h / 1e-2) + 1e-4);
  });

  test.each([1e-2, 1e-3])("does not hop under Coulomb's law at h = %d", (h) => {
    const simulation = create(h, 0, { coulomb: true });
    for (let n = 0; n < 0.5 / h; n++) {
      expect(simulation.step().status).toBe('converged');
      expect(Math.abs(height(simulation))).toBeLessThan(1e-9);
      const speed = Math.abs(simulation.derived.bodyTwist[9]);
      expect(Math.abs(speed - (5 - 0.5 * G * simulation.time))).toBeLessThan(1e-6);
    }
  });

  test('hovers at μ h v', () => {
    const h = 1e-2;
    const simulation = create(h, 0.5 * h * 5, {});
    for (let n = 0; n < 20; n++) {
      simulation.step();
      expect(height(simulation) / (0.5 * h * Math.abs(simulation.derived.bodyTwist[9]))).toBeCloseTo(1, 6);
    }
    // sinking with the height, it is a step behind at most
    expect(Math.abs(Math.abs(simulation.derived.bodyTwist[9]) - (5 - 0.5 * G * 0.2))).toBeLessThan(0.5 * G * h);
  });
});

describe('one contact in closed form: W = 1, q = (−1, 1, 3), μ = 0.1', () => {
  /** Normal and tangential impulse of a step of a point mass that meets the ground. */
  function solve(coulomb: boolean): [number, number, number] {
    const scene = pointMass(1e-3, 0, { coulomb, recoverySpeed: 0, tolerance: 1e-12 });
    scene.options!.gravity = [0, 0, 0];
    for (const shape of [...scene.shapes!, ...scene.bodies![0].shapes!]) shape.friction = 0.1;
    scene.keyframes = [{ position: [0, 0, 0], velocity: [1, 3, -1] }];
    const simulation = new Simulation(compileModel(scene, { coordinates: 'joint' }));
    simulation.step();
    const [x, y, z] = simulation.state.velocity;
    return [z + 1, Math.hypot(x - 1, y - 3), z];
  }

  test('the cone program lifts off', () => {
    const [normal, tangent, lift] = solve(false);
    expect(normal).toBeCloseTo((1 + 0.1 * Math.sqrt(10)) / 1.01, 9);
    expect(tangent).toBeCloseTo(0.1 * normal, 9);
    expect(lift).toBeCloseTo(0.303196, 6);
  });

  test("Coulomb's law does not", () => {
    const [normal, tangent, lift] = solve(true);
    expect(normal).toBeCloseTo(1, 9);
    expect(tangent).toBeCloseTo(0.1, 9);
    expect(lift).toBeCloseTo(0, 9);
  });
});

describe('a box on a slope, μ = 0.5', () => {
  function create(angle: number, ccp: CcpOptions): Simulation {
    const scene = slidingBlock(0, ccp);
    scene.options!.gravity = [G * Math.sin(angle), 0, -G * Math.cos(angle)];
    scene.keyframes = [{ position: [0, 0, 0.25, 1, 0, 0, 0] }];
    return new Simulation(compileModel(scene));
  }

  test('stays below the angle of friction', () => {
    const simulation = create(Math.atan(0.45), {});
    simulation.step(5000);
    expect(Math.hypot(...simulation.state.velocity.subarray(0, 3))).toBeLessThan(1e-6);
    expect(Math.abs(simulation.state.position[0])).toBeLessThan(1e-6);
  });

  test.each([false, true])('slides above it with g (sin a − μ cos a), coulomb: %s', (coulomb) => {
    const angle = Math.atan(0.7);
    const simulation = create(angle, { coulomb });
    simulation.step(1000);
    const speed = G * (Math.sin(angle) - 0.5 * Math.cos(angle));
    expect(Math.abs(simulation.state.velocity[0] / speed - 1)).toBeLessThan(5e-3);
  });
});
