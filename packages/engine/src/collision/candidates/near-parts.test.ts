/** Parts within reach: the search, by tree and one by one, against the comparison of all boxes and of all distances. */
import { describe, expect, test } from 'vitest';
import { takeCases } from '../../../../../scripts/long-run.ts';
import type { FramePoses } from '../../dynamics/frames.ts';
import { IpcObjective } from '../../formulation/ipc/ipc-objective.ts';
import { classifyEdgeEdge, measureEdgeEdge } from '../../geometry/distance/edge-edge.ts';
import { classifyPointTriangle, measurePointTriangle } from '../../geometry/distance/point-triangle.ts';
import { Arena } from '../../kernels/arena.ts';
import { matrixFromQuaternion, normalizeQuaternion } from '../../linear-algebra/quaternion.ts';
import { compileModel } from '../../model/compile.ts';
import type { Scene } from '../../scene/scene.ts';
import { type Mesh, sphereMesh } from '../../testing/closed-meshes.ts';
import type { Surface, SurfaceSet } from '../surface/surface-set.ts';
import { NearParts } from './near-parts.ts';

const PAIR = 7;

/** Two turned bodies beside each other, in the world. */
function placeBodies(one: Mesh, two: Mesh, distance: number): { set: SurfaceSet; poses: FramePoses } {
  const scene: Scene = {
    format: 'nexdyn-scene',
    version: 1,
    meshes: [
      { name: 'one', ...one },
      { name: 'two', ...two },
    ],
    bodies: ['one', 'two'].map((mesh) => ({
      joints: [{ kind: 'free' }],
      shapes: [{ kind: 'triangleMesh', mesh }],
    })),
  };
  const { surfaces, frames } = new IpcObjective(compileModel(scene, { formulation: 'ipc' }), new Arena());
  turnFrames(frames.current, distance);
  surfaces.place(frames.current);
  return { set: surfaces, poses: frames.current };
}

function turnFrames({ position, orientation, rotation }: FramePoses, distance: number): void {
  for (let f = 0; f < 2; f++) {
    position.set([f * distance, 0.1 * f, 0.05 * f], 3 * f);
    orientation.set([0.9, 0.3 - 0.5 * f, 0.2 * f, 0.1], 4 * f);
    normalizeQuaternion(orientation, 4 * f, orientation, 4 * f);
    matrixFromQuaternion(rotation, 9 * f, orientation, 4 * f);
  }
}

/** All points in the frame of a surface: Rᵀ (x − p). */
function bringInto(set: SurfaceSet, { position, rotation }: FramePoses, { frame }: Surface): Float64Array {
  return set.world.map((_, i) => {
    const v = 3 * Math.floor(i / 3);
    let sum = 0;
    for (let c = 0; c < 3; c++)
      sum += rotation[9 * frame + 3 * c + (i % 3)] * (set.world[v + c] - position[3 * frame + c]);
    return sum;
  });
}

/** Low and high corner of the box of some points. */
function boxOf(x: Float64Array, points: number[]): number[] {
  const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const v of points) {
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k], x[3 * v + k]);
      box[3 + k] = Math.max(box[3 + k], x[3 * v + k]);
    }
  }
  return box;
}

const meet = (a: number[], b: number[], reach: number): boolean =>
  [0, 1, 2].every((k) => a[k] - reach <= b[3 + k] && b[k] <= a[3 + k] + reach);

const stencil = (set: SurfaceSet, points: number[]): Float64Array =>
  Float64Array.from(points.flatMap((v) => Array.from(set.world.subarray(3 * v, 3 * v + 3))));

/** Every point of one with every triangle of the other, and every two sharp edges: those whose test is passed. */
function compareAll(
  set: SurfaceSet,
  isNear: (mine: number[], theirs: number[], other: Surface) => boolean,
): { triangles: string[]; edges: string[] } {
  const [one, two] = set.surfaces;
  const triangles: string[] = [];
  const edges: string[] = [];
  for (const [a, b] of [
    [one, two],
    [two, one],
  ]) {
    for (let v = a.firstVertex; v < a.endVertex; v++) {
      for (let t = b.firstTriangle; t < b.endTriangle; t++)
        if (isNear([v], Array.from(set.triangle.subarray(3 * t, 3 * t + 3)), b)) triangles.push(`${v} ${t}`);
    }
  }
  for (let e = one.firstEdge; e < one.endEdge; e++) {
    for (let f = two.firstEdge; f < two.endEdge; f++) {
      if (set.isSharp[e] === 0 || set.isSharp[f] === 0) continue;
      const [mine, theirs] = [e, f].map((n) => Array.from(set.edge.subarray(2 * n, 2 * n + 2)));
      if (isNear(mine, theirs, two)) edges.push(`${e} ${f}`);
    }
  }
  return { triangles, edges };
}

function listFound(parts: NearParts): { triangles: string[]; edges: string[] } {
  const triangles: string[] = [];
  const edges: string[] = [];
  const pairs = new Set<number>();
  const { values, count } = parts.triangles;
  for (let i = 0; i < count; ) {
    const end = i + 3 + values[i + 2];
    pairs.add(values[i + 1]);
    for (let k = i + 3; k < end; k++) triangles.push(`${values[i]} ${values[k]}`);
    i = end;
  }
  for (let i = 0; i < parts.edges.count; i += 3) {
    edges.push(`${parts.edges.values[i]} ${parts.edges.values[i + 1]}`);
    pairs.add(parts.edges.values[i + 2]);
  }
  for (const pair of pairs) expect(pair).toBe(PAIR);
  return { triangles, edges };
}

describe('parts of two surfaces within reach', () => {
  // 5 points and 6 triangles are compared one by one, 50 points and 96 triangles by a tree
  test.each([
    ['small surfaces', sphereMesh(0.5, 3, 1), sphereMesh(0.4, 3, 1), 0.75],
    ['large surfaces', sphereMesh(0.5, 8, 6), sphereMesh(0.4, 8, 6), 0.93],
  ])('%s: those of all boxes that meet, in the same order', (_, one, two, distance) => {
    const { set, poses } = placeBodies(one, two, distance);
    const framed = set.surfaces.map((surface) => bringInto(set, poses, surface));
    for (const reach of takeCases([0.1, 0.02, 0.4], 2)) {
      const expected = compareAll(set, (mine, theirs, other) =>
        meet(boxOf(framed[other.frame], mine), boxOf(framed[other.frame], theirs), reach),
      );
      if (reach > 0.05) {
        expect(expected.triangles.length).toBeGreaterThan(3);
        expect(expected.edges.length).toBeGreaterThan(3);
      }
      const parts = new NearParts(set, new Float64Array(12), poses);
      parts.add(0, 1, PAIR, reach);
      const found = listFound(parts);
      expect(found).toEqual(expected);
      const known = new Set([...found.triangles.map((t) => `t ${t}`), ...found.edges.map((e) => `e ${e}`)]);
      // nothing is left out that is within reach
      const near = compareAll(set, (mine, theirs) => {
        const x = stencil(set, [...mine, ...theirs]);
        const square =
          mine.length === 1
            ? measurePointTriangle(x, 0, classifyPointTriangle(x, 0))
            : measureEdgeEdge(x, 0, classifyEdgeEdge(x, 0));
        return square <= reach * reach;
      });
      expect(near.triangles.filter((entry) => !known.has(`t ${entry}`))).toEqual([]);
      expect(near.edges.filter((entry) => !known.has(`e ${entry}`))).toEqual([]);
      parts.clear();
      expect(parts.count).toBe(0);
    }
  });
});
