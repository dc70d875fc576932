/** Without contact `ipc` and `sap` minimise the same energy of a soft body: their motions are the same to the tolerances. */
import { compileModel, type Scene, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { softCube } from './soft-scene.ts';

const bar = {
  kind: 'box' as const,
  halfSize: [0.1, 0.02, 0.02] as [number, number, number],
  cells: [6, 2, 2] as [number, number, number],
};

function run(scene: Scene, formulation: 'sap' | 'ipc', steps: number): Float64Array {
  const simulation = new Simulation(compileModel(scene, { formulation }));
  simulation.step(steps);
  return simulation.state.softPosition.slice();
}

describe('a bar held at one end and left to its weight', () => {
  for (const model of ['linear', 'corotated', 'neoHookean', 'saintVenantKirchhoff'] as const) {
    test(`${model}: the same motion under both formulations`, () => {
      const elasticity = { model, youngsModulus: 2e5, poissonRatio: 0.4, massDamping: 1, stiffnessDamping: 1e-3 };
      const free = softCube([0, 0, 0], { mesh: bar, elasticity });
      const scene: Scene = {
        format: 'nexdyn-scene',
        version: 1,
        options: {
          integrator: 'semiImplicit',
          timestep: 0.005,
          ipc: { tolerance: 1e-9 },
          sap: { relativeTolerance: 1e-9 },
        },
        softBodies: [free],
      };
      const { rest } = compileModel(scene, { formulation: 'ipc' }).soft;
      const pinned = Array.from({ length: rest.length / 3 }, (_, v) => v).filter((v) => rest[3 * v]! < -0.099);
      const held = { ...scene, softBodies: [{ ...free, pinned }] };
      const one = run(held, 'ipc', 40);
      const two = run(held, 'sap', 40);
      const sag = Math.max(...rest.map((x, i) => Math.abs(x - one[i]!)));
      expect(sag).toBeGreaterThan(0.01);
      one.forEach((x, i) => {
        expect(Math.abs(x - two[i]!)).toBeLessThan(1e-7);
      });
    });
  }
});
