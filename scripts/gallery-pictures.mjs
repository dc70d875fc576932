// Takes the pictures of the gallery, packages/studio/public/pictures, in a real browser: each scene at a telling moment, dark and light.
// Names of scenes as arguments: only these.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { build, preview } from 'vite';
import { root } from './generated-file.mjs';
import { ensureProgram } from './programs.mjs';

/** Moments that show what a scene is about, s; what is drawn over it, the state it begins at, and a camera that is nearer than the whole. */
const MOMENTS = {
  arch: { time: 0.6, show: 'forces' },
  'box-stack': { time: 0.6, show: 'forces' },
  cantilever: { time: 0.55 },
  capstan: { time: 0.4, camera: [0.75, -0.9, 0.6, 0, 0, 0.35] },
  'cart-pole': { time: 1.7 },
  conveyor: { time: 1.2 },
  'domino-row': { time: 1.1 },
  'double-pendulum': { time: 0.75 },
  'draped-ball': { time: 0.8, camera: [0.5, -0.65, 0.45, 0, 0, 0.16] },
  'dzhanibekov-nut': { time: 0.12 },
  gripper: { time: 2.4, show: 'forces', camera: [0.42, -0.8, 0.5, 0, 0, 0.2] },
  'hill-tumble': { time: 1.1 },
  incline: { time: 0.9, show: 'forces' },
  'chain-of-links': { time: 0.2 },
  'gear-pair': { time: 0.2, camera: [0.05, -0.3, 0.55, 0, 0, 0.2] },
  'nut-on-bolt': { time: 0.1, camera: [0.45, -0.6, 0.4, 0, 0, 0.02] },
  'peg-in-hole': { time: 0.04, camera: [0.13, -0.2, 0.2, 0, 0, 0.03] },
  'linked-rings': { time: 0.3 },
  'newton-cradle': { time: 0.02 },
  'pressure-plate': { time: 1.5, show: 'contacts' },
  pyramid: { time: 0.7, keyframe: 1 },
  ragdoll: { time: 1.15 },
  'robot-arm': { time: 2.5 },
  'rolling-spheres': { time: 1.6 },
  'soft-gripper': { time: 2.2, camera: [0.42, -0.8, 0.5, 0, 0, 0.2] },
  'soft-press': { time: 0.5, camera: [0.4, -0.82, 0.24, 0, 0, 0.12] },
  'spinning-top': { time: 0.8 },
  'swinging-chain': { time: 0.45 },
  'thin-tray': { time: 0.16 },
  'touching-shapes': { time: 0.3 },
  'wrecking-ball': { time: 0.85 },
};

/** Pixels of a picture, and of the window whose free part it is. */
const PICTURE = { width: 540, height: 256 };
const WINDOW = { width: 592, height: 440 };
const CLIP = { x: 14, y: 54, width: 564, height: 267 };

const pictures = join(root, 'packages/studio/public/pictures');
const scenes = readdirSync(join(root, 'scenes'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));
const wanted = process.argv.length > 2 ? process.argv.slice(2) : scenes;

const outDir = mkdtempSync(join(tmpdir(), 'nexdyn-pictures-'));
const configFile = join(root, 'packages/studio/vite.config.ts');
await build({ configFile, logLevel: 'error', build: { outDir } });
const server = await preview({ configFile, logLevel: 'error', build: { outDir }, preview: { port: 0 } });
const browser = await chromium.launch({
  executablePath: ensureProgram('NEXDYN_CHROMIUM'),
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
try {
  for (const theme of ['dark', 'light']) {
    mkdirSync(join(pictures, theme), { recursive: true });
    const page = await browser.newPage({ viewport: WINDOW, colorScheme: theme, bypassCSP: true });
    for (const id of wanted) writeFileSync(join(pictures, theme, `${id}.webp`), await takePicture(page, id));
    await page.close();
  }
} finally {
  await browser.close();
  await server.close();
  rmSync(outDir, { recursive: true, force: true });
}

// by these sums it is seen that a scene has changed after its picture was taken
const table = join(pictures, 'scenes.json');
const sums = existsSync(table) ? JSON.parse(readFileSync(table, 'utf8')) : {};
for (const id of wanted) sums[id] = sumOf(readFileSync(join(root, 'scenes', `${id}.json`), 'utf8'));
const sorted = Object.fromEntries(scenes.filter((id) => sums[id]).map((id) => [id, sums[id]]));
writeFileSync(table, `${JSON.stringify(sorted, undefined, 2)}\n`);
console.log(`took ${wanted.length} pictures, dark and light`);

/** The free part of the view as a WebP file. */
async function takePicture(page, id) {
  const { time, show, keyframe, camera } = MOMENTS[id] ?? { time: 0.5 };
  const settings = [`show=${['no-gallery', 'no-measurements', ...(show ? [show] : [])].join()}`, `t=${time}`];
  if (keyframe) settings.push(`keyframe=${keyframe}`);
  if (camera) settings.push(`camera=${camera.join()}`);
  const { port } = server.httpServer.address();
  await page.goto('about:blank');
  await page.goto(`http://127.0.0.1:${port}/#${id}?${settings.join('&')}`);
  await page.addStyleTag({
    content: `.top-bar, .transport, .view-top, .view-corner, .hint { display: none !important; }
      .studio { grid-template: 0 100dvh / 0 100vw 0 !important; }
      .view { position: fixed !important; inset: 0; height: 100dvh !important; }`,
  });
  await page.waitForFunction((least) => (window.nexdyn?.timeline()?.time ?? -1) >= least, time - 0.02, {
    timeout: 180_000,
  });
  if (!camera) await page.keyboard.press('f');
  await page.evaluate(() => window.nexdyn.settle());
  const shot = await page.screenshot({ clip: CLIP });
  const address = await page.evaluate(
    async ({ data, width, height }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      Object.assign(canvas, { width, height });
      canvas.getContext('2d').drawImage(image, 0, 0, width, height);
      return canvas.toDataURL('image/webp', 0.82);
    },
    { data: shot.toString('base64'), ...PICTURE },
  );
  console.error(`${id}`);
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
}

function sumOf(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
