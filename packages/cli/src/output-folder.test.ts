import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkOutputFolder, writeOutputFolder } from './output-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-out-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('output folder', () => {
  test('is written with its parents, in the usual permissions', () => {
    writeOutputFolder(join(folder, 'a/b/out'), { 'one.txt': '1', 'two.bin': new Uint8Array([2]) });
    expect(readdirSync(join(folder, 'a/b'))).toEqual(['out']);
    expect(readFileSync(join(folder, 'a/b/out/one.txt'), 'utf8')).toBe('1');
    expect(statSync(join(folder, 'a/b/out')).mode & 0o777).toBe(0o777 & ~process.umask());
  });

  test('a long text is written in pieces', () => {
    const pieces = Array.from({ length: 3000 }, (_, i) => `${i} ${'é'.repeat(500)}\n`);
    writeOutputFolder(join(folder, 'out'), { 'long.csv': pieces });
    expect(readFileSync(join(folder, 'out/long.csv'), 'utf8')).toBe(pieces.join(''));
  });

  test('a seal is written last and knows the SHA-256 of the others', () => {
    const seal = { name: 'seal.json', write: (digests: object) => JSON.stringify(digests) };
    writeOutputFolder(join(folder, 'out'), { 'one.txt': 'abc', 'two.txt': ['a', 'bc'] }, {}, seal);
    // of 'abc', FIPS 180-2, B.1
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(JSON.parse(readFileSync(join(folder, 'out/seal.json'), 'utf8'))).toEqual({ 'one.txt': abc, 'two.txt': abc });
  });

  test('an empty folder is filled, one with files is left alone', () => {
    mkdirSync(join(folder, 'out'));
    writeOutputFolder(join(folder, 'out'), { 'one.txt': '1' });
    expect(() => writeOutputFolder(join(folder, 'out'), { 'two.txt': '2' })).toThrow(/not empty.*--force/);
    expect(readdirSync(folder)).toEqual(['out']);
    expect(readdirSync(join(folder, 'out'))).toEqual(['one.txt']);
  });

  test('force replaces the whole folder', () => {
    writeOutputFolder(join(folder, 'out'), { 'one.txt': '1' });
    writeOutputFolder(join(folder, 'out'), { 'two.txt': '2' }, { force: true });
    expect(readdirSync(folder)).toEqual(['out']);
    expect(readdirSync(join(folder, 'out'))).toEqual(['two.txt']);
  });

  test('a failure in the middle leaves nothing behind, and what was there stays', () => {
    writeOutputFolder(join(folder, 'out'), { 'one.txt': '1' });
    const files = { 'two.txt': '2', 'no/such/folder.txt': '3' };
    expect(() => writeOutputFolder(join(folder, 'new/out'), files)).toThrow(/cannot be written/);
    expect(() => writeOutputFolder(join(folder, 'out'), files, { force: true })).toThrow(/cannot be written/);
    expect(readdirSync(folder)).toEqual(['out']);
    expect(readdirSync(join(folder, 'out'))).toEqual(['one.txt']);
  });

  test('a file in the way is found before anything runs', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => checkOutputFolder(join(folder, 'file'))).toThrow(/is a file/);
    expect(() => checkOutputFolder(join(folder, 'file/out'))).toThrow(/not a folder/);
    expect(() => checkOutputFolder(join(folder, 'new/out'))).not.toThrow();
    expect(readdirSync(folder)).toEqual(['file']);
  });
});
