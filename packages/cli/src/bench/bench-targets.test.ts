import { expect, test } from 'vitest';
import { benchScene } from './bench.ts';
import { BENCH_SCENES } from './bench-scene.ts';
import { loadMujoco } from './mujoco-contender.ts';
import { RACE } from './race.ts';

const scenes = BENCH_SCENES.filter(
  ({ target, formulation, isAgainstStep }) => target !== undefined && formulation === 'ipc' && !isAgainstStep,
);

test('one box and four under ipc have targets', () => {
  expect(scenes.map(({ name, target }) => [name, target])).toEqual([
    ['ipc-box-1', 200],
    ['ipc-boxes-4', 400],
  ]);
});

test.each(scenes)('$name keeps its target beside MuJoCo', async (scene) => {
  const outcome = benchScene(scene, await loadMujoco(), RACE.quick);
  if (!('row' in outcome)) throw new Error(JSON.stringify(outcome));
  const { row } = outcome;
  expect(row.formulation).toBe('ipc');
  expect(row.dofs).toBe(6 * scene.family!.size);
  expect(row.ratio).toBeLessThan(scene.target!);
});
