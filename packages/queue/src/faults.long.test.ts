/**
 * Parts of a queue die, one after the other: workers, client, Redis, network, disk, threads. No run is lost, none is in the table twice, and
 * the table has the bytes of a local sweep. Each process has a folder of its own, as on machines of their own.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { QueueControl } from './index.ts';
import { createCertificates, hasOpenssl } from './testing/certificate.ts';
import { CommandProcess } from './testing/command-process.ts';
import { DroppingProxy } from './testing/dropping-proxy.ts';
import { hasRedis, pause, RedisServer } from './testing/redis-server.ts';
import { TwoMachines } from './testing/two-machines.ts';

/** Whether a process can have a file system of its own here. */
const canHide = spawnSync('unshare', ['--map-root-user', '--mount', 'true']).status === 0;
if (!canHide) console.error('no namespaces (unshare): workers that see other files are not tested');

/** Whether there can be machines with networks of their own here. */
const probe = TwoMachines.connect();
probe?.remove();
if (!probe)
  console.error('no network namespaces (ip netns, as root): two machines with a cable between them are not tested');

const RUNS = 48;
const PLAN = {
  format: 'nexdyn-sweep',
  version: 1,
  name: 'crates',
  scene: {
    format: 'nexdyn-scene',
    version: 1,
    options: { timestep: 0.005 },
    shapes: [{ kind: 'plane' }],
    bodies: [0, 1, 2].map((n) => ({
      name: `crate${n}`,
      position: [0.02 * n, 0, 0.11 + 0.21 * n],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1] }],
    })),
  },
  seconds: 2,
  formulations: ['mujoco', 'sap'],
  axes: [
    { kind: 'range', path: 'bodies.crate1.mass', name: 'm', from: 0.5, to: 20, count: RUNS / 4, spacing: 'log' },
    { kind: 'list', path: 'shapes.*.friction', name: 'mu', values: [0.2, 0.8] },
  ],
  measure: { height: 'last(bodies.crate2.position.z)', push: 'max(contacts.normalForce)' },
};

