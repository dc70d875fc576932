import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { formatQuantity } from '../quantity.ts';
import type { Studio } from '../studio.ts';
import { type Curve, TimePlot } from './time-plot.tsx';

/** Series, in colours that are told apart by people who see red and green alike. */
const SERIES = [
  { key: 'kinetic', label: 'Kinetic', color: '--plot-kinetic', title: 'Energy of motion' },
  { key: 'potential', label: 'Potential', color: '--plot-potential', title: 'Energy of height and of springs' },
  { key: 'elastic', label: 'Elastic', color: '--plot-elastic', title: 'Energy of deformed soft bodies' },
  { key: 'total', label: 'Total', color: '--plot-total', title: 'All energies together', width: 2 },
] as const satisfies readonly (Curve & { key: string; title: string })[];

/** Energies over simulated time, for the whole run. */
export function EnergyPlot({ studio }: { studio: Studio }): JSX.Element {
  const { history } = studio;
  const shown = SERIES.filter(({ key }) => key !== 'elastic' || studio.scene.value?.facts.isSoft);
  return (
    <section class="energy" aria-label="Energy">
      <h2>Energy</h2>
      <ul class="legend">
        {shown.map(({ key, label, color, title }) => (
          <li key={key} title={title}>
            <i style={{ background: `var(${color})` }} />
            <span>{label}</span>
            <EnergyValue studio={studio} series={key} />
          </li>
        ))}
      </ul>
      <TimePlot
        studio={studio}
        title="Energy in joules over simulated time in seconds"
        height={170}
        name="energy"
        curves={shown}
        data={() => [history.time, ...shown.map(({ key }) => (key === 'total' ? history.total : history.columns[key]))]}
        range={energyRange}
        formatTick={formatTick}
      />
    </section>
  );
}

function EnergyValue({
  studio,
  series,
}: {
  studio: Studio;
  series: 'kinetic' | 'potential' | 'elastic' | 'total';
}): JSX.Element {
  const text = useComputed(() => {
    const frame = studio.frame.value;
    if (!frame) return '–';
    return formatQuantity(series === 'total' ? frame.kinetic + frame.potential + frame.elastic : frame[series], 'J');
  });
  return <output data-role={`energy-${series}`}>{text}</output>;
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
