import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileModel, NexdynError, type Scene } from '@nexdyn/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openCacheFolder } from './cache-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-cache-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

function listEntries(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: false }).filter((name) =>
    name.includes('/'),
  );
}

test('gives back what was written for a kind and a content, in another process too', () => {
  const cache = openCacheFolder(join(folder, 'deep', 'cache'));
  expect(cache.read('mesh', bytes(1, 2))).toBeUndefined();
  cache.write('mesh', bytes(1, 2), bytes(3, 4, 5));
  cache.write('mesh', bytes(1, 3), bytes());
  const again = openCacheFolder(join(folder, 'deep', 'cache'));
  expect([...again.read('mesh', bytes(1, 2))!]).toEqual([3, 4, 5]);
  expect([...again.read('mesh', bytes(1, 3))!]).toEqual([]);
  expect(again.read('hull', bytes(1, 2))).toBeUndefined();
});

test.each([
  ['shorter', (content: Buffer) => content.subarray(0, 34)],
  ['empty', () => Buffer.alloc(0)],
  ['changed', (content: Buffer) => content.fill(7, 40)],
])('an entry that is %s counts as none, and is written anew', (_, damage) => {
  const cache = openCacheFolder(folder);
  const result = new Uint8Array(100).fill(9);
  cache.write('mesh', bytes(1), result);
  const [entry] = listEntries();
  const file = join(folder, entry!);
  writeFileSync(file, damage(readFileSync(file)));
  expect(cache.read('mesh', bytes(1))).toBeUndefined();
  cache.write('mesh', bytes(1), result);
  expect([...cache.read('mesh', bytes(1))!]).toEqual([...result]);
  // no draft is left
  expect(listEntries()).toHaveLength(1);
});

test('hulls come from the folder the second time, and the model is the same', () => {
  const vertices = Array.from({ length: 90 }, (_, i) => Math.sin(7 * i * i));
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    meshes: [{ name: 'stone', vertices }],
    bodies: [{ name: 'a', joints: [{ kind: 'free' }], shapes: [{ kind: 'convexMesh', mesh: 'stone' }] }],
  };
  const cache = openCacheFolder(folder);
  let writes = 0;
  const write: typeof cache.write = (...entry) => {
    writes++;
    cache.write(...entry);
  };
  const counted = { ...cache, write };
  const direct = compileModel(scene);
  for (let k = 0; k < 2; k++) expect(compileModel(scene, {}, counted).geometry).toEqual(direct.geometry);
  expect(writes).toBe(1);
});

test('a file in place of the folder is refused', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => openCacheFolder(file)).toThrow(NexdynError);
});
