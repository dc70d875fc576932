import { NexdynError, type Scene } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { applyOptions } from './scene-choice.ts';

const SCENE: Scene = { format: 'nexdyn-scene', version: 1, options: { timestep: 0.002, mujoco: { cone: 'elliptic' } } };

test('options are replaced by their path, and the scene stays as it was', () => {
  const changed = applyOptions(SCENE, { timestep: 0.001, 'mujoco.solver': 'cg', 'sap.nearRigid': 1 });
  expect(changed.options).toEqual({
    timestep: 0.001,
    mujoco: { cone: 'elliptic', solver: 'cg' },
    sap: { nearRigid: 1 },
  });
  expect(SCENE.options).toEqual({ timestep: 0.002, mujoco: { cone: 'elliptic' } });
  expect(applyOptions(SCENE, undefined)).toBe(SCENE);
});

test.each([{ timestep: -1 }, { 'mujoco.solver': 'magic' }, { 'timestep.x': 1 }, { nonsense: 1 }])(
  '%o is refused',
  (set) => {
    expect(() => applyOptions(SCENE, set)).toThrow(NexdynError);
  },
);
