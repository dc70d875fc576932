/**
 * A Chromium without a window, driven through two pipes (the DevTools protocol with messages that end in a zero byte). It needs no package, opens no
 * port, and ends with the command.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
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

/** Parts of a browser that a page without a window does not need. */
const UNUSED =
  'WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,AimEnabled,PaintHolding,MediaRouter,LensOverlay,OptimizationHints';

/** Time that a browser has to end by itself, ms. */
const PATIENCE = 5000;

interface Reply {
  id?: number;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** One page of a browser. */
export class ChromiumPage {
  readonly #process: ChildProcess;
  readonly #profile: string;
  /** Done when the process has ended, or could not be started. */
  readonly #end: Promise<void>;
  /** Why the browser answers no more. */
  #failure: string | undefined;
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
      // nobody types an address: without the pages behind that field it starts faster
      `--disable-features=${UNUSED}`,
      // WebGL 2 where there is no graphics card; what lies around the picture needs none
      '--disable-gpu',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ];
    // a group of processes of its own: they are ended together, and all of them end when the pipes of the first close
    const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;
    this.#process = spawn(executable, flags, { stdio: [...stdio], detached: process.platform !== 'win32' });
    this.#end = new Promise((resolve) => {
      const end = (reason: string): void => {
        this.#fail(reason);
        resolve();
      };
      this.#process.on('error', (error) => end(error.message));
      this.#process.on('exit', (code, signal) => end(`the browser has ended (${signal ?? `exit code ${code}`})`));
    });
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

  /** Ends the browser; what it leaves in the folder of temporary files is no failure of what was done with it. */
  async close(): Promise<void> {
    this.#send('Browser.close', {}, false).catch(() => {});
    const last = setTimeout(() => this.#kill(), PATIENCE);
    await this.#end;
    clearTimeout(last);
    this.#kill();
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }).catch(() => {});
  }

  /** Ends all processes of the browser that are still there. */
  #kill(): void {
    if (this.#process.pid === undefined) return;
    try {
      if (process.platform === 'win32') this.#process.kill('SIGKILL');
      else process.kill(-this.#process.pid, 'SIGKILL');
    } catch {
      // none is left
    }
  }

  #send(method: string, params: object, isOfPage = true): Promise<Record<string, unknown>> {
    const id = ++this.#count;
    const session = isOfPage && this.#session ? { sessionId: this.#session } : {};
    const message = JSON.stringify({ id, method, params, ...session });
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(new Error(this.#failure));
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
    this.#failure ??= reason;
    for (const { reject } of this.#waiting.values()) reject(new Error(reason));
    this.#waiting.clear();
  }
}
