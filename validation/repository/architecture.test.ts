/** Rules of the design that imports alone do not show; what still breaks one is listed here by name. */
import { expect, test } from 'vitest';
import { listFiles, listImports, readText } from './source-files.ts';

const isTest = (path: string): boolean =>
  /\.test\.tsx?$|\/src\/(testing|browser)\/|\/arbitrary-[a-z-]+\.ts$/.test(path);
const sources = listFiles(/^packages\/[^/]+\/src\/.*\.tsx?$/).filter((path) => !isTest(path));
const ENGINE = 'packages/engine/src/';
const FORMULATIONS = ['mujoco', 'sap', 'ccp', 'ipc', 'penalty'];

/** Code without comments. */
function readCode(path: string): string {
  return readText(path)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '');
}

/** Lines of files that fit a pattern, as `path: line`. */
function findLines(pattern: RegExp, isAllowed: (path: string) => boolean): string[] {
  return sources
    .filter((path) => !isAllowed(path))
    .flatMap((path) =>
      readCode(path)
        .split('\n')
        .filter((line) => pattern.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );
}

test('a model has no scene to read', () => {
  expect(
    findLines(/\bmodel\.scene\b|\bscene\b[^=;]*\}: Model\b|\bscene\b[^=;]*\} = (this\.)?#?model;/, () => false),
  ).toEqual([]);
});

test('formulations are told apart by their traits, not by their names', () => {
  // expected numbers and the peers of a benchmark belong to a formulation; `mujoco` is also the root element of MJCF
  const isAllowed = (path: string): boolean =>
    /^packages\/engine\/src\/formulation\/(mujoco|sap|ccp|ipc|penalty)\//.test(path) ||
    /^packages\/cli\/src\/(validate\/cases|bench)\//.test(path) ||
    [
      'packages/formats/src/mjcf/mjcf.ts',
      'packages/formats/src/load-scene.ts',
      'packages/studio/src/files/main-file.ts',
    ].includes(path);
  const names = `'(${FORMULATIONS.join('|')})'`;
  const pattern = new RegExp(`([!=]==|\\bcase|includes\\()\\s*${names}|${names}\\s*[!=]==`);
  expect(findLines(pattern, isAllowed)).toEqual([]);
});

test('options of a formulation are read in its folder', () => {
  const isAllowed = (path: string): boolean => !path.startsWith(ENGINE) || path.startsWith(`${ENGINE}formulation/`);
  expect(findLines(/\boptions\.(mujoco|sap|ccp|ipc|penalty)\b/, isAllowed)).toEqual([]);
});

test.each(FORMULATIONS)('%s: its folder, a line in the table and one that loads it', (id) => {
  const folder = `${ENGINE}formulation/${id}/`;
  // threads beside the one that steps load solvers of islands alone
  const threads = `${ENGINE}formulation/island-thread.ts`;
  const importers = sources.filter(
    (path) =>
      path !== threads &&
      !path.startsWith(folder) &&
      listImports(path).some(({ target }) => target?.startsWith(folder)),
  );
  const loaders = [`${ENGINE}formulation/built-in.ts`, `${ENGINE}index.ts`];
  expect(importers).toContain(`${ENGINE}scene/formulation-table.ts`);
  expect(importers.filter((path) => loaders.includes(path))).toHaveLength(1);
  expect(importers).toHaveLength(2);
});
