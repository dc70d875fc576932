import { useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Studio } from '../studio.ts';
import { type ChartData, CurveChart, MARGIN } from './curve-chart.ts';

/** Time between two drawings of a plot, ms. */
const REFRESH = 80;

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
  data: () => ChartData;
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
export function paintPlot(props: TimePlotProps, width: number): HTMLCanvasElement {
  const chart = createChart(width, props);
  chart.draw(props.data(), width, { present: findPresent(props.studio) });
  return chart.canvas;
}

/** Curves over simulated time, for the whole run; all plots share a cursor. */
export function TimePlot(props: TimePlotProps): JSX.Element {
  // a chart keeps the curves and axes it was built with
  const labels = props.curves.map(({ label }) => label).join();
  return <Plot key={`${labels} ${props.isLogarithmic ?? false}`} {...props} />;
}

function Plot(props: TimePlotProps): JSX.Element {
  const { studio, title, height } = props;
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<CurveChart | undefined>(undefined);
  const area = useRef<HTMLDivElement>(null);
  const drawnAt = useRef(0);
  const theme = studio.theme.value;

  const draw = (): void => {
    // the element goes before the effects end
    const width = place.current?.clientWidth;
    const marks = { present: findPresent(studio), cursor: studio.hoverTime.peek() };
    if (width) chart.current?.draw(props.data(), width, marks);
  };
  // what is drawn on a change of size is what the plot shows by then
  const newest = useRef(draw);
  newest.current = draw;

  // build again when the theme changes: a chart keeps the colours it was built with
  useEffect(() => {
    const element = place.current!;
    chart.current = createChart(element.clientWidth, props);
    element.prepend(chart.current.canvas);
    draw();
    const resizing = new ResizeObserver(() => newest.current());
    resizing.observe(element);
    PLOTS_SHOWN.set(element, props);
    return () => {
      PLOTS_SHOWN.delete(element);
      resizing.disconnect();
      chart.current?.canvas.remove();
      chart.current = undefined;
    };
  }, [theme]);

  // the timeline and all plots show the time under the pointer
  useEffect(() => {
    const over = area.current!;
    over.addEventListener('mousemove', ({ offsetX }) => {
      studio.hoverTime.value = chart.current?.timeAt(offsetX);
    });
    over.addEventListener('mouseleave', () => {
      studio.hoverTime.value = undefined;
    });
    over.addEventListener('click', () => {
      const time = studio.hoverTime.value;
      if (time !== undefined) studio.seekTime(time);
    });
  }, []);

  useSignalEffect(() => {
    void studio.historyVersion.value;
    const now = performance.now();
    if (studio.playing.value && now - drawnAt.current < REFRESH) return;
    drawnAt.current = now;
    draw();
  });
  useSignalEffect(() => {
    void studio.hoverTime.value;
    draw();
  });

  return (
    <div class="plot" style={{ height: `${height}px` }} ref={place} title={title} data-plot={props.name ?? title}>
      <div
        class="plot-area"
        style={{ inset: `${MARGIN.top}px ${MARGIN.right}px ${MARGIN.bottom}px ${MARGIN.left}px` }}
        ref={area}
      />
    </div>
  );
}

function createChart(width: number, props: TimePlotProps): CurveChart {
  const { height, curves, range, ticks, formatTick, isLogarithmic = false } = props;
  return new CurveChart({
    width,
    height,
    range,
    ticks,
    formatTick,
    isLogarithmic,
    colors: {
      text: readColor('--muted'),
      grid: readColor('--line'),
      present: readColor('--accent'),
      cursor: readColor('--muted'),
    },
    curves: curves.map(({ color, width: thickness = 1.5, dash = [], dots = false }) => ({
      color: readColor(color),
      width: thickness,
      dash,
      dots,
    })),
  });
}

/** The time at which the run stands, while it stands in the past. */
function findPresent({ frame }: Studio): number | undefined {
  const { time, step, timeline } = frame.peek() ?? {};
  return step !== undefined && timeline && step < timeline.lastStep ? time : undefined;
}

/** A colour of the style sheet. */
function readColor(name: string): string {
  return resolveColor(getComputedStyle(document.documentElement).getPropertyValue(name));
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
