import { describe, expect, test } from 'vitest';
import settings from '../../vitest.config.ts';
import { EXCEPTIONS, LAYERS } from './engine-layers.ts';
import { listFiles, listImports, parseImports, readText } from './source-files.ts';

const ENGINE = 'packages/engine/src/';
// what only tests use: the oracle, random scenes, the browser that drives the page
const isTest = (path: string): boolean =>
  /\.test\.tsx?$|\/src\/(testing|browser)\/|\/arbitrary-[a-z-]+\.ts$/.test(path);
const sources = listFiles(/^packages\/[^/]+\/src\/.*\.tsx?$/).filter((path) => !isTest(path));

/** What every folder may import. */
const FOUNDATION = new Set([`${ENGINE}error.ts`, `${ENGINE}step-deadline.ts`]);

/** Folder of a file below the engine's sources; '' for files at the top. */
function folderOf(path: string): string {
  const parts = path.slice(ENGINE.length).split('/');
  return parts.length > 1 ? parts[0]! : '';
}

test('every form of import is seen', () => {
  const text = `
import './a.ts';
import { b } from './b.ts';
import {
  c,
  type C,
} from '../c.ts';
import type { D } from './d.ts';
import { type E, type F } from 'e';
export * from './f.ts';
export type * from './g.ts';
const h = await import('./h.ts');
/* import { i } from './i.ts'; */
`;
  const seen = parseImports(text, 'x/y/z.ts').map(({ target, specifier, isType }) => [target ?? specifier, isType]);
  expect(seen).toEqual([
    ['x/y/a.ts', false],
    ['x/y/b.ts', false],
    ['x/c.ts', false],
    ['x/y/d.ts', true],
    ['e', true],
    ['x/y/f.ts', false],
    ['x/y/g.ts', true],
    ['x/y/h.ts', false],
  ]);
});

describe('imports of the engine', () => {
  const files = sources.filter((path) => path.startsWith(ENGINE));

  test('every folder has its place in the order', () => {
    const folders = new Set(files.map(folderOf).filter((folder) => folder !== ''));
    expect([...folders].filter((folder) => !(folder in LAYERS))).toEqual([]);
  });

  test('nothing imports upward', () => {
    const wrong = files
      .filter((path) => folderOf(path) !== '')
      .flatMap((path) =>
        listImports(path)
          .filter(({ target }) => target && !FOUNDATION.has(target))
          .filter(({ target }) => {
            const from = folderOf(path);
            const to = target!.startsWith(ENGINE) ? folderOf(target!) : 'outside';
            const more = EXCEPTIONS[path.slice(ENGINE.length)] ?? [];
            return to !== from && !LAYERS[from]!.includes(to) && !more.includes(to);
          })
          .map(({ target }) => `${path} imports ${target}`),
      );
    expect(wrong).toEqual([]);
  });

  test('no package is imported', () => {
    const wrong = files.flatMap((path) =>
      listImports(path)
        .filter(({ target }) => target === undefined)
        .map(({ specifier }) => `${path} imports ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('imports of every package', () => {
  test('only what its package file lists; Node only in the command line, in sweeps, in their queue, in the bridge and where batches run on its threads', () => {
    const wrong = sources.flatMap((path) => {
      const [, name] = path.split('/');
      const {
        dependencies = {},
        peerDependencies = {},
        imports = {},
      } = JSON.parse(readText(`packages/${name}/package.json`));
      return listImports(path)
        .filter(({ target, isType, specifier }) => target === undefined && !isAllowed(specifier, isType, path))
        .map(({ specifier }) => `${path} imports ${specifier}`);

      function isAllowed(specifier: string, isType: boolean, file: string): boolean {
        const owner = specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/');
        if (owner in dependencies || owner in peerDependencies || specifier in imports) return true;
        if (specifier.startsWith('node:'))
          return (
            ['cli', 'sweep', 'queue', 'bridge'].includes(name!) || isType || /^packages\/batch\/src\/node/.test(file)
          );
        // the peer engine of benchmarks and agreement is loaded when they run, if it is there
        return specifier === '@mujoco/mujoco' && /^packages\/cli\/src\/(bench|agree)\//.test(file);
      }
    });
    expect(wrong).toEqual([]);
  });

  test('formats depends on the engine and three small packages for files only', () => {
    const { dependencies } = JSON.parse(readText('packages/formats/package.json'));
    expect(Object.keys(dependencies).sort()).toEqual(['@mcap/core', '@nexdyn/engine', 'fflate', 'saxes']);
  });

  test('whoever installs @nexdyn/three gets the types that its declarations name', () => {
    const { dependencies, peerDependencies } = JSON.parse(readText('packages/three/package.json'));
    expect(Object.keys(peerDependencies)).toContain('three');
    expect(Object.keys(dependencies)).toContain('@types/three');
  });

  test('no file reaches into another package by a path', () => {
    const wrong = sources.flatMap((path) => {
      const home = path.split('/').slice(0, 3).join('/');
      return listImports(path)
        .filter(({ target }) => target && !target.startsWith(`${home}/`) && !/^(scenes|docs\/schema)\//.test(target))
        .map(({ target }) => `${path} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  test('nothing that runs imports what only tests use', () => {
    const wrong = sources.flatMap((path) =>
      listImports(path)
        .filter(({ target }) => target && isTest(target))
        .map(({ target }) => `${path} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test('imported files exist; in engine and command line no two need each other to load', () => {
    const known = new Set([...sources, ...listFiles(/^(scenes|packages|docs\/schema)\/.*/)]);
    const graph = new Map(
      sources.map((path) => [path, listImports(path).filter(({ target, isType }) => target && !isType)]),
    );
    const missing = [...graph].flatMap(([path, imports]) =>
      imports.filter(({ target }) => !known.has(target!)).map(({ target }) => `${path} imports ${target}`),
    );
    expect(missing).toEqual([]);
    const strict = [...graph].filter(([path]) => /^packages\/(engine|cli)\//.test(path));
    expect(findCycle(new Map(strict.map(([path, list]) => [path, list.map(({ target }) => target!)])))).toEqual([]);
  });
});

/** The first cycle of a graph, as a list of its nodes; empty where there is none. */
function findCycle(graph: Map<string, string[]>): string[] {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (node: string): string[] => {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node];
    if (done.has(node)) return [];
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      const cycle = visit(next);
      if (cycle.length > 0) return cycle;
    }
    path.pop();
    done.add(node);
    return [];
  };
  for (const node of graph.keys()) {
    const cycle = visit(node);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

test('tests that measure the heap run in a process of their own', () => {
  const alone = new Set(['isolated', 'timed'].flatMap((name) => listIncluded(name)));
  const measuring = listFiles(/^(packages|validation)\/.*(?<!\.long)\.test\.ts$/).filter((path) =>
    listImports(path).some(({ target }) => target?.endsWith('/testing/heap-growth.ts')),
  );
  expect(measuring.length).toBeGreaterThan(10);
  expect(measuring.filter((path) => !alone.has(path))).toEqual([]);
});

function listIncluded(project: string): string[] {
  const projects = (settings.test?.projects ?? []) as { test: { name: string; include: string[] } }[];
  return projects.find(({ test: { name } }) => name === project)!.test.include;
}
