/** Parts within reach: the search, by tree and one by one, against the comparison of all boxes. */
import { describe, expect, test } from 'vitest';
import { IpcObjective } from '../../formulation/ipc/ipc-objective.ts';
import { Arena } from '../../kernels/arena.ts';
import { compileModel } from '../../model/compile.ts';
import type { Scene } from '../../scene/scene.ts';
import { type Mesh, sphereMesh } from '../../testing/closed-meshes.ts';
import type { SurfaceSet } from '../surface/surface-set.ts';
import { NearParts } from './near-parts.ts';

const PAIR = 7;

/** Two turned bodies beside each other, in the world. */
function placeBodies(one: Mesh, two: Mesh, distance: number): SurfaceSet {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    meshes: [
      { name: 'one', ...one },
      { name: 'two', ...two },
    ],
    bodies: ['one', 'two'].map((mesh, i) => ({
      position: [i * distance, 0.1 * i, 0.05 * i],
      orientation: [1, 0.3, 0.2 * i, 0.1],
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'triangleMesh', mesh }],
    })),
  };
  const { surfaces, frames } = new IpcObjective(compileModel(scene, { formulation: 'ipc' }), new Arena());
  surfaces.place(frames.current);
  return surfaces;
}

/** Low and high corner of the box of some points. */
function boxOf(set: SurfaceSet, points: ArrayLike<number>): number[] {
  const all = Array.from(points);
  const along = (k: number): number[] => all.map((v) => set.world[3 * v + k]);
  return [0, 1, 2].flatMap((k) => Math.min(...along(k))).concat([0, 1, 2].map((k) => Math.max(...along(k))));
}

const meet = (a: number[], b: number[], reach: number): boolean =>
  [0, 1, 2].every((k) => a[k] - reach <= b[3 + k] && b[k] <= a[3 + k] + reach);

/** Boxes around surfaces that leave nothing out, or are as tight as can be. */
function boxSurfaces(set: SurfaceSet, isTight: boolean): Float64Array {
  const all = set.surfaces.flatMap(({ firstVertex, endVertex }) =>
    isTight
      ? boxOf(
          set,
          Array.from({ length: endVertex - firstVertex }, (_, i) => firstVertex + i),
        )
      : [-Infinity, -Infinity, -Infinity, Infinity, Infinity, Infinity],
  );
  return Float64Array.from(all);
}

/** All points of one near triangles of two, and edges near edges, by comparing every two boxes. */
function compareAll(set: SurfaceSet, reach: number): { triangles: string[]; edges: string[] } {
  const [one, two] = set.surfaces;
  const triangles: string[] = [];
  const edges: string[] = [];
  for (const [a, b] of [
    [one, two],
    [two, one],
  ]) {
    for (let v = a.firstVertex; v < a.endVertex; v++) {
      for (let t = b.firstTriangle; t < b.endTriangle; t++) {
        if (meet(boxOf(set, [v]), boxOf(set, set.triangle.subarray(3 * t, 3 * t + 3)), reach))
          triangles.push(`${v} ${t}`);
      }
    }
  }
  for (let e = one.firstEdge; e < one.endEdge; e++) {
    for (let f = two.firstEdge; f < two.endEdge; f++) {
      if (set.isSharp[e] === 0 || set.isSharp[f] === 0) continue;
      const boxes = [e, f].map((n) => boxOf(set, set.edge.subarray(2 * n, 2 * n + 2)));
      if (meet(boxes[0], boxes[1], reach)) edges.push(`${e} ${f}`);
    }
  }
  return { triangles, edges };
}

function listFound(parts: NearParts): { triangles: string[]; edges: string[] } {
  const triangles: string[] = [];
  const edges: string[] = [];
  const { values, count } = parts.triangles;
  for (let i = 0; i < count; ) {
    const end = i + 3 + values[i + 2];
    expect(values[i + 1]).toBe(PAIR);
    for (let k = i + 3; k < end; k++) triangles.push(`${values[i]} ${values[k]}`);
    i = end;
  }
  for (let i = 0; i < parts.edges.count; i += 3) {
    edges.push(`${parts.edges.values[i]} ${parts.edges.values[i + 1]}`);
    expect(parts.edges.values[i + 2]).toBe(PAIR);
  }
  return { triangles, edges };
}

describe('parts of two surfaces within reach', () => {
  // 5 points and 6 triangles are compared one by one, 50 points and 96 triangles by a tree
  test.each([
    ['small surfaces', sphereMesh(0.5, 3, 1), sphereMesh(0.4, 3, 1), 0.75],
    ['large surfaces', sphereMesh(0.5, 8, 6), sphereMesh(0.4, 8, 6), 0.93],
  ])('%s: those of all boxes that meet, in the same order', (_, one, two, distance) => {
    const set = placeBodies(one, two, distance);
    for (const reach of [0.02, 0.1, 0.4]) {
      const expected = compareAll(set, reach);
      if (reach > 0.05) {
        expect(expected.triangles.length).toBeGreaterThan(3);
        expect(expected.edges.length).toBeGreaterThan(3);
      }
      for (const isTight of [false, true]) {
        const parts = new NearParts(set, boxSurfaces(set, isTight));
        parts.add(0, 1, PAIR, reach);
        expect(listFound(parts)).toEqual(expected);
        parts.clear();
        expect(parts.count).toBe(0);
      }
    }
  });
});
