/**
 * Exact signed distance of an ellipsoid Σ (xᵢ / eᵢ)² = 1 from a point y.
 *
 * The nearest surface point is xᵢ = rᵢ yᵢ / (s + rᵢ) with rᵢ = (eᵢ / e₂)², e₂ the smallest semi-axis, and s the root of
 *
 *   F(s) = Σ (rᵢ zᵢ / (s + rᵢ))² = 1,   zᵢ = |yᵢ| / eᵢ,   s > −1
 *
 * The distance is s · |yᵢ / (s + rᵢ)|, negative inside. F falls and 1 / √F is concave, so Newton's method on 1 / √F = 1 climbs
 * to the root from every point left of it, without a safeguard. It runs on t = s + 1, so that the pole at s = −1 costs no
 * digits. Where y lies in the plane of symmetry across the smallest axis and F(−1) < 1, the root is s = −1 and two nearest
 * points mirror each other: the upper one is taken.
 *
 * Sources: Eberly, Distance from a point to an ellipse, an ellipsoid or a hyperellipsoid (the equation, the case s = −1);
 * Conn, Gould, Toint, Trust-region methods (2000), section 7.3 (Newton on the reciprocal norm).
 */
import type { SignedDistanceField } from './field.ts';

/** Semi-axes, m. One below 10⁻⁸ of the largest counts as that. */
export function createEllipsoidField(ex: number, ey: number, ez: number): SignedDistanceField {
  return new EllipsoidField(ex, ey, ez);
}

const THINNEST = 1e-8;
// counts as no size at all, m
const SMALLEST = 1e-100;
const MAX_ITERATIONS = 60;

class EllipsoidField implements SignedDistanceField {
  readonly bounds: Float64Array;
  readonly errorBound: number = 0;
  readonly lipschitz: number = 1;
  /** Semi-axes, from the largest to the smallest. */
  readonly #e: Float64Array;
  /** Coordinate of each. */
  readonly #axis: Int32Array;
  /** (eᵢ / e₂)², and less one. */
  readonly #r: Float64Array;
  readonly #rLessOne: Float64Array;

  constructor(ex: number, ey: number, ez: number) {
    this.bounds = Float64Array.of(-ex, -ey, -ez, ex, ey, ez);
    const size = [ex, ey, ez];
    this.#axis = Int32Array.of(0, 1, 2).sort((i, j) => size[j] - size[i] || i - j);
    const largest = size[this.#axis[0]];
    this.#e = Float64Array.from(this.#axis, (k) => Math.max(size[k], THINNEST * largest, SMALLEST));
    const e2 = this.#e[2];
    this.#r = this.#e.map((e) => (e / e2) * (e / e2));
    this.#rLessOne = this.#e.map((e) => ((e - e2) / e2) * ((e + e2) / e2));
  }

  distance(x: number, y: number, z: number): number {
    return this.#solve(x, y, z);
  }

  gradient(out: Float64Array, x: number, y: number, z: number): number {
    const d = this.#solve(x, y, z);
    // the outward normal at the nearest point: xᵢ / eᵢ²
    const e = this.#e;
    const axis = this.#axis;
    const n0 = (nearest[0] / e[0]) * (e[2] / e[0]);
    const n1 = (nearest[1] / e[1]) * (e[2] / e[1]);
    const n2 = nearest[2] / e[2];
    const length = Math.sqrt(n0 * n0 + n1 * n1 + n2 * n2);
    const scale = 1 / length;
    out[axis[0]] = (axis[0] === 0 ? x : axis[0] === 1 ? y : z) < 0 ? -n0 * scale : n0 * scale;
    out[axis[1]] = (axis[1] === 0 ? x : axis[1] === 1 ? y : z) < 0 ? -n1 * scale : n1 * scale;
    out[axis[2]] = (axis[2] === 0 ? x : axis[2] === 1 ? y : z) < 0 ? -n2 * scale : n2 * scale;
    return d;
  }

  // the distance; the nearest point of the first octant goes to `nearest`, in the order of the sorted axes
  #solve(x: number, y: number, z: number): number {
    const e = this.#e;
    const r = this.#r;
    const axis = this.#axis;
    const ax = x < 0 ? -x : x;
    const ay = y < 0 ? -y : y;
    const az = z < 0 ? -z : z;
    const y0 = axis[0] === 0 ? ax : axis[0] === 1 ? ay : az;
    const y1 = axis[1] === 0 ? ax : axis[1] === 1 ? ay : az;
    let y2 = axis[2] === 0 ? ax : axis[2] === 1 ? ay : az;
    // heights far below rounding lie in the plane of symmetry
    if (y2 < 1e-100 * e[0]) y2 = 0;
    const a0 = (r[0] * y0) / e[0];
    const a1 = (r[1] * y1) / e[1];
    const a2 = y2 / e[2];
    const d0 = this.#rLessOne[0];
    const d1 = this.#rLessOne[1];
    // left of the root: the largest t at which one term alone reaches 1
    let t = a2;
    if (a1 - d1 > t) t = a1 - d1;
    if (a0 - d0 > t) t = a0 - d0;

    // climb until rounding stops it
    for (let i = 0; i < MAX_ITERATIONS; i++) {
      const b0 = d0 + t;
      const b1 = d1 + t;
      const p0 = a0 > 0 ? a0 / b0 : 0;
      const p1 = a1 > 0 ? a1 / b1 : 0;
      const p2 = a2 > 0 ? a2 / t : 0;
      const f = p0 * p0 + p1 * p1 + p2 * p2;
      if (f <= 1) break;
      let slope = 0;
      if (a0 > 0) slope += (p0 * p0) / b0;
      if (a1 > 0) slope += (p1 * p1) / b1;
      if (a2 > 0) slope += (p2 * p2) / t;
      const next = t + (f / slope) * (Math.sqrt(f) - 1);
      if (!(next > t)) break;
      t = next;
    }

    const w0 = a0 > 0 ? y0 / (d0 + t) : 0;
    const w1 = a1 > 0 ? y1 / (d1 + t) : 0;
    nearest[0] = r[0] * w0;
    nearest[1] = r[1] * w1;
    if (y2 > 0) {
      const w2 = y2 / t;
      nearest[2] = w2;
      return (t - 1) * Math.sqrt(w0 * w0 + w1 * w1 + w2 * w2);
    }
    // in the plane of symmetry: the height of the nearest point follows from the surface
    const u0 = nearest[0] / e[0];
    const u1 = nearest[1] / e[1];
    const rest = 1 - u0 * u0 - u1 * u1;
    if (t > 0 || !(rest > 0)) {
      nearest[2] = 0;
      return (t - 1) * Math.sqrt(w0 * w0 + w1 * w1);
    }
    nearest[2] = e[2] * Math.sqrt(rest);
    return -Math.sqrt(w0 * w0 + w1 * w1 + nearest[2] * nearest[2]);
  }
}

const nearest = /* @__PURE__ */ new Float64Array(3);
