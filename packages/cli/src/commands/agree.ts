import { NexdynError } from '@nexdyn/engine';
import type { ReadLimits } from '@nexdyn/formats';
import { type Command, Option } from 'commander';
import { type FileAgreement, formatAgreement, formatSummary } from '../agree/agree-table.ts';
import { compareModels, nameFirstDifference } from '../agree/agreement.ts';
import { findRoot, listModelFiles } from '../agree/model-files.ts';
import { planTimes, type RecordPlan } from '../agree/model-record.ts';
import { OwnModel } from '../agree/own-model.ts';
import { choosePeer, createPythonOption, findPython, type Peer } from '../agree/peer.ts';
import { openPeerFile } from '../agree/peer-file.ts';
import type { CommandIo } from '../command-io.ts';
import { EXIT } from '../exit-code.ts';
import { createImportOption } from '../extensions.ts';
import { createLimitOption, createRootOption, parsePositive, parseWhole } from '../option-values.ts';
import type { CommandResult } from '../program.ts';
import { createProgress } from '../progress.ts';
import { findSceneFile } from '../scene-file.ts';
import { escapeName } from '../terminal-text.ts';

interface AgreeOptions {
  against: 'mujoco';
  python?: string | true;
  time: number;
  random?: number;
  root?: string;
  limit?: Partial<ReadLimits>;
  json?: boolean;
  quiet?: boolean;
}

export function addAgreeCommand(program: Command, io: CommandIo, result: CommandResult): void {
  program
    .command('agree')
    .description(
      'Compare a model with MuJoCo: sizes, masses, contacts, forces, sensors and motion, and name the first difference.',
    )
    .argument('<files...>', 'MJCF, URDF or JSON files, or folders whose MJCF files are all compared')
    .addOption(new Option('--against <engine>', 'the other engine').choices(['mujoco']).default('mujoco'))
    .addOption(createPythonOption())
    .option('--time <seconds>', 'how long to simulate', parsePositive, 1)
    .option('--random <seed>', 'hold random controls instead of those of the first keyframe', parseWhole)
    .addOption(createRootOption())
    .addOption(createImportOption())
    .addOption(createLimitOption())
    .option('--json', 'print one JSON object per file and line')
    .option('--quiet', 'no progress')
    .action(async (files: string[], options: AgreeOptions) => {
      result.exitCode = await agree(files, options, io);
    });
}

async function agree(
  args: readonly string[],
  options: AgreeOptions,
  io: CommandIo,
): Promise<CommandResult['exitCode']> {
  const isFolder = listModelFiles(args).length !== args.length;
  const files = isFolder ? listModelFiles(args) : args.map((argument) => findSceneFile(argument));
  if (files.length === 0) {
    throw new NexdynError('file-not-found', 'there is no MJCF file in the folder', { hint: 'check the path' });
  }
  const peer = choosePeer(options.python);
  const plan: RecordPlan = {
    times: planTimes(options.time),
    ...(options.random !== undefined && { seed: options.random }),
  };
  const entries: FileAgreement[] = [];
  const progress = createProgress(io, options.quiet === true || files.length === 1);
  for (const [k, file] of files.entries()) {
    progress.update(k / files.length, file);
    const entry = await compareFile(file, peer, plan, options);
    entries.push(entry);
    if (options.json) io.writeData(`${JSON.stringify(entry)}\n`);
  }
  progress.finish();
  if (!options.json) io.writeData(entries.length === 1 ? formatEntry(entries[0]!) : formatSummary(entries));
  const refused = entries.some(
    ({ refusedHere, refusedThere }) => refusedHere !== undefined && refusedThere === undefined,
  );
  if (refused) return EXIT.badScene;
  return entries.some(({ agreement }) => agreement && nameFirstDifference(agreement) !== '') ? EXIT.different : EXIT.ok;
}

async function compareFile(file: string, peer: Peer, plan: RecordPlan, options: AgreeOptions): Promise<FileAgreement> {
  const root = options.root ?? findRoot(file);
  const entry: FileAgreement = { file, unsupported: [] };
  let own: OwnModel | undefined;
  try {
    const isOld = findPython(options.python) === '';
    own = new OwnModel(file, { root, ...(options.limit && { limit: options.limit }) }, isOld);
    const missing = own.unsupported.filter(({ affects }) => affects === 'physics');
    entry.unsupported = missing.map(({ element, attribute }) => (attribute ? `${element} ${attribute}` : element));
  } catch (error) {
    entry.refusedHere = (error as Error).message;
  }
  const readable = own && openPeerFile(file, root);
  try {
    const record = await peer(readable?.file ?? file, readable?.root ?? root, plan);
    if (own) entry.agreement = compareModels(own, record, plan);
  } catch (error) {
    if (error instanceof NexdynError && error.code === 'invalid-argument') throw error;
    // a step that fails here is no failure of the other engine
    if (error instanceof NexdynError) entry.refusedHere = error.message;
    else entry.refusedThere = (error as Error).message.trim();
  } finally {
    readable?.remove();
  }
  return entry;
}

function formatEntry({ file, refusedHere, refusedThere, agreement }: FileAgreement): string {
  if (refusedHere !== undefined) return `${escapeName(`${file} does not load here: ${refusedHere}`)}\n`;
  if (refusedThere !== undefined) return `${escapeName(`${file} does not load in MuJoCo: ${refusedThere}`)}\n`;
  const first = nameFirstDifference(agreement!);
  const verdict = first === '' ? 'no difference' : `first difference: ${escapeName(first)}`;
  return `${escapeName(file)}: NexDyn and ${agreement!.engine}\n\n${formatAgreement(agreement!)}\n${verdict}\n`;
}
