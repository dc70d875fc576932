/**
 * Shells and rods that carry loads under the formulations whose step is linear about v*: their tension holds them across, so that they gain no
 * energy and carry what they have to.
 */
import { readFileSync } from 'node:fs';
import { compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const BY_ROWS: readonly FormulationId[] = ['mujoco', 'sap', 'ccp', 'penalty'];
const G = 9.81;

/** Takes steps that converge; the most energy after one of them, J. */
function run(simulation: Simulation, steps: number): number {
  let most = -Infinity;
  for (let n = 0; n < steps; n++) {
    expect(simulation.step().status).toBe('converged');
    most = Math.max(most, simulation.energy().total);
  }
  return most;
}

/** A bar of 1 kg on a hinge, held level at its free end by a cable of ten edges without stiffness of its own. */
function hangBar(formulation: FormulationId): Simulation {
  const points = Array.from({ length: 11 }, (_, i) => [0.3, 0, 0.3 - 0.03 * i]).flat();
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.005, integrator: 'semiImplicit' },
    bodies: [
      {
        name: 'bar',
        joints: [{ kind: 'hinge', axis: [0, 1, 0] }],
        shapes: [{ kind: 'box', position: [0.15, 0, 0], halfSize: [0.15, 0.01, 0.01], mass: 1 }],
      },
    ],
    softBodies: [
      {
        name: 'cable',
        contact: 'none',
        mesh: { kind: 'polyline', points, radius: 0.002 },
        elasticity: {
          youngsModulus: 1e8,
          poissonRatio: 0.3,
          density: 500,
          massDamping: 20,
          bendingStiffness: 0,
        },
        attachments: [
          { vertices: [0], body: 'world' },
          { name: 'end', vertices: [10], body: 'bar', clamp: false },
        ],
      },
    ],
  };
  return new Simulation(compileModel(scene, { formulation }));
}

test.each(BY_ROWS)('%s: a cable holds a bar by half of its weight, without a whip across it', (formulation) => {
  const simulation = hangBar(formulation);
  // what is soft has its rest shape, and nothing moves
  const start = simulation.energy().total;
  expect(run(simulation, 120)).toBeLessThan(start);
  expect(Math.abs(simulation.attachmentForce('end').force[2] / (-0.5 * G) - 1)).toBeLessThan(1e-3);
});

test.each(['mujoco', 'sap', 'ccp'] as const)('%s: cloth that lands on a ball loses energy', (formulation) => {
  const scene = JSON.parse(readFileSync(new URL('../../scenes/draped-ball.json', import.meta.url), 'utf8'));
  const simulation = new Simulation(compileModel(scene, { formulation }));
  const start = simulation.energy().total;
  expect(run(simulation, 8)).toBeLessThan(start);
});
