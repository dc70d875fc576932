/** The page of the ruler says what the code measures: every metric with its name, unit, formula and meaning. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRIC_NAMES, METRICS } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { ROOT } from '../repository/source-files.ts';

const { formatPlain } = (await import(join(ROOT, 'scripts/docs/formula.mjs'))) as { formatPlain(tex: string): string };
const page = readFileSync(join(ROOT, 'docs/ruler.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** A cell as plain text without spaces: formulas of the page and of the code are set apart differently. */
function compact(text: string): string {
  return text
    .replace(/\$([^$]*)\$/g, (_, tex: string) => formatPlain(tex))
    .replace(/\s/g, '')
    .normalize('NFC');
}

test.each(METRIC_NAMES)('%s', (name) => {
  const cells = rows.find((row) => row[2] === `\`${name}\``);
  const { label, unit, formula, doc } = METRICS[name];
  expect(cells?.slice(1, 6)).toEqual([label, `\`${name}\``, unit, expect.anything(), doc]);
  expect(compact(cells![4]!)).toBe(compact(formula));
});
