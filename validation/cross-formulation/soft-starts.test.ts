/** Soft bodies that start inside others under the formulations whose contacts push overlaps apart: slowly, and told. */
import { compileModel, type FormulationId, type Scene, Simulation } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const BY_ROWS: readonly FormulationId[] = ['mujoco', 'sap', 'ccp', 'penalty'];
/** Of collision/initial-state/starting-pairs.ts, m/s. */
const RECOVERY_SPEED = 0.6;
const MASS = 8;

/** A soft cube of 8 kg, a quarter of it inside a block. */
const sunken = (start?: 'refuse' | 'ignore-pairs'): Scene => ({
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.005, ...(start ? { start } : {}) },
  shapes: [{ kind: 'box', name: 'block', halfSize: [1, 1, 0.1], position: [0, 0, -0.1] }],
  softBodies: [
    {
      name: 'jelly',
      position: [0, 0, 0.05],
      mesh: { kind: 'box', halfSize: [0.1, 0.1, 0.1], cells: [3, 3, 3] },
      elasticity: { youngsModulus: 1e5, poissonRatio: 0.3, massDamping: 5 },
    },
  ],
});

test.each(BY_ROWS)('%s: a soft cube in a block comes out no faster than the recovery speed', (formulation) => {
  const simulation = new Simulation(compileModel(sunken(), { formulation }));
  expect(simulation.unresolved.join()).toMatch(/"jelly", which overlap by .* pushed apart at up to 0.6 m\/s/);
  let most = 0;
  for (let n = 0; n < 120; n++) {
    expect(simulation.step().status).toBe('converged');
    most = Math.max(most, simulation.energy().kinetic);
  }
  expect(most).toBeLessThan(0.5 * MASS * RECOVERY_SPEED ** 2);
  // the middle of a cube that stands is 0.1 m high, less what its weight presses it by: ρ g H²/(2 E) of each layer, 2 mm at its top
  const heights = Array.from(simulation.softPosition('jelly')).filter((_, i) => i % 3 === 2);
  const middle = heights.reduce((sum, z) => sum + z) / heights.length;
  // dampers of penalty, which are as strong as its springs, let it out by some 5 cm/s
  expect(middle).toBeGreaterThan(formulation === 'penalty' ? 0.06 : 0.097);
  expect(middle).toBeLessThan(0.101);
});

test('a scene may refuse such a start, or leave the pair out', () => {
  const refused = new Simulation(compileModel(sunken('refuse'), { formulation: 'sap' }));
  expect(() => refused.step()).toThrow(/"block" and "jelly" intersect at the start by/);
  const left = new Simulation(compileModel(sunken('ignore-pairs'), { formulation: 'sap' }));
  left.step(20);
  expect(left.unresolved.join()).toMatch(/contact of .*"block" and "jelly".* until they have come apart/);
  // it falls freely: −g h² (1 + 2 + … + n), slowed by its damping of 5/s
  const fallen = 0.05 - left.softPosition('jelly')[2]! - 0.1;
  expect(fallen).toBeGreaterThan(0.5 * 9.81 * 0.1 ** 2 * Math.exp(-0.5));
});
