/**
 * Curves over time on a canvas: axes with round numbers, a grid, lines or dots, and a mark under the pointer. Where many samples share a
 * column of pixels, the first, the least, the largest and the last of them are drawn: the picture is the same as of all.
 */

/** Times first, then a column per curve; a missing value is a gap. */
export type ChartData = readonly [ArrayLike<number>, ...ArrayLike<number | null | undefined>[]];

export interface ChartCurve {
  color: string;
  /** Pixels. */
  width: number;
  dash: readonly number[];
  /** Dots only, without a line. */
  dots: boolean;
}

export interface ChartOptions {
  width: number;
  height: number;
  curves: readonly ChartCurve[];
  /** Ends of the axis of values, from the least and the largest value; from 0 and 0 where there are none. */
  range(min: number, max: number): [number, number];
  /** Places of ticks between two ends; default: round numbers. */
  ticks?: ((low: number, high: number) => number[]) | undefined;
  formatTick(value: number): string;
  isLogarithmic: boolean;
  colors: Readonly<Record<'text' | 'grid' | 'present' | 'cursor', string>>;
}

/** Times of vertical lines. */
export interface ChartMarks {
  /** Where the run stands. */
  present?: number | undefined;
  /** Under the pointer. */
  cursor?: number | undefined;
}

/** Room for the axes around the curves, pixels; curves of different plots stand under each other. */
export const MARGIN = { left: 58, right: 8, top: 8, bottom: 26 } as const;
/** Least distance of ticks, pixels. */
const SPACE = { x: 60, y: 30 } as const;
const FONT = '11px system-ui, sans-serif';
const DOT = 3;

interface Axis {
  low: number;
  high: number;
  /** Pixels of a value. */
  place(value: number): number;
}

export class CurveChart {
  readonly canvas: HTMLCanvasElement = document.createElement('canvas');
  readonly #options: ChartOptions;
  #width: number;
  #data: ChartData = [[]];
  #time: Axis = makeAxis(0, 1, 0, 1, false);

  constructor(options: ChartOptions) {
    this.#options = options;
    this.#width = options.width;
  }

