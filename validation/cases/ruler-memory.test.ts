/** Measuring keeps nothing: the heap does not grow over hundreds of measured steps. */
import { compileModel, type FormulationId, Ruler, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { measureKeptMemory } from '../../packages/engine/src/testing/heap-growth.ts';
import { takeCases } from '../../scripts/long-run.ts';

const scene: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  shapes: [{ kind: 'plane' }],
  bodies: [
    {
      position: [0, 0, 0.1],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1] }],
      bodies: [
        {
          position: [0, 0, 0.2],
          joints: [{ kind: 'hinge', axis: [0, 1, 0], limit: { range: [-0.1, 0.1] } }],
          shapes: [{ kind: 'sphere', radius: 0.05 }],
        },
      ],
    },
  ],
};

test.each(takeCases<FormulationId>(['mujoco', 'sap', 'ccp'], 2, 1))('%s', (formulation) => {
  const simulation = new Simulation(compileModel(scene, { formulation }));
  const ruler = new Ruler(simulation);
  const measure = (steps: number): void => {
    for (let n = 0; n < steps; n++) {
      simulation.step();
      ruler.measure();
    }
  };
  measure(500);
  expect(measureKeptMemory(() => measure(500), 0.05e6)).toBeLessThan(0.05e6);
});
