import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileModel, Simulation, scene } from '@nexdyn/engine';
import { writeNpz } from '@nexdyn/formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CommandFolder, type CommandOutput } from './command-folder.ts';

const SCENE = `<mujoco model="toss">
  <option timestep="0.005"/>
  <asset><mesh name="wedge" vertex="0 0 0  0.2 0 0  0 0.2 0  0 0 0.2"/></asset>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body name="wedge" pos="0 0 0.3"><freejoint name="free"/><geom type="mesh" mesh="wedge"/></body>
    <body name="arm" pos="1 0 1"><joint name="elbow" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/></body>
  </worldbody>
  <actuator><motor name="turn" joint="elbow"/></actuator>
</mujoco>
`;

const place = new CommandFolder();
const nexdyn = (...args: string[]): Promise<CommandOutput> => place.run(...args);

let folder: string;
beforeAll(async () => {
  place.create();
  folder = place.path;
  writeFileSync(join(folder, 'toss.xml'), SCENE);
  const args = ['--formulation', 'sap', '--set', 'gravity=0,0,-5', '--seconds', '0.5', '--every', '4'];
  const recorded = await nexdyn('run', 'toss.xml', ...args, '--out', 'out', '--format', 'npz,mcap,glb', '--quiet');
  expect(recorded).toMatchObject({ status: 0 });
});
afterAll(() => place.remove());

const read = (name: string): string => readFileSync(join(folder, 'out', name), 'utf8');

/** Changes a file of the recording for the time of a call. */
async function withChange<T>(name: string, change: (text: string) => string, call: () => Promise<T>): Promise<T> {
  const before = read(name);
  writeFileSync(join(folder, 'out', name), change(before));
  try {
    return await call();
  } finally {
    writeFileSync(join(folder, 'out', name), before);
  }
}

