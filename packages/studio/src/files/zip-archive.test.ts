import { NexdynError } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { isLongRun } from '../../../../scripts/long-run.ts';
import { packZip } from '../browser/packed-zip.ts';
import { readZip } from './zip-archive.ts';

const FILES = { 'robot/scene.xml': '<mujoco/>'.repeat(50), 'robot/assets/größe.obj': 'v 0 0 0', 'robot/empty/': '' };

describe('zip archives', () => {
  test.each([0, 8] as const)('files packed by method %i come back, folders do not', async (method) => {
    const files = await readZip('robot.zip', packZip(FILES, method));
    expect(files.map(([name]) => name)).toEqual(['robot/scene.xml', 'robot/assets/größe.obj']);
    expect(new TextDecoder().decode(files[0]![1])).toBe(FILES['robot/scene.xml']);
  });

  test('what is no archive, or half of one, is refused', async () => {
    const whole = packZip(FILES, 8);
    await expect(readZip('a.zip', new Uint8Array(100))).rejects.toThrow(NexdynError);
    await expect(readZip('a.zip', whole.subarray(0, whole.length / 2))).rejects.toThrow(NexdynError);
    const damaged = whole.slice();
    damaged.set([9, 9, 9, 9], whole.length - 6);
    await expect(readZip('a.zip', damaged)).rejects.toThrow(NexdynError);
  });

  test('no flipped bit opens as another content', async () => {
    const whole = packZip(FILES, 8);
    const right = await readZip('a.zip', whole);
    let refused = 0;
    // every seventh bit comes to all bits of a byte in turn
    const step = isLongRun ? 1 : 67;
    for (let bit = 0; bit < 8 * whole.length; bit += step) {
      const damaged = whole.slice();
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      try {
        expect(await readZip('a.zip', damaged), `bit ${bit}`).toEqual(right);
      } catch (error) {
        expect(error, `bit ${bit}`).toBeInstanceOf(NexdynError);
        expect((error as NexdynError).hint).toBeTruthy();
        refused++;
      }
    }
    expect(refused).toBeGreaterThan((4 * whole.length) / step);
  });

  test('an archive of 300 kB that unpacks to 300 MB is refused before it is unpacked', async () => {
    const bomb = packZip({ 'a.obj': 'x' }, 8);
    const view = new DataView(bomb.buffer, bomb.byteOffset);
    const entry = bomb.length - 22 - 46 - 'a.obj'.length;
    // the directory claims what could be true of so many packed bytes
    const large = new Uint8Array(bomb.length + 292_000);
    const start = 30 + 'a.obj'.length;
    large.set(bomb.subarray(0, start));
    large.set(bomb.subarray(entry), large.length - (bomb.length - entry));
    const directory = large.length - (bomb.length - entry);
    const out = new DataView(large.buffer);
    expect(view.getUint32(entry, true)).toBe(0x02014b50);
    out.setUint32(directory + 20, directory - start, true);
    out.setUint32(directory + 24, 300e6, true);
    out.setUint32(large.length - 22 + 16, directory, true);
    await expect(readZip('a.zip', large)).rejects.toMatchObject({ code: 'too-large' });
    // the limit can be raised: then the content is not what it claims
    const raised = { unpackedBytes: 2 ** 29, expansion: 2000 };
    await expect(readZip('a.zip', large, raised)).rejects.toMatchObject({ code: 'file-unreadable' });
  });

  test('a file that is larger than the archive says is refused', async () => {
    const bomb = packZip({ 'a.obj': 'x'.repeat(5000) }, 8);
    const entry = bomb.length - 22 - 46 - 'a.obj'.length;
    new DataView(bomb.buffer, bomb.byteOffset).setUint32(entry + 24, 100, true);
    await expect(readZip('a.zip', bomb)).rejects.toBeInstanceOf(NexdynError);
  });
});
