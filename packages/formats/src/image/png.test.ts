import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import loadMujoco from '@mujoco/mujoco';
import { NexdynError } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../../../scripts/long-run.ts';
import { readPng } from './png.ts';

const MODELS = process.env.NEXDYN_MODELS ?? join(import.meta.dirname, '../../../../../shared/models');

/** A PNG chunk, its checksum from Node's zlib. */
function chunk(type: string, data: number[] | Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(data)]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(body.length - 4, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

interface Header {
  width: number;
  height: number;
  depth: number;
  colorType: number;
  interlace?: number;
}

/** A PNG of raw rows (each with its filter byte). */
function makePng(header: Header, rows: number[], extra: Buffer[] = [], packed?: Uint8Array): Uint8Array {
  const ihdr = Buffer.alloc(13);
  ihdr.writeUInt32BE(header.width, 0);
  ihdr.writeUInt32BE(header.height, 4);
  ihdr.set([header.depth, header.colorType, 0, 0, header.interlace ?? 0], 8);
  const stream = Buffer.from(packed ?? deflateSync(Uint8Array.from(rows)));
  // two IDAT chunks, as encoders of large images write them
  const middle = stream.length >> 1;
  return new Uint8Array(
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', ihdr),
      ...extra,
      chunk('IDAT', stream.subarray(0, middle)),
      chunk('IDAT', stream.subarray(middle)),
      chunk('IEND', []),
    ]),
  );
}

