import { type Coordinates, type FormulationId, NexdynError, readMarks, type Verdict } from '@nexdyn/engine';
import type { ReadLimits } from '@nexdyn/formats';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { type ComparedRun, describeRun } from '../compare/compare-record.ts';
import { formatCompareTable, listNotes } from '../compare/compare-table.ts';
import { judgeRecords } from '../compare/compare-verdict.ts';
import { measureProperties } from '../compare/formulation-properties.ts';
import {
  type CompareSetting,
  type CompareStatus,
  hasBroken,
  type RunHooks,
  runFormulation,
} from '../compare/formulation-run.ts';
import { formatPropertiesTable } from '../compare/properties-table.ts';
import { findEndTime, findMisfit, refine } from '../compare/refinement.ts';
import { formatReport, type ReportInput } from '../compare/report/report-page.ts';
import { measureDifference } from '../compare/trajectory-difference.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { createImportOption } from '../extensions.ts';
import { listenForInterrupt } from '../interrupt.ts';
import {
  createAccuracyOption,
  createLimitOption,
  createObjectsOption,
  createPackagesOption,
  createRootOption,
  listComparedNames,
  listFormulationNames,
  parseFormulations,
  parsePositive,
  parseWhole,
} from '../option-values.ts';
import { formatManifest } from '../output/folder-owner.ts';
import { reportLeftovers } from '../output/leftovers.ts';
import { checkOutputFile, type OutputFileOptions, writeOutputFile } from '../output/output-file.ts';
import { checkOutputFolder, writeOutputFolder } from '../output/output-folder.ts';
import type { CommandResult } from '../program.ts';
import { createProgress, type Progress } from '../progress.ts';
import { formatNumber } from '../run/summary.ts';
import { loadSceneFile } from '../scene-file.ts';
import type { OverrideOptions } from '../scene-overrides.ts';
import { escapeName } from '../terminal-text.ts';
import { reportUnsupported } from '../unsupported-report.ts';

interface CompareOptions extends OverrideOptions {
  maxStepTime?: number;
  formulations?: FormulationId[];
  time: number;
  seconds?: number;
  dt?: number[];
  refine: number;
  table?: boolean;
  coordinates?: Coordinates;
  keyframe?: string;
  out?: string;
  report?: string;
  force?: boolean;
  allowOutside?: boolean;
  root?: string;
  objects?: 'all' | 'first';
  packagePath?: string[];
  limit?: Partial<ReadLimits>;
  strictMeshes?: boolean;
  json?: boolean;
  quiet?: boolean;
}

const EXIT_OF_STATUS: Record<CompareStatus, ExitCode> = {
  completed: EXIT.ok,
  'not-applicable': EXIT.ok,
  'not-converged': EXIT.notConverged,
  diverged: EXIT.diverged,
  unstable: EXIT.diverged,
  'timed-out': EXIT.diverged,
  interrupted: EXIT.interrupted,
};

/** Files of the folder of --out. */
const FOLDER_FILES = ['report.html', 'summary.json', 'manifest.json'];

/** Halvings of the refinement study: it takes as long again for each, and is done on request. */
const REFINE = 0;

export function addCompareCommand(program: Command, io: CommandIo, result: CommandResult): void {
  program
    .command('compare')
    .summary('Run a scene under several formulations and measure them with the same metrics.')
    .description(
      'Run a scene under several formulations, measure every step with the same metrics, print a table and a verdict in sentences, and write a report (one HTML file with ' +
        'plots of every metric, pictures of the final states, differences of trajectories and, with --refine, a time-step study). ' +
        'A formulation that cannot run the scene is listed with the reason.',
    )
    .argument('<file>', 'MJCF (.xml), URDF or JSON file, or the name of a gallery scene')
    .addOption(
      new Option(
        '--formulations <names>',
        'names, separated by commas, or all (default: all but the baseline penalty)',
      ).argParser(parseFormulations),
    )
    .option('--time <seconds>', 'simulated time', parsePositive, 1)
    .option('--seconds <time>', 'the same as --time, as in nexdyn run', parsePositive)
    .option(
      '--dt <seconds>',
      'time step (default: the scene decides); several, separated by commas, coarsest first, are the levels of the refinement study',
      parseTimesteps,
    )
    .option(
      '--refine <halvings>',
      'number of halvings of the time step in a refinement study; an order needs two',
      parseWhole,
      REFINE,
    )
    .option(
      '--table',
      'print theory, stability, accuracy, differentiability and speed of all formulations instead, penalty included; takes longer',
    )
    .addOption(
      new Option('--coordinates <kind>', 'coordinates (default: each formulation decides)').choices(['joint', 'body']),
    )
    .option(
      '--max-step-time <seconds>',
      'give up a step that takes longer (default: the scene decides, else 60)',
      parsePositive,
    )
    .addOption(createAccuracyOption())
    .addOption(createImportOption())
    .option('--keyframe <name>', 'start from a keyframe, by name or number, or none (default: the first, if any)')
    .addOption(
      new Option(
        '--set <key=value>',
        'replace an option of the scene, as in gravity=0,0,-1.62; may be repeated',
      ).argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]),
    )
    .option(
      '--report <file>',
      'where to write the report (default: <scene>-compare.html in this folder; none with --json)',
    )
    .option('--out <folder>', 'write report.html and summary.json into a new folder')
    .option('--force', 'replace the --out folder if NexDyn wrote it, and any --report file')
    .addOption(createRootOption())
    .addOption(createPackagesOption())
    .addOption(createObjectsOption())
    .option('--allow-outside', 'allow the model to refer to files outside its folder')
    .addOption(createLimitOption())
    .option('--strict-meshes', 'reject meshes with degenerate triangles, which are otherwise dropped and listed')
    .option('--json', 'print one JSON object per formulation and line: status, every metric with its unit, cost')
    .option('--quiet', 'no progress')
    .action(async (file: string, options: CompareOptions) => {
      result.exitCode = await compareScene(file, options, io);
    });
}

