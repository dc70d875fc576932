import { expect, test } from 'vitest';
import { layoutPanes } from './pane-layout.ts';

test.each([1, 2, 3, 4])('%i panes cover the view and do not overlap', (count) => {
  const panes = layoutPanes(count);
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
