/**
 * Random scenes under all formulations: whatever happens in a step is told. No number that is not finite, no error without a type, no
 * step that hangs, no energy from nothing, no `converged` beyond its bound. The long test beside it takes more of them.
 */
import type { BuiltInFormulationId } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { longTest, takeSamples } from '../../scripts/long-run.ts';
import { runRandomScene } from './random-run.ts';
import { createRandomScene } from './random-scene.ts';

const SCENES = 100;
/** Scenes and steps of each formulation: `ipc` takes longer. */
const SHARE: Readonly<Record<BuiltInFormulationId, { every: number; steps: number }>> = {
  mujoco: { every: 1, steps: takeSamples(25, 0.8) },
  sap: { every: 1, steps: takeSamples(25, 0.8) },
  ccp: { every: 1, steps: 8 },
  ipc: { every: 1, steps: 2 },
  penalty: { every: 10, steps: 12 },
};

test.each(Object.keys(SHARE) as BuiltInFormulationId[])('%s', (formulation) => {
  const { every, steps } = SHARE[formulation];
  const faults: string[] = [];
  for (let seed = 1; seed <= SCENES; seed += every) {
    const run = runRandomScene(createRandomScene(seed), seed, formulation, steps, 1);
    for (const fault of run.faults.slice(0, 1)) faults.push(`scene ${seed}: ${fault}`);
  }
  expect(faults).toEqual([]);
});

// a weld pulls two trees together in the first step: its forces are a hundred times those of the next one
test('ipc: joints do not run away from multipliers of a jerk', () => {
  const run = runRandomScene(createRandomScene(36), 36, 'ipc', 3, 20);
  expect(run.statuses).toEqual({ converged: 3 });
  expect(run.drift).toBeLessThan(2e-6);
});

// two links of one arm that are about to touch: the joint that carries both feels nothing of their forces
test('the momentum of contacts ahead is balanced', () => {
  const run = runRandomScene(createRandomScene(772), 772, 'sap', 78);
  expect(run.faults).toEqual([]);
  expect(run.momentum).toBeLessThan(1e-5);
});

// an explicit servo swings a spring up by 1e8 a step; wind may load springs, but not that fast
test('wind does not excuse a step that is not stable', () => {
  const run = runRandomScene(createRandomScene(272), 272, 'mujoco', 5);
  expect(run.statuses).toEqual({ converged: 1, unstable: 1 });
});

// a servo turns a link by 0.27 rad in a step, and closing its joints loads a spring of 5,450 N m/rad beside them
test('ccp: a step that loads springs where it closes joints is taken as halves', () => {
  const run = runRandomScene(createRandomScene(8112), 8112, 'ccp', 20);
  expect(run.statuses).toEqual({ converged: 20 });
  expect(run.faults).toEqual([]);
});

// a spring of 7 N m/rad at a link of 1e-4 kg m²: by itself it would turn the link by 3 rad in a step of 10 ms
longTest('ipc: springs on light links do not turn them by whole turns', () => {
  const run = runRandomScene(createRandomScene(27), 27, 'ipc', 44, 20);
  expect(run.statuses).toEqual({ converged: 44 });
  expect(run.growth).toBeLessThan(0.01);
});

// steps of order two have heavier masses; wind acts at the velocity of the end; a scene at rest without weight has nothing but round-off;
// a stiff spring counts as mass
test.each([
  ['ipc', 811, 72],
  ['ipc', 243, 2],
  ['sap', 492, 183],
  ['sap', 10047, 160],
] as const)('%s: momentum is balanced in every converged step (scene %i)', (formulation, seed, steps) => {
  const run = runRandomScene(createRandomScene(seed), seed, formulation, steps);
  expect(run.faults).toEqual([]);
  expect(run.statuses).toEqual({ converged: steps });
});

// multipliers of an impact lead the next descent astray: it gets stuck with a joint open by 0.9 rad, and begins again without them
longTest('ipc: no joint is torn by the forces of the step before', () => {
  const run = runRandomScene(createRandomScene(584), 584, 'ipc', 193, 20);
  expect(run.statuses).toEqual({ converged: 193 });
  expect(run.drift).toBeLessThan(2e-6);
});

// the same while other trees still gain a little in every iteration: the descent went on to its limit with the joint open, and gave energy
test('ipc: a torn joint does not wait for the other trees', () => {
  const run = runRandomScene(createRandomScene(1138), 1138, 'ipc', 14, 20);
  expect(run.statuses).toEqual({ converged: 14 });
  expect(run.drift).toBeLessThan(2e-6);
  expect(run.growth).toBeLessThan(0.01);
});

// slides at their limits, or on springs of 25 kN/m, in trees that swing: forces along the axis turn with the parent, as those across it do
test.each([
  [18, 16],
  [5048, 22],
])('ipc: what pulls along a joint is in the Hessian (scene %i)', (seed, steps) => {
  const run = runRandomScene(createRandomScene(seed), seed, 'ipc', steps, 20);
  expect(run.statuses).toEqual({ converged: steps });
  expect(run.growth).toBeLessThan(0.02);
});

// bodies that overlap by 0.2 m at the start may fly apart, but not gain energy in every step after
test('mujoco: an overlap at the start does not excuse energy for ever', () => {
  const run = runRandomScene(createRandomScene(679), 679, 'mujoco', 30);
  expect(run.statuses.unstable).toBe(1);
  expect(run.growth).toBeLessThan(20);
});

test('mujoco: forces of a converged step balance within a thousandth', () => {
  const run = runRandomScene(createRandomScene(676), 676, 'mujoco', 57);
  expect(run.faults).toEqual([]);
});

// a spring of 9 kN m/rad between links of 3.7 and 0.5 kg, taken implicitly: what it adds to the matrix of the solve is no mass
test('mujoco: stiff springs do not hide that forces are out of balance', () => {
  const run = runRandomScene(createRandomScene(2004), 2004, 'mujoco', 110);
  expect(run.faults).toEqual([]);
  expect(run.momentum).toBeLessThan(1e-3);
  expect(run.statuses.converged).toBeGreaterThan(80);
  expect(run.statuses.stalled).toBeGreaterThan(0);
});

// gradients within 0.01 m/s² leave 2 % of the momentum of light links unexplained
test.each([2, 40, 58])('mujoco: a wide tolerance makes no step converged that is not balanced (scene %i)', (seed) => {
  const scene = createRandomScene(seed);
  const { options } = scene;
  const wide = { ...scene, options: { ...options, mujoco: { ...options?.mujoco, tolerance: 0.01 } } };
  const run = runRandomScene(wide, seed, 'mujoco', 60);
  expect(run.faults).toEqual([]);
  expect(run.statuses.stalled).toBeGreaterThan(0);
});

// contacts in the way of an equality that ccp closes at the positions
test('ccp: no step with open joints is converged', () => {
  const run = runRandomScene(createRandomScene(398), 398, 'ccp', 70, 20);
  expect(run.faults).toEqual([]);
});

test('a scene is the same for the same seed', () => {
  expect(createRandomScene(7)).toEqual(createRandomScene(7));
  expect(createRandomScene(7)).not.toEqual(createRandomScene(8));
});
