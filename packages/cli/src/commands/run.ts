import { type Coordinates, DeepContacts, type Model, NexdynError } from '@nexdyn/engine';
import { describeRepair } from '@nexdyn/engine/geometry';
import {
  countFrameNumbers,
  createRecorder,
  formatHashes,
  HASH_FILE,
  type ReadLimits,
  writeSceneJson,
} from '@nexdyn/formats';
import { type Command, Option } from 'commander';
import { openCacheFolder } from '../cache-folder.ts';
import type { CommandIo } from '../command-io.ts';
import { formatCount } from '../counted-noun.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { chooseKeyframe } from '../keyframe-choice.ts';
import {
  createLimitOption,
  createModelOptions,
  createObjectsOption,
  createPackagesOption,
  createRootOption,
  parseCount,
  parseNonNegative,
  parsePositive,
  parseThreads,
  readCompileOptions,
  readSimulationOptions,
} from '../option-values.ts';
import { MANIFEST_FILE } from '../output/folder-owner.ts';
import { reportLeftovers } from '../output/leftovers.ts';
import { checkOutputFolder, writeOutputFolder } from '../output/output-folder.ts';
import type { CommandResult } from '../program.ts';
import { createProgress } from '../progress.ts';
import { measureBalance } from '../run/balance.ts';
import {
  hashFile,
  identifyRun,
  locateCheckpoint,
  parseInterval,
  readCheckpoint,
  removeCheckpoint,
  writeCheckpoint,
} from '../run/checkpoint.ts';
import { describeContradictions, describeOpen } from '../run/contradiction-list.ts';
import { describeDeepContacts } from '../run/deep-contact-list.ts';
import { checkPictureChoice, FramePictures, type PictureChoice, parseSize } from '../run/frame-pictures.ts';
import { createManifest, hashScene, SCENE_COPY } from '../run/manifest.ts';
import { createProblemDump, nameProblemFile } from '../run/problem-dump.ts';
import {
  listRecordingFiles,
  parseFormats,
  RECORDING_FORMATS,
  type RecordingFormat,
  writeRecording,
} from '../run/recording-files.ts';
import { describeRefusal } from '../run/refusal-report.ts';
import { planRun } from '../run/run-plan.ts';
import { type RunOutcome, type RunStatus, stepThrough } from '../run/stepping.ts';
import { createSummary, formatNumber, formatSummary } from '../run/summary.ts';
import { compileSceneFile, loadSceneFile, openSimulation } from '../scene-file.ts';
import { type OverrideOptions, overrideScene } from '../scene-overrides.ts';
import { escapeName } from '../terminal-text.ts';
import { reportUnsupported } from '../unsupported-report.ts';
import { VERSION } from '../version.ts';

interface RunOptions extends OverrideOptions, PictureChoice {
  maxStepTime?: number;
  threads?: number;
  seconds: number;
  coordinates?: Coordinates;
  dt?: number;
  out?: string;
  format: RecordingFormat[];
  keyframe?: string;
  every?: number;
  checkpoint?: number;
  resume?: boolean;
  import?: string[];
  dumpProblem?: number;
  allowOutside?: boolean;
  root?: string;
  objects?: 'all' | 'first';
  cache?: string;
  packagePath?: string[];
  limit?: Partial<ReadLimits>;
  strictMeshes?: boolean;
  json?: boolean;
  quiet?: boolean;
}

const EXIT_OF_STATUS: Record<RunStatus, ExitCode> = {
  completed: EXIT.ok,
  'not-converged': EXIT.notConverged,
  diverged: EXIT.diverged,
  unstable: EXIT.diverged,
  'timed-out': EXIT.diverged,
  interrupted: EXIT.interrupted,
};

export function addRunCommand(program: Command, io: CommandIo, result: CommandResult): void {
  const command = program
    .command('run')
    .description('Simulate a scene and write the results.')
    .argument('<file>', 'MJCF (.xml), URDF or JSON file, or the name of a gallery scene')
    .option('--seconds <time>', 'simulated time', parseNonNegative, 5);
  for (const option of createModelOptions()) command.addOption(option);
  command
    .option('--out <folder>', 'write manifest, summary, frames and the files for nexdyn replay into a new folder')
    .addOption(
      new Option('--format <names>', `formats of the frames, separated by commas: ${RECORDING_FORMATS.join(', ')}`)
        .argParser(parseFormats)
        .default(['npz', 'csv'] satisfies RecordingFormat[], 'npz,csv'),
    )
    .option('--force', 'replace the --out folder if NexDyn wrote it; other files in it are kept')
    .option('--frames <folder>', 'also write pictures, frame-00000.png and so on')
    .option(
      '--camera <name>',
      'camera of the scene that takes them, by name or number (default: the view of the scene)',
    )
    .option(
      '--size <width>x<height>',
      'size of the pictures in pixels (default: that of the camera, else 640x480)',
      parseSize,
    )
    .option('--fps <rate>', 'pictures per simulated second', parsePositive, 30)
    .option('--sites', 'also draw sites')
    .option('--keyframe <name>', 'start from a keyframe, by name or number, or none (default: the first, if any)')
    .option('--every <steps>', 'steps between two frames (default: 1, or more in runs of over 10000 steps)', parseCount)
    .option(
      '--checkpoint <time>',
      'write a checkpoint beside the --out folder at this interval, as in 60s',
      parseInterval,
    )
    .option('--resume', 'continue from the checkpoint, if there is one, with the same results')
    .option('--dump-problem <step>', 'also write the contact problem of a step, for nexdyn solve (ccp)', parseCount)
    .option(
      '--max-step-time <seconds>',
      'give up a step that takes longer (default: the scene decides, else 60)',
      parsePositive,
    )
    .option('--threads <number>', 'threads that share the work of large steps, with the same results', parseThreads, 1)
    .addOption(createRootOption())
    .addOption(createPackagesOption())
    .addOption(createObjectsOption())
    .option(
      '--cache <folder>',
      'keep convex hulls of meshes in a folder, so that the next run with the same meshes starts faster',
    )
    .option('--allow-outside', 'allow the model to refer to files outside its folder')
    .addOption(createLimitOption())
    .option('--strict-meshes', 'reject meshes with degenerate triangles, which are otherwise dropped and listed')
    .option('--json', 'print the summary as one JSON object')
    .option('--quiet', 'no progress')
    .action(async (file: string, options: RunOptions) => {
      result.exitCode = await runScene(file, options, io);
    });
}

