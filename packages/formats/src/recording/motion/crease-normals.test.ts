import { describe, expect, test } from 'vitest';
import { addCreaseNormals } from './crease-normals.ts';
import { triangulate } from './surface.ts';

describe('normals of meshes', () => {
  test('a cube of eight vertices: each corner has three, one for each face', () => {
    const vertices = Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, i >> 2]).flat();
    const faces = [
      0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
    ];
    const { positions, normals, indices } = addCreaseNormals(vertices, faces);
    expect(positions.length / 3).toBe(24);
    for (let corner = 0; corner < indices.length; corner++) {
      const at = 3 * indices[corner]!;
      // along an axis, outwards: on the side of the cube where the vertex is
      const axis = normals.subarray(at, at + 3).findIndex((part) => part !== 0);
      expect(normals[at + axis]).toBe(positions[at + axis] === 1 ? 1 : -1);
      expect([...positions.subarray(at, at + 3)]).toEqual(vertices.slice(3 * faces[corner]!, 3 * faces[corner]! + 3));
    }
  });

  test('a ball of triangles that repeat their vertices is smooth again', () => {
    const ball = triangulate({ kind: 'ellipsoid', radii: [2, 2, 2] });
    const soup = Array.from(ball.indices).flatMap((vertex) => [...ball.positions.subarray(3 * vertex, 3 * vertex + 3)]);
    const { positions, normals } = addCreaseNormals(
      soup,
      Array.from({ length: soup.length / 3 }, (_, i) => i),
    );
    // 32 around, 15 rings between the poles, two poles
    expect(positions.length / 3).toBe(32 * 15 + 2);
    for (let at = 0; at < positions.length; at += 3) {
      const cosine = [0, 1, 2].reduce((sum, k) => sum + (positions[at + k]! / 2) * normals[at + k]!, 0);
      // a vertex sees faces up to a ring away, 11°: their mean is off by a part of it
      expect(cosine).toBeGreaterThan(Math.cos((6 * Math.PI) / 180));
    }
  });

  test('a face without area does no harm', () => {
    const { normals } = addCreaseNormals([0, 0, 0, 1, 0, 0, 2, 0, 0], [0, 1, 2]);
    expect([...normals].every(Number.isFinite)).toBe(true);
  });
});
