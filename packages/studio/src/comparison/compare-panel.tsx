import type { JSX } from 'preact';
import { formatPower, logRange, logTicks, roomyRange } from '../log-ticks.ts';
import { ConvergenceFold } from '../panels/convergence-fold.tsx';
import { Swatch } from '../panels/swatch.tsx';
import { TimePlot } from '../panels/time-plot.tsx';
import { formatRound, formatShort } from '../quantity.ts';
import type { Studio } from '../studio.ts';
import { CompareConvergence } from './compare-convergence.tsx';
import { CompareTable } from './compare-table.tsx';
import type { Compared } from './compared-run.ts';
import type { Comparison } from './comparison.ts';
import { styleRun } from './run-style.ts';

interface ComparedPlot {
  name: Compared;
  label: string;
  title: string;
  unit: string;
  isLogarithmic?: boolean;
}

/** Plots of the quantities that runs are compared by; `first` is the formulation that distances are measured from. */
const listPlots = (first: string): readonly ComparedPlot[] => [
  {
    name: 'difference',
    label: `Distance from ${first}`,
    title:
      'Largest distance of a marker on a body from the same marker in the first run, in metres; rotation counts, too',
    unit: 'm',
    isLogarithmic: true,
  },
  { name: 'total', label: 'Total energy', title: 'Total energy in joules', unit: 'J' },
  { name: 'depth', label: 'Worst penetration', title: 'Deepest overlap of two surfaces, in metres', unit: 'm' },
  { name: 'iterations', label: 'Iterations', title: 'Largest number of iterations of a step', unit: '' },
];

/** Differences below this are those of single precision, m. */
const ROUNDING = 1e-8;

/** Several formulations with one ruler: a table, curves over each other, and the course of the last step. */
export function ComparePanel({ studio, comparison }: { studio: Studio; comparison: Comparison }): JSX.Element {
  void comparison.version.value;
  const runs = comparison.runs.filter(({ scene }) => scene);
  return (
    <>
      <section class="comparison" aria-label="Comparison">
        <h2>Comparison</h2>
        <button
          type="button"
          class="chip overlay-choice"
          data-role="overlay"
          title="All runs in one view: the first one solid, the others as ghosts in their colours (Y)"
          aria-pressed={studio.overlaid.value}
          onClick={() => studio.toggleOverlay()}
        >
          In one view
        </button>
        <CompareTable comparison={comparison} />
      </section>
      {listPlots(runs[0]?.formulation ?? 'the first run').map(({ name, label, title, unit, isLogarithmic = false }) => (
        <section key={name} aria-label={label}>
          <h2>
            {label} <span class="unit">{unit}</span>
          </h2>
          <CompareLegend studio={studio} comparison={comparison} column={name} unit={unit} />
          <TimePlot
            studio={studio}
            name={label}
            label={label}
            title={`${title}, over simulated time in seconds`}
            height={118}
            curves={runs.map(({ formulation }) => ({ label: formulation, ...styleRun(formulation) }))}
            data={() => [
              comparison.times,
              ...runs.map(({ columns }) =>
                isLogarithmic
                  ? columns[name].map((value) => (value && value > ROUNDING ? value : null))
                  : columns[name],
              ),
            ]}
            range={isLogarithmic ? logRange : roomyRange}
            formatTick={isLogarithmic ? formatPower : (value) => (value === 0 ? `0 ${unit}` : formatRound(value, unit))}
            isLogarithmic={isLogarithmic}
            {...(isLogarithmic && { ticks: logTicks })}
          />
        </section>
      ))}
      <section aria-label="Convergence">
        <h2>Convergence of this step</h2>
        <ConvergenceFold studio={studio} open="Show" close="Hide">
          <CompareConvergence comparison={comparison} />
        </ConvergenceFold>
      </section>
    </>
  );
}

interface CompareLegendProps {
  studio: Studio;
  comparison: Comparison;
  column: Compared;
  unit: string;
}

/** What each run has at the time under the pointer, else at the time that is shown. */
function CompareLegend({ studio, comparison, column, unit }: CompareLegendProps): JSX.Element {
  void comparison.version.value;
  const runs = comparison.runs.filter(({ scene }) => scene);
  const place = comparison.placeAt(studio.hoverTime.value ?? comparison.time);
  return (
    <ul class="legend compared">
      {runs.map(({ formulation, columns }) => {
        const value = columns[column][place];
        return (
          <li key={formulation} title={`${formulation}, at the time under the pointer, or at the time shown`}>
            <Swatch {...styleRun(formulation)} />
            <span>{formulation}</span>
            <output>{value === undefined || value === null ? '–' : describe(value, unit)}</output>
          </li>
        );
      })}
    </ul>
  );
}

function describe(value: number, unit: string): string {
  return unit === '' ? String(value) : formatShort(value, unit);
}
