/** Surfaces for tests of triangle meshes: terrain over a grid, boxes with divided faces, and turned copies of both. */
import type { Mesh } from './closed-meshes.ts';

/** Terrain z = height(x, y) over [−half, half]², n by n cells, two triangles each; open at its border. */
export function gridMesh(half: number, n: number, height: (x: number, y: number) => number = () => 0): Mesh {
  const vertices: number[] = [];
  const faces: number[] = [];
  for (let j = 0; j <= n; j++) {
    for (let i = 0; i <= n; i++) {
      const x = -half + (2 * half * i) / n;
      const y = -half + (2 * half * j) / n;
      vertices.push(x, y, height(x, y));
    }
  }
  const at = (i: number, j: number) => j * (n + 1) + i;
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      faces.push(at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1));
    }
  }
  return { vertices, faces };
}

/** A closed box, each face divided n by n; corners are repeated per face. */
export function boxMesh(hx: number, hy: number, hz: number, n = 1): Mesh {
  const vertices: number[] = [];
  const faces: number[] = [];
  const half = [hx, hy, hz];
  for (let axis = 0; axis < 3; axis++) {
    for (const sign of [-1, 1]) {
      const j = sign > 0 ? (axis + 1) % 3 : (axis + 2) % 3;
      const k = sign > 0 ? (axis + 2) % 3 : (axis + 1) % 3;
      const base = vertices.length / 3;
      for (let b = 0; b <= n; b++) {
        for (let a = 0; a <= n; a++) {
          const point = [0, 0, 0];
          point[axis] = sign * half[axis];
          point[j] = half[j] * ((2 * a) / n - 1);
          point[k] = half[k] * ((2 * b) / n - 1);
          vertices.push(...point);
        }
      }
      const at = (a: number, b: number) => base + b * (n + 1) + a;
      for (let b = 0; b < n; b++) {
        for (let a = 0; a < n; a++) {
          faces.push(at(a, b), at(a + 1, b), at(a + 1, b + 1), at(a, b), at(a + 1, b + 1), at(a, b + 1));
        }
      }
    }
  }
  return { vertices, faces };
}
