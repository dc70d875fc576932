/**
 * Squared distances by search, as twins of the closed forms: the distance of a point and a segment is convex in the place of
 * the point, so the least over a moving point is found by cutting an interval in three, without any case of geometry.
 */
type Point = readonly number[];

const blend = (a: Point, b: Point, s: number): number[] => a.map((value, i) => value + s * (b[i] - value));

/** Least value of a convex function on [0, 1]. */
function searchLeast(f: (s: number) => number): number {
  let low = 0;
  let high = 1;
  for (let k = 0; k < 120; k++) {
    const third = (high - low) / 3;
    if (f(low + third) < f(high - third)) high -= third;
    else low += third;
  }
  return Math.min(f(0), f(1), f((low + high) / 2));
}

const squareOf = (a: Point, b: Point): number => a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0);

/** Squared distance of a point and a segment: the parabola |p − a|² − 2s (p − a)·e + s²|e|² at its clamped lowest place. */
export function searchPointSegment(p: Point, a: Point, b: Point): number {
  const e = b.map((value, i) => value - a[i]);
  const square = e.reduce((sum, value) => sum + value * value, 0);
  const along = e.reduce((sum, value, i) => sum + value * (p[i] - a[i]), 0);
  const s = square > 0 ? Math.min(1, Math.max(0, along / square)) : 0;
  return squareOf(p, blend(a, b, s));
}

export function searchEdgeEdge(x: Float64Array): number {
  const [a0, a1, b0, b1] = pointsOf(x);
  return searchLeast((s) => searchPointSegment(blend(a0, a1, s), b0, b1));
}

export function searchPointTriangle(x: Float64Array): number {
  const [p, t0, t1, t2] = pointsOf(x);
  return searchLeast((s) => searchPointSegment(p, blend(t0, t1, s), blend(t2, t1, s)));
}

/** The four points of a stencil of twelve numbers. */
export function pointsOf(x: Float64Array): number[][] {
  return [0, 3, 6, 9].map((i) => Array.from(x.subarray(i, i + 3)));
}
