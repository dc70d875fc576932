import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPng } from '@nexdyn/formats';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandFolder, CRATE } from './command-folder.ts';

const folder = new CommandFolder();
beforeEach(() => folder.create());
afterEach(() => folder.remove());

/** Runs a command in the folder. */
const nexdyn = (...args: string[]) => folder.run(...args);

test('--json prints the summary and nothing else', async () => {
  const { status, stdout } = await nexdyn(
    'run',
    'ball.xml',
    '--seconds',
    '0.1',
    '--json',
    '--quiet',
    '--keyframe',
    'none',
  );
  expect(status).toBe(0);
  expect(stdout.trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(stdout)).toMatchObject({ scene: 'ball', status: 'completed', steps: 10 });
  expect(folder.list()).toEqual(['ball.xml']);
});

test('a converted scene runs to the same hash as its source, --quiet is known to every command', async () => {
  const hash = async (file: string): Promise<string> =>
    (await folder.runJson('run', file, '--seconds', '0.1', '--quiet')).finalHash;
  expect((await nexdyn('convert', 'ball.xml', 'ball.json', '--quiet')).status).toBe(0);
  expect(await hash('ball.json')).toBe(await hash('ball.xml'));
  expect((await nexdyn('inspect', 'ball.json', '--json', '--quiet')).status).toBe(0);
});

test('the same run twice gives the same hash, another integrator or step another', async () => {
  const hash = async (...args: string[]): Promise<string> =>
    (await folder.runJson('run', 'ball.xml', '--seconds', '0.1', ...args)).finalHash;
  expect(await hash()).toBe(await hash());
  expect(await hash('--integrator', 'rk4')).not.toBe(await hash());
  expect(await hash('--dt', '0.02')).not.toBe(await hash());
});

test('a run whose first step fails claims no converged steps', async () => {
  const spring = '<joint type="hinge" axis="0 1 0" stiffness="1e9" springref="60"/>';
  const link = `<body pos=".2 0 0">${spring}<geom size=".01"/></body>`;
  const body = `<body pos="0 0 .3"><freejoint/><geom size=".1"/>${link}</body>`;
  folder.write(
    'broken.xml',
    `<mujoco><option timestep=".02" integrator="Euler"/><worldbody>${body}</worldbody></mujoco>`,
  );
  const { stdout } = await nexdyn('run', 'broken.xml', '--formulation', 'mujoco', '--seconds', '0.1');
  expect(stdout).toMatch(/^status +unstable$/m);
  expect(stdout).toMatch(/^solver +no step was taken$/m);
});

test('a crate on the floor: the summary has contacts, penetration and the weight as their force', async () => {
  folder.write('crate.xml', CRATE);
  const args = ['crate.xml', '--keyframe', 'none', '--seconds', '1'];
  const { status, stdout } = await nexdyn('run', ...args, '--json', '--out', 'out');
  expect(status).toBe(0);
  const { contacts, mostIterations, iterations } = JSON.parse(stdout);
  // 24 litres of water
  expect(contacts.end).toMatchObject({ count: 4, normalForce: expect.closeTo(8 * 0.1 * 0.2 * 0.3 * 1000 * 9.81, 3) });
  expect(contacts.end.penetration).toBeGreaterThan(0);
  expect(contacts.most.penetration).toBeGreaterThanOrEqual(contacts.end.penetration);
  expect(mostIterations).toBeGreaterThan(0);
  expect(iterations).toBeGreaterThanOrEqual(mostIterations);
  const header = folder
    .read('out/frames.csv')
    .split('\n')
    .find((line) => line.includes('time'))!;
  for (const title of ['iterations', 'residual', 'status', 'contactCount', 'penetration (m)', 'normalForce (N)']) {
    expect(header).toContain(title);
  }
  const text = (await nexdyn('run', ...args)).stdout;
  expect(text).toMatch(
    /^solver +[\d.]+ iterations per step, at most \d+; residual at most .*; all \d+ steps converged$/m,
  );
  expect(text).toMatch(/^contacts +4 at the end, at most 4$/m);
  expect(text).toMatch(/^force +470\.88 N at the end/m);
});

