import { afterEach, expect, test, vi } from 'vitest';
import { BENCH_SCENES } from './bench-scene.ts';
import { formatTable } from './bench-table.ts';
import { findPython, timeNative } from './native-peer.ts';

afterEach(() => void vi.unstubAllEnvs());

const task = { source: { xml: '<mujoco/>' }, blockSteps: 1, budget: 1 };

test('no interpreter is taken that was not named', () => {
  vi.stubEnv('NEXDYN_PYTHON', '');
  expect(findPython()).toBeUndefined();
  vi.stubEnv('NEXDYN_PYTHON', 'python-of-mine');
  expect(findPython()).toBe('python-of-mine');
});

test('an interpreter that is not there, or fails, is a message', () => {
  expect(timeNative('no-such-python', task)).toEqual({ missing: expect.stringContaining('no-such-python') });
  // not an interpreter of Python: ends without a result
  expect(timeNative('false', task)).toEqual({ missing: expect.any(String) });
});

test('a table says which targets are met, and has the native ratio where there is one', () => {
  const row = {
    scene: 'wall',
    formulation: 'mujoco',
    solver: 'newton',
    peer: 'peer',
    ratio: 0.5,
    oursMs: 1,
    peerMs: 2,
    oursMedianMs: 1,
    peerMedianMs: 2,
    task: 'step',
    dofs: 6,
    blocks: 3,
    blockSteps: 1,
  } as const;
  const lines = formatTable([
    { ...row, target: 0.4 },
    { ...row, target: 0.6, nativeMs: 4, nativeRatio: 0.25 },
  ]).split('\n');
  expect(lines[1]).toMatch(/0\.50 +0\.4 +no +0\.50/);
  expect(lines[2]).toMatch(/0\.50 +0\.6 +yes +4 +0\.25 +0\.50/);
});

test('piles and structures at rest are scenes under sap and ccp', () => {
  const names = BENCH_SCENES.map(({ name }) => name);
  for (const name of ['wall-100-60', 'pyramid-210-60', 'pile-100', 'pile-1000']) {
    expect(names).toContain(`${name}-sap`);
    expect(names).toContain(`${name}-ccp`);
  }
});
