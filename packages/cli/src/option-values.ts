import {
  type CompileOptions,
  type Coordinates,
  type FormulationId,
  type Integrator,
  listFormulations,
  type Model,
  type SimulationOptions,
} from '@nexdyn/engine';
import { DEFAULT_LIMITS, type ReadLimits } from '@nexdyn/formats';
import { InvalidArgumentError, Option } from 'commander';
import { createImportOption } from './extensions.ts';
import { suggestWord } from './spelling.ts';

// written as records, so that the compiler misses none
const COORDINATES: Record<Coordinates, true> = { joint: true, body: true };
const INTEGRATORS: Record<Integrator, true> = {
  semiImplicit: true,
  euler: true,
  implicitfast: true,
  implicit: true,
  rk4: true,
  rkmk4: true,
  midpoint: true,
  bdf2: true,
};

/** All formulations, in the order in which they are shown. */
export function listFormulationNames(): FormulationId[] {
  return listFormulations().map(({ id }) => id);
}

/** Those that a comparison runs unless it is told others: baselines are there to be asked for. */
export function listComparedNames(): FormulationId[] {
  return listFormulations()
    .filter(({ isBaseline }) => !isBaseline)
    .map(({ id }) => id);
}

/** Options that override those of the scene, shared by the commands that compile one. */
export function createModelOptions(): Option[] {
  return [
    new Option('--formulation <name>', 'contact formulation (default: the scene decides)').choices(
      listFormulationNames(),
    ),
    new Option('--coordinates <kind>', 'coordinates (default: the formulation decides)').choices(
      Object.keys(COORDINATES),
    ),
    new Option('--integrator <name>', 'integrator (default: the scene decides)').choices(Object.keys(INTEGRATORS)),
    createAccuracyOption(),
    new Option('--dt <seconds>', 'time step (default: the scene decides)').argParser(parsePositive),
    ...createOverrideOptions(),
    createImportOption(),
  ];
}

/** Limits of readers that files which the user trusts may exceed. */
export function createLimitOption(): Option {
  const names = Object.keys(DEFAULT_LIMITS).join(', ');
  return new Option('--limit <name=number>', `raise a limit for files that you trust; repeatable: ${names}`).argParser(
    (text: string, before: Partial<ReadLimits> = {}): Partial<ReadLimits> => {
      const [name = '', value = ''] = text.split('=');
      if (!Object.hasOwn(DEFAULT_LIMITS, name)) throw new InvalidArgumentError(`Limits are ${names}.`);
      const number = value.trim() === '' ? Number.NaN : Number(value);
      if (!(number >= 0)) throw new InvalidArgumentError('Give a number of 0 or more, as in samples=1e8.');
      return { ...before, [name]: number };
    },
  );
}

/** The folder that a model may read, where it is more than its own. */
export function createRootOption(): Option {
  return new Option('--root <folder>', 'the folder whose files the model may refer to (default: its own folder)');
}

/** Where ROS packages are. */
export function createPackagesOption(): Option {
  return new Option(
    '--package-path <folder>',
    'a folder of ROS packages, for package://name/...; repeatable (default: searched upwards from the file)',
  ).argParser((folder: string, before: readonly string[] = []): string[] => [...before, folder]);
}

/** Which objects of OBJ files make a mesh. */
export function createObjectsOption(): Option {
  return new Option(
    '--objects <which>',
    'objects of an OBJ file to use (default: all; in MJCF only the first, as in MuJoCo)',
  ).choices(['all', 'first']);
}

/** s: a step that takes longer hangs, as far as a user can tell. */
const MAX_STEP_TIME = 60;

/** How a command runs simulations: with a clock, so that no step hangs. */
export function readSimulationOptions(model: Model, options: { maxStepTime?: number }): SimulationOptions {
  const { maxStepTime } = model.options;
  const fallback = maxStepTime < Infinity ? maxStepTime : MAX_STEP_TIME;
  return { clock: () => performance.now(), maxStepTime: options.maxStepTime ?? fallback };
}

/** Error control in place of a time step. */
export function createAccuracyOption(): Option {
  return new Option(
    '--accuracy <error>',
    'adapt the step length to this position error (m, rad); steps never exceed the time step (default: the scene decides)',
  ).argParser(parsePositive);
}

/** What the options say to the compiler. */
export function readCompileOptions(options: {
  formulation?: FormulationId;
  coordinates?: Coordinates;
  dt?: number;
  limit?: Partial<ReadLimits>;
}): CompileOptions {
  return {
    ...(options.formulation && { formulation: options.formulation }),
    ...(options.coordinates && { coordinates: options.coordinates }),
    ...(options.dt && { timestep: options.dt }),
    ...(options.limit && { limits: options.limit }),
  };
}

/** Options that replace single options of the scene. */
function createOverrideOptions(): Option[] {
  return [
    new Option('--solver <name>', 'solver of the formulation, such as newton or cg (default: the scene decides)'),
    new Option('--cone <shape>', 'friction cone under mujoco (default: the scene decides)').choices([
      'pyramidal',
      'elliptic',
    ]),
    new Option(
      '--set <key=value>',
      'replace a value of the scene, as in mujoco.iterations=50, bodies.arm.mass=2 or shapes.*.friction=0.4; may be repeated',
    ).argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]),
  ];
}

/** The error for a value that is not allowed; a suggestion, if there is a similar value, is on a separate line. */
export function rejectChoice(word: string, allowed: readonly string[]): InvalidArgumentError {
  const suggestion = suggestWord(word, allowed);
  return new InvalidArgumentError(
    `'${word}' is not one of ${allowed.join(', ')}.${suggestion ? `\n${suggestion}` : ''}`,
  );
}

/** Several formulations, as in `sap,ccp`, or `all`. */
export function parseFormulations(text: string): FormulationId[] {
  if (text.trim() === 'all') return listFormulationNames();
  const names = text.split(',').map((name) => name.trim());
  const known = listFormulationNames();
  for (const name of names) {
    if (!known.includes(name)) throw rejectChoice(name, known);
  }
  return [...new Set(names)];
}

/** A finite number above zero. */
export function parsePositive(text: string): number {
  const value = parseNumber(text);
  if (!(value > 0)) throw new InvalidArgumentError('It must be above 0.');
  return value;
}

/** A finite number, zero or more. */
export function parseNonNegative(text: string): number {
  const value = parseNumber(text);
  if (!(value >= 0)) throw new InvalidArgumentError('It must be 0 or more.');
  return value;
}

/** A whole number, zero or more. */
export function parseWhole(text: string): number {
  const value = parseNumber(text);
  if (!Number.isSafeInteger(value) || value < 0)
    throw new InvalidArgumentError('It must be a whole number, 0 or more.');
  return value;
}

/** A whole number, one or more. */
export function parseCount(text: string): number {
  const value = parseNumber(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number, 1 or more.');
  return value;
}

/** Threads inside a step. */
export function parseThreads(text: string): number {
  const value = parseCount(text);
  if (value > 64) throw new InvalidArgumentError('It must be a whole number from 1 to 64.');
  return value;
}

/** A port of this machine; 0 lets the system choose. */
export function parsePort(text: string): number {
  const value = parseNumber(text);
  if (!Number.isInteger(value) || value < 0 || value > 65535) {
    throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  }
  return value;
}

function parseNumber(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new InvalidArgumentError('It is not a finite number.');
  return value;
}
