/**
 * Faces of contact surfaces, structure of arrays. A face is a polygon of area a with the pressure p₀ at its centroid and the slope
 *
 *   g = 1 / (1/g_1 + 1/g_2),   g_i how fast the pressure of side i rises along the normal into it, Pa/m; 1/g_i = 0 where it is rigid
 *
 * It acts like a spring at the centroid: stiffness k = a g, gap φ₀ = −p₀/g, force a p₀. Where the pressure of a side rises mostly across
 * the normal, g_i would be small and the gap far deeper than the face is: a body that enters fast would be thrown out, since its speed does not
 * reduce such a force. There g_i is at least half of |∇p_i|: p₀/|∇p| is the depth. The force at the start of the step is a p₀ in any case.
 * Source: Masterjohn et al., Velocity level approximation of pressure field contact patches (2022).
 */
import { copyInto } from '../../linear-algebra/growth.ts';
import type { ContactPolygon } from './contact-polygon.ts';

/** g_i of a side whose pressure rises by `along` in the direction of the normal and has a gradient of size `gradient`, Pa/m. */
export function limitSlope(along: number, gradient: number): number {
  return Math.max(along, LEAST_SHARE * gradient);
}

/** Where something is: origin, m, and rotation to the world, row by row. */
export interface Placement {
  readonly position: Float64Array;
  readonly rotation: Float64Array;
}

/** Faces smaller than this are left out, m². */
export const LEAST_AREA = 1e-14;
/** Least part of the gradient that acts along the normal. */
const LEAST_SHARE = 0.5;
/** Slopes below this part of the gradient count as none: the pressure does not rise along the normal. */
export const LEAST_SLOPE = 1e-10;

export class ContactFaces {
  count = 0;
  /** Centroids, world, m. */
  position: Float64Array = new Float64Array(3 * 16);
  /** Unit, world. */
  normal: Float64Array = new Float64Array(3 * 16);
  /** m². */
  area: Float64Array = new Float64Array(16);
  /** At the centroid, Pa. */
  pressure: Float64Array = new Float64Array(16);
  /** Pa/m. */
  slope: Float64Array = new Float64Array(16);
  /** Tetrahedron or triangle of each side; 0 for a half-space. */
  item: Int32Array = new Int32Array(2 * 16);

  /** Whether corners are kept as well, for drawing. */
  keepsCorners = false;
  /** Per face, and one more: its first corner. */
  cornerStart: Int32Array = new Int32Array(17);
  /** World, m, and pressure, Pa, of each corner. */
  corner: Float64Array = new Float64Array(3 * 64);
  cornerPressure: Float64Array = new Float64Array(64);

  clear(): void {
    this.count = 0;
  }

  /**
   * Adds a measured polygon in a frame placed in the world. `sign` turns the normal (−1) or leaves it; the gradient of the pressure
   * on the polygon, in the same frame, gives the pressures of its corners.
   */
  add(
    polygon: ContactPolygon,
    frame: Placement,
    normal: Float64Array,
    sign: number,
    pressure: number,
    slope: number,
    gradient: Float64Array,
    gradientAt: number,
    item1: number,
    item2: number,
  ): void {
    const n = this.count++;
    if (n === this.area.length) this.#grow();
    placePoint(this.position, 3 * n, frame, polygon.centroid, 0);
    turn(this.normal, 3 * n, frame.rotation, normal, sign);
    this.area[n] = polygon.area;
    this.pressure[n] = pressure;
    this.slope[n] = slope;
    this.item[2 * n] = item1;
    this.item[2 * n + 1] = item2;
    if (this.keepsCorners) this.#addCorners(n, polygon, frame, pressure, gradient, gradientAt);
  }

  #addCorners(
    n: number,
    { points, count, centroid }: ContactPolygon,
    frame: Placement,
    pressure: number,
    gradient: Float64Array,
    g: number,
  ): void {
    const first = n === 0 ? 0 : this.cornerStart[n];
    this.cornerStart[n] = first;
    this.cornerStart[n + 1] = first + count;
    if (first + count > this.cornerPressure.length) {
      this.corner = copyInto(this.corner, new Float64Array(6 * (first + count)));
      this.cornerPressure = copyInto(this.cornerPressure, new Float64Array(2 * (first + count)));
    }
    for (let i = 0; i < count; i++) {
      placePoint(this.corner, 3 * (first + i), frame, points, 3 * i);
      let rise = 0;
      for (let k = 0; k < 3; k++) rise += gradient[g + k] * (points[3 * i + k] - centroid[k]);
      this.cornerPressure[first + i] = pressure + rise;
    }
  }

  #grow(): void {
    const n = 2 * this.area.length;
    this.position = copyInto(this.position, new Float64Array(3 * n));
    this.normal = copyInto(this.normal, new Float64Array(3 * n));
    this.area = copyInto(this.area, new Float64Array(n));
    this.pressure = copyInto(this.pressure, new Float64Array(n));
    this.slope = copyInto(this.slope, new Float64Array(n));
    this.item = copyInto(this.item, new Int32Array(2 * n));
    this.cornerStart = copyInto(this.cornerStart, new Int32Array(n + 1));
  }
}

/** Writes p + R x. */
export function placePoint(
  out: Float64Array,
  o: number,
  { position, rotation: r }: Placement,
  x: Float64Array,
  i: number,
): void {
  const [a, b, c] = [x[i], x[i + 1], x[i + 2]];
  out[o] = position[0] + r[0] * a + r[1] * b + r[2] * c;
  out[o + 1] = position[1] + r[3] * a + r[4] * b + r[5] * c;
  out[o + 2] = position[2] + r[6] * a + r[7] * b + r[8] * c;
}

function turn(out: Float64Array, o: number, r: Float64Array, x: Float64Array, sign: number): void {
  const a = sign * x[0];
  const b = sign * x[1];
  const c = sign * x[2];
  out[o] = r[0] * a + r[1] * b + r[2] * c;
  out[o + 1] = r[3] * a + r[4] * b + r[5] * c;
  out[o + 2] = r[6] * a + r[7] * b + r[8] * c;
}

/** The placement of B in the frame of A: rotation R_Aᵀ R_B, position R_Aᵀ (p_B − p_A). */
export function relatePlacements(out: Placement, a: Placement, b: Placement): void {
  const { rotation: r, position: p } = a;
  const { rotation: q } = b;
  const dx = b.position[0] - p[0];
  const dy = b.position[1] - p[1];
  const dz = b.position[2] - p[2];
  for (let i = 0; i < 3; i++) {
    out.position[i] = r[i] * dx + r[3 + i] * dy + r[6 + i] * dz;
    for (let j = 0; j < 3; j++) out.rotation[3 * i + j] = r[i] * q[j] + r[3 + i] * q[3 + j] + r[6 + i] * q[6 + j];
  }
}

/** Scratch. */
export function createPlacement(): Placement {
  return { position: new Float64Array(3), rotation: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1) };
}
