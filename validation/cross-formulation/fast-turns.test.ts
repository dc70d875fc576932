/**
 * Thin bodies that tip over at game rates. Their far end comes farther than their thickness in the last step, while the near one is on
 * the ground already. Contacts ahead hold both. What is left is that rows are linear in the turn θ of the step, where the way is an arc: an end at
 * height L sin θ gets the turn tan θ, and comes L (tan θ − θ) too far. θ is at most ω h with all the energy in the turn, m g L/2 = m L² ω²/24.
 */
import { compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const H = 1 / 60;
const G = 9.81;

/** Deepest overlap in three seconds, m. */
function measureDepth(halfSize: [number, number, number], tilt: number, formulation: FormulationId): number {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: H },
    shapes: [{ kind: 'plane' }],
    bodies: [
      {
        position: [0, 0, halfSize[2]],
        orientation: [Math.cos(0.5 * tilt), 0, Math.sin(0.5 * tilt), 0],
        joints: [{ kind: 'free' }],
        shapes: [{ kind: 'box', halfSize, density: 500 }],
      },
    ],
  };
  const simulation = new Simulation(compileModel(scene, { formulation }));
  let depth = 0;
  for (let n = 0; n < 180; n++) {
    expect(simulation.step().status).toBe('converged');
    const { gap, count } = simulation.touchingSet();
    // it starts a little in the ground
    if (n > 30) for (let i = 0; i < count; i++) depth = Math.max(depth, -gap[i]);
  }
  return depth;
}

test.each<[string, FormulationId, [number, number, number]]>([
  ['a plank of 1 m', 'ccp', [0.005, 0.05, 0.5]],
  ['a plank of 1 m', 'sap', [0.005, 0.05, 0.5]],
  ['a book', 'ccp', [0.015, 0.1, 0.15]],
  ['a book', 'sap', [0.015, 0.1, 0.15]],
])('%s under %s', (_, formulation, halfSize) => {
  const length = 2 * halfSize[2];
  const turn = Math.sqrt((12 * G) / length) * H;
  expect(measureDepth(halfSize, 0.1, formulation)).toBeLessThan(length * (Math.tan(turn) - turn));
});
