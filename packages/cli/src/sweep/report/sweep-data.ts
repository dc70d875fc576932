/** The results of a sweep as columns of numbers, for plots. */
import { hasFailed, listRows, type Sweep, type SweepFolder } from '@nexdyn/sweep';

/** One run of a report. */
export interface ReportRow {
  run: number;
  /** Formulation and keyframe: runs of a group have a colour of their own. */
  group: string;
  /** Axes and measures by name; NaN where there is no number. */
  values: Readonly<Record<string, number>>;
  /** Axes as text. */
  labels: Readonly<Record<string, string>>;
  status: string;
  error: string;
  hasFailed: boolean;
}

export interface ReportData {
  rows: ReportRow[];
  groups: string[];
  /** Axes with numbers. */
  axes: string[];
  /** Axes on which the values form a grid, with their values in order. */
  grids: Map<string, number[]>;
  measures: string[];
}

/** More values than this are no grid. */
const MOST_GRID = 100;

export function readReportData(sweep: Sweep, folder: SweepFolder): ReportData {
  const measures = Object.keys(sweep.plan.measure ?? {});
  const rows: ReportRow[] = [];
  for (const [run, result] of listRows(sweep, folder)) {
    const start = run.keyframe === undefined ? [] : [`keyframe ${run.keyframe}`];
    const values: Record<string, number> = {};
    for (const [name, value] of Object.entries(run.parameters)) {
      values[name] = typeof value === 'number' ? value : Number.NaN;
    }
    for (const name of measures) values[name] = result.measures[name] ?? Number.NaN;
    rows.push({
      run: run.index,
      group: [...(run.formulation === null ? [] : [run.formulation]), ...start].join(', '),
      values,
      labels: Object.fromEntries(
        Object.entries(run.parameters).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      ),
      status: result.status,
      error: result.error?.message ?? '',
      hasFailed: hasFailed(result),
    });
  }
  const axes = sweep.runs.columns.filter((name) => rows.every(({ values }) => Number.isFinite(values[name])));
  const grids = new Map<string, number[]>();
  for (const name of axes) {
    const distinct = [...new Set(rows.map(({ values }) => values[name]!))].sort((a, b) => a - b);
    if (distinct.length > 1 && distinct.length <= MOST_GRID) grids.set(name, distinct);
  }
  return { rows, groups: [...new Set(rows.map(({ group }) => group))], axes, grids, measures };
}
