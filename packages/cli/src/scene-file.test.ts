import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findSceneFile, loadSceneFile } from './scene-file.ts';

const SCENES = ['arch', 'soft-press', 'soft-gripper'].map((name) => ({ name, file: `scenes/${name}.json` }));

let folder: string;
let before: string;
beforeEach(() => {
  before = process.cwd();
  folder = mkdtempSync(join(tmpdir(), 'nexdyn-scene-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('a file comes before a scene of the same name, a scene before a folder, as that of its own run', () => {
  const inFolder = (name: string): string => {
    process.chdir(folder);
    try {
      return findSceneFile(name, SCENES);
    } finally {
      process.chdir(before);
    }
  };
  mkdirSync(join(folder, 'arch'));
  mkdirSync(join(folder, 'other'));
  expect(inFolder('arch')).toBe('scenes/arch.json');
  expect(inFolder('other')).toBe('other');
  writeFileSync(join(folder, 'soft-press'), '');
  expect(inFolder('soft-press')).toBe('soft-press');
});

test('names that may mean several scenes, and none', () => {
  expect(() => findSceneFile('soft', SCENES)).toThrow(/several scenes.*soft-press, soft-gripper/s);
  expect(() => findSceneFile('bridge', SCENES)).toThrow(/no such file/);
});

test('triangles without area are listed, or refused with the file where meshes are strict', () => {
  const file = join(folder, 'sheet.json');
  const mesh = { name: 'sheet', vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0], faces: [0, 1, 2, 0, 1, 3] };
  const shapes = [{ kind: 'triangleMesh', mesh: 'sheet' }];
  writeFileSync(file, JSON.stringify({ format: 'nexdyn-scene', version: 1, meshes: [mesh], shapes }));
  expect(loadSceneFile(file).unsupported.map((item) => item.message)).toEqual([
    "mesh 'sheet': triangle 1 has no area; left out",
  ]);
  expect(() => loadSceneFile(file, { strictMeshes: true })).toThrow(/sheet\.json.*triangle 1 has no area/);
});

test('a model may read the folder that --root names, and packages of the search path', () => {
  const write = (path: string, text: string): string => {
    const file = join(folder, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const part = '<mujoco><worldbody><geom size="1"/></worldbody></mujoco>';
  const model = write('robots/a/a.xml', '<mujoco><include file="../shared.xml"/></mujoco>');
  write('robots/shared.xml', part);
  expect(() => loadSceneFile(model)).toThrow(/--root FOLDER.*--allow-outside/);
  expect(loadSceneFile(model, { root: join(folder, 'robots') }).scene.shapes).toHaveLength(1);
  expect(() => loadSceneFile(model, { root: join(folder, 'elsewhere') })).toThrow(/contains the model/);

  const mesh = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n';
  write('packages/arm/meshes/m.obj', mesh);
  const urdf = write(
    'urdf/r.urdf',
    '<robot name="r"><link name="a"><collision><geometry><mesh filename="package://arm/meshes/m.obj"/></geometry></collision></link></robot>',
  );
  expect(() => loadSceneFile(urdf)).toThrow(/is not there/);
  expect(loadSceneFile(urdf, { packagePath: [join(folder, 'packages')] }).scene.meshes).toHaveLength(1);
  // other folders stay closed
  const sly = write(
    'urdf/s.urdf',
    '<robot name="r"><link name="a"><collision><geometry><mesh filename="../robots/m.obj"/></geometry></collision></link></robot>',
  );
  write('robots/m.obj', mesh);
  expect(() => loadSceneFile(sly, { packagePath: [join(folder, 'packages')] })).toThrow(/leads out of the folder/);
});
