/**
 * A segment p + t d, |t| ≤ h, against a box with half edges s, in the frame of the box.
 *
 * Axes: along a unit direction l they are apart by σ(l) = |l·p| − h |l·d| − Σ s_k |l_k|. The largest σ is found on a face
 * normal or on d × e_k. Where it is not positive the segment intersects the box and −σ is the penetration depth.
 *
 * Distance: of a segment outside, the closest point is an end of the segment or lies opposite to an edge of the box.
 */

/** sin² of the angle between segment and edge below which their cross product is rounding noise. */
const PARALLEL = 1e-16;
/** A cross product must beat what came before by this share: a face carries two points. */
const EDGE_BIAS = 1e-6;
/** Share of the square of the distance by which an edge must be nearer than what came before. */
const TIE = 1e-12;

export class SegmentBox {
  /** Middle of the segment, m, and its direction, in the frame of the box. */
  readonly p: Float64Array = new Float64Array(3);
  readonly d: Float64Array = new Float64Array(3);
  /** Half length, m. */
  half = 0;
  /** Largest σ, m. */
  separation = 0;
  /** Where it is: face normal 0 to 2, or 3 + k for d × e_k. */
  axis = 0;
  /** Its direction from the box to the segment. */
  readonly normal: Float64Array = new Float64Array(3);
  /** Of the closest point on the segment: its t, m. */
  nearest = 0;
  /** The t of a second point, m. */
  second = 0;

  /** Finds the best axis. */
  findAxis(size: Float64Array): void {
    const { p, d, half } = this;
    let face = 0;
    let faceSeparation = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < 3; k++) {
      const separation = Math.abs(p[k]) - half * Math.abs(d[k]) - size[k];
      if (separation > faceSeparation) {
        faceSeparation = separation;
        face = k;
      }
    }
    this.separation = faceSeparation;
    this.axis = face;
    this.normal[0] = 0;
    this.normal[1] = 0;
    this.normal[2] = 0;
    this.normal[face] = p[face] < 0 ? -1 : 1;

    for (let k = 0; k < 3; k++) {
      const i = k === 2 ? 0 : k + 1;
      const j = 3 - k - i;
      const sine2 = d[i] * d[i] + d[j] * d[j];
      if (sine2 < PARALLEL) continue;
      const scale = 1 / Math.sqrt(sine2);
      const y = d[j] * scale;
      const z = -d[i] * scale;
      const along = y * p[i] + z * p[j];
      const separation = Math.abs(along) - size[i] * Math.abs(y) - size[j] * Math.abs(z);
      if (separation - EDGE_BIAS * Math.abs(separation) <= this.separation) continue;
      this.separation = separation;
      this.axis = 3 + k;
      const sign = along < 0 ? -1 : 1;
      this.normal[k] = 0;
      this.normal[i] = sign * y;
      this.normal[j] = sign * z;
    }
  }

  /** Finds the point of a segment outside the box that is closest to it. */
  findNearest(size: Float64Array): void {
    const { p, d, half } = this;
    let best = Number.POSITIVE_INFINITY;

    // both ends against the box
    for (let n = 0; n < 2; n++) {
      const t = n === 0 ? -half : half;
      const x = excess(p[0] + t * d[0], size[0]);
      const y = excess(p[1] + t * d[1], size[1]);
      const z = excess(p[2] + t * d[2], size[2]);
      const distance2 = x * x + y * y + z * z;
      if (distance2 >= best) continue;
      best = distance2;
      this.nearest = t;
    }

    // the segment against the four edges along each axis k
    for (let k = 0; k < 3; k++) {
      const i = k === 2 ? 0 : k + 1;
      const j = 3 - k - i;
      const sine2 = d[i] * d[i] + d[j] * d[j];
      for (let n = 0; n < 4; n++) {
        const wi = p[i] - (n & 1 ? size[i] : -size[i]);
        const wj = p[j] - (n & 2 ? size[j] : -size[j]);
        // free minimum over t of the distance to the line of the edge, then clamped to both
        let t = sine2 < PARALLEL ? 0 : -(d[i] * wi + d[j] * wj) / sine2;
        t = clamp(t, half);
        const e = clamp(p[k] + t * d[k], size[k]);
        t = clamp(d[k] * (e - p[k]) - d[i] * wi - d[j] * wj, half);
        const x = p[k] + t * d[k] - e;
        const y = wi + t * d[i];
        const z = wj + t * d[j];
        const distance2 = x * x + y * y + z * z;
        if (distance2 >= best - TIE * best) continue;
        best = distance2;
        this.nearest = t;
      }
    }
  }
}

function excess(value: number, limit: number): number {
  return value > limit ? value - limit : value < -limit ? value + limit : 0;
}

function clamp(value: number, limit: number): number {
  return Math.min(Math.max(value, -limit), limit);
}
