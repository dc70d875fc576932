import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type FormulationId, NexdynError, type Scene } from '@nexdyn/engine';
import { findCamera, type ReadLimits, writeSceneJson } from '@nexdyn/formats';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { createLimitOption, parseFormulations, parseNonNegative, parsePositive } from '../option-values.ts';
import { fromPackage } from '../package-folder.ts';
import type { CommandResult } from '../program.ts';
import { createProgress, type Progress } from '../progress.ts';
import { ChromiumPage } from '../render/chromium.ts';
import { loadSceneFile } from '../scene-file.ts';
import { overrideScene } from '../scene-overrides.ts';
import { serveStudio } from '../studio-server.ts';
import { reportUnsupported } from '../unsupported-report.ts';

interface RenderOptions {
  video?: string;
  frames?: string;
  formulations?: FormulationId[];
  from: number;
  seconds: number;
  fps: number;
  speed: number;
  size: [number, number];
  camera?: number[] | string;
  theme: 'dark' | 'light';
  transparent?: boolean;
  set?: string[];
  force?: boolean;
  allowOutside?: boolean;
  limit?: Partial<ReadLimits>;
  quiet?: boolean;
}

const STUDIO_FOLDER = fromPackage('../studio/dist');
/** Bytes of a film that come at once. */
const PIECE = 4_000_000;

export function addRenderCommand(program: Command, io: CommandIo, result: CommandResult): void {
  program
    .command('render')
    .summary('Render a scene to a video.')
    .description(
      'Render a scene without a window, as a video (MP4, WebM, GIF) or a sequence of PNG files, with a frame at every 1/fps of simulated time, however long the steps take to compute. Needs Chromium or Chrome on this machine (NEXDYN_CHROMIUM names another).',
    )
    .argument('<file>', 'MJCF (.xml), URDF or JSON file, or the name of a gallery scene')
    .option('--video <file>', 'video to write, .mp4, .webm or .gif')
    .option('--frames <folder>', 'folder for PNG files, frame-00000.png and so on')
    .addOption(
      new Option(
        '--formulations <names>',
        'names, separated by commas: one, or several side by side (default: the scene decides)',
      ).argParser(parseFormulations),
    )
    .option('--from <time>', 'simulated time of the first frame', parseNonNegative, 0)
    .option('--seconds <time>', 'simulated time', parsePositive, 5)
    .option('--fps <rate>', 'frames per second of the video', parsePositive, 30)
    .option('--speed <factor>', 'simulated seconds per second of video', parsePositive, 1)
    .addOption(new Option('--size <width>x<height>', 'pixels').argParser(parseSize).default([1280, 720], '1280x720'))
    .option(
      '--camera <name or numbers>',
      'a camera of the scene, or the position of the camera and of its target, m: x,y,z,x,y,z (default: the scene fits)',
      parseCamera,
    )
    .addOption(new Option('--theme <name>', 'colours').choices(['dark', 'light']).default('dark'))
    .option('--transparent', 'PNG files without ground and background')
    .addOption(
      new Option(
        '--set <key=value>',
        'replace a value of the scene, as in gravity=0,0,-1.62; may be repeated',
      ).argParser((text: string, before: string[] | undefined) => [...(before ?? []), text]),
    )
    .option('--force', 'replace existing files')
    .option('--allow-outside', 'allow the model to refer to files outside its folder')
    .addOption(createLimitOption())
    .option('--quiet', 'no progress')
    .action(async (file: string, options: RenderOptions) => {
      result.exitCode = await renderScene(file, options, io);
    });
}

async function renderScene(argument: string, options: RenderOptions, io: CommandIo): Promise<ExitCode> {
  checkOutput(options);
  const loaded = loadSceneFile(argument, options);
  reportUnsupported(loaded.unsupported, io);
  const scene = overrideScene(loaded.scene, options.set ? { set: options.set } : {});
  const progress = createProgress(io, options.quiet === true);
  const server = await serveStudio(STUDIO_FOLDER, 0);
  let page: ChromiumPage | undefined;
  try {
    const [width, height] = options.size;
    page = await ChromiumPage.open(server.url, { width, height });
    await page.waitFor('window.nexdyn && !document.querySelector(".opening")', 'the studio');
    await openScene(page, scene, options);
    if (options.video !== undefined) await writeVideo(page, options.video, options, progress, io);
    if (options.frames !== undefined) await writeFrames(page, options.frames, options, progress, io);
  } finally {
    progress.finish();
    await Promise.all([page?.close(), server.close()]);
  }
  return EXIT.ok;
}

function checkOutput({ video, frames, transparent, force }: RenderOptions): void {
  const fail = (reason: string, hint: string): never => {
    throw new NexdynError('invalid-argument', reason, { hint });
  };
  if (video === undefined && frames === undefined)
    fail('there is nothing to write', 'give --video film.mp4 or --frames folder');
  if (video !== undefined && !['.mp4', '.webm', '.gif'].includes(extname(video).toLowerCase()))
    fail(`${video} does not end in .mp4, .webm or .gif`, 'for other formats, write --frames and convert them');
  if (transparent && video !== undefined) fail('videos are not transparent', 'use --frames');
  for (const path of [video, frames])
    if (path !== undefined && existsSync(path) && !force) fail(`${path} exists`, 'pass --force to replace it');
  if (!existsSync(join(STUDIO_FOLDER, 'index.html'))) fail('the studio is not built', 'run npm run build in the clone');
}

