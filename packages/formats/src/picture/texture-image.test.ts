/** Patterns have the pixels that MuJoCo makes. */
import loadMujoco, { type MainModule } from '@mujoco/mujoco';
import type { Texture } from '@nexdyn/engine';
import { beforeAll, describe, expect, test } from 'vitest';
import { writePng } from '../image/write-png.ts';
import { encodeBase64 } from '../mesh/base64.ts';
import { makeTexture } from './texture-image.ts';

let mujoco: MainModule;
beforeAll(async () => {
  mujoco = await loadMujoco({ print: () => {}, printErr: () => {} });
});

const PATTERNS = ['flat', 'checker', 'gradient'] as const;
const MARKS = [undefined, 'edge', 'cross'] as const;
const KINDS = [
  ['2d', 7, 6],
  ['cube', 6, 6],
  ['skybox', 5, 30],
] as const;
const CASES = KINDS.flatMap(([kind, width, height]) =>
  PATTERNS.flatMap((pattern) => MARKS.map((mark) => [kind, pattern, mark, width, height] as const)),
);

describe('patterns', () => {
  test.each(CASES)('%s %s %s', (kind, pattern, mark, width, height) => {
    const text = `<mujoco><asset><texture name="t" type="${kind}" builtin="${pattern}" mark="${mark ?? 'none'}" width="${width}" height="${height}"
      rgb1=".1 .6 .9" rgb2=".8 .3 .2" markrgb="1 .5 0"/></asset></mujoco>`;
    const model = mujoco.MjModel.from_xml_string(text);
    const wanted = Array.from(model.tex_data as Uint8Array);
    const texture: Texture = { kind, pattern, width, height, color1: [0.1, 0.6, 0.9], color2: [0.8, 0.3, 0.2] };
    const images = makeTexture({ ...texture, ...(mark && { mark }), markColor: [1, 0.5, 0] });
    const pixels = images.flatMap(({ data }) => Array.from(data).filter((_, i) => i % 4 !== 3));
    expect(pixels).toEqual(wanted);
    model.delete();
  });

  test('a random mark has its density, and the same pixels every time', () => {
    const make = (): Uint8Array =>
      makeTexture({
        kind: '2d',
        pattern: 'flat',
        width: 200,
        height: 200,
        color1: [0, 0, 0],
        mark: 'random',
        markColor: [1, 1, 1],
        markDensity: 0.1,
      })[0]!.data;
    const first = make();
    const marked = first.filter((value, i) => i % 4 === 0 && value === 255).length;
    // four standard deviations of 40000 draws
    expect(Math.abs(marked - 4000)).toBeLessThan(4 * Math.sqrt(40_000 * 0.1 * 0.9));
    expect(Buffer.compare(make(), first)).toBe(0);
  });
});

describe('images', () => {
  const pixels = Uint8Array.from({ length: 3 * 12 * 6 }, (_, i) => (i * 7) % 256);
  const image = encodeBase64(writePng(12, 6, pixels));
  const at = (data: Uint8Array, width: number, row: number, column: number): number[] => [
    ...data.subarray(4 * (row * width + column), 4 * (row * width + column) + 3),
  ];
  const source = (row: number, column: number): number[] => [
    ...pixels.subarray(3 * (12 * row + column), 3 * (12 * row + column) + 3),
  ];

  test('are read as they are, or mirrored', () => {
    const [plain] = makeTexture({ kind: '2d', image });
    expect([plain!.width, plain!.height]).toEqual([12, 6]);
    expect(at(plain!.data, 12, 2, 5)).toEqual(source(2, 5));
    const [turned] = makeTexture({ kind: '2d', image, flipHorizontally: true, flipVertically: true });
    expect(at(turned!.data, 12, 2, 5)).toEqual(source(3, 6));
  });

  test('a grid is cut into the sides of a cube', () => {
    const sides = makeTexture({ kind: 'cube', image, gridSize: [2, 4], gridLayout: '.U..LFRB' });
    // right stands in the third place of the second row
    expect(at(sides[0]!.data, 3, 1, 2)).toEqual(source(3 + 1, 6 + 2));
    expect(at(sides[2]!.data, 3, 0, 0)).toEqual(source(0, 3));
    expect(sides).toHaveLength(6);
  });
});
