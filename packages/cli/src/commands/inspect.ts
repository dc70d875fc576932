import {
  type Contact,
  type ContactForce,
  type Coordinates,
  DEFAULT_FORMULATION,
  NexdynError,
  type Simulation,
} from '@nexdyn/engine';
import type { ReadLimits } from '@nexdyn/formats';
import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { formatContacts } from '../inspect/contact-report.ts';
import { formatFacts } from '../inspect/facts-report.ts';
import { collectFacts } from '../inspect/scene-facts.ts';
import { chooseKeyframe } from '../keyframe-choice.ts';
import {
  createLimitOption,
  createModelOptions,
  createObjectsOption,
  createPackagesOption,
  createRootOption,
  readCompileOptions,
} from '../option-values.ts';
import { compileSceneFile, loadSceneFile, openSimulation } from '../scene-file.ts';
import { type OverrideOptions, overrideScene } from '../scene-overrides.ts';
import { reportUnsupported } from '../unsupported-report.ts';

interface InspectOptions extends OverrideOptions {
  contacts?: boolean;
  coordinates?: Coordinates;
  dt?: number;
  keyframe?: string;
  allowOutside?: boolean;
  root?: string;
  objects?: 'all' | 'first';
  packagePath?: string[];
  limit?: Partial<ReadLimits>;
  strictMeshes?: boolean;
  json?: boolean;
}

export function addInspectCommand(program: Command, io: CommandIo): void {
  const command = program
    .command('inspect')
    .description('Show sizes, masses and the tree of a scene, and unsupported elements of the file.')
    .argument('<file>', 'MJCF (.xml), URDF or JSON file, or the name of a gallery scene')
    .option('--contacts', 'also list where shapes touch at the start, with the forces there');
  for (const option of createModelOptions()) command.addOption(option);
  command
    .option('--keyframe <name>', 'contacts of a keyframe, by name or number, or none (default: the first, if any)')
    .addOption(createRootOption())
    .addOption(createPackagesOption())
    .addOption(createObjectsOption())
    .option('--allow-outside', 'allow the model to refer to files outside its folder')
    .addOption(createLimitOption())
    .option('--strict-meshes', 'reject meshes with degenerate triangles, which are otherwise dropped and listed')
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
  const scene = overrideScene(source.scene, options);
  // sizes are those of the file: joint coordinates, whatever the formulation would choose
  const compile = { ...readCompileOptions(options), coordinates: 'joint', formulation: DEFAULT_FORMULATION } as const;
  const model = compileSceneFile({ ...source, scene }, compile);
  const facts = collectFacts(model, { ...source, scene, formulation: options.formulation });
  if (!options.contacts) {
    io.writeData(options.json ? `${JSON.stringify(facts)}\n` : formatFacts(facts));
    return;
  }

  // contacts of the state in which a run would start, under the formulation that would run
  const chosen = compileSceneFile({ ...source, scene }, readCompileOptions(options));
  const simulation = openSimulation(source.file, chosen);
  const keyframe = chooseKeyframe(model, options.keyframe);
  simulation.reset(keyframe);
  const formulation = simulation.formulation.id;
  const contacts = findContacts(simulation);
  io.writeData(
    options.json
      ? `${JSON.stringify({ ...facts, keyframe, formulation, contacts })}\n`
      : `${formatFacts(facts)}\n${formatContacts(contacts, { keyframe, formulation })}`,
  );
}

/** With forces, where the formulation resolves them. */
function findContacts(simulation: Simulation): Contact[] | ContactForce[] {
  if (!simulation.formulation.usesContacts) return simulation.contacts();
  simulation.forward();
  return simulation.contactForces();
}
