import { statSync } from 'node:fs';
import { type FormulationId, NexdynError, type Simulation } from '@nexdyn/engine';
import { type Command, Option } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { formatShort } from '../compare/compare-table.ts';
import { countSteps } from '../compare/formulation-run.ts';
import { formatCount } from '../counted-noun.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { type FirstDifference, findFirstDifference } from '../explain/first-difference.ts';
import { type FieldDifference, listModelDifferences } from '../explain/model-difference.ts';
import { chooseKeyframe } from '../keyframe-choice.ts';
import { parseFormulations, parseNonNegative, parsePositive, readCompileOptions } from '../option-values.ts';
import type { CommandResult } from '../program.ts';
import { readRecordedRun } from '../run/recorded-run.ts';
import { compileSceneFile, loadSceneFile, openSimulation } from '../scene-file.ts';
import { overrideScene } from '../scene-overrides.ts';
import { escapeName } from '../terminal-text.ts';

interface ExplainOptions {
  formulations?: FormulationId[];
  coordinates?: 'joint' | 'body';
  seconds: number;
  tolerance: number;
  set?: string[];
  json?: boolean;
}

/** Lines of a kind that are printed; of more the rest is counted. */
const MOST = 12;

export function addExplainCommand(program: Command, io: CommandIo, result: CommandResult): void {
  program
    .command('explain')
    .summary('Explain why two runs differ.')
    .description(
      'Explain why two files, two recorded runs, or one file under two formulations move differently: which fields of the compiled models differ, the first step after which bodies are apart, the gaps and forces of that step contact by contact, and how both solvers ended. nexdyn agree does the same for NexDyn and MuJoCo. Exit codes: 0 no difference, 5 a difference.',
    )
    .argument('<first>', 'MJCF (.xml), URDF or JSON file, name of a gallery scene, or folder of nexdyn run --out')
    .argument('[second]', 'another one (default: the same)')
    .addOption(
      new Option(
        '--formulations <names>',
        'one for both, or two, separated by a comma (default: the scene decides)',
      ).argParser(parseFormulations),
    )
    .addOption(new Option('--coordinates <kind>', 'coordinates of both').choices(['joint', 'body']))
    .option('--seconds <time>', 'simulated time at most', parsePositive, 1)
    .option('--tolerance <distance>', 'distance up to which two runs count as equal, m', parseNonNegative, 1e-9)
    .addOption(
      new Option('--set <key=value>', 'replace a value of both scenes; may be repeated').argParser(
        (text: string, before: string[] | undefined) => [...(before ?? []), text],
      ),
    )
    .option('--json', 'print one JSON object')
    .action((first: string, second: string | undefined, options: ExplainOptions) => {
      result.exitCode = explain(first, second ?? first, options, io);
    });
}

function explain(first: string, second: string, options: ExplainOptions, io: CommandIo): ExitCode {
  const { formulations = [], seconds, tolerance } = options;
  const simulations = [first, second].map((file, i) => open(file, formulations[i] ?? formulations[0], options));
  const [one, two] = simulations as [Simulation, Simulation];
  const fields = listModelDifferences(one.model, two.model);
  if (one.model.size.body !== two.model.size.body || one.model.size.softVertex !== two.model.size.softVertex)
    return report(fields, undefined, 'bodies differ in number, so motions were not compared', options, io);
  if (one.timestep !== two.timestep)
    return report(
      fields,
      undefined,
      'time steps differ, so motions were not compared; --set timestep=0.002 makes them equal',
      options,
      io,
    );
  const found = findFirstDifference(one, two, countSteps(seconds, one.timestep), tolerance);
  const words = found
    ? undefined
    : `the motions are the same within ${formatShort(tolerance)} m for ${formatShort(seconds)} s`;
  return report(fields, found, words, options, io);
}

function open(argument: string, formulation: FormulationId | undefined, options: ExplainOptions): Simulation {
  return statSync(argument, { throwIfNoEntry: false })?.isDirectory()
    ? openRun(argument, options)
    : openFile(argument, formulation, options);
}

/** A recorded run at its start, as it was. */
function openRun(folder: string, { formulations, coordinates, set }: ExplainOptions): Simulation {
  const { start, inputs } = readRecordedRun(folder);
  if (formulations || coordinates || set)
    throw new NexdynError('invalid-argument', 'a recorded run has its own options', {
      file: folder,
      hint: 'leave out --formulations, --coordinates and --set, or give the file of the scene',
    });
  if (inputs.length > 0)
    throw new NexdynError('invalid-argument', 'the run has recorded inputs, which explain does not repeat', {
      file: folder,
      hint: 'give the file of the scene',
    });
  return start;
}

function openFile(argument: string, formulation: FormulationId | undefined, options: ExplainOptions): Simulation {
  const loaded = loadSceneFile(argument);
  const scene = overrideScene(loaded.scene, options.set ? { set: options.set } : {});
  const { coordinates } = options;
  const chosen = readCompileOptions({ ...(formulation && { formulation }), ...(coordinates && { coordinates }) });
  const simulation = openSimulation(loaded.file, compileSceneFile({ file: loaded.file, scene }, chosen));
  if (simulation.model.size.body < 2 && simulation.model.size.softVertex === 0)
    throw new NexdynError('invalid-argument', `nothing moves in ${argument}`, { hint: 'give a scene with bodies' });
  // from where nexdyn run starts
  simulation.reset(chooseKeyframe(simulation.model, undefined));
  return simulation;
}

function report(
  fields: readonly FieldDifference[],
  found: FirstDifference | undefined,
  words: string | undefined,
  options: ExplainOptions,
  io: CommandIo,
): ExitCode {
  if (options.json) io.writeData(`${JSON.stringify({ fields, difference: found ?? null, note: words ?? null })}\n`);
  else
    io.writeData(
      [...describeFields(fields), ...(found ? describeDifference(found) : []), ...(words ? [words] : [])]
        .map((line) => `${escapeName(line)}\n`)
        .join(''),
    );
  return fields.length === 0 && !found ? EXIT.ok : EXIT.different;
}

function describeFields(fields: readonly FieldDifference[]): string[] {
  if (fields.length === 0) return ['the models are the same'];
  const lines = fields.slice(0, MOST).map(({ field, first, second }) => `  ${field}: ${first} and ${second}`);
  const rest = fields.length > MOST ? [`  and ${fields.length - MOST} more (--json lists all)`] : [];
  return [`the models differ in ${formatCount(fields.length, 'field')}:`, ...lines, ...rest];
}

function describeDifference({ step, time, distance, body, pairs, solvers }: FirstDifference): string[] {
  const [one, two] = solvers;
  const ends = [one, two].map(
    ({ status, iterations, residual }) => `${status} after ${iterations} iterations, residual ${formatShort(residual)}`,
  );
  const lines = pairs.slice(0, MOST).map(({ pair, gap, force }) => {
    const [a, b] = [0, 1].map((k) =>
      force[k] === undefined ? 'no contact' : `${formatShort(force[k])} N at a gap of ${formatShort(gap[k])} m`,
    );
    return `  ${pair}: ${a} and ${b}`;
  });
  return [
    `the motions are apart from step ${step} on (${formatShort(time)} s): ${body} by ${formatShort(distance)} m`,
    `the solvers ended: ${ends[0]}; ${ends[1]}`,
    ...(pairs.length > 0
      ? ['contacts of that step, those that differ most first:', ...lines]
      : ['nothing touched in that step']),
  ];
}
