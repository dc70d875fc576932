/**
 * Points on triangles with a known covering radius: vertices, and midpoints of longest edges until no point of a triangle is
 * farther than a target from its nearest corner. That distance is, for a triangle with sides a ≤ b ≤ c,
 *
 *   acute    the circumradius
 *   obtuse   the larger of a / (2 cos B), b / (2 cos A): where a bisector meets the longest side
 *
 * Every triangle of the refinement has its three corners among the samples, so the largest such distance covers the surface.
 * Neighbours share the midpoints of their edges: an edge is cut once.
 */
export interface CoveringPoints {
  /** x y z of each point, m. */
  readonly points: Float64Array;
  /** No point of the surface is farther from all points than this, m. */
  readonly coveringRadius: number;
  /** Share of the surface that each point represents, m²; where triangles were sampled. */
  readonly areas?: Float64Array;
}

/** Cuts per triangle at most: a safeguard against a target of zero. */
const MAX_DEPTH = 40;

/**
 * @param vertices x y z of each vertex, m
 * @param triangles three vertex numbers each
 * @param target covering radius to reach, m
 */
export function sampleTriangles(
  vertices: ArrayLike<number>,
  triangles: ArrayLike<number>,
  target: number,
): CoveringPoints {
  const points: number[] = [];
  const sampleOfVertex = new Int32Array(vertices.length / 3).fill(-1);
  const middles = new Map<number, number>();
  // three samples and a depth each
  const pending: number[] = [];
  for (let i = 0; i < triangles.length; i++) {
    const v = triangles[i];
    if (sampleOfVertex[v] < 0) {
      sampleOfVertex[v] = points.length / 3;
      points.push(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]);
    }
    pending.push(sampleOfVertex[v]);
    if (i % 3 === 2) pending.push(0);
  }
  let covering = 0;
  const areas: number[] = [];
  while (pending.length > 0) {
    const depth = pending.pop()!;
    const c = pending.pop()!;
    const b = pending.pop()!;
    const a = pending.pop()!;
    const ab = squaredDistance(points, a, b);
    const bc = squaredDistance(points, b, c);
    const ca = squaredDistance(points, c, a);
    const radius = coverByCorners(ab, bc, ca);
    if (radius <= target || depth >= MAX_DEPTH) {
      covering = Math.max(covering, radius);
      // a third of its area to each corner
      const third = measureTriangle(ab, bc, ca) / 3;
      for (const corner of [a, b, c]) areas[corner] = (areas[corner] ?? 0) + third;
      continue;
    }
    // the longest edge from p to q, the corner o across
    const [p, q, o] = ab >= bc && ab >= ca ? [a, b, c] : bc >= ca ? [b, c, a] : [c, a, b];
    const m = findMiddle(points, middles, p, q);
    pending.push(p, m, o, depth + 1, m, q, o, depth + 1);
  }
  return { points: Float64Array.from(points), coveringRadius: covering, areas: Float64Array.from(areas) };
}

// by Heron, from the squared lengths of the sides
function measureTriangle(ab: number, bc: number, ca: number): number {
  const sum = ab + bc + ca;
  return 0.25 * Math.sqrt(Math.max(0, sum * sum - 2 * (ab * ab + bc * bc + ca * ca)));
}

/** Largest distance of a point of a triangle from the nearest corner, from the squared lengths of its sides, m. */
export function coverByCorners(ab: number, bc: number, ca: number): number {
  const longest = Math.max(ab, bc, ca);
  const shortest = Math.min(ab, bc, ca);
  const middle = ab + bc + ca - longest - shortest;
  if (!(longest > 0)) return 0;
  // squared area times 16, by Heron
  const area = 4 * middle * shortest - (middle + shortest - longest) * (middle + shortest - longest);
  if (longest < middle + shortest) return area > 0 ? Math.sqrt((ab * bc * ca) / area) : Math.sqrt(longest) / 2;
  // a / (2 cos B) = a² c / (a² + c² − b²)
  const c = Math.sqrt(longest);
  const fromShort = shortest > 0 ? (shortest * c) / (shortest + longest - middle) : 0;
  const fromMiddle = (middle * c) / (middle + longest - shortest);
  return Math.max(fromShort, fromMiddle);
}

function findMiddle(points: number[], middles: Map<number, number>, p: number, q: number): number {
  const key = p < q ? p * 67108864 + q : q * 67108864 + p;
  const known = middles.get(key);
  if (known !== undefined) return known;
  const m = points.length / 3;
  for (let k = 0; k < 3; k++) points.push(0.5 * (points[3 * p + k] + points[3 * q + k]));
  middles.set(key, m);
  return m;
}

function squaredDistance(points: number[], a: number, b: number): number {
  const x = points[3 * a] - points[3 * b];
  const y = points[3 * a + 1] - points[3 * b + 1];
  const z = points[3 * a + 2] - points[3 * b + 2];
  return x * x + y * y + z * z;
}
