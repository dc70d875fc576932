import { chooseAxis, createLinearAxis, createLogAxis } from './plot-axis.ts';
import { escapeText, formatPixel } from './svg-text.ts';

/** One curve. */
export interface Line {
  name: string;
  /** Index of the colour of the page. */
  color: number;
  x: readonly number[];
  y: readonly number[];
}

export interface LinePlot {
  title: string;
  /** Of the vertical axis. */
  unit: string;
  xLabel: string;
  lines: readonly Line[];
  /** Powers of ten on both axes, with marks: for a study of few points. */
  isLogLog?: boolean;
}

const WIDTH = 460;
const HEIGHT = 230;
const EDGE = { left: 62, right: 12, top: 10, bottom: 34 };

/** A plot as inline SVG; colours are those of the page. */
export function drawLinePlot(plot: LinePlot): string {
  const { lines, isLogLog } = plot;
  const xs = lines.flatMap(({ x }) => x).filter(Number.isFinite);
  const ys = lines.flatMap(({ y }) => y).filter(Number.isFinite);
  const [least, most] = [xs.reduce((a, b) => Math.min(a, b), Infinity), xs.reduce((a, b) => Math.max(a, b), -Infinity)];
  const isEmpty = xs.length === 0;
  const xAxis = isEmpty
    ? createLinearAxis(0, 1)
    : isLogLog
      ? createLogAxis(least, most)
      : createLinearAxis(least, most);
  const positive = ys.filter((y) => y > 0);
  const yAxis =
    isLogLog && positive.length > 0 ? createLogAxis(Math.min(...positive), Math.max(...positive)) : chooseAxis(ys);
  const px = (x: number): number => EDGE.left + xAxis.place(x) * (WIDTH - EDGE.left - EDGE.right);
  const py = (y: number): number => HEIGHT - EDGE.bottom - yAxis.place(y) * (HEIGHT - EDGE.top - EDGE.bottom);
  const parts: string[] = [];
  for (const { value, label } of yAxis.ticks) {
    const y = formatPixel(py(value));
    parts.push(
      `<line class="grid" x1="${EDGE.left}" x2="${WIDTH - EDGE.right}" y1="${y}" y2="${y}"/>`,
      `<text x="${EDGE.left - 6}" y="${y}" text-anchor="end" dominant-baseline="middle">${label}</text>`,
    );
  }
  for (const { value, label } of xAxis.ticks) {
    const x = formatPixel(px(value));
    parts.push(
      `<line class="grid" x1="${x}" x2="${x}" y1="${EDGE.top}" y2="${HEIGHT - EDGE.bottom}"/>`,
      `<text x="${x}" y="${HEIGHT - EDGE.bottom + 14}" text-anchor="middle">${label}</text>`,
    );
  }
  parts.push(
    `<text x="${(WIDTH + EDGE.left) / 2}" y="${HEIGHT - 4}" text-anchor="middle">${escapeText(plot.xLabel)}</text>`,
    ...lines.map((line) => drawLine(line, px, py, isLogLog === true)),
  );
  const label = `${plot.title}, ${plot.unit}`;
  return `<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeText(label)}">${parts.join('')}</svg>`;
}

// pieces between numbers that are not there; a piece of one point is a dot
function drawLine(
  { name, color, x, y }: Line,
  px: (x: number) => number,
  py: (y: number) => number,
  hasMarks: boolean,
): string {
  const pieces: string[][] = [[]];
  const marks: string[] = [];
  y.forEach((value, k) => {
    if (!Number.isFinite(value)) {
      pieces.push([]);
      return;
    }
    const at = [formatPixel(px(x[k]!)), formatPixel(py(value))];
    pieces.at(-1)!.push(at.join(','));
    if (hasMarks) marks.push(`<circle class="dot c${color}" cx="${at[0]}" cy="${at[1]}" r="3.5"/>`);
  });
  const curves = pieces
    .filter((piece) => piece.length > 1)
    .map((piece) => `<polyline class="line c${color}" points="${piece.join(' ')}"/>`);
  return `<g><title>${escapeText(name)}</title>${curves.join('')}${marks.join('')}</g>`;
}
