/** The page as users get it: built once, served from the loopback address, opened in a real browser. */
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type PreviewServer, preview } from 'vite';
import type {} from '../page-interface.ts';
import { buildPage } from './built-page.ts';
import { launchChromium } from './launch.ts';
import { waitPatiently } from './patience.ts';
import { drawCoarseShadows, drawSeldom, leaveOutGalleryPictures, type SparePage } from './spare-page.ts';

const configFile = fileURLToPath(new URL('../../vite.config.ts', import.meta.url));

/** Server and browser; they serve all test files of a process and end with it. */
interface Station {
  /** Where the built page lies. */
  folder: string;
  /** Paths that were asked for, in their order. */
  requests: string[];
  server: PreviewServer;
  browser: Browser;
}

let station: Promise<Station> | undefined;

async function openStation(): Promise<Station> {
  const folder = await buildPage();
  const requests: string[] = [];
  const server = await preview({
    configFile,
    logLevel: 'error',
    plugins: [
      {
        name: 'list-requests',
        configurePreviewServer: ({ middlewares }) => {
          middlewares.use((request, _response, next) => {
            requests.push(request.url ?? '');
            next();
          });
        },
      },
    ],
    build: { outDir: folder },
    preview: { host: '127.0.0.1', port: 0, strictPort: false },
  });
  return { folder, requests, server, browser: await launchChromium() };
}

/** `deviceScaleFactor`: pixels drawn per pixel of the page, half of them unless a test looks at thin lines. */
interface PageOptions
  extends Pick<BrowserContextOptions, 'colorScheme' | 'deviceScaleFactor' | 'viewport' | 'hasTouch' | 'isMobile'> {
  /** Whether the page leaves the processor to the test while nothing is asked of it (default), or is as users see it. */
  drawsSeldom?: boolean;
  /** Whether the gallery has its pictures; else they are left out. */
  hasPictures?: boolean;
}

/** The pages of one test file. */
export class StudioHost {
  readonly #station: Station;
  readonly #pages: Page[] = [];

  private constructor(shared: Station) {
    this.#station = shared;
  }

  static async start(): Promise<StudioHost> {
    station ??= openStation();
    const shared = await station;
    shared.requests.length = 0;
    return new StudioHost(shared);
  }

  /** Where the built page lies. */
  get folder(): string {
    return this.#station.folder;
  }

  /** Paths that were asked for since the start, in their order. */
  get requests(): readonly string[] {
    return this.#station.requests;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#station.server.httpServer.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    for (const page of this.#pages) await page.close();
  }

  /** Open the page; a small window and few pixels, since pictures are drawn in software. */
  async open(hash = '', options: PageOptions = {}): Promise<StudioPage> {
    const page = await this.#newPage({
      viewport: { width: 1024, height: 640 },
      deviceScaleFactor: 0.5,
      colorScheme: 'dark',
      ...options,
    });
    waitPatiently(page);
    const studio = new StudioPage(page);
    await page.goto(this.address + hash);
    return studio;
  }

  /** Open a page that was saved. */
  async openFile(address: string): Promise<StudioPage> {
    const page = await this.#newPage({ viewport: { width: 800, height: 500 }, deviceScaleFactor: 0.5 });
    const saved = new StudioPage(page);
    await page.goto(address);
    return saved;
  }

  /** A page with storage and cache of its own. */
  async #newPage({
    drawsSeldom = true,
    hasPictures = !drawsSeldom,
    ...options
  }: PageOptions & BrowserContextOptions): Promise<Page> {
    const page = await this.#station.browser.newPage(options);
    this.#pages.push(page);
    await page.addInitScript(rememberToasts);
    if (drawsSeldom) for (const script of [drawSeldom, drawCoarseShadows]) await page.addInitScript(script);
    if (!hasPictures) await page.addInitScript(leaveOutGalleryPictures);
    return page;
  }
}

