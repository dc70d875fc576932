import { spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-cli-'));
  writeFileSync(join(folder, 'ball.xml'), BALL);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const BALL = `<mujoco model="ball">
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="ball" pos="0 0 100"><freejoint/><geom type="sphere" size="0.1" mass="2"/></body>
  </worldbody>
  <sensor><clock name="clock"/></sensor>
  <keyframe><key name="up" qpos="0 0 50 1 0 0 0" qvel="1 0 0 0 0 0"/></keyframe>
</mujoco>
`;

const CRATE = `<mujoco model="crate">
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="crate" pos="0 0 0.299"><freejoint/><geom type="box" size="0.1 0.2 0.3"/></body>
  </worldbody>
  <keyframe><key name="up" qpos="0 0 5 1 0 0 0"/></keyframe>
</mujoco>
`;

/** Runs the compiled command line in the test's folder. */
function nexdyn(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** Names of everything in the test's folder, hidden files included. */
const listFolder = (): string[] => readdirSync(folder).sort();
const readJson = (path: string) => JSON.parse(readFileSync(join(folder, path), 'utf8'));

describe('nexdyn', () => {
  test('help and version are data and end well', () => {
    expect(nexdyn('--help')).toMatchObject({ status: 0, stderr: '' });
    expect(nexdyn('--help').stdout).toMatch(/run[\s\S]*inspect[\s\S]*convert[\s\S]*bench[\s\S]*studio/);
    expect(nexdyn('--version')).toMatchObject({ status: 0, stdout: '0.1.0\n' });
    expect(nexdyn('run', '--help').stdout).toContain('--seconds');
  });

  test.each([
    [[], /no command given/],
    [['fly'], /unknown command 'fly'/],
    [['run'], /missing required argument 'file'/],
    [['run', 'ball.xml', '--fast'], /unknown option '--fast'/],
    [['run', 'ball.xml', '--dt', '0'], /above 0/],
    [['run', 'ball.xml', '--dt', 'soon'], /not a finite number/],
    [['run', 'ball.xml', '--seconds', '-1'], /0 or more/],
    [['run', 'ball.xml', '--every', '1.5'], /whole number/],
    [['run', 'ball.xml', '--out', 'out', '--format', 'npz,avi'], /'avi' is none of npz, csv, mcap, glb/],
    [['run', 'ball.xml', '--formulation', 'lcp'], /mujoco, sap, ccp, ipc/],
    [['run', 'ball.xml', '--formulation', 'sapp'], /hint: did you mean 'sap'\?/],
    [['run', 'ball.xml', '--set', 'mujoco.solvr=cg'], /--set mujoco\.solvr=cg: options\.mujoco\.solvr is not a field/],
    [['run', 'ball.xml', '--set', 'mujoco.solver=simplex'], /--set mujoco\.solver=simplex: options\.mujoco\.solver/],
    [['run', 'ball.xml', '--solver', 'simplex'], /--solver simplex: options\.mujoco\.solver/],
    [['run', 'ball.xml', '--cone', 'round'], /pyramidal, elliptic/],
    [['run', 'ball.xml', '--formulation', 'sap', '--cone', 'elliptic'], /sap has no choice of cones/],
    [['inspect', 'ball.xml', '--contacts', '--set', 'gravity=1'], /--set gravity=1: options\.gravity/],
    [['run', 'ball.xml', '--keyframe', 'down'], /no keyframe "down"\nhint: choose from up, or none/],
    [['inspect', 'ball.xml', '--keyframe', 'up'], /add --contacts/],
    [['inspect', 'ball.xml', '--contacts', '--keyframe', 'down'], /no keyframe "down"/],
    [['convert', 'ball.xml', 'ball.txt'], /does not end in \.json/],
    [['bench', 'nothing'], /no benchmark 'nothing'/],
    [['studio', '--port', '99999'], /0 to 65535/],
  ])('wrong usage %j: exit code 1 and a hint', (args, message) => {
    const { status, stdout, stderr } = nexdyn(...args);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error\[invalid-argument\] .*$/m);
    expect(stderr).toMatch(message);
    expect(listFolder()).toEqual(['ball.xml']);
  });

  test.skipIf(!existsSync('/dev/full'))('data that cannot be written: exit code 1 and an error without a stack', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'inspect', 'ball.xml', '--quiet'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^error\[invalid-argument\] what goes to stdout cannot be written \(ENOSPC\)\nhint: .*$/m);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

describe('nexdyn run', () => {
  test('writes a whole folder whose frames follow the fall', () => {
    const { status, stdout, stderr } = nexdyn(
      'run',
      'ball.xml',
      '--seconds',
      '1',
      '--out',
      'a/out',
      '--keyframe',
      'none',
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/^status +completed$/m);
    expect(stderr).toMatch(/^unsupported\[sensor\] ball\.xml:7:\d+ /m);
    expect(stderr).not.toContain('not resolved');
    expect(listFolder()).toEqual(['a', 'ball.xml']);
    expect(readdirSync(join(folder, 'a'))).toEqual(['out']);
    expect(readdirSync(join(folder, 'a/out')).sort()).toEqual([
      'frames.csv',
      'frames.npz',
      'hashes.csv',
      'manifest.json',
      'scene.json',
      'summary.json',
    ]);

    const manifest = readJson('a/out/manifest.json');
    expect(manifest).toMatchObject({
      format: 'nexdyn-run',
      nexdyn: '0.1.0',
      scene: { name: 'ball', file: 'ball.xml', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      options: {
        formulation: 'mujoco',
        coordinates: 'joint',
        integrator: 'euler',
        timestep: 0.01,
        steps: 100,
        every: 1,
        keyframe: null,
      },
      seed: null,
    });
    const summary = readJson('a/out/summary.json');
    expect(summary).toMatchObject({
      formulation: 'mujoco',
      status: 'completed',
      steps: 100,
      unresolved: [],
      statuses: { converged: 100, 'iteration-limit': 0, stalled: 0, infeasible: 0 },
      contacts: { most: { count: 0, penetration: 0, normalForce: 0 }, end: { count: 0 } },
    });
    expect(summary.time).toBeCloseTo(1, 12);
    expect(summary.unsupported).toHaveLength(1);
    // m g z falls to ½ m v² + m g z with v = g t and z = z₀ − ½ g t (t + h): the drift is −½ m g² h t
    expect(summary.energy.start.total).toBeCloseTo(2 * 9.81 * 100, 9);
    expect(summary.energy.drift).toBeCloseTo(-0.5 * 2 * 9.81 ** 2 * 0.01 * 1, 6);

    // semi-implicit Euler falls g h² n (n + 1) / 2
    const rows = readFileSync(join(folder, 'a/out/frames.csv'), 'utf8')
      .trim()
      .split('\n')
      .filter((row) => /^[-\d]/.test(row));
    expect(rows).toHaveLength(101);
    rows.forEach((row, n) => {
      const numbers = row.split(',').map(Number);
      expect(numbers[0]).toBeCloseTo(0.01 * n, 12);
      expect(numbers[3]).toBeCloseTo(100 - (9.81 * 0.01 ** 2 * n * (n + 1)) / 2, 10);
    });
    const arrays = Object.keys(unzipSync(readFileSync(join(folder, 'a/out/frames.npz'))));
    expect(arrays).toEqual(
      expect.arrayContaining(['time.npy', 'position.npy', 'velocity.npy', 'energy.npy', 'bodyPosition.npy']),
    );
  });

  test('--json prints the summary and nothing else', () => {
    const { status, stdout } = nexdyn('run', 'ball.xml', '--seconds', '0.1', '--json', '--quiet', '--keyframe', 'none');
    expect(status).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({ scene: 'ball', status: 'completed', steps: 10 });
    expect(listFolder()).toEqual(['ball.xml']);
  });

  test('a converted scene runs to the same hash as its source, --quiet is known to every command', () => {
    const hash = (file: string): string =>
      JSON.parse(nexdyn('run', file, '--seconds', '0.1', '--json', '--quiet').stdout).finalHash;
    expect(nexdyn('convert', 'ball.xml', 'ball.json', '--quiet').status).toBe(0);
    expect(hash('ball.json')).toBe(hash('ball.xml'));
    expect(nexdyn('inspect', 'ball.json', '--json', '--quiet').status).toBe(0);
  });

  test('the same run twice gives the same hash, another integrator or step another', () => {
    const hash = (...args: string[]): string =>
      JSON.parse(nexdyn('run', 'ball.xml', '--seconds', '0.1', '--json', ...args).stdout).finalHash;
    expect(hash()).toBe(hash());
    expect(hash('--integrator', 'rk4')).not.toBe(hash());
    expect(hash('--dt', '0.02')).not.toBe(hash());
  });

  test('a crate on the floor: the summary has contacts, penetration and the weight as their force', () => {
    writeFileSync(join(folder, 'crate.xml'), CRATE);
    const args = ['crate.xml', '--keyframe', 'none', '--seconds', '1'];
    const { status, stdout } = nexdyn('run', ...args, '--json', '--out', 'out');
    expect(status).toBe(0);
    const { contacts, mostIterations, iterations } = JSON.parse(stdout);
    // 24 litres of water
    expect(contacts.end).toMatchObject({ count: 4, normalForce: expect.closeTo(8 * 0.1 * 0.2 * 0.3 * 1000 * 9.81, 3) });
    expect(contacts.end.penetration).toBeGreaterThan(0);
    expect(contacts.most.penetration).toBeGreaterThanOrEqual(contacts.end.penetration);
    expect(mostIterations).toBeGreaterThan(0);
    expect(iterations).toBeGreaterThanOrEqual(mostIterations);
    const header = readFileSync(join(folder, 'out/frames.csv'), 'utf8')
      .split('\n')
      .find((line) => line.includes('time'))!;
    for (const title of ['iterations', 'residual', 'status', 'contactCount', 'penetration (m)', 'normalForce (N)']) {
      expect(header).toContain(title);
    }
    const text = nexdyn('run', ...args).stdout;
    expect(text).toMatch(/^solver +[\d.]+ iterations per step, at most \d+; residual at most .*; all converged$/m);
    expect(text).toMatch(/^contacts +4 at the end, at most 4$/m);
    expect(text).toMatch(/^force +470\.88 N at the end/m);
  });

  test('options of the scene can be replaced, and the manifest says so', () => {
    const hash = (...args: string[]): string =>
      JSON.parse(nexdyn('run', 'ball.xml', '--seconds', '0.1', '--json', ...args).stdout).finalHash;
    expect(hash('--set', 'gravity=0,0,-9.81')).toBe(hash());
    expect(hash('--set', 'gravity=0,0,-1.62')).not.toBe(hash());
    expect(hash('--set', 'timestep=0.02')).toBe(hash('--dt', '0.02'));
    nexdyn('run', 'ball.xml', '--seconds', '0', '--out', 'out', '--cone', 'elliptic', '--set', 'mujoco.tolerance=1e-6');
    expect(readJson('out/manifest.json').sceneOptions.mujoco).toMatchObject({ cone: 'elliptic', tolerance: 1e-6 });
  });

  test('steps that do not converge are counted, taken and reported: exit code 3, no error', () => {
    writeFileSync(join(folder, 'crate.xml'), CRATE);
    // no iteration is allowed, so no step with contacts can meet its tolerance
    const starved = [
      '--keyframe',
      'none',
      '--seconds',
      '0.1',
      '--set',
      'mujoco.iterations=1',
      '--set',
      'mujoco.tolerance=0',
    ];
    const { status, stdout, stderr } = nexdyn('run', 'crate.xml', ...starved, '--json');
    expect(status).toBe(3);
    expect(stderr).toMatch(/^\d+ of 50 steps did not converge: \d+ at the iteration limit; largest residual /m);
    expect(stderr).not.toContain('error[');
    const summary = JSON.parse(stdout);
    expect(summary).toMatchObject({ status: 'not-converged', steps: 50 });
    expect(summary.statuses['iteration-limit'] + summary.statuses.stalled).toBe(summary.unconvergedSteps);
  });

  test('ipc resolves contacts', () => {
    const { stdout } = nexdyn('run', 'ball.xml', '--seconds', '0.1', '--formulation', 'ipc', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ formulation: 'ipc', unresolved: [] });
  });

  test('starts from the first keyframe and says so, or from the one asked for', () => {
    const run = (...args: string[]) => nexdyn('run', 'ball.xml', '--seconds', '0', '--json', ...args);
    const energy = (...args: string[]): number => JSON.parse(run(...args).stdout).energy.start.total;
    expect(run().stderr).toContain('starts from keyframe "up"');
    expect(energy()).toBeCloseTo(2 * 9.81 * 50 + 1, 9);
    expect(energy('--keyframe', '0')).toBe(energy('--keyframe', 'up'));
    expect(energy('--keyframe', 'none')).toBeCloseTo(2 * 9.81 * 100, 9);
  });

  test('a folder with files in it is refused before anything runs, and replaced by --force', () => {
    mkdirSync(join(folder, 'out'));
    writeFileSync(join(folder, 'out/precious.txt'), 'mine');
    const refused = nexdyn('run', 'ball.xml', '--seconds', '0.1', '--out', 'out');
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('--force');
    expect(readdirSync(join(folder, 'out'))).toEqual(['precious.txt']);
    expect(nexdyn('run', 'ball.xml', '--seconds', '0.1', '--out', 'out', '--force').status).toBe(0);
    expect(readdirSync(join(folder, 'out')).sort()).toEqual([
      'frames.csv',
      'frames.npz',
      'hashes.csv',
      'manifest.json',
      'scene.json',
      'summary.json',
    ]);
  });

  test('divergence: exit code 4, the quantity is named, what existed is written', () => {
    // a force that grows with speed: x'' = 1e6 x'
    const unstable = `<mujoco><option timestep="0.01"/><worldbody><body><joint name="runaway" type="slide" axis="1 0 0"/>
      <geom size="0.1" mass="1"/></body></worldbody>
      <actuator><general joint="runaway" biastype="affine" biasprm="0 0 1e6"/></actuator>
      <keyframe><key qvel="1"/></keyframe></mujoco>`;
    writeFileSync(join(folder, 'unstable.xml'), unstable);
    const { status, stderr, stdout } = nexdyn('run', 'unstable.xml', '--seconds', '10', '--out', 'out', '--json');
    expect(status).toBe(4);
    expect(stderr).toMatch(/^diverged: .*runaway.* not finite/m);
    const summary = JSON.parse(stdout);
    expect(summary).toMatchObject({ status: 'diverged', nonFinite: { name: 'runaway' } });
    expect(summary.steps).toBeLessThan(1000);
    expect(readJson('out/summary.json').status).toBe('diverged');
  });

  test('ctrl-C finishes the frame and writes what exists', async () => {
    const child = spawn(process.execPath, [MAIN, 'run', 'ball.xml', '--seconds', '1e7', '--out', 'out', '--json'], {
      cwd: folder,
    });
    let stdout = '';
    let stderr = '';
    let isInterrupted = false;
    child.stdout.on('data', (text) => (stdout += text));
    child.stderr.on('data', (text) => {
      stderr += text;
      // progress shows that it runs; a second interrupt would end it at once
      if (!isInterrupted && /left/.test(String(text))) isInterrupted = child.kill('SIGINT');
    });
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect(status).toBe(130);
    expect(stderr).toMatch(/^ +0 %, .* left, .* simulated$/m);
    const summary = JSON.parse(stdout);
    expect(summary.status).toBe('interrupted');
    expect(summary.steps).toBeGreaterThan(0);
    expect(readJson('out/summary.json').steps).toBe(summary.steps);
    expect(listFolder()).toEqual(['ball.xml', 'out']);
  });

  test('scenes that come with NexDyn run by a part of their name', () => {
    const { status, stdout } = nexdyn('run', 'double-pend', '--seconds', '0.1', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout).steps).toBeGreaterThan(0);
  });
});

describe('bad files', () => {
  const cases: [string, string, RegExp][] = [
    ['malformed.xml', '<mujoco><worldbody></mujoco>', /^error\[malformed-xml\] malformed\.xml:1:\d+/m],
    ['malformed.json', '{"format": "nexdyn-scene", "version": 1, ]', /^error\[malformed-json\] malformed\.json:1:\d+/m],
    ['empty.xml', '', /^error\[malformed-xml\] empty\.xml/m],
    [
      'mass.json',
      '{"format":"nexdyn-scene","version":1,"bodies":[{"joints":[{"kind":"free"}],"shapes":[{"kind":"sphere","radius":1,"mass":-1}]}]}',
      /^error\[[a-z-]+\] mass\.json.*bodies\[0\]/m,
    ],
    [
      'outside.xml',
      '<mujoco><include file="../secret.xml"/></mujoco>',
      /^error\[path-outside-folder\] outside\.xml:1:\d+/m,
    ],
    ['link.xml', '<mujoco><include file="linked.xml"/></mujoco>', /^error\[path-outside-folder\]/m],
    [
      'mesh.xml',
      '<mujoco><asset><mesh file="none.obj"/></asset></mujoco>',
      /^error\[file-not-found\] mesh\.xml:1:\d+/m,
    ],
    ['scene.docx', 'hello', /^error\[unknown-format\] scene\.docx/m],
  ];
  test.each(cases)('%s: exit code 2, a place, and no folder', (name, content, message) => {
    writeFileSync(join(folder, name), content);
    symlinkSync(MAIN, join(folder, 'linked.xml'));
    const before = listFolder();
    const { status, stdout, stderr } = nexdyn('run', name, '--out', 'out');
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(listFolder()).toEqual(before);
  });

  test('a file that is not there, a folder, a name that fits nothing', () => {
    for (const argument of ['none.xml', '.', 'no-such-scene-at-all']) {
      const { status, stderr } = nexdyn('run', argument, '--out', 'deep/er/out');
      expect(status, argument).toBe(2);
      expect(stderr, argument).toMatch(/^error\[(file-not-found|file-unreadable|unknown-format)\]/);
      expect(stderr, argument).toMatch(/^hint: /m);
    }
    expect(listFolder()).toEqual(['ball.xml']);
  });

  test('with --json the error is data as well', () => {
    writeFileSync(join(folder, 'bad.xml'), '<mujoco>\n  <worldbody>\n</mujoco>');
    const { status, stdout } = nexdyn('inspect', 'bad.xml', '--json');
    expect(status).toBe(2);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'malformed-xml', file: 'bad.xml', line: 3 });
  });
});

