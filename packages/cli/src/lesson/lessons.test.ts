/** The lessons that come with NexDyn: each runs, and keeps its bound under every formulation that it names. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setSceneParameters } from '@nexdyn/engine';
import { computeSettings, startValues } from '@nexdyn/engine/formulas';
import { expect, test } from 'vitest';
import { takeCases } from '../../../../scripts/long-run.ts';
import { captureRun } from '../commands/captured-run.ts';
import { EXIT } from '../exit-code.ts';
import { loadSceneFile } from '../scene-file.ts';
import { SCENES_FOLDER } from '../scene-names.ts';
import type { LessonRun } from './lesson-check.ts';

const names = readdirSync(join(SCENES_FOLDER, 'lessons')).map((file) => file.replace('.json', ''));

test('there are twelve', () => expect(names.length).toBe(12));

test.each(names)('%s: the scene is as its sliders say at the start', (name) => {
  const { scene } = loadSceneFile(name, {});
  const lesson = scene.lesson!;
  const set = setSceneParameters(scene, computeSettings(lesson, startValues(lesson)));
  const round = (_: string, value: unknown): unknown => (typeof value === 'number' ? Number(value.toFixed(9)) : value);
  expect(JSON.parse(JSON.stringify(set, round))).toEqual(JSON.parse(JSON.stringify(scene, round)));
});

test.each(takeCases(names.toReversed(), 9))('%s', async (name) => {
  const { status, data } = await captureRun('lesson', name, '--json');
  const { runs } = JSON.parse(data) as { runs: LessonRun[] };
  expect(runs.filter(({ verdict }) => verdict === 'fail' || verdict === 'refused')).toEqual([]);
  expect(runs.filter(({ verdict, unconverged }) => verdict === 'pass' && unconverged > 0)).toEqual([]);
  expect(runs.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(0);
  expect(status).toBe(EXIT.ok);
});
