import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NexdynError } from '@nexdyn/engine';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createNodeFiles, isInside } from './node-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-files-'));
  mkdirSync(join(folder, 'model/assets'), { recursive: true });
  writeFileSync(join(folder, 'model/assets/mesh.obj'), 'inside');
  writeFileSync(join(folder, 'secret.txt'), 'outside');
});
afterEach(() => rmSync(folder, { recursive: true }));

function readText(path: string, options = {}): string | undefined {
  const bytes = createNodeFiles(join(folder, 'model'), options).read(path);
  return bytes && new TextDecoder().decode(bytes);
}

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    return error instanceof NexdynError ? error.code : String(error);
  }
  return undefined;
}

describe('node files', () => {
  test('reads below the folder and knows what is not there', () => {
    expect(readText('assets/mesh.obj')).toBe('inside');
    expect(readText('assets/none.obj')).toBeUndefined();
    expect(readText('assets/mesh.obj/more')).toBeUndefined();
  });

  test('refuses files that are too large before it reads them', () => {
    const files = createNodeFiles(join(folder, 'model'));
    expect(codeOf(() => files.read('assets/mesh.obj', 5))).toBe('too-large');
    expect(files.read('assets/mesh.obj', 6)).toHaveLength(6);
  });

  test('refuses paths that leave the folder, unless allowed', () => {
    expect(codeOf(() => readText('../secret.txt'))).toBe('path-outside-folder');
    expect(codeOf(() => readText(join(folder, 'secret.txt')))).toBe('path-outside-folder');
    expect(readText('../secret.txt', { allowOutside: true })).toBe('outside');
  });

  test('refuses links that leave the folder, through a link to a folder too', () => {
    symlinkSync(join(folder, 'secret.txt'), join(folder, 'model/link.txt'));
    symlinkSync(folder, join(folder, 'model/up'));
    symlinkSync(join(folder, 'model/assets'), join(folder, 'model/near'));
    expect(codeOf(() => readText('link.txt'))).toBe('path-outside-folder');
    expect(codeOf(() => readText('up/secret.txt'))).toBe('path-outside-folder');
    expect(readText('near/mesh.obj')).toBe('inside');
    expect(readText('link.txt', { allowOutside: true })).toBe('outside');
  });

  test('a folder whose name begins like the root is outside', () => {
    mkdirSync(join(folder, 'model-two'));
    writeFileSync(join(folder, 'model-two/a.txt'), 'a');
    expect(codeOf(() => readText('../model-two/a.txt'))).toBe('path-outside-folder');
    expect(isInside('/a/b', '/a/b/..c')).toBe(true);
    expect(isInside('/a/b', '/a/bc')).toBe(false);
  });

  test('folders, loops of links and pipes are unreadable, not waited for', () => {
    symlinkSync('loop', join(folder, 'model/loop'));
    execFileSync('mkfifo', [join(folder, 'model/pipe')]);
    expect(codeOf(() => readText('assets'))).toBe('file-unreadable');
    expect(codeOf(() => readText('loop'))).toBe('file-unreadable');
    expect(codeOf(() => readText('pipe'))).toBe('file-unreadable');
  });
});
