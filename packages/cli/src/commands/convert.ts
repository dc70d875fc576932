import { NexdynError } from '@nexdyn/engine';
import { type ReadLimits, writeSceneJson } from '@nexdyn/formats';
import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { createImportOption } from '../extensions.ts';
import { createLimitOption, createObjectsOption, createRootOption } from '../option-values.ts';
import { reportLeftovers } from '../output/leftovers.ts';
import { checkOutputFile, type OutputFileOptions, writeOutputFile } from '../output/output-file.ts';
import { loadSceneFile } from '../scene-file.ts';
import { reportUnsupported } from '../unsupported-report.ts';

interface ConvertOptions {
  force?: boolean;
  allowOutside?: boolean;
  root?: string;
  objects?: 'all' | 'first';
  limit?: Partial<ReadLimits>;
  strictMeshes?: boolean;
}

export function addConvertCommand(program: Command, io: CommandIo): void {
  program
    .command('convert')
    .description('Read a scene and write it as JSON.')
    .argument('<file>', 'MJCF (.xml), URDF or JSON file, or the name of a scene of the gallery')
    .argument('<output>', 'JSON file to write; - writes to stdout')
    .option('--force', 'replace the file if it is there')
    .addOption(createRootOption())
    .addOption(createObjectsOption())
    .option('--allow-outside', 'allow the model to refer to files outside its folder')
    .addOption(createImportOption())
    .addOption(createLimitOption())
    .option('--strict-meshes', 'reject meshes with degenerate triangles, which are otherwise dropped and listed')
    .option('--quiet', 'no progress')
    .action((file: string, output: string, options: ConvertOptions) => convertScene(file, output, options, io));
}

function convertScene(argument: string, output: string, options: ConvertOptions, io: CommandIo): void {
  if (output !== '-' && !/\.json$/i.test(output)) {
    throw new NexdynError('invalid-argument', `'${output}' does not end in .json`, {
      hint: 'scenes are written as JSON: choose a name that ends in .json',
    });
  }
  const replacing: OutputFileOptions = {
    option: 'output',
    force: options.force,
    forceHint: 'pass --force to replace it',
  };
  if (output !== '-') {
    reportLeftovers(output, io);
    checkOutputFile(output, replacing);
  }
  const { scene, unsupported } = loadSceneFile(argument, options);
  reportUnsupported(unsupported, io);
  const text = writeSceneJson(scene);
  if (output === '-') io.writeData(text.endsWith('\n') ? text : `${text}\n`);
  else writeOutputFile(output, text, replacing);
}
