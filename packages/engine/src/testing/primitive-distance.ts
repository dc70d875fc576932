/** Signed distances of points from primitives in plain formulas, as an independent check of pair tests. */
import type { PlacedShape } from '../geometry/placed-shape.ts';
import { SHAPE } from '../geometry/shape-kind.ts';

/** Signed distance of a world point from a primitive, m; of an ellipsoid to first order near its surface. */
export function signedDistance(shape: PlacedShape, point: readonly number[]): number {
  const r = shape.rotation;
  const s = shape.size;
  const d = point.map((x, k) => x - shape.position[k]);
  const [x, y, z] = [0, 1, 2].map((k) => r[k] * d[0] + r[k + 3] * d[1] + r[k + 6] * d[2]);
  switch (shape.kind) {
    case SHAPE.plane:
      return z;
    case SHAPE.sphere:
      return Math.hypot(x, y, z) - s[0];
    case SHAPE.capsule:
      return Math.hypot(x, y, Math.max(Math.abs(z) - s[1], 0)) - s[0];
    case SHAPE.cylinder:
      return outsideOf([Math.hypot(x, y) - s[0], Math.abs(z) - s[1]]);
    case SHAPE.box:
      return outsideOf([Math.abs(x) - s[0], Math.abs(y) - s[1], Math.abs(z) - s[2]]);
    case SHAPE.ellipsoid: {
      const value = (x / s[0]) ** 2 + (y / s[1]) ** 2 + (z / s[2]) ** 2 - 1;
      return value / (2 * Math.hypot(x / s[0] ** 2, y / s[1] ** 2, z / s[2] ** 2));
    }
    default:
      throw new Error('no formula for this kind');
  }
}

/** Signed distance of a product of intervals from the amounts by which a point is beyond each. */
function outsideOf(beyond: readonly number[]): number {
  return Math.hypot(...beyond.map((x) => Math.max(x, 0))) + Math.min(Math.max(...beyond), 0);
}

/** Least value of a convex function on [low, high] by ternary search. */
export function minimizeConvex(f: (t: number) => number, low: number, high: number): number {
  for (let k = 0; k < 85; k++) {
    const m1 = low + (high - low) / 3;
    const m2 = high - (high - low) / 3;
    if (f(m1) < f(m2)) high = m2;
    else low = m1;
  }
  return f(0.5 * (low + high));
}