describe.skipIf(!hasRedis)('a queue whose parts die', () => {
  let root: string;
  let server: RedisServer;
  let control: QueueControl;
  let started: CommandProcess[] = [];
  let expected: string;
  let count = 0;

  const run = (name: string, args: readonly string[], before?: string): CommandProcess => {
    const command = new CommandProcess(join(root, name), args, before);
    started.push(command);
    return command;
  };
  const client = (name: string, ...more: string[]) =>
    run(name, ['sweep', join(root, 'plan.json'), '--queue', server.url, '--out', 'out', '--chunk', '4', ...more]);
  const worker = (url = server.url, before?: string, ...more: string[]) =>
    run(`worker${count++}`, ['worker', '--queue', url, '--slots', '1', ...more], before);
  const digest = (folder: string): string => {
    const hash = createHash('sha256');
    for (const file of ['table.csv', 'table.parquet']) hash.update(readFileSync(join(root, folder, file)));
    return hash.digest('hex');
  };
  const readDone = async (): Promise<number> => (await control.readStatus()).sweeps[0]?.done ?? 0;
  const waitForDone = async (least: number): Promise<void> => {
    while ((await readDone()) < least) await pause(100);
  };
  const expectTable = async (command: CommandProcess, name: string): Promise<void> => {
    expect(await command.ended, command.messages).toBe(0);
    const rows = readFileSync(join(root, name, 'out/table.csv'), 'utf8')
      .trim()
      .split('\n');
    expect(rows.slice(1).map((row) => Number(row.split(',')[0]))).toEqual(Array.from({ length: RUNS }, (_, n) => n));
    expect(digest(`${name}/out`)).toBe(expected);
  };

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'nexdyn-faults-'));
    writeFileSync(join(root, 'plan.json'), JSON.stringify(PLAN));
    await new CommandProcess(join(root, 'local'), ['sweep', '../plan.json', '--out', 'out', '--quiet']).ended;
    expected = digest('local/out');
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  beforeEach(async () => {
    const data = join(root, `redis${count++}`);
    mkdirSync(data);
    server = await RedisServer.start(data, '--appendonly', 'yes', '--appendfsync', 'everysec');
    control = await QueueControl.open(server.url);
  });
  afterEach(async () => {
    for (const command of started) if (command.isRunning) await command.kill();
    started = [];
    control.close();
    await server.kill();
  });

  test.each([1, 2, 7])('%i workers give the table of a local sweep, and so do shards', async (workers) => {
    for (let n = 0; n < workers; n++) worker();
    await expectTable(client(`w${workers}`), `w${workers}`);
    const parts = Array.from({ length: workers }, (_, n) => `shard${workers}-${n}`);
    for (const [n, part] of parts.entries()) {
      await run(part, ['sweep', '../plan.json', '--out', 'out', '--quiet', '--shard', `${n + 1}/${workers}`]).ended;
    }
    const folders = parts.map((part) => join(root, part, 'out'));
    await run('merged', ['sweep', 'merge', ...folders, '--out', `of${workers}`]).ended;
    expect(digest(`merged/of${workers}`)).toBe(expected);
  });

  test.skipIf(!canHide)('a worker that cannot see the folders of the client: files and results travel', async () => {
    // its own view of the file system, in which the folder of the client and the plan are empty
    const hide = `exec unshare --map-root-user --mount sh -c 'mount -t tmpfs none "${join(root, 'far')}" && mount --bind /dev/null "${join(root, 'plan.json')}" && exec "$@"' sh "$@"`;
    mkdirSync(join(root, 'far'), { recursive: true });
    const command = client('far');
    const hidden = worker(server.url, hide);
    await expectTable(command, 'far');
    expect(hidden.isRunning, hidden.messages).toBe(true);
  });

  test.skipIf(!probe)('two machines with a network between them and no common folder', async () => {
    const machines = TwoMachines.connect()!;
    try {
      mkdirSync(join(root, 'hub'), { recursive: true });
      const url = await machines.startRedis(join(root, 'hub'));
      // the second machine sees neither the plan nor the folder of the client
      const hide = `mount -t tmpfs none "${join(root, 'near')}" && mount --bind /dev/null "${join(root, 'plan.json')}"`;
      const far = machines.enter(1).replace('"$@"', `unshare --mount sh -c '${hide} && exec "$@"' sh "$@"`);
      const submit = ['sweep', join(root, 'plan.json'), '--queue', url, '--out', 'out', '--chunk', '4'];
      const command = run('near', submit, machines.enter(0));
      const workers = [worker(url, far), worker(url, far)];
      await expectTable(command, 'near');
      for (const { isRunning, messages } of workers) expect(isRunning, messages).toBe(true);
    } finally {
      for (const command of started) if (command.isRunning) await command.kill();
      machines.remove();
    }
  });

  test('one worker of three, then all', async () => {
    const workers = [worker(), worker(), worker()];
    const command = client('workers');
    await waitForDone(5);
    await workers[0]!.kill();
    await waitForDone(14);
    expect(await readDone()).toBeLessThan(RUNS);
    await workers[1]!.kill();
    await workers[2]!.kill();
    await pause(2000);
    worker();
    worker();
    await expectTable(command, 'workers');
    // workers leave nothing in their folders
    for (const name of readdirSync(root).filter((entry) => entry.startsWith('worker') && entry !== 'workers'))
      expect(readdirSync(join(root, name))).toEqual([]);
  });

  test('the client: workers go on, and the same command collects', async () => {
    worker();
    const first = client('client');
    await waitForDone(8);
    await first.kill();
    await waitForDone(16);
    await expectTable(client('client'), 'client');
  });

  test('Redis, with its file of commands: everyone waits for it', async () => {
    worker();
    worker();
    const command = client('redis');
    await waitForDone(8);
    await server.kill();
    await pause(3000);
    await server.restart();
    await expectTable(command, 'redis');
    expect(command.messages).toMatch(/is lost; trying again\n(.*\n)*Redis is there again/);
  });

  test('Redis, and then everyone else by ctrl-C: they end, and the same command goes on', async () => {
    const far = worker();
    const first = client('farewell');
    await waitForDone(8);
    await server.kill();
    await first.hear(/is lost; trying again/);
    await Promise.all([far.kill('SIGINT'), first.kill('SIGINT')]);
    expect(first.messages).toMatch(/the same command collects the results/);
    await server.restart();
    worker();
    await expectTable(client('farewell'), 'farewell');
  });

  test('Redis that forgets everything: the client submits again', async () => {
    control.close();
    await server.kill();
    const data = join(root, `redis${count++}`);
    mkdirSync(data);
    server = await RedisServer.start(data);
    control = await QueueControl.open(server.url);
    worker();
    const command = client('forgetful');
    await waitForDone(8);
    await server.kill();
    await server.restart();
    await expectTable(command, 'forgetful');
  });

  test('the network of a worker, silently and for longer than its lock', async () => {
    const proxy = await DroppingProxy.start(server.port);
    const far = worker(`redis://127.0.0.1:${proxy.port}`);
    const command = client('network');
    await waitForDone(5);
    proxy.silence();
    worker();
    await pause(20_000);
    proxy.mend();
    await expectTable(command, 'network');
    expect(far.isRunning).toBe(true);
    proxy.close();
  });

  test('a worker that can write no file; a client whose disk is full', async () => {
    worker(server.url, 'ulimit -f 0');
    const args = ['sweep', join(root, 'plan.json'), '--queue', server.url, '--out', 'out'];
    // the plan fits, results of runs do not: the limit is in blocks of 512 bytes
    const full = run('full', args, 'ulimit -f 64');
    await waitForDone(3);
    await full.kill();
    const blocked = run('full', args, 'ulimit -f 0');
    expect(await blocked.ended).toBe(1);
    expect(blocked.messages).toMatch(/cannot be written \(EFBIG\)\nhint: check free space/);
    await expectTable(run('full', args), 'full');
  });

  test('runs that end their thread and runs that do not end: results with an error, on every worker', async () => {
    const fault = join(root, 'fault.mjs');
    writeFileSync(
      fault,
      `import { isMainThread, parentPort } from 'node:worker_threads';
      // heard before the thread hears its request
      if (!isMainThread) parentPort.on('message', ({ run }) => {
        if (run.index === 1) process.exit(3);
        if (run.index === 4) for (;;);
      });`,
    );
    const plan = join(root, 'limited.json');
    writeFileSync(plan, JSON.stringify({ ...PLAN, limits: { runSeconds: 20 } }));
    const args = ['sweep', plan, '--out', 'out', '--import', fault, '--quiet'];
    const local = run('local-faults', args);
    worker(server.url, undefined, '--import', fault);
    worker(server.url, undefined, '--import', fault);
    const plain = worker();
    const command = run('faults', [...args, '--queue', server.url]);
    expect(await command.ended).toBe(4);
    expect(await local.ended).toBe(4);
    expect(digest('faults/out')).toBe(digest('local-faults/out'));
    const table = readFileSync(join(root, 'faults/out/table.csv'), 'utf8');
    expect(table).toMatch(/^1,.*,failed,.*internal: the thread ended/m);
    expect(table).toMatch(/^4,.*,timed-out,.*time-limit: the run took longer than 20 s/m);
    await plain.hear(/has not loaded fault\.mjs/);
    expect(command.messages).toMatch(/is refused: it has not loaded fault\.mjs/);
  });

  test('a run that ends whole workers is a result in the end', async () => {
    const fault = join(root, 'poison.mjs');
    writeFileSync(
      fault,
      `import { isMainThread, parentPort } from 'node:worker_threads';
      if (!isMainThread) parentPort.on('message', ({ run }) => run.index === 5 && process.kill(process.pid, 'SIGKILL'));`,
    );
    const args = ['sweep', join(root, 'plan.json'), '--out', 'out', '--import', fault, '--queue', server.url];
    const command = run('poison', args);
    let deaths = 0;
    while (command.isRunning) {
      const victim = worker(server.url, undefined, '--import', fault);
      await Promise.race([victim.ended, command.ended]);
      if (command.isRunning) deaths++;
    }
    expect(await command.ended).toBe(4);
    expect(deaths).toBe(8);
    const rows = readFileSync(join(root, 'poison/out/table.csv'), 'utf8').trim().split('\n');
    expect(rows).toHaveLength(RUNS + 1);
    expect(rows.filter((row) => row.includes('no worker finished it in 8 attempts'))).toHaveLength(1);
  });

  test.skipIf(!hasOpenssl)(
    'TLS, a password and machines of their own: results come home, strangers stay out',
    async () => {
      const folder = join(root, 'secure');
      mkdirSync(folder);
      const certificates = createCertificates(folder);
      const guarded = await RedisServer.startSecure(folder, certificates, '--requirepass', 'open sesame');
      try {
        const trust = `export NODE_EXTRA_CA_CERTS=${certificates.authority}`;
        const enter = `${trust} NEXDYN_QUEUE_PASSWORD='open sesame'`;
        const submit = (name: string, url: string, before: string) =>
          run(name, ['sweep', join(root, 'plan.json'), '--queue', url, '--out', 'out', '--quiet'], before);
        // the authority is unknown, the password is missing or wrong, or the server speaks TLS alone: each says so
        for (const [name, url, before, message] of [
          [
            'unknown',
            guarded.url,
            `export NEXDYN_QUEUE_PASSWORD='open sesame'`,
            /no secure connection.*NODE_EXTRA_CA_CERTS/s,
          ],
          ['nobody', guarded.url, trust, /needs a password/],
          ['wrong', guarded.url.replace('//', '//:shut%20sesame@'), trust, /refuses the user or the password/],
          ['plain', guarded.url.replace('rediss', 'redis'), enter, /there is no Redis|no secure connection/],
        ] as const) {
          const command = submit(name, url, before);
          expect(await command.ended).not.toBe(0);
          expect(command.messages).toMatch(message);
          expect(command.messages).not.toMatch(/sesame/);
        }
        worker(guarded.url, enter);
        worker(guarded.url.replace('//', '//default:open%20sesame@'), trust);
        await expectTable(submit('guarded', guarded.url, enter), 'guarded');
      } finally {
        await guarded.kill();
      }
    },
  );
});
