import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { NexdynError } from '@nexdyn/engine';
import { writeSceneJson } from '@nexdyn/formats';
import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { loadSceneFile } from '../scene-file.ts';
import { reportUnsupported } from '../unsupported-report.ts';

interface ConvertOptions {
  allowOutside?: boolean;
}

export function addConvertCommand(program: Command, io: CommandIo): void {
  program
    .command('convert')
    .description('Read a scene and write it as JSON.')
    .argument('<file>', 'MJCF (.xml), URDF or JSON file, or the name of a scene that comes with NexDyn')
    .argument('<output>', 'JSON file to write; - writes to stdout')
    .option('--allow-outside', 'let the model refer to files outside its folder')
    .option('--quiet', 'no progress')
    .action((file: string, output: string, options: ConvertOptions) => convertScene(file, output, options, io));
}

function convertScene(argument: string, output: string, options: ConvertOptions, io: CommandIo): void {
  if (output !== '-' && !/\.json$/i.test(output)) {
    throw new NexdynError('invalid-argument', `'${output}' does not end in .json`, {
      hint: 'scenes are written as JSON: choose a name that ends in .json',
    });
  }
  const { scene, unsupported } = loadSceneFile(argument, options);
  reportUnsupported(unsupported, io);
  const text = writeSceneJson(scene);
  if (output === '-') io.writeData(text.endsWith('\n') ? text : `${text}\n`);
  else writeWhole(output, text);
}

/** Writes the file in one go; a failure leaves no half of it. */
function writeWhole(output: string, text: string): void {
  const partial = `${output}.partial-${process.pid}`;
  try {
    writeFileSync(partial, text);
    renameSync(partial, output);
  } catch (error) {
    rmSync(partial, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    throw new NexdynError('invalid-argument', `'${output}' cannot be written (${code ?? message})`, {
      hint: 'check the folder and its permissions',
    });
  }
}
