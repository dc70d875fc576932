import { NexdynError } from '@nexdyn/engine';
import { writeSceneJson } from '@nexdyn/formats';
import {
  countResults,
  createRunScene,
  gatherResults,
  type Sweep,
  SweepFolder,
  type SweepStatus,
  writeTables,
} from '@nexdyn/sweep';
import type { CommandIo } from '../command-io.ts';
import { formatCount } from '../counted-noun.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { VERSION } from '../version.ts';
import { ReportCollector } from './report/sweep-data.ts';
import { formatSweepReport } from './report/sweep-report.ts';

/** Gathers the results of folders of one sweep, and writes its table. */
export async function mergeSweeps(
  folders: readonly string[],
  options: { out?: string; json?: boolean },
  io: CommandIo,
): Promise<ExitCode> {
  const sweeps = folders.map((path) => new SweepFolder(path).open(VERSION));
  const [sweep] = sweeps;
  const other = sweeps.findIndex(({ hash }) => hash !== sweep!.hash);
  if (other >= 0) {
    throw new NexdynError('invalid-argument', `'${folders[other]}' has another plan than '${folders[0]}'`, {
      hint: 'merge folders of one plan',
    });
  }
  const target = new SweepFolder(options.out ?? folders[0]!);
  target.prepare(sweep!);
  for (const path of folders) gatherResults(sweep!, new SweepFolder(path), target);
  const status = countResults(sweep!, target);
  io.writeData(options.json ? `${JSON.stringify(status)}\n` : formatStatus(status));
  if (status.missing > 0) {
    const missing = formatCount(status.missing, 'run');
    throw new NexdynError('invalid-argument', `${missing} of ${status.runs} have no result: no table is written`, {
      hint: 'run the shards that are missing, then merge again',
    });
  }
  await writeResults(sweep!, target, io);
  return EXIT.ok;
}

/** Writes the table and the report of a sweep that is complete. */
export async function writeResults(sweep: Sweep, folder: SweepFolder, io: CommandIo): Promise<void> {
  const collector = new ReportCollector(sweep);
  await writeTables(sweep, folder, (run, result) => collector.take(run, result));
  folder.writeFile('report.html', formatSweepReport(sweep, collector.finish()));
  io.writeMessage(`wrote table.csv, table.parquet and report.html to ${folder.path}\n`);
}

export function showSweepStatus(path: string, options: { json?: boolean }, io: CommandIo): ExitCode {
  const folder = new SweepFolder(path);
  const status = countResults(folder.open(VERSION), folder);
  io.writeData(options.json ? `${JSON.stringify(status)}\n` : formatStatus(status));
  return EXIT.ok;
}

/** `runs  120, 118 finished`, then a line for each way to end. */
export function formatStatus({ runs, finished, statuses }: SweepStatus): string {
  const rows = [['runs', `${runs}, ${finished} finished`], ...Object.entries(statuses).sort(compareNames)];
  return rows.map(([name, value]) => `${String(name).padEnd(16)}${value}\n`).join('');
}

function compareNames([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : 1;
}

export function printRunScene(path: string, number: string, io: CommandIo): ExitCode {
  const { runs, scene } = new SweepFolder(path).open(VERSION);
  const index = /^\d+$/.test(number) ? Number(number) : Number.NaN;
  if (!(index < runs.count)) {
    throw new NexdynError('invalid-argument', `there is no run ${number}`, { hint: `0 to ${runs.count - 1}` });
  }
  io.writeData(writeSceneJson(createRunScene(scene, runs.run(index))));
  return EXIT.ok;
}
