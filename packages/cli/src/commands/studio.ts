import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { NexdynError } from '@nexdyn/engine';
import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { parsePort } from '../option-values.ts';
import { fromPackage } from '../package-folder.ts';
import { serveStudio } from '../studio-server.ts';

interface StudioOptions {
  port: number;
  open?: boolean;
}

const DEFAULT_PORT = 4810;
const STUDIO_FOLDER = fromPackage('../studio/dist');

export function addStudioCommand(program: Command, io: CommandIo): void {
  program
    .command('studio')
    .description('Serve the studio to browsers on this machine.')
    .option('--port <number>', 'port; if it is in use, the next free one', parsePort, DEFAULT_PORT)
    .option('--open', 'open the browser, on a desktop')
    .action((options: StudioOptions) => runStudio(options, io));
}

async function runStudio(options: StudioOptions, io: CommandIo): Promise<void> {
  if (!existsSync(join(STUDIO_FOLDER, 'index.html'))) {
    throw new NexdynError('invalid-argument', 'the studio is not built', { hint: 'run npm run build in the clone' });
  }
  const interrupt = listenForInterrupt();
  const server = await startServer(options.port);
  io.writeData(`NexDyn studio: ${server.url}\n`);
  if (options.open && isDesktop(io)) openBrowser(server.url);
  await new Promise((resolve) => interrupt.signal.addEventListener('abort', resolve));
  await server.close();
}

async function startServer(port: number): ReturnType<typeof serveStudio> {
  try {
    return await serveStudio(STUDIO_FOLDER, port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new NexdynError('invalid-argument', `port ${port} cannot be used (${code ?? message})`, {
      hint: 'choose another --port, or 0 for any',
    });
  }
}

/** Whether a person sits at this terminal with a screen to open a browser on. */
function isDesktop(io: CommandIo): boolean {
  const hasScreen = process.platform !== 'linux' || Boolean(process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']);
  return io.isDataTerminal && hasScreen && !process.env['CI'];
}

/** Opens the default browser; the address is printed anyway, so a failure is no matter. */
function openBrowser(url: string): void {
  const openers: Partial<Record<NodeJS.Platform, [string, string[]]>> = {
    darwin: ['open', [url]],
    win32: ['cmd', ['/c', 'start', '""', url]],
  };
  const [command, args] = openers[process.platform] ?? ['xdg-open', [url]];
  spawn(command, args, { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}