test('options of the scene can be replaced, and the manifest says so', async () => {
  const hash = async (...args: string[]): Promise<string> =>
    (await folder.runJson('run', 'ball.xml', '--seconds', '0.1', ...args)).finalHash;
  expect(await hash('--set', 'gravity=0,0,-9.81')).toBe(await hash());
  expect(await hash('--set', 'gravity=0,0,-1.62')).not.toBe(await hash());
  expect(await hash('--set', 'timestep=0.02')).toBe(await hash('--dt', '0.02'));
  await nexdyn(
    'run',
    'ball.xml',
    '--seconds',
    '0',
    '--out',
    'out',
    '--cone',
    'elliptic',
    '--set',
    'mujoco.tolerance=1e-6',
  );
  expect(folder.readJson('out/manifest.json').sceneOptions.mujoco).toMatchObject({ cone: 'elliptic', tolerance: 1e-6 });
});

test('steps that do not converge are counted, taken and reported: exit code 3, no error', async () => {
  folder.write('crate.xml', CRATE);
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
  const { status, stdout, stderr } = await nexdyn('run', 'crate.xml', ...starved, '--json');
  expect(status).toBe(3);
  expect(stderr).toMatch(/^\d+ of 50 steps did not converge: \d+ at the iteration limit; largest residual /m);
  expect(stderr).not.toContain('error[');
  const summary = JSON.parse(stdout);
  expect(summary).toMatchObject({ status: 'not-converged', steps: 50 });
  expect(summary.statuses['iteration-limit'] + summary.statuses.stalled).toBe(summary.unconvergedSteps);
});

test('what contradicts each other is named where steps are infeasible', async () => {
  // a hinge about the vertical keeps the cube 27 mm in the floor
  folder.write(
    'pinned.json',
    JSON.stringify({
      format: 'nexdyn-scene',
      version: 1,
      shapes: [{ kind: 'plane', name: 'floor' }],
      bodies: [
        {
          name: 'link',
          position: [0, 0, 0.073],
          joints: [{ kind: 'hinge', name: 'pin', axis: [0, 0, 1] }],
          shapes: [{ kind: 'box', name: 'cube\u001b[31m', halfSize: [0.1, 0.1, 0.1] }],
        },
      ],
    }),
  );
  const args = ['pinned.json', '--formulation', 'sap', '--seconds', '0.02', '--json'];
  const { status, stdout, stderr } = await nexdyn('run', ...args);
  expect(status).toBe(3);
  expect(stderr).toMatch(/^these contradict each other: .*contact of .*floor.*$/m);
  expect(stderr).not.toContain('\u001b');
  const [name] = JSON.parse(stdout).contradiction;
  expect(name).toMatch(/contact of/);
  const compared = await nexdyn('compare', 'pinned.json', '--formulations', 'sap', '--time', '0.02', '--json');
  expect(compared.stderr).toMatch(/^sap: these contradict each other: .*contact of/m);
  expect(JSON.parse(compared.stdout).contradiction).toEqual([name]);
});

test('bodies that lie in each other are named, though every step has converged', async () => {
  const box = (name: string, height: number, half: number, mass: number): object => ({
    name,
    position: [0, 0, height],
    joints: [{ kind: 'free' }],
    shapes: [{ kind: 'box', name, halfSize: [half, half, half], mass }],
  });
  folder.write(
    'heavy.json',
    JSON.stringify({
      format: 'nexdyn-scene',
      version: 1,
      options: { timestep: 1 / 60 },
      shapes: [{ kind: 'plane', name: 'floor' }],
      bodies: [box('light', 0.05, 0.05, 1), box('heavy', 0.2, 0.1, 1000)],
    }),
  );
  const { status, stdout, stderr } = await nexdyn('run', 'heavy.json', '--formulation', 'mujoco', '--json');
  expect(status).toBe(0);
  expect(stderr).toMatch(/^warning: shape "\w+" and shape "\w+" overlapped by \d+ mm, \d+ % of the thinner one/m);
  const [first, second] = JSON.parse(stdout).deepContacts;
  expect(first.share).toBeGreaterThanOrEqual(second.share);
  expect(second.depth).toBeCloseTo(0.1 * second.share, 12);
  const rigid = await nexdyn('run', 'heavy.json', '--formulation', 'ccp', '--json');
  expect(rigid.stderr).not.toContain('overlapped');
  expect(JSON.parse(rigid.stdout).deepContacts).toEqual([]);
});

