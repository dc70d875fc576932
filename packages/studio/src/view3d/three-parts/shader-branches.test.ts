import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { dropUnusedBranches } from './shader-branches.ts';

const lines = (...text: string[]): string => text.join('\n');

test('branches that are never taken go, with all in them; the others stay', () => {
  expect(
    dropUnusedBranches(
      lines('a', '#ifdef USE_SHEEN', 'b', '#ifdef USE_MAP', 'c', '#endif', '#else', 'd', '#endif', 'e'),
    ),
  ).toBe(lines('a', 'd', 'e'));
  expect(dropUnusedBranches(lines('#ifndef USE_FOG', 'a', '#endif'))).toBe('a');
  expect(
    dropUnusedBranches(lines('#ifdef USE_MAP', 'a', '#elif defined( USE_SHEEN )', 'b', '#else', 'c', '#endif')),
  ).toBe(lines('#ifdef USE_MAP', 'a', '#else', 'c', '#endif'));
  expect(
    dropUnusedBranches(lines('#ifdef USE_SHEEN', 'a', '#elif defined( USE_MAP )', 'b', '#else', 'c', '#endif')),
  ).toBe(lines('#if defined( USE_MAP )', 'b', '#else', 'c', '#endif'));
});

test('conditions are judged with and, or, not and numbers that stay zero', () => {
  const isKept = (condition: string): string => dropUnusedBranches(lines(`#if ${condition}`, 'a', '#endif'));
  expect(isKept('defined( USE_SHEEN ) || ( NUM_SUN_LIGHTS > 0 && defined( USE_MAP ) )')).toBe('');
  expect(isKept('! defined ( USE_FOG ) && ( defined( USE_MAP ) || ! defined( IOR ) )')).toBe('a');
  for (const open of [
    'defined( USE_MAP ) && ! defined( USE_FOG )',
    'NUM_DIR_LIGHTS > 0',
    'NUM_SUN_LIGHTS < 1',
    'VERSION == 300',
  ])
    expect(isKept(open)).toBe(lines(`#if ${open}`, 'a', '#endif'));
});

test('what is left of every shader text of three has an end for each condition', () => {
  const three = dirname(fileURLToPath(import.meta.resolve('three')));
  const folder = join(three, '../src/renderers/shaders/ShaderChunk');
  for (const name of readdirSync(folder)) {
    const text = dropUnusedBranches(readFileSync(join(folder, name), 'utf8'));
    const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
    expect({ name, ends: count(/^\s*#endif/gm) }).toEqual({ name, ends: count(/^\s*#if/gm) });
    expect(text).not.toMatch(/USE_(?:SHEEN|CLEARCOAT|IRIDESCENCE)\b(?! in)/);
  }
});
