/**
 * Convex hull of points by quickhull: from a tetrahedron, take a point outside a face, remove the faces it sees, and
 * close the hole with triangles to the point. Barber, Dobkin, Huhdanpaa (1996).
 *
 * Every question "does this point see this face" is answered exactly, and a point in the plane of a face does not see
 * it. So all triangles of one flat side agree, the faces seen form one disk, and coplanar, duplicate and collinear points
 * need no tolerance. (Near-coplanar faces are not merged as in qhull: that would give up the invariant for fewer faces.)
 */
import { type ErrorPlace, NexdynError } from '../error.ts';
import { orientPoints } from './orientation.ts';

/** Points within this share of the extent of a line or plane count as on it: they have no hull. */
const FLATNESS = 1e-10;

/**
 * Triangles of the convex hull: three point numbers each, counter-clockwise from outside. The same points in the same
 * order give the same triangles.
 *
 * @param vertices x, y, z of each point, m
 * @param subject whose hull it is, for the error message
 */
export function computeConvexHull(
  vertices: ArrayLike<number>,
  subject = 'the point set',
  place: ErrorPlace = {},
): Int32Array {
  const points = Float64Array.from(vertices);
  for (let i = 0; i < points.length; i++) {
    if (Number.isFinite(points[i])) continue;
    throw new NexdynError('invalid-mesh', `vertex ${Math.floor(i / 3)} of ${subject} is not a finite point`, {
      hint: 'give three finite numbers for each vertex',
      ...place,
    });
  }
  return new Hull(points, findTetrahedron(points, subject, place)).expand();
}

// four points that span a volume: the ends of the longest axis, the farthest from their line, the farthest from the plane
function findTetrahedron(p: Float64Array, subject: string, place: ErrorPlace): [number, number, number, number] {
  const fail = (what: string): never => {
    throw new NexdynError('invalid-mesh', `${subject} has no convex hull: ${what}`, {
      hint: 'a hull needs at least four points that are not in one plane',
      ...place,
    });
  };
  if (p.length < 12) fail(`it has ${Math.floor(p.length / 3)} vertices`);
  let a = 0;
  let b = 0;
  let extent = 0;
  for (let k = 0; k < 3; k++) {
    let low = 0;
    let high = 0;
    for (let i = 3; i < p.length; i += 3) {
      if (p[i + k] < p[low + k]) low = i;
      if (p[i + k] > p[high + k]) high = i;
    }
    if (p[high + k] - p[low + k] > extent) {
      extent = p[high + k] - p[low + k];
      a = low;
      b = high;
    }
  }
  if (!(extent > 0)) fail('all its vertices are one point');

  const ux = (p[b] - p[a]) / extent;
  const uy = (p[b + 1] - p[a + 1]) / extent;
  const uz = (p[b + 2] - p[a + 2]) / extent;
  let c = a;
  let farthest = 0;
  const normal = [0, 0, 0];
  for (let i = 0; i < p.length; i += 3) {
    const x = (p[i] - p[a]) / extent;
    const y = (p[i + 1] - p[a + 1]) / extent;
    const z = (p[i + 2] - p[a + 2]) / extent;
    const nx = uy * z - uz * y;
    const ny = uz * x - ux * z;
    const nz = ux * y - uy * x;
    const squared = nx * nx + ny * ny + nz * nz;
    if (squared <= farthest) continue;
    farthest = squared;
    c = i;
    normal[0] = nx;
    normal[1] = ny;
    normal[2] = nz;
  }
  if (!(farthest > FLATNESS * FLATNESS)) fail('all its vertices are on one line');

  let d = a;
  let height = 0;
  const norm = Math.sqrt(farthest);
  for (let i = 0; i < p.length; i += 3) {
    const above = normal[0] * (p[i] - p[a]) + normal[1] * (p[i + 1] - p[a + 1]) + normal[2] * (p[i + 2] - p[a + 2]);
    if (Math.abs(above) <= Math.abs(height)) continue;
    height = above;
    d = i;
  }
  if (!(Math.abs(height) > FLATNESS * extent * norm)) fail('all its vertices are in one plane');
  return height > 0 ? [a, c, b, d] : [a, b, c, d];
}

/** Half-built hull: faces in growing lists, points outside of a face in a chain that begins at the face. */
class Hull {
  private readonly points: Float64Array;
  /** Three places in `points` per face. */
  private readonly corner: number[] = [];
  /** The face across the edge that begins at each corner. */
  private readonly neighbor: number[] = [];
  private readonly isAlive: boolean[] = [];
  /** First point of the chain of points outside of each face, or -1. */
  private readonly outside: number[] = [];
  /** The next point of the same chain, by point number. */
  private readonly next: Int32Array;
  /** The point from which a face was last found visible. */
  private readonly seenFrom: number[] = [];
  private readonly pending: number[] = [];