async function runScene(argument: string, options: RunOptions, io: CommandIo): Promise<ExitCode> {
  // everything that can be wrong is found before the first step
  checkPictureChoice(options);
  if (options.out !== undefined) {
    reportLeftovers(options.out, io);
    checkOutputFolder(options.out, options, listFiles(options));
  } else if (options.dumpProblem !== undefined) {
    throw new NexdynError('invalid-argument', '--dump-problem has no folder to write to', {
      hint: 'add --out <folder>',
    });
  } else if (options.checkpoint !== undefined || options.resume) {
    throw new NexdynError('invalid-argument', 'a checkpoint belongs to a folder of results', {
      hint: 'add --out <folder>',
    });
  }
  const { file, scene, unsupported } = loadSceneFile(argument, options);
  reportUnsupported(unsupported, io);
  const effective = overrideScene(scene, options);
  const cache = options.cache === undefined ? undefined : openCacheFolder(options.cache);
  const model = compileSceneFile({ file, scene: effective }, readCompileOptions(options), cache);
  const { threads = 1 } = options;
  const shared = threads > 1 ? { threads: (await import('@nexdyn/batch')).stepThreads(threads) } : {};
  const simulation = openSimulation(file, model, { ...readSimulationOptions(model, options), ...shared });
  const keyframe = chooseKeyframe(model, options.keyframe);
  simulation.reset(keyframe);
  if (options.keyframe === undefined && keyframe !== null) {
    io.writeMessage(`starts from keyframe ${JSON.stringify(keyframe)}; --keyframe none starts from the initial pose\n`);
  }
  if (model.tautLink > 0) io.writeMessage(`${describeTautLink(model)}\n`);
  const { unresolved } = simulation;
  for (const item of unresolved) io.writeMessage(`not resolved: ${describeUnresolved(item)}\n`);
  model.soft.repair.forEach((repair, n) => {
    if (repair) io.writeMessage(`${escapeName(model.soft.name[n]!) || `soft body ${n}`}: ${describeRepair(repair)}\n`);
  });
  const dump = options.dumpProblem === undefined ? undefined : createProblemDump(simulation, options.dumpProblem);
  const plan = planRun(
    options.seconds,
    model.options.timestep,
    options.out ? countFrameNumbers(model) : 0,
    options.every,
  );

  // the run
  simulation.prepareState();
  simulation.forward();
  let startTime = simulation.time;
  let startEnergy = { ...simulation.energy() };
  const recorder = options.out === undefined ? undefined : createRecorder(model, plan.frames);
  const { coordinates, options: chosen } = model;
  const identity = identifyRun([
    VERSION,
    hashScene(effective),
    coordinates,
    chosen.formulation,
    chosen.timestep,
    plan,
    keyframe,
    (options.import ?? []).map(hashFile),
  ]);
  const checkpointFile = locateCheckpoint(options.out ?? '');
  const before = options.resume ? readCheckpoint(checkpointFile, identity) : undefined;
  if (before && recorder) {
    recorder.load(before.frames);
    simulation.restore(before.state);
    ({ startTime, startEnergy } = before);
    io.writeMessage(`continues from the checkpoint at ${formatNumber(simulation.time)} s\n`);
  }
  const saver =
    options.checkpoint === undefined || !recorder
      ? undefined
      : {
          interval: options.checkpoint,
          save: (outcome: RunOutcome) =>
            writeCheckpoint(checkpointFile, identity, {
              state: simulation.snapshot(),
              outcome,
              startTime,
              startEnergy,
              frames: recorder.save(),
            }),
        };
  const { frames } = options;
  const pictures = frames === undefined ? undefined : new FramePictures(simulation, { ...options, frames });
  const interrupt = listenForInterrupt();
  const progress = createProgress(io, options.quiet === true);
  const outcome = await stepThrough(simulation, plan, {
    ...(recorder && { recorder }),
    ...(dump && { dump }),
    ...(saver && { saver }),
    ...(pictures && { pictures }),
    ...(before && { from: before.outcome }),
    deep: new DeepContacts(simulation),
    progress,
    signal: interrupt.signal,
  });

  simulation.dispose();

  // the result
  const hasEnded = outcome.status === 'completed' || outcome.status === 'not-converged';
  const balance = hasEnded ? measureBalance(simulation) : undefined;
  const summary = createSummary(simulation, { outcome, startTime, startEnergy, unresolved, unsupported, balance });
  if (options.out !== undefined && recorder) {
    const files = {
      'summary.json': formatJson(summary),
      [SCENE_COPY]: writeSceneJson(effective),
      [HASH_FILE]: formatHashes(recorder.hashes),
      ...(await writeRecording(model, recorder, options.format, io)),
      ...(dump?.file && { [dump.file.name]: dump.file.text }),
    };
    const describe = (digests: Readonly<Record<string, string>>): string =>
      formatJson(
        createManifest(scene, model, {
          file,
          seconds: options.seconds,
          plan,
          keyframe,
          effective,
          files: digests,
        }),
      );
    const kept = writeOutputFolder(options.out, files, describe, options);
    if (kept.length > 0) io.writeMessage(`kept in ${options.out}: ${escapeName(kept.join(', '))}\n`);
    if (outcome.status !== 'interrupted' && (saver || before)) removeCheckpoint(checkpointFile);
    if (dump && !dump.file) io.writeMessage(`no problem written: the run ended before step ${options.dumpProblem}\n`);
  }
  interrupt.stop();
  if (pictures) io.writeMessage(`${formatCount(pictures.count, 'picture')} written to ${frames}\n`);
  if (outcome.unconvergedSteps > 0) io.writeMessage(formatUnconverged(outcome));
  const { stableStep = Infinity } = outcome;
  if (chosen.timestep > stableStep)
    io.writeMessage(formatBeyondStable(chosen.formulation, chosen.timestep, stableStep));
  if (outcome.contradiction) io.writeMessage(`${escapeName(describeContradictions(outcome.contradiction))}\n`);
  if (outcome.open) io.writeMessage(`${escapeName(describeOpen(outcome.open))}\n`);
  if (outcome.deepContacts) io.writeMessage(`${escapeName(describeDeepContacts(outcome.deepContacts))}\n`);
  for (const { attachment, time } of outcome.broken ?? [])
    io.writeMessage(`attachment ${escapeName(attachment)} broke at ${time.toFixed(4)} s\n`);
  if (EXIT_OF_STATUS[outcome.status] === EXIT.diverged)
    io.writeMessage(`${outcome.status}: ${escapeName(describeRefusal(outcome, simulation.time))}\n`);
  io.writeData(options.json ? `${JSON.stringify(summary)}\n` : formatSummary(summary));
  return EXIT_OF_STATUS[outcome.status];
}

