import { NexdynError } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
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
});
