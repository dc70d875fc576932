import { NexdynError, Simulation } from '@nexdyn/engine';
import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { formatContacts } from '../inspect/contact-report.ts';
import { formatFacts } from '../inspect/facts-report.ts';
import { collectFacts } from '../inspect/scene-facts.ts';
import { chooseKeyframe } from '../keyframe-choice.ts';
import { compileSceneFile, loadSceneFile } from '../scene-file.ts';
import { reportUnsupported } from '../unsupported-report.ts';

interface InspectOptions {
  contacts?: boolean;
  keyframe?: string;
  allowOutside?: boolean;
  json?: boolean;
}

export function addInspectCommand(program: Command, io: CommandIo): void {
  program
    .command('inspect')
    .description('Show sizes, masses and the tree of a scene, and what of the file is not supported.')
    .argument('<file>', 'MJCF (.xml), URDF or JSON file, or the name of a scene that comes with NexDyn')
    .option('--contacts', 'also list where shapes touch at the start')
    .option('--keyframe <name>', 'contacts of a keyframe, by name or number, or none (default: the first, if any)')
    .option('--allow-outside', 'let the model refer to files outside its folder')
    .option('--json', 'print one JSON object')
    .option('--quiet', 'no progress')
    .action((file: string, options: InspectOptions) => inspectScene(file, options, io));
}

function inspectScene(argument: string, options: InspectOptions, io: CommandIo): void {
  if (options.keyframe !== undefined && !options.contacts) {
    throw new NexdynError('invalid-argument', '--keyframe says where to look for contacts', { hint: 'add --contacts' });
  }
  const source = loadSceneFile(argument, options);
  reportUnsupported(source.unsupported, io);
  // sizes are those of the file: joint coordinates, whatever the formulation would choose
  const model = compileSceneFile(source, { coordinates: 'joint', formulation: 'mujoco' });
  const facts = collectFacts(model, source);
  if (!options.contacts) {
    io.writeData(options.json ? `${JSON.stringify(facts)}\n` : formatFacts(facts));
    return;
  }

  // contacts of the state in which a run would start
  const simulation = new Simulation(model);
  const keyframe = chooseKeyframe(model, options.keyframe);
  simulation.reset(keyframe);
  const contacts = simulation.contacts();
  io.writeData(
    options.json
      ? `${JSON.stringify({ ...facts, keyframe, contacts })}\n`
      : `${formatFacts(facts)}\n${formatContacts(contacts, keyframe)}`,
  );
}
