/** The page of the ruler says what the code measures: every metric with its name, unit, formula and meaning. */
import { readFileSync } from 'node:fs';
import { METRIC_NAMES, METRICS } from '@nexdyn/engine';
import { expect, test } from 'vitest';

const page = readFileSync(new URL('../../docs/ruler.md', import.meta.url), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| '));

test.each(METRIC_NAMES)('%s', (name) => {
  const cells = rows
    .map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')))
    .find((row) => row[2] === `\`${name}\``);
  const { label, unit, formula, doc } = METRICS[name];
  expect(cells?.slice(1, 6)).toEqual([label, `\`${name}\``, unit, formula, doc]);
});
