import {
  existsSync,
  lstatSync,
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
import { checkOutputFile, writeOutputFile } from './output-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('output file', () => {
  test('is written whole, over what was there', () => {
    const file = join(folder, 'one.md');
    checkOutputFile(file, '--write');
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(file, 'a longer text');
    writeOutputFile(file, 'short', '--write');
    expect(readFileSync(file, 'utf8')).toBe('short');
    expect(readdirSync(folder)).toEqual(['one.md']);
    // through a link, which stays one
    symlinkSync(file, join(folder, 'link.md'));
    writeOutputFile(join(folder, 'link.md'), 'new', '--write');
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(lstatSync(join(folder, 'link.md')).isSymbolicLink()).toBe(true);
  });

  test.skipIf(!existsSync('/dev/null'))('devices are written to, not replaced', () => {
    writeOutputFile('/dev/null', 'text', '--write');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('what cannot be written is refused before and named after', () => {
    mkdirSync(join(folder, 'taken'));
    writeFileSync(join(folder, 'file'), '');
    for (const [name, reason] of [
      ['taken', /is a folder.*another --report/s],
      ['none/one.html', /there is no folder '.*none'/],
      ['file/one.html', /there is no folder '.*file'/],
    ] as const)
      expect(() => checkOutputFile(join(folder, name), '--report')).toThrow(reason);
    expect(() => writeOutputFile(join(folder, 'taken'), 'text', '--report')).toThrow(/taken' cannot be written/);
    expect(readdirSync(folder).sort()).toEqual(['file', 'taken']);
  });
});
