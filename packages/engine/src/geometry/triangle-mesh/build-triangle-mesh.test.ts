import { describe, expect, test } from 'vitest';
import { NexdynError } from '../../error.ts';
import { L_HUB, L_OUTLINE, prismMesh, torusMesh } from '../../testing/closed-meshes.ts';
import { createRandom } from '../../testing/forest.ts';
import { boxMesh, gridMesh } from '../../testing/surfaces.ts';
import { triangleMass } from '../mesh-mass.ts';
import { buildTriangleMesh } from './build-triangle-mesh.ts';
import {
  describeDegenerateTriangles,
  findDegenerateTriangles,
  removeDegenerateTriangles,
} from './degenerate-triangles.ts';
import type { TriangleMesh } from './triangle-mesh.ts';

const TRIANGLE = [0, 0, 0, 1, 0, 0, 0, 1, 0];

describe('normals and neighbours', () => {
  const samples: [string, { vertices: number[]; faces: number[] }, boolean][] = [
    ['box', boxMesh(1, 2, 3, 3), true],
    ['torus', torusMesh(1, 0.3, 20, 12), true],
    ['L', prismMesh(L_OUTLINE, 0.7, L_HUB), true],
    ['terrain', gridMesh(1, 6, (x, y) => x * y), false],
  ];
  for (const [name, { vertices, faces }, isClosed] of samples) {
    test(`${name}: across each edge stands the triangle that has it the other way round`, () => {
      const mesh = buildTriangleMesh(vertices, faces, name);
      expect(mesh.isClosed).toBe(isClosed);
      expect(mesh.tree.count).toBe(faces.length / 3);
      const point = (t: number, k: number) =>
        Array.from(
          mesh.vertices.slice(3 * mesh.triangles[3 * t + (k % 3)], 3 * mesh.triangles[3 * t + (k % 3)] + 3),
        ).join();
      const edges = new Map<string, number>();
      for (let t = 0; t < faces.length / 3; t++) {
        for (let k = 0; k < 3; k++) edges.set(`${point(t, k)}>${point(t, k + 1)}`, t);
      }
      for (let t = 0; t < faces.length / 3; t++) {
        for (let k = 0; k < 3; k++) {
          expect(mesh.neighbors[3 * t + k]).toBe(edges.get(`${point(t, k + 1)}>${point(t, k)}`) ?? -1);
        }
      }
    });

    test(`${name}: normals have length one and are across all edges`, () => {
      const mesh = buildTriangleMesh(vertices, faces, name);
      for (let t = 0; t < faces.length / 3; t++) {
        const n = mesh.normals.slice(3 * t, 3 * t + 3);
        expect(Math.hypot(...n)).toBeCloseTo(1, 14);
        const [a, b, c] = corners(mesh, t);
        for (const edge of [subtract(b, a), subtract(c, b)]) {
          expect(Math.abs(dot(n, edge))).toBeLessThan(1e-14 * Math.hypot(...edge) * 10);
        }
        // counter-clockwise seen from the side of the normal
        expect(dot(n, cross(subtract(b, a), subtract(c, a)))).toBeGreaterThan(0);
      }
    });
  }

  test('the volume of closed samples is positive: normals point outwards', () => {
    for (const [, { vertices, faces }, isClosed] of samples) {
      if (!isClosed) continue;
      const mesh = buildTriangleMesh(vertices, faces, 'sample');
      let volume = 0;
      for (let t = 0; t < faces.length / 3; t++) {
        const [a, b, c] = corners(mesh, t);
        volume += dot(a, cross(b, c)) / 6;
      }
      expect(volume).toBeGreaterThan(0);
    }
  });

  test('three triangles on one edge are no neighbours', () => {
    const mesh = buildTriangleMesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0], [0, 1, 2, 1, 0, 3, 1, 0, 4], 'fan');
    expect(Array.from(mesh.neighbors)).toEqual(new Array(9).fill(-1));
  });
});

