import { expect, test } from 'vitest';
import { checkRunRecord } from './run-record.ts';
import type { RunRecord } from './session/protocol.ts';

const vector: [number, number, number] = [0, 1, 2];
const soft = { body: 0, firstVertex: 4, vertices: [1, 2] };
const record: RunRecord = {
  choice: { formulation: 'sap' },
  keyframe: undefined,
  steps: 12,
  pulls: [{ kind: 'pull', step: 3, body: 1, force: vector, point: vector, target: vector }],
  hands: [
    { step: 3, grab: { body: 1, point: vector, target: vector }, isNew: true },
    { step: 5, isNew: false },
    { step: 6, grab: { body: -1, soft, point: vector, target: vector }, isNew: true },
  ],
  changes: [{ step: 4, choice: { set: { timestep: 0.001 } } }],
  hash: '0123456789abcdef',
};

test('the record of a run is taken as it is, also from JSON', () => {
  expect(checkRunRecord(record)).toBe(record);
  const copy = JSON.parse(JSON.stringify(record)) as unknown;
  expect(checkRunRecord(copy)).toBe(copy);
});

test.each<[string, unknown]>([
  ['choice', 'sap'],
  ['keyframe', -1],
  ['steps', 1.5],
  ['steps', undefined],
  ['pulls', [{ ...record.pulls[0], force: [0, 1] }]],
  ['pulls', [{ ...record.pulls[0], point: [0, Number.NaN, 0] }]],
  ['hands', [{ step: 1, grab: { body: 1.5, point: vector, target: vector }, isNew: true }]],
  ['hands', [{ step: 1, grab: { body: -1, soft: { body: 0 }, point: vector, target: vector }, isNew: true }]],
  ['changes', {}],
  ['hash', 'none'],
])('damaged %s is named', (name, value) => {
  expect(() => checkRunRecord({ ...record, [name]: value })).toThrow(`the ${name} of the recorded run cannot be read`);
});

test('anything else is no record', () => {
  for (const value of [undefined, null, 3, []]) expect(() => checkRunRecord(value)).toThrow(/no record of a run/);
});
