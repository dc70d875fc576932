import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CommandFolder, CRATE } from './command-folder.ts';

const folder = new CommandFolder();
beforeEach(() => folder.create());
afterEach(() => folder.remove());

/** Runs a command in the folder. */
const nexdyn = (...args: string[]) => folder.run(...args);

describe('nexdyn inspect', () => {
  test('--json has sizes, masses and what is not supported', async () => {
    const { status, stdout } = await nexdyn('inspect', 'ball.xml', '--json');
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
      unsupported: [{ file: 'ball.xml', line: 7, element: expect.any(String), affects: 'visual' }],
    });
  });

  test('shows the tree to people', async () => {
    const { stdout } = await nexdyn('inspect', 'ball.xml');
    expect(stdout).toMatch(/^sizes +nq 7 {2}nv 6/m);
    expect(stdout).toMatch(/^mass +2 kg$/m);
    expect(stdout).toMatch(/^ {2}ball {2}2 kg {2}free/m);
    expect(stdout).toMatch(/^1 unsupported: 1 visual$/m);
  });

  test('--contacts lists what touches in the initial pose or at a keyframe', async () => {
    folder.write('crate.xml', CRATE);
    const inspect = async (...args: string[]): Promise<string> =>
      (await nexdyn('inspect', 'crate.xml', '--contacts', ...args)).stdout;
    // a crate one millimetre in the floor: its four lower corners, half way between the two surfaces
    const { contacts, keyframe, nbody } = JSON.parse(await inspect('--json', '--keyframe', 'none'));
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
    const text = await inspect('--keyframe', 'none');
    expect(text.split('\n')).toContain(line);
    expect(text).toMatch(/^shape 1 .*\n(world\/floor +crate\/#1 +stick +-1\.000 .*\n){4}$/m);
    expect(await inspect()).toMatch(/^No contacts at keyframe "up"\.$/m);
    expect(await folder.runJson('inspect', 'crate.xml')).not.toHaveProperty('contacts');
  });
});

describe('nexdyn convert', () => {
  test('the JSON runs to the same state as the file it came from', async () => {
    expect((await nexdyn('convert', 'ball.xml', 'ball.json')).status).toBe(0);
    expect(folder.readJson('ball.json')).toMatchObject({ format: 'nexdyn-scene', version: 1, name: 'ball' });
    const hash = async (file: string): Promise<string> =>
      (await folder.runJson('run', file, '--seconds', '0.5')).finalHash;
    expect(await hash('ball.json')).toBe(await hash('ball.xml'));
  });

  test('writes to stdout, and leaves no half a file', async () => {
    expect(JSON.parse((await nexdyn('convert', 'ball.xml', '-')).stdout).name).toBe('ball');
    expect((await nexdyn('convert', 'ball.xml', 'no/such/ball.json')).status).toBe(1);
    expect(folder.list()).toEqual(['ball.xml']);
  });

  test('a file that is there is not replaced without --force, were it the scene itself', async () => {
    expect((await nexdyn('convert', 'ball.xml', 'ball.json')).status).toBe(0);
    const again = await nexdyn('convert', 'ball.json', 'ball.json');
    expect(again.status).toBe(1);
    expect(again.stderr).toMatch(/ball.json' is there already.*\nhint: .*--force/);
    expect((await nexdyn('convert', 'ball.xml', 'ball.json', '--force')).status).toBe(0);
    expect(folder.list()).toEqual(['ball.json', 'ball.xml']);
  });
});
