import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import * as batch from '@nexdyn/batch';
import * as engine from '@nexdyn/engine';
import * as geometry from '@nexdyn/engine/geometry';
import * as solvers from '@nexdyn/engine/solvers';
import * as terms from '@nexdyn/engine/terms';
import * as formats from '@nexdyn/formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listFiles, ROOT, readText } from './source-files.ts';

interface Statement {
  doc: string;
  text: string;
}
interface Export {
  name: string;
  kind: string;
  doc: string;
  text: string;
  members: { name: string; doc: string; text: string }[];
}

let folder: string;
let pages: string[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-site-'));
  const { buildSite } = await import(join(ROOT, 'scripts/docs/site.mjs'));
  pages = buildSite(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (page: string): string => readFileSync(join(folder, page), 'utf8');

describe('the documentation as a site', () => {
  test('every page of docs/ has its page, and every page can be reached from the first', () => {
    for (const source of listFiles(/^docs\/[^/]*\.md$/)) {
      expect(pages).toContain(source.slice('docs/'.length).replace(/\.md$/, '.html'));
    }
    const first = read('index.html');
    for (const page of pages.filter((name) => !name.startsWith('source/'))) expect(first).toContain(`href="${page}"`);
  });

  test('the search box knows every heading, with an address that exists and the text below it', () => {
    const data = read('search-data.js');
    const stretches = JSON.parse(data.slice(data.indexOf('['), data.lastIndexOf(']') + 1)) as string[][];
    const known = new Set(stretches.map(([address]) => address));
    for (const page of pages.filter((name) => !name.startsWith('source/'))) {
      const html = read(page);
      for (const [, anchor] of html.matchAll(/<h[1-4][^>]* id="([^"]*)"/g))
        expect(known).toContain(`${page}#${anchor}`);
      expect(html).toContain('<script src="search.js"></script>');
    }
    const creep = stretches.filter(([, title, , text]) => title === 'Validation' && text!.includes('creep-mujoco'));
    expect(creep.length).toBeGreaterThan(0);
    expect(stretches.some(([, , , text]) => /<\/?(?:p|td|code)>/.test(text!))).toBe(false);
    // exports and their members too
    expect(known).toContain('api-engine.html#Scene');
    expect(known).toContain('api-engine.html#Simulation.contactForces');
  });

  test('links, images and anchors lead somewhere', () => {
    const anchors = new Map(
      pages.map((page) => [page, new Set([...read(page).matchAll(/ id="([^"]*)"/g)].map((match) => match[1]!))]),
    );
    const broken = pages.flatMap((page) =>
      [...read(page).matchAll(/ (?:href|src)="([^"]*)"/g)]
        .map((match) => match[1]!)
        .filter((link) => !/^[a-z]+:/.test(link))
        .filter((link) => {
          const [path, anchor] = link.split('#');
          const target = path ? posix.join(posix.dirname(page), path) : page;
          if (!existsSync(join(folder, target))) return true;
          return anchor !== undefined && !anchors.get(target)?.has(anchor);
        })
        .map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  test('an address means one place', () => {
    for (const page of pages) {
      const ids = [...read(page).matchAll(/ id="([^"]*)"/g)].map((match) => match[1]!);
      expect(
        ids.filter((id, i) => ids.indexOf(id) !== i),
        page,
      ).toEqual([]);
    }
  });

  test('pages load nothing from elsewhere and say their language and title', () => {
    for (const page of pages) {
      const html = read(page);
      expect(html).toMatch(/<html lang="en">[\s\S]*<title>[^<]+<\/title>/);
      expect(html).not.toMatch(/<(?:script|img|link)[^>]*(?:src|href)="https?:/);
    }
  });

  test('each formulation has a page with its mathematics, its artefacts and when to choose it', () => {
    for (const formulation of ['mujoco', 'sap', 'ccp', 'ipc']) {
      const page = readText(`docs/${formulation}.md`);
      expect(page).toMatch(/^## When to choose it$/m);
      expect(page).toMatch(/^\$\$\n[\s\S]*?argmin[\s\S]*?^\$\$$/m);
      expect(page).toMatch(/^## (Artefacts|What is promised)/m);
    }
  });
});

describe('the reference', () => {
  test.each([
    ['api-engine.html', engine],
    ['api-terms.html', terms],
    ['api-solvers.html', solvers],
    ['api-geometry.html', geometry],
    ['api-formats.html', formats],
    ['api-batch.html', batch],
  ])('%s has everything that can be imported', (page, module) => {
    const html = read(page);
    for (const name of Object.keys(module)) expect(html, name).toContain(`id="${name}"`);
  });

  test('every export says what it is, and so does every member', async () => {
    const { listExports } = await import(join(ROOT, 'scripts/docs/declarations.mjs'));
    const parts = ['core', 'terms', 'solvers', 'geometry'].map((name) => `engine/dist/${name}.d.ts`);
    const silent = [...parts, 'formats/dist/index.d.ts', 'batch/dist/index.d.ts'].flatMap((entry) =>
      (listExports(join(ROOT, 'packages', entry)) as Export[]).flatMap(({ name, doc, members }) => [
        ...(doc ? [] : [name]),
        // kinds and constructors say it by their type; members of batches have the table of their page
        ...(name === 'ShapeKinds' ? [] : members)
          .filter((member) => !member.doc && !/^(kind|constructor)$/.test(member.name) && !entry.startsWith('batch'))
          .map((member) => `${name}.${member.name}`),
      ]),
    );
    expect(silent).toEqual([]);
  });

  test('types too: what core.ts names is there', () => {
    const html = read('api-engine.html');
    const names = [...readText('packages/engine/src/core.ts').matchAll(/\{([^}]*)\}/g)].flatMap((match) =>
      match[1]!.split(',').map((name) => name.trim().replace(/^type /, '')),
    );
    for (const name of names.filter(Boolean)) expect(html, name).toContain(`id="${name}"`);
    expect(html).toContain('Advances by <code>count</code> steps.');
  });

  test('declarations are read as they are written', async () => {
    const { splitStatements } = await import(join(ROOT, 'scripts/docs/declarations.mjs'));
    const source = `/** Of the file. */
import { A } from './a.ts';
/** What it is;
 *  and more. */
export declare function f(a: { b: number; c(): void }, d?: ';' | '{'): Promise<void>;
export interface G<T extends { x: 1 }> {
    /** First; of two. */
    readonly a: string;
    b(c: () => void): void;
}
export type H = {
    k: 1;
} | { k: 2 };
export {};`;
    const statements: Statement[] = splitStatements(source);
    expect(statements.map(({ text }) => text.replace(/\s+/g, ' ').slice(0, 26))).toEqual([
      'export declare function f(',
      'export interface G<T exten',
      'export type H = { k: 1; } ',
    ]);
    expect(statements.map(({ doc }) => doc)).toEqual(['What it is;\n and more.', '', '']);
    const { listExports } = await import(join(ROOT, 'scripts/docs/declarations.mjs'));
    const exports: Export[] = listExports(join(ROOT, 'packages/engine/dist/core.d.ts'));
    const simulation = exports.find(({ name }) => name === 'Simulation')!;
    expect(simulation.kind).toBe('class');
    expect(simulation.members.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['model', 'step', 'reset', 'snapshot', 'time', 'energy']),
    );
    expect(simulation.members.find(({ name }) => name === 'reset')).toMatchObject({
      text: 'reset(keyframe?: string | number | null): void',
      doc: expect.stringContaining('Back to a keyframe'),
    });
  });
});
