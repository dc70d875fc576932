import { createFailure, createSweep, type RunResult, readPlan } from '@nexdyn/sweep';
import { expect, test } from 'vitest';
import { ReportCollector, type ReportData } from './sweep-data.ts';
import { formatSweepReport } from './sweep-report.ts';

const scene = { format: 'nexdyn-scene', version: 1, bodies: [{ name: 'a' }] };

function open(axes: object[]) {
  const plan = { format: 'nexdyn-sweep', version: 1, scene, seconds: 1, axes, measure: { speed: 'time' } };
  return createSweep(readPlan(plan), scene as never, '1');
}

/** Each run measures its number. */
function gather(axes: object[]): { data: ReportData; html: string } {
  const sweep = open(axes);
  const collector = new ReportCollector(sweep);
  for (let index = 0; index < sweep.runs.count; index++) {
    const run = sweep.runs.run(index);
    const sound: RunResult = { ...createFailure(run.key, { code: 'internal', message: '' }, 'completed'), error: null };
    collector.take(run, { ...sound, measures: { speed: index } });
  }
  const data = collector.finish();
  return { data, html: formatSweepReport(sweep, data) };
}

test('axes with names are drawn like axes with numbers, and named', () => {
  const { data, html } = gather([
    { kind: 'list', name: 'law', path: 'options.integrator', values: ['euler', 'an uncommon law', 'euler 2'] },
    { kind: 'range', name: 'g', path: 'gravity.2', from: -10, to: -1, count: 4 },
  ]);
  expect(data.axes).toEqual(['law', 'g']);
  expect(Array.from(data.values['law']!)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
  expect(data.pairs).toEqual([['law', 'g']]);
  expect(html).toContain('speed over law');
  expect(html).toContain('>an uncomm…</text>');
  expect(html).toContain('law an uncommon law, g -10: 4<');
});

test('names that go with numbers are no axis of their own', () => {
  const { data, html } = gather([
    {
      kind: 'zip',
      parameters: [
        { name: 'mesh', values: ['thin', 'thick', 'round'] },
        { name: 'thickness', values: [1, 2, 3] },
        { name: 'finish', values: ['rough', 'rough', 'smooth'] },
      ],
    },
  ]);
  expect(data.axes).toEqual(['thickness', 'finish']);
  // nor columns in the lists of the best and the worst; without formulations there are no groups either
  expect(html).toContain('<th>run</th><th>thickness</th><th>finish</th><th>speed</th>');
});

test('values that were drawn together are no map; names that nobody can draw are no axis', () => {
  const sample = { distribution: 'uniform', from: 0, to: 1 };
  const { data, html } = gather([
    {
      kind: 'latinHypercube',
      count: 8,
      seed: 1,
      parameters: [
        { name: 'a', ...sample },
        { name: 'b', ...sample },
      ],
    },
    { kind: 'list', name: 'many', values: Array.from({ length: 60 }, (_, n) => `v${n}`) },
    { kind: 'list', name: 'mesh', values: [Array.from({ length: 30 }, (_, n) => n)] },
    { kind: 'list', name: 'fixed', values: [3] },
    { kind: 'range', name: 'E', from: 1e3, to: 1e9, count: 3, spacing: 'log' },
  ]);
  expect(data.axes).toEqual(['a', 'b', 'E']);
  expect(data.pairs).toEqual([
    ['a', 'E'],
    ['b', 'E'],
  ]);
  expect(html).not.toContain('speed over many');
  // an axis of one value shows nothing
  expect(html).not.toContain('speed over fixed');
  // powers of ten
  expect(html).toMatch(/>1e5<.*speed over E|speed over E.*>1e5</s);
});
