/** Steps whose systems conjugate gradients solve in two levels: results depend on the state alone, and are those of the factor. */
import { expect, test } from 'vitest';
import '../compliance.ts';
import '../formulation/sap/provide.ts';
import { compileModel } from '../model/compile.ts';
import type { Scene } from '../scene/scene.ts';
import { Simulation } from '../simulation.ts';

function createBeam(solver: 'pcg' | 'newton', isPortable = false): Simulation {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    options: { formulation: 'sap', timestep: 0.01, sap: { solver, relativeTolerance: 1e-8 } },
    softBodies: [
      {
        name: 'beam',
        mesh: { kind: 'box', halfSize: [0.4, 0.1, 0.1], cells: [12, 3, 3] },
        contact: 'none',
        elasticity: { youngsModulus: 2e5, poissonRatio: 0.3, stiffnessDamping: 0.002 },
        pinned: [0, 1, 2, 3],
      },
    ],
  };
  return new Simulation(compileModel(scene), isPortable ? { portable: true } : {});
}

test('the same bytes from a snapshot, whatever was computed in between, and without compiled functions', () => {
  const simulation = createBeam('pcg');
  expect(simulation.step(4).status).toBe('converged');
  const snapshot = simulation.snapshot();
  simulation.step(4);
  const hash = simulation.hash();
  // far away, so that what a preconditioner might remember is of no use
  simulation.step(6);
  simulation.restore(snapshot);
  simulation.step(4);
  expect(simulation.hash()).toBe(hash);
  const portable = createBeam('pcg', true);
  portable.step(8);
  expect(portable.hash()).toBe(hash);
});

test('positions are those of the factor, to the tolerance', () => {
  const [gradients, factor] = (['pcg', 'newton'] as const).map((solver) => {
    const simulation = createBeam(solver);
    expect(simulation.step(10).status).toBe('converged');
    return simulation.softPosition('beam');
  });
  gradients.forEach((value, i) => {
    expect(Math.abs(value - factor[i])).toBeLessThan(1e-6);
  });
});
