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
    title: 'Mean time of computation of a step, in the worker of this run',
    mark: 'step-time',
    read: ({ stepTime }) => formatShort(stepTime / 1000, 's'),
  },
  {
    label: 'Iterations',
    title: 'Mean / largest number of iterations of a step; methods differ in what an iteration is',
    mark: 'iterations',
    read: ({ meanIterations = Number.NaN, mostIterations }) =>
      Number.isNaN(meanIterations) ? '–' : `${formatMean(meanIterations)} / ${mostIterations}`,
  },
  {
    label: 'Penetration',
    title: 'How deep surfaces overlapped at worst, after a step; 0 for rigid surfaces',
    mark: 'penetration',
    read: (run) => readMetric(run, 'penetration', 'm'),
  },
  {
    label: 'Drift, m or rad',
    title: 'How far joints came apart at worst, in metres or radians; 0 in joint coordinates',
    mark: 'drift',
    read: (run) => readMetric(run, 'jointDrift', ''),
  },
  {
    label: 'Glide',
    title: 'Slip of contacts that ought to stick, at worst; 0 under Coulomb friction',
    mark: 'glide',
    read: (run) => readMetric(run, 'creep', 'm/s'),
  },
  {
    label: 'Cone violation',
    title: 'How far a force lay outside its friction cone, at worst; 0 inside',
    mark: 'cone',
    read: (run) => readMetric(run, 'coneViolation', 'N'),
  },
  {
    label: 'Energy balance',
    title:
      'Change of the total energy over the run, less the work of motors and pulls: above 0 it came out of nothing, below 0 it went into friction and impacts',
    mark: 'energy',
    read: ({ frame }) => (frame?.measures ? formatShort(frame.measures.energyDrift, 'J') : '–'),
  },
  {
    label: 'Difference',
    title:
      'Largest distance of a mark on a body (centre of mass, and three at the radius of gyration), or of a soft vertex, from its twin in the first run, now',
    mark: 'difference',
    read: ({ difference }) => formatShort(difference, 'm'),
  },
  {
    label: 'Not converged',
    title: 'Steps that stopped before they met their tolerance',
    mark: 'unconverged',
    read: ({ frame }) => String(frame?.unconverged ?? '–'),
  },
];

function readMetric({ frame }: ComparedRun, name: string, unit: string): string {
  const value = frame?.measures?.metrics[name]?.max;
  if (value === undefined || Number.isNaN(value)) return '–';
  // metres and radians together have no unit of their own
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
