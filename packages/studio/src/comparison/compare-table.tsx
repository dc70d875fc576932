import type { JSX } from 'preact';
import { formatScientific } from '../log-ticks.ts';
import { Swatch } from '../panels/swatch.tsx';
import { formatShort } from '../quantity.ts';
import type { ComparedRun } from './compared-run.ts';
import type { Comparison } from './comparison.ts';
import { styleRun } from './run-style.ts';

interface Row {
  label: string;
  /** Hover text: what it is, and what a perfect run has. */
  title: string;
  mark: string;
  read: (run: ComparedRun) => string;
}

const ROWS: readonly Row[] = [
  {
    label: 'Time per step',
    title: 'Mean computation time of a step in the worker of this run',
    mark: 'step-time',
    read: ({ stepTime }) => formatShort(stepTime / 1000, 's'),
  },
  {
    label: 'Iterations',
    title: 'Mean / largest number of iterations of a step; what one iteration does differs between solvers',
    mark: 'iterations',
    read: ({ meanIterations = Number.NaN, mostIterations }) =>
      Number.isNaN(meanIterations) ? '–' : `${formatMean(meanIterations)} / ${mostIterations}`,
  },
  {
    label: 'Worst penetration',
    title: 'Deepest overlap of two surfaces after a step; 0 for rigid contact',
    mark: 'penetration',
    read: (run) => readMetric(run, 'penetration', 'm'),
  },
  {
    label: 'Joint drift, m or rad',
    title: 'How far joints have separated, at worst, in metres or radians; 0 in joint coordinates',
    mark: 'drift',
    read: (run) => readMetric(run, 'jointDrift', ''),
  },
  {
    label: 'Creep',
    title: 'Slip speed of contacts that should stick, at worst; 0 under Coulomb friction',
    mark: 'creep',
    read: (run) => readMetric(run, 'creep', 'm/s'),
  },
  {
    label: 'Cone violation',
    title: 'How far a force lies outside its friction cone, at worst; 0 inside',
    mark: 'cone',
    read: (run) => readMetric(run, 'coneViolation', 'N'),
  },
  {
    label: 'Energy created',
    title:
      'Change of the total energy over the run minus the work of motors and pulls: above 0, created from nothing; below 0, lost in friction, impacts and damping',
    mark: 'energy',
    read: ({ frame }) => (frame?.measures ? formatShort(frame.measures.energyDrift, 'J') : '–'),
  },
  {
    label: 'Difference',
    title:
      'Largest distance, now, of a mark on a body (centre of mass and three points at the radius of gyration) or of a soft vertex from the same mark in the first run',
    mark: 'difference',
    read: ({ difference }) => formatShort(difference, 'm'),
  },
  {
    label: 'Not converged',
    title: 'Steps that stopped before they reached their tolerance',
    mark: 'unconverged',
    read: ({ frame }) => String(frame?.unconverged ?? '–'),
  },
];

function readMetric({ frame }: ComparedRun, name: string, unit: string): string {
  const value = frame?.measures?.metrics[name]?.max;
  if (value === undefined || Number.isNaN(value)) return '–';
  // metres and radians together have no common unit
  return unit === '' ? (value === 0 ? '0' : formatScientific(value)) : formatShort(value, unit);
}

/** Three digits, of which two at most behind the point. */
function formatMean(value: number): string {
  return String(Number(value < 10 ? value.toFixed(2) : value.toPrecision(3)));
}

/** One column per formulation, measured with one ruler. */
export function CompareTable({ comparison }: { comparison: Comparison }): JSX.Element {
  const runs = comparison.runs.filter(({ scene }) => scene);
  return (
    <table class="compare-table">
      <thead>
        <tr>
          <td />
          {runs.map(({ formulation }) => (
            <th key={formulation} scope="col">
              <Swatch {...styleRun(formulation)} />
              {formulation}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {ROWS.map(({ label, title, mark, read }) => (
          <tr key={mark} class="compare-row" title={title}>
            <th scope="row">{label}</th>
            {runs.map((run) => (
              <td key={run.formulation} data-role={`compare-${mark}-${run.formulation}`}>
                {read(run)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
