import { describe, expect, test } from 'vitest';
import { layAlong } from './file-materials.ts';

describe('a texture on a floor', () => {
  const uniform = { name: 'm', textureRepeat: [3, 5] as [number, number], textureUniform: true };
  /** Place in the texture at a distance from the middle. */
  const at = (x: number, half: number, drawn: number, look: Parameters<typeof layAlong>[2], axis: 0 | 1): number => {
    const { repeat, offset } = layAlong(half, drawn, look, axis);
    return offset + (repeat * (x + drawn)) / (2 * drawn);
  };

  test('covers it as often as it says, however much of the floor is drawn', () => {
    const spread = { ...uniform, textureUniform: false };
    for (const drawn of [4, 1.3]) {
      expect(at(-4, 4, drawn, spread, 0)).toBeCloseTo(0, 12);
      expect(at(4, 4, drawn, spread, 0)).toBeCloseTo(3, 12);
      expect(at(0, 4, drawn, spread, 1)).toBeCloseTo(2.5, 12);
    }
  });

  test('lies r/2 times on a metre where it is uniform', () => {
    for (const drawn of [100, 7.7]) {
      expect(at(-100, 100, drawn, uniform, 0)).toBeCloseTo(0, 9);
      expect(at(1, 100, drawn, uniform, 0) - at(0, 100, drawn, uniform, 0)).toBeCloseTo(1.5, 9);
      expect(at(1, 100, drawn, uniform, 1) - at(0, 100, drawn, uniform, 1)).toBeCloseTo(2.5, 9);
    }
  });

  test('begins half a texture beside the middle of a floor without end', () => {
    expect(at(0, 0, 20, uniform, 0)).toBeCloseTo(-0.5, 12);
    expect(at(2, 0, 20, uniform, 0)).toBeCloseTo(2.5, 12);
  });
});
