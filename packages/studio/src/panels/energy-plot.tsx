import type { JSX } from 'preact';
import { formatQuantity } from '../quantity.ts';
import type { Frame } from '../session/protocol.ts';
import { TERM_FIELDS, type TermField } from '../session/sample.ts';
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
    title: 'Energy of height, springs, elasticity and added terms',
    dash: [6, 3],
  },
  { key: 'elastic', label: 'Elastic', color: '--plot-elastic', title: 'Energy of deformed soft bodies', dash: [2, 2] },
  { key: 'total', label: 'Total', color: '--plot-total', title: 'All energies together', width: 2 },
] as const satisfies readonly Series[];

/** Lines of the energies that the scene adds: told apart by their dashes. */
const TERM_DASHES = [
  [8, 3, 2, 3],
  [3, 3],
  [10, 4],
  [2, 4],
  [6, 2, 2, 2],
  [12, 3],
] as const;
const TERM_COLORS = ['--plot-iterations', '--plot-residual'] as const;

interface Series extends Curve {
  key: 'total' | 'kinetic' | 'potential' | 'elastic' | TermField;
  title: string;
}

/** Energies over simulated time, for the whole run. */
export function EnergyPlot({ studio }: { studio: Studio }): JSX.Element {
  const { history } = studio;
  const facts = studio.scene.value?.facts;
  const own: readonly Series[] = SERIES.filter(({ key }) => key !== 'elastic' || facts?.isSoft);
  const shown = [...own, ...listTerms(facts?.terms ?? [])];
  return (
    <section class="energy" aria-label="Energy">
      <h2>Energy</h2>
      <ul class="legend">
        {shown.map(({ key, label, color, title, ...rest }) => (
          <li key={key} title={title}>
            <Swatch color={color} dash={rest.dash} />
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

/** A line for each energy that the scene adds, as many as there are places for. */
function listTerms(names: readonly string[]): Series[] {
  return names.slice(0, TERM_FIELDS.length).map((name, i) => ({
    key: TERM_FIELDS[i]!,
    label: name,
    color: TERM_COLORS[i % TERM_COLORS.length]!,
    title: `Energy of the term ${name}`,
    dash: TERM_DASHES[i]!,
  }));
}

function readEnergy(frame: Frame | undefined, key: Series['key']): number | undefined {
  if (!frame) return undefined;
  if (key === 'total') return frame.kinetic + frame.potential;
  const term = (TERM_FIELDS as readonly string[]).indexOf(key);
  return term >= 0 ? frame.terms[term] : frame[key as 'kinetic' | 'potential' | 'elastic'];
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
