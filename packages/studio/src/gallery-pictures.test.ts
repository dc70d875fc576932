import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const pictures = fileURLToPath(new URL('../public/pictures/', import.meta.url));
const scenes = fileURLToPath(new URL('../../../scenes/', import.meta.url));
const ids = readdirSync(scenes)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));

test('pictures of the gallery are those of its scenes: else run scripts/gallery-pictures.mjs with the names that differ', () => {
  const taken = JSON.parse(readFileSync(`${pictures}scenes.json`, 'utf8')) as Record<string, string>;
  const now = ids.map((id) => {
    const text = readFileSync(`${scenes}${id}.json`, 'utf8');
    return [id, createHash('sha256').update(text).digest('hex').slice(0, 16)];
  });
  expect(taken).toEqual(Object.fromEntries(now));
});

test.each(['dark', 'light'])('every scene has a %s picture of a few kilobytes', (theme) => {
  for (const id of ids) {
    const file = `${pictures}${theme}/${id}.webp`;
    expect(existsSync(file), file).toBe(true);
    // a picture of nothing but ground has less
    expect(statSync(file).size, file).toBeGreaterThan(3000);
    expect(statSync(file).size, file).toBeLessThan(60_000);
  }
});
