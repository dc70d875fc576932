/** Where the panes of the view lie: one, two or three side by side, four in a square. */

/** A rectangle in parts of the whole, from the left upper corner. */
export interface PaneRect {
  left: number;
  top: number;
  width: number;
  height: number;
}

export function layoutPanes(count: number): PaneRect[] {
  const columns = count === 4 ? 2 : Math.max(1, count);
  const rows = Math.max(1, Math.ceil(count / columns));
  return Array.from({ length: count }, (_, i) => ({
    left: (i % columns) / columns,
    top: Math.floor(i / columns) / rows,
    width: 1 / columns,
    height: 1 / rows,
  }));
}
