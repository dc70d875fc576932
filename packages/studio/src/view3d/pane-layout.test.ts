import { expect, test } from 'vitest';
import { layoutPanes } from './pane-layout.ts';

test.each([
  [1, 1.5],
  [2, 1.5],
  [3, 1.5],
  [4, 1.5],
  [4, 4],
])('%i panes cover a view of aspect %d and do not overlap', (count, aspect) => {
  const panes = layoutPanes(count, aspect);
  expect(panes).toHaveLength(count);
  // every point of a fine grid lies in one pane
  for (let i = 0; i < 24; i++) {
    for (let j = 0; j < 24; j++) {
      const [x, y] = [(i + 0.5) / 24, (j + 0.5) / 24];
      const hits = panes.filter(
        ({ left, top, width, height }) => x >= left && x < left + width && y >= top && y < top + height,
      );
      expect(hits).toHaveLength(1);
    }
  }
});

test('four panes of a low view lie in a row, those of others in a square', () => {
  expect(layoutPanes(4, 844 / 206).map(({ width, height }) => [width, height])).toEqual(Array(4).fill([0.25, 1]));
  expect(layoutPanes(4, 390 / 345).map(({ width, height }) => [width, height])).toEqual(Array(4).fill([0.5, 0.5]));
});
