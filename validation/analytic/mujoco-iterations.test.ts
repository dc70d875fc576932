/**
 * Iterations of the solvers of `mujoco`: cost falls in every one of them however large the forces are, none is taken where the
 * start is the minimum, and tolerance 0 takes them all.
 */
import { compileModel, type MujocoOptions, type Scene, Simulation } from '@nexdyn/engine';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ConvexObjective } from '../../packages/engine/src/objective/convex-objective.ts';

const CONES = ['pyramidal', 'elliptic'] as const;
const PRIMAL = ['newton', 'cg'] as const;
const PAIRS = PRIMAL.flatMap((solver) => CONES.map((cone) => ({ solver, cone })));

function boxOnPlane(mujoco: MujocoOptions): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    options: { mujoco, fastBodies: 'off' },
    shapes: [{ kind: 'plane', friction: 0.5 }],
    bodies: [
      {
        name: 'box',
        position: [0, 0, 0.4995],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', halfSize: [0.5, 0.5, 0.5], friction: 0.5 }],
      },
    ],
  };
}

afterEach(() => vi.restoreAllMocks());

describe('an elliptic cone under large forces', () => {
  const FORCES = [1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];
  const cases = PRIMAL.flatMap((solver) => FORCES.map((normal) => ({ solver, normal })));
  test.each(cases)('cost falls in every iteration: $solver, $normal N', ({ solver, normal }) => {
    const move = vi.spyOn(ConvexObjective.prototype, 'move');
    // compiled code gives the same bits, but shows no single moves
    const simulation = new Simulation(compileModel(boxOnPlane({ cone: 'elliptic', solver })), { portable: true });
    // pressed down and pushed aside with three times what friction can hold: the strongest make it tumble, and touch now and then
    simulation.applyForce('box', { force: [1.5 * normal, 0, -normal] });
    simulation.step(50);
    for (let n = 0; n < 35 && move.mock.results.length <= 20; n++) simulation.step(10);
    const decreases = move.mock.results.map(({ value }) => value as number);
    expect(decreases.length).toBeGreaterThan(20);
    expect(Math.min(...decreases)).toBeGreaterThanOrEqual(0);
    expect(simulation.report.status).toBe('converged');
  });
});

describe('a box at rest', () => {
  // kept accelerations add up to a velocity until the tolerance is passed and one iteration is due
  test.each(PAIRS)('nine steps in ten need no iteration, none needs two: $solver, $cone', ({ solver, cone }) => {
    const simulation = new Simulation(compileModel(boxOnPlane({ solver, cone })));
    simulation.step(1000);
    expect(simulation.contactForces().length).toBe(4);
    let total = 0;
    for (let n = 0; n < 200; n++) {
      simulation.step();
      expect(simulation.report.status).toBe('converged');
      expect(simulation.report.iterations).toBeLessThanOrEqual(1);
      total += simulation.report.iterations;
    }
    expect(total).toBeLessThan(25);
    expect(Math.abs(simulation.state.velocity[2])).toBeLessThan(1e-6);
  });
});

describe('tolerance 0', () => {
  test.each(PAIRS)('ends by rounding or with its iterations: $solver, $cone', ({ solver, cone }) => {
    const simulation = new Simulation(compileModel(boxOnPlane({ solver, cone, tolerance: 0, iterations: 30 })));
    simulation.state.velocity.set([0.3, 0.1, 0, 0.2, 0.1, 0.3]);
    for (let n = 0; n < 20; n++) {
      simulation.step();
      // all iterations; fewer only where the gradient is 0 to the last bit, or rounding leaves no direction that descends
      const { status, iterations, residual } = simulation.report;
      if (status === 'iteration-limit') expect(iterations).toBe(30);
      else if (status === 'converged') expect(residual).toBe(0);
      else expect(residual).toBeLessThan(1e-13);
    }
  });

  test('gauss-seidel takes all iterations while forces change', () => {
    const simulation = new Simulation(compileModel(boxOnPlane({ solver: 'pgs', tolerance: 0, iterations: 5 })));
    simulation.state.velocity.set([0.3, 0.1, 0, 0.2, 0.1, 0.3]);
    simulation.step();
    expect(simulation.report.iterations).toBe(5);
    expect(simulation.report.status).toBe('iteration-limit');
  });
});
