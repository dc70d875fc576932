import { useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Studio } from '../studio.ts';

/** Time between two drawings of a plot, ms. */
const REFRESH = 80;
/** Width of the axis of values, pixels: curves of different plots stand under each other. */
const AXIS = 58;

export interface Curve {
  label: string;
  /** Name of a colour of the style sheet. */
  color: string;
  /** Pixels. Default: 1.5. */
  width?: number;
  /** Lengths of dashes and gaps, pixels. Default: a solid line. */
  dash?: readonly number[];
  /** Dots only, without a line. */
  dots?: boolean;
}

export interface TimePlotProps {
  studio: Studio;
  /** Hover text. */
  title: string;
  /** Pixels. */
  height: number;
  curves: readonly Curve[];
  /** Times first, then a column per curve. */
  data: () => uPlot.AlignedData;
  /** Ends of the axis of values, from the least and the largest value. */
  range: (min: number, max: number) => [number, number];
  /** Places of ticks between two ends; default: round numbers. */
  ticks?: (low: number, high: number) => number[];
  formatTick: (value: number) => string;
  isLogarithmic?: boolean;
  /** Mark by which the plot is found. */
  name?: string;
  /** What the plot is called in files that are saved. */
  label: string;
}

/** Plots that are on the page, by their element. */
export const PLOTS_SHOWN: Map<Element, TimePlotProps> = new Map();

/** A plot drawn anew beside the page, in the size of a picture. */
export async function paintPlot(props: TimePlotProps, width: number): Promise<HTMLCanvasElement> {
  const plot = new uPlot(plotOptions(width, props), props.data(), document.createElement('div'));
  // it draws at the end of the turn
  await new Promise((resolve) => setTimeout(resolve));
  const { canvas } = plot.ctx;
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  copy.getContext('2d')!.drawImage(canvas, 0, 0);
  plot.destroy();
  return copy;
}

/** Curves over simulated time, for the whole run; all plots share a cursor. */
export function TimePlot(props: TimePlotProps): JSX.Element {
  // uPlot keeps the curves and axes it was built with
  const labels = props.curves.map(({ label }) => label).join();
  return <Plot key={`${labels} ${props.isLogarithmic ?? false}`} {...props} />;
}

function Plot(props: TimePlotProps): JSX.Element {
  const { studio, title, height } = props;
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const drawnAt = useRef(0);
  const theme = studio.theme.value;

  // build again when the theme changes: uPlot keeps the colours it was built with
  useEffect(() => {
    const element = place.current!;
    plot.current = new uPlot(plotOptions(element.clientWidth, props), props.data(), element);
    const seek = (): void => {
      const time = studio.hoverTime.value;
      if (time !== undefined) studio.seekTime(time);
    };
    plot.current.over.addEventListener('click', seek);
    const resizing = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    resizing.observe(element);
    PLOTS_SHOWN.set(element, props);
    return () => {
      PLOTS_SHOWN.delete(element);
      resizing.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [theme]);

  useSignalEffect(() => {
    void studio.historyVersion.value;
    const now = performance.now();
    if (studio.playing.value && now - drawnAt.current < REFRESH) return;
    drawnAt.current = now;
    plot.current?.setData(props.data());
  });

  return (
    <div class="plot" style={{ height: `${height}px` }} ref={place} title={title} data-plot={props.name ?? title} />
  );
}

function plotOptions(width: number, props: TimePlotProps): uPlot.Options {
  const { height, curves, range, ticks, formatTick, isLogarithmic } = props;
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => resolveColor(style.getPropertyValue(name));
  const axis: uPlot.Axis = {
    stroke: color('--muted'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
    labelFont: '11px system-ui, sans-serif',
  };
  return {
    width,
    height,
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, sync: { key: 'run' } },
    hooks: {
      // the timeline shows the time under the pointer, and plots the time at which the run stands
      setCursor: [
        ({ cursor: { left, event }, posToVal }) => {
          if (event) props.studio.hoverTime.value = left !== undefined && left >= 0 ? posToVal(left, 'x') : undefined;
        },
      ],
      draw: [(plot) => markPresent(plot, props.studio, color('--accent'))],
    },
    scales: {
      x: { time: false, range: ({ data: [times] }) => timeRange(times) },
      y: { ...(isLogarithmic && { distr: 3, log: 10 }), range: (_, min, max) => range(min, max) },
    },
    axes: [
      { ...axis, size: 26, gap: 6, space: 60, values: (_, places) => places.map((place) => `${place} s`) },
      {
        ...axis,
        size: AXIS,
        space: 30,
        // all places are given: nothing is left out because it is no power of ten
        ...(ticks && { splits: (_plot, _axis, low, high) => ticks(low, high), filter: (_, places) => places }),
        values: (_, places) => places.map(formatTick),
      },
    ],
    series: [{}, ...curves.map((curve) => describeSeries(curve, color(curve.color)))],
  };
}

function describeSeries({ label, width = 1.5, dots = false, dash }: Curve, stroke: string): uPlot.Series {
  if (!dots)
    return { label, stroke, width, points: { show: false }, spanGaps: false, ...(dash && { dash: [...dash] }) };
  return { label, paths: () => null, points: { show: true, size: 6, fill: stroke, stroke, space: 0 } };
}

/** A line where the run stands, while it stands in the past. */
function markPresent({ ctx, bbox, valToPos }: uPlot, { frame }: Studio, color: string): void {
  const { time, step, timeline } = frame.peek() ?? {};
  if (time === undefined || step === undefined || !timeline || step >= timeline.lastStep) return;
  const x = Math.round(valToPos(time, 'x', true)) + 0.5;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

/** The whole run, and at least a second. */
function timeRange(times: ArrayLike<number>): [number, number] {
  const first = times[0] ?? 0;
  return [first, Math.max(times[times.length - 1] ?? 0, first + 1)];
}

/** A canvas does not know `light-dark()`: let an element work it out. */
export function resolveColor(value: string): string {
  const probe = document.createElement('span');
  probe.style.color = value;
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}
