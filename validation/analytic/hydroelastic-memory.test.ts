/** Steps of bodies that touch by pressure keep nothing on the heap. */
import { type Body, compileModel, type Shape, Simulation, type SoftBody } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { measureKeptMemory } from '../../packages/engine/src/testing/heap-growth.ts';

const STEPS = 80;

function free(position: [number, number, number], shape: Shape): Body {
  return { position, joints: [{ kind: 'free' }], shapes: [{ contact: 'hydroelastic', ...shape }] };
}

const CUBE: SoftBody = {
  position: [0.5, 0, 0.0501],
  mesh: { kind: 'box', halfSize: [0.05, 0.05, 0.05], cells: [2, 2, 2] },
  elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, stiffnessDamping: 0.01 },
};

test.each([
  ['rigid bodies', []],
  ['a soft body', [CUBE]],
])('%s', (_, softBodies) => {
  const simulation = new Simulation(
    compileModel({
      format: 'nexdyn-scene',
      version: 1,
      options: { formulation: 'sap', timestep: 0.002 },
      shapes: [{ kind: 'plane' }],
      bodies: [
        free([0, 0, 0.05], { kind: 'box', halfSize: [0.05, 0.05, 0.05] }),
        free([0, 0, 0.15], { kind: 'box', halfSize: [0.05, 0.04, 0.05] }),
        free([0.2, 0, 0.05], { kind: 'sphere', radius: 0.05 }),
        free([0.2, 0, 0.13], { kind: 'box', halfSize: [0.03, 0.03, 0.03], contact: 'point' }),
      ],
      softBodies,
    }),
  );
  simulation.step(STEPS);
  // what the host compiles meanwhile is less; a number kept per step and contact would be more
  expect(measureKeptMemory(() => simulation.step(STEPS), 200_000)).toBeLessThan(200_000);
});
