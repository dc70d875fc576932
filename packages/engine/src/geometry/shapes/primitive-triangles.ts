/**
 * Triangles of primitives, in their frame, m:
 *   box         exact
 *   cylinder    prism of 48 sides that touch it: what does not meet the prism does not meet the cylinder. Edges stand out by 0.0022 r
 *   ellipsoid   octahedron split into 512 triangles, inside by at most 0.017 of the largest half axis
 *   others      the farthest points along its 258 vertices
 */
import { cos, sin } from '../../linear-algebra/elementary.ts';
import type { SupportFunction } from '../convex/core-kind.ts';
import type { TriangulatedSurface } from './built-in-shape.ts';

const SIDES = 48;

export function meshBox(a: number, b: number, c: number): TriangulatedSurface {
  const vertices = new Float64Array(24);
  for (let i = 0; i < 8; i++) {
    vertices[3 * i] = i & 1 ? a : -a;
    vertices[3 * i + 1] = i & 2 ? b : -b;
    vertices[3 * i + 2] = i & 4 ? c : -c;
  }
  const faces = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
  return { vertices, triangles: splitQuads(faces) };
}

function splitQuads(faces: readonly number[]): Int32Array {
  const triangles: number[] = [];
  for (let f = 0; f < faces.length; f += 4) {
    const [p, q, r, t] = faces.slice(f, f + 4);
    triangles.push(p, q, r, p, r, t);
  }
  return Int32Array.from(triangles);
}

export function meshPrism(inner: number, half: number): TriangulatedSurface {
  const radius = inner / cos(Math.PI / SIDES);
  const vertices = new Float64Array(6 * SIDES);
  const triangles: number[] = [];
  for (let i = 0; i < SIDES; i++) {
    const angle = (2 * Math.PI * i) / SIDES;
    vertices.set([radius * cos(angle), radius * sin(angle), -half], 6 * i);
    vertices.set([radius * cos(angle), radius * sin(angle), half], 6 * i + 3);
    const low = 2 * i;
    const next = 2 * ((i + 1) % SIDES);
    triangles.push(low, next, next + 1, low, next + 1, low + 1);
    if (i > 0 && i + 1 < SIDES) triangles.push(0, next, low, 1, low + 1, next + 1);
  }
  return { vertices, triangles: Int32Array.from(triangles) };
}

export function meshEllipsoid(a: number, b: number, c: number): TriangulatedSurface {
  const { points, faces } = divideSphere();
  const vertices = Float64Array.from(points.flatMap(([x, y, z]) => [a * x, b * y, c * z]));
  return { vertices, triangles: Int32Array.from(faces) };
}

/** The farthest points along the same directions, of a solid without edges. */
export function meshSupport(support: SupportFunction, size: Float64Array): TriangulatedSurface {
  const { points, faces } = divideSphere();
  const point = new Float64Array(3);
  const vertices = Float64Array.from(
    points.flatMap((direction) => {
      support(point, size, Float64Array.from(direction));
      return [...point];
    }),
  );
  return { vertices, triangles: Int32Array.from(faces) };
}

// an octahedron whose triangles are split in four three times, pushed out to the unit sphere
function divideSphere(): { points: [number, number, number][]; faces: number[] } {
  const points: [number, number, number][] = [
    [1, 0, 0],
    [-1, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
    [0, 0, 1],
    [0, 0, -1],
  ];
  let faces = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5];
  for (let level = 0; level < 3; level++) {
    const middle = new Map<number, number>();
    const halve = (i: number, j: number): number => {
      const key = Math.min(i, j) * 4096 + Math.max(i, j);
      let m = middle.get(key);
      if (m === undefined) {
        const sum = [0, 1, 2].map((k) => points[i][k] + points[j][k]);
        const length = Math.hypot(sum[0], sum[1], sum[2]);
        m = points.push([sum[0] / length, sum[1] / length, sum[2] / length]) - 1;
        middle.set(key, m);
      }
      return m;
    };
    const split: number[] = [];
    for (let f = 0; f < faces.length; f += 3) {
      const [p, q, r] = faces.slice(f, f + 3);
      const [pq, qr, rp] = [halve(p, q), halve(q, r), halve(r, p)];
      split.push(p, pq, rp, q, qr, pq, r, rp, qr, pq, qr, rp);
    }
    faces = split;
  }
  return { points, faces };
}
