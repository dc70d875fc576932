/** The same scene gives the same bits: from a snapshot, with and without compiled functions, and run after run. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { takeSamples } from '../../scripts/long-run.ts';
import { body, cube } from './checked-scene.ts';
import { softCube } from './soft-scene.ts';

const scene: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.01 },
  shapes: [{ kind: 'plane', friction: 0.5 }],
  bodies: [body('a', [0.01, 0.02, 0.17], cube(0.03))],
  softBodies: [
    softCube([0, 0, 0.06], {
      selfContact: true,
      mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [2, 2, 2] },
    }),
    softCube([0.03, 0.01, 0.28], { mesh: { kind: 'box', halfSize: [0.04, 0.04, 0.04], cells: [2, 2, 2] } }),
  ],
};
const model = compileModel(scene, { formulation: 'ipc' });

test('runs are the same bit by bit', () => {
  const one = new Simulation(model);
  const two = new Simulation(model, { portable: true });
  for (let n = 0; n < takeSamples(60, 0.5); n++) {
    one.step();
    two.step();
    expect(two.hash()).toBe(one.hash());
  }
});

test('a run goes on from a snapshot as if it had not stopped', () => {
  const one = new Simulation(model);
  one.step(20);
  const snapshot = one.snapshot();
  one.step(10);
  const two = new Simulation(model);
  two.restore(snapshot);
  two.step(10);
  expect(two.hash()).toBe(one.hash());
});
