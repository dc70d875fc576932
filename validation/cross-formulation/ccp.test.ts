/**
 * `ccp` against the others and against itself: mechanisms in both coordinates as the step falls, and `sap` with its
 * regularisation R → 0, which approaches the cone program linearly in R.
 */
import { compileModel, type Scene, type SceneOptions, Simulation } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../scripts/long-run.ts';
import { arm, fourBar, sliderCrank } from './mechanisms.ts';
import { tower } from './structures.ts';

describe('a mechanism moves alike in joint and in body coordinates as the step falls', () => {
  /** Largest distance of two runs after half a second, and how far bodies came, m. */
  function compare(create: (options: SceneOptions) => Scene, h: number): [number, number] {
    const run = (coordinates: 'joint' | 'body'): Simulation => {
      const simulation = new Simulation(compileModel(create({ formulation: 'ccp', timestep: h }), { coordinates }));
      for (let n = 0; n < Math.round(0.5 / h); n++) expect(simulation.step().status).toBe('converged');
      return simulation;
    };
    const joint = run('joint');
    const body = run('body');
    const start = new Simulation(joint.model);
    let worst = 0;
    let travel = 0;
    for (let k = 3; k < joint.bodyPosition.length; k++) {
      worst = Math.max(worst, Math.abs(joint.bodyPosition[k] - body.bodyPosition[k]));
      travel = Math.max(travel, Math.abs(joint.bodyPosition[k] - start.bodyPosition[k]));
    }
    return [worst, travel];
  }

  test.each(
    takeCases(
      [
        ['four-bar', fourBar],
        ['slider-crank', sliderCrank],
        ['robot arm', arm],
      ] as const,
      3,
      1,
    ),
  )('%s', (_, create) => {
    const [coarse] = compare(create, 1e-3);
    const [fine, travel] = compare(create, 2.5e-4);
    expect(travel).toBeGreaterThan(0.05);
    // order one at least: a quarter of the step, a quarter of the difference
    expect(fine / coarse).toBeLessThan(0.35);
    expect(fine).toBeLessThan(0.01 * travel);
  });
});

describe('sap approaches ccp with its regularisation', () => {
  const keyframes = [
    { velocity: [1, 0.2, -0.1, 0, 0.3, 1, -0.5, 0.7, 0.1, 0.2, 0, -1, 0.1, -0.3, 0.2, 0.1, 0.2, 0.5] },
  ];
  const stack = (options: SceneOptions): Scene => ({ ...tower(3, 0.2, 1, { timestep: 0.01, ...options }), keyframes });
  // contacts of both at the same gaps: none is seen before it touches
  const rigid = new Simulation(
    compileModel(
      stack({ formulation: 'ccp', ccp: { tolerance: 1e-10, iterations: 100_000, envelope: 0, recoverySpeed: 1e9 } }),
    ),
  );
  rigid.step();

  test.each([1e-3, 1e-4, 1e-5])('R / w = %d', (regularization) => {
    const sap = {
      envelope: 0,
      nearRigid: Math.sqrt(regularization),
      frictionRegularization: regularization,
      stiffness: 1e16,
      dissipation: 0,
      relativeTolerance: 1e-10,
      absoluteTolerance: 1e-16,
    };
    const soft = new Simulation(compileModel(stack({ formulation: 'sap', sap }), { coordinates: 'body' }));
    expect(soft.step().status).toBe('converged');
    expect(soft.solvedContacts.count).toBe(rigid.solvedContacts.count);
    const worst = soft.state.velocity.reduce((most, v, i) => Math.max(most, Math.abs(v - rigid.state.velocity[i])), 0);
    expect(worst).toBeLessThan(10 * regularization);
    expect(worst).toBeGreaterThan(1e-3 * regularization);
  });
});
