import { deflateSync } from 'node:zlib';
import { NexdynError } from '@nexdyn/engine';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeSamples } from '../../../scripts/long-run.ts';
import { memoryFiles } from './file-source.ts';
import { computeCrc } from './image/crc.ts';
import { readPng } from './image/png.ts';
import { loadScene } from './load-scene.ts';
import { readMesh } from './mesh/mesh.ts';
import { readCsv, writeCsv } from './recording/csv.ts';
import { readNpz, writeNpz } from './recording/npz.ts';

// Every reader either reads a damaged file or raises the one typed error; it never hangs, crashes or runs out of memory.

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const RECORDING = {
  name: 'r',
  time: Float64Array.of(0, 1),
  columns: [{ name: 'q', unit: 'm', width: 2, data: Float64Array.of(1, 2, 3, 4) }],
};
const URDF = `<robot name="r"><link name="a"><inertial><origin xyz="0 0 1" rpy="0 0 1"/><mass value="1"/>
  <inertia ixx="1" iyy="1" izz="1"/></inertial><visual><geometry><box size="1 2 3"/></geometry><material name="m">
  <color rgba="1 0 0 1"/></material></visual></link><link name="b"/><joint name="j" type="revolute"><parent link="a"/>
  <child link="b"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="2" velocity="3"/></joint></robot>`;
const JSON_SCENE =
  '{ "format": "nexdyn-scene", "version": 1, "bodies": [{ "name": "a", "shapes": [{ "kind": "sphere", "radius": 1 }] }] }';

const STL = new Uint8Array(84 + 2 * 50);
new DataView(STL.buffer).setUint32(80, 2, true);
const MSH = new Uint8Array(16 + 4 * (12 + 3));
new DataView(MSH.buffer).setInt32(0, 4, true);
new DataView(MSH.buffer).setInt32(12, 1, true);

const FILES: [name: string, bytes: Uint8Array, read: (bytes: Uint8Array) => unknown][] = [
  [
    'OBJ',
    encode('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 0\nf 1 2 5 3 4\nf 1//2 2/3 -1\n'),
    (bytes) => readMesh('m.obj', bytes),
  ],
  ['binary STL', STL, (bytes) => readMesh('m.stl', bytes)],
  [
    'ASCII STL',
    encode('solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n'),
    (bytes) => readMesh('m.stl', bytes),
  ],
  ['MSH', MSH, (bytes) => readMesh('m.msh', bytes)],
  ['PNG', makePng(), (bytes) => readPng('i.png', repairChecksums(bytes))],
  ['NPZ', writeNpz(RECORDING), (bytes) => readNpz(bytes)],
  ['CSV', encode(writeCsv(RECORDING)), (bytes) => readCsv(new TextDecoder().decode(bytes))],
  ['URDF', encode(URDF), (bytes) => loadScene('r.urdf', { files: memoryFiles({ 'r.urdf': bytes }) })],
  ['JSON', encode(JSON_SCENE), (bytes) => loadScene('s.json', { files: memoryFiles({ 's.json': bytes }) })],
];

test.each(FILES)('%s', (_name, good, read) => {
  read(good.slice().subarray(0));
  const damage = fc.record({
    changes: fc.array(fc.record({ at: fc.nat(good.length - 1), byte: fc.nat(255) }), { minLength: 1, maxLength: 4 }),
    length: fc.oneof(fc.constant(good.length), fc.nat(good.length)),
  });
  let refused = 0;
  fc.assert(
    fc.property(damage, ({ changes, length }) => {
      const bytes = good.slice();
      for (const { at, byte } of changes) bytes[at] = byte;
      try {
        read(bytes.subarray(0, length));
      } catch (error) {
        if (!(error instanceof NexdynError)) throw error;
        refused++;
      }
    }),
    { numRuns: takeSamples(1500, 0.2) },
  );
  expect(refused).toBeGreaterThan(0);
});

function makePng(): Uint8Array {
  const packed = deflateSync(Uint8Array.of(0, 1, 2, 3, 1, 4, 5, 6, 4, 7, 8, 9));
  const bytes = new Uint8Array(8 + 25 + 12 + packed.length + 12);
  const view = new DataView(bytes.buffer);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  view.setUint32(8, 13);
  bytes.set([...encode('IHDR'), 0, 0, 0, 1, 0, 0, 0, 3, 8, 2, 0, 0, 0], 12);
  view.setUint32(33, packed.length);
  bytes.set([...encode('IDAT'), ...packed], 37);
  bytes.set(encode('IEND'), bytes.length - 8);
  return repairChecksums(bytes);
}

/** Puts right the checksums of all chunks, so that damage reaches what is behind them. */
function repairChecksums(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 8 + view.getUint32(at);
    if (end + 4 > bytes.length) break;
    view.setUint32(end, computeCrc(bytes.subarray(at + 4, end)));
    at = end + 4;
  }
  return bytes;
}
