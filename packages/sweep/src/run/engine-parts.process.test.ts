import { compileModel, type Scene } from '@nexdyn/engine/core';
import { expect, test } from 'vitest';
import { loadRunParts } from './engine-parts.ts';
import type { SweepSetting } from './run-once.ts';

const scene: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  shapes: [{ kind: 'plane' }],
  bodies: [{ name: 'ball', joints: [{ kind: 'free' }], shapes: [{ kind: 'sphere', radius: 0.1 }] }],
};
const windy: Scene = { ...scene, options: { medium: { density: 1.2 } } };
const cloth: Scene = {
  ...scene,
  softBodies: [
    {
      mesh: { kind: 'grid', size: [1, 1], cells: [1, 1], thickness: 0.01 },
      elasticity: { youngsModulus: 1e4, poissonRatio: 0.3 },
    },
  ],
};

test('a thread loads the parts of its scene, and everything where a value may ask for more', async () => {
  const load = (from: Scene, set: Record<string, unknown>, formulation: 'sap' | null = null) =>
    loadRunParts({ scene: from } as SweepSetting, { set, formulation } as Parameters<typeof loadRunParts>[1]);
  const open = (from: Scene, formulation: 'mujoco' | 'sap' = 'mujoco') => compileModel(from, { formulation });
  await load(scene, { 'bodies.ball.mass': 2, 'gravity.2': -1, timestep: 0.001 });
  expect(() => open(cloth)).toThrow(/not loaded/);
  await load(scene, {}, 'sap');
  open(scene, 'sap');
  expect(() => open(cloth, 'sap')).toThrow(/not loaded/);
  await load(scene, { 'medium.density': 1.2 });
  open(windy);
  open(cloth);
});
