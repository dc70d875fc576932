import { describe, expect, test } from 'vitest';
import { takeSamples } from '../../../../../scripts/long-run.ts';
import { createRandom } from '../../testing/forest.ts';
import { randomQuaternion, rotate, toMatrix } from '../../testing/pair-poses.ts';
import { computeConvexHull } from '../convex-hull.ts';
import { buildPolyhedron } from './build-polyhedron.ts';
import type { ConvexPolyhedron } from './polyhedron.ts';

const CUBE = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) => [0, 1, 2].map((k) => (i & (1 << k) ? 1 : -1)));

function countFaces(hull: ConvexPolyhedron): number {
  return hull.faceStart.length - 1;
}

// what every polyhedron must be
function check(hull: ConvexPolyhedron, points: ArrayLike<number>, tolerance: number): void {
  const { vertices, faceStart, faceVertex, faceNormal, neighborStart, neighbor, center } = hull;
  const vertexCount = vertices.length / 3;
  const edges = new Set<string>();
  for (let f = 0; f < countFaces(hull); f++) {
    const n = faceNormal.slice(3 * f, 3 * f + 3);
    expect(Math.abs(Math.hypot(...n) - 1)).toBeLessThan(1e-14);
    const height = (p: ArrayLike<number>, i: number) => n[0] * p[3 * i] + n[1] * p[3 * i + 1] + n[2] * p[3 * i + 2];
    const first = height(vertices, faceVertex[faceStart[f]]);
    expect(n[0] * center[0] + n[1] * center[1] + n[2] * center[2]).toBeLessThan(first);
    for (let i = 0; i < points.length / 3; i++) expect(height(points, i) - first).toBeLessThan(tolerance);
    const corners = Array.from(faceVertex.slice(faceStart[f], faceStart[f + 1]));
    expect(new Set(corners).size).toBe(corners.length);
    corners.forEach((corner, k) => {
      expect(Math.abs(height(vertices, corner) - first)).toBeLessThan(tolerance);
      // counter-clockwise: the cross product of following edges looks outwards
      const [a, b, c] = [0, 1, 2].map((j) => 3 * corners[(k + j) % corners.length]);
      const u = [0, 1, 2].map((j) => vertices[b + j] - vertices[a + j]);
      const v = [0, 1, 2].map((j) => vertices[c + j] - vertices[b + j]);
      const turn =
        n[0] * (u[1] * v[2] - u[2] * v[1]) + n[1] * (u[2] * v[0] - u[0] * v[2]) + n[2] * (u[0] * v[1] - u[1] * v[0]);
      expect(turn).toBeGreaterThan(-tolerance);
      const key = `${corner} ${corners[(k + 1) % corners.length]}`;
      expect(edges.has(key)).toBe(false);
      edges.add(key);
    });
  }
  // each edge once in each direction, V − E + F = 2, and the graph is those edges
  for (const key of edges) expect(edges.has(key.split(' ').reverse().join(' '))).toBe(true);
  expect(vertexCount - edges.size / 2 + countFaces(hull)).toBe(2);
  expect(neighbor.length).toBe(edges.size);
  for (let i = 0; i < vertexCount; i++) {
    for (let k = neighborStart[i]; k < neighborStart[i + 1]; k++) expect(edges.has(`${i} ${neighbor[k]}`)).toBe(true);
  }
}

