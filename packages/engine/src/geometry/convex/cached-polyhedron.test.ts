import { expect, test } from 'vitest';
import { createRandom } from '../../testing/forest.ts';
import { buildPolyhedron } from './build-polyhedron.ts';
import { buildCachedPolyhedron, type ContentCache, decodePolyhedron, encodePolyhedron } from './cached-polyhedron.ts';

/** Points in a ball, and a cube with points on its sides: flat faces. */
function createPoints(count: number): Float64Array {
  const random = createRandom(count);
  const ball = Array.from({ length: 3 * count }, () => random() - 0.5);
  const cube = Array.from({ length: 8 }, (_, k) => [k & 1, (k >> 1) & 1, k >> 2]).flat();
  return Float64Array.from(count > 8 ? ball : [...cube, 0.5, 0.5, 0, 1, 0.5, 0.5]);
}

/** A cache in memory, with what was asked of it. */
function createCache(): ContentCache & { entries: Map<string, Uint8Array>; log: string[] } {
  const entries = new Map<string, Uint8Array>();
  const log: string[] = [];
  const name = (kind: string, content: Uint8Array): string => `${kind}:${content.join()}`;
  return {
    entries,
    log,
    read(kind, content) {
      const known = entries.get(name(kind, content));
      log.push(known ? 'hit' : 'miss');
      return known;
    },
    write(kind, content, result) {
      log.push('write');
      entries.set(name(kind, content), result);
    },
  };
}

test.each([8, 30, 200])('the hull of %i points from a cache is the hull', (count) => {
  const cache = createCache();
  const points = createPoints(count);
  const direct = buildPolyhedron(points, undefined, 'mesh');
  for (let k = 0; k < 2; k++) expect(buildCachedPolyhedron(points, 'mesh', {}, cache)).toEqual(direct);
  expect(cache.log).toEqual(['miss', 'write', 'hit']);
  // an entry may lie anywhere in a larger buffer
  const entry = encodePolyhedron(direct);
  const large = new Uint8Array(entry.length + 99);
  large.set(entry, 13);
  expect(decodePolyhedron(large.subarray(13, 13 + entry.length))).toEqual(direct);
  // the least change of a vertex is another mesh
  points[0] += 2 ** -40;
  buildCachedPolyhedron(points, 'mesh', {}, cache);
  expect(cache.log.slice(3)).toEqual(['miss', 'write']);
});

test('entries that are not whole are built anew', () => {
  const points = createPoints(30);
  const whole = encodePolyhedron(buildPolyhedron(points, undefined, 'mesh'));
  const change = (at: number, value: number): Uint8Array => {
    const bytes = whole.slice();
    bytes.fill(value, at, at + 4);
    return bytes;
  };
  const damaged = [
    new Uint8Array(0),
    whole.subarray(0, 31),
    whole.subarray(0, whole.length - 4),
    change(0, 255),
    change(12, 1),
    change(whole.length - 4, 120),
    change(36, 255),
  ];
  for (const entry of damaged) {
    expect(decodePolyhedron(entry)).toBeUndefined();
    const cache = createCache();
    const hull = buildCachedPolyhedron(points, 'mesh', {}, cache);
    for (const key of cache.entries.keys()) cache.entries.set(key, entry);
    expect(buildCachedPolyhedron(points, 'mesh', {}, cache)).toEqual(hull);
    expect(cache.log).toEqual(['miss', 'write', 'hit', 'write']);
  }
});

test('a mesh without a hull is refused each time', () => {
  const cache = createCache();
  const flat = Float64Array.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0]);
  for (let k = 0; k < 2; k++) expect(() => buildCachedPolyhedron(flat, 'mesh', {}, cache)).toThrow();
  expect(cache.entries.size).toBe(0);
});
