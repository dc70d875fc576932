import { NexdynError } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { longTest } from '../../../scripts/long-run.ts';
import { type Address, formatAddress, formatCommand, parseAddress as parse } from './address.ts';
import { unpackRun, unpackScene } from './files/file-reading.ts';
import { packText } from './packed-scene.ts';
import type { RunRecord } from './session/protocol.ts';

// in this thread: Node has no workers of the web
const parseAddress = (hash: string): Promise<Address> => parse(hash, { unpackRun, unpackScene });

const FULL: Address = {
  galleryId: 'box-stack',
  scene: undefined,
  formulation: 'sap',
  set: { timestep: 0.0005, gravity: [0, 1, -3.5], 'sap.solver': 'pcg', 'sap.relativeTolerance': 1e-7 },
  keyframe: 1,
  time: 1.2345,
  speed: 0.25,
  camera: { position: [1.5, -2, 3.25], target: [0, 0.125, 0] },
  shows: ['contacts', 'forces'],
  compare: ['mujoco', 'ipc'],
};

describe('addresses', () => {
  test('everything comes back', async () => {
    expect(await parseAddress(await formatAddress(FULL))).toEqual(FULL);
  });

  test('the scene alone, and nothing at all', async () => {
    expect(await formatAddress({ galleryId: 'arch' })).toBe('#arch');
    expect(await parseAddress('#arch')).toMatchObject({ galleryId: 'arch', formulation: undefined, set: undefined });
    expect(await parseAddress('')).toMatchObject({ galleryId: undefined, time: undefined, camera: undefined });
  });

  test('files of the user are packed, text and bytes alike', async () => {
    const files = {
      'a b/scene.json': '{"name": "Grüße ∂"}',
      'mesh.stl': Uint8Array.from({ length: 300 }, (_, i) => i),
    };
    const address = await formatAddress({ scene: { files, path: 'a b/scene.json' }, time: 2 });
    expect(address).toMatch(/^#file:[\w-]+\?t=2$/);
    expect(await parseAddress(address)).toMatchObject({ scene: { files, path: 'a b/scene.json' }, time: 2 });
  });

  test('a run that was pulled comes back to the last bit, and seconds of pulling fit', async () => {
    // ten seconds of a hand that moves sixty times a second
    const hands = Array.from({ length: 600 }, (_, i) => ({
      step: 8 * i,
      grab: { body: 1, point: [0.1, 0, Math.PI], target: [Math.sin(i), Math.cos(i), Math.sqrt(i)] },
      isNew: i === 0,
    }));
    const changes = [{ step: 7, choice: { formulation: 'sap', set: { timestep: 0.001 } } }];
    const run = {
      choice: {},
      steps: 4900,
      pulls: [],
      hands,
      changes,
      hash: '0123456789abcdef',
    } as unknown as RunRecord;
    const address = await formatAddress({ galleryId: 'arch', run, time: 3 });
    expect(address).toMatch(/^#arch\?run=[\w-]+$/);
    expect(address.length).toBeLessThan(30_000);
    expect(await parseAddress(address)).toMatchObject({ galleryId: 'arch', run, time: undefined });
  });

  test('what makes no sense is left out', async () => {
    expect(await parseAddress('#arch?formulation=magic&t=soon&camera=1,2&compare=sap&set=7')).toMatchObject({
      galleryId: 'arch',
      formulation: undefined,
      time: undefined,
      camera: undefined,
      compare: undefined,
      set: undefined,
    });
  });

  test('the command has the same scene, options and time', () => {
    expect(formatCommand({ ...FULL, compare: undefined }, 'box-stack.json', 1.2345)).toBe(
      "nexdyn run box-stack --formulation sap --dt 0.0005 --set 'gravity=[0,1,-3.5]' --set sap.solver=pcg " +
        '--set sap.relativeTolerance=1e-7 --keyframe 1 --seconds 1.2345',
    );
    expect(formatCommand({ galleryId: 'arch', formulation: 'sap', compare: ['mujoco', 'ipc'] }, '', 0.5)).toBe(
      'nexdyn compare arch --formulations mujoco,ipc --seconds 0.5',
    );
    expect(formatCommand({}, "my robot's.xml", 5)).toBe("nexdyn run 'my robot'\\''s.xml' --seconds 5");
  });

  test.each([
    ['no base64', '#file:%%%'],
    ['nothing packed', '#file:'],
    ['random bytes', `#file:${'QmFk'.repeat(50)}`],
    ['a run of random bytes', '#arch?run=QmFk'],
  ])('%s is a damaged link, with a hint', async (_, hash) => {
    const error = await parseAddress(hash).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(NexdynError);
    expect((error as NexdynError).hint).toBeTruthy();
    expect((error as NexdynError).file ?? (error as NexdynError).path).toBeTruthy();
  });

  test.each([
    'null',
    '[]',
    '{"path": 3}',
    '{"path": "a", "files": null}',
    '{"path": "a", "files": {"b": null}}',
    '{"path": "a", "files": {"b": {"base64": 1}}}',
    '{"path": "a", "files": {"b": {"base64": "!"}}}',
    'no JSON',
  ])('a link that holds %s is damaged', async (text) => {
    await expect(parseAddress(`#file:${await packText(text)}`)).rejects.toBeInstanceOf(NexdynError);
    await expect(parseAddress(`#arch?run=${await packText(text)}`)).rejects.toBeInstanceOf(NexdynError);
  });

  longTest('a link of 200 kB that unpacks to 200 MB is given up, and so is a run of 9e15 steps', async () => {
    const bomb = await packText(' '.repeat(2e8));
    expect(bomb.length).toBeLessThan(3e5);
    await expect(parseAddress(`#file:${bomb}`)).rejects.toMatchObject({ code: 'too-large' });
    const run = { choice: {}, steps: 9e15, pulls: [], changes: [], hash: '0123456789abcdef' };
    const link = `#arch?run=${await packText(JSON.stringify(run))}`;
    await expect(parseAddress(link)).rejects.toMatchObject({ path: 'run.steps' });
  });

  test('marks that are no text, and keyframes that are no number of one', async () => {
    expect(await parseAddress('#%E0%A4?keyframe=1.5')).toMatchObject({ galleryId: '%E0%A4', keyframe: undefined });
  });
});
