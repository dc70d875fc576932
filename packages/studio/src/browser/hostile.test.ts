/** A hundred links and files that were made to do harm: none runs a script, none makes the page stand still, none escapes as an error. */
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLongRun } from '../../../../scripts/long-run.ts';
import { CRATE } from './crate.ts';
import { hasChromium } from './launch.ts';
import { packZip } from './packed-zip.ts';
import { giveUpSoonAfterFailure } from './patience.ts';
import { StudioHost, type StudioPage } from './studio-page.ts';

/** Longest time that the page may not answer, ms. */
const LONGEST_PAUSE = 2000;

/** Every third of them in `npm test`, all in `npm run validate`. */
const isTaken = (_: unknown, i: number): boolean => isLongRun || i % 8 === 0;

const ATTACK = 'window.pwned=1';
const MARKUP = `<img src=x onerror="${ATTACK}"><script>${ATTACK}</script>`;

const packBytes = (text: string): string => deflateRawSync(Buffer.from(text)).toString('base64url');
const pack = (value: unknown): string => packBytes(JSON.stringify(value));
const link = (files: Record<string, unknown>, path = Object.keys(files)[0]): string => `#file:${pack({ path, files })}`;
const scene = (fields: object): string => JSON.stringify({ format: 'nexdyn-scene', version: 1, ...fields });
const mjcf = (content: string): string => `<mujoco>${content}</mujoco>`;

/** Nobody knows how these came to be: bits of a good link turned over. */
function turnBits(good: string, count: number): string[] {
  const bytes = Buffer.from(good.slice('#file:'.length), 'base64url');
  return Array.from({ length: count }, (_, i) => {
    const copy = Buffer.from(bytes);
    const bit = (i * 7919) % (8 * bytes.length);
    copy[bit >> 3]! ^= 1 << (bit & 7);
    return `#file:${copy.toString('base64url')}`;
  });
}

const RUN = { choice: {}, steps: 1, pulls: [], changes: [], hash: '0123456789abcdef' };
const GOOD = link({ 'crate.json': CRATE });

const LINKS: string[] = [
  '#%',
  '#%E0%A4%A',
  '#__proto__',
  '#constructor',
  `#${encodeURIComponent(MARKUP)}`,
  `#javascript:${ATTACK}`,
  '#file:',
  '#file:!!!',
  '#file:AAAA',
  GOOD.slice(0, -20),
  ...turnBits(GOOD, 12),
  // 32 kB that unpack to 40 MB, and JSON that is none
  `#file:${packBytes(' '.repeat(40e6))}`,
  `#file:${packBytes('['.repeat(1e5))}`,
  `#file:${packBytes('not JSON')}`,
  ...[
    null,
    3,
    [],
    {},
    { path: 1, files: {} },
    { path: 'a', files: 3 },
    { path: 'a', files: { a: { base64: '*' } } },
  ].map((value) => `#file:${pack(value)}`),
  link({ 'a.json': '' }),
  link({ 'a.json': CRATE }, 'b.json'),
  link({ 'a.json': CRATE }, '../../etc/passwd'),
  link({ [`${MARKUP}.json`]: CRATE }),
  link({ ['__proto__']: CRATE }, '__proto__'),
  link({ 'a.json': scene({ name: MARKUP, bodies: [{ name: MARKUP, shapes: [{ kind: MARKUP }] }] }) }),
  link({ 'a.json': scene({ name: MARKUP, description: MARKUP, shapes: [{ kind: 'plane', name: MARKUP }] }) }),
  link({ 'a.json': scene({ bodies: Array.from({ length: 3000 }, () => ({ joints: [{ kind: MARKUP }] })) }) }),
  link({
    'a.json': scene({ options: { timestep: 1e-300, gravity: [1e308, 1e308, 1e308] }, shapes: [{ kind: 'plane' }] }),
  }),
  link({ 'a.json': `{"format":"nexdyn-scene","version":1,"bodies":${'[{"bodies":'.repeat(2000)}` }),
  link({ 'a.xml': '<!DOCTYPE m [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><mujoco model="&b;"/>' }),
  link({ 'a.xml': `${'<!---->'.repeat(34)}x` }),
  link({ 'a.xml': mjcf('<asset><hfield name="h" nrow="8000" ncol="8000" size="1 1 1 1"/></asset>') }),
  link({ 'a.xml': mjcf('<include file="a.xml"/>') }),
  link({ 'a.xml': mjcf(`${'<worldbody>'.repeat(5000)}`) }),
  link({ 'a.xml': mjcf(`<asset><mesh file="${MARKUP.replaceAll('<', '&lt;').replaceAll('"', "'")}"/></asset>`) }),
  ...[9e15, -1, 1e308, 0.5, 'many', null].map((steps) => `#box-stack?run=${pack({ ...RUN, steps })}`),
  `#box-stack?run=${pack({ ...RUN, steps: 10, keyframe: 99 })}`,
  `#box-stack?run=${pack({ ...RUN, pulls: [{ step: 0, body: 1e9, force: [1, 2, 3], point: [0, 0, 0] }] })}`,
  `#box-stack?run=${pack({ ...RUN, changes: [{ step: 0, choice: { formulation: '__proto__', set: { timestep: -1 } } }] })}`,
  `#box-stack?run=${pack(null)}`,
  '#box-stack?run=!!!',
  '#box-stack?t=9e15',
  '#box-stack?t=-1e308',
  '#box-stack?keyframe=1e9&speed=1e9&camera=1e308,1,1,1,1,1e-308',
  '#box-stack?set=__proto__.polluted=1&set=constructor.prototype.polluted=1',
  '#box-stack?set=timestep=1e-300',
  '#box-stack?set=timestep=0',
  `#box-stack?set=gravity=[1e308,0,0]&show=${encodeURIComponent(MARKUP)}`,
  `#box-stack?set=${encodeURIComponent(MARKUP)}=1`,
  '#box-stack?formulation=constructor&compare=__proto__,constructor',
];

