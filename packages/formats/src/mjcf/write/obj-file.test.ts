/** Meshes whose corners share vertices, but not places in a texture, are files beside the scene, and come back as they were. */
import type { Scene } from '@nexdyn/engine';
import { expect, test } from 'vitest';
import { memoryFiles } from '../../file-source.ts';
import { readMjcf } from '../mjcf.ts';
import { writeMjcf } from './write-mjcf.ts';

const SCENE = `<mujoco>
  <asset>
    <texture name="t" type="2d" builtin="checker" width="4" height="4"/>
    <material name="m" texture="t"/>
    <mesh name="a b" file="a.obj" scale=".001 .001 .001" inertia="exact"/>
    <mesh name="a-b" file="a.obj"/>
  </asset>
  <worldbody><geom type="mesh" mesh="a b" material="m"/><geom type="mesh" mesh="a-b" material="m"/></worldbody>
</mujoco>`;

/** A tetrahedron with a seam: the first vertex has three places. */
const OBJ = `v 0 0 0\nv 1.5 0 0\nv 0 2.1 0\nv 0 0 3.7
vt 0 0\nvt .3 .4\nvt 1 .2\nvt .7 .9\nvt .1 1
f 1/1 3/3 2/2\nf 1/4 2/2 4/5\nf 1/5 4/4 3/3\nf 2/2 3/3 4/1\n`;

const read = (text: string, others: Record<string, string | Uint8Array>): Scene =>
  readMjcf('a.xml', { files: memoryFiles({ 'a.xml': text, ...others }) }).scene;

test('writes a mesh with a seam as a file of its own', () => {
  const scene = read(SCENE, { 'a.obj': OBJ });
  expect(scene.meshes?.[0]?.textureCoordinates?.length).toBe(24);
  const { text, images, unwritten } = writeMjcf(scene, { imagePrefix: 'x-' });
  expect(unwritten).toEqual([]);
  // names that differ only in signs get files of their own
  expect(images.map(({ name }) => name)).toEqual(['x-a-b.obj', 'x-a-b-2.obj']);
  expect(read(text, Object.fromEntries(images.map(({ name, bytes }) => [name, bytes])))).toEqual(scene);
});

test('lists the places where there is no room for files', () => {
  const { unwritten } = writeMjcf(read(SCENE, { 'a.obj': OBJ }));
  expect(unwritten.map(({ path }) => path)).toEqual(['meshes[0].textureCoordinates', 'meshes[1].textureCoordinates']);
});
