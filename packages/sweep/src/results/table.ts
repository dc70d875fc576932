/** The merged table: a row for each run in the order of the plan, with the same bytes wherever the runs were made. */
import type { ExpandedPlan, SweepRun } from '../plan/expand-plan.ts';
import type { SweepPlan } from '../plan/plan.ts';
import type { RunResult } from '../run/run-result.ts';

/** What a cell of a table holds. */
export type Cell = string | number | null;

/** A column: its name, and whether it holds numbers. */
export interface TableColumn {
  name: string;
  kind: 'integer' | 'number' | 'text';
  read(run: SweepRun, result: RunResult): Cell;
}

/** Columns of a sweep: the run, the axes, how it ended, the measures. */
export function listColumns(plan: SweepPlan, runs: ExpandedPlan): TableColumn[] {
  const first = runs.count > 0 ? runs.run(0).parameters : {};
  const text = (name: string, read: TableColumn['read']): TableColumn => ({ name, kind: 'text', read });
  const integer = (name: 'steps' | 'unconvergedSteps' | 'iterations'): TableColumn => ({
    name,
    kind: 'integer',
    read: (_, result) => result[name],
  });
  return [
    { name: 'run', kind: 'integer', read: (run) => run.index },
    text('formulation', (run) => run.formulation),
    text('keyframe', (run) => (run.keyframe === undefined || run.keyframe === null ? null : String(run.keyframe))),
    ...runs.columns.map((name): TableColumn => {
      const isNumber = typeof first[name] === 'number' && isNumericAxis(plan, name);
      return {
        name,
        kind: isNumber ? 'number' : 'text',
        read: ({ parameters }) => {
          const value = parameters[name];
          if (isNumber) return value as number;
          return typeof value === 'string' ? value : JSON.stringify(value);
        },
      };
    }),
    text('status', (_, result) => result.status),
    text('stopped', (_, result) => result.stopped),
    ...Object.keys(plan.measure ?? {}).map(
      (name): TableColumn => ({ name, kind: 'number', read: (_, { measures }) => measures[name] ?? null }),
    ),
    integer('steps'),
    { name: 'time', kind: 'number', read: (_, { time }) => time },
    integer('unconvergedSteps'),
    integer('iterations'),
    { name: 'energyDrift', kind: 'number', read: (_, { energyDrift }) => energyDrift },
    text('finalHash', (_, { finalHash }) => finalHash),
    text('error', (_, { error }) => (error ? `${error.code}: ${error.message}` : null)),
    text('key', ({ key }) => key),
  ];
}

/** Whether all values of a column are numbers. */
export function isNumericAxis(plan: SweepPlan, column: string): boolean {
  const matches = (parameter: { name?: string; path?: string | readonly string[] }): boolean =>
    (parameter.name ?? (typeof parameter.path === 'string' ? parameter.path : parameter.path?.[0])) === column;
  for (const axis of plan.axes ?? []) {
    const found = 'parameters' in axis ? axis.parameters.find(matches) : matches(axis) ? axis : undefined;
    if (found && 'values' in found) return found.values.every((value) => typeof value === 'number');
    if (found) return true;
  }
  return false;
}

/** The first line of the table as CSV. */
export function formatCsvHead(columns: readonly TableColumn[]): string {
  return `${columns.map(({ name }) => quote(name)).join(',')}\n`;
}

/** A line of the table as CSV; numbers are written so that they can be read back exactly. */
export function formatCsvLine(columns: readonly TableColumn[], run: SweepRun, result: RunResult): string {
  return `${columns.map((column) => formatCell(column.read(run, result))).join(',')}\n`;
}

function formatCell(value: Cell): string {
  if (value === null) return '';
  return typeof value === 'number' ? String(value) : quote(value);
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
