import { expect, test } from 'vitest';
import { openScene } from '../session/open-scene.ts';
import { wrapMeshes } from './mesh-scene.ts';

/** A block of 2 by 4 by 6, its foot at z = 1. */
const BLOCK = `v -1 -2 1\nv 1 -2 1\nv 1 2 1\nv -1 2 1\nv -1 -2 7\nv 1 -2 7\nv 1 2 7\nv -1 2 7
f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n`;

/** One tetrahedron of edges of a metre, in Gmsh's text format. */
const TETRAHEDRON = `$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes
$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n`;

test('a surface becomes a rigid body that falls on a floor', async () => {
  const files = { 'parts/block.obj': BLOCK };
  const scenes = wrapMeshes(files)!;
  const { simulation, unsupported } = await openScene({ ...files, ...scenes }, 'parts/block.obj.xml');
  expect(unsupported).toEqual([]);
  expect(simulation.model.size).toMatchObject({ body: 2, shape: 2 });
  expect(simulation.contacts()).toEqual([]);
  simulation.step(1000);
  // it stands on its foot: 2 s are more than the fall over 0.6 m takes
  expect(simulation.contacts().length).toBeGreaterThan(2);
  expect(Math.abs(simulation.centerOfMass()[2] - 3)).toBeLessThan(0.01);
});

test('a mesh weighs what it encloses, in water; open, what its hull does', async () => {
  const weigh = async (mesh: string): Promise<number> => {
    const files = { 'm.obj': mesh };
    const { simulation } = await openScene({ ...files, ...wrapMeshes(files)! }, 'm.obj.xml');
    simulation.step(10);
    return simulation.model.body.mass[1]!;
  };
  const volume = 2 * 4 * 6;
  expect(await weigh(BLOCK)).toBeCloseTo(1000 * volume, 6);
  const lines = BLOCK.trim().split('\n');
  // without its last triangle, and with one that faces inwards
  expect(await weigh(lines.slice(0, -1).join('\n'))).toBeCloseTo(1000 * volume, 6);
  expect(await weigh(BLOCK.replace('f 1 3 2', 'f 1 2 3'))).toBeCloseTo(1000 * volume, 6);
  // an L of three cubes, each 1 m: the hull would weigh half a cube more
  expect(await weigh(writeL())).toBeCloseTo(3000, 6);
});

/** A prism of height 1 over an L. */
function writeL(): string {
  const foot = [
    [0, 0],
    [2, 0],
    [2, 1],
    [1, 1],
    [1, 2],
    [0, 2],
  ];
  const vertices = [0, 1].flatMap((z) => foot.map(([x, y]) => `v ${x} ${y} ${z}`));
  const sides = foot.flatMap((_, i) => {
    const [a, b] = [i + 1, ((i + 1) % 6) + 1];
    return [`f ${a} ${b} ${b + 6}`, `f ${a} ${b + 6} ${a + 6}`];
  });
  const floor = ['1 4 2', '2 4 3', '1 6 4', '4 6 5'].map((face) => `f ${face}`);
  const top = ['7 8 10', '8 9 10', '7 10 12', '10 11 12'].map((face) => `f ${face}`);
  return [...vertices, ...sides, ...floor, ...top].join('\n');
}

test('tetrahedra become a soft body', async () => {
  const files = { 'part.msh': TETRAHEDRON };
  const { simulation } = await openScene({ ...files, ...wrapMeshes(files)! }, 'part.msh.json');
  expect(simulation.model.size).toMatchObject({ softBody: 1, softVertex: 4 });
});

test('a mesh of millimetres is brought to metres; other files are none', () => {
  const large = BLOCK.replaceAll(/-?\d+(?= |\n)/g, (digits) => digits);
  const scaled = large.replaceAll(
    /^v (.*)$/gm,
    (_, numbers: string) =>
      `v ${numbers
        .split(' ')
        .map((part) => 100 * Number(part))
        .join(' ')}`,
  );
  expect(String(wrapMeshes({ 'b.obj': scaled })!['b.obj.xml'])).toContain('scale="0.001 0.001 0.001"');
  expect(wrapMeshes({ 'notes.txt': 'hello' })).toBeUndefined();
});

test('glTF has y up: the block stands on its foot all the same', async () => {
  const numbers = (letter: string): number[] =>
    BLOCK.split('\n')
      .filter((line) => line.startsWith(letter))
      .flatMap((line) => line.slice(2).split(' ').map(Number));
  const corners = numbers('v');
  // (x, y, z) with z up is (x, z, −y) with y up
  const turned = corners.map((value, i) => (i % 3 === 0 ? value : i % 3 === 1 ? corners[i + 1]! : -corners[i - 1]!));
  const positions = new Uint8Array(Float32Array.from(turned).buffer);
  const indices = Uint8Array.from(numbers('f'), (k) => k - 1);
  const content = btoa(String.fromCharCode(...positions, ...indices));
  const gltf = {
    asset: { version: '2.0' },
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 8, type: 'VEC3' },
      { bufferView: 1, componentType: 5121, count: indices.length, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: positions.length },
      { buffer: 0, byteOffset: positions.length, byteLength: indices.length },
    ],
    buffers: [
      { byteLength: positions.length + indices.length, uri: `data:application/octet-stream;base64,${content}` },
    ],
  };
  const files = { 'block.gltf': JSON.stringify(gltf) };
  const { simulation } = await openScene({ ...files, ...wrapMeshes(files)! }, 'block.gltf.xml');
  expect(simulation.contacts()).toEqual([]);
  simulation.step(1000);
  expect(Math.abs(simulation.centerOfMass()[2] - 3)).toBeLessThan(0.01);
});
