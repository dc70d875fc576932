/** A command in a process and a folder of its own, like a machine of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pause } from './redis-server.ts';

const MAIN = fileURLToPath(new URL('../../../cli/dist-node/main.js', import.meta.url));

export class CommandProcess {
  readonly #child: ChildProcess;
  /** Exit code; null after a signal. */
  readonly ended: Promise<number | null>;
  /** What it wrote to stderr. */
  messages = '';

  /** `before`: shell commands before the command, such as limits. */
  constructor(folder: string, args: readonly string[], before = '') {
    mkdirSync(folder, { recursive: true });
    const command = [process.execPath, MAIN, ...args];
    const options = { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] as ('ignore' | 'pipe')[] };
    this.#child = before
      ? spawn('sh', ['-c', `${before}; exec "$@"`, 'sh', ...command], options)
      : spawn(command[0]!, command.slice(1), options);
    this.#child.stderr?.setEncoding('utf8');
    this.#child.stderr?.on('data', (text: string) => {
      this.messages += text;
    });
    this.ended = new Promise((resolve) => this.#child.on('close', resolve));
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** kill -9, or what is asked for. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#child.kill(signal);
    await this.ended;
  }

  /** Waits for a message. */
  async hear(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.messages)) {
      if (!this.isRunning) throw new Error(`ended without ${pattern}: ${this.messages}`);
      await pause(50);
    }
  }
}
