import { useComputed, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatQuantity } from '../quantity.ts';
import type { Studio } from '../studio.ts';

const HEIGHT = 190;
/** Time between two drawings of the plot, ms. */
const REFRESH = 80;

/** Series, in colours that are told apart by people who see red and green alike. */
const SERIES = [
  { key: 'kinetic', label: 'Kinetic', color: '--plot-kinetic', title: 'Energy of motion' },
  { key: 'potential', label: 'Potential', color: '--plot-potential', title: 'Energy of height and of springs' },
  { key: 'total', label: 'Total', color: '--plot-total', title: 'Kinetic and potential energy together' },
] as const;

/** Energies over simulated time, for the whole run. */
export function EnergyPlot({ studio }: { studio: Studio }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const drawnAt = useRef(0);
  const theme = studio.theme.value;

  // build again when the theme changes: uPlot keeps the colours it was built with
  useEffect(() => {
    const element = place.current!;
    plot.current = new uPlot(plotOptions(element.clientWidth), plotData(studio), element);
    const resizing = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }));
    resizing.observe(element);
    return () => {
      resizing.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [theme]);

  useSignalEffect(() => {
    void studio.energyVersion.value;
    const now = performance.now();
    if (studio.playing.value && now - drawnAt.current < REFRESH) return;
    drawnAt.current = now;
    plot.current?.setData(plotData(studio));
  });

  return (
    <section class="energy" aria-label="Energy">
      <h2>Energy</h2>
      <ul class="legend">
        {SERIES.map(({ key, label, color, title }) => (
          <li key={key} title={title}>
            <i style={{ background: `var(${color})` }} />
            <span>{label}</span>
            <EnergyValue studio={studio} series={key} />
          </li>
        ))}
      </ul>
      <div class="plot" ref={place} title="Energy in joules over simulated time in seconds" />
    </section>
  );
}

function EnergyValue({ studio, series }: { studio: Studio; series: 'kinetic' | 'potential' | 'total' }): JSX.Element {
  const text = useComputed(() => {
    const frame = studio.frame.value;
    if (!frame) return '–';
    return formatQuantity(series === 'total' ? frame.kinetic + frame.potential : frame[series], 'J');
  });
  return <output data-role={`energy-${series}`}>{text}</output>;
}

function plotData({ energy }: Studio): uPlot.AlignedData {
  return [energy.time, energy.kinetic, energy.potential, energy.total];
}

function plotOptions(width: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => resolveColor(style.getPropertyValue(name));
  const axis = {
    stroke: color('--muted'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
    labelFont: '11px system-ui, sans-serif',
  };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    padding: [8, 8, 0, 0],
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { time: false, range: ({ data: [times] }) => timeRange(times) },
      y: { range: (_, min, max) => energyRange(min, max) },
    },
    axes: [
      { ...axis, size: 26, gap: 6, space: 60, values: (_, ticks) => ticks.map((tick) => `${tick} s`) },
      { ...axis, size: 58, space: 36, values: (_, ticks) => ticks.map((tick) => formatTick(tick)) },
    ],
    series: [
      {},
      ...SERIES.map(({ label, color: name }) => ({
        label,
        stroke: color(name),
        width: label === 'Total' ? 2 : 1.5,
        points: { show: false },
      })),
    ],
  };
}

/** The whole run, and at least a second. */
function timeRange(times: ArrayLike<number>): [number, number] {
  const first = times[0] ?? 0;
  return [first, Math.max(times[times.length - 1] ?? 0, first + 1)];
}

/** Room around the curves; a flat curve stands in the middle of a joule. */
function energyRange(min: number, max: number): [number, number] {
  if (!(max > min)) return [(min ?? 0) - 0.5, (max ?? 0) + 0.5];
  const pad = 0.06 * (max - min);
  return [min - pad, max + pad];
}

/** Ticks are round numbers: as short as they can be. */
function formatTick(joules: number): string {
  const size = Math.abs(joules);
  if (size === 0) return '0 J';
  const { factor, unit } = TICK_UNITS.find(({ least }) => size >= least) ?? TICK_UNITS[3];
  return `${Number((joules / factor).toPrecision(5))} ${unit}`.replace('-', '−');
}

const TICK_UNITS = [
  { least: 1e6, factor: 1e6, unit: 'MJ' },
  { least: 1e3, factor: 1e3, unit: 'kJ' },
  { least: 0.01, factor: 1, unit: 'J' },
  { least: 0, factor: 1e-3, unit: 'mJ' },
] as const;

/** A canvas does not know `light-dark()`: let an element work it out. */
function resolveColor(value: string): string {
  const probe = document.createElement('span');
  probe.style.color = value;
  document.body.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
}
