/** Where the panes of the view lie: one, two or three side by side, four in a square, or in a row where the view is low. */

/** A rectangle in parts of the whole, from the left upper corner. */
export interface PaneRect {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Width by height from which on four panes lie in a row: on a phone on its side, and in banners. */
const LOW_ASPECT = 2.4;

export function layoutPanes(count: number, aspect: number): PaneRect[] {
  const columns = count === 4 && aspect < LOW_ASPECT ? 2 : Math.max(1, count);
  const rows = Math.max(1, Math.ceil(count / columns));
  return Array.from({ length: count }, (_, i) => ({
    left: (i % columns) / columns,
    top: Math.floor(i / columns) / rows,
    width: 1 / columns,
    height: 1 / rows,
  }));
}
