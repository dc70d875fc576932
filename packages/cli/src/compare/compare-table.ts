import {
  type Guarantee,
  METRIC_NAMES,
  METRICS,
  type MetricName,
  type RefusedStatus,
  type Verdict,
} from '@nexdyn/engine';
import { formatMarkdownTable } from '../markdown-table.ts';
import { describeContradictions } from '../run/contradiction-list.ts';
import type { CompareRecord } from './compare-record.ts';
import { isNoise } from './compare-verdict.ts';
import { hasBroken } from './formulation-run.ts';

/** Three digits; powers of ten where they are shorter to read. */
export function formatShort(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '-';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(3)));
  return value.toExponential(1).replace('e+', 'e');
}

/** One column per formulation, one row per metric: the largest over all steps, and the mean behind it. */
export function formatCompareTable(records: readonly CompareRecord[], verdict: Verdict): string {
  const ran = records.filter((record) => record.metrics);
  const rows: string[][] = [
    ['status', '', ...ran.map((record) => record.status)],
    ['guarantee', '', ...verdict.guarantees.map(formatGuarantee)],
    ...METRIC_NAMES.map((name) => [
      labelMetric(name, verdict),
      METRICS[name].unit,
      ...ran.map(({ metrics }) => formatPeak(metrics![name].max, metrics![name].mean)),
    ]),
    ['energy at the end', 'J', ...ran.map(({ energy }) => formatShort(energy!.end))],
    ['energy created, whole run', 'J', ...ran.map(({ energy }) => formatShort(energy!.unexplained))],
    ['steps not converged', '1', ...ran.map(({ steps, statuses }) => String(steps - (statuses['converged'] ?? 0)))],
    ['change of energy', 'J', ...ran.map(({ energy }) => formatShort(energy!.drift))],
    ['time per step', 'ms', ...ran.map(({ cost }) => formatShort(cost!.stepTime.value))],
    ['speed', 'x real time', ...ran.map(({ cost }) => formatShort(cost!.realTimeFactor.value))],
    ...formatControl(ran),
    ...formatDifferences(ran),
    ...formatRefinement(ran),
  ];
  return formatMarkdownTable(
    ['largest (mean)', 'unit', ...ran.map(({ formulation }) => formulation)],
    rows,
    (k) => k > 1,
  );
}

/** The name of a row; where it says nothing here, with the reason. */
export function labelMetric(name: MetricName, { silent }: Verdict): string {
  const reason = silent.get(name);
  return reason === undefined ? METRICS[name].label : `${METRICS[name].label} (${reason})`;
}

/** As in `no intersection, kept`. */
export function formatGuarantee({ promise, isKept }: Guarantee): string {
  return isKept === undefined ? promise : `${promise}, ${isKept ? 'kept' : 'BROKEN'}`;
}

function formatPeak(max: number | null, mean: number | null): string {
  const [most, usual] = [formatShort(max), formatShort(mean)];
  return most === usual ? most : `${most} (${usual})`;
}

function formatControl(ran: readonly CompareRecord[]): string[][] {
  if (!ran.some(({ controlled }) => controlled)) return [];
  return [
    ['steps taken', '1', ...ran.map(({ controlled }) => formatShort(controlled?.steps))],
    ['shortest step', 's', ...ran.map(({ controlled }) => formatShort(controlled?.shortest))],
    ['estimated error of a step', 'm, rad', ...ran.map(({ controlled }) => formatShort(controlled?.error))],
  ];
}

function formatDifferences(ran: readonly CompareRecord[]): string[][] {
  const from = ran.find(({ difference }) => difference)?.difference?.from;
  if (!from) return [];
  const cells = ran.map(({ difference }) => (difference ? formatShort(difference.max) : '0'));
  return [[`distance from ${from}`, 'm', ...cells]];
}

function formatRefinement(ran: readonly CompareRecord[]): string[][] {
  if (!ran.some(({ refinement }) => refinement)) return [];
  return [
    ['distance from the finest step', 'm', ...ran.map(({ refinement }) => formatShort(refinement?.levels[0]?.error))],
    // two halvings at least: with one there is no order to show
    ...(ran.some(({ refinement }) => (refinement?.levels.length ?? 0) > 2)
      ? [['observed order in dt', '1', ...ran.map(({ refinement }) => formatOrder(refinement?.levels[0]?.order))]]
      : []),
  ];
}

function formatOrder(order: number | null | undefined): string {
  return isNoise(order) ? 'noise' : formatShort(order);
}

const REFUSED_WORDS: Readonly<Record<RefusedStatus, string>> = {
  diverged: 'diverged',
  unstable: 'became unstable',
  'timed-out': 'timed out',
};

/** Who did not run, did not converge or left something out, a line each. */
export function listNotes(records: readonly CompareRecord[]): string[] {
  return records.flatMap(
    ({ formulation, status, reason, unresolved, steps, statuses, contradiction, metrics, energy }) => [
      ...(status === 'interrupted' && !metrics ? [`${formulation} was not run: interrupted`] : []),
      ...(status === 'not-applicable' ? [`${formulation} does not apply: ${reason}`] : []),
      ...(hasBroken(status) ? [`${formulation} ${REFUSED_WORDS[status]}: ${reason}`] : []),
      ...(status === 'not-converged'
        ? [`${formulation} did not converge in ${describeFailures(steps, statuses)}`]
        : []),
      ...(contradiction ? [`${formulation}: ${describeContradictions(contradiction)}`] : []),
      ...describeLift(formulation, energy),
      ...(unresolved.length > 0 ? [`${formulation} does not resolve: ${unresolved.join(', ')}`] : []),
    ],
  );
}

// no metric shows bodies that are moved before the first step: say it
function describeLift(formulation: string, energy: CompareRecord['energy']): string[] {
  const lift = energy ? energy.start - energy.placed : 0;
  if (!energy || !(Math.abs(lift) > 1e-9 * Math.max(1, Math.abs(energy.placed)))) return [];
  const sign = lift > 0 ? '+' : '';
  return [`${formulation} separates bodies that touch before the first step (${sign}${formatShort(lift)} J)`];
}

// as in `2 of 500 steps (iteration-limit)`
function describeFailures(steps: number, statuses: Readonly<Record<string, number>>): string {
  const failures = Object.entries(statuses).filter(([status, count]) => status !== 'converged' && count > 0);
  const total = failures.reduce((sum, [, count]) => sum + count, 0);
  return `${total} of ${steps} steps (${failures.map(([status]) => status).join(', ')})`;
}