test('coordinates that give way to others are told, with the link that asks for it', async () => {
  const link = { joints: [{ kind: 'ball' }], shapes: [{ kind: 'sphere', radius: 0.01, position: [0, 0, -0.1] }] };
  const shapes = [{ ...link.shapes[0], mass: 50 }];
  const weight = { ...link, name: 'weight', position: [0, 0, -0.1], shapes };
  const bodies = [{ ...link, name: 'thread', bodies: [weight] }];
  const scene = { format: 'nexdyn-scene', version: 1, options: { timestep: 0.01 }, bodies };
  folder.write('thread.json', JSON.stringify(scene));
  const run = (...args: string[]) => nexdyn('run', 'thread.json', '--seconds', '0.1', '--formulation', 'ccp', ...args);
  expect((await run()).stderr).toContain('joint coordinates: for body coordinates thread carries too much');
  expect((await run('--coordinates', 'body')).stderr).not.toContain('carries too much');
});

test('a limit is raised or lowered in every command that reads a file', async () => {
  const limits = ['--limit', 'bodies=0'];
  const refusal = /^error\[too-large\] .*hint: .*'bodies'/ms;
  for (const args of [
    ['run', 'ball.xml'],
    ['inspect', 'ball.xml'],
    ['convert', 'ball.xml', '-'],
    ['compare', 'ball.xml', '--json'],
  ]) {
    const { status, stderr } = await nexdyn(...args, ...limits);
    expect([args[0], status]).toEqual([args[0], 2]);
    expect(stderr).toMatch(refusal);
  }
  // a run that needed a limit to be raised needs it to be repeated
  await nexdyn('run', 'ball.xml', '--seconds', '0.02', '--out', 'out', '--quiet');
  expect(await nexdyn('replay', 'out', ...limits)).toMatchObject({ status: 2, stderr: expect.stringMatching(refusal) });
  expect(await nexdyn('replay', 'out', '--limit', 'bodies=1')).toMatchObject({ status: 0 });
  folder.write('problem.json', '{"name":"p","dim":3,"contacts":1,"mu":[1],"q":[0,0,0],"W":[]}');
  const solved = await nexdyn('solve', 'problem.json', '--limit', 'fileBytes=10');
  expect(solved).toMatchObject({ status: 2, stderr: expect.stringContaining("limit 'fileBytes'") });
});

test('ipc resolves contacts', async () => {
  const { stdout } = await nexdyn('run', 'ball.xml', '--seconds', '0.1', '--formulation', 'ipc', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ formulation: 'ipc', unresolved: [] });
});

test('starts from the first keyframe and says so, or from the one asked for', async () => {
  const run = (...args: string[]) => nexdyn('run', 'ball.xml', '--seconds', '0', '--json', ...args);
  const energy = async (...args: string[]): Promise<number> =>
    JSON.parse((await run(...args)).stdout).energy.start.total;
  expect((await run()).stderr).toContain('starts from keyframe "up"');
  expect(await energy()).toBeCloseTo(2 * 9.81 * 50 + 1, 9);
  expect(await energy('--keyframe', '0')).toBe(await energy('--keyframe', 'up'));
  expect(await energy('--keyframe', 'none')).toBeCloseTo(2 * 9.81 * 100, 9);
});

