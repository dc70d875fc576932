import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { formatQuantity } from '../quantity.ts';
import type { Frame } from '../session/protocol.ts';
import { TERM_FIELDS, type TermField } from '../session/sample.ts';
import type { Studio } from '../studio.ts';
import { CurveValue } from './curve-value.tsx';
import { Swatch } from './swatch.tsx';
import { rankTerms } from './term-curves.ts';
import { type Curve, TimePlot } from './time-plot.tsx';

/** Series, in colours that are told apart by people who see red and green alike. */
const SERIES = [
  { key: 'kinetic', label: 'Kinetic', color: '--plot-kinetic', title: 'Energy of motion' },
  {
    key: 'potential',
    label: 'Potential',
    color: '--plot-potential',
    title: 'Energy of gravity, springs, elasticity and added terms',
    dash: [6, 3],
  },
  {
    key: 'elastic',
    label: 'Elastic',
    color: '--plot-elastic',
    title: 'Energy of deformed soft bodies, a part of the potential energy',
    dash: [2, 2],
  },
  { key: 'total', label: 'Total', color: '--plot-total', title: 'Sum of all energies', width: 2 },
] as const satisfies readonly Series[];

/** Lines of the energies that the scene adds and the formulation keeps: told apart by colour and dashes. */
const TERM_DASHES = [
  [8, 3, 2, 3],
  [3, 3],
  [10, 4],
  [2, 4],
  [6, 2, 2, 2],
  [12, 3],
  [5, 5],
  [8, 2, 2, 2],
  [1, 3],
] as const;
const TERM_COLORS = ['--plot-iterations', '--plot-residual', '--plot-term'] as const;

interface Series extends Curve {
  key: 'total' | 'kinetic' | 'potential' | 'elastic' | TermField;
  title: string;
}

/** Energies over simulated time, for the whole run. */
export function EnergyPlot({ studio }: { studio: Studio }): JSX.Element {
  const { history } = studio;
  const facts = studio.scene.value?.facts;
  const own: readonly Series[] = SERIES.filter(({ key }) => key !== 'elastic' || facts?.isSoft);
  // as text, which changes only with the order
  const ranking = useComputed(() => {
    void studio.historyVersion.value;
    const { terms = [], addedTerms = 0 } = studio.scene.value?.facts ?? {};
    return rankTerms(studio.history.columns, terms.length, addedTerms).join(' ');
  });
  const terms = listTerms(facts?.terms ?? [], ranking.value);
  const shown = [...own, ...terms];
  // the legend has the largest first; the plot keeps its order, since a new one would be built anew
  const drawn = [...own, ...[...terms].sort((a, b) => a.key.localeCompare(b.key))];
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
        curves={drawn}
        data={() => [history.time, ...drawn.map(({ key }) => (key === 'total' ? history.total : history.columns[key]))]}
        range={energyRange}
        formatTick={formatTick}
      />
    </section>
  );
}

/** A line for each term of the ranking; colour and dashes stay with the term when the order changes. */
function listTerms(names: readonly string[], ranking: string): Series[] {
  const places = ranking.split(' ').filter(Boolean).map(Number);
  return places.map((i) => ({
    key: TERM_FIELDS[i]!,
    label: `${names[i]!.slice(0, 1).toUpperCase()}${names[i]!.slice(1)}`,
    color: TERM_COLORS[i % TERM_COLORS.length]!,
    title: `Energy of the term ${names[i]!}`,
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
