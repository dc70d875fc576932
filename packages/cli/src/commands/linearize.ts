import { writeFileSync } from 'node:fs';
import { NexdynError } from '@nexdyn/engine';
import { type DerivativeCheck, type Linearization, linearize, type Side } from '@nexdyn/engine/derivatives';
import { type ReadLimits, writeNpzArrays } from '@nexdyn/formats';
import { type Command, Option } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { EXIT } from '../exit-code.ts';
import { chooseKeyframe } from '../keyframe-choice.ts';
import { findControllableRank } from '../linearize/controllability.ts';
import { type Complex, findEigenvalues } from '../linearize/eigenvalues.ts';
import { createLimitOption, createModelOptions, parseWhole, readCompileOptions } from '../option-values.ts';
import type { CommandResult } from '../program.ts';
import { formatNumber } from '../run/summary.ts';
import { compileSceneFile, loadSceneFile, openSimulation } from '../scene-file.ts';
import { type OverrideOptions, overrideScene } from '../scene-overrides.ts';
import { escapeName } from '../terminal-text.ts';
import { reportUnsupported } from '../unsupported-report.ts';

interface LinearizeCommandOptions extends OverrideOptions {
  at?: string;
  steps: number;
  parameters?: string[];
  method: 'implicit' | 'difference';
  side: Side;
  check?: boolean;
  out?: string;
  limit?: Partial<ReadLimits>;
  json?: boolean;
}

/** Eigenvalues that are shown. */
const MOST_SHOWN = 12;

export function addLinearizeCommand(program: Command, io: CommandIo, result: CommandResult): void {
  const command = program
    .command('linearize')
    .summary('Compute the derivatives of a step: A, B, eigenvalues, controllability.')
    .description(
      'Compute the derivatives of the next step with respect to state, controls and parameters, on the tangent space: δx⁺ = A δx + B δu + P δθ. Prints the eigenvalues of A, the rank of the states that controls can reach, and how far the derivative can be trusted. ' +
        'Exit codes: 0 ok, 2 bad file, 3 the step did not converge.',
    )
    .argument('<file>', 'MJCF (.xml), URDF or JSON file, or the name of a gallery scene')
    .option('--at <keyframe>', 'keyframe, by name or number, or none (default: the first, if any)')
    .option('--steps <count>', 'steps to take first', parseWhole, 0)
    .option(
      '--parameters <paths>',
      "also with respect to parameters, as in 'bodies.cube.mass,shapes.*.friction'",
      splitPaths,
    )
    .addOption(
      new Option('--method <name>', 'implicit function theorem, or differences of whole steps')
        .choices(['implicit', 'difference'])
        .default('implicit'),
    )
    .addOption(
      new Option('--side <name>', 'at a kink: one side of it, or the mean of both')
        .choices(['centred', 'forward', 'backward'])
        .default('centred'),
    )
    .option('--check', 'compare every entry with differences of whole steps')
    .option('--out <file>', 'write A, B and P as arrays of an .npz file');
  for (const option of createModelOptions()) command.addOption(option);
  command
    .addOption(createLimitOption())
    .option('--json', 'print one JSON object')
    .action((file: string, options: LinearizeCommandOptions) => {
      result.exitCode = linearizeScene(file, options, io);
    });
}

/** Paths with commas between. */
export function splitPaths(text: string): string[] {
  return text
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
}

