import { expect, test } from 'vitest';
import { decodeData, encodeData } from './encoded-data.ts';

test('numbers, names and arrays come back as they were', async () => {
  const poses = Float32Array.from({ length: 5000 }, (_, i) => Math.sin(i));
  const value = {
    title: '</script> & "quotes" ü',
    poses,
    part: poses.subarray(10, 20),
    list: [{ indices: Int32Array.of(1, -2), deep: { times: Float64Array.of(Math.PI) } }, null, 1e-300],
  };
  const text = await encodeData(value);
  expect(text).toMatch(/^[\w+/=]+$/);
  expect(await decodeData(text)).toEqual(value);
});
