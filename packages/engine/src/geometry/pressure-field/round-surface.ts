/**
 * Triangles of a half sphere in rings: ring k of n at the polar angle k π / (2 n) has 4 k points, so that triangles are nearly equal and
 * the last ring is the equator. Each quarter between ring k and k + 1 has 2 k + 1 triangles; 4 n² in all.
 */
import { cos, sin } from '../../linear-algebra/elementary.ts';

export interface HalfSphere {
  /** On the unit sphere, z ≥ 0; ring k begins at point 1 + 2 k (k − 1). */
  readonly points: Float64Array;
  /** Counter-clockwise from outside. */
  readonly triangles: Int32Array;
  /** Points of the equator in order, counter-clockwise from above. */
  readonly equator: Int32Array;
}

export function createHalfSphere(n: number): HalfSphere {
  const start = (k: number): number => (k === 0 ? 0 : 1 + 2 * k * (k - 1));
  const points: number[] = [0, 0, 1];
  for (let k = 1; k <= n; k++) {
    const polar = (k * Math.PI) / (2 * n);
    const height = k === n ? 0 : cos(polar);
    for (let j = 0; j < 4 * k; j++) {
      const angle = (j * Math.PI) / (2 * k);
      points.push(sin(polar) * cos(angle), sin(polar) * sin(angle), height);
    }
  }
  const triangles: number[] = [];
  for (let k = 0; k < n; k++) {
    // point j of a quarter; the last of one quarter is the first of the next
    const inner = (q: number, j: number): number => (k === 0 ? 0 : start(k) + ((q * k + j) % (4 * k)));
    const outer = (q: number, j: number): number => start(k + 1) + ((q * (k + 1) + j) % (4 * (k + 1)));
    for (let q = 0; q < 4; q++) {
      for (let j = 0; j <= k; j++) {
        triangles.push(inner(q, j), outer(q, j), outer(q, j + 1));
        if (j < k) triangles.push(inner(q, j), outer(q, j + 1), inner(q, j + 1));
      }
    }
  }
  return {
    points: Float64Array.from(points),
    triangles: Int32Array.from(triangles),
    equator: Int32Array.from({ length: 4 * n }, (_, j) => start(n) + j),
  };
}

/** Rings of a sphere of radius r whose edges are about as long as the resolution, m. */
export function countRings(r: number, resolution: number): number {
  return Math.max(1, Math.ceil((Math.PI * r) / (2 * resolution) - 1e-9));
}