function linearizeScene(argument: string, options: LinearizeCommandOptions, io: CommandIo): 0 | 3 {
  const source = loadSceneFile(argument, options);
  reportUnsupported(source.unsupported, io);
  const scene = overrideScene(source.scene, options);
  const model = compileSceneFile({ ...source, scene }, readCompileOptions(options));
  const simulation = openSimulation(source.file, model);
  simulation.reset(chooseKeyframe(model, options.at));
  if (options.steps > 0) simulation.step(options.steps);
  const found = linearize(simulation, {
    inputs: ['state', 'control', ...(options.parameters ?? [])],
    method: options.method,
    side: options.side,
    check: options.check === true,
  });
  const { A, B, P, size, names } = found;
  const eigenvalues = findEigenvalues(found.wholeA, found.wholeSize);
  const rank = findControllableRank(A, B, size);
  if (options.out !== undefined) {
    const arrays = {
      A: { shape: [size, size], data: A },
      B: { shape: [size, names.control.length], data: B },
      P: { shape: [size, names.parameter.length], data: P },
    };
    writeOut(options.out, writeNpzArrays(arrays));
  }
  const rows = (matrix: Float64Array, width: number): number[][] =>
    Array.from({ length: size }, (_, r) => [...matrix.subarray(r * width, (r + 1) * width)]);
  const { report } = found;
  io.writeData(
    options.json
      ? `${JSON.stringify({
          formulation: simulation.formulation.id,
          time: simulation.time,
          names,
          A: rows(A, size),
          B: rows(B, names.control.length),
          P: rows(P, names.parameter.length),
          eigenvalues,
          controllableRank: rank,
          report,
        })}\n`
      : formatLinearization(found, eigenvalues, rank),
  );
  return report.isConverged ? EXIT.ok : EXIT.notConverged;
}

function writeOut(file: string, bytes: Uint8Array): void {
  try {
    writeFileSync(file, bytes);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new NexdynError('invalid-argument', `cannot be written (${code ?? message})`, {
      file,
      hint: '--out FILE.npz',
    });
  }
}

function formatLinearization(found: Linearization, eigenvalues: readonly Complex[], rank: number): string {
  const { report, names, size, P } = found;
  const { modes } = report;
  const rows: [string, string][] = [
    ['state', `${size} numbers, ${names.control.length} controls, ${names.parameter.length} parameters`],
    ['method', `${report.method}; the step is ${report.status}, residual ${formatNumber(report.residual)}`],
    ['contacts', `${modes.open} open, ${modes.stick} stick, ${modes.slide} slide; ${modes.limit} limits push`],
    ['margin', `${formatNumber(report.margin)} m/s or rad/s to the next change of mode`],
    ['kinks', report.kinks.length === 0 ? 'none' : report.kinks.join(', ')],
    ['reach', `controls reach ${rank} of ${size} dimensions of the state`],
    ['spectrum', `largest |λ| ${formatNumber(Math.hypot(eigenvalues[0]?.re ?? 0, eigenvalues[0]?.im ?? 0))}`],
    ...eigenvalues.slice(0, MOST_SHOWN).map((value, k): [string, string] => [`λ ${k + 1}`, formatComplex(value)]),
  ];
  if (report.reason !== undefined) rows.splice(2, 0, ['reason', report.reason]);
  if (report.jumps.length > 0) rows.push(['jumps', report.jumps.join(', ')]);
  if (eigenvalues.length > MOST_SHOWN) rows.push(['', `and ${eigenvalues.length - MOST_SHOWN} more`]);
  names.parameter.forEach((path, c) => {
    let worst = 0;
    for (let r = 0; r < size; r++)
      if (Math.abs(P[r * names.parameter.length + c]!) > Math.abs(P[worst * names.parameter.length + c]!)) worst = r;
    rows.push([path, `most in ${names.state[worst]}: ${formatNumber(P[worst * names.parameter.length + c]!)}`]);
  });
  for (const text of report.unread) rows.push(['unread', text]);
  for (const path of report.withoutEffect) rows.push(['no effect', `${path} in this step`]);
  if (report.check) {
    rows.push(['check', describeCheck(report.method, report.check)]);
  }
  const width = Math.max(12, ...rows.map(([name]) => name.length + 2));
  return rows.map(([name, value]) => `${escapeName(name).padEnd(width)}${escapeName(value)}\n`).join('');
}

function describeCheck(method: string, check: DerivativeCheck): string {
  const { error, row, column, value, difference, doubt } = check;
  if (method === 'difference') return 'nothing to compare: these are differences of whole steps';
  const worst = `${formatNumber(error)} at most: ${row} by ${column}, ${formatNumber(value)} against ${formatNumber(difference)}`;
  return doubt === 0 ? worst : `${worst}; shorter differences change by ${formatNumber(doubt)}`;
}

function formatComplex({ re, im }: Complex): string {
  const size = Math.hypot(re, im);
  return im === 0
    ? formatNumber(re)
    : `${formatNumber(re)} ${im < 0 ? '−' : '+'} ${formatNumber(Math.abs(im))} i, |λ| ${formatNumber(size)}`;
}
