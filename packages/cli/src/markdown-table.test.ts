import { expect, test } from 'vitest';
import { formatMarkdownTable } from './markdown-table.ts';

test('columns are aligned in the source and for the reader', () => {
  const rows = [
    ['chain10', '1.5'],
    ['x', '10.25'],
  ];
  expect(formatMarkdownTable(['scene', 'ms'], rows, (column) => column === 1)).toBe(
    ['| scene   |    ms |', '| ------- | ----: |', '| chain10 |   1.5 |', '| x       | 10.25 |', ''].join('\n'),
  );
});