describe('pixels', () => {
  test('grey of 1, 2, 4 bits is stretched to 0..255', () => {
    const one = readPng(
      'a.png',
      makePng({ width: 10, height: 1, depth: 1, colorType: 0 }, [0, 0b10110000, 0b01000000]),
    );
    expect(one).toMatchObject({ width: 10, height: 1, channels: 1 });
    expect([...one.data]).toEqual([255, 0, 255, 255, 0, 0, 0, 0, 0, 255]);
    const two = readPng('a.png', makePng({ width: 4, height: 1, depth: 2, colorType: 0 }, [0, 0b00011011]));
    expect([...two.data]).toEqual([0, 85, 170, 255]);
    const four = readPng('a.png', makePng({ width: 3, height: 1, depth: 4, colorType: 0 }, [0, 0x0f, 0x70]));
    expect([...four.data]).toEqual([0, 255, 119]);
  });

  test('16 bits keep the upper byte', () => {
    const image = readPng('a.png', makePng({ width: 2, height: 1, depth: 16, colorType: 0 }, [0, 0x12, 0xff, 0xfe, 0]));
    expect([...image.data]).toEqual([0x12, 0xfe]);
  });

  test('grey with opacity, RGB, RGBA', () => {
    const grey = readPng('a.png', makePng({ width: 1, height: 2, depth: 8, colorType: 4 }, [0, 1, 2, 0, 3, 4]));
    expect([grey.channels, ...grey.data]).toEqual([2, 1, 2, 3, 4]);
    const rgb = readPng('a.png', makePng({ width: 1, height: 1, depth: 8, colorType: 2 }, [0, 7, 8, 9]));
    expect([rgb.channels, ...rgb.data]).toEqual([3, 7, 8, 9]);
    const rgba = readPng('a.png', makePng({ width: 1, height: 1, depth: 8, colorType: 6 }, [0, 7, 8, 9, 10]));
    expect([rgba.channels, ...rgba.data]).toEqual([4, 7, 8, 9, 10]);
  });

  test('a palette becomes colours, with opacity where the file has it', () => {
    const header = { width: 3, height: 1, depth: 2, colorType: 3 };
    const palette = chunk('PLTE', [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const image = readPng('a.png', makePng(header, [0, 0b10000100], [palette]));
    expect([image.channels, ...image.data]).toEqual([3, 7, 8, 9, 1, 2, 3, 4, 5, 6]);
    const clear = readPng('a.png', makePng(header, [0, 0b10000100], [palette, chunk('tRNS', [50])]));
    expect([clear.channels, ...clear.data]).toEqual([4, 7, 8, 9, 255, 1, 2, 3, 50, 4, 5, 6, 255]);
  });

  test('a transparent colour becomes opacity', () => {
    const header = { width: 2, height: 1, depth: 8, colorType: 2 };
    const image = readPng('a.png', makePng(header, [0, 1, 2, 3, 1, 2, 4], [chunk('tRNS', [0, 1, 0, 2, 0, 3])]));
    expect([image.channels, ...image.data]).toEqual([4, 1, 2, 3, 0, 1, 2, 4, 255]);
  });

  test('every filter gives back the pixels that were filtered', () => {
    // filter a noisy RGB image by the definition of each filter, row by row, then read it
    const [width, height, step] = [7, 10, 3];
    const pixels = Uint8Array.from({ length: width * height * step }, (_, i) => (i * i * 31 + i * 7) & 255);
    const rowBytes = width * step;
    const at = (x: number, y: number): number => (x < 0 || y < 0 ? 0 : pixels[y * rowBytes + x]);
    const rows: number[] = [];
    for (let y = 0; y < height; y++) {
      const filter = y % 5;
      rows.push(filter);
      for (let x = 0; x < rowBytes; x++) {
        const [a, b, c] = [at(x - step, y), at(x, y - 1), x < step ? 0 : at(x - step, y - 1)];
        const nearest = [a, b, c].sort((p, q) => Math.abs(a + b - c - p) - Math.abs(a + b - c - q))[0];
        const prediction = [0, a, b, Math.floor((a + b) / 2), nearest][filter];
        rows.push((at(x, y) - prediction) & 255);
      }
    }
    const image = readPng('a.png', makePng({ width, height, depth: 8, colorType: 2 }, rows));
    expect(image.data).toEqual(pixels);
  });
});

describe('bad input', () => {
  const good = makePng({ width: 1, height: 1, depth: 8, colorType: 0 }, [0, 9]);
  const damaged = good.slice();
  damaged[18] = 9;
  const rows = [0, 1, 2, 3];
  const cases: [name: string, bytes: Uint8Array, code: string, reason: RegExp][] = [
    ['empty', new Uint8Array(0), 'malformed-image', /not a PNG/],
    ['JPEG', Uint8Array.from([0xff, 0xd8, 0xff]), 'malformed-image', /not a PNG/],
    ['cut off', good.subarray(0, good.length - 5), 'malformed-image', /truncated|claims/],
    ['signature alone', good.subarray(0, 8), 'malformed-image', /truncated/],
    ['wrong checksum', damaged, 'malformed-image', /'IHDR' is damaged/],
    [
      'interlaced',
      makePng({ width: 1, height: 1, depth: 8, colorType: 0, interlace: 1 }, rows),
      'malformed-image',
      /interlaced/,
    ],
    ['no pixels', makePng({ width: 0, height: 1, depth: 8, colorType: 0 }, rows), 'malformed-image', /0 × 1/],
    ['3 bits', makePng({ width: 1, height: 1, depth: 3, colorType: 0 }, rows), 'malformed-image', /3 bits/],
    ['colour type 5', makePng({ width: 1, height: 1, depth: 8, colorType: 5 }, rows), 'malformed-image', /type 5/],
    [
      '2^31 pixels',
      makePng({ width: 65536, height: 32768, depth: 8, colorType: 0 }, rows),
      'too-large',
      /2147483648 pixels/,
    ],
    [
      'more claimed than there can be',
      makePng({ width: 2000, height: 2000, depth: 8, colorType: 6 }, rows),
      'malformed-image',
      /truncated/,
    ],
    ['rows missing', makePng({ width: 3, height: 2, depth: 8, colorType: 0 }, rows), 'malformed-image', /truncated/],
    ['filter 7', makePng({ width: 3, height: 1, depth: 8, colorType: 0 }, [7, 1, 2, 3]), 'malformed-image', /filter 7/],
    ['no palette', makePng({ width: 1, height: 1, depth: 8, colorType: 3 }, [0, 1]), 'malformed-image', /palette/],
    [
      'colour beyond the palette',
      makePng({ width: 1, height: 1, depth: 8, colorType: 3 }, [0, 1], [chunk('PLTE', [1, 2, 3])]),
      'malformed-image',
      /colour 1 of 1/,
    ],
    [
      'not zlib',
      makePng({ width: 1, height: 1, depth: 8, colorType: 0 }, [], [], Uint8Array.from([1, 2, 3, 4, 5, 6])),
      'malformed-image',
      /decompressed/,
    ],
    [
      'chunk of 2^32 − 1 bytes',
      Uint8Array.from([...good.subarray(0, 8), 255, 255, 255, 255, ...good.subarray(12)]),
      'malformed-image',
      /4294967295/,
    ],
  ];
  test.each(cases)('%s', (_name, bytes, code, reason) => {
    try {
      readPng('a.png', bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(NexdynError);
      expect(error).toMatchObject({ code, file: 'a.png' });
      expect((error as NexdynError).message).toMatch(reason);
      expect((error as NexdynError).hint).toBeTruthy();
      return;
    }
    expect.unreachable();
  });

  test('a bomb does not grow beyond the image', () => {
    const bomb = makePng({ width: 2, height: 1, depth: 8, colorType: 0 }, [], [], deflateSync(new Uint8Array(1 << 24)));
    expect([...readPng('a.png', bomb).data]).toEqual([0, 0]);
  });
});

describe('against MuJoCo', () => {
  const images = [
    'menagerie/agility_cassie/assets/cassie-texture.png',
    'menagerie/trossen_wx250s/assets/interbotix_black.png',
    'menagerie/skydio_x2/assets/X2_lowpoly_texture_SpinningProps_1024.png',
    'menagerie/google_barkour_vb/assets/hfield.png',
  ];
  const found = takeCases(
    images.filter((image) => existsSync(join(MODELS, image))),
    3,
  );
  test.skipIf(found.length === 0)(`the ${found.length} images of the model collection (NEXDYN_MODELS)`, async () => {
    const mujoco = await loadMujoco();
    for (const path of found) {
      const bytes = new Uint8Array(readFileSync(join(MODELS, path)));
      const files = new mujoco.MjVFS();
      files.addBuffer('t.png', bytes);
      const image = readPng(path, bytes);
      const xml = `<mujoco><asset><texture name="t" type="2d" file="t.png" nchannel="${image.channels}"/></asset></mujoco>`;
      const model = mujoco.MjModel.from_xml_string(xml, files);
      expect([image.width, image.height]).toEqual([model.tex_width[0], model.tex_height[0]]);
      expect(Buffer.compare(Buffer.from(image.data), Buffer.from(model.tex_data as Uint8Array))).toBe(0);
      model.delete();
      files.delete();
    }
  });
});