describe('nexdyn inspect', () => {
  test('--json has sizes, masses and what is not supported', () => {
    const { status, stdout } = nexdyn('inspect', 'ball.xml', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'ball',
      nq: 7,
      nv: 6,
      nbody: 2,
      njoint: 1,
      ngeom: 2,
      nu: 0,
      nkey: 1,
      totalMass: 2,
      options: { timestep: 0.01, gravity: [0, 0, -9.81], formulation: 'mujoco' },
      keyframes: ['up'],
      bodies: [
        { name: 'world', parent: -1 },
        { name: 'ball', parent: 0, mass: 2, joints: [{ kind: 'free' }], shapes: 1 },
      ],
      unsupported: [{ file: 'ball.xml', line: 7, element: expect.any(String), affects: 'sensor' }],
    });
  });

  test('shows the tree to people', () => {
    const { stdout } = nexdyn('inspect', 'ball.xml');
    expect(stdout).toMatch(/^sizes +nq 7 {2}nv 6/m);
    expect(stdout).toMatch(/^mass +2 kg$/m);
    expect(stdout).toMatch(/^ {2}ball {2}2 kg {2}free/m);
    expect(stdout).toMatch(/^1 unsupported: 1 sensor$/m);
  });

  test('--contacts lists what touches in the initial pose or at a keyframe', () => {
    writeFileSync(join(folder, 'crate.xml'), CRATE);
    const inspect = (...args: string[]): string => nexdyn('inspect', 'crate.xml', '--contacts', ...args).stdout;
    // a crate one millimetre in the floor: its four lower corners, half way between the two surfaces
    const { contacts, keyframe, nbody } = JSON.parse(inspect('--json', '--keyframe', 'none'));
    expect([nbody, keyframe, contacts.length]).toEqual([2, null, 4]);
    for (const contact of contacts) {
      expect(contact).toMatchObject({ shapeName1: 'floor', shapeName2: '', bodyName1: 'world', bodyName2: 'crate' });
      expect(contact.gap).toBeCloseTo(-0.001, 12);
      expect(contact.position.map(Math.abs)).toEqual([0.1, 0.2, 0.0005].map((value) => expect.closeTo(value, 12)));
      expect(contact.normal).toEqual([0, 0, 1].map((value) => expect.closeTo(value, 12)));
      // at rest and in the floor, it is pushed up straight
      expect(contact.mode).toBe('stick');
      expect(contact.force).toEqual([expect.closeTo(0, 6), expect.closeTo(0, 6), contact.normalForce]);
      expect(contact.normalForce).toBeGreaterThan(0);
    }
    const sum = contacts.reduce((total: number, { normalForce }: { normalForce: number }) => total + normalForce, 0);
    const line = `4 contacts in the initial pose, the deepest 1 mm; normal forces of ${Number(sum.toPrecision(6))} N in all under mujoco`;
    const text = inspect('--keyframe', 'none');
    expect(text.split('\n')).toContain(line);
    expect(text).toMatch(/^shape 1 .*\n(world\/floor +crate\/#1 +stick +-1\.000 .*\n){4}$/m);
    expect(inspect()).toMatch(/^No contacts at keyframe "up"\.$/m);
    expect(JSON.parse(nexdyn('inspect', 'crate.xml', '--json').stdout)).not.toHaveProperty('contacts');
  });
});

describe('nexdyn convert', () => {
  test('the JSON runs to the same state as the file it came from', () => {
    expect(nexdyn('convert', 'ball.xml', 'ball.json').status).toBe(0);
    expect(readJson('ball.json')).toMatchObject({ format: 'nexdyn-scene', version: 1, name: 'ball' });
    const hash = (file: string): string =>
      JSON.parse(nexdyn('run', file, '--seconds', '0.5', '--json').stdout).finalHash;
    expect(hash('ball.json')).toBe(hash('ball.xml'));
  });

  test('writes to stdout, and leaves no half a file', () => {
    expect(JSON.parse(nexdyn('convert', 'ball.xml', '-').stdout).name).toBe('ball');
    expect(nexdyn('convert', 'ball.xml', 'no/such/ball.json').status).toBe(1);
    expect(listFolder()).toEqual(['ball.xml']);
  });
});

describe('nexdyn bench', () => {
  test('lists its scenes', () => {
    const { status, stdout } = nexdyn('bench', '--list');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^chain100 /m);
    expect(stdout).toMatch(/^humanoid-free-fall /m);
  });

  test('--json: one object per line', () => {
    const { status, stdout, stderr } = nexdyn('bench', 'chain10', 'free-bodies-10', '--quick', '--json');
    expect(stderr).toMatch(/^1 of 2: chain10/m);
    expect(status).toBe(0);
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map((row) => row.scene)).toEqual(['chain10', 'free-bodies-10']);
    for (const row of rows) {
      expect(row).toMatchObject({ formulation: 'mujoco', peer: expect.stringContaining('mujoco'), solver: 'none' });
      expect(row.ratio).toBeCloseTo(row.oursMs / row.peerMs, 12);
      expect(row.oursMs).toBeGreaterThan(0);
      expect(row.difference).toBeLessThan(1e-8);
    }
  });
});

describe('nexdyn studio', () => {
  const isBuilt = existsSync(fileURLToPath(new URL('../../studio/dist/index.html', import.meta.url)));
  test.skipIf(!isBuilt)('serves the page until ctrl-C (needs the studio built)', async () => {
    const child = spawn(process.execPath, [MAIN, 'studio', '--port', '0'], { cwd: folder });
    const line = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text))));
    const url = /^NexDyn studio: (http:\/\/localhost:\d+)\n$/.exec(line)?.[1];
    const page = await (await fetch(`${url}/`)).text();
    expect(page).toMatch(/<!doctype html>/i);
    const closed = new Promise((resolve) => child.on('close', resolve));
    child.kill('SIGINT');
    expect(await closed).toBe(0);
  });
});