/** Toasts vanish after some seconds, and a slow test would miss them: the page keeps their words. */
function rememberToasts(): void {
  const toasts: string[] = [];
  Object.assign(window, { toasts });
  new MutationObserver(() => {
    const words = document.querySelector('[data-role=toast]')?.textContent;
    if (words && words !== toasts.at(-1)) toasts.push(words);
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

export class StudioPage {
  readonly page: Page;
  /** Errors the page printed or let escape. */
  readonly errors: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on('pageerror', (error) => this.errors.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(message.text());
    });
  }

  /** Simulated time as shown, s. */
  async time(): Promise<number> {
    return Number.parseFloat(await this.text('[data-role=time]'));
  }

  /** A value of the panels. */
  async fact(role: string): Promise<string> {
    return this.text(`[data-role=${role}]`);
  }

  async text(selector: string): Promise<string> {
    return (await this.page.locator(selector).first().textContent()) ?? '';
  }

  /** Wait until the page has said something, and return its words. */
  async toast(words = ''): Promise<string> {
    const find = (part: string): string | undefined =>
      (window as unknown as { toasts: string[] }).toasts.findLast((text) => text.includes(part));
    await this.page.waitForFunction(find, words, { polling: 50 });
    return (await this.page.evaluate(find, words))!;
  }

  /** Wait until the shown time passes a value. */
  async runUntil(time: number): Promise<void> {
    const hasPassed = (least: number): boolean =>
      Number.parseFloat(document.querySelector('[data-role=time]')?.textContent ?? '') >= least;
    try {
      await this.page.waitForFunction(hasPassed, time, { polling: 50 });
    } catch (error) {
      const alerts = await this.page.locator('[role=alert]').allTextContents();
      const shown = await this.page.locator('.scene-name, [data-role=time], [data-role=factor]').allTextContents();
      throw new Error(`time ${time} s was not reached: ${[...shown, ...alerts, ...this.errors].join(' | ')}`, {
        cause: error,
      });
    }
  }

  /** Wait for the name of a scene in the bar. */
  async waitForScene(name: string): Promise<void> {
    await this.page.locator('.scene-name', { hasText: name }).waitFor();
  }

  /** Open a scene of the gallery anew, also where it is open already. */
  async choose(id: string): Promise<void> {
    const before = await this.page.evaluate(() => window.nexdyn.run());
    await this.page.locator(`[data-scene=${id}]`).click();
    await this.page.waitForFunction((run) => window.nexdyn.run() > run, before, { polling: 50 });
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key);
  }

  /** Pause and wait until nothing moves any more. */
  async pause(): Promise<void> {
    await this.press('Space');
    await this.page.locator('[data-role=factor]', { hasText: 'paused' }).waitFor();
    await this.settle();
  }

  /** Run past a step, pause and go back to it: the same state on a fast machine and on a slow one. */
  async stopAt(step: number): Promise<void> {
    await this.page.waitForFunction((least) => (window.nexdyn.timeline()?.step ?? 0) >= least, step, { polling: 50 });
    await this.pause();
    await this.page.locator('[data-role=timeline]').fill(String(step));
    await this.settle();
  }

  /** Wait for commands to go to the worker and back, and for two pictures. */
  async settle(): Promise<void> {
    let before = '';
    for (;;) {
      await this.draw();
      const now = await this.text('[data-role=time]');
      if (now === before) return;
      before = now;
    }
  }

  /** Let commands so far go to the worker and back, and be drawn. */
  async draw(): Promise<void> {
    await this.page.evaluate(async () => {
      const { hurry } = window as Partial<SparePage>;
      hurry?.(true);
      await window.nexdyn.settle().finally(() => hurry?.(false));
    });
  }

  /** Picture of the middle of the view, where no panel lies. */
  async picture(): Promise<Buffer> {
    const box = (await this.page.locator('canvas').first().boundingBox())!;
    const clip = { x: box.x + 20, y: box.y + 60, width: box.width - 40, height: box.height - 160 };
    return this.page.screenshot({ clip });
  }

  /** Number of colours in the middle of the view: one where nothing is drawn. */
  async colors(): Promise<number> {
    return (await this.#readColors()).size;
  }

  /** Which of these colours (`#rrggbb`) are in the middle of the view. */
  async hasColors(wanted: readonly string[]): Promise<boolean[]> {
    const seen = await this.#readColors();
    return wanted.map((color) => seen.has(Number.parseInt(color.slice(1), 16)));
  }

  /** All colours in the middle of the view, as 0xrrggbb. */
  async #readColors(): Promise<Set<number>> {
    const picture = (await this.picture()).toString('base64');
    const colors = await this.page.evaluate(async (data) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const { data: bytes } = context.getImageData(0, 0, image.width, image.height);
      const seen = new Set<number>();
      for (let i = 0; i < bytes.length; i += 4) seen.add((bytes[i]! << 16) | (bytes[i + 1]! << 8) | bytes[i + 2]!);
      return [...seen];
    }, picture);
    return new Set(colors);
  }

  /** Drop files on the page as a person would, from outside of the browser. */
  async drop(files: Record<string, string>): Promise<void> {
    await this.page.evaluate((entries) => {
      const dataTransfer = new DataTransfer();
      for (const [name, text] of Object.entries(entries)) dataTransfer.items.add(new File([text], name));
      const target = document.querySelector('canvas')!;
      for (const type of ['dragenter', 'dragover', 'drop']) {
        target.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
      }
    }, files);
  }

  /** Give files through the hidden input. */
  async pick(files: Record<string, string>): Promise<void> {
    const payload = Object.entries(files).map(([name, text]) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(text),
    }));
    await this.page.setInputFiles('#files', payload);
  }

  close(): Promise<void> {
    return this.page.close();
  }
}