describe('polyhedra', () => {
  test('a cube has six square faces and three edges at each vertex', () => {
    const hull = buildPolyhedron(CUBE, undefined, 'cube');
    check(hull, CUBE, 1e-14);
    expect(countFaces(hull)).toBe(6);
    expect(Array.from(hull.faceStart)).toEqual([0, 4, 8, 12, 16, 20, 24]);
    expect(Array.from(hull.neighborStart)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24]);
    expect(Array.from(hull.center)).toEqual([0, 0, 0]);
  });

  test('a turned cube in single precision still has six faces, of any size and far away', () => {
    const random = createRandom(5);
    for (let trial = 0; trial < takeSamples(50, 0.3); trial++) {
      const matrix = toMatrix(randomQuaternion(random));
      const size = [1e-4, 1, 1e4][trial % 3];
      const points = [];
      for (let i = 0; i < 24; i += 3)
        points.push(...rotate(matrix, CUBE.slice(i, i + 3)).map((x) => Math.fround(x * size)));
      const hull = buildPolyhedron(points, undefined, 'cube');
      expect(countFaces(hull)).toBe(6);
      check(hull, points, 2e-6 * size);
    }
  });

  test('a prism of 24 sides has two caps of 24 corners', () => {
    const points: number[] = [];
    for (let i = 0; i < 48; i++) {
      const angle = ((i % 24) * Math.PI) / 12;
      points.push(Math.fround(Math.cos(angle)), Math.fround(Math.sin(angle)), i < 24 ? -0.5 : 0.5);
    }
    const hull = buildPolyhedron(points, undefined, 'prism');
    check(hull, points, 1e-6);
    expect(countFaces(hull)).toBe(26);
    expect(Math.max(...Array.from({ length: 26 }, (_, f) => hull.faceStart[f + 1] - hull.faceStart[f]))).toBe(24);
  });

  test.each([4, 5, 20, 100, 1000])('the hull of %i random points keeps its triangles', (count) => {
    const random = createRandom(count);
    const points = Array.from({ length: count }, () => rotate(toMatrix(randomQuaternion(random)), [0, 0, 1])).flat();
    const hull = buildPolyhedron(points, undefined, 'ball');
    expect(hull.vertices.length / 3).toBe(count);
    // a few pairs of a thousand are flat to one part in a million
    expect(countFaces(hull)).toBeGreaterThanOrEqual(count > 100 ? 2 * count - 12 : 2 * count - 4);
    if (count <= 100) check(hull, points, 1e-12);
  });

  test('points on and inside the surface are dropped; a thin plate keeps its sides', () => {
    const plate = CUBE.map((x, i) => (i % 3 === 2 ? 1e-5 * x : x));
    const hull = buildPolyhedron([...plate, 0, 0, 0, 0.5, 0.5, 1e-5, 1, 0.2, 1e-5], undefined, 'plate');
    check(hull, plate, 1e-6);
    expect(hull.vertices.length / 3).toBe(8);
    expect(countFaces(hull)).toBe(6);
  });

  test('given triangles are kept as they are when they form a hull', () => {
    const faces = computeConvexHull(CUBE);
    expect(buildPolyhedron(CUBE, faces, 'cube')).toEqual(buildPolyhedron(CUBE, undefined, 'cube'));
  });

  test('what is not a convex body is refused by name', () => {
    const faces = Array.from(computeConvexHull(CUBE));
    const build = (vertices: number[], triangles?: number[]) => () =>
      buildPolyhedron(vertices, triangles, 'mesh "wheel"');
    expect(build([...CUBE.slice(0, 23), Number.NaN])).toThrow(/vertex 7 of mesh "wheel" is not a finite point/);
    expect(build([])).toThrow(/mesh "wheel" has no convex hull/);
    expect(build(CUBE, [])).toThrow(/mesh "wheel" has no faces/);
    expect(build(CUBE.slice(0, 12))).toThrow(/one plane/);
    expect(build(CUBE, faces.slice(3))).toThrow(/mesh "wheel" is not a closed surface: the edge \d-\d is open/);
    expect(build(CUBE, [...faces, ...faces.slice(0, 3)])).toThrow(/occurs twice/);
    expect(build(CUBE, [...faces.slice(0, 35), 8])).toThrow(/face 11 of mesh "wheel" has no vertex 8/);
    expect(build(CUBE, [...faces].reverse())).toThrow(/the hull of mesh "wheel" is inside out/);
    expect(
      build(
        CUBE.map((x, i) => (i % 3 === 2 ? 0 : x)),
        faces,
      ),
    ).toThrow(/mesh "wheel"/);
    // one corner pushed in
    const dented = CUBE.map((x, i) => (i < 3 ? 0.5 * -x : x));
    expect(build(dented, faces)).toThrow(/mesh "wheel" is not convex/);
    expect(build(CUBE, [0, 0, 1, ...faces.slice(3)])).toThrow(/has no area/);
  });
});