/** Opens the scene in the page, under one formulation or several, and looks at it from where the user wants. */
async function openScene(page: ChromiumPage, scene: Scene, options: RenderOptions): Promise<void> {
  const { formulations = [], camera, theme } = options;
  const [formulation, ...others] = formulations;
  const files = JSON.stringify({ 'scene.json': writeSceneJson(scene) });
  const choice = JSON.stringify(formulation === undefined ? {} : { formulation });
  const compare = others.length > 0 ? JSON.stringify(formulations) : 'undefined';
  await page.evaluate(
    `document.documentElement.dataset.theme === '${theme}' || document.querySelector('[data-command=theme]').click()`,
  );
  await page.evaluate(`window.nexdyn.open(${files}, 'scene.json', ${choice}, ${compare})`);
  const problem = await page.evaluate<string | undefined>('window.nexdyn.problem()');
  if (problem) throw new NexdynError('invalid-value', problem, { hint: 'try nexdyn run on the same scene' });
  if (camera === undefined) return;
  if (typeof camera === 'string') {
    const names = await page.evaluate<string[]>('window.nexdyn.cameras()');
    await page.evaluate(`window.nexdyn.useCamera(${findCamera(names, camera)})`);
    return;
  }
  const [position, target] = [camera.slice(0, 3), camera.slice(3)];
  await page.evaluate(`window.nexdyn.look(${JSON.stringify({ position, target })})`);
}

async function writeVideo(
  page: ChromiumPage,
  file: string,
  options: RenderOptions,
  progress: Progress,
  io: CommandIo,
): Promise<void> {
  const { from, seconds, fps, speed, size } = options;
  const container = extname(file).toLowerCase().slice(1);
  const rate = fps / speed;
  const wanted = {
    from,
    to: from + seconds,
    rate,
    speed,
    width: size[0],
    height: size[1],
    container,
    fits: !options.camera,
  };
  await page.evaluate(
    `void (window.filmed = undefined, window.filmPart = 0, window.nexdyn.film({ ...${JSON.stringify(wanted)}, onProgress: (part) => { window.filmPart = part; } })` +
      '.then((film) => { window.filmed = { film }; }, (error) => { window.filmed = { error: String(error.message ?? error) }; }))',
  );
  let done: { film?: { size: number; codec: string; times: number[] }; error?: string } | undefined;
  while (!done) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    progress.update(await page.evaluate<number>('window.filmPart'), 'rendering');
    done = await page.evaluate<typeof done>('window.filmed');
  }
  if (!done.film) throw new NexdynError('invalid-argument', done.error ?? 'the video could not be rendered', {});
  const pieces: Buffer[] = [];
  for (let start = 0; start < done.film.size; start += PIECE)
    pieces.push(
      Buffer.from(await page.evaluate<string>(`window.nexdyn.filmPart(${start}, ${start + PIECE})`), 'base64'),
    );
  writeFileSync(file, Buffer.concat(pieces));
  const { codec, times } = done.film;
  io.writeMessage(`${times.length} frames, ${describeTime(times.at(-1) ?? 0)}, ${codec}, written to ${file}\n`);
}

async function writeFrames(
  page: ChromiumPage,
  folder: string,
  options: RenderOptions,
  progress: Progress,
  io: CommandIo,
): Promise<void> {
  const { from, seconds, fps, speed, size, transparent = false } = options;
  const count = Math.floor((seconds * fps) / speed + 1e-6) + 1;
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < count; n++) {
    const time = from + (n * speed) / fps;
    const fits = n === 0 && !options.camera;
    const wanted = { time, width: size[0], height: size[1], isTransparent: transparent, fits };
    const data = await page.evaluate<string>(`window.nexdyn.picture(${JSON.stringify(wanted)})`);
    writeFileSync(join(folder, `frame-${String(n).padStart(5, '0')}.png`), Buffer.from(data, 'base64'));
    progress.update((n + 1) / count, 'rendering');
  }
  io.writeMessage(`${count} frames written to ${folder}\n`);
}

function describeTime(time: number): string {
  return `up to ${Number(time.toFixed(4))} s`;
}

function parseSize(text: string): [number, number] {
  const match = /^(\d{2,5})x(\d{2,5})$/.exec(text);
  if (!match) throw new InvalidArgumentError('Give width and height in pixels, as in 1280x720.');
  const [width, height] = [Number(match[1]), Number(match[2])];
  // encoders take pairs of pixels
  if (width % 2 === 1 || height % 2 === 1) throw new InvalidArgumentError('Width and height must be even.');
  return [width, height];
}

function parseCamera(text: string): number[] | string {
  if (!text.includes(',')) return text;
  const numbers = text.split(',').map(Number);
  if (numbers.length !== 6 || !numbers.every(Number.isFinite))
    throw new InvalidArgumentError('Give six numbers: the position of the camera and of its target.');
  return numbers;
}
