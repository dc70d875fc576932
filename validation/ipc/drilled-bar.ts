/** A flat bar with a hole at its upper end, to hang on a pin: along −z, the hole at the origin, its corners on a circle about y. */
import type { MeshAsset } from '@nexdyn/engine';

/** Sizes of a bar, m. */
export interface BarSize {
  /** From the middle of the hole to the lower end. */
  length: number;
  halfWidth: number;
  halfThickness: number;
  holeRadius: number;
  /** Corners of the hole, a multiple of four. */
  corners: number;
}

/** The bar: an outline with a hole, drawn out along y. */
export function createDrilledBar(name: string, size: BarSize): MeshAsset {
  const { length, halfWidth, halfThickness, holeRadius, corners: n } = size;
  // the outline has a corner for each of the hole: a square around it, whose lower side is the lower end of the bar
  const outline: [number, number][] = [];
  const hole: [number, number][] = [];
  for (let i = 0; i < n; i++) {
    const angle = (2 * Math.PI * (i + 0.5)) / n;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const scale = halfWidth / Math.max(Math.abs(c), Math.abs(s));
    hole.push([holeRadius * c, holeRadius * s]);
    const isLow = -s > Math.abs(c);
    outline.push([scale * c, isLow ? -length : scale * s]);
  }
  const vertices: number[] = [];
  for (const y of [-halfThickness, halfThickness]) for (const [x, z] of [...outline, ...hole]) vertices.push(x, y, z);
  const faces: number[] = [];
  const quad = (a: number, b: number, c: number, d: number): void => void faces.push(a, b, c, a, c, d);
  for (let i = 0; i < n; i++) {
    const j = (i + 1) % n;
    const [front, back] = [0, 2 * n];
    // x to the right, z up: y points away from the one who looks
    quad(front + i, front + j, front + n + j, front + n + i);
    quad(back + j, back + i, back + n + i, back + n + j);
    quad(front + j, front + i, back + i, back + j);
    quad(front + n + i, front + n + j, back + n + j, back + n + i);
  }
  return { name, vertices, faces, inertia: 'exact' };
}
