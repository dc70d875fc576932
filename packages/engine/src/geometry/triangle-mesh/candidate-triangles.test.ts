import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { torusMesh } from '../../testing/closed-meshes.ts';
import { createRandom } from '../../testing/forest.ts';
import { randomQuaternion, toMatrix } from '../../testing/pair-poses.ts';
import { gridMesh } from '../../testing/surfaces.ts';
import { IndexList, IndexPairs } from '../bounding-tree/index-list.ts';
import { NearestVisit } from '../bounding-tree/nearest-visit.ts';
import { buildTriangleMesh } from './build-triangle-mesh.ts';
import { collectTriangles } from './candidate-triangles.ts';
import { findLowestVertex, LowVertices } from './lowest-vertices.ts';
import { findNearestOnTriangle } from './nearest-point.ts';
import { findNearestOnMesh, NearestOnMesh } from './surface-side.ts';
import { collectNearPairs } from './tree-pairs.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

const nearestPoint = new Float64Array(4);

const torus = torusMesh(0.8, 0.3, 40, 20);
const grid = gridMesh(1, 20, (x, y) => 0.2 * Math.sin(5 * x + y));
const MESHES: [string, TriangleMesh][] = [
  ['torus', buildTriangleMesh(torus.vertices, torus.faces, 'torus')],
  ['terrain', buildTriangleMesh(grid.vertices, grid.faces, 'terrain')],
  ['one triangle', buildTriangleMesh([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2], 'triangle')],
];

/** Low and high of a triangle along each axis. */
function boxOf(mesh: TriangleMesh, t: number): [number[], number[]] {
  const points = [0, 1, 2].map((k) => Array.from(mesh.vertices.slice(3 * mesh.triangles[3 * t + k]).slice(0, 3)));
  return [
    [0, 1, 2].map((k) => Math.min(...points.map((p) => p[k]))),
    [0, 1, 2].map((k) => Math.max(...points.map((p) => p[k]))),
  ];
}

describe.each(MESHES)('%s: queries are those of a loop over all triangles', (_, mesh) => {
  const random = createRandom(8);
  const count = mesh.tree.count;
  const boxes = Array.from({ length: count }, (_, t) => boxOf(mesh, t));

  test('box', () => {
    const list = new IndexList();
    for (let i = 0; i < takeSamples(300, 0.2); i++) {
      const low = [0, 1, 2].map(() => 2.4 * (random() - 0.5));
      const high = low.map((x) => x + random() * random());
      // a vertex exactly at a corner every tenth time
      if (i % 10 === 0) for (let k = 0; k < 3; k++) high[k] = low[k] = mesh.vertices[k];
      collectTriangles(list, mesh.tree, Float64Array.of(...low, ...high));
      const expected: number[] = [];
      for (let t = 0; t < count; t++) {
        if ([0, 1, 2].every((k) => boxes[t][0][k] <= high[k] && boxes[t][1][k] >= low[k])) expected.push(t);
      }
      expect(Array.from(list.values.slice(0, list.count))).toEqual(expected);
    }
  });

  test('nearest point', () => {
    const visit = new NearestVisit();
    const nearest = new NearestOnMesh();
    for (let i = 0; i < takeSamples(300, 0.2); i++) {
      const at = Float64Array.from({ length: 3 }, () => 2.4 * (random() - 0.5));
      if (i % 10 === 0) at.set(mesh.vertices.slice(0, 3));
      findNearestOnMesh(nearest, visit, mesh, at, Infinity);
      let least = Infinity;
      let first = -1;
      for (let t = 0; t < count; t++) {
        findNearestOnTriangle(nearestPoint, mesh.vertices, mesh.triangles, t, at);
        if (nearestPoint[3] < least) {
          least = nearestPoint[3];
          first = t;
        }
      }
      expect(nearest.squared).toBe(least);
      expect(nearest.triangle).toBe(first);
    }
  });

  test('lowest vertices', () => {
    const low = new LowVertices();
    for (let i = 0; i < takeSamples(100, 0.3); i++) {
      const u = toMatrix(randomQuaternion(random)).slice(0, 3);
      const heights = Array.from(
        { length: mesh.vertices.length / 3 },
        (_, v) => u[0] * mesh.vertices[3 * v] + u[1] * mesh.vertices[3 * v + 1] + u[2] * mesh.vertices[3 * v + 2],
      );
      const lowest = Math.min(...heights);
      expect(findLowestVertex(mesh, u[0], u[1], u[2])).toBe(lowest);
      const height = lowest + 0.1 * random();
      low.collect(mesh, u[0], u[1], u[2], height);
      expect(Array.from(low.vertex.slice(0, low.count))).toEqual(heights.flatMap((h, v) => (h <= height ? [v] : [])));
    }
  });
});

test('pairs of two meshes hold every pair whose turned boxes meet, each once, sorted', () => {
  const random = createRandom(21);
  const [a, b] = [MESHES[0][1], MESHES[1][1]];
  const pairs = new IndexPairs();
  for (let i = 0; i < takeSamples(6, 0.3); i++) {
    const r = Float64Array.from(toMatrix(randomQuaternion(random)));
    const p = Float64Array.from({ length: 3 }, () => random() - 0.5);
    const margin = 0.05 * random();
    collectNearPairs(pairs, a.tree, b.tree, r, p, margin);
    const found = new Set<string>();
    for (let k = 0; k < pairs.count; k++) found.add(`${pairs.values[2 * k]},${pairs.values[2 * k + 1]}`);
    expect(found.size).toBe(pairs.count);
    let last = -1;
    for (let k = 0; k < pairs.count; k++) {
      const key = pairs.values[2 * k] * b.tree.count + pairs.values[2 * k + 1];
      if (key <= last) expect.fail(`pair ${k} is out of order`);
      last = key;
    }
    // no triangle of A whose own points meet the box of one of B is missing
    const boxesB = Array.from({ length: b.tree.count }, (_, t) => boxOf(b, t));
    for (let t = 0; t < a.tree.count; t++) {
      const points = [0, 1, 2].map((k) => {
        const v = 3 * a.triangles[3 * t + k];
        return [0, 1, 2].map(
          (q) => p[q] + r[3 * q] * a.vertices[v] + r[3 * q + 1] * a.vertices[v + 1] + r[3 * q + 2] * a.vertices[v + 2],
        );
      });
      const low = [0, 1, 2].map((k) => Math.min(...points.map((x) => x[k])) - margin);
      const high = [0, 1, 2].map((k) => Math.max(...points.map((x) => x[k])) + margin);
      for (let s = 0; s < b.tree.count; s++) {
        const [lowB, highB] = boxesB[s];
        let isNear = true;
        for (let k = 0; k < 3; k++) isNear &&= low[k] <= highB[k] && high[k] >= lowB[k];
        if (isNear && !found.has(`${t},${s}`)) expect.fail(`pair ${t}, ${s} is missing`);
      }
    }
  }
});
