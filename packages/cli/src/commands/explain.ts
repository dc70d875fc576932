import { statSync } from 'node:fs';
import { type FormulationId, type Model, NexdynError, type Simulation } from '@nexdyn/engine';
import type { UnsupportedItem } from '@nexdyn/formats';
import { type Command, Option } from 'commander';
import { findRoot } from '../agree/model-files.ts';
import { OwnModel } from '../agree/own-model.ts';
import { choosePeer, createPythonOption, findPython } from '../agree/peer.ts';
import { openPeerFile } from '../agree/peer-file.ts';
import type { CommandIo } from '../command-io.ts';
import { formatShort } from '../compare/compare-table.ts';
import { countSteps } from '../compare/formulation-run.ts';
import { formatCount } from '../counted-noun.ts';
import type { ExitCode } from '../exit-code.ts';
import { explainEngines } from '../explain/against-mujoco.ts';
import { type Explanation, writeEngines, writeExplanation } from '../explain/explain-report.ts';
import { type ComparedMotion, findFirstDifference } from '../explain/first-difference.ts';
import { type Mechanism, readMechanism } from '../explain/mechanism.ts';
import { listMechanismDifferences } from '../explain/mechanism-difference.ts';
import { matchMechanisms } from '../explain/mechanism-match.ts';
import { haveSameFrames, listModelDifferences, listOptionDifferences } from '../explain/model-difference.ts';
import { compareBodies, compareLinks } from '../explain/same-motion.ts';
import { chooseKeyframe } from '../keyframe-choice.ts';
import { parseFormulations, parseNonNegative, parsePositive, readCompileOptions } from '../option-values.ts';
import type { CommandResult } from '../program.ts';
import { readRecordedRun } from '../run/recorded-run.ts';
import { compileSceneFile, findSceneFile, loadSceneFile, openSimulation } from '../scene-file.ts';
import { overrideScene } from '../scene-overrides.ts';

interface ExplainOptions {
  formulations?: FormulationId[];
  coordinates?: 'joint' | 'body';
  against?: 'mujoco';
  python?: string | true;
  seconds: number;
  tolerance?: number;
  set?: string[];
  json?: boolean;
}

export function addExplainCommand(program: Command, io: CommandIo, result: CommandResult): void {
  program
    .command('explain')
    .summary('Explain why two runs differ.')
    .description(
      'Explain why two files, two recorded runs, one file under two formulations, or NexDyn and MuJoCo move differently: which fields of the compiled models differ, the first step after which bodies are apart, the gaps and forces of that step contact by contact, and how both solvers ended. Two files of one robot, as URDF and MJCF, are matched by the names of their joints. Exit codes: 0 no difference, 5 a difference.',
    )
    .argument('<first>', 'MJCF (.xml), URDF or JSON file, name of a gallery scene, or folder of nexdyn run --out')
    .argument('[second]', 'another one (default: the same)')
    .addOption(
      new Option('--against <engine>', 'compare the file with another engine, under the formulation mujoco').choices([
        'mujoco',
      ]),
    )
    .addOption(createPythonOption())
    .addOption(
      new Option(
        '--formulations <names>',
        'one for both, or two, separated by a comma (default: the scene decides)',
      ).argParser(parseFormulations),
    )
    .addOption(new Option('--coordinates <kind>', 'coordinates of both').choices(['joint', 'body']))
    .option('--seconds <time>', 'simulated time at most', parsePositive, 1)
    .option(
      '--tolerance <distance>',
      'distance up to which two runs count as equal, m (default: 1e-9; against another engine 1e-6)',
      parseNonNegative,
    )
    .addOption(
      new Option('--set <key=value>', 'replace a value of both scenes; may be repeated').argParser(
        (text: string, before: string[] | undefined) => [...(before ?? []), text],
      ),
    )
    .option('--json', 'print one JSON object')
    .action(async (first: string, second: string | undefined, options: ExplainOptions) => {
      result.exitCode = options.against
        ? await explainAgainst(first, second, options, io)
        : explain(first, second ?? first, options, io);
    });
}

