/** Files that froze or ended the process, or raised something else than the typed error: each is refused at once, with place and hint. */
import { deflateSync } from 'node:zlib';
import { NexdynError } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { memoryFiles } from './file-source.ts';
import { computeCrc } from './image/crc.ts';
import { readPng } from './image/png.ts';
import { DEFAULT_LIMITS } from './limits.ts';
import { loadScene } from './load-scene.ts';
import { readMesh } from './mesh/mesh.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What a reader raises; the test fails where that is no typed error with a place and a hint, or where it took memory or time. */
function catchError(read: () => unknown): NexdynError {
  const heap = process.memoryUsage();
  const before = process.cpuUsage();
  let caught: unknown;
  try {
    read();
  } catch (error) {
    caught = error;
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  expect(caught).toBeInstanceOf(NexdynError);
  const error = caught as NexdynError;
  expect(error.hint, error.message).toBeTruthy();
  expect(error.file ?? error.path, error.message).toBeTruthy();
  // each of these took seconds or gigabytes: the bounds are far from both; processor time does not depend on other processes
  const { user, system } = process.cpuUsage(before);
  expect(user + system, error.message).toBeLessThan(5e6);
  expect(heapUsed + arrayBuffers - heap.heapUsed - heap.arrayBuffers, error.message).toBeLessThan(2 ** 28);
  return error;
}

describe('glTF', () => {
  const positions = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  const base64 = Buffer.from(positions.buffer).toString('base64');
  const make = (change: object): Uint8Array =>
    encode(
      JSON.stringify({
        asset: { version: '2.0' },
        nodes: [{ mesh: 0 }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
        accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
        bufferViews: [{ buffer: 0, byteLength: 36 }],
        buffers: [{ uri: `data:application/octet-stream;base64,${base64}`, byteLength: 36 }],
        ...change,
      }),
    );
  const accessor = { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' };
  const shared = Array.from({ length: 31 }, (_, n) => (n < 30 ? { children: [n + 1, n + 1] } : { mesh: 0 }));

  test('the file that the others are made of is read', () => {
    expect(readMesh('a.gltf', make({})).faces).toEqual([0, 1, 2]);
  });

  test.each<[string, Uint8Array]>([
    ['null', encode('null')],
    ['a list', encode('[]')],
    ['a mesh without primitives', make({ meshes: [{}] })],
    ['nodes that are a number', make({ nodes: 3 })],
    ['a node that is null', make({ nodes: [null] })],
    ['a primitive without attributes', make({ meshes: [{ primitives: [{}] }] })],
    ['a negative count', make({ accessors: [{ ...accessor, count: -1 }] })],
    ['half a count', make({ accessors: [{ ...accessor, count: 2.5 }] })],
    ['a count that is text', make({ accessors: [{ ...accessor, count: '3' }] })],
    ['a negative offset', make({ accessors: [{ ...accessor, byteOffset: -4 }] })],
    ['a negative offset of a view', make({ bufferViews: [{ buffer: 0, byteOffset: -4, byteLength: 36 }] })],
    [
      'a stride of zero and 1e8 items',
      make({
        accessors: [{ ...accessor, count: 1e8 }],
        bufferViews: [{ buffer: 0, byteLength: 36, byteStride: 0 }],
      }),
    ],
    ['children that two nodes share, 30 deep', make({ nodes: shared, scenes: [{ nodes: [0] }] })],
    ['a scene that is not there', make({ scenes: [{ nodes: [0] }], scene: 7 })],
    ['a matrix of text', make({ nodes: [{ mesh: 0, matrix: 'unit' }] })],
    ['a translation of two numbers', make({ nodes: [{ mesh: 0, translation: [1, 2] }] })],
    ['a buffer that is no base64', make({ buffers: [{ uri: 'data:;base64,!!!!', byteLength: 3 }] })],
    ['extensions that are no list', make({ extensionsRequired: 'KHR' })],
    ['lists 100,000 deep', encode('['.repeat(100_000))],
  ])('%s', (_, bytes) => {
    catchError(() => readMesh('a.gltf', bytes));
  });

  test('a mesh that stands in 10,000 places', () => {
    const nodes = Array.from({ length: 10_000 }, () => ({ mesh: 0 }));
    const count = 1000;
    const buffer = Buffer.alloc(12 * count).toString('base64');
    const bytes = make({
      nodes,
      accessors: [{ ...accessor, count }],
      bufferViews: [{ buffer: 0, byteLength: 12 * count }],
      buffers: [{ uri: `data:;base64,${buffer}`, byteLength: 12 * count }],
    });
    expect(catchError(() => readMesh('a.gltf', bytes)).code).toBe('too-large');
  });
});

/** An image whose header claims so many pixels, with data that could hold them. */
function claimImage(width: number, height: number, depth: number): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([depth, 6, 0, 0, 0], 8);
  const chunk = (type: string, data: Uint8Array): Uint8Array => {
    const bytes = new Uint8Array(12 + data.length);
    new DataView(bytes.buffer).setUint32(0, data.length);
    bytes.set(encode(type), 4);
    bytes.set(data, 8);
    new DataView(bytes.buffer).setUint32(8 + data.length, computeCrc(bytes.subarray(4, 8 + data.length)));
    return bytes;
  };
  const packed = deflateSync(new Uint8Array((height * (width * depth)) / 2 / 512));
  return Buffer.concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', header),
    chunk('IDAT', packed),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

test('PNG of 8192 × 8192 pixels of 16 bits', () => {
  const image = claimImage(8192, 8192, 16);
  expect(catchError(() => readPng('a.png', image)).code).toBe('too-large');
  // with more pixels allowed it is still refused by the bytes that they take
  expect(catchError(() => readPng('a.png', image, { samples: 2 ** 26 })).code).toBe('too-large');
});

describe('MJCF', () => {
  const load = (files: Record<string, string>, limits = {}): unknown =>
    loadScene('a.xml', { files: memoryFiles(files), limits });
  const model = (content: string): Record<string, string> => ({ 'a.xml': `<mujoco>${content}</mujoco>` });

  test('a height field of 64 million samples in 89 bytes', () => {
    const files = model('<asset><hfield name="h" nrow="8000" ncol="8000" size="1 1 1 1"/></asset>');
    expect(catchError(() => load(files))).toMatchObject({ code: 'too-large', line: 1, column: 33 });
  });

  test('a limit that is raised', () => {
    const files = model('<asset><hfield name="h" nrow="2100" ncol="2000" size="1 1 1 1"/></asset>');
    expect(catchError(() => load(files)).message).toContain("'samples'");
    expect(load(files, { samples: 6e6 })).toMatchObject({ scene: { heightFields: [{ rows: 2100, columns: 2000 }] } });
    expect(catchError(() => load(files, { sample: 6e6 })).code).toBe('invalid-argument');
    expect(catchError(() => load(files, { samples: -1 })).code).toBe('invalid-argument');
  });

  test('actuators that are copied by replicates', () => {
    const motors = '<motor joint="j"/>'.repeat(2000);
    const files = model(`<actuator>${motors}</actuator><worldbody>
      <replicate count="300"><body><joint name="j"/><geom size="1"/></body></replicate></worldbody>`);
    expect(catchError(() => load(files))).toMatchObject({ code: 'too-large', line: 2 });
  });

  test('replicates that look through many actuators and copy none', () => {
    const motors = '<motor joint="j"/>'.repeat(500);
    const replicates = Array.from(
      { length: 100 },
      (_, i) => `<replicate count="1"><geom name="g${i}-" size="1"/></replicate>`,
    );
    const files = model(`<actuator>${motors}</actuator><worldbody><body><joint name="j"/><geom size="1"/></body>
      ${replicates.join('')}</worldbody>`);
    // 500 motors are looked through for each of 100 replicates: as much work as 10,000 copies
    expect(catchError(() => load(files, { copies: 5000 })).code).toBe('too-large');
    expect(load(files, { copies: 20_000 })).toBeTruthy();
  });

  test('5,000 files that include each other', () => {
    const files: Record<string, string> = { 'f5000.xml': '<mujoco><worldbody/></mujoco>' };
    for (let i = 0; i < 5000; i++) files[`f${i}.xml`] = `<mujoco><include file="f${i + 1}.xml"/></mujoco>`;
    const chain = { ...files, 'a.xml': files['f0.xml']! };
    expect(catchError(() => load(chain))).toMatchObject({ code: 'too-large', file: 'f99.xml', line: 1, column: 18 });
  });

  test('names of 100,000 letters that are nearly those of others', () => {
    const name = 'x'.repeat(100_000);
    const files = model(`<worldbody><body><joint name="${name}"/><geom size="1"/></body></worldbody>
      <actuator><motor joint="${name}y"/></actuator>`);
    expect(catchError(() => load(files)).code).toBe('unknown-reference');
  });

  test('more elements, attributes and files than are told', () => {
    const files = { ...model('<include file="b.xml"/>'), 'b.xml': '<mujoco><worldbody/></mujoco>' };
    expect(catchError(() => load(files, { files: 2 })).code).toBe('too-large');
    expect(catchError(() => load(files, { elements: 2 })).code).toBe('too-large');
    expect(catchError(() => load(files, { fileBytes: 10 })).code).toBe('too-large');
    expect(catchError(() => load(files, { totalBytes: 60 })).code).toBe('too-large');
  });
});

describe('meshes', () => {
  test('OBJ of 200,000 lines that continue each other', () => {
    const text = `v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 \\\n${' \\\n'.repeat(200_000)}`;
    expect(catchError(() => readMesh('a.obj', encode(text)))).toMatchObject({ line: 4 });
  });

  test('OBJ whose polygons take too long to cut', () => {
    const around = Array.from({ length: 1000 }, (_, i) => `v ${(i * 7919) % 1000} ${(i * 104_729) % 997} 0`);
    const face = `f ${around.map((_, i) => i + 1).join(' ')}`;
    const text = `${around.join('\n')}\n${`${face}\n`.repeat(200)}`;
    expect(catchError(() => readMesh('a.obj', encode(text))).code).toBe('too-large');
  });

  test('more vertices and faces than are told', () => {
    const text = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n';
    expect(catchError(() => readMesh('a.obj', encode(text), { vertices: 2 })).code).toBe('too-large');
    expect(catchError(() => readMesh('a.obj', encode(text), { faces: 1 })).code).toBe('too-large');
    expect(DEFAULT_LIMITS.faces).toBeGreaterThan(1e6);
  });
});
