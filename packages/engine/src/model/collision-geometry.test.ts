/** What collision cannot work with is refused when a scene is compiled, with the name of the mesh and its place. */
import '../fields.ts';
import { describe, expect, test } from 'vitest';
import { NexdynError } from '../error.ts';
import type { MeshAsset, SignedDistanceAsset } from '../scene/asset.ts';
import type { Scene } from '../scene/scene.ts';
import type { Shape } from '../scene/shape.ts';
import { compileModel } from './compile.ts';

const CUBE = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1];
const CUBE_FACES = [
  0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 2, 3, 7, 2, 7, 6, 1, 2, 6, 1, 6, 5, 3, 0, 4, 3, 4, 7,
];

function sceneWith(mesh: Omit<MeshAsset, 'name'>, shape: Shape, field?: SignedDistanceAsset): Scene {
  return {
    format: 'nexdyn-scene',
    version: 1,
    meshes: [{ name: 'part', ...mesh }],
    ...(field && { signedDistanceFields: [field] }),
    shapes: [shape],
  };
}

const triangleMesh: Shape = { kind: 'triangleMesh', mesh: 'part' };
const convexMesh: Shape = { kind: 'convexMesh', mesh: 'part' };
const meshField: Shape = { kind: 'signedDistance', field: 'solid' };
const solid: SignedDistanceAsset = { kind: 'mesh', name: 'solid', mesh: 'part', spacing: 0.1 };

describe('meshes that collision cannot work with', () => {
  const cases: [string, Scene, RegExp][] = [
    [
      'a triangle without area in a strict mesh',
      sceneWith(
        { vertices: [0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0], faces: [0, 1, 3, 0, 1, 2], strict: true },
        triangleMesh,
      ),
      /part/,
    ],
    ['a flat hull', sceneWith({ vertices: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0] }, convexMesh), /part.*hull|hull.*part/],
    [
      'a vertex that is not a number',
      sceneWith({ vertices: [...CUBE.slice(0, 23), Number.NaN], faces: CUBE_FACES }, triangleMesh),
      /meshes\[0\]/,
    ],
    [
      'an open mesh for a field',
      sceneWith({ vertices: CUBE, faces: CUBE_FACES.slice(3) }, meshField, solid),
      /open|edge/,
    ],
  ];
  test.each(cases)('%s', (_name, scene, message) => {
    let error: unknown;
    try {
      compileModel(scene);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(NexdynError);
    expect((error as NexdynError).path).toBeDefined();
    expect((error as NexdynError).message).toMatch(message);
  });

  test('a mesh that touches nothing is not prepared, one that does is', () => {
    const mesh = { vertices: CUBE, faces: CUBE_FACES };
    const drawn = compileModel(sceneWith(mesh, { ...convexMesh, collisionGroups: 0, collisionMask: 0 }));
    expect(drawn.geometry.hull).toEqual([undefined]);
    expect(compileModel(sceneWith(mesh, convexMesh)).geometry.hull[0]?.faceNormal.length).toBe(18);
    expect(compileModel(sceneWith(mesh, triangleMesh)).geometry.mesh[0]?.isClosed).toBe(true);
    const field = compileModel(sceneWith(mesh, meshField, solid)).geometry.field[0]!;
    // the middle of the cube is half a metre deep, within the stated error
    expect(Math.abs(field.distance(0.5, 0.5, 0.5) + 0.5)).toBeLessThanOrEqual(field.errorBound);
  });
});