/** A glTF file whose nodes share children: 2³⁰ places from 31 nodes. */
const SHARED = JSON.stringify({
  asset: { version: '2.0' },
  scenes: [{ nodes: [0] }],
  nodes: Array.from({ length: 31 }, (_, i) => (i < 30 ? { children: [i + 1, i + 1] } : { mesh: 0 })),
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
});
const ZIP = Buffer.from(packZip({ 'crate.json': CRATE }, 8));
function changeZip(change: (zip: Buffer) => void): Buffer {
  const copy = Buffer.from(ZIP);
  change(copy);
  return copy;
}

const FILES: [string, string | Uint8Array][] = [
  ['empty.json', ''],
  ['null.json', 'null'],
  ['deep.json', `{"format":"nexdyn-scene","version":1,"x":${'['.repeat(2e5)}`],
  [`${MARKUP}.json`, scene({ name: MARKUP, bodies: 3 })],
  ['__proto__.xml', mjcf('')],
  ['empty.xml', ''],
  ['comments.xml', `${'<!---->'.repeat(4000)}<mujoco`],
  ['open.xml', '<'.repeat(1e5)],
  ['attributes.xml', `<mujoco ${'a="1" '.repeat(5000)}/>`],
  ['deep.xml', '<mujoco>'.repeat(2e4)],
  ['links.urdf', `<robot name="r">${Array.from({ length: 3000 }, (_, i) => `<link name="${i}"/>`).join('')}</robot>`],
  ['cut.urdf', '<robot name="r"><link'],
  ['shared.gltf', SHARED],
  ...[
    'null',
    '[]',
    '{"meshes":[{}]}',
    '{"nodes":3,"meshes":3}',
    '{"asset":{"version":"2.0"},"meshes":[{"primitives":[{}]}]}',
  ].map((text, i): [string, string] => [`broken${i}.gltf`, text]),
  [
    'stride.gltf',
    JSON.stringify({
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 1e8, type: 'VEC3' }],
      bufferViews: [{ buffer: 0, byteStride: 0, byteLength: 12 }],
      buffers: [{ byteLength: 12, uri: 'data:;base64,AAAAAAAAAAAAAAAA' }],
    }),
  ],
  ['garbage.glb', new Uint8Array(64).fill(0x67)],
  ['count.stl', new Uint8Array(84).fill(255)],
  ['text.stl', `solid ${'facet '.repeat(2e4)}`],
  ['lines.obj', 'v 1 \\\n'.repeat(2e4)],
  ['numbers.obj', 'f 1 2 3\n'.repeat(1e4)],
  ['version.msh', '$MeshFormat\n9e99 0 8\n$EndMeshFormat\n$Nodes\n1e15\n'],
  ['legacy.msh', new Uint8Array(16).fill(127)],
  ['not.zip', 'PK'],
  ['cut.zip', ZIP.subarray(0, ZIP.length - 9)],
  ['crc.zip', changeZip((zip) => zip.writeUInt32LE(1, zip.indexOf('PK\x01\x02') + 16))],
  ['size.zip', changeZip((zip) => zip.writeUInt32LE(9, zip.indexOf('PK\x01\x02') + 24))],
  ['huge.zip', changeZip((zip) => zip.writeUInt32LE(0xfffffff0, zip.indexOf('PK\x01\x02') + 24))],
  ['count.zip', changeZip((zip) => zip.writeUInt16LE(0xffff, zip.length - 12))],
  ['bomb.zip', packZip({ 'a.json': ' '.repeat(60e6) }, 8)],
  ['outside.zip', packZip({ '../../a.xml': mjcf('<include file="/etc/passwd"/>') }, 8)],
  ['run.run.json', '{"format":"nexdyn-run","version":1}'],
  ['cut.run.json', '{"format":"nexdyn-run","version":1,"files":{"a":'],
  [
    'steps.run.json',
    JSON.stringify({
      format: 'nexdyn-run',
      version: 1,
      path: 'a.json',
      files: { 'a.json': CRATE },
      record: { ...RUN, steps: 9e15 },
    }),
  ],
  ['notes.txt', MARKUP],
];

