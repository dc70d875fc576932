import { describe, expect, test } from 'vitest';
import { L_HUB, L_OUTLINE, prismMesh } from '../../testing/closed-meshes.ts';
import { createRandom } from '../../testing/forest.ts';
import { randomQuaternion, toMatrix } from '../../testing/pair-poses.ts';
import { boxMesh, gridMesh } from '../../testing/surfaces.ts';
import { buildTriangleMesh } from './build-triangle-mesh.ts';
import { EDGE, VERTEX } from './nearest-point.ts';
import { BORDER_EDGE, CONCAVE_EDGE, CONVEX_EDGE, FLAT_EDGE, readEdge, snapToCone } from './normal-cone.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

const frame = new Float64Array(9);
const snapped = new Float64Array(3);

function build(data: { vertices: number[]; faces: number[] }): TriangleMesh {
  return buildTriangleMesh(data.vertices, data.faces, 'mesh');
}

function countKinds(mesh: TriangleMesh): number[] {
  const counts = [0, 0, 0, 0];
  for (let e = 0; e < mesh.triangles.length; e++) counts[readEdge(frame, mesh, Math.floor(e / 3), e % 3)]++;
  return counts;
}

describe('kinds of edges', () => {
  test('a divided box has convex and flat edges only', () => {
    const counts = countKinds(build(boxMesh(1, 1, 1, 2)));
    // 12 edges of two pieces, seen from both sides
    expect(counts[CONVEX_EDGE]).toBe(48);
    expect(counts[CONCAVE_EDGE] + counts[BORDER_EDGE]).toBe(0);
    expect(counts[FLAT_EDGE]).toBe(3 * 48 - 48);
  });

  test('an L has one concave edge', () => {
    expect(countKinds(build(prismMesh(L_OUTLINE, 1, L_HUB)))[CONCAVE_EDGE]).toBe(2);
  });

  test('a sheet ends at borders', () => {
    const counts = countKinds(build(gridMesh(1, 3)));
    expect(counts[BORDER_EDGE]).toBe(12);
    expect(counts[CONVEX_EDGE] + counts[CONCAVE_EDGE]).toBe(0);
  });
});

describe('snapping on a cube', () => {
  const mesh = build(boxMesh(1, 1, 1, 2));
  const random = createRandom(3);

  /** Directions that the cube pushes along at a point: those whose sides it lies on, never inwards. */
  function nearestInCone(point: number[], u: number[]): number[] {
    const inside = point.map((x, k) => (Math.abs(x) === 1 ? Math.max(0, u[k] * x) * x : 0));
    const length = Math.hypot(...inside);
    if (length > 0) return inside.map((x) => x / length);
    // all face away: the side that faces away least
    const best = point.map((x, k) => (Math.abs(x) === 1 ? u[k] * x : -Infinity));
    const k = best.indexOf(Math.max(...best));
    return point.map((x, i) => (i === k ? x : 0));
  }

  test('edges and vertices give the nearest direction of their cone', () => {
    for (let i = 0; i < 4000; i++) {
      const t = Math.floor(random() * (mesh.triangles.length / 3));
      const k = Math.floor(3 * random());
      const isVertex = random() < 0.5;
      const u = toMatrix(randomQuaternion(random)).slice(0, 3);
      const at = (j: number) => Array.from(mesh.vertices.slice(3 * mesh.triangles[3 * t + (j % 3)]).slice(0, 3));
      const point = isVertex ? at(k) : at(k).map((x, r) => 0.5 * (x + at(k + 1)[r]));
      snapped.set(u);
      const cosine = snapToCone(snapped, mesh, t, isVertex ? VERTEX + k : EDGE + k);
      const expected = nearestInCone(point, u);
      const best = expected[0] * u[0] + expected[1] * u[1] + expected[2] * u[2];
      expect(cosine).toBeCloseTo(best, 12);
      for (let r = 0; r < 3; r++) expect(snapped[r]).toBeCloseTo(expected[r], 9);
    }
  });
});

test('on flat ground every snap is the normal itself, bit by bit', () => {
  const mesh = build(gridMesh(1, 4));
  const random = createRandom(5);
  for (let i = 0; i < 500; i++) {
    const t = 2 * (5 + (i % 2)) + (i % 2);
    const u = [0.1 * (random() - 0.5), 0.1 * (random() - 0.5), 1];
    const length = Math.hypot(...u);
    const region = EDGE + Math.floor(6 * random());
    // corners at the border have a wider cone
    const v = region >= VERTEX ? 3 * mesh.triangles[3 * t + region - VERTEX] : -1;
    if (v >= 0 && Math.max(Math.abs(mesh.vertices[v]), Math.abs(mesh.vertices[v + 1])) === 1) continue;
    if (v < 0 && readEdge(frame, mesh, t, region - EDGE) === BORDER_EDGE) continue;
    snapped.set([u[0] / length, u[1] / length, u[2] / length]);
    snapToCone(snapped, mesh, t, region);
    expect(Array.from(snapped)).toEqual([0, 0, 1]);
  }
});
