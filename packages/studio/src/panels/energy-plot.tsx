import type { JSX } from 'preact';
import { formatQuantity } from '../quantity.ts';
import type { Frame } from '../session/protocol.ts';
import type { Studio } from '../studio.ts';
import { CurveValue } from './curve-value.tsx';
import { Swatch } from './swatch.tsx';
import { type Curve, TimePlot } from './time-plot.tsx';

/** Series, in colours that are told apart by people who see red and green alike. */
const SERIES = [
  { key: 'kinetic', label: 'Kinetic', color: '--plot-kinetic', title: 'Energy of motion' },
  {
    key: 'potential',
    label: 'Potential',
    color: '--plot-potential',
    title: 'Energy of height and of springs',
    dash: [6, 3],
  },
  { key: 'elastic', label: 'Elastic', color: '--plot-elastic', title: 'Energy of deformed soft bodies', dash: [2, 2] },
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
        {shown.map(({ key, label, color, title, ...rest }) => (
          <li key={key} title={title}>
            <Swatch color={color} dash={'dash' in rest ? rest.dash : undefined} />
            <span>{label}</span>
            <CurveValue
              studio={studio}
              mark={`energy-${key}`}
              column={() => (key === 'total' ? history.total : history.columns[key])}
              now={() => readEnergy(studio.frame.value, key)}
              format={(value) => formatQuantity(value, 'J')}
            />
          </li>
        ))}
      </ul>
      <TimePlot
        studio={studio}
        title="Energy in joules over simulated time in seconds"
        height={170}
        name="energy"
        label="Energy"
        curves={shown}
        data={() => [history.time, ...shown.map(({ key }) => (key === 'total' ? history.total : history.columns[key]))]}
        range={energyRange}
        formatTick={formatTick}
      />
    </section>
  );
}

function readEnergy(frame: Frame | undefined, key: (typeof SERIES)[number]['key']): number | undefined {
  if (!frame) return undefined;
  return key === 'total' ? frame.kinetic + frame.potential + frame.elastic : frame[key];
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