describe.skipIf(!hasChromium)('links and files that were made to do harm', () => {
  giveUpSoonAfterFailure();
  let host: StudioHost;
  let studio: StudioPage;
  beforeAll(async () => {
    host = await StudioHost.start();
    studio = await host.open('#double-pendulum');
    await studio.waitForScene('Double pendulum');
    // pictures are drawn in software, and are not what is tested here
    await studio.page.setViewportSize({ width: 400, height: 300 });
  });
  afterAll(async () => {
    await host.stop();
  });

  test('the page answers to each, runs no script, and goes on', async () => {
    expect(LINKS.length + FILES.length).toBeGreaterThanOrEqual(100);
    const page = studio.page;
    // the longest time between two beats, by what was opened
    await page.evaluate(() => {
      const beats = { longest: 0, during: '', now: 'start' };
      let last = performance.now();
      setInterval(() => {
        const time = performance.now();
        if (time - last > beats.longest) Object.assign(beats, { longest: time - last, during: beats.now });
        last = time;
      }, 20);
      Object.assign(window, { beats });
    });
    const silent: string[] = [];
    /** Opens something and waits until the page shows another scene or says what is wrong. */
    const attack = async (name: string, hash: string | undefined, base64: string | undefined): Promise<void> => {
      const hasAnswered = await page.evaluate(
        async ([label, address, content]) => {
          const { beats } = window as unknown as { beats: { now: string } };
          beats.now = label!;
          const findAlert = (): string => document.querySelector('[role=alert]')?.textContent ?? '';
          dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
          await new Promise((resolve) => requestAnimationFrame(resolve));
          const before = [window.nexdyn.run(), findAlert()].join();
          if (address !== undefined) location.hash = address;
          else {
            const bytes = Uint8Array.from(atob(content!), (character) => character.charCodeAt(0));
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([bytes], label!));
            document.querySelector('canvas')!.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer }));
          }
          const end = performance.now() + 60_000;
          while (performance.now() < end) {
            await new Promise((resolve) => setTimeout(resolve, 20));
            if ([window.nexdyn.run(), findAlert()].join() !== before) return true;
          }
          return false;
        },
        [name, hash, base64] as const,
      );
      if (!hasAnswered) silent.push(name);
    };
    for (const hash of LINKS.filter(isTaken)) await attack(hash.slice(0, 80), hash, undefined);
    for (const [name, content] of FILES.filter(isTaken))
      await attack(name, undefined, Buffer.from(content).toString('base64'));
    expect(silent).toEqual([]);
    const seen = await page.evaluate(() => {
      const { pwned, beats } = window as unknown as { pwned: unknown; beats: { longest: number; during: string } };
      return { pwned, polluted: ({} as Record<string, unknown>)['polluted'], ...beats };
    });
    expect([seen.pwned, seen.polluted]).toEqual([undefined, undefined]);
    expect(seen.longest, `the page stood still during ${seen.during}`).toBeLessThan(LONGEST_PAUSE);
    expect(studio.errors).toEqual([]);
    // and it works
    await page.evaluate(() => {
      location.hash = '#double-pendulum';
    });
    await studio.waitForScene('Double pendulum');
    await studio.runUntil(0.1);
  });

  test('a scene that takes too long to open is given up, and the one before is open again', async () => {
    const { page } = studio;
    // three hinges each: seconds to compile
    const hinges = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ].map((axis) => ({ kind: 'hinge', axis }));
    let body = {};
    for (let i = 0; i < 470; i++) body = { joints: hinges, shapes: [{ kind: 'sphere', radius: 1 }], bodies: [body] };
    const slow = link({ 'slow.json': scene({ name: 'Slow', bodies: [body] }) });
    await page.evaluate((hash) => {
      // the minute that opening may take, once, as a short time
      const { setTimeout } = window;
      const shorten = (handler: TimerHandler, delay = 0, ...rest: unknown[]): number => {
        if (delay !== 60_000) return setTimeout(handler, delay, ...rest);
        window.setTimeout = setTimeout;
        return setTimeout(handler, 200, ...rest);
      };
      window.setTimeout = shorten as typeof window.setTimeout;
      location.hash = hash;
    }, slow);
    await page.locator('[role=alert]', { hasText: 'took longer than 60 s to open and was given up' }).waitFor();
    await studio.waitForScene('Double pendulum');
    await studio.runUntil(0.1);
    expect(studio.errors).toEqual([]);
  });

  test('a policy forbids scripts that are not its own', async () => {
    const policy = await studio.page.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content');
    expect(policy).toContain("default-src 'none'");
    const ran = await studio.page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.inline = 1';
      document.body.append(script);
      return (window as unknown as { inline: unknown }).inline;
    });
    expect(ran).toBeUndefined();
  });
});
