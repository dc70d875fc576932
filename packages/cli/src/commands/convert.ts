import { basename, dirname, join } from 'node:path';
import { NexdynError, type Scene } from '@nexdyn/engine';
import { type ReadLimits, writeMjcf, writeSceneJson } from '@nexdyn/formats';
import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { createImportOption } from '../extensions.ts';
import { createLimitOption, createObjectsOption, createPackagesOption, createRootOption } from '../option-values.ts';
import { reportLeftovers } from '../output/leftovers.ts';
import { checkOutputFile, type OutputFileOptions, writeOutputFile } from '../output/output-file.ts';
import { loadSceneFile } from '../scene-file.ts';
import { escapeName } from '../terminal-text.ts';
import { reportUnsupported } from '../unsupported-report.ts';

interface ConvertOptions {
  force?: boolean;
  allowOutside?: boolean;
  root?: string;
  objects?: 'all' | 'first';
  packagePath?: string[];
  limit?: Partial<ReadLimits>;
  strictMeshes?: boolean;
}

export function addConvertCommand(program: Command, io: CommandIo): void {
  program
    .command('convert')
    .description('Read a scene and write it as JSON, or as MJCF that opens in MuJoCo.')
    .argument('<file>', 'MJCF (.xml), URDF or JSON file, or the name of a gallery scene')
    .argument('<output>', 'file to write: .json, or .xml for MJCF; - writes JSON to stdout')
    .option('--force', 'replace the file if it exists')
    .addOption(createRootOption())
    .addOption(createPackagesOption())
    .addOption(createObjectsOption())
    .option('--allow-outside', 'allow the model to refer to files outside its folder')
    .addOption(createImportOption())
    .addOption(createLimitOption())
    .option('--strict-meshes', 'reject meshes with degenerate triangles, which are otherwise dropped and listed')
    .option('--quiet', 'no progress')
    .action((file: string, output: string, options: ConvertOptions) => convertScene(file, output, options, io));
}

function convertScene(argument: string, output: string, options: ConvertOptions, io: CommandIo): void {
  if (output !== '-' && !/\.(json|xml)$/i.test(output)) {
    throw new NexdynError('invalid-argument', `'${output}' ends neither in .json nor in .xml`, {
      hint: 'scenes are written as JSON (.json) or as MJCF (.xml)',
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
  const text = /\.xml$/i.test(output) ? convertToMjcf(scene, output, replacing, io) : writeSceneJson(scene);
  if (output === '-') io.writeData(text.endsWith('\n') ? text : `${text}\n`);
  else writeOutputFile(output, text, replacing);
}

/** What MJCF cannot say is named, by its path in the scene; images are written beside the file. */
function convertToMjcf(scene: Scene, output: string, replacing: OutputFileOptions, io: CommandIo): string {
  const imagePrefix = `${basename(output).replace(/\.xml$/i, '')}-`;
  const { text, unwritten, images } = writeMjcf(scene, { imagePrefix });
  for (const { name, bytes } of images) writeOutputFile(join(dirname(output), name), bytes, replacing);
  for (const { path, message } of unwritten) io.writeMessage(`${escapeName(`not written ${path}: ${message}`)}\n`);
  return text;
}
