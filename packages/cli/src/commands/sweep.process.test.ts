/** The command of sweeps: what it prints, its exit codes, and what stands in its folder. The runs themselves are tested in packages/sweep. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CommandFolder } from './command-folder.ts';

const PLAN = {
  format: 'nexdyn-sweep',
  version: 1,
  name: 'Balls <in> the air',
  scene: 'ball.xml',
  seconds: 0.02,
  keyframes: [null, 'up'],
  axes: [
    { kind: 'list', path: 'bodies.ball.mass', name: 'm', values: [1, 2] },
    { kind: 'range', path: 'gravity.2', name: 'g', from: -9.81, to: -1.62, count: 3 },
  ],
  measure: { height: 'last(bodies.ball.position.z)', weight: '-m * g' },
};

const folder = new CommandFolder();
beforeAll(() => {
  folder.create();
  folder.write('plan.json', JSON.stringify(PLAN));
});
afterAll(() => folder.remove());

const nexdyn = (...args: string[]) => folder.run(...args);
const read = (name: string): string => folder.read(name);

test('a sweep from its plan to table and report, at once and in shards', async () => {
  const dry = await nexdyn('sweep', 'plan.json', '--dry-run');
  expect(dry.stdout.split('\n').slice(0, 2)).toEqual(['run\tformulation\tkeyframe\tm\tg', '0\t\tnull\t1\t-9.81']);
  expect(dry.stderr).toMatch(/^12 runs on \d+ threads?: about \d+ s$/m);
  expect(folder.list()).toEqual(['ball.xml', 'plan.json']);

  const whole = await nexdyn('sweep', 'plan.json', '--workers', '1', '--json');
  expect(whole.status).toBe(0);
  expect(JSON.parse(whole.stdout)).toEqual({ runs: 12, finished: 12, missing: 0, statuses: { completed: 12 } });
  const part = await nexdyn('sweep', 'plan.json', '--shard', '1/2', '--out', 'a', '--quiet');
  expect(part.stderr).toContain('6 runs left to other shards');
  expect((await nexdyn('sweep', 'merge', 'a', '--out', 'merged')).status).toBe(1);
  expect(JSON.parse((await nexdyn('sweep', 'status', 'a', '--json')).stdout)).toMatchObject({
    finished: 6,
    missing: 6,
  });
  await nexdyn('sweep', 'plan.json', '--shard', '2/2', '--out', 'b', '--quiet');
  expect((await nexdyn('sweep', 'merge', 'b', 'a', '--out', 'merged')).status).toBe(0);
  for (const name of ['table.csv', 'table.parquet', 'report.html', 'runs.jsonl']) {
    expect(read(`merged/${name}`), name).toBe(read(`plan.sweep/${name}`));
  }
  // semi-implicit Euler falls 3 g h² in two steps, from 100 m or from the keyframe at 50 m
  const rows = read('plan.sweep/table.csv').trim().split('\n');
  const height = rows[0]!.split(',').indexOf('height');
  expect(Number(rows[1]!.split(',')[height])).toBeCloseTo(100 - 3 * 9.81 * 0.01 ** 2, 12);
  expect(Number(rows[12]!.split(',')[height])).toBeCloseTo(50 - 3 * 1.62 * 0.01 ** 2, 12);

  const report = read('plan.sweep/report.html');
  expect(report).toContain('<h1>Balls &lt;in&gt; the air</h1>');
  for (const title of ['Responses', 'Maps', 'Parallel coordinates', 'Best and worst']) expect(report).toContain(title);
  expect(report).not.toMatch(/NaN|undefined/);
  // the studio unpacks links as deflated JSON
  const packed = /#file:([\w-]+)"/.exec(report)![1]!;
  const { path, files } = JSON.parse(inflateRawSync(Buffer.from(packed, 'base64url')).toString());
  expect(JSON.parse(files[path]).bodies[0].name).toBe('ball');
  const scene = JSON.parse((await nexdyn('sweep', 'scene', 'plan.sweep', '11')).stdout);
  expect(scene.options.gravity).toEqual([0, 0, -1.62]);
});

test('bad plans name their file, the place and a hint; nothing is written', async () => {
  const before = folder.list();
  const bad: [object, RegExp, number][] = [
    [{ scene: 'none.xml' }, /file-not-found.*none\.xml/, 2],
    [
      { axes: [{ kind: 'list', path: 'bodies.bal.mass', values: [1] }] },
      /bad\.json.*no 'bal'.*\nhint: did you mean 'ball'/,
      2,
    ],
    [
      { axes: [{ kind: 'range', name: 'n', from: 1, to: 2, count: 1e9 }] },
      /too-large.*2000000000 runs\nhint: .*--max-runs/,
      2,
    ],
  ];
  for (const [change, message, code] of bad) {
    folder.write('bad.json', JSON.stringify({ ...PLAN, measure: {}, ...change }));
    const { status, stderr } = await nexdyn('sweep', 'bad.json');
    expect(stderr).toMatch(message);
    expect(status).toBe(code);
  }
  rmSync(join(folder.path, 'bad.json'));
  expect((await nexdyn('sweep', 'plan.json', '--shard', '3/2')).stderr).toMatch(/from 1 to n/);
  expect((await nexdyn('sweep', 'status', '.')).stderr).toMatch(/no folder of a sweep/);
  expect(folder.list()).toEqual(before);
});

test('runs that fail are counted: exit code 4, all results are there', async () => {
  const plan = {
    ...PLAN,
    axes: [{ kind: 'list', path: 'bodies.ball.mass', name: 'm', values: [1, -1, 2] }],
    measure: {},
  };
  folder.write('fails.json', JSON.stringify(plan));
  const { status, stdout } = await nexdyn('sweep', 'fails.json', '--quiet');
  expect(status).toBe(4);
  expect(stdout).toMatch(/^failed +2$/m);
  expect(read('fails.sweep/table.csv')).toContain('invalid-mass: ');
});

test('a plan as a module, in JavaScript and TypeScript', async () => {
  const text = `const values = [1, 2];
    export const plan = { ...${JSON.stringify(PLAN)}, seconds: 0.01, keyframes: [null], measure: {},
      axes: [{ kind: 'list', path: 'bodies.ball.mass', name: 'm', values }] };`;
  folder.write('module.mjs', text);
  expect((await nexdyn('sweep', 'module.mjs', '--quiet')).stdout).toMatch(/^completed +2$/m);
  // with types of its own, and values of another file
  folder.write('values.ts', 'export const values: readonly number[] = [1, 2];');
  const typed = `import { values } from './values.ts'; interface Any { format: string }
    ${text.replace(/const values.*;/, '').replace('plan =', 'plan: Any =')}`;
  folder.write('typed.ts', typed);
  expect((await nexdyn('sweep', 'typed.ts', '--quiet')).stderr).not.toMatch(/error/);
  expect(read('typed.sweep/table.csv')).toBe(read('module.sweep/table.csv'));
  expect(folder.list().filter((name) => name.startsWith('.'))).toEqual([]);
  folder.write('wrong.ts', 'export const plan: = 1;');
  expect((await nexdyn('sweep', 'wrong.ts')).stderr).toMatch(
    /^error.* wrong\.ts:1:20: this is no .*: Unexpected token$/m,
  );
  folder.write('wrong.mjs', 'export const plan = {\n  a: 1\n  b: 2 };');
  expect((await nexdyn('sweep', 'wrong.mjs')).stderr).toMatch(/^error.* wrong\.mjs:3:3: this is no .*: Expected `,`/m);
  folder.write('none.mjs', 'export const a = 1;');
  expect((await nexdyn('sweep', 'none.mjs')).stderr).toMatch(/none\.mjs: the module exports no plan/);
});

test('folders, queues and shards that do not fit are refused, and nothing is lost', async () => {
  const plan = { ...PLAN, keyframes: [null], measure: {}, seconds: 0.01 };
  folder.write('first.json', JSON.stringify(plan));
  folder.write('other.json', JSON.stringify({ ...plan, seconds: 0.02 }));
  await nexdyn('sweep', 'first.json', '--quiet', '--out', 'taken');
  const table = read('taken/table.csv');
  const other = await nexdyn('sweep', 'other.json', '--out', 'taken');
  expect([other.status, other.stderr]).toEqual([
    1,
    expect.stringMatching(/has the runs of another plan, scene or module/),
  ]);
  expect(read('taken/table.csv')).toBe(table);
  const both = await nexdyn('sweep', 'other.json', '--queue', 'redis://127.0.0.1:1', '--shard', '1/2');
  expect([both.status, both.stderr]).toEqual([1, expect.stringMatching(/exclude each other/)]);
  const absent = await nexdyn('sweep', 'first.json', '--out', 'taken', '--queue', 'redis://:secret@127.0.0.1:1');
  expect(absent.status).toBe(1);
  expect(absent.stderr).toMatch(/^error\[connection-failed\] there is no Redis at redis:\/\/127\.0\.0\.1:1/m);
  expect(absent.stderr).not.toContain('secret');
  for (const args of [
    ['worker', '--queue', 'redis://127.0.0.1:1'],
    ['sweep', 'status', '--queue', 'redis://127.0.0.1:1'],
    ['sweep', 'pause', '0123456789ab', '--queue', 'redis://127.0.0.1:1'],
  ])
    expect((await nexdyn(...args)).stderr).toMatch(/there is no Redis/);
  expect((await nexdyn('sweep', 'cancel', 'taken', '--queue', 'redis://127.0.0.1:1')).stderr).toMatch(
    /is no folder of a sweep in a queue|there is no Redis/,
  );
  expect((await nexdyn('sweep', 'status')).stderr).toMatch(/give a folder or --queue/);
  expect(read('taken/table.csv')).toBe(table);
});
