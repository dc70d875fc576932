import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { NexdynError, type Simulation } from '@nexdyn/engine';
import { type Fit, fit, linearize, type RecordedMotion } from '@nexdyn/engine/derivatives';
import { type ReadLimits, readNpz } from '@nexdyn/formats';
import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { EXIT } from '../exit-code.ts';
import { formatFitReport } from '../fit/fit-report.ts';
import { chooseKeyframe } from '../keyframe-choice.ts';
import { createLimitOption, createModelOptions, parseCount, readCompileOptions } from '../option-values.ts';
import { checkOutputFile, type OutputFileOptions, writeOutputFile } from '../output/output-file.ts';
import type { CommandResult } from '../program.ts';
import { formatNumber } from '../run/summary.ts';
import { compileSceneFile, loadSceneFile, openSimulation } from '../scene-file.ts';
import { type OverrideOptions, overrideScene } from '../scene-overrides.ts';
import { escapeName } from '../terminal-text.ts';
import { reportUnsupported } from '../unsupported-report.ts';
import { splitPaths } from './linearize.ts';

interface FitCommandOptions extends OverrideOptions {
  data: string;
  parameters: string[];
  bound?: Record<string, [number, number]>;
  iterations: number;
  at?: string;
  report?: string;
  force?: boolean;
  limit?: Partial<ReadLimits>;
  json?: boolean;
}

export function addFitCommand(program: Command, io: CommandIo, result: CommandResult): void {
  const command = program
    .command('fit')
    .summary('Fit parameters of a scene to a recorded motion.')
    .description(
      'Fit parameters of a scene to a recorded motion by Gauss-Newton: masses, friction, gains, damping and other numbers, so that ' +
        'positions at the recorded times agree. Prints values with standard errors and 95 % intervals, and combinations of parameters that the data cannot tell apart. A parameter that does not affect the motion is an error. ' +
        'Exit codes: 0 converged, 1 wrong usage, 2 bad file, 3 not converged.',
    )
    .argument('<file>', 'MJCF (.xml), URDF or JSON file, or the name of a gallery scene')
    .requiredOption(
      '--data <run.npz>',
      'recording with arrays time and position; velocity and control if known; or the folder of a run',
    )
    .requiredOption('--parameters <paths>', "as in 'shapes.*.friction,bodies.cube.mass'", splitPaths)
    .option('--bound <path=low:high>', 'bounds of a parameter; may be repeated', parseBound)
    .option('--iterations <count>', 'largest number of iterations', parseCount, 30)
    .option('--at <keyframe>', 'keyframe for values the data leaves out (default: the first, if any)');
  for (const option of createModelOptions()) command.addOption(option);
  command
    .addOption(createLimitOption())
    .option('--report <file>', 'write a page with residuals, intervals and what the data determines')
    .option('--force', 'replace any existing --report file')
    .option('--json', 'print one JSON object')
    .action((file: string, options: FitCommandOptions) => {
      result.exitCode = fitScene(file, options, io);
    });
}

function parseBound(text: string, before: Record<string, [number, number]> = {}): Record<string, [number, number]> {
  const [, path, low, high] = /^([^=]+)=([^:]*):([^:]*)$/.exec(text) ?? [];
  const read = (word: string | undefined, empty: number): number => (word === '' ? empty : Number(word));
  const bounds: [number, number] = [read(low, -Infinity), read(high, Infinity)];
  if (path === undefined || bounds.some(Number.isNaN) || bounds[0] > bounds[1]) {
    throw new NexdynError('invalid-argument', `'--bound ${text}' is not path=low:high`, {
      hint: 'as in --bound shapes.*.friction=0:2; one side may be empty',
    });
  }
  return { ...before, [path.trim()]: bounds };
}

function fitScene(argument: string, options: FitCommandOptions, io: CommandIo): 0 | 3 {
  const source = loadSceneFile(argument, options);
  reportUnsupported(source.unsupported, io);
  const scene = overrideScene(source.scene, options);
  const model = compileSceneFile({ ...source, scene }, readCompileOptions(options));
  const simulation = openSimulation(source.file, model);
  simulation.reset(chooseKeyframe(model, options.at));
  const unknown = Object.keys(options.bound ?? {}).find((path) => !options.parameters.includes(path));
  if (unknown !== undefined) {
    throw new NexdynError('invalid-argument', `'${unknown}' has a bound and is not fitted`, {
      hint: 'name it in --parameters too',
    });
  }
  if (options.report !== undefined) checkOutputFile(options.report, chooseReplacing(options));
  const data = readMotion(options.data, options.limit);
  const found = fit(simulation, {
    parameters: options.parameters,
    data,
    iterations: options.iterations,
    ...(options.bound && { bounds: options.bound }),
  });
  if (options.report !== undefined) {
    const title = scene.name || argument.replace(/^.*[\\/]|\.[^.]*$/g, '');
    const dofs = nameDofs(simulation);
    const page = formatFitReport({ title, command: describeCommand(argument, options), found, time: data.time, dofs });
    writeOutputFile(options.report, page, chooseReplacing(options));
    io.writeMessage(`report written to ${options.report}\n`);
  }
  const { residual: _after, residualBefore: _before, ...numbers } = found;
  io.writeData(options.json ? `${JSON.stringify(numbers)}\n` : formatFit(found));
  return found.isConverged ? EXIT.ok : EXIT.notConverged;
}

