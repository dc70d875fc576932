/**
 * A Chromium without a window, driven through two pipes (the DevTools protocol with messages that end in a zero byte). It needs no package, opens no
 * port, and ends with the command.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { NexdynError } from '@nexdyn/engine';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The browser that the environment names, else one of the path. */
export function findChromium(): string {
  const named = process.env['NEXDYN_CHROMIUM'];
  if (named) return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES].find(existsSync);
  if (found) return found;
  throw new NexdynError('invalid-argument', 'there is no Chromium or Chrome on this machine', {
    hint: 'install one (Debian: apt install chromium), or name it in NEXDYN_CHROMIUM',
  });
}

interface Reply {
  id?: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** One page of a browser. */
export class ChromiumPage {
  readonly #process: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<
    number,
    { resolve: (result: Record<string, unknown>) => void; reject: (error: Error) => void }
  >();
  #session: string | undefined;
  #count = 0;
  #rest = '';

  /** `size`: of the window, as in `800,600`. */
  private constructor(executable: string, size: string) {
    this.#profile = mkdtempSync(join(tmpdir(), 'nexdyn-render-'));
    const flags = [
      '--headless',
      '--remote-debugging-pipe',
      `--user-data-dir=${this.#profile}`,
      `--window-size=${size}`,
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // a background page draws at full speed
      '--disable-background-timer-throttling',
      '--disable-renderer-backgrounding',
      // WebGL 2 where there is no graphics card
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ];
    this.#process = spawn(executable, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.#process.on('error', (error) => this.#fail(error.message));
    this.#process.on('exit', () => this.#fail('the browser has ended'));
    (this.#process.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => this.#receive(text));
    // writing to a browser that has ended is told by its exit
    (this.#process.stdio[3] as Writable).on('error', () => {});
  }

  /** Starts the browser and opens an address. */
  static async open(url: string, { width, height }: { width: number; height: number }): Promise<ChromiumPage> {
    const page = new ChromiumPage(findChromium(), `${width},${height}`);
    try {
      const { targetId } = await page.#send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await page.#send('Target.attachToTarget', { targetId, flatten: true });
      page.#session = sessionId as string;
      await page.#send('Page.navigate', { url });
      return page;
    } catch (error) {
      await page.close();
      throw error;
    }
  }

  /** The value of an expression in the page, once it is known. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    const failure = exceptionDetails as { exception?: { description?: string }; text: string } | undefined;
    if (failure) throw new Error((failure.exception?.description ?? failure.text).split('\n')[0]);
    return (result as { value: T }).value;
  }

  /** Waits until an expression is true. */
  async waitFor(expression: string, what: string, patience = 60_000): Promise<void> {
    const end = Date.now() + patience;
    while (!(await this.evaluate<boolean>(`Boolean(${expression})`))) {
      if (Date.now() > end) throw new Error(`${what} did not come within ${patience / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async close(): Promise<void> {
    const hasEnded = new Promise((resolve) => this.#process.once('exit', resolve));
    if (this.#process.exitCode === null && this.#process.pid !== undefined) {
      this.#process.kill();
      await hasEnded;
    }
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #send(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++this.#count;
    const message = JSON.stringify({ id, method, params, ...(this.#session && { sessionId: this.#session }) });
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      (this.#process.stdio[3] as Writable).write(`${message}\0`);
    });
  }

  #receive(text: string): void {
    const messages = (this.#rest + text).split('\0');
    this.#rest = messages.pop()!;
    for (const message of messages) {
      const { id, result = {}, error } = JSON.parse(message) as Reply;
      const asked = id === undefined ? undefined : this.#waiting.get(id);
      if (!asked) continue;
      this.#waiting.delete(id!);
      if (error) asked.reject(new Error(error.message));
      else asked.resolve(result);
    }
  }

  #fail(reason: string): void {
    for (const { reject } of this.#waiting.values()) reject(new Error(reason));
    this.#waiting.clear();
  }
}