test('a folder with files in it is refused before anything runs; --force replaces only what NexDyn wrote', async () => {
  mkdirSync(join(folder.path, 'out'));
  folder.write('out/precious.txt', 'mine');
  const refused = await nexdyn('run', 'ball.xml', '--seconds', '0.1', '--out', 'out');
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('--force');
  expect(folder.list('out')).toEqual(['precious.txt']);
  // by no name of the folder, whatever the user asks for
  for (const out of ['out', './out/', '.', folder.path, 'out/..']) {
    const forced = await nexdyn('run', 'ball.xml', '--seconds', '0.1', '--out', out, '--force');
    expect(forced.status, out).toBe(1);
    expect(forced.stderr).toMatch(/was not written by NexDyn.*\nhint: choose another --out/);
  }
  expect(folder.list()).toEqual(['ball.xml', 'out']);
  expect(folder.read('out/precious.txt')).toBe('mine');
  const run = (...args: string[]) => nexdyn('run', 'ball.xml', '--seconds', '0.1', '--out', 'new', ...args);
  expect((await run('--format', 'mcap')).status).toBe(0);
  folder.write('new/notes.txt', 'mine');
  const replaced = await run('--force');
  expect(replaced.status).toBe(0);
  expect(replaced.stderr).toContain('kept in new: notes.txt');
  expect(folder.list('new')).toEqual([
    'contacts.csv',
    'frames.csv',
    'frames.npz',
    'hashes.csv',
    'manifest.json',
    'notes.txt',
    'scene.json',
    'summary.json',
  ]);
});

test('divergence: exit code 4, the quantity is named, what existed is written', async () => {
  // a force that grows with speed: x'' = 1e6 x'
  const unstable = `<mujoco><option timestep="0.01"/><worldbody><body><joint name="runaway" type="slide" axis="1 0 0"/>
    <geom size="0.1" mass="1"/></body></worldbody>
    <actuator><general joint="runaway" biastype="affine" biasprm="0 0 1e6"/></actuator>
    <keyframe><key qvel="1"/></keyframe></mujoco>`;
  folder.write('unstable.xml', unstable);
  const { status, stderr, stdout } = await nexdyn('run', 'unstable.xml', '--seconds', '10', '--out', 'out', '--json');
  expect(status).toBe(4);
  expect(stderr).toMatch(/^diverged: .*runaway.* not finite/m);
  const summary = JSON.parse(stdout);
  expect(summary).toMatchObject({ status: 'diverged', nonFinite: { name: 'runaway' } });
  expect(summary.steps).toBeLessThan(1000);
  expect(folder.readJson('out/summary.json').status).toBe('diverged');
});

test('scenes that come with NexDyn run by a part of their name', async () => {
  const { status, stdout } = await nexdyn('run', 'double-pend', '--seconds', '0.1', '--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout).steps).toBeGreaterThan(0);
});

test('--frames writes pictures of a camera, by simulated time', async () => {
  folder.write(
    'seen.xml',
    CRATE.replace(
      '</worldbody>',
      '<camera name="front" pos="0 -1 5" xyaxes="1 0 0 0 0 1" resolution="64 48"/></worldbody>',
    ),
  );
  const args = ['run', 'seen.xml', '--seconds', '0.3', '--fps', '20', '--quiet'];
  const { status, stderr } = await nexdyn(...args, '--frames', 'film', '--camera', 'front');
  expect(status).toBe(0);
  expect(stderr).toContain('7 pictures written to film');
  const pictures = Array.from({ length: 7 }, (_, n) => readFileSync(join(folder.path, 'film', `frame-0000${n}.png`)));
  const { width, height } = readPng('frame.png', pictures[0]!);
  expect([width, height]).toEqual([64, 48]);
  // the crate falls past the camera: other pixels every time, and the same ones again
  expect(new Set(pictures.map((picture) => picture.toString('base64'))).size).toBe(7);
  await nexdyn(...args, '--frames', 'again', '--camera', '0');
  expect(readFileSync(join(folder.path, 'again', 'frame-00003.png'))).toEqual(pictures[3]);
  const faults: [string[], RegExp][] = [
    [['--frames', 'film'], /film exists/],
    [['--frames', 'other', '--camera', 'back'], /no camera 'back'/],
    [['--camera', 'front'], /no pictures to act on/],
  ];
  for (const [options, message] of faults) {
    const refused = await nexdyn(...args, ...options);
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toMatch(message);
  }
});