async function compareScene(argument: string, given: CompareOptions, io: CommandIo): Promise<ExitCode> {
  const options = { ...given, time: given.seconds ?? given.time };
  if (options.out !== undefined) {
    reportLeftovers(options.out, io);
    checkOutputFolder(options.out, options, FOLDER_FILES);
  }
  const misfit = options.dt && findMisfit(options.time, options.dt);
  if (misfit !== undefined) {
    const end = findEndTime(options.time, options.dt![0]!);
    throw new NexdynError(
      'invalid-argument',
      `no whole number of steps of ${misfit} s ends at ${formatNumber(end)} s`,
      {
        hint: 'choose steps of --dt that divide the simulated time: runs are compared where they end',
      },
    );
  }
  const loaded = loadSceneFile(argument, options);
  const name = loaded.scene.name || argument.replace(/^.*[\\/]|\.[^.]*$/g, '');
  const report = chooseReport(name, options);
  if (report !== undefined) {
    reportLeftovers(report, io);
    checkOutputFile(report, chooseReplacing(options));
  }
  reportUnsupported(loaded.unsupported, io);
  const setting: CompareSetting = {
    loaded,
    seconds: options.time,
    ...(options.dt && { timestep: options.dt[0]! }),
    ...(options.keyframe !== undefined && { keyframe: options.keyframe }),
    ...(options.coordinates && { coordinates: options.coordinates }),
    ...(options.set && { set: options.set }),
    ...(options.maxStepTime && { maxStepTime: options.maxStepTime }),
    ...(options.accuracy !== undefined && { accuracy: options.accuracy }),
    ...(options.limit && { limit: options.limit }),
  };
  const formulations = options.formulations ?? (options.table ? listFormulationNames() : listComparedNames());

  // every formulation, then the summary
  const interrupt = listenForInterrupt();
  const runs: ComparedRun[] = [];
  for (const formulation of formulations) {
    if (interrupt.signal.aborted) runs.push({ formulation, status: 'interrupted', unresolved: [] });
    else runs.push(await compareFormulation(formulation, setting, options, io, interrupt.signal));
  }
  interrupt.stop();
  const first = runs.find((run) => run.result);
  // apart from the first that stayed finite
  const from = runs.find((run) => run.result && !hasBroken(run.status)) ?? first;
  for (const run of runs) {
    if (!from || run === from || !run.result) continue;
    run.difference = { from: from.formulation, ...measureDifference(from.result!.series, run.result.series) };
  }
  const records = runs.map((run) => describeRun(name, run));

  const verdict = judgeRecords(records);

  // the table and what it comes to, or a line each; the report
  for (const note of listNotes(records)) io.writeMessage(`${escapeName(note)}\n`);
  if (options.table) {
    const properties = runs.map(
      ({ formulation, result }) =>
        result && measureProperties(formulation, setting, result.stepTime / Math.max(1, result.summary.steps)),
    );
    const described = records.map((record, i) => ({ record, properties: properties[i] }));
    if (options.json)
      for (const { record, properties: own } of described)
        io.writeData(`${JSON.stringify({ ...record, properties: own ?? null })}\n`);
    else io.writeData(formatPropertiesTable(described));
  } else if (options.json) for (const record of records) io.writeData(`${JSON.stringify(record)}\n`);
  else if (first) io.writeData(`${formatCompareTable(records, verdict)}\n${formatVerdict(verdict)}`);
  if (first) {
    const { description = '' } = loaded.scene;
    writeReports({ title: name, description, runs, records, verdict }, argument, options, io);
  }
  // runs interrupted in their study, or not started, do not report it themselves
  if (interrupt.signal.aborted) return EXIT.interrupted;
  return first ? findExit(runs) : EXIT.badScene;
}

