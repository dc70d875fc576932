import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { formatFacts } from '../inspect/facts-report.ts';
import { collectFacts } from '../inspect/scene-facts.ts';
import { compileSceneFile, loadSceneFile } from '../scene-file.ts';
import { reportUnsupported } from '../unsupported-report.ts';

interface InspectOptions {
  allowOutside?: boolean;
  json?: boolean;
}

export function addInspectCommand(program: Command, io: CommandIo): void {
  program
    .command('inspect')
    .description('Show sizes, masses and the tree of a scene, and what of the file is not supported.')
    .argument('<file>', 'MJCF (.xml), URDF or JSON file, or the name of a scene that comes with NexDyn')
    .option('--allow-outside', 'let the model refer to files outside its folder')
    .option('--json', 'print one JSON object')
    .option('--quiet', 'no progress')
    .action((file: string, options: InspectOptions) => inspectScene(file, options, io));
}

function inspectScene(argument: string, options: InspectOptions, io: CommandIo): void {
  const source = loadSceneFile(argument, options);
  reportUnsupported(source.unsupported, io);
  // sizes are those of the file: joint coordinates, whatever the formulation would choose
  const model = compileSceneFile(source, { coordinates: 'joint', formulation: 'mujoco' });
  const facts = collectFacts(model, source);
  io.writeData(options.json ? `${JSON.stringify(facts)}\n` : formatFacts(facts));
}
