/**
 * Finds triangles without area and removes them from a surface.
 *
 * A triangle with longest edge L and height h over it counts as degenerate when
 *
 *   h ≤ 1e-10 L   or   h ≤ 4 ε R
 *
 * with R the largest coordinate of its corners and ε = 2⁻⁵² the spacing of doubles at 1. Each edge vector carries a rounding of
 * up to ε R, so h is known to about 4 ε R only: below that, its normal is noise. The first bound keeps the rounding of
 * the cross product (about 4 ε L²) six digits below the doubled area L h.
 *
 * - A needle has an edge that is that short as well. The ends of this edge become one vertex, and the triangles on both sides meet.
 * - A cap, whose third corner m lies inside the longest edge a-b, fills a T-junction. Its neighbour b-a-c across that edge is
 *   split at m into b-m-c and m-a-c, so that a closed surface stays closed. At a border, or beside another degenerate triangle
 *   that cannot be resolved, the cap is left out.
 */

/** Height over longest edge below which a triangle counts as a line. */
export const THINNEST = 1e-10;
/** Rounding of a height over the largest coordinate of its corners. */
const ROUNDING = 4 * Number.EPSILON;

type Corners = readonly [number, number, number];

/** Where a triangle has an area, or why it has none. */
const FORM = { proper: 0, needle: 1, cap: 2 } as const;

/** The numbers of the degenerate triangles of a mesh, counted from 0, ascending. */
export function findDegenerateTriangles(vertices: ArrayLike<number>, faces: ArrayLike<number>): number[] {
  const found: number[] = [];
  for (let t = 0; 3 * t + 2 < faces.length; t++) {
    const form = findForm(vertices, faces[3 * t], faces[3 * t + 1], faces[3 * t + 2]);
    if (form !== FORM.proper) found.push(t);
  }
  return found;
}

/** Numbers that a message lists before it only counts. */
const LISTED = 12;

/** As in `triangles 3 and 17 have no area`. */
export function describeDegenerateTriangles(numbers: readonly number[]): string {
  if (numbers.length === 1) return `triangle ${numbers[0]} has no area`;
  const listed = numbers.slice(0, LISTED);
  const rest = numbers.length - listed.length;
  const last = rest > 0 ? `${rest} more` : listed.pop();
  return `triangles ${listed.join(', ')} and ${last} have no area`;
}

/** The faces without the degenerate ones; where those closed the surface, it stays closed. */
export function removeDegenerateTriangles(vertices: ArrayLike<number>, faces: ArrayLike<number>): number[] {
  const place = numberPlaces(vertices);
  const triangles = mergeNeedles(vertices, faces, place);
  let caps = triangles.flatMap((corners, t) => (findForm(vertices, ...corners) === FORM.proper ? [] : [t]));
  // each round resolves the caps next to triangles with an area, until none is left or none can be resolved
  for (let before = -1; caps.length > 0 && caps.length !== before; ) {
    before = caps.length;
    const owner = listEdges(triangles, place);
    caps = caps.filter((t) => !splitNeighbor(vertices, triangles, t, place, owner));
  }
  const isLeftOut = new Set(caps);
  return triangles.flatMap((corners, t) => (isLeftOut.has(t) ? [] : [...corners]));
}

// both ends of a short edge become one vertex; its triangles collapse to edges
function mergeNeedles(vertices: ArrayLike<number>, faces: ArrayLike<number>, place: Int32Array): Corners[] {
  const count = Math.floor(faces.length / 3);
  for (let t = 0; t < count; t++) {
    const corners: Corners = [faces[3 * t], faces[3 * t + 1], faces[3 * t + 2]];
    if (findForm(vertices, ...corners) !== FORM.needle) continue;
    const [a, p, q] = startAtLongest(vertices, corners);
    // the short edge is one of the two that are not the longest
    const [from, to] =
      edgeLength(vertices, p, q) <= edgeLength(vertices, q, a) ? [place[p], place[q]] : [place[q], place[a]];
    if (from === to) continue;
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    for (let v = 0; v < place.length; v++) if (place[v] === high) place[v] = low;
  }
  const moved = (v: number): number => (samePoint(vertices, v, place[v]) ? v : place[v]);
  const triangles: Corners[] = [];
  for (let t = 0; t < count; t++) {
    const [a, b, c] = [faces[3 * t], faces[3 * t + 1], faces[3 * t + 2]];
    if (place[a] !== place[b] && place[b] !== place[c] && place[c] !== place[a])
      triangles.push([moved(a), moved(b), moved(c)]);
  }
  return triangles;
}

