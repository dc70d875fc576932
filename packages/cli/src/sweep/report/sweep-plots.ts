/** Drawings of a report: responses over an axis, maps of two axes, parallel coordinates. */
import { type Axis, createLinearAxis, createLogAxis, createNamedAxis } from '../../compare/report/plot-axis.ts';
import { escapeText, formatPixel as px } from '../../compare/report/svg-text.ts';
import { formatNumber } from '../../run/summary.ts';
import { findRange, listSound, type ReportData } from './sweep-data.ts';

const WIDTH = 360;
const HEIGHT = 240;
const LEFT = 58;
/** Half of the number at the right end is beside the drawing. */
const RIGHT = 22;
const TOP = 10;
const BOTTOM = 34;
/** Points and lines of a drawing, at most: more cannot be told apart. */
const MOST_POINTS = 3000;
const MOST_LINES = 600;
/** Ticks of names, and values on an axis of a map. */
const MOST_TICKS = 6;
const LONGEST_NAME = 10;
/** Ratio of largest to smallest from which an axis has powers of ten. */
const LOG_RATIO = 30;
/** Viridis: even in lightness, readable with red-green colour blindness. */
const SCALE = ['#440154', '#414487', '#2a788e', '#22a884', '#7ad151', '#fde725'];

/** Colours, and kinds of lines for the groups after them. */
const COLORS = 6;
const DASHES = 3;

/** Classes of the lines, dots and keys of a group. */
export function styleGroup(n: number): string {
  return `c${n % COLORS} d${Math.floor(n / COLORS) % DASHES}`;
}

/** A measure over an axis: a dot for each run, and the mean of each group where values of the axis repeat. */
export function drawResponse(data: ReportData, axis: string, measure: string): string {
  const runs = listSound(data, [measure]);
  const [across, up] = [data.values[axis]!, data.values[measure]!];
  const x = spanInput(data, axis, runs);
  const y = spanAxis(findRange(up, runs));
  const parts = [drawFrame(x, y, axis)];
  for (const run of thin(runs, MOST_POINTS)) {
    const n = data.group[run]!;
    const [cx, cy] = [placeX(x, across[run]!), placeY(y, up[run]!)];
    parts.push(
      `<circle class="dot ${styleGroup(n)}" opacity="0.35" cx="${px(cx)}" cy="${px(cy)}" r="${2 + widen(data, n)}"/>`,
    );
  }
  for (const n of data.groups.keys()) {
    const own = runs.filter((run) => data.group[run] === n);
    const means = averageBy(own, across, up, Math.min(own.length / 2, MOST_POINTS));
    if (means.length < 2) continue;
    const points = means.map(([a, b]) => `${px(placeX(x, a))},${px(placeY(y, b))}`).join(' ');
    parts.push(
      `<polyline class="line ${styleGroup(n)}" style="stroke-width:${1.6 + 2 * widen(data, n)}" points="${points}"/>`,
    );
  }
  return wrap(parts, `${measure} over ${axis}`);
}

/** Groups that are drawn first are wider: where several have the same numbers each of them still shows. */
function widen({ groups }: ReportData, n: number): number {
  return groups.length <= 5 ? groups.length - 1 - n : 0;
}

