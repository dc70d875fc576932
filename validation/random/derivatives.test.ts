/**
 * Derivatives of random scenes under all formulations: every entry of the Jacobian of a step, by state, controls, forces and numbers of the
 * scene, against centred differences of whole steps, and reverse products against the matrix. Entries beyond the bound must be ones on which
 * differences of two lengths do not agree either. `npm run validate` takes more of them.
 */
import type { BuiltInFormulationId } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { takeCases, takeSamples } from '../../scripts/long-run.ts';
import type { DerivativeExtra } from './derivative-extras.ts';
import { type DerivativeRun, findDerivativeFault, runDerivatives } from './derivative-run.ts';
import { DERIVATIVE_KINDS } from './derivative-scene.ts';

const FORMULATIONS: readonly BuiltInFormulationId[] = ['mujoco', 'sap', 'ccp', 'ipc', 'penalty'];
const SCENES = takeSamples(16, 0.05);
/** In `npm test`, a part of the kinds under each formulation. */
const STRIDE = 4;
const CASES = takeCases(
  FORMULATIONS.flatMap((formulation) => DERIVATIVE_KINDS.map((kind) => [formulation, kind] as const)),
  STRIDE,
);

test.each(CASES)('%s: %s', (formulation, kind) => {
  const runs: DerivativeRun[] = [];
  for (let seed = 1; seed <= SCENES; seed++) runs.push(runDerivatives(seed, kind, formulation));
  expect(runs.flatMap((run) => findDerivativeFault(run) ?? [])).toEqual([]);
  // most are looked at
  expect(runs.filter(({ skipped }) => skipped !== undefined).length).toBeLessThan(0.5 * runs.length + 0.5);
});

const EXTRAS: readonly DerivativeExtra[] = ['terms', 'patches', 'adhesion'];
const EXTRA_CASES = takeCases(
  FORMULATIONS.flatMap((formulation) => EXTRAS.map((extra) => [formulation, extra] as const)),
  STRIDE,
);

test.each(EXTRA_CASES)('%s: %s', (formulation, extra) => {
  const kinds =
    extra === 'patches' ? (['pair'] as const) : extra === 'adhesion' ? (['pair', 'tree'] as const) : DERIVATIVE_KINDS;
  const faults: string[] = [];
  for (const kind of kinds)
    for (let seed = 1; seed <= SCENES; seed++)
      faults.push(...[findDerivativeFault(runDerivatives(seed, kind, formulation, extra)) ?? []].flat());
  expect(faults).toEqual([]);
});

// forces of the solve leave round-off on the free joint: whether the tree flies freely must not depend on it
test('sap: a floating tree with springs and servos has no jumps', () => {
  const run = runDerivatives(8, 'tree', 'sap');
  expect(run.doubt).toBeLessThan(1e-6);
  expect(findDerivativeFault(run)).toBeUndefined();
});

// friction at little slip is strongly curved: one Newton step from the solution leaves 1e-5 of the force
test('penalty: forces of contacts at little slip', () => {
  const run = runDerivatives(11, 'pair', 'penalty');
  expect(run.contacts).toBeGreaterThan(0);
  expect(findDerivativeFault(run)).toBeUndefined();
});

// the current of a motor follows an exponential, not the first order of a filter
test('ipc: states of a direct-current motor', () => {
  expect(findDerivativeFault(runDerivatives(10, 'tree', 'ipc'))).toBeUndefined();
});

// a limit and dry friction hold the same joint: beyond the limit, or before it, friction has no say
test('ccp: a joint with dry friction at its limit', () => {
  const run = runDerivatives(5014, 'tree', 'ccp');
  expect(run.margin).toBeGreaterThan(1e-3);
  expect(run.along).toBeLessThan(1e-6);
  expect(run.error).toBeLessThan(1e-4);
  expect(findDerivativeFault(run)).toBeUndefined();
});