/** A report may replace an earlier report. */
function chooseReplacing({ force }: FitCommandOptions): OutputFileOptions {
  const mark = /<title>[^<]*: fitted parameters<\/title>/;
  return { option: '--report', mark, force, forceHint: 'pass --force to replace it' };
}

/** Names of the dofs, in the order of residuals. */
function nameDofs(simulation: Simulation): string[] {
  const { names } = linearize(simulation, { inputs: ['control'] });
  return names.state.slice(0, simulation.state.velocity.length);
}

function describeCommand(argument: string, { data, parameters, bound = {}, set = [] }: FitCommandOptions): string {
  const bounds = Object.entries(bound).map(([path, [low, high]]) => `--bound '${path}=${low}:${high}'`);
  const replaced = set.map((text) => `--set '${text}'`);
  return [`nexdyn fit ${argument} --data ${data} --parameters '${parameters.join(',')}'`, ...bounds, ...replaced].join(
    ' ',
  );
}

/** Arrays of a recording; of a folder, those of its run. */
function readMotion(argument: string, limits: Partial<ReadLimits> | undefined): RecordedMotion {
  const isFolder = existsSync(argument) && statSync(argument).isDirectory();
  const file = isFolder ? join(argument, 'frames.npz') : argument;
  if (!existsSync(file)) {
    throw new NexdynError('file-not-found', 'there is no such file', { file, hint: 'give the .npz file of a run' });
  }
  const { time, columns } = readNpz(readFileSync(file), file, limits);
  const column = (name: string): Float64Array | undefined => columns.find((part) => part.name === name)?.data;
  const position = column('position');
  if (!position) {
    throw new NexdynError('file-unreadable', "there is no array 'position'", {
      file,
      hint: 'one row of joint positions per frame, as nexdyn run records them',
    });
  }
  const velocity = column('velocity');
  const control = column('control');
  return { time, position, ...(velocity && { velocity }), ...(control && control.length > 0 && { control }) };
}

/** Correlation of neighbouring residuals that is no noise, and the share of the residual of the start that is nothing. */
const PATTERN = 0.5;
const FITTED = 1e-3;

function formatFit(found: Fit): string {
  const width = Math.max(10, ...found.parameters.map(({ path }) => path.length)) + 2;
  const lines = found.parameters.map(({ path, start, value, error, interval, isAtBound }) => {
    const range =
      error < Infinity
        ? `± ${formatNumber(error)}, 95 % in ${formatNumber(interval[0])} to ${formatNumber(interval[1])}`
        : 'the data cannot tell';
    const bound = isAtBound ? ', at its bound' : '';
    return `${escapeName(path).padEnd(width)}${formatNumber(value)} (was ${formatNumber(start)}), ${range}${bound}\n`;
  });
  const { isConverged, iterations, rms, rmsBefore, condition, blind, pattern } = found;
  lines.push(
    `${'residual'.padEnd(width)}${formatNumber(rms)} m or rad (was ${formatNumber(rmsBefore)}) after ${iterations} iterations, ` +
      `${isConverged ? 'converged' : 'not converged'}; condition ${formatNumber(condition)}\n`,
  );
  if (pattern > PATTERN && rms > FITTED * rmsBefore) {
    const words =
      'the scene does not follow the data at these values: intervals are too narrow, and another start may end elsewhere';
    lines.push(
      `${'pattern'.padEnd(width)}residuals of neighbouring frames go together (${formatNumber(pattern)}): ${words}\n`,
    );
  }
  for (const combination of blind) {
    const parts = Object.entries(combination)
      .filter(([, share]) => Math.abs(share) > 1e-3)
      .map(([path, share]) => `${formatNumber(share)} ${path}`);
    lines.push(
      `${'blind'.padEnd(width)}relative changes of ${escapeName(parts.join(', '))} leave the motion as it is\n`,
    );
  }
  return lines.join('');
}