describe('nexdyn replay', () => {
  test('the folder has all that is needed, whatever became of the scene', async () => {
    const names = [
      'frames.mcap',
      'frames.npz',
      'hashes.csv',
      'manifest.json',
      'motion.glb',
      'scene.json',
      'summary.json',
    ];
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(names);
    expect(JSON.parse(read('manifest.json'))).toMatchObject({ version: 3, inputs: [], scene: { copy: 'scene.json' } });
    rmSync(join(folder, 'toss.xml'));
    const { status, stdout } = await nexdyn('replay', 'out', '--json');
    expect(status).toBe(0);
    // 100 steps, a frame every four of them and one at the start
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'same',
      formulation: 'sap',
      frames: 26,
      comparedFrames: 26,
      steps: 100,
      firstDifference: null,
      finalHash: JSON.parse(read('summary.json')).finalHash,
    });
    expect((await nexdyn('replay', 'out/frames.npz')).stdout).toMatch(/^status +same$/m);
  });

  test('a changed scene: exit code 5, the first frame that differs and by how much', async () => {
    const { status, stdout, stderr } = await withChange(
      'scene.json',
      (text) => text.replace(/-5\b/, '-5.5'),
      () => nexdyn('replay', 'out'),
    );
    expect(status).toBe(5);
    expect(stderr).toMatch(/scene\.json differs from the recording/);
    expect(stdout).toMatch(/^differs +first at frame 1 \(step 4, 0\.02 s\)$/m);
    expect(stdout).toMatch(/^velocity +\S+: \S+ recorded, \S+ found$/m);
  });

  test.each<[string, (bytes: Buffer) => Buffer]>([
    // the last frames cut off, one left out, another time; a number changed; a name in the scene that moves nothing
    ['hashes.csv', (bytes) => bytes.subarray(0, bytes.lastIndexOf('\n', bytes.length - 2) + 1)],
    ['hashes.csv', (bytes) => Buffer.from(bytes.toString().replace(/\n8,.*/, ''))],
    ['hashes.csv', (bytes) => Buffer.from(bytes.toString().replace(/\n8,[\d.]+/, '\n8,7'))],
    ['frames.npz', (bytes) => bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 4)],
    ['frames.mcap', (bytes) => bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 4)],
    ['motion.glb', (bytes) => bytes.subarray(0, bytes.length - 4)],
    ['summary.json', (bytes) => Buffer.from(bytes.toString().replace('completed', 'diverged'))],
    ['scene.json', (bytes) => Buffer.from(bytes.toString().replace('"toss"', '"lob"'))],
  ])('a changed %s is named though the states are the same: exit code 5', async (name, change) => {
    cpSync(join(folder, 'out'), join(folder, 'changed'), { recursive: true });
    const file = join(folder, 'changed', name);
    const before = readFileSync(file);
    writeFileSync(file, change(Buffer.from(before)));
    expect(readFileSync(file).equals(before)).toBe(false);
    const { status, stdout, stderr } = await nexdyn('replay', 'changed', '--json', '--quiet');
    rmSync(join(folder, 'changed'), { recursive: true });
    expect(status).toBe(5);
    expect(stderr).toBe(`${join('changed', name)} differs from the recording: it has been changed\n`);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'altered', altered: [join('changed', name)] });
  });

  test('files that a replay does not need may be missing, and the scene may be written otherwise', async () => {
    cpSync(join(folder, 'out'), join(folder, 'fewer'), { recursive: true });
    for (const name of ['frames.npz', 'frames.mcap', 'motion.glb', 'summary.json']) rmSync(join(folder, 'fewer', name));
    const file = join(folder, 'fewer/scene.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/\n */g, '\n'));
    expect(await nexdyn('replay', 'fewer', '--quiet')).toMatchObject({ status: 0, stderr: '' });
  });

  test('inputs of a user enter: a drag and a control change the run from their step on', async () => {
    const inputs = [
      { kind: 'pull', step: 10, body: 1, force: [3, 0, 1], point: [0, 0, 0.3] },
      { kind: 'write', step: 30, field: 'control', start: 0, values: [0.5] },
    ];
    const change = (text: string): string => JSON.stringify({ ...JSON.parse(text), inputs });
    const { status, stdout } = await withChange('manifest.json', change, () => nexdyn('replay', 'out', '--json'));
    expect(status).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({ inputs: 2, firstDifference: { frame: 3, step: 12 } });
  });

  test('a run saved in the studio: drags and options changed on the way', async () => {
    const world = scene('dragged').timestep(0.005);
    world.plane('floor');
    world
      .body('box', { position: [0, 0, 0.1] })
      .free()
      .box({ halfSize: [0.1, 0.1, 0.1] });
    const written = world.build();
    const pulls = [10, 11, 12].map((step) => ({
      step,
      body: 1,
      force: [20, 0, 50],
      point: [0, 0.1, 0.1],
      target: [1, 1, 1],
    }));
    // what the page does: a pull lasts one step; other options go on from the state
    let simulation = new Simulation(compileModel(written, { formulation: 'sap' }));
    simulation.forward();
    for (let step = 0; step < 40; step++) {
      if (step === 20) {
        const state = simulation.snapshot();
        simulation = new Simulation(
          compileModel({ ...written, options: { ...written.options, gravity: [0, 0, -3] } }, { formulation: 'sap' }),
        );
        simulation.restore(state);
      }
      simulation.clearForces();
      const pull = pulls.find((candidate) => candidate.step === step);
      if (pull) simulation.applyForce(1, { force: [20, 0, 50], point: [0, 0.1, 0.1] });
      simulation.step();
    }
    const record = {
      choice: { formulation: 'sap' },
      steps: 40,
      pulls,
      changes: [{ step: 20, choice: { formulation: 'sap', set: { gravity: [0, 0, -3] } } }],
      hash: simulation.hash(),
    };
    const base64 = Buffer.from(JSON.stringify(written)).toString('base64');
    const run = {
      format: 'nexdyn-run',
      version: 1,
      path: 'dragged.json',
      files: { 'dragged.json': { base64 } },
      record,
    };
    writeFileSync(join(folder, 'dragged.run.json'), JSON.stringify(run));
    const { status, stdout } = await nexdyn('replay', 'dragged.run.json');
    expect(stdout).toMatch(/^scene +dragged, formulation sap$/m);
    expect(stdout).toMatch(/^compared +1 of 1 frames in 40 steps, 3 inputs$/m);
    expect(status).toBe(0);
    writeFileSync(join(folder, 'dragged.run.json'), JSON.stringify({ ...run, record: { ...record, pulls: [] } }));
    expect((await nexdyn('replay', 'dragged.run.json')).status).toBe(5);
    writeFileSync(join(folder, 'dragged.run.json'), JSON.stringify({ ...run, record: { ...record, hash: '' } }));
    expect(await nexdyn('replay', 'dragged.run.json')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('record.hash'),
    });
  });

  test.each([
    ['manifest.json', '{"format": "else"}', /not a manifest/],
    ['manifest.json', '{', /malformed-json/],
    ['manifest.json', '{"format": "nexdyn-run", "version": 2}', /version 2 cannot be replayed/],
    ['hashes.csv', 'step,time (s),hash\n', /no frames/],
    ['scene.json', '{}', /scene\.json/],
    ['hashes.csv', 'step,time (s),hash\n1,0,0123\n', /hashes\.csv:2:1/],
  ])('a damaged %s (%j): exit code 2', async (name, text, message) => {
    const { status, stderr } = await withChange(
      name,
      () => text,
      () => nexdyn('replay', 'out'),
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });

  test.each([
    ['scene', null],
    ['scene', { copy: '../toss.xml' }],
    ['scene', { copy: '.' }],
    ['options', { formulation: '__proto__', timestep: 0.005 }],
    ['options', { formulation: 'sap', timestep: 0.005, keyframe: 99 }],
    ['options', { formulation: 'sap', timestep: 0.005, keyframe: {} }],
    ['inputs', [null]],
    ['files', { '.': '0'.repeat(64) }],
    ['files', { '../toss.xml': '0'.repeat(64) }],
  ])('a manifest with %s %j is refused, never a crash', async (name, value) => {
    const { status, stderr } = await withChange(
      'manifest.json',
      (text) => JSON.stringify({ ...JSON.parse(text), [name]: value }),
      () => nexdyn('replay', 'out'),
    );
    expect([1, 2]).toContain(status);
    expect(stderr).toMatch(/^error\[(?!internal).*\nhint: /);
  });

  test('a damaged run of the studio is refused, never a crash', async () => {
    const record = { choice: {}, steps: 1, pulls: [], changes: [], hash: '0'.repeat(16) };
    const good = { format: 'nexdyn-run', version: 1, path: 'a.json', files: { 'a.json': '{}' }, record };
    for (const damage of [
      { record: null },
      { files: null },
      { files: [] },
      { files: { 'a.json': null } },
      { path: 3 },
      { path: '../b.json' },
      { record: { ...record, choice: null } },
      { record: { ...record, choice: { set: 3 } } },
      { record: { ...record, pulls: 3 } },
      { record: { ...record, pulls: [null] } },
      { record: { ...record, changes: [{ step: 0 }] } },
      { record: { ...record, steps: -1 } },
    ]) {
      place.write('damaged.run.json', JSON.stringify({ ...good, ...damage }));
      const { status, stderr } = await nexdyn('replay', 'damaged.run.json');
      expect(status, JSON.stringify(damage)).toBe(2);
      expect(stderr).toMatch(/^error\[(?!internal)/);
    }
  });

  test('numbers of other sizes, with the digests to them, say nothing', async () => {
    const npz = writeNpz({
      name: 'short',
      time: new Float64Array(1),
      columns: [{ name: 'position', unit: 'm', width: 8, data: new Float64Array(8) }],
    });
    cpSync(join(folder, 'out'), join(folder, 'short'), { recursive: true });
    writeFileSync(join(folder, 'short/frames.npz'), npz);
    const manifest = JSON.parse(read('manifest.json'));
    manifest.files['frames.npz'] = createHash('sha256').update(npz).digest('hex');
    const hashes = read('hashes.csv').replace(/[0-9a-f]{16}\n$/, `${'0'.repeat(16)}\n`);
    manifest.files['hashes.csv'] = createHash('sha256').update(hashes).digest('hex');
    writeFileSync(join(folder, 'short/hashes.csv'), hashes);
    writeFileSync(join(folder, 'short/manifest.json'), JSON.stringify(manifest));
    const { status, stdout } = await nexdyn('replay', 'short');
    expect(status).toBe(5);
    expect(stdout).not.toContain('undefined');
  });
});
