/**
 * Soft bodies that bend much within a step: formulations over velocities solve a step that is linear in the body, and repeat it where that leaves
 * out more than 1 % of the load in the norm of the matrix; what does not get there is not `converged`.
 */
import { readFileSync } from 'node:fs';
import { compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const SIDE = 0.2;
const [YOUNG, POISSON] = [2e4, 0.3];
const LOAD = 98.1;
/** What a converged step may leave out. */
const BOUND = 0.01;

/**
 * Height over rest height of a block of the neo-Hookean law (docs/soft.md) under a pressure p (Pa) at rest, free at its sides: minimum of
 * Ψ(a, a, l) + p l over the stretches a and l.
 */
function findHeight(p: number): number {
  const mu = YOUNG / (2 * (1 + POISSON));
  const lambda = (YOUNG * POISSON) / ((1 + POISSON) * (1 - 2 * POISSON));
  const m = (4 / 3) * mu;
  const k = lambda + (5 / 6) * mu;
  // derivatives by a and l; damped fixed-point steps with the stiffness of the rest shape
  let [a, l] = [1, 1];
  for (let n = 0; n < 2000; n++) {
    const i = 2 * a * a + l * l - 3;
    const j = a * a * l - 1;
    const byI = 0.5 * m * (1 - 1 / (4 + i));
    const byJ = k * j - 0.75 * m;
    a -= (0.1 * (4 * a * byI + 2 * a * l * byJ)) / YOUNG;
    l -= (0.1 * (2 * l * byI + a * a * byJ + p)) / YOUNG;
  }
  return l;
}

test.each(['sap', 'ccp'] as const)(
  '%s: a block is pressed to the height of its law at 60 steps a second',
  (formulation) => {
    const scene: Scene = {
      format: 'nexdyn-scene',
      version: 1,
      options: { timestep: 1 / 60, gravity: [0, 0, 0] },
      materials: [{ name: 'ice', friction: 0 }],
      shapes: [{ kind: 'plane', material: 'ice' }],
      bodies: [
        {
          name: 'plate',
          position: [0, 0, SIDE + 0.01],
          joints: [{ kind: 'slide', axis: [0, 0, 1] }],
          shapes: [{ kind: 'box', halfSize: [0.3, 0.3, 0.01], mass: 10, material: 'ice' }],
        },
      ],
      softBodies: [
        {
          name: 'block',
          position: [0, 0, SIDE / 2],
          contact: 'point',
          material: 'ice',
          mesh: { kind: 'box', halfSize: [SIDE / 2, SIDE / 2, SIDE / 2], cells: [2, 2, 2] },
          elasticity: { model: 'neoHookean', youngsModulus: YOUNG, poissonRatio: POISSON, massDamping: 20 },
        },
      ],
    };
    const simulation = new Simulation(compileModel(scene, { formulation }));
    simulation.applyForce('plate', { force: [0, 0, -LOAD] });
    for (let n = 0; n < 180; n++) {
      const { status, softResidual } = simulation.step();
      expect(status).toBe('converged');
      expect(softResidual).toBeLessThanOrEqual(BOUND);
    }
    const heights = simulation.softPosition('block').filter((_, i) => i % 3 === 2);
    const height = (Math.max(...heights) - Math.min(...heights)) / SIDE;
    const expected = findHeight(LOAD / SIDE ** 2);
    expect(Math.abs((height - expected) / (1 - expected))).toBeLessThan(BOUND);
  },
);

test.each(['mujoco', 'sap', 'ccp', 'penalty'] satisfies FormulationId[])(
  '%s: a cable that its load draws taut is converged where a step leaves out 1 % at most',
  (formulation) => {
    const scene = JSON.parse(readFileSync(new URL('../../scenes/capstan.json', import.meta.url), 'utf8'));
    const simulation = new Simulation(compileModel(scene, { formulation }));
    for (let n = 0; n < 20; n++) {
      const { status, softResidual } = simulation.step();
      expect(status).toBe(softResidual! <= BOUND ? 'converged' : 'iteration-limit');
    }
  },
);