describe('bad meshes are refused by name', () => {
  const cases: [string, number[], number[], RegExp][] = [
    ['empty', [], [], /the rock is empty/],
    ['no faces', TRIANGLE, [], /the rock is empty/],
    ['NaN', [0, 0, 0, 1, Number.NaN, 0, 0, 1, 0], [0, 1, 2], /the rock: vertex 1 has the coordinate NaN/],
    ['infinite', [0, 0, 0, 1, 0, 0, 0, 1, Infinity], [0, 1, 2], /the rock: vertex 2/],
    ['out of range', TRIANGLE, [0, 1, 2, 0, 1, 3], /the rock: triangle 1 names vertex 3, but the vertices are 0 to 2/],
    ['negative', TRIANGLE, [0, 1, -1], /the rock: triangle 0 names vertex -1/],
    ['not whole', TRIANGLE, [0, 1, 1.5], /the rock: triangle 0 names vertex 1.5/],
    ['not triangles', TRIANGLE, [0, 1, 2, 0], /multiples of 3/],
    ['same corner twice', TRIANGLE, [0, 1, 1], /the rock: triangle 0 \(vertices 0, 1, 1\) has no area/],
    ['on a line', [0, 0, 0, 1, 1, 1, 2, 2, 2], [0, 1, 2], /the rock: triangle 0 .* has no area/],
    ['same place twice', [0, 0, 0, 1, 0, 0, 1, 0, 0], [0, 1, 2], /has no area/],
  ];
  for (const [name, vertices, faces, message] of cases) {
    test(name, () => {
      const build = () => buildTriangleMesh(vertices, faces, 'the rock', { path: 'meshes[3]' });
      expect(build).toThrow(NexdynError);
      expect(build).toThrow(message);
      try {
        build();
      } catch (error) {
        expect((error as NexdynError).code).toBe('invalid-mesh');
        expect((error as NexdynError).path).toBe('meshes[3]');
        expect((error as NexdynError).hint).toBeTruthy();
      }
    });
  }

  test('thin but honest triangles pass, whatever the size of the mesh', () => {
    const random = createRandom(3);
    for (const scale of [1e-6, 1, 1e6]) {
      const height = 1e-8 * scale;
      const x = random() * scale;
      const mesh = buildTriangleMesh([x, 0, 0, x + scale, 0, 0, x, height, 0], [0, 1, 2], 'needle');
      expect(mesh.normals[2]).toBeCloseTo(1, 12);
    }
  });
});

function corners(mesh: TriangleMesh, t: number): number[][] {
  return [0, 1, 2].map((k) => {
    const v = 3 * mesh.triangles[3 * t + k];
    return Array.from(mesh.vertices.slice(v, v + 3));
  });
}

function subtract(a: number[], b: number[]): number[] {
  return a.map((x, i) => x - b[i]);
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: number[], b: number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

describe('degenerate triangles', () => {
  // a tetrahedron with the point 4 on the edge 0-1
  const points = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.25, 0, 0];
  const solid = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2];
  const volume = (faces: ArrayLike<number>) => triangleMass(points, faces, 'exact').mass;

  test('are found with their numbers: corners that repeat, on a line, within rounding of a line', () => {
    const vertices = [
      ...points,
      0.5,
      1e-12,
      0,
      0.5,
      1e-9,
      0,
      1e6,
      1e6,
      0,
      1e6 + 1e-3,
      1e6,
      0,
      1e6 + 5e-4,
      1e6 + 2e-10,
      0,
    ];
    const faces = [0, 1, 1, 0, 2, 1, 0, 1, 4, 0, 1, 5, 0, 1, 6, 7, 8, 9];
    // the height 1e-9 of triangle 4 is known to six digits; far from the origin, that of triangle 5 is not known at all
    expect(findDegenerateTriangles(vertices, faces)).toEqual([0, 2, 3, 5]);
  });

  test('a needle is left out, and the triangles beside it meet', () => {
    const vertices = [...points.slice(0, 12), 1e-13, 0, 0];
    // vertex 4 is vertex 0 up to rounding: one face uses it, and a needle fills the slit
    const faces = [0, 2, 1, 4, 1, 3, 1, 2, 3, 0, 3, 2, 0, 1, 4, 0, 4, 3];
    expect(findDegenerateTriangles(vertices, faces)).toEqual([4, 5]);
    const rest = removeDegenerateTriangles(vertices, faces);
    expect(rest).toEqual(solid);
    expect(buildTriangleMesh(vertices, rest, 'tetrahedron').isClosed).toBe(true);
  });

  test.each([
    ['the faces beside it', [0, 2, 1, 4, 1, 3, 0, 4, 3, 1, 2, 3, 0, 3, 2, 0, 1, 4]],
    ['another order', [1, 4, 0, 0, 3, 2, 1, 2, 3, 0, 2, 1, 3, 4, 1, 3, 0, 4]],
  ])('a cap that fills a T-junction splits the face beside it: %s', (_, faces) => {
    const number = findDegenerateTriangles(points, faces);
    expect(number).toHaveLength(1);
    const rest = removeDegenerateTriangles(points, faces);
    expect(rest).toHaveLength(18);
    expect(findDegenerateTriangles(points, rest)).toEqual([]);
    expect(buildTriangleMesh(points, rest, 'tetrahedron').isClosed).toBe(true);
    expect(volume(rest)).toBeCloseTo(1 / 6, 15);
  });

  test('a cap at a border is left out', () => {
    expect(removeDegenerateTriangles(points, [0, 2, 1, 0, 4, 1])).toEqual([0, 2, 1]);
    expect(removeDegenerateTriangles(points, [0, 4, 1])).toEqual([]);
  });

  test('messages list the numbers, up to a dozen', () => {
    expect(describeDegenerateTriangles([7])).toBe('triangle 7 has no area');
    expect(describeDegenerateTriangles([3, 5, 7])).toBe('triangles 3, 5 and 7 have no area');
    const many = Array.from({ length: 20 }, (_, i) => i);
    expect(describeDegenerateTriangles(many)).toMatch(/^triangles 0, 1, .*, 11 and 8 more have no area$/);
  });
});
