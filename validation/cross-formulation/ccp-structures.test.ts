/** What must stand stands under `ccp` without sinking, what cannot falls, and a chain holds a heavy end. */
import { readFileSync } from 'node:fs';
import { type CcpOptions, compileModel, type Scene, type SceneOptions, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { longTest, takeCases, takeSamples } from '../../scripts/long-run.ts';
import { arch, chain, tower } from './structures.ts';

function options(ccp: CcpOptions = {}, timestep = 0.002): SceneOptions {
  return { formulation: 'ccp', timestep, ccp };
}

/** Largest way of a body, and how far one sank, m. */
function watch(scene: Scene, seconds: number): { moved: number; sunk: number; converged: number } {
  const simulation = new Simulation(compileModel(scene));
  const start = simulation.bodyPosition.slice();
  const steps = Math.round(seconds / simulation.timestep);
  let converged = 0;
  for (let n = 0; n < steps; n++) if (simulation.step().status === 'converged') converged++;
  let moved = 0;
  let sunk = 0;
  simulation.bodyPosition.forEach((x, k) => {
    moved = Math.max(moved, Math.abs(x - start[k]));
    if (k % 3 === 2) sunk = Math.max(sunk, start[k] - x);
  });
  return { moved, sunk, converged: converged / steps };
}

describe('an arch of 15 stones', () => {
  // the thinnest half circle that can stand has 0.1075 of its radius (Milankovitch 1907)
  test.each(takeCases([false, true], 2))('of thickness 0.125 stands, coulomb: %s', (coulomb) => {
    const { moved, converged } = watch(arch(15, 0.125, options({ coulomb })), takeSamples(100, 0.25) / 100);
    expect(converged).toBe(1);
    // rigid: no more than errors of the solve, 1e-6 of its weight
    expect(moved).toBeLessThan(1e-6);
  });

  test('of thickness 0.08 falls', () => {
    expect(watch(arch(15, 0.08, options({ tolerance: 1e-4 })), takeSamples(20, 0.7) / 10).sunk).toBeGreaterThan(0.3);
  });
});

test('ten boxes bear a load a hundred times heavier than each, by spg', () => {
  const { moved, converged } = watch(tower(10, 0.1, 100, options({ solver: 'spg', iterations: 20_000 }, 1 / 240)), 1);
  expect(converged).toBe(1);
  expect(moved).toBeLessThan(1e-5);
});

longTest('a chain of 50 links with an end 100 times heavier moves as in joint coordinates', () => {
  const scene = chain(50, 100, 0.5, options({}, 1e-3));
  const run = (coordinates: 'joint' | 'body'): Simulation => {
    const simulation = new Simulation(compileModel(scene, { coordinates }));
    for (let n = 0; n < takeSamples(500, 0.8); n++) expect(simulation.step().status).toBe('converged');
    return simulation;
  };
  const joint = run('joint');
  const body = run('body');
  const start = new Simulation(joint.model);
  const end = 3 * joint.model.body.name.indexOf('link49');
  let apart = 0;
  let travel = 0;
  for (let k = end; k < end + 3; k++) {
    apart = Math.max(apart, Math.abs(joint.bodyPosition[k] - body.bodyPosition[k]));
    travel = Math.max(travel, Math.abs(joint.bodyPosition[k] - start.bodyPosition[k]));
  }
  // both are of order one in the step
  expect(travel).toBeGreaterThan(0.3);
  expect(apart).toBeLessThan(0.01 * travel);
});

test.each(takeCases([4e-3, 2e-3, 1e-3], 3))(
  'a gripper that lifts a cube is solved in every step of %f s',
  (timestep) => {
    // a limit comes within reach and leaves it: the accuracy of the contacts must not jump with it
    const scene: Scene = JSON.parse(readFileSync(new URL('../../scenes/gripper.json', import.meta.url), 'utf8'));
    expect(watch({ ...scene, options: { ...scene.options, ...options({}, timestep) } }, 1).converged).toBe(1);
  },
);
