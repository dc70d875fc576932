/** Materials of meshes and skins of attached models, as MuJoCo 4.0 has them. */
import { describe, expect, test } from 'vitest';
import { memoryFiles } from '../file-source.ts';
import type { LoadedScene } from '../loaded-scene.ts';
import { readMjcf } from './mjcf.ts';

const load = (main: string, files: Record<string, string> = {}): LoadedScene =>
  readMjcf('main.xml', { files: memoryFiles({ 'main.xml': `<mujoco>${main}</mujoco>`, ...files }) });

describe('the material of a mesh', () => {
  const tetrahedron = 'vertex="0 0 0 1 0 0 0 1 0 0 0 1"';
  const materials = '<material name="red" rgba="1 0 0 1"/><material name="green" rgba="0 1 0 1"/>';

  test('is that of its geoms without one, also of solids fitted to it', () => {
    // the mesh may come before its material
    const { scene, unsupported } = load(
      `<asset><mesh name="m" ${tetrahedron} material="red"/>${materials}</asset><worldbody><body>
        <geom type="mesh" mesh="m"/><geom type="mesh" mesh="m" material="green"/>
        <geom type="mesh" mesh="m" rgba="0 0 1 1"/><geom type="box" mesh="m"/><geom size="1"/></body></worldbody>`,
    );
    const { shapes = [] } = scene.bodies![0]!;
    // matid and colours of MuJoCo 4.0
    expect(shapes.map(({ appearance }) => appearance)).toEqual(['red', 'green', 'red', 'red', undefined]);
    expect(shapes.map(({ color }) => color)).toEqual([
      [1, 0, 0, 1],
      [0, 1, 0, 1],
      [0, 0, 1, 1],
      [1, 0, 0, 1],
      undefined,
    ]);
    expect(unsupported).toEqual([]);
  });

  test('must be there', () => {
    const text = `<asset><mesh name="m" ${tetrahedron} material="rot"/>${materials}</asset><worldbody><body><geom type="mesh" mesh="m"/></body></worldbody>`;
    expect(() => load(text)).toThrow(/main\.xml:1:\d+.*no material 'rot'|no material 'rot'/);
  });
});

describe('skins', () => {
  const skin = (bones: readonly string[]): string =>
    `<deformable><skin name="s" material="red" vertex="-1 -1 0  1 -1 0  1 1 0  -1 1 0" face="0 1 2 0 2 3">${bones
      .map((body) => `<bone body="${body}" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2 3" vertweight="1 1 1 1"/>`)
      .join('')}</skin></deformable>`;
  const child = (bones: readonly string[]): string => `<mujoco><asset>
    <texture name="t" type="2d" builtin="flat" width="4" height="4"/><material name="red" texture="t" rgba="1 0 0 1"/></asset>
    <worldbody><body name="b"><geom size=".1"/></body><body name="c"><geom size=".1"/></body></worldbody>${skin(bones)}</mujoco>`;
  const attach = (what: string): string =>
    `<asset><model name="child" file="child.xml"/></asset><worldbody><body><attach model="child" ${what} prefix="x_"/></body></worldbody>`;

  test.each(['', 'body="b"'])('come along with the bodies of an attached model (%s), with their material', (what) => {
    const { scene, unsupported } = load(attach(what), { 'child.xml': child(['b']) });
    expect(scene.skins).toMatchObject([{ name: 'x_s', appearance: 'x_red', bones: [{ body: 'x_b' }] }]);
    expect(scene.appearances).toMatchObject([{ name: 'x_red', texture: 'x_t' }]);
    expect(scene.textures).toMatchObject([{ name: 'x_t' }]);
    expect(unsupported).toEqual([]);
  });

  test('of bodies that are copied within a model are copied', () => {
    const { scene } = load(
      `<asset><material name="red"/></asset><worldbody><body name="b"><geom size=".1"/></body><frame><attach body="b" prefix="y_"/></frame></worldbody>${skin(['b'])}`,
    );
    expect(scene.skins!.map(({ name, bones }) => [name, bones[0]!.body])).toEqual([
      ['s', 'b'],
      ['y_s', 'y_b'],
    ]);
  });

  test('that also hang on other bodies stay behind, and are listed', () => {
    const { scene, unsupported } = load(attach('body="b"'), { 'child.xml': child(['b', 'c']) });
    expect(scene.skins ?? []).toEqual([]);
    expect(unsupported).toMatchObject([{ element: 'skin', affects: 'visual' }]);
  });
});