/** Names of the files that a run will write. */
function listFiles({ format, dumpProblem }: RunOptions): string[] {
  const problem = dumpProblem === undefined ? [] : [nameProblemFile(dumpProblem)];
  return ['summary.json', SCENE_COPY, HASH_FILE, MANIFEST_FILE, ...listRecordingFiles(format), ...problem];
}

/** Contacts are not resolved, but they are found: say how to see them. */
function describeTautLink({ body, tautLink }: Model): string {
  const name = body.name[tautLink];
  const link = name ? escapeName(name) : `body ${tautLink}`;
  return `joint coordinates: for body coordinates ${link} carries too much at this time step (--coordinates body uses them all the same)`;
}

function describeUnresolved(part: string): string {
  return part === 'contacts' ? 'contacts (detected only; nexdyn inspect --contacts lists them)' : part;
}

/** Springs that a step does not resolve gain energy; the run may still look right for a while. */
function formatBeyondStable(formulation: string, timestep: number, stable: number): string {
  const cure = `choose --dt ${Number(stable.toPrecision(2))}, or softer contacts by --set ${formulation}.stiffness=...`;
  return `warning: the time step of ${formatNumber(timestep)} s is beyond the stable step of ${formatNumber(stable)} s of ${formulation}; ${cure}\n`;
}

/** Steps that ended early are taken and counted; whether that matters is for the user to say. */
function formatUnconverged({ unconvergedSteps, steps, statuses, worstResidual }: RunOutcome): string {
  const limit = statuses['iteration-limit'];
  const parts = [
    ...(limit > 0 ? [`${limit} at the iteration limit`] : []),
    ...(statuses.stalled > 0 ? [`${statuses.stalled} stalled`] : []),
    ...(statuses.infeasible > 0 ? [`${statuses.infeasible} infeasible`] : []),
  ];
  const share = `${unconvergedSteps} of ${steps} steps did not converge`;
  return `${share}: ${parts.join(', ')}; largest residual ${formatNumber(worstResidual)}\n`;
}

function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
