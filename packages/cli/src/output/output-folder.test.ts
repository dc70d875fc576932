import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatManifest } from './folder-owner.ts';
import { cleanLeftover, findLeftovers } from './leftovers.ts';
import { checkOutputFolder, type FileContent, type OutputFolderOptions, writeOutputFolder } from './output-folder.ts';
import { createPartialFolder, locateContent, markMoving } from './partial-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-out-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, files: Record<string, FileContent>, options: OutputFolderOptions = {}): string[] =>
  writeOutputFolder(join(folder, name), files, (digests) => formatManifest('nexdyn-test', digests), options);
const list = (name = '.'): string[] => readdirSync(join(folder, name)).sort();
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

describe('output folder', () => {
  test('is written with its parents, in the usual permissions', () => {
    write('a/b/out', { 'one.txt': '1', 'two.bin': new Uint8Array([2]) });
    expect(list('a/b')).toEqual(['out']);
    expect(list('a/b/out')).toEqual(['manifest.json', 'one.txt', 'two.bin']);
    expect(read('a/b/out/one.txt')).toBe('1');
    expect(statSync(join(folder, 'a/b/out')).mode & 0o777).toBe(0o777 & ~process.umask());
  });

  test('a long text is written in pieces', () => {
    const pieces = Array.from({ length: 3000 }, (_, i) => `${i} ${'é'.repeat(500)}\n`);
    write('out', { 'long.csv': pieces });
    expect(read('out/long.csv')).toBe(pieces.join(''));
  });

  test('the manifest knows the SHA-256 of the others', () => {
    write('out', { 'one.txt': 'abc', 'two.txt': ['a', 'bc'] });
    // of 'abc', FIPS 180-2, B.1
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(JSON.parse(read('out/manifest.json')).files).toEqual({ 'one.txt': abc, 'two.txt': abc });
  });

  test('an empty folder is filled, one with files is left alone', () => {
    mkdirSync(join(folder, 'out'));
    write('out', { 'one.txt': '1' });
    expect(() => write('out', { 'two.txt': '2' })).toThrow(/not empty.*--force/);
    expect(list()).toEqual(['out']);
    expect(list('out')).toEqual(['manifest.json', 'one.txt']);
  });

  test('force replaces what NexDyn wrote and keeps everything else', () => {
    write('out', { 'one.txt': '1', 'both.txt': 'old' });
    writeFileSync(join(folder, 'out/notes.txt'), 'mine');
    mkdirSync(join(folder, 'out/plots'));
    writeFileSync(join(folder, 'out/plots/one.txt'), 'mine');
    expect(write('out', { 'two.txt': '2', 'both.txt': 'new' }, { force: true })).toEqual(['notes.txt', 'plots']);
    expect(list()).toEqual(['out']);
    expect(list('out')).toEqual(['both.txt', 'manifest.json', 'notes.txt', 'plots', 'two.txt']);
    expect([read('out/both.txt'), read('out/notes.txt'), read('out/plots/one.txt')]).toEqual(['new', 'mine', 'mine']);
  });

  test('a folder that NexDyn did not write is never replaced', () => {
    mkdirSync(join(folder, 'mine'));
    writeFileSync(join(folder, 'mine/thesis.tex'), 'mine');
    const force = { force: true };
    expect(() => write('mine', { 'one.txt': '1' }, force)).toThrow(/was not written by NexDyn/);
    // a manifest of another program, or one that lists files elsewhere, gives no right
    for (const manifest of [
      '{"name":"app","files":{"thesis.tex":"x"}}',
      '{"format":"nexdyn-run"}',
      'null',
      '[1',
      '{"format":"nexdyn-run","files":[]}',
    ]) {
      writeFileSync(join(folder, 'mine/manifest.json'), manifest);
      try {
        write('mine', { 'thesis.tex': '1' }, force);
        expect.unreachable(manifest);
      } catch (error) {
        expect(String(error)).toMatch(/was not written by NexDyn|did not write/);
      }
    }
    const outside = { '../secret.txt': 'x', 'thesis.tex': 'x' };
    writeFileSync(join(folder, 'secret.txt'), 'mine');
    writeFileSync(join(folder, 'mine/manifest.json'), JSON.stringify({ format: 'nexdyn-run', files: outside }));
    expect(() => write('mine', { 'one.txt': '1' }, force)).toThrow(/changed after NexDyn wrote it/);
    expect([read('mine/thesis.tex'), read('secret.txt')]).toEqual(['mine', 'mine']);
    expect(list('mine')).toEqual(['manifest.json', 'thesis.tex']);
  });

  test('files that the user changed, or that are links, are not replaced', () => {
    write('out', { 'one.txt': '1', 'two.txt': '2' });
    writeFileSync(join(folder, 'out/one.txt'), 'edited');
    const again = (): string[] => write('out', { 'one.txt': '1' }, { force: true });
    expect(again).toThrow(/'one.txt', which was changed/);
    rmSync(join(folder, 'out/one.txt'));
    writeFileSync(join(folder, 'elsewhere.txt'), '1');
    symlinkSync(join(folder, 'elsewhere.txt'), join(folder, 'out/one.txt'));
    expect(again).toThrow(/'one.txt', which was changed/);
    expect(() => write('out', { 'three.txt': '1' }, { force: true })).toThrow(/changed/);
    expect(list('out')).toEqual(['manifest.json', 'one.txt', 'two.txt']);
    rmSync(join(folder, 'out/one.txt'));
    writeFileSync(join(folder, 'out/three.txt'), 'mine');
    expect(() => write('out', { 'three.txt': '1' }, { force: true })).toThrow(
      /'three.txt', which NexDyn did not write/,
    );
    expect(read('out/three.txt')).toBe('mine');
  });

  test('a link to a folder stays one', () => {
    write('real', { 'one.txt': '1' });
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    write('link', { 'one.txt': '2' }, { force: true });
    expect([read('real/one.txt'), read('link/one.txt')]).toEqual(['2', '2']);
    expect(list()).toEqual(['link', 'real']);
  });

  test('a failure in the middle leaves nothing behind, and what was there stays', () => {
    write('out', { 'one.txt': '1' });
    function* fail(): Generator<string> {
      yield 'x'.repeat(2 ** 21);
      throw new Error('disk full');
    }
    const failing = (): Record<string, FileContent> => ({ 'two.txt': '2', 'three.txt': fail() });
    expect(() => write('new/out', failing())).toThrow(/cannot be written/);
    expect(() => write('out', failing(), { force: true })).toThrow(/cannot be written/);
    expect(list()).toEqual(['out']);
    expect(list('out')).toEqual(['manifest.json', 'one.txt']);
  });

  test('a file in the way is found before anything runs', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => checkOutputFolder(join(folder, 'file'))).toThrow(/is a file/);
    expect(() => checkOutputFolder(join(folder, 'file/out'))).toThrow(/not a folder/);
    expect(() => checkOutputFolder(join(folder, 'new/out'))).not.toThrow();
    expect(list()).toEqual(['file']);
  });
});

