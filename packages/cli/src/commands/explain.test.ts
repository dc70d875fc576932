import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scene } from '@nexdyn/engine';
import { afterAll, expect, test } from 'vitest';
import { EXIT } from '../exit-code.ts';
import { captureRun } from './captured-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'nexdyn-explain-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A crate that falls 5 cm on a floor. */
const DROP: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.002 },
  shapes: [{ kind: 'plane' }],
  bodies: [
    {
      name: 'crate',
      position: [0, 0, 0.15],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: 2 }],
    },
  ],
};

const write = (name: string, scene: Scene): string => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(scene));
  return file;
};

test('one file twice: the same models, the same motion', async () => {
  const { status, data } = await captureRun('explain', write('drop.json', DROP), '--seconds', '0.1');
  expect(status).toBe(EXIT.ok);
  expect(data).toContain('the models are the same');
  expect(data).toContain('the motions are the same');
});

test('another size: the field by its name; the motion is the same until the larger crate lands', async () => {
  const tall = structuredClone(DROP);
  tall.bodies![0]!.shapes = [{ kind: 'box', halfSize: [0.1, 0.1, 0.12], mass: 2 }];
  const args = ['explain', write('drop.json', DROP), write('tall.json', tall), '--seconds', '0.3', '--json'];
  const { status, data } = await captureRun(...args);
  expect(status).toBe(EXIT.different);
  const { fields, difference } = JSON.parse(data) as {
    fields: { field: string; first: string; second: string }[];
    difference: { step: number; time: number; body: string; pairs: { pair: string; force: (number | null)[] }[] };
  };
  expect(fields.find(({ field }) => field.startsWith('shape.size'))).toMatchObject({ first: '0.1', second: '0.12' });
  // free fall knows no size: 3 cm take √(2 · 0.03 / 9.81) s
  const landing = Math.sqrt(0.06 / 9.81);
  expect(Math.abs(difference.time - landing)).toBeLessThan(0.01);
  expect(difference.body).toBe('crate');
  const [pair] = difference.pairs;
  expect(pair!.pair).toContain('crate');
  expect(pair!.force[0] ?? 0).toBe(0);
  expect(pair!.force[1]).toBeGreaterThan(0);
});

test('two formulations: contacts of the first step that differs, and how both solvers ended', async () => {
  const { status, data } = await captureRun(
    'explain',
    write('drop.json', DROP),
    '--formulations',
    'mujoco,ccp',
    '--coordinates',
    'body',
  );
  expect(status).toBe(EXIT.different);
  expect(data).toContain('options.formulation: mujoco and ccp');
  expect(data).toMatch(/the motions are apart from step \d+ on \(0\.1\d* s\)/);
  expect(data).toMatch(/the solvers ended: \S+ after \d+ iterations, residual \S+; /);
  expect(data).toMatch(/and crate: (?:no contact|.* m) and (?:no contact|.* m)/);
});

test('two recorded runs, each as it was; a keyframe is where they start', async () => {
  const thrown: Scene = { ...DROP, keyframes: [{ name: 'thrown', velocity: [1, 0, 0, 0, 0, 0] }] };
  const file = write('thrown.json', thrown);
  const [slow, fast, again] = ['slow', 'fast', 'again'].map((name) => join(folder, name));
  const run = (out: string, ...more: string[]) =>
    captureRun('run', file, '--seconds', '0.02', '--out', out, '--quiet', ...more);
  await run(slow!, '--formulation', 'sap');
  await run(again!, '--formulation', 'sap');
  await run(fast!, '--formulation', 'sap', '--set', 'gravity=[0,0,-20]');
  expect((await captureRun('explain', slow!, again!, '--seconds', '0.02')).status).toBe(EXIT.ok);
  const { status, data } = await captureRun('explain', slow!, fast!, '--seconds', '0.02');
  expect(status).toBe(EXIT.different);
  expect(data).toMatch(/options\.gravity\[2\]: -9\.81 and -20/);
  expect(data).toContain('the motions are apart from step 1 on');
  const { status: refused, messages } = await captureRun('explain', slow!, fast!, '--formulations', 'ipc');
  expect(refused).toBe(EXIT.usage);
  expect(messages).toContain('a recorded run has its own options');
});
