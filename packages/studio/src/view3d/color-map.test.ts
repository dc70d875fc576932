import { expect, test } from 'vitest';
import { roundUp, writeMapColor } from './color-map.ts';

test('brightness rises all along the map', () => {
  let before = -1;
  for (let i = 0; i <= 100; i++) {
    const color = new Float32Array(3);
    writeMapColor(color, 0, i / 100);
    // relative luminance of linear light
    const brightness = 0.2126 * color[0]! + 0.7152 * color[1]! + 0.0722 * color[2]!;
    expect(brightness).toBeGreaterThan(before);
    before = brightness;
  }
});

test('scales are round numbers that are not below their value', () => {
  expect([0, 0.9, 1, 1.1, 21, 0.0051].map(roundUp)).toEqual([0, 1, 1, 2, 50, 0.01]);
});
