import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lesson, Scene } from '@nexdyn/engine';
import { afterAll, expect, test } from 'vitest';
import { EXIT } from '../exit-code.ts';
import { captureRun } from './captured-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'nexdyn-lesson-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A ball in free fall from rest. Semi-implicit Euler is too low by g h t / 2 exactly. */
const LESSON: Lesson = {
  title: 'Fall',
  text: ['A ball falls.'],
  sliders: [
    {
      name: 'g',
      label: 'Gravity',
      minimum: 1,
      maximum: 20,
      value: 10,
      targets: [{ path: 'gravity', formulas: ['0', '0', '-g'] }],
    },
  ],
  question: { text: 'How far?', answers: ['far', 'farther'], correct: 0, reason: 'g t²/2' },
  measure: { label: 'Height', unit: 'm', formula: 'bodies.ball.position.z' },
  closedForm: { label: 'theory', formula: '-g*time^2/2', bound: 'g*0.01*0.5/2*1.000001', formulations: ['sap'] },
  duration: 0.5,
  formulations: ['sap', 'mujoco'],
};

const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.01 },
  bodies: [{ name: 'ball', joints: [{ kind: 'free' }], shapes: [{ kind: 'sphere', radius: 0.1 }] }],
};

function write(lesson: Lesson | undefined): string {
  const file = join(folder, 'fall.json');
  writeFileSync(file, JSON.stringify({ ...SCENE, ...(lesson && { lesson }) }));
  return file;
}

test('a lesson that keeps its bound: a row per run, exit code 0; what claims nothing is shown', async () => {
  const { status, data } = await captureRun('lesson', write(LESSON));
  expect(status).toBe(EXIT.ok);
  expect(data).toMatch(/\| 10 +\| sap +\|.*\| pass +\|/);
  expect(data).toMatch(/\| 10 +\| mujoco +\|.*\| shown +\|/);
  const { data: json } = await captureRun('lesson', write(LESSON), '--json');
  const { runs } = JSON.parse(json) as { runs: { difference: number }[] };
  // the largest difference is that of the last step
  expect(runs[0]!.difference).toBeCloseTo((10 * 0.01 * 0.5) / 2, 12);
});

test('a bound that is too tight is not kept: exit code 5', async () => {
  const tight = { ...LESSON, closedForm: { ...LESSON.closedForm!, bound: 'g*0.01*0.5/2*0.99' } };
  const { status, data } = await captureRun('lesson', write(tight));
  expect(status).toBe(EXIT.different);
  expect(data).toContain('fail');
});

test.each<[string, Partial<Lesson>, RegExp]>([
  [
    'a signal that does not exist',
    { measure: { label: 'x', formula: 'bodies.bal.position.z' } },
    /bodies are world, ball|bal/,
  ],
  [
    'a path that leads nowhere',
    { sliders: [{ ...LESSON.sliders[0]!, targets: [{ path: 'gravty' }] }] },
    /leads nowhere/,
  ],
])('%s is refused with its place', async (_, change, reason) => {
  const { status, messages } = await captureRun('lesson', write({ ...LESSON, ...change }));
  expect(status).toBe(EXIT.badScene);
  expect(messages).toMatch(reason);
});

test('a scene without a lesson says so', async () => {
  const { status, messages } = await captureRun('lesson', write(undefined));
  expect(status).toBe(EXIT.usage);
  expect(messages).toContain('has no lesson');
});