  constructor(points: Float64Array, [a, b, c, d]: [number, number, number, number]) {
    this.points = points;
    this.next = new Int32Array(points.length / 3).fill(-1);
    // base a b c turned away from the apex d, and three sides
    this.addFace(a, b, c);
    this.addFace(a, d, b);
    this.addFace(b, d, c);
    this.addFace(c, d, a);
    this.neighbor.push(1, 2, 3, 3, 2, 0, 1, 3, 0, 2, 1, 0);
    for (let i = 0; i < points.length; i += 3) {
      if (i !== a && i !== b && i !== c && i !== d) this.attachPoint(i, 0, 4);
    }
  }

  /** Add points until none is outside. */
  expand(): Int32Array {
    for (let face = this.pending.pop(); face !== undefined; face = this.pending.pop()) {
      if (this.isAlive[face] && this.outside[face] >= 0) this.addPoint(face, this.takeFarthest(face));
    }
    const faces: number[] = [];
    for (let f = 0; f < this.isAlive.length; f++) {
      if (!this.isAlive[f]) continue;
      for (let k = 0; k < 3; k++) faces.push(this.corner[3 * f + k] / 3);
    }
    return Int32Array.from(faces);
  }

  private addFace(a: number, b: number, c: number): void {
    this.corner.push(a, b, c);
    this.isAlive.push(true);
    this.outside.push(-1);
    this.seenFrom.push(-1);
  }

  private isVisible(face: number, point: number): boolean {
    const { corner } = this;
    return orientPoints(this.points, corner[3 * face], corner[3 * face + 1], corner[3 * face + 2], point) > 0;
  }

  // chain a point to the first of some faces that it sees; points that see none are inside for good
  private attachPoint(point: number, from: number, to: number): void {
    for (let f = from; f < to; f++) {
      if (!this.isVisible(f, point)) continue;
      if (this.outside[f] < 0) this.pending.push(f);
      this.next[point / 3] = this.outside[f];
      this.outside[f] = point;
      return;
    }
  }

  // the farthest point grows the hull most; rounding in the distance does no harm
  private takeFarthest(face: number): number {
    const p = this.points;
    const a = this.corner[3 * face];
    const b = this.corner[3 * face + 1];
    const c = this.corner[3 * face + 2];
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a];
    const vy = p[c + 1] - p[a + 1];
    const vz = p[c + 2] - p[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    let best = this.outside[face];
    let height = -Infinity;
    for (let i = best; i >= 0; i = this.next[i / 3]) {
      const h = nx * (p[i] - p[a]) + ny * (p[i + 1] - p[a + 1]) + nz * (p[i + 2] - p[a + 2]);
      if (h > height) {
        height = h;
        best = i;
      }
    }
    return best;
  }

  private addPoint(face: number, point: number): void {
    // walk around the faces seen from the point; edges to unseen faces are the horizon
    const seen = [face];
    const horizonFace: number[] = [];
    const horizonEdge: number[] = [];
    this.seenFrom[face] = point;
    for (let i = 0; i < seen.length; i++) {
      for (let k = 0; k < 3; k++) {
        const other = this.neighbor[3 * seen[i] + k];
        if (this.seenFrom[other] === point) continue;
        if (this.isVisible(other, point)) {
          this.seenFrom[other] = point;
          seen.push(other);
        } else {
          horizonFace.push(seen[i]);
          horizonEdge.push(k);
        }
      }
    }

    // one new face per horizon edge, and its neighbour beyond the edge
    const first = this.isAlive.length;
    const startingAt = new Map<number, number>();
    for (let i = 0; i < horizonFace.length; i++) {
      const from = this.corner[3 * horizonFace[i] + horizonEdge[i]];
      const to = this.corner[3 * horizonFace[i] + ((horizonEdge[i] + 1) % 3)];
      const other = this.neighbor[3 * horizonFace[i] + horizonEdge[i]];
      this.addFace(from, to, point);
      this.neighbor.push(other, -1, -1);
      for (let k = 0; k < 3; k++) if (this.corner[3 * other + k] === to) this.neighbor[3 * other + k] = first + i;
      startingAt.set(from, first + i);
    }
    // the horizon is one cycle: the face after (from, to) begins at `to`
    for (let f = first; f < this.isAlive.length; f++) {
      const after = startingAt.get(this.corner[3 * f + 1]) as number;
      this.neighbor[3 * f + 1] = after;
      this.neighbor[3 * after + 2] = f;
    }

    // hand on the points of the faces that are gone
    for (const gone of seen) {
      this.isAlive[gone] = false;
      for (let i = this.outside[gone]; i >= 0; ) {
        const following = this.next[i / 3];
        if (i !== point) this.attachPoint(i, first, this.isAlive.length);
        i = following;
      }
      this.outside[gone] = -1;
    }
  }
}
