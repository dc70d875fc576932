/**
 * Triangles of a bowl (bowl-field.ts), for pictures and for the mass of shells: the outline of its wall turned about the z axis. The
 * outline goes from the lowest point along the outside to the rim, round it, and back along the inside.
 */
import { atan2, cos, sin } from '../../linear-algebra/elementary.ts';
import type { TracedSurface } from './trace-surface.ts';

/** Parts of the circle about the axis, of the wall from bottom to rim, and of the rim. */
const SLICES = 64;
const WALL = 32;
const RIM = 8;

/** @param R radius, @param h height of the rim, @param t half the thickness of the wall, m */
export function triangulateBowl(R: number, h: number, t: number): TracedSurface {
  const w = Math.sqrt(R * R - h * h);
  const end = atan2(h, w);
  // ρ and z, without the two points of the axis
  const outline: [number, number][] = [];
  const angleAt = (i: number): number => -Math.PI / 2 + (i / WALL) * (end + Math.PI / 2);
  for (let i = 1; i <= WALL; i++) outline.push([(R + t) * cos(angleAt(i)), (R + t) * sin(angleAt(i))]);
  for (let i = 1; i < RIM; i++) {
    const angle = end + (Math.PI * i) / RIM;
    outline.push([w + t * cos(angle), h + t * sin(angle)]);
  }
  for (let i = WALL; i >= 1; i--) outline.push([(R - t) * cos(angleAt(i)), (R - t) * sin(angleAt(i))]);
  const rings = outline.length;
  const vertices: number[] = [0, 0, -R - t];
  for (const [rho, z] of outline) {
    for (let j = 0; j < SLICES; j++) {
      const angle = (2 * Math.PI * j) / SLICES;
      vertices.push(rho * cos(angle), rho * sin(angle), z);
    }
  }
  vertices.push(0, 0, t - R);
  const last = 1 + rings * SLICES;
  const triangles: number[] = [];
  for (let j = 0; j < SLICES; j++) {
    const next = (j + 1) % SLICES;
    triangles.push(0, 1 + next, 1 + j);
    for (let i = 0; i + 1 < rings; i++) {
      const [a, b] = [1 + i * SLICES, 1 + (i + 1) * SLICES];
      triangles.push(a + j, a + next, b + next, a + j, b + next, b + j);
    }
    triangles.push(last - SLICES + j, last - SLICES + next, last);
  }
  return { vertices: Float64Array.from(vertices), triangles: Int32Array.from(triangles) };
}
