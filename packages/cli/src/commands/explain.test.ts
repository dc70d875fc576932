import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scene } from '@nexdyn/engine';
import { afterAll, expect, test } from 'vitest';
import { EXIT } from '../exit-code.ts';
import { captureRun } from './captured-run.ts';
import { CRATE } from './command-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'nexdyn-explain-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A crate that falls 5 cm on a floor. */
const DROP: Scene = {
  format: 'nexdyn-scene',
  version: 1,
  options: { timestep: 0.002 },
  shapes: [{ kind: 'plane' }],
  bodies: [
    {
      name: 'crate',
      position: [0, 0, 0.15],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'box', halfSize: [0.1, 0.1, 0.1], mass: 2 }],
    },
  ],
};

const write = (name: string, scene: Scene): string => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(scene));
  return file;
};

test('one file twice: the same models, the same motion', async () => {
  const { status, data } = await captureRun('explain', write('drop.json', DROP), '--seconds', '0.1');
  expect(status).toBe(EXIT.ok);
  expect(data).toContain('the models are the same');
  expect(data).toContain('the motions are the same');
});

test('another size: the field by its name; the motion is the same until the larger crate lands', async () => {
  const tall = structuredClone(DROP);
  tall.bodies![0]!.shapes = [{ kind: 'box', halfSize: [0.1, 0.1, 0.12], mass: 2 }];
  const args = ['explain', write('drop.json', DROP), write('tall.json', tall), '--seconds', '0.3', '--json'];
  const { status, data } = await captureRun(...args);
  expect(status).toBe(EXIT.different);
  const { fields, difference } = JSON.parse(data) as {
    fields: { field: string; first: string; second: string }[];
    difference: { step: number; time: number; body: string; pairs: { pair: string; force: (number | null)[] }[] };
  };
  expect(fields.find(({ field }) => field.startsWith('shape.size'))).toMatchObject({ first: '0.1', second: '0.12' });
  // free fall knows no size: 3 cm take √(2 · 0.03 / 9.81) s
  const landing = Math.sqrt(0.06 / 9.81);
  expect(Math.abs(difference.time - landing)).toBeLessThan(0.01);
  expect(difference.body).toBe('crate');
  const [pair] = difference.pairs;
  expect(pair!.pair).toContain('crate');
  expect(pair!.force[0] ?? 0).toBe(0);
  expect(pair!.force[1]).toBeGreaterThan(0);
});

test('two formulations: contacts of the first step that differs, and how both solvers ended', async () => {
  const { status, data } = await captureRun(
    'explain',
    write('drop.json', DROP),
    '--formulations',
    'mujoco,ccp',
    '--coordinates',
    'body',
  );
  expect(status).toBe(EXIT.different);
  expect(data).toContain('options.formulation: mujoco and ccp');
  // what each derives from its own options is left out, and why they differ is said
  expect(data).not.toContain('options.clearance');
  expect(data).not.toContain('undefined');
  expect(data).toMatch(/^so: both solvers converged/m);
  expect(data).toMatch(/the motions are apart from step \d+ on \(0\.1\d* s\)/);
  expect(data).toMatch(/the solvers ended: \S+ after \d+ iterations, residual \S+; /);
  expect(data).toMatch(/crate and world: (?:no contact|.* m) and (?:no contact|.* m)/);
});

