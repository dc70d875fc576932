/** Areas, sharp edges and exposed points of surfaces, against what a ruler gives. */
import { describe, expect, test } from 'vitest';
import { IpcObjective } from '../../formulation/ipc/ipc-objective.ts';
import { Arena } from '../../kernels/arena.ts';
import { compileModel } from '../../model/compile.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Shape } from '../../scene/shape.ts';
import { boxMesh, gridMesh } from '../../testing/surfaces.ts';
import type { SurfaceSet } from './surface-set.ts';

function surfacesOf(parts: Partial<Scene>): SurfaceSet {
  const scene: Scene = { format: 'nexdyn-scene', version: 1, ...parts };
  return new IpcObjective(compileModel(scene, { formulation: 'ipc' }), new Arena()).surfaces;
}

function surfacesOfBody(shape: Shape, parts: Partial<Scene> = {}): SurfaceSet {
  return surfacesOf({ ...parts, bodies: [{ joints: [{ kind: 'free' }], shapes: [shape] }] });
}

const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => a + b, 0);

describe('surfaces of a body', () => {
  test('a box: corners stand for a quarter of each of their faces, however these are cut', () => {
    const set = surfacesOfBody({ kind: 'box', halfSize: [0.5, 1, 1.5] });
    // faces of 2, 3 and 6 m²
    expect(set.pointArea).toHaveLength(8);
    for (const area of set.pointArea) expect(area).toBeCloseTo((2 + 3 + 6) / 4, 13);
    expect(sum(set.edgeArea)).toBeCloseTo(22, 13);
    // twelve edges of the box, and a diagonal on each of its faces, which nothing meets first
    expect(set.edgeTriangles).toHaveLength(18);
    expect([...set.edgeTriangles].every((count) => count === 2)).toBe(true);
    expect(sum(set.isSharp)).toBe(12);
    for (let e = 0; e < 18; e++) {
      const isSide = [1, 4, 9].some((square) => Math.abs(set.edgeSquare[e] - square) < 1e-12);
      expect(set.isSharp[e]).toBe(isSide ? 1 : 0);
    }
    expect(set.reach[0]).toBeCloseTo(Math.hypot(0.5, 1, 1.5), 14);
  });

  test('the same box as a finer mesh has the same area', () => {
    const meshes = [{ name: 'box', ...boxMesh(0.5, 1, 1.5, 4) }];
    const set = surfacesOfBody({ kind: 'triangleMesh', mesh: 'box' }, { meshes });
    expect(sum(set.pointArea)).toBeCloseTo(22, 12);
    expect(sum(set.edgeArea)).toBeCloseTo(22, 12);
    // four pieces of each of twelve edges; all points stay, since they carry the box
    expect(sum(set.isSharp)).toBe(48);
    expect([...set.isExposed].every((is) => is === 1)).toBe(true);
  });

  test('points and edges without triangles stand for their section', () => {
    const ball = surfacesOfBody({ kind: 'sphere', radius: 0.2 });
    expect([...ball.pointArea]).toEqual([Math.PI * 0.2 * 0.2]);
    expect(ball.surfaces[0]).toMatchObject({ isPoint: true, isLoose: false, radius: 0.2 });
    const rod = surfacesOfBody({ kind: 'capsule', radius: 0.1, halfLength: 0.5 });
    expect(rod.edgeArea[0]).toBeCloseTo(2 * 0.1 * 1, 14);
    expect(rod.surfaces[0]).toMatchObject({ isPoint: false, isLoose: true });
    expect([...rod.edgeOwner]).toEqual([-1]);
    expect(rod.reach[0]).toBeCloseTo(0.6, 14);
  });
});

describe('surfaces of the world', () => {
  test('inside a flat sheet no edge is sharp and no point exposed; a dent brings its own back', () => {
    const sheet = (height: (x: number, y: number) => number): SurfaceSet =>
      surfacesOf({
        meshes: [{ name: 'sheet', ...gridMesh(1, 4, height) }],
        shapes: [{ kind: 'triangleMesh', mesh: 'sheet' }],
        bodies: [{ position: [0, 0, 3], joints: [{ kind: 'free' }], shapes: [{ kind: 'sphere', radius: 0.1 }] }],
      });
    const isSheet = (set: SurfaceSet, v: number): boolean => set.surfaceOf[v] === 0;
    const flat = sheet(() => 0);
    const dented = sheet((x, y) => (Math.hypot(x, y) < 1e-9 ? -0.3 : 0));
    for (let v = 0; v < flat.isExposed.length; v++) {
      if (!isSheet(flat, v)) continue;
      const [x, y] = flat.local.subarray(3 * v, 3 * v + 2);
      const isBorder = Math.max(Math.abs(x), Math.abs(y)) > 0.99;
      expect(flat.isExposed[v]).toBe(isBorder ? 1 : 0);
      // the border, the dent and all around it
      if (isBorder || Math.hypot(x, y) < 1e-9) expect(dented.isExposed[v]).toBe(1);
    }
  });
});
