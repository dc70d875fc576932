/** Sweeps on threads and processes: the same bytes whatever ran where, and no run lost. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scene } from '@nexdyn/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { longTest } from '../../../scripts/long-run.ts';
import {
  checkSweep,
  countResults,
  createSweep,
  gatherResults,
  readPlan,
  runSweep,
  SweepFolder,
  type SweepOptions,
  type SweepPlan,
  writeTables,
} from './index.ts';

/** Comes with the writer of Parquet files. */
const PARQUET_READER = 'hyparquet';
const MAIN = fileURLToPath(new URL('../../cli/dist-node/main.js', import.meta.url));
const SCENE: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.01 },
  shapes: [{ kind: 'plane' }],
  bodies: [
    { name: 'ball', position: [0, 0, 0.2], joints: [{ kind: 'free' }], shapes: [{ kind: 'sphere', radius: 0.1 }] },
  ],
};
const PLAN: SweepPlan = {
  format: 'nexdyn-sweep',
  version: 1,
  scene: SCENE,
  seconds: 0.1,
  formulations: ['mujoco', 'sap'],
  axes: [
    {
      kind: 'sobol',
      count: 6,
      skip: 1,
      parameters: [{ path: 'bodies.ball.mass', name: 'm', distribution: 'logUniform', from: 0.1, to: 10 }],
    },
  ],
  measure: { height: 'last(bodies.ball.position.z)', mass: 'm' },
};

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'nexdyn-sweep-'))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

const open = (change: Partial<SweepPlan> = {}) => createSweep(readPlan({ ...PLAN, ...change }), SCENE, '1');
const digest = (folder: SweepFolder) =>
  ['table.csv', 'table.parquet'].map((name) =>
    createHash('sha256')
      .update(readFileSync(join(folder.path, name)))
      .digest('hex'),
  );

async function run(name: string, options: Partial<SweepOptions> = {}, sweep = open()): Promise<SweepFolder> {
  const folder = new SweepFolder(join(root, name));
  checkSweep(sweep, 100);
  folder.prepare(sweep);
  await runSweep(sweep, { folder, workers: 1, signal: new AbortController().signal, ...options });
  return folder;
}

test('tables are the same bytes for 1 and 3 threads and for shards in folders of their own', async () => {
  const digests: string[][] = [];
  for (const workers of [1, 3]) {
    const folder = await run(`w${workers}`, { workers });
    await writeTables(open(), folder);
    digests.push(digest(folder));
  }
  const merged = new SweepFolder(join(root, 'merged'));
  merged.prepare(open());
  for (const index of [1, 0]) {
    const part = await run(`s${index}`, { shard: { index, count: 2 } });
    expect(countResults(open(), part)).toMatchObject({ finished: 6, missing: 6 });
    expect(gatherResults(open(), part, merged)).toBe(6);
  }
  await writeTables(open(), merged);
  digests.push(digest(merged));
  expect(new Set(digests.map(String)).size).toBe(1);

  const bytes = readFileSync(join(root, 'merged/table.parquet'));
  const { parquetReadObjects } = (await import(PARQUET_READER)) as {
    parquetReadObjects(options: { file: ArrayBuffer }): Promise<Record<string, unknown>[]>;
  };
  const rows = await parquetReadObjects({
    file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
  });
  const [head, ...lines] = readFileSync(join(root, 'merged/table.csv'), 'utf8').trim().split('\n');
  expect(Object.keys(rows[0]!)).toEqual(head!.split(','));
  lines.forEach((line, n) => {
    const cells = Object.values(rows[n]!).map((cell) => (cell === null || cell === undefined ? '' : String(cell)));
    expect(cells.join(',')).toBe(line);
  });
});