test('a free joint has no anchor, a vector is a line, and a solver that stops early is named', async () => {
  const lopsided = structuredClone(DROP);
  lopsided.bodies![0]!.shapes!.push({ kind: 'box', halfSize: [0.02, 0.02, 0.02], position: [0.1, 0, 0.1], mass: 1 });
  lopsided.bodies![0]!.position = [0, 0, 0.1];
  const args = ['explain', write('lopsided.json', lopsided), '--seconds', '0.02'];
  // one in joint coordinates, the other in those of bodies
  const { data } = await captureRun(...args, '--formulations', 'sap,ccp');
  expect(data).not.toContain('joint.anchor');
  expect(data).toMatch(/^so: both solvers converged; their contact laws differ: sap \(.*\) and ccp \(.*\)$/m);
  const other = structuredClone(lopsided);
  other.bodies![0]!.shapes![0]! = { kind: 'box', halfSize: [0.11, 0.12, 0.1], mass: 2 };
  const sizes = await captureRun(...args.slice(0, 2), write('other.json', other), '--formulations', 'sap');
  expect(sizes.data).toMatch(/^ {2}shape\.size of .*: \(0\.1, 0\.1\) and \(0\.11, 0\.12\)$/m);
  const short = await captureRun(...args, '--formulations', 'mujoco,sap', '--set', 'sap.iterations=1');
  expect(short.data).toContain('so: the solver of the second did not converge');
});

test('two recorded runs, each as it was; a keyframe is where they start', async () => {
  const thrown: Scene = { ...DROP, keyframes: [{ name: 'thrown', velocity: [1, 0, 0, 0, 0, 0] }] };
  const file = write('thrown.json', thrown);
  const [slow, fast, again] = ['slow', 'fast', 'again'].map((name) => join(folder, name));
  const run = (out: string, ...more: string[]) =>
    captureRun('run', file, '--seconds', '0.02', '--out', out, '--quiet', ...more);
  await run(slow!, '--formulation', 'sap');
  await run(again!, '--formulation', 'sap');
  await run(fast!, '--formulation', 'sap', '--set', 'gravity=[0,0,-20]');
  expect((await captureRun('explain', slow!, again!, '--seconds', '0.02')).status).toBe(EXIT.ok);
  const { status, data } = await captureRun('explain', slow!, fast!, '--seconds', '0.02');
  expect(status).toBe(EXIT.different);
  expect(data).toMatch(/options\.gravity\[2\]: -9\.81 and -20/);
  expect(data).toContain('the motions are apart from step 1 on');
  const { status: refused, messages } = await captureRun('explain', slow!, fast!, '--formulations', 'ipc');
  expect(refused).toBe(EXIT.usage);
  expect(messages).toContain('a recorded run has its own options');
});

/** An arm of two links: the second turns about y at the end of the first, 0.3 m along x; 30 and 20 cm of rods of 1 and 0.5 kg. */
const ARM_URDF = `<robot name="arm">
  <link name="base"/>
  <link name="upper_link"><inertial><origin xyz="0.15 0 0"/><mass value="0.8"/><inertia ixx="0.001" iyy="0.0075" izz="0.0075" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="flange"><inertial><origin xyz="0 0 0"/><mass value="0.2"/><inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="lower_link"><inertial><origin xyz="0.1 0 0"/><mass value="0.5"/><inertia ixx="0.001" iyy="0.002" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder_joint" type="revolute"><parent link="base"/><child link="upper_link"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="100" velocity="1"/></joint>
  <joint name="bolts" type="fixed"><parent link="upper_link"/><child link="flange"/><origin xyz="0.3 0 0"/></joint>
  <joint name="elbow_joint" type="revolute"><parent link="flange"/><child link="lower_link"/><axis xyz="0 1 0"/><dynamics damping="DAMPING"/><limit lower="-2" upper="2" effort="100" velocity="1"/></joint>
</robot>`;
// the flange is part of the upper arm: 1 kg at (0.8 · 0.15 + 0.2 · 0.3) m, moments about it by the parallel axes; frames are turned and shifted
const ARM_MJCF = `<mujoco><compiler angle="radian"/><option timestep="0.002"/><worldbody>
  <body name="upper" pos="0 0 0">
    <inertial pos="0.18 0 0" mass="1" diaginertia="0.002 0.0121 0.0121"/><joint name="Shoulder" axis="0 1 0" range="-1 1" actuatorfrcrange="-100 100"/>
    <body name="lower" pos="0.3 0.05 0" quat="0.7071067811865476 0 0.7071067811865476 0">
      <inertial pos="0 -0.05 0.1" mass="LOWER" diaginertia="0.002 0.002 0.001"/><joint name="Elbow" axis="0 1 0" pos="0 -0.05 0" range="-2 2" damping="0.1" actuatorfrcrange="-100 100"/>
    </body>
  </body>
</worldbody></mujoco>`;

