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
import { checkOutputFile, type OutputFileOptions, writeOutputFile } from './output-file.ts';

const PAGE: OutputFileOptions = { option: '--write', mark: /^# Page/ };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('output file', () => {
  test('is written whole, over what the command wrote before', () => {
    const file = join(folder, 'one.md');
    checkOutputFile(file, PAGE);
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(file, '# Page, longer');
    writeOutputFile(file, '# Page', PAGE);
    expect(readFileSync(file, 'utf8')).toBe('# Page');
    expect(readdirSync(folder)).toEqual(['one.md']);
    // through a link, which stays one
    symlinkSync(file, join(folder, 'link.md'));
    writeOutputFile(join(folder, 'link.md'), 'new', PAGE);
    expect(readFileSync(file, 'utf8')).toBe('new');
    expect(lstatSync(join(folder, 'link.md')).isSymbolicLink()).toBe(true);
  });

  test('a file of the user is refused, and replaced only by force', () => {
    const file = join(folder, 'thesis.md');
    writeFileSync(file, '# Thesis');
    for (const write of [
      checkOutputFile,
      (name: string, options: OutputFileOptions) => writeOutputFile(name, '', options),
    ])
      expect(() => write(file, PAGE)).toThrow(/thesis.md' is there already.*move the file/s);
    expect(readFileSync(file, 'utf8')).toBe('# Thesis');
    expect(readdirSync(folder)).toEqual(['thesis.md']);
    writeOutputFile(file, '# Page', { ...PAGE, force: true });
    expect(readFileSync(file, 'utf8')).toBe('# Page');
  });

  test.skipIf(!existsSync('/dev/null'))('devices are written to, not replaced', () => {
    writeOutputFile('/dev/null', 'text', PAGE);
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
      expect(() => checkOutputFile(join(folder, name), { option: '--report' })).toThrow(reason);
    expect(() => writeOutputFile(join(folder, 'taken'), 'text', { option: '--report' })).toThrow(
      /taken' cannot be written/,
    );
    expect(readdirSync(folder).sort()).toEqual(['file', 'taken']);
  });
});
