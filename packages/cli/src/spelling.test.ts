import { expect, test } from 'vitest';
import { countEdits, suggestWord } from './spelling.ts';

test('edits are counted: one each for what is inserted, removed or replaced', () => {
  expect(countEdits('kitten', 'sitting')).toBe(3);
  expect(countEdits('', 'abc')).toBe(3);
  expect(countEdits('same', 'same')).toBe(0);
});

test('the nearest word is suggested, and none where all is wrong', () => {
  const names = ['mujoco', 'sap', 'ccp', 'ipc'];
  expect(suggestWord('mujoko', names)).toBe("did you mean 'mujoco'?");
  expect(suggestWord('SAP', names)).toBe("did you mean 'sap'?");
  expect(suggestWord('icp', names)).toMatch(/'(ccp|ipc)'/);
  expect(suggestWord('xyz', names)).toBeUndefined();
  expect(suggestWord('', names)).toBeUndefined();
  expect(suggestWord('bullet', names)).toBeUndefined();
});