describe('what a killed process left', () => {
  /** A partial folder as another process, which has ended, would have left it. */
  function leave(where: string, files: Record<string, string>, isMoving: boolean): string {
    const partial = createPartialFolder(join(folder, where), 'out', Object.keys(files));
    for (const [name, text] of Object.entries(files)) writeFileSync(locateContent(partial, name), text);
    if (isMoving) markMoving(partial, 'out', Object.keys(files));
    const marker = join(partial, 'nexdyn-partial.json');
    // no process has this number
    const text = readFileSync(marker, 'utf8').replace(/"pid": \d+/, '"pid": 2147483647');
    const left = `${partial}9`;
    mkdirSync(left);
    mkdirSync(join(left, 'content'));
    writeFileSync(join(left, 'nexdyn-partial.json'), text);
    for (const [name, content] of Object.entries(files)) writeFileSync(locateContent(left, name), content);
    rmSync(partial, { recursive: true });
    return left;
  }

  test('half a folder is found and removed; files of others in it are kept', () => {
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    leave('deep/er', { 'one.txt': '1' }, false);
    const withOther = leave('.', { 'one.txt': '1' }, false);
    writeFileSync(join(withOther, 'precious.txt'), 'mine');
    const { found } = findLeftovers(folder, 100);
    expect(found.map(({ bytes, isInUse, state }) => [bytes, isInUse, state])).toEqual([
      [1, false, 'writing'],
      [1, false, 'writing'],
    ]);
    expect(found.map(cleanLeftover)).toEqual(['it has files that NexDyn did not write', undefined]);
    expect(list('deep/er')).toEqual([]);
    expect(readFileSync(join(withOther, 'precious.txt'), 'utf8')).toBe('mine');
  });

  test('a folder that has no marker yet is found and removed, unless something is in it', () => {
    const bare = join(folder, '.out.nexdyn-partial-2147483647-2-3');
    mkdirSync(bare);
    writeFileSync(join(bare, 'nexdyn-partial.json.new'), '{ "form');
    const { found } = findLeftovers(folder, 100);
    expect(found).toMatchObject([{ target: 'out', isInUse: false, files: [] }]);
    expect(found.map(cleanLeftover)).toEqual([undefined]);
    expect(list()).toEqual([]);
  });

  test('folders that only look like it are none', () => {
    mkdirSync(join(folder, '.out.nexdyn-partial-1-2-3'));
    writeFileSync(join(folder, '.out.nexdyn-partial-1-2-3/one.txt'), 'mine');
    const outside = leave('.', { 'one.txt': '1' }, false);
    const marker = join(outside, 'nexdyn-partial.json');
    writeFileSync(marker, readFileSync(marker, 'utf8').replace('one.txt', '../../x'));
    expect(findLeftovers(folder, 100).found).toEqual([]);
  });

  test('files that were being moved are moved to the end', () => {
    write('out', { 'one.txt': 'old', 'gone.txt': 'old' });
    write('next', { 'one.txt': 'new', 'two.txt': 'new' });
    const next = { 'one.txt': 'new', 'two.txt': 'new', 'manifest.json': read('next/manifest.json') };
    const left = leave('out', next, true);
    // the first had been moved
    rmSync(locateContent(left, 'one.txt'));
    writeFileSync(join(folder, 'out/one.txt'), 'new');
    writeFileSync(join(folder, 'out/notes.txt'), 'mine');
    expect(findLeftovers(folder, 100).found.map(cleanLeftover)).toEqual([undefined]);
    expect(list('out')).toEqual(['manifest.json', 'notes.txt', 'one.txt', 'two.txt']);
    expect(read('out/manifest.json')).toBe(read('next/manifest.json'));
  });
});
