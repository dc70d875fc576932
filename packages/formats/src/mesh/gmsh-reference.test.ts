import { NexdynError } from '@nexdyn/engine';
import { describe, expect, test } from 'vitest';
import { memoryFiles } from '../file-source.ts';
import { readSceneJson } from '../scene-json/read-scene-json.ts';

const GMSH = `$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 100 0 0
3 0 100 0
4 0 0 100
$EndNodes
$Elements
1
1 4 0 1 2 3 4
$EndElements
`;
const scene = (mesh: string): string => `{ "format": "nexdyn-scene", "version": 1,
  "softBodies": [
    { "mesh": ${mesh}, "elasticity": { "youngsModulus": 1e5, "poissonRatio": 0.3 } }
  ]
}`;
const read = (mesh: string, file = GMSH) =>
  readSceneJson('scenes/a.json', { files: memoryFiles({ 'scenes/a.json': scene(mesh), 'scenes/parts/t.msh': file }) });

describe('tetrahedra from a file named by a scene', () => {
  test('take the place of the reference, in metres', () => {
    const soft = read('{ "kind": "file", "file": "parts/t.msh", "scale": 0.001 }').scene.softBodies?.[0];
    expect(soft?.mesh).toEqual({
      kind: 'tetrahedra',
      vertices: [0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1],
      tetrahedra: [0, 1, 2, 3],
    });
  });

  test('surfaces become meshes of the scene, to be filled or as shells', () => {
    const obj = 'v 0 0 0\nv 10 0 0\nv 0 10 0\nv 10 10 0\nf 1 2 3\n';
    const load = (mesh: string) =>
      readSceneJson('a.json', { files: memoryFiles({ 'a.json': scene(mesh), 'p/t.obj': obj }) }).scene;
    const filled = load('{ "kind": "file", "file": "p/t.obj", "scale": 0.01, "resolution": 0.02, "repair": true }');
    expect(filled.meshes).toMatchObject([
      { name: 't.obj', vertices: [0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0.1, 0.1, 0], faces: [0, 1, 2] },
    ]);
    expect(filled.softBodies?.[0]?.mesh).toEqual({ kind: 'surface', mesh: 't.obj', resolution: 0.02, repair: true });
    const shell = load('{ "kind": "file", "file": "p/t.obj", "scale": 0.01, "thickness": 0.001 }');
    expect(shell.softBodies?.[0]?.mesh).toEqual({ kind: 'shell', mesh: 't.obj', thickness: 0.001 });
    expect(() => load('{ "kind": "file", "file": "p/t.obj" }')).toThrow(/needs a resolution/);
  });

  test.each([
    ['no file name', '{ "kind": "file" }', GMSH, 'missing-value', 3],
    ['another field', '{ "kind": "file", "file": "parts/t.msh", "size": 1 }', GMSH, 'unknown-field', 3],
    ['a scale of zero', '{ "kind": "file", "file": "parts/t.msh", "scale": 0 }', GMSH, 'invalid-value', 3],
    ['a file that is not there', '{ "kind": "file", "file": "x.msh" }', GMSH, 'file-not-found', 3],
    ['a file outside', '{ "kind": "file", "file": "../../t.msh" }', GMSH, 'path-outside-folder', 3],
    [
      'a damaged file',
      '{ "kind": "file", "file": "parts/t.msh" }',
      GMSH.replace('100 0 0', 'x 0 0'),
      'malformed-mesh',
      7,
    ],
    [
      'an inverted tetrahedron',
      '{ "kind": "file", "file": "parts/t.msh" }',
      GMSH.replace('1 2 3 4', '1 3 2 4'),
      'invalid-mesh',
      3,
    ],
  ])('%s is an error with its place', (_, mesh, file, code, line) => {
    let caught: unknown;
    try {
      read(mesh, file);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(NexdynError);
    expect((caught as NexdynError).code).toBe(code);
    expect((caught as NexdynError).line).toBe(line);
  });
});
