import { NexdynError } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { checkRunInputs, type RunInput } from './run-input.ts';

describe('inputs of a run', () => {
  test('what is right comes back as it is, without what is not known', () => {
    const inputs: RunInput[] = [
      { kind: 'pull', step: 3, body: 1, force: [1, 2, 3], point: [0, 0, 1] },
      { kind: 'pull', step: 4, body: 0, soft: { body: 0, vertices: [1, 5] }, force: [1, 2, 3], point: [0, 0, 1] },
      { kind: 'write', step: 9, field: 'control', start: 2, values: [0.5] },
    ];
    const seen = inputs.map((input) => ({ ...input, target: [9, 9, 9] }));
    expect(checkRunInputs(JSON.parse(JSON.stringify(seen)), 'a.json')).toEqual(inputs);
    // a grip of a soft body has no rigid one
    expect(checkRunInputs([{ ...inputs[1], body: -1 }], 'a.json')).toEqual([inputs[1]]);
  });

  test.each([
    [{}, 'inputs'],
    [[null], 'inputs[0].step'],
    [[{ kind: 'pull', step: -1 }], 'inputs[0].step'],
    [[{ kind: 'pull', step: 1, force: [0, 0, 0], point: [0, 0, 0] }], 'inputs[0].body'],
    [[{ kind: 'pull', step: 1, body: 1, force: [0, 0], point: [0, 0, 0] }], 'inputs[0].force'],
    [[{ kind: 'pull', step: 1, body: 1, force: [0, 0, null], point: [0, 0, 0] }], 'inputs[0].force'],
    [[{ kind: 'pull', step: 1, body: 1, force: [0, 0, 0] }], 'inputs[0].point'],
    [[{ kind: 'pull', step: 1, soft: { body: 0 }, force: [0, 0, 0], point: [0, 0, 0] }], 'inputs[0].soft'],
    [[{ kind: 'write', step: 1, field: 'speed', start: 0, values: [] }], 'inputs[0].field'],
    [[{ kind: 'write', step: 1, field: 'control', start: 0.5, values: [] }], 'inputs[0].start'],
    [[{ kind: 'write', step: 1, field: 'control', start: 0, values: ['1'] }], 'inputs[0].values'],
    [[{ kind: 'shout', step: 1 }], 'inputs[0].kind'],
  ])('%j is refused with its place', (value, path) => {
    expect(() => checkRunInputs(value, 'run.json')).toThrow(NexdynError);
    expect(() => checkRunInputs(value, 'run.json')).toThrow(expect.objectContaining({ path, file: 'run.json' }));
  });
});