const writeText = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

test('URDF and MJCF of one arm, with other frames, other names and a fixed link: no field of the arm differs, and neither does the motion', async () => {
  const urdf = writeText('arm.urdf', ARM_URDF.replace('DAMPING', '0.1'));
  const mjcf = writeText('arm.xml', ARM_MJCF.replace('LOWER', '0.5'));
  const { data } = await captureRun('explain', urdf, mjcf, '--set', 'integrator=euler', '--seconds', '0.4', '--json');
  const { fields, difference, match } = JSON.parse(data) as {
    fields: { field: string }[];
    difference: null;
    match: string;
  };
  expect(match).toBe('2 of 2 joints match (2 by name); the second has 2');
  expect(fields.filter(({ field }) => !field.startsWith('options.'))).toEqual([]);
  expect(difference).toBeNull();
});

test('URDF and MJCF of one arm: what differs is named with both values, and so is the force that it changes', async () => {
  const urdf = writeText('arm.urdf', ARM_URDF.replace('DAMPING', '0.3'));
  const mjcf = writeText('arm.xml', ARM_MJCF.replace('LOWER', '0.6'));
  const { status, data } = await captureRun('explain', urdf, mjcf, '--set', 'integrator=euler', '--seconds', '0.4');
  expect(status).toBe(EXIT.different);
  expect(data).toContain('mass of lower_link (lower): 0.5 kg and 0.6 kg');
  expect(data).toContain('damping of elbow_joint (Elbow): 0.3 N m s/rad and 0.1 N m s/rad');
  expect(data).not.toMatch(/centre of mass of|inertia .* of|axis of|anchor of|limits of/);
  expect(data).toMatch(/the motions are apart from step \d on/);
  // gravity turns the elbow by m g l with l = 0.1 m
  expect(data).toContain('elbow_joint, gravity and inertia: 0.491 and 0.589');
});

test('against MuJoCo: a crate is the same, and so is a damper that is no straight line', async () => {
  const crate = writeText('crate.xml', CRATE);
  const same = await captureRun('explain', crate, '--against', 'mujoco', '--seconds', '0.1');
  expect(same.data).toContain('the models are the same');
  expect(same.data).toContain('the motions are the same');
  expect(same.status).toBe(EXIT.ok);
  const hinge = writeText(
    'hinge.xml',
    `<mujoco><worldbody><body><joint name="hinge" axis="0 1 0" damping="0.1 0.2"/>
      <geom type="capsule" size="0.02" fromto="0 0 0 0.3 0 0"/></body></worldbody></mujoco>`,
  );
  const { status, data } = await captureRun('explain', hinge, '--against', 'mujoco', '--seconds', '0.1');
  expect(data).toContain('the motions are the same');
  expect(status).toBe(EXIT.ok);
  // a scene of NexDyn goes there as MJCF
  const scene = writeText(
    'ball.json',
    JSON.stringify({
      format: 'nexdyn-scene',
      version: 1,
      shapes: [{ kind: 'plane' }],
      bodies: [{ position: [0, 0, 1], joints: [{ kind: 'free' }], shapes: [{ kind: 'sphere', radius: 0.1 }] }],
    }),
  );
  const written = await captureRun('explain', scene, '--against', 'mujoco', '--seconds', '0.1');
  expect(written.data).toContain('the motions are the same');
  expect(written.status).toBe(EXIT.ok);
  // a file that only NexDyn reads is refused in words
  const bare = writeText('bare.xml', '<mujoco><worldbody><body><joint type="hinge"/></body></worldbody></mujoco>');
  const heavy = await captureRun('explain', bare, '--against', 'mujoco');
  expect(heavy.messages).not.toContain('error[internal]');
  const { status: refused } = await captureRun('explain', hinge, crate, '--against', 'mujoco');
  expect(refused).toBe(EXIT.usage);
});
