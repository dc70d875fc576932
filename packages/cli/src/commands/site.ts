import type { FormulationId } from '@nexdyn/engine';
import type { ReadLimits } from '@nexdyn/formats';
import { type Command, Option } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { createLimitOption, listFormulationNames } from '../option-values.ts';
import { loadSceneFile } from '../scene-file.ts';
import { overrideScene } from '../scene-overrides.ts';
import { writeSceneSite, writeWholeSite } from '../site/site.ts';
import { reportUnsupported } from '../unsupported-report.ts';

interface SiteOptions {
  scene?: string;
  formulation?: FormulationId;
  set?: string[];
  force?: boolean;
  allowOutside?: boolean;
  limit?: Partial<ReadLimits>;
}

export function addSiteCommand(program: Command, io: CommandIo): void {
  program
    .command('site')
    .summary('Write a static site: studio, documentation, gallery; or a page for one scene.')
    .description(
      'Write a site of plain files for any static host, under any path, without special headers: the studio, the documentation with running scenes, ' +
        'the gallery. Visitors can install it, and it works offline after the first visit. With --scene: a studio that opens this scene.',
    )
    .argument('<folder>', 'folder to write')
    .option('--scene <file>', 'MJCF (.xml), URDF or JSON file, or the name of a gallery scene')
    .addOption(
      new Option('--formulation <name>', 'contact formulation (default: the scene decides)').choices(
        listFormulationNames(),
      ),
    )
    .addOption(
      new Option(
        '--set <key=value>',
        'replace a value of the scene, as in bodies.arm.mass=2; may be repeated',
      ).argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]),
    )
    .option('--force', 'replace a site that NexDyn wrote there')
    .option('--allow-outside', 'allow the model to refer to files outside its folder')
    .addOption(createLimitOption())
    .action((folder: string, options: SiteOptions) => writeSite(folder, options, io));
}

async function writeSite(folder: string, options: SiteOptions, io: CommandIo): Promise<void> {
  const isForced = options.force === true;
  if (options.scene === undefined) {
    const { files, hasDocs } = await writeWholeSite(folder, isForced);
    if (!hasDocs)
      io.writeMessage(
        'The documentation is part of a clone of NexDyn, not of the installed package: the site has the studio alone.\n',
      );
    io.writeData(`${files.length} files in ${folder}\n`);
    return;
  }
  const loaded = loadSceneFile(options.scene, options);
  reportUnsupported(loaded.unsupported, io);
  const { set, formulation } = options;
  const scene = overrideScene(loaded.scene, { ...(set && { set }) });
  const chosen = formulation ? { ...scene, options: { ...scene.options, formulation } } : scene;
  const { files } = await writeSceneSite(folder, chosen, isForced);
  io.writeData(`${files.length} files in ${folder}\n`);
}
