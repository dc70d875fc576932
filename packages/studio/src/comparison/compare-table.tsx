import { type Guarantee, METRICS, type MetricName } from '@nexdyn/engine';
import type { JSX } from 'preact';
import { formatScientific } from '../log-ticks.ts';
import { Swatch } from '../panels/swatch.tsx';
import { formatShort } from '../quantity.ts';
import type { ComparedRun } from './compared-run.ts';
import type { Comparison } from './comparison.ts';
import { isJudged, judgeComparison, readGuarantee } from './comparison-verdict.ts';
import { styleRun } from './run-style.ts';

interface Row {
  /** In the words of the command line. */
  label: string;
  /** Hover text: what it is, and what a perfect run has. */
  title: string;
  mark: string;
  /** The metric, where it is one. */
  metric?: MetricName;
  read: (run: ComparedRun) => string;
}

/** A metric of the ruler, in its words. */
function readRow(metric: MetricName, mark: string, unit: string): Row {
  const { label, doc } = METRICS[metric];
  const named = unit === '' ? `${label}, m or rad` : label;
  return {
    label: capitalize(named),
    title: capitalize(doc),
    mark,
    metric,
    read: (run) => readMetric(run, metric, unit),
  };
}

/** Rows of the table; `first` is the formulation that differences are measured from. */
function listRows(first: string): Row[] {
  return [
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
      metric: 'iterations',
      read: ({ meanIterations = Number.NaN, mostIterations }) =>
        Number.isNaN(meanIterations) ? '–' : `${formatMean(meanIterations)} / ${mostIterations}`,
    },
    readRow('penetration', 'penetration', 'm'),
    readRow('jointDrift', 'drift', ''),
    readRow('creep', 'creep', 'm/s'),
    readRow('coneViolation', 'cone', 'N'),
    {
      label: 'Energy created, whole run',
      title:
        'Change of the total energy over the run minus the work of motors and pulls: above 0, created from nothing; below 0, lost in friction, impacts and damping',
      mark: 'energy',
      read: ({ frame }) => (frame?.measures ? formatShort(frame.measures.energyDrift, 'J') : '–'),
    },
    {
      label: `Distance from ${first}`,
      title:
        'Largest distance, now, of a marker on a body (centre of mass and three points at the radius of gyration) or of a soft vertex from the same marker in the first run',
      mark: 'difference',
      read: ({ difference }) => formatShort(difference, 'm'),
    },
    {
      label: 'Steps not converged',
      title: 'Steps that ended before reaching their tolerance',
      mark: 'unconverged',
      read: ({ frame }) => String(frame?.unconverged ?? '–'),
    },
  ];
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

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

/** One column per formulation, measured with one ruler; rows that say nothing about this scene are faint and say why. */
export function CompareTable({ comparison }: { comparison: Comparison }): JSX.Element {
  const runs = comparison.runs.filter(({ scene }) => scene);
  const verdict = judgeComparison(runs);
  const hasBegun = comparison.runs.some(({ frame, problem }) => frame || problem);
  const sentences = !hasBegun
    ? [describeOpening(comparison)]
    : runs.some(isJudged)
      ? verdict.sentences
      : ['What sets the runs apart is said here once they have taken steps: press Space.'];
  return (
    <>
      <VerdictList sentences={sentences} />
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
          <tr class="compare-row" title="What the formulation guarantees in every scene, and whether this run kept it">
            <th scope="row">Guarantee</th>
            {runs.map((run) => (
              <GuaranteeCell key={run.formulation} formulation={run.formulation} guarantee={readGuarantee(run)} />
            ))}
          </tr>
          {listRows(runs[0]?.formulation ?? '').map(({ label, title, mark, metric, read }) => {
            const reason = metric && verdict.silent.get(metric);
            return (
              <tr key={mark} class={reason ? 'compare-row silent' : 'compare-row'} title={title}>
                <th scope="row">
                  {label}
                  {reason && <small>{reason}</small>}
                </th>
                {runs.map((run) => (
                  <td key={run.formulation} data-role={`compare-${mark}-${run.formulation}`}>
                    {read(run)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}

/** What is done before the first states are there. */
function describeOpening({ repeatedSteps }: Comparison): string {
  return repeatedSteps > 0 ? `Repeating the ${repeatedSteps} recorded steps under each formulation …` : 'Opening …';
}

/** What the comparison comes to so far. */
function VerdictList({ sentences }: { sentences: readonly string[] }): JSX.Element {
  return (
    <ul class="verdict" data-role="verdict">
      {sentences.map((sentence) => (
        <li key={sentence}>
          {sentence.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part))}
        </li>
      ))}
    </ul>
  );
}

function GuaranteeCell({ formulation, guarantee }: { formulation: string; guarantee: Guarantee }): JSX.Element {
  const { promise, isKept } = guarantee;
  const state = isKept === undefined ? '' : isKept ? 'kept' : 'broken';
  return (
    <td class={`guarantee ${state}`} data-role={`compare-guarantee-${formulation}`}>
      {promise}
      {state && <small>{state}</small>}
    </td>
  );
}
