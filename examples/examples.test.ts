import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';

const FOLDER = import.meta.dirname;
const NAMES = readdirSync(FOLDER).filter((name) => /^\d\d-.*\.ts$/.test(name));

/** What an example prints. */
async function runExample(name: string): Promise<string[]> {
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'log').mockImplementation((text) => void lines.push(...String(text).split('\n')));
  try {
    await import(join(FOLDER, name));
  } finally {
    spy.mockRestore();
  }
  return lines;
}

/** What each example must show. */
const EXPECTATIONS: Record<string, (lines: string[]) => void> = {
  '01-hello.ts': (lines) => {
    // a rod that falls from level swings down through pi/2; its start follows angle = 3 g t² / (4 l) within 10 %
    const angles = lines.map((line) => Number(/angle (-?[\d.]+) rad/.exec(line)?.[1]));
    expect(angles).toHaveLength(5);
    expect(angles[0]!).toBeGreaterThan(0.5);
    expect(angles.every((angle) => angle > 0 && angle < Math.PI + 0.01)).toBe(true);
  },
  '02-load-mjcf.ts': (lines) => {
    expect(lines[0]).toMatch(/^slider\.xml:6:\d+ .*/);
    expect(lines.at(-1)).toBe('after half a period: -1.00 m/s');
  },
  '03-snapshot.ts': (lines) => expect(lines).toEqual(['same hash']),
  '04-record.ts': (lines) => {
    const rows = lines.filter((line) => /^[\d.]/.test(line)).map((line) => line.split(',').map(Number));
    expect(rows).toHaveLength(11);
    // semi-implicit Euler falls g h² n (n + 1) / 2
    rows.forEach(([time, height], n) => {
      expect(time!).toBeCloseTo(0.01 * n, 12);
      expect(height!).toBeCloseTo(10 - (9.81 * 0.01 ** 2 * n * (n + 1)) / 2, 10);
    });
  },
  '05-errors.ts': (lines) => expect(lines[0]).toMatch(/^[a-z-]+ in robot\.xml, line 3: ./),
  '06-contacts.ts': (lines) => {
    const corners = lines.filter((line) => line.startsWith('floor and box'));
    expect(corners).toHaveLength(4);
    for (const line of corners) expect(line).toMatch(/ at -?0\.2000 -?0\.2000 -0\.0005: gap -1\.000 mm$/);
    // the crate ends at x = 0.2 and z = 0.399, the ball begins at z = 0.9
    expect(lines.slice(4)).toEqual([
      'ray: box after 1.800 m',
      'closest: 0.501 m, from height 0.399 to 0.900 m',
      'in the region: sphere',
    ]);
  },
};

describe('examples', () => {
  test('each has an expectation', () => {
    expect(NAMES).toEqual(Object.keys(EXPECTATIONS));
  });

  test.each(NAMES)('%s', async (name) => {
    EXPECTATIONS[name]!(await runExample(name));
  });

  test.each([
    ['01-hello.ts', 'README.md'],
    ['06-contacts.ts', 'docs/collision.md'],
  ])('%s is the one in %s', (name, page) => {
    const text = readFileSync(join(FOLDER, '..', page), 'utf8');
    expect(text).toContain(`\`\`\`ts\n${readFileSync(join(FOLDER, name), 'utf8')}\`\`\``);
  });
});