/** Mean of a measure over two axes with a grid, for the runs of one group. */
export function drawHeatMap(
  data: ReportData,
  [first, second]: readonly [string, string],
  measure: string,
  group: number,
): string {
  const columns = data.grids.get(second)!;
  const lines = data.grids.get(first)!;
  const sums = new Map<string, { sum: number; count: number }>();
  const runs = listSound(data, [measure]);
  const [down, across, value] = [data.values[first]!, data.values[second]!, data.values[measure]!];
  for (const run of runs) {
    if (data.group[run] !== group) continue;
    const key = `${lines.indexOf(down[run]!)} ${columns.indexOf(across[run]!)}`;
    const cell = sums.get(key) ?? { sum: 0, count: 0 };
    sums.set(key, { sum: cell.sum + value[run]!, count: cell.count + 1 });
  }
  const [low, high] = findRange(value, runs);
  const width = (WIDTH - LEFT - RIGHT) / columns.length;
  const height = (HEIGHT - TOP - BOTTOM) / lines.length;
  const parts: string[] = [];
  for (const [key, { sum, count }] of sums) {
    const [line, column] = key.split(' ').map(Number) as [number, number];
    const mean = sum / count;
    const x = LEFT + column * width;
    const y = HEIGHT - BOTTOM - (line + 1) * height;
    const at = (axis: string, place: number): string => data.labels.get(axis)?.[place] ?? formatNumber(place);
    const title = `${first} ${at(first, lines[line]!)}, ${second} ${at(second, columns[column]!)}: ${formatNumber(mean)}`;
    parts.push(
      `<rect x="${px(x)}" y="${px(y)}" width="${px(width + 0.1)}" height="${px(height + 0.1)}" fill="${chooseColor(mean, low, high)}"><title>${escapeText(title)}</title></rect>`,
    );
  }
  for (const [n, label] of pickTicks(data, second)) {
    parts.push(drawText(LEFT + (n + 0.5) * width, HEIGHT - BOTTOM + 14, 'middle', label));
  }
  for (const [n, label] of pickTicks(data, first)) {
    parts.push(drawText(LEFT - 6, HEIGHT - BOTTOM - (n + 0.5) * height + 4, 'end', label));
  }
  parts.push(drawText((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, 'middle', second));
  parts.push(
    `<text x="12" y="${px((TOP + HEIGHT - BOTTOM) / 2)}" text-anchor="middle" transform="rotate(-90 12 ${px((TOP + HEIGHT - BOTTOM) / 2)})">${escapeText(first)}</text>`,
  );
  return wrap(parts, `${measure} over ${second} and ${first}`);
}

/** The colours of a map from least to most. */
export function drawScale(low: number, high: number): string {
  const stops = SCALE.map((color, n) => `${color} ${(100 * n) / (SCALE.length - 1)}%`).join(', ');
  return `<span class="faint">${formatNumber(low)} <span style="display:inline-block;width:120px;height:10px;vertical-align:middle;background:linear-gradient(90deg, ${stops})"></span> ${formatNumber(high)}</span>`;
}

/** A line for each run over all axes and measures, coloured by one of them. */
export function drawParallel(data: ReportData, columns: readonly string[], colored: string): string {
  const width = Math.max(720, 110 * columns.length);
  const runs = listSound(data, columns);
  const axes = columns.map((name) => spanInput(data, name, runs));
  const place = (n: number): number => 60 + (n * (width - 120)) / Math.max(1, columns.length - 1);
  const down = (axis: Axis, value: number): number => 230 - 190 * axis.place(value);
  const shade = data.values[colored]!;
  const [low, high] = findRange(shade, runs);
  const parts: string[] = [];
  for (const run of thin(runs, MOST_LINES)) {
    const points = columns
      .map((name, n) => `${px(place(n))},${px(down(axes[n]!, data.values[name]![run]!))}`)
      .join(' ');
    const color = chooseColor(shade[run]!, low, high);
    parts.push(
      `<polyline fill="none" stroke="${color}" stroke-opacity="0.5" points="${points}"><title>run ${run}</title></polyline>`,
    );
  }
  for (const [n, name] of columns.entries()) {
    const x = place(n);
    parts.push(`<line class="grid" x1="${px(x)}" x2="${px(x)}" y1="40" y2="230"/>`, drawText(x, 22, 'middle', name));
    // lines pass behind the numbers
    for (const { value, label } of axes[n]!.ticks)
      parts.push(`<g class="halo">${drawText(x - 4, down(axes[n]!, value) + 4, 'end', label)}</g>`);
  }
  // many axes are scrolled, not made smaller
  return `<svg viewBox="0 0 ${width} 250" style="min-width:${width}px" role="img" aria-label="parallel coordinates">${parts.join('')}</svg>`;
}

function drawFrame(x: Axis, y: Axis, name: string): string {
  const parts: string[] = [];
  for (const { value, label } of x.ticks) {
    const at = placeX(x, value);
    parts.push(`<line class="grid" x1="${px(at)}" x2="${px(at)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/>`);
    parts.push(drawText(at, HEIGHT - BOTTOM + 14, 'middle', label));
  }
  for (const { value, label } of y.ticks) {
    const at = placeY(y, value);
    parts.push(`<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${px(at)}" y2="${px(at)}"/>`);
    parts.push(drawText(LEFT - 6, at + 4, 'end', label));
  }
  parts.push(drawText((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4, 'middle', name));
  return parts.join('');
}

function wrap(parts: readonly string[], label: string): string {
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeText(label)}">${parts.join('')}</svg>`;
}

function drawText(x: number, y: number, anchor: string, text: string): string {
  return `<text x="${px(x)}" y="${px(y)}" text-anchor="${anchor}">${escapeText(text)}</text>`;
}

function spanAxis([least, most]: readonly [number, number]): Axis {
  if (least > most) return createLinearAxis(0, 1);
  // rounding below zero needs no room
  return createLinearAxis(least < 0 && -least < 1e-6 * most ? 0 : least, most);
}

/** The span of a column: names, powers of ten where an axis goes over more than one, else even steps. */
function spanInput(data: ReportData, name: string, runs: Uint32Array): Axis {
  const labels = data.labels.get(name);
  if (labels) return createNamedAxis(labels.map(shorten), MOST_TICKS);
  const range = findRange(data.values[name]!, runs);
  const [least, most] = range;
  return data.axes.includes(name) && least > 0 && most >= LOG_RATIO * least && most < Infinity
    ? createLogAxis(least, most)
    : spanAxis(range);
}

function placeX(axis: Axis, value: number): number {
  return LEFT + axis.place(value) * (WIDTH - LEFT - RIGHT);
}

function placeY(axis: Axis, value: number): number {
  return HEIGHT - BOTTOM - axis.place(value) * (HEIGHT - TOP - BOTTOM);
}

/** Mean of a measure for each value of an axis, in order; none where there are more than `most` values. */
function averageBy(runs: Uint32Array, axis: Float64Array, measure: Float64Array, most: number): [number, number][] {
  const sums = new Map<number, { sum: number; count: number }>();
  for (const run of runs) {
    const known = sums.get(axis[run]!);
    if (known) {
      known.sum += measure[run]!;
      known.count++;
    } else if (sums.size < most) sums.set(axis[run]!, { sum: measure[run]!, count: 1 });
    else return [];
  }
  return [...sums].map(([value, { sum, count }]): [number, number] => [value, sum / count]).sort(([a], [b]) => a - b);
}

/** At most so many of a list, evenly. */
function thin(list: Uint32Array, most: number): Uint32Array {
  const every = Math.max(1, Math.ceil(list.length / most));
  return list.filter((_, n) => n % every === 0);
}

/** Some of the values on an axis of a map, with their places. */
function pickTicks({ grids, labels }: ReportData, axis: string): [number, string][] {
  const values = grids.get(axis)!;
  const names = labels.get(axis);
  const every = Math.ceil(values.length / MOST_TICKS);
  const name = (value: number): string => (names ? shorten(names[value]!) : String(Number(value.toPrecision(3))));
  return values.map((value, n): [number, string] => [n, name(value)]).filter(([n]) => n % every === 0);
}

/** Names that are too long for a tick. */
function shorten(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

function chooseColor(value: number, low: number, high: number): string {
  const share = high > low ? (value - low) / (high - low) : 0.5;
  const place = Math.min(1, Math.max(0, share)) * (SCALE.length - 1);
  const n = Math.min(SCALE.length - 2, Math.floor(place));
  const mix = (k: number): string => {
    const at = (color: string): number => Number.parseInt(color.slice(1 + 2 * k, 3 + 2 * k), 16);
    const part = Math.round(at(SCALE[n]!) + (place - n) * (at(SCALE[n + 1]!) - at(SCALE[n]!)));
    return part.toString(16).padStart(2, '0');
  };
  return `#${mix(0)}${mix(1)}${mix(2)}`;
}