// whether the cap t could be resolved; edges are those of the start of the round, and a triangle is split once per round
function splitNeighbor(
  vertices: ArrayLike<number>,
  triangles: Corners[],
  t: number,
  place: Int32Array,
  owner: Map<number, number>,
): boolean {
  const [a, b, m] = startAtLongest(vertices, triangles[t]);
  const other = owner.get(place[b] * place.length + place[a]) ?? -1;
  if (other < 0) return false;
  const corners = triangles[other];
  const k = corners.findIndex((v) => place[v] === place[b]);
  if (k < 0 || place[corners[(k + 1) % 3]] !== place[a] || findForm(vertices, ...corners) !== FORM.proper) return false;
  const c = corners[(k + 2) % 3];
  triangles[t] = [m, a, c];
  triangles[other] = [b, m, c];
  for (let i = 0; i < 3; i++) owner.set(place[corners[i]] * place.length + place[corners[(i + 1) % 3]], -1);
  return true;
}

function findForm(vertices: ArrayLike<number>, a: number, b: number, c: number): number {
  const ax = vertices[3 * a];
  const ay = vertices[3 * a + 1];
  const az = vertices[3 * a + 2];
  const ux = vertices[3 * b] - ax;
  const uy = vertices[3 * b + 1] - ay;
  const uz = vertices[3 * b + 2] - az;
  const vx = vertices[3 * c] - ax;
  const vy = vertices[3 * c + 1] - ay;
  const vz = vertices[3 * c + 2] - az;
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const ab = ux * ux + uy * uy + uz * uz;
  const ac = vx * vx + vy * vy + vz * vz;
  const bc = (vx - ux) ** 2 + (vy - uy) ** 2 + (vz - uz) ** 2;
  const longest = Math.sqrt(Math.max(ab, ac, bc));
  let largest = 0;
  for (let k = 0; k < 3; k++) {
    largest = Math.max(
      largest,
      Math.abs(vertices[3 * a + k]),
      Math.abs(vertices[3 * b + k]),
      Math.abs(vertices[3 * c + k]),
    );
  }
  const bound = Math.max(THINNEST * longest, ROUNDING * largest);
  if (Math.sqrt(x * x + y * y + z * z) > bound * longest) return FORM.proper;
  return Math.min(ab, ac, bc) > bound * bound ? FORM.cap : FORM.needle;
}

// the same triangle with its longest edge first
function startAtLongest(vertices: ArrayLike<number>, [a, b, c]: Corners): Corners {
  const [ab, bc, ca] = [edgeLength(vertices, a, b), edgeLength(vertices, b, c), edgeLength(vertices, c, a)];
  if (ab >= bc && ab >= ca) return [a, b, c];
  return bc >= ca ? [b, c, a] : [c, a, b];
}

function edgeLength(vertices: ArrayLike<number>, p: number, q: number): number {
  return Math.hypot(...[0, 1, 2].map((k) => vertices[3 * p + k] - vertices[3 * q + k]));
}

function samePoint(vertices: ArrayLike<number>, p: number, q: number): boolean {
  return [0, 1, 2].every((k) => vertices[3 * p + k] === vertices[3 * q + k]);
}

// vertices at one place have one number
function numberPlaces(vertices: ArrayLike<number>): Int32Array {
  const first = new Map<string, number>();
  return Int32Array.from({ length: vertices.length / 3 }, (_, v) => {
    // adding zero makes −0 and 0 one
    const key = `${vertices[3 * v] + 0} ${vertices[3 * v + 1] + 0} ${vertices[3 * v + 2] + 0}`;
    const known = first.get(key);
    if (known === undefined) first.set(key, v);
    return known ?? v;
  });
}

// the triangle that passes each edge in its direction; −1 where several do
function listEdges(triangles: readonly Corners[], place: Int32Array): Map<number, number> {
  const owner = new Map<number, number>();
  triangles.forEach((corners, t) => {
    corners.forEach((from, k) => {
      const key = place[from] * place.length + place[corners[(k + 1) % 3]];
      owner.set(key, owner.has(key) ? -1 : t);
    });
  });
  return owner;
}