test('what is finished is skipped; folders of other plans and versions are refused', async () => {
  const folder = await run('out');
  const seen: number[] = [];
  await run('out', { onProgress: ({ skipped }) => seen.push(skipped) });
  expect(seen).toEqual([0]);
  expect(() => folder.prepare(open({ seconds: 0.2 }))).toThrow(/another plan/);
  expect(() => folder.prepare({ ...open(), version: '2' })).toThrow(/runs of NexDyn 1; this is 2/);
  expect(() => folder.open('2')).toThrow(/runs of NexDyn 1; this is 2/);
  expect(folder.open('1').hash).toBe(open().hash);
  const [plain, extended] = [open(), createSweep(open().plan, open().scene, '1', ['a'])];
  expect(() => folder.prepare(extended)).toThrow(/another plan, scene or module/);
  const other = new SweepFolder(join(root, 'extended'));
  other.prepare(extended);
  expect(other.open('1').hash).toBe(extended.hash);
  expect(other.open('1').runs.run(0).key).not.toBe(plain.runs.run(0).key);
  writeFileSync(join(root, 'mine.txt'), 'mine');
  expect(() => new SweepFolder(root).prepare(open())).toThrow(/is no folder of a sweep/);
});

longTest('a run that ends its thread and one that hangs are results; the others are not harmed', async () => {
  // heard before the thread hears its request
  const fault = `data:text/javascript,import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ run }) => { if (run.index === 1) process.exit(3); if (run.index === 4) for (;;); });`;
  // far longer than a run takes on a busy machine
  const sweep = open({ limits: { runSeconds: 40 } });
  const folder = await run('out', { modules: [fault], workers: 2 }, sweep);
  expect(countResults(sweep, folder)).toEqual({
    runs: 12,
    finished: 12,
    missing: 0,
    statuses: { completed: 10, failed: 1, 'timed-out': 1 },
  });
  expect(folder.readResult(sweep.runs.run(1).key)?.error).toEqual({ code: 'internal', message: 'the thread ended' });
  // both can be made up for
  await run('out', { retryFailed: true }, sweep);
  expect(countResults(sweep, folder).statuses).toEqual({ completed: 12 });
});

test('an interrupt finishes runs under way and begins no others', async () => {
  const stop = new AbortController();
  const sweep = open({ axes: [{ kind: 'range', path: 'bodies.ball.mass', name: 'm', from: 1, to: 2, count: 500 }] });
  const seen: number[] = [];
  const onProgress = ({ done }: { done: number }) => {
    seen.push(done);
    if (done >= 3) stop.abort();
  };
  const folder = new SweepFolder(join(root, 'out'));
  folder.prepare(sweep);
  await runSweep(sweep, { folder, workers: 1, signal: stop.signal, onProgress });
  const { finished } = countResults(sweep, folder);
  expect(finished).toBeGreaterThanOrEqual(3);
  expect(finished).toBeLessThan(900);
  // all that was computed is written
  expect(seen.at(-1)).toBe(finished);
});

test('kill -9 in the middle: the same command goes on to the same table', async () => {
  const plan = {
    ...PLAN,
    axes: [{ kind: 'range', path: 'bodies.ball.mass', from: 1, to: 2, count: 80 }],
    seconds: 0.1,
  };
  writeFileSync(
    join(root, 'plan.json'),
    JSON.stringify({ ...plan, measure: { height: 'last(bodies.ball.position.z)' } }),
  );
  const start = (...args: string[]) =>
    spawn(process.execPath, [MAIN, 'sweep', 'plan.json', '--workers', '1', '--quiet', ...args], { cwd: root });
  const end = (child: ReturnType<typeof start>) => new Promise((resolve) => child.on('close', resolve));
  const count = () => {
    const folder = join(root, 'killed/results');
    const packs = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
    return packs.flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n')).length;
  };
  const child = start('--out', 'killed');
  const ended = end(child);
  while (count() === 0 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill('SIGKILL');
  await ended;
  expect(count()).toBeGreaterThan(0);
  expect(await end(start('--out', 'killed'))).toBe(0);
  expect(await end(start('--out', 'whole'))).toBe(0);
  expect(digest(new SweepFolder(join(root, 'killed')))).toEqual(digest(new SweepFolder(join(root, 'whole'))));
});