/** A run of one formulation, and the same with smaller steps. */
async function compareFormulation(
  formulation: FormulationId,
  setting: CompareSetting,
  options: CompareOptions,
  io: CommandIo,
  signal: AbortSignal,
): Promise<ComparedRun> {
  // a clock each: the time left is that of the part
  const follow = (detail: string): RunHooks & Progress => {
    const progress = createProgress(io, options.quiet === true);
    return { ...progress, signal, update: (fraction) => progress.update(fraction, detail) };
  };
  let part = follow(formulation);
  const run: ComparedRun = await runFormulation(formulation, setting, part);
  part.finish();
  const timesteps = run.result ? listTimesteps(run.result.timestep, options) : [];
  if (run.result && !hasBroken(run.status) && timesteps.length > 1 && !signal.aborted) {
    part = follow(`${formulation} with smaller steps`);
    run.refinement = await refine(formulation, setting, timesteps, readMarks(run.result.simulation), part);
    part.finish();
  }
  return run;
}

function listTimesteps(timestep: number, { dt, refine: halvings }: CompareOptions): number[] {
  if (dt && dt.length > 1) return dt;
  return Array.from({ length: halvings + 1 }, (_, k) => timestep / 2 ** k);
}

/** One sentence per line. */
function formatVerdict({ sentences }: Verdict): string {
  return sentences.map((sentence) => `${sentence}\n`).join('');
}

/** Where the report goes, if anywhere. */
function chooseReport(name: string, { report, json, out }: CompareOptions): string | undefined {
  return report ?? (json || out !== undefined ? undefined : `${name.replace(/[^\w.-]+/g, '-')}-compare.html`);
}

/** A report may replace an earlier report. */
function chooseReplacing({ force }: CompareOptions): OutputFileOptions {
  const mark = /<title>[^<]*: formulations compared<\/title>/;
  return { option: '--report', mark, force, forceHint: 'pass --force to replace it' };
}

function writeReports(
  comparison: Omit<ReportInput, 'command'>,
  argument: string,
  options: CompareOptions,
  io: CommandIo,
): void {
  const file = chooseReport(comparison.title, options);
  if (file === undefined && options.out === undefined) return;
  const report = formatReport({ ...comparison, command: describeCommand(argument, options) });
  if (options.out !== undefined) {
    const summary = `${JSON.stringify(comparison.records, null, 2)}\n`;
    const files = { 'report.html': report, 'summary.json': summary };
    const describe = (digests: Readonly<Record<string, string>>): string => formatManifest('nexdyn-compare', digests);
    const kept = writeOutputFolder(options.out, files, describe, options);
    if (kept.length > 0) io.writeMessage(`kept in ${options.out}: ${escapeName(kept.join(', '))}\n`);
    io.writeMessage(`report written to ${options.out}/report.html\n`);
  }
  if (file === undefined) return;
  writeOutputFile(file, report, chooseReplacing(options));
  io.writeMessage(`report written to ${file}\n`);
}

function describeCommand(
  argument: string,
  {
    formulations,
    time,
    dt,
    accuracy,
    refine: halvings,
    set,
    table,
    coordinates,
    keyframe,
    allowOutside,
    root,
    limit = {},
    strictMeshes,
  }: CompareOptions,
): string {
  const quote = (text: string): string => (/^[\w./,=+-]+$/.test(text) ? text : `'${text}'`);
  return [
    `nexdyn compare ${quote(argument)}`,
    ...(formulations ? [`--formulations ${formulations.join(',')}`] : []),
    `--time ${time}`,
    ...(dt ? [`--dt ${dt.join(',')}`] : []),
    ...(accuracy !== undefined ? [`--accuracy ${accuracy}`] : []),
    ...(coordinates ? [`--coordinates ${coordinates}`] : []),
    ...(halvings !== REFINE && !(dt && dt.length > 1) ? [`--refine ${halvings}`] : []),
    ...(keyframe !== undefined ? [`--keyframe ${quote(keyframe)}`] : []),
    ...(table ? ['--table'] : []),
    ...(set ?? []).map((text) => `--set ${quote(text)}`),
    ...(root !== undefined ? [`--root ${quote(root)}`] : []),
    ...(allowOutside ? ['--allow-outside'] : []),
    ...Object.entries(limit).map(([name, value]) => `--limit ${name}=${value}`),
    ...(strictMeshes ? ['--strict-meshes'] : []),
  ].join(' ');
}

/** The worst of all: higher codes are worse. */
function findExit(runs: readonly ComparedRun[]): ExitCode {
  return Math.max(...runs.map(({ status }) => EXIT_OF_STATUS[status])) as ExitCode;
}

function parseTimesteps(text: string): number[] {
  const values = text.split(',').map((part) => parsePositive(part));
  if (values.some((value, k) => k > 0 && value >= values[k - 1]!))
    throw new InvalidArgumentError('Each must be smaller than the one before.');
  return values;
}
