/** Soft bodies that lie flat under `ccp`: products of its cone program have a solve with A each, and give what the matrix written out gives. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const TOLERANCE = 1e-8;

/** A slab of 13 × 13 vertices below, 507 dofs in touch, that slides and lands. */
function land(solver: 'auto' | 'pgs'): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.005, ccp: { solver, tolerance: TOLERANCE, iterations: 20000 } },
    shapes: [{ kind: 'plane' }],
    softBodies: [
      {
        name: 'slab',
        position: [0, 0, 0.0199],
        velocity: [0.2, 0, -0.1],
        contact: 'point',
        mesh: { kind: 'box', halfSize: [0.15, 0.15, 0.02], cells: [12, 12, 1] },
        elasticity: { youngsModulus: 1e5, poissonRatio: 0.3 },
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene, { formulation: 'ccp' }));
  expect(simulation.step().status).toBe('converged');
  expect(simulation.contactForces().length).toBeGreaterThan(100);
  return simulation;
}

test('velocities are those of Gauss-Seidel with the matrix', () => {
  const expected = land('pgs').state.softVelocity;
  const most = expected.reduce((so, value) => Math.max(so, Math.abs(value)), 0);
  const found = land('auto').state.softVelocity;
  // both are within a hundred tolerances of the velocities that drive them
  found.forEach((value, i) => {
    expect(Math.abs(value - expected[i])).toBeLessThan(200 * TOLERANCE * most);
  });
});

test('a cube of 1080 tetrahedra that lands by pressure takes some twenty iterations', () => {
  const simulation = new Simulation(
    compileModel(
      {
        format: 'nexdyn-scene',
        version: 1,
        options: { timestep: 0.005 },
        shapes: [{ kind: 'plane' }],
        softBodies: [
          {
            name: 'cube',
            position: [0, 0, 0.1001],
            velocity: [0, 0, -0.3],
            mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [6, 6, 6] },
            elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, massDamping: 2 },
          },
        ],
      },
      { formulation: 'ccp' },
    ),
  );
  for (let n = 0; n < 3; n++) {
    const report = simulation.step();
    expect(report.status).toBe('converged');
    // an interior point takes 10 to 40, whatever the number of contacts; gradients took 1,000
    expect(report.iterations).toBeLessThan(60);
  }
});