  /** Time at a distance from the left edge of the curves, s. */
  timeAt(pixels: number): number {
    const { low, high } = this.#time;
    return low + ((high - low) * pixels) / Math.max(1, this.#width - MARGIN.left - MARGIN.right);
  }

  draw(data: ChartData, width: number, { present, cursor }: ChartMarks): void {
    this.#data = data;
    this.#width = width;
    const { height, isLogarithmic, range, colors } = this.#options;
    const context = this.#clear(width, height);
    const [times] = data;
    // the whole run, and at least a second
    const first = times[0] ?? 0;
    const last = Math.max(times[times.length - 1] ?? 0, first + 1);
    const [left, right, top, bottom] = [MARGIN.left, width - MARGIN.right, MARGIN.top, height - MARGIN.bottom];
    this.#time = makeAxis(first, last, left, right, false);
    const values = makeAxis(...range(...this.#findEnds()), bottom, top, isLogarithmic);
    this.#drawAxes(context, this.#time, values, [left, right, top, bottom]);
    context.save();
    context.beginPath();
    context.rect(left - 1, top - 1, right - left + 2, bottom - top + 2);
    context.clip();
    this.#options.curves.forEach((curve, i) => {
      const column = data[i + 1];
      if (column) drawCurve(context, curve, times, column, this.#time, values, isLogarithmic);
    });
    this.#drawMark(context, present, colors.present, []);
    this.#drawMark(context, cursor, colors.cursor, [4, 3]);
    context.restore();
  }

  #drawMark(context: CanvasRenderingContext2D, time: number | undefined, color: string, dash: number[]): void {
    if (time === undefined) return;
    context.strokeStyle = color;
    context.lineWidth = 1;
    context.setLineDash(dash);
    const x = Math.round(this.#time.place(time)) + 0.5;
    stroke(context, x, MARGIN.top, x, this.#options.height - MARGIN.bottom);
  }

  #clear(width: number, height: number): CanvasRenderingContext2D {
    const ratio = devicePixelRatio;
    const { canvas } = this;
    const [columns, rows] = [Math.round(width * ratio), Math.round(height * ratio)];
    const context = canvas.getContext('2d')!;
    if (canvas.width !== columns || canvas.height !== rows) {
      canvas.width = columns;
      canvas.height = rows;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
  }

  /** Least and largest value of all curves. */
  #findEnds(): [number, number] {
    let [min, max] = [Infinity, -Infinity];
    for (let c = 1; c < this.#data.length; c++) {
      const column = this.#data[c]!;
      for (let i = 0; i < column.length; i++) {
        const value = column[i];
        if (!isThere(value, this.#options.isLogarithmic)) continue;
        if (value < min) min = value;
        if (value > max) max = value;
      }
    }
    return min <= max ? [min, max] : [0, 0];
  }

  #drawAxes(context: CanvasRenderingContext2D, x: Axis, y: Axis, [left, right, top, bottom]: number[]): void {
    const { ticks, formatTick, colors } = this.#options;
    context.font = FONT;
    context.fillStyle = colors.text;
    context.strokeStyle = colors.grid;
    context.lineWidth = 1;
    context.setLineDash([]);
    context.textAlign = 'center';
    context.textBaseline = 'top';
    for (const time of listTicks(x.low, x.high, right! - left!, SPACE.x)) {
      const at = Math.round(x.place(time)) + 0.5;
      stroke(context, at, top!, at, bottom!);
      const label = `${time} s`;
      // the last one stays inside
      const rightmost = this.#width - context.measureText(label).width / 2;
      context.fillText(label, Math.min(at, rightmost), bottom! + 6);
    }
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    const values = ticks ? ticks(y.low, y.high) : listTicks(y.low, y.high, bottom! - top!, SPACE.y);
    const labels = labelTicks(values, formatTick);
    for (const [i, value] of values.entries()) {
      const at = Math.round(y.place(value)) + 0.5;
      stroke(context, left!, at, right!, at);
      // a label that is too wide becomes narrower
      context.fillText(labels[i]!, left! - 5, at, left! - 7);
    }
  }
}

/** Round numbers between two ends, at least `space` pixels from each other on an axis of some length. */
export function listTicks(low: number, high: number, length: number, space: number): number[] {
  const least = ((high - low) * space) / length;
  if (!(least > 0) || !Number.isFinite(least)) return [];
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * [1, 2, 2.5, 5, 10, 20].find((factor) => factor * power >= least * (1 - 1e-9))!;
  const ticks: number[] = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++)
    ticks.push(Number((n * step).toPrecision(12)));
  return ticks;
}

/** Numbers of ticks. Those that differ in digits which are not shown are written as what they are above the first. */
export function labelTicks(values: readonly number[], format: (value: number) => string): string[] {
  const labels = values.map(format);
  if (new Set(labels).size === labels.length) return labels;
  const first = values[0]!;
  return values.map((value, i) => (i === 0 ? labels[0]! : `+${format(Number((value - first).toPrecision(6)))}`));
}

function makeAxis(low: number, high: number, start: number, end: number, isLogarithmic: boolean): Axis {
  const scale = isLogarithmic ? Math.log10 : (value: number) => value;
  const [from, to] = [scale(low), scale(high)];
  return { low, high, place: (value) => start + ((scale(value) - from) / (to - from)) * (end - start) };
}

function isThere(value: number | null | undefined, isLogarithmic: boolean): value is number {
  return value !== null && value !== undefined && Number.isFinite(value) && !(isLogarithmic && value <= 0);
}

function drawCurve(
  context: CanvasRenderingContext2D,
  { color, width, dash, dots }: ChartCurve,
  times: ArrayLike<number>,
  values: ArrayLike<number | null | undefined>,
  x: Axis,
  y: Axis,
  isLogarithmic: boolean,
): void {
  if (dots) {
    context.fillStyle = color;
    for (let i = 0; i < times.length; i++) {
      const value = values[i];
      if (!isThere(value, isLogarithmic)) continue;
      context.beginPath();
      context.arc(x.place(times[i]!), y.place(value), DOT, 0, 2 * Math.PI);
      context.fill();
    }
    return;
  }
  context.strokeStyle = color;
  context.lineWidth = width;
  context.lineJoin = 'round';
  context.setLineDash([...dash]);
  context.beginPath();
  const pen = new Pen(context);
  for (let i = 0; i < times.length; i++) {
    const value = values[i];
    if (isThere(value, isLogarithmic)) pen.to(x.place(times[i]!), y.place(value));
    else pen.lift();
  }
  pen.lift();
  context.stroke();
}

/** Draws through points from left to right, at most four in a column of pixels. */
export class Pen {
  readonly #path: Pick<CanvasRenderingContext2D, 'moveTo' | 'lineTo'>;
  /** Points of the line so far. */
  #drawn = 0;
  #count = 0;
  #column = 0;
  readonly #last = { x: 0, y: 0 };
  readonly #low = { x: 0, y: 0 };
  readonly #high = { x: 0, y: 0 };

  constructor(path: Pick<CanvasRenderingContext2D, 'moveTo' | 'lineTo'>) {
    this.#path = path;
  }

  to(x: number, y: number): void {
    const column = Math.floor(x);
    if (this.#count > 0 && column === this.#column) {
      if (y < this.#low.y) set(this.#low, x, y);
      if (y > this.#high.y) set(this.#high, x, y);
    } else {
      this.#finishColumn();
      this.#draw(x, y);
      this.#column = column;
      set(this.#low, x, y);
      set(this.#high, x, y);
    }
    set(this.#last, x, y);
    this.#count++;
  }

  /** Ends the line: the next point begins another. A point with gaps on both sides is a dot. */
  lift(): void {
    this.#finishColumn();
    if (this.#drawn === 1) this.#path.lineTo(this.#last.x + 0.5, this.#last.y);
    this.#drawn = 0;
  }

  #finishColumn(): void {
    if (this.#count > 1) {
      const [a, b] = this.#low.x <= this.#high.x ? [this.#low, this.#high] : [this.#high, this.#low];
      for (const { x, y } of [a, b, this.#last]) this.#draw(x, y);
    }
    this.#count = 0;
  }

  #draw(x: number, y: number): void {
    if (this.#drawn > 0) this.#path.lineTo(x, y);
    else this.#path.moveTo(x, y);
    this.#drawn++;
  }
}

function set(point: { x: number; y: number }, x: number, y: number): void {
  point.x = x;
  point.y = y;
}

function stroke(context: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}