function explain(first: string, second: string, options: ExplainOptions, io: CommandIo): ExitCode {
  const { formulations = [], seconds, tolerance = 1e-9 } = options;
  const simulations = [first, second].map((file, i) => open(file, formulations[i] ?? formulations[0], options));
  const [one, two] = simulations as [Simulation, Simulation];
  const hasSame = haveSameFrames(one.model, two.model) && one.model.size.softVertex === two.model.size.softVertex;
  const { motion, ...compared } = hasSame ? compareSame(one, two) : compareRobots(first, second, one, two, options);
  const unread = [...new Set([first, second].flatMap(readUnread))];
  const report: Explanation = { names: [first, second], unread, ...compared };
  if (!motion) return writeExplanation(report, options.json === true, io);
  if (one.timestep !== two.timestep) {
    const note = 'time steps differ, so motions were not compared; --set timestep=0.002 makes them equal';
    return writeExplanation({ ...report, note }, options.json === true, io);
  }
  const difference = findFirstDifference(motion, countSteps(seconds, one.timestep), tolerance);
  const same = `the motions are the same within ${formatShort(tolerance)} m for ${formatShort(seconds)} s`;
  return writeExplanation({ ...report, ...(difference ? { difference } : { note: same }) }, options.json === true, io);
}

/** What is compared before anything moves. */
type Comparison = Pick<Explanation, 'match' | 'fields' | 'note'> & { motion?: ComparedMotion };

function compareSame(one: Simulation, two: Simulation): Comparison {
  return { fields: listModelDifferences(one.model, two.model), motion: compareBodies(one, two) };
}

/** Two files whose bodies or frames differ: links and joints that are the same, by name and place. */
function compareRobots(
  first: string,
  second: string,
  one: Simulation,
  two: Simulation,
  options: ExplainOptions,
): Comparison {
  const trees = [first, second].map((file, i) => readMechanism(openTree(file, [one, two][i]!, options)));
  const [a, b] = trees as [Mechanism, Mechanism];
  const match = matchMechanisms(a, b);
  const fields = [...listOptionDifferences(one.model, two.model), ...listMechanismDifferences(a, b, match)];
  const words = `${match.joints.length} of ${formatCount(a.joints.length, 'joint')} match (${match.byName} by name); the second has ${b.joints.length}`;
  if (match.joints.length === 0)
    return {
      match: words,
      fields,
      note: 'no joints match, so motions were not compared; give the same joints the same names',
    };
  // a keyframe of one alone says nothing about the other
  const names = [one, two].map(({ model }) => model.keyframe.name[0]);
  if (names[0] === undefined || names[0] !== names[1]) for (const simulation of [one, two]) simulation.reset(null);
  const isHeld = match.links.some(([n, m]) => a.links[n]!.isWorld !== b.links[m]!.isWorld);
  const hint = isHeld
    ? '; one is fixed to the world (in URDF, a floating joint below a link named world frees it)'
    : '';
  return { match: words + hint, fields, motion: compareLinks([one, two], [a, b], match) };
}

/** The model in joint coordinates, whose joints are joints. */
function openTree(argument: string, simulation: Simulation, options: ExplainOptions): Model {
  const { model } = simulation;
  if (model.coordinates === 'joint') return model;
  const { formulation } = model.options;
  return open(argument, formulation, { ...options, coordinates: 'joint' }).model;
}

async function explainAgainst(
  file: string,
  second: string | undefined,
  options: ExplainOptions,
  io: CommandIo,
): Promise<ExitCode> {
  if (second !== undefined || options.formulations || options.coordinates || options.set)
    throw new NexdynError('invalid-argument', '--against takes one file as it is', {
      hint: 'leave out the second file, --formulations, --coordinates and --set',
    });
  const path = findSceneFile(file);
  const root = findRoot(path);
  const own = new OwnModel(path, { root }, findPython(options.python) === '');
  const peer = choosePeer(options.python);
  const { seconds, tolerance = 1e-6 } = options;
  const readable = openPeerFile(path, root);
  try {
    const found = await explainEngines({ own, peer, file: readable.file, root: readable.root }, seconds, tolerance);
    const lost = { unread: listUnread(own.unsupported), unwritten: readable.unwritten };
    return writeEngines(path, { ...found, ...lost }, { seconds, tolerance, isJson: options.json === true }, io);
  } catch (error) {
    if (error instanceof NexdynError) throw error;
    throw new NexdynError('unsupported-element', `MuJoCo does not load it: ${(error as Error).message.trim()}`, {
      file: path,
    });
  } finally {
    readable.remove();
  }
}

function open(argument: string, formulation: FormulationId | undefined, options: ExplainOptions): Simulation {
  return isRun(argument) ? openRun(argument, options) : openFile(argument, formulation, options);
}

function readUnread(argument: string): string[] {
  return isRun(argument) ? [] : listUnread(loadSceneFile(argument).unsupported);
}

function isRun(argument: string): boolean {
  return statSync(argument, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Parts of a file that are left out and change the motion. */
function listUnread(unsupported: readonly UnsupportedItem[]): string[] {
  const missing = unsupported.filter(({ affects }) => affects === 'physics');
  return [...new Set(missing.map(({ element, attribute }) => (attribute ? `${element} ${attribute}` : element)))];
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
