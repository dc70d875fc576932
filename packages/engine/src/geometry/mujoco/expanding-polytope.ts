/**
 * Penetration depth by the expanding polytope algorithm, with the starts, the order of faces and the stops of MuJoCo.
 *
 * A polytope inside A − B grows by the support point w along the normal of its face nearest to the origin: faces that see w go,
 * the edges of the hole (the horizon) are joined to w. The distance of the nearest face is a lower bound of the depth, the least
 * height of a support point an upper bound; faces beyond the upper bound are no candidates. Ends when the bounds meet, or, for
 * shapes with corners, when a corner comes again. van den Bergen, Proximity queries and penetration depth (2001).
 */
import type { ConvexObject } from './convex-object.ts';
import { DifferencePoints } from './difference-points.ts';
import type { Descent } from './gjk.ts';
import { FAR } from './gjk.ts';
import { projectOrigin, weighInPlane } from './nearest-weights.ts';

const TINY = 1e-15;
/** Place of a face in the list of candidates: none, or gone. */
const NO_CANDIDATE = -1;
const DELETED = -2;

const weights = /* @__PURE__ */ new Float64Array(3);
const around = /* @__PURE__ */ new Float64Array(9);

export class Polytope {
  readonly points: DifferencePoints = new DifferencePoints(64);
  /** Three points per face, the faces across its edges, the foot of the origin, its squared distance, the place among candidates. */
  #corner: Int32Array = new Int32Array(3 * 256);
  #across: Int32Array = new Int32Array(3 * 256);
  #foot: Float64Array = new Float64Array(3 * 256);
  #squared: Float64Array = new Float64Array(256);
  #place: Int32Array = new Int32Array(256);
  #faces = 0;
  #most = 0;
  /** A point inside, from which normals point away. */
  readonly #center: Float64Array = new Float64Array(3);
  #candidate: number[] = [];
  /** Faces behind the horizon and their edges on it. */
  readonly #horizonFace: number[] = [];
  readonly #horizonEdge: number[] = [];

  /** Points of the nearest face. */
  corner(face: number, k: number): number {
    return this.#corner[3 * face + k];
  }

  /** Depth of a face, m. */
  depth(face: number): number {
    return Math.sqrt(this.#squared[face]);
  }

  /**
   * Grows the polytope from the last simplex of GJK; returns the number of the face that gives the depth, −1 if there is none.
   * Leaves the deepest points in `descent`.
   */
  measureDepth(descent: Descent, a: ConvexObject, b: ConvexObject, tolerance: number, iterations: number): number {
    this.#clear();
    this.#most = 6 * iterations;
    if (!this.#start(descent, a, b)) return -1;
    const face = this.#grow(a, b, tolerance, iterations);
    if (face >= 0) this.#writeWitness(descent, face);
    return face;
  }

  #clear(): void {
    this.points.count = 0;
    this.#faces = 0;
    this.#candidate.length = 0;
    this.#horizonFace.length = 0;
    this.#horizonEdge.length = 0;
  }

  #start(descent: Descent, a: ConvexObject, b: ConvexObject): boolean {
    if (descent.count === 2) return this.#startFromSegment(descent, a, b);
    if (descent.count === 3) return this.#startFromTriangle(descent, a, b);
    return this.#startFromTetrahedron(descent, a, b);
  }

  /** Two points and three around the line between them. */
  #startFromSegment(descent: Descent, a: ConvexObject, b: ConvexObject): boolean {
    const v = descent.simplex.values;
    const dx = v[9] - v[0];
    const dy = v[10] - v[1];
    const dz = v[11] - v[2];
    // across the smallest component, then by thirds of a turn
    let axis = 0;
    if (Math.abs(dy) < Math.abs(dx)) axis = 1;
    if (Math.abs(dz) < Math.abs(axis === 0 ? dx : dy)) axis = 2;
    around[0] = axis === 1 ? dz : axis === 2 ? -dy : 0;
    around[1] = axis === 0 ? -dz : axis === 2 ? dx : 0;
    around[2] = axis === 0 ? dy : axis === 1 ? -dx : 0;
    turnThird(around, 3, 0, dx, dy, dz);
    turnThird(around, 6, 3, dx, dy, dz);
    this.#setCenter(descent, 2, 0.5);
    const one = this.points.add(descent.simplex, 0);
    const two = this.points.add(descent.simplex, 1);
    const p = this.#support(a, b, around, 0);
    const q = this.#support(a, b, around, 3);
    const r = this.#support(a, b, around, 6);
    const faces = [
      [one, p, q, 1, 3, 2],
      [one, r, p, 2, 4, 0],
      [one, q, r, 0, 5, 1],
      [two, q, p, 5, 0, 4],
      [two, p, r, 3, 1, 5],
      [two, r, q, 4, 2, 3],
    ];
    for (const [i, j, k, x, y, z] of faces) {
      if (this.#attach(i, j, k, x, y, z) >= TINY * TINY) continue;
      this.#keepFace(descent, i, j, k);
      return this.#startFromTriangle(descent, a, b);
    }
    if (!this.#crosses(one, two, p, q, r)) return false;
    this.#admitAll();
    return true;
  }

  /** Three points and one on either side. */
  #startFromTriangle(descent: Descent, a: ConvexObject, b: ConvexObject): boolean {
    const v = descent.simplex.values;
    const ux = v[9] - v[0];
    const uy = v[10] - v[1];
    const uz = v[11] - v[2];
    const wx = v[18] - v[0];
    const wy = v[19] - v[1];
    const wz = v[20] - v[2];
    around[0] = uy * wz - uz * wy;
    around[1] = uz * wx - ux * wz;
    around[2] = ux * wy - uy * wx;
    for (let k = 0; k < 3; k++) around[3 + k] = -around[k];
    if (Math.sqrt(around[0] * around[0] + around[1] * around[1] + around[2] * around[2]) < TINY) return false;
    this.#setCenter(descent, 3, 1 / 3);
    const p = this.points.add(descent.simplex, 0);
    const q = this.points.add(descent.simplex, 1);
    const r = this.points.add(descent.simplex, 2);
    const below = this.#support(a, b, around, 3);
    const above = this.#support(a, b, around, 0);
    if (this.#isInTriangle(p, q, r, above) || this.#isInTriangle(p, q, r, below)) return false;
    if (descent.distance > 10 * TINY && !this.#contains(p, q, r, above) && !this.#contains(p, q, r, below))
      return false;
    const faces = [
      [above, p, q, 1, 3, 2],
      [above, r, p, 2, 4, 0],
      [above, q, r, 0, 5, 1],
      [below, q, p, 5, 0, 4],
      [below, p, r, 3, 1, 5],
      [below, r, q, 4, 2, 3],
    ];
    for (const [i, j, k, x, y, z] of faces) if (this.#attach(i, j, k, x, y, z) < TINY * TINY) return false;
    this.#admitAll();
    return true;
  }

  #startFromTetrahedron(descent: Descent, a: ConvexObject, b: ConvexObject): boolean {
    this.#setCenter(descent, 4, 0.25);
    const [p, q, r, s] = [0, 1, 2, 3].map((i) => this.points.add(descent.simplex, i));
    const faces = [
      [p, q, r, 1, 3, 2],
      [p, s, q, 2, 3, 0],
      [p, r, s, 0, 3, 1],
      [s, r, q, 2, 0, 1],
    ];
    for (const [i, j, k, x, y, z] of faces) {
      if (this.#attach(i, j, k, x, y, z) >= TINY * TINY) continue;
      // the origin is on a face
      this.#keepFace(descent, i, j, k);
      return this.#startFromTriangle(descent, a, b);
    }
    if (!this.#contains(p, q, r, s)) return false;
    this.#admitAll();
    return true;
  }

  #setCenter(descent: Descent, count: number, share: number): void {
    const v = descent.simplex.values;
    for (let k = 0; k < 3; k++) {
      let sum = v[k];
      for (let i = 1; i < count; i++) sum += v[9 * i + k];
      this.#center[k] = sum * share;
    }
  }

  #grow(a: ConvexObject, b: ConvexObject, tolerance: number, iterations: number): number {
    const isDiscrete = a.isDiscrete && b.isDiscrete;
    const goal = isDiscrete ? TINY : tolerance;
    let upper = FAR;
    let upper2 = FAR;
    let face = -1;
    for (let k = 0; k < iterations; k++) {
      const before = face;
      let lower2 = FAR;
      face = -1;
      for (const candidate of this.#candidate) {
        if (this.#squared[candidate] >= lower2) continue;
        face = candidate;
        lower2 = this.#squared[candidate];
      }
      if (lower2 > upper2 || face < 0) return before;
      if (lower2 <= 0) return face;
      const lower = Math.sqrt(lower2);
      const o = 3 * face;
      const [x, y, z] = [this.#foot[o], this.#foot[o + 1], this.#foot[o + 2]];
      const w =
        lower > TINY
          ? this.points.addSupport(a, b, x / lower, y / lower, z / lower)
          : this.points.addSupport(a, b, 1, 0, 0);
      const v = this.points.values;
      const height = (x * v[9 * w] + y * v[9 * w + 1] + z * v[9 * w + 2]) / lower;
      if (height < upper) {
        upper = height;
        upper2 = upper * upper;
      }
      if (height - lower < goal) return k === 0 && height < lower - 1e-10 ? -1 : face;
      if (isDiscrete && this.#isRepeated(w)) return face;
      this.#findHorizon(face, w);
      const edges = this.#horizonFace.length;
      if (edges < 3) return -1;
      if (edges > this.#most - this.#faces) return face;
      if (!this.#closeHole(w, lower2, upper2)) return -1;
      if (this.#candidate.length === 0) return face;
    }
    return face;
  }

  #isRepeated(w: number): boolean {
    const { corners } = this.points;
    for (let i = 0; i < this.points.count - 1; i++) {
      if (corners[2 * i] === corners[2 * w] && corners[2 * i + 1] === corners[2 * w + 1]) return true;
    }
    return false;
  }

  /** Joins the horizon to w; false if a face has no distance. */
  #closeHole(w: number, lower2: number, upper2: number): boolean {
    const first = this.#faces;
    const edges = this.#horizonFace.length;
    for (let i = 0; i < edges; i++) {
      const back = this.#horizonFace[i];
      const edge = this.#horizonEdge[i];
      const from = this.#corner[3 * back + edge];
      const to = this.#corner[3 * back + ((edge + 1) % 3)];
      this.#across[3 * back + edge] = first + i;
      const squared = this.#attach(w, to, from, first + ((i + edges - 1) % edges), back, first + ((i + 1) % edges));
      if (squared === 0) return false;
      if (squared >= lower2 && squared <= upper2) this.#admit(first + i);
    }
    this.#horizonFace.length = 0;
    this.#horizonEdge.length = 0;
    return true;
  }

  #findHorizon(face: number, w: number): void {
    this.#remove(face);
    for (let i = 0; i < 3; i++) this.#look(face, i, w, i === 0);
  }

  /** Looks across edge i of a face that is gone. */
  #look(face: number, i: number, w: number, always = false): void {
    const next = this.#across[3 * face + i];
    if (!always && this.#place[next] === DELETED) return;
    const shared = this.#corner[3 * face + ((i + 1) % 3)];
    const edge = this.#corner[3 * next] === shared ? 0 : this.#corner[3 * next + 1] === shared ? 1 : 2;
    const v = this.points.values;
    const o = 3 * next;
    const height = this.#foot[o] * v[9 * w] + this.#foot[o + 1] * v[9 * w + 1] + this.#foot[o + 2] * v[9 * w + 2];
    if (height - this.#squared[next] > TINY) {
      this.#remove(next);
      this.#look(next, (edge + 1) % 3, w);
      this.#look(next, (edge + 2) % 3, w);
      return;
    }
    this.#horizonFace.push(next);
    this.#horizonEdge.push(edge);
  }

  #remove(face: number): void {
    const place = this.#place[face];
    if (place >= 0) {
      const last = this.#candidate.pop() as number;
      if (last !== face) {
        this.#candidate[place] = last;
        this.#place[last] = place;
      }
    }
    this.#place[face] = DELETED;
  }

  #admit(face: number): void {
    this.#place[face] = this.#candidate.length;
    this.#candidate.push(face);
  }

  #admitAll(): void {
    for (let f = 0; f < this.#faces; f++) this.#admit(f);
  }

  /** Appends a face and returns the squared distance of its plane from the origin; 0 if it has no plane. */
  #attach(p: number, q: number, r: number, x: number, y: number, z: number): number {
    const face = this.#faces++;
    if (face >= this.#squared.length) this.#growFaces();
    const o = 3 * face;
    this.#corner[o] = p;
    this.#corner[o + 1] = q;
    this.#corner[o + 2] = r;
    this.#across[o] = x;
    this.#across[o + 1] = y;
    this.#across[o + 2] = z;
    this.#place[face] = NO_CANDIDATE;
    const v = this.points.values;
    if (!projectOrigin(this.#foot, o, v, 9 * r, 9 * q, 9 * p)) return 0;
    let outward = 0;
    for (let k = 0; k < 3; k++) outward += this.#foot[o + k] * (v[9 * p + k] - this.#center[k]);
    if (outward < 0) for (let k = 0; k < 3; k++) this.#foot[o + k] *= -1;
    this.#squared[face] = this.#foot[o] ** 2 + this.#foot[o + 1] ** 2 + this.#foot[o + 2] ** 2;
    return this.#squared[face];
  }

  #growFaces(): void {
    const length = 2 * this.#squared.length;
    const double = <T extends Int32Array | Float64Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.#corner = double(this.#corner, new Int32Array(3 * length));
    this.#across = double(this.#across, new Int32Array(3 * length));
    this.#foot = double(this.#foot, new Float64Array(3 * length));
    this.#squared = double(this.#squared, new Float64Array(length));
    this.#place = double(this.#place, new Int32Array(length));
  }

  /** Makes one face the simplex and begins anew. */
  #keepFace(descent: Descent, i: number, j: number, k: number): void {
    descent.simplex.copy(0, this.points, i);
    descent.simplex.copy(1, this.points, j);
    descent.simplex.copy(2, this.points, k);
    descent.count = 3;
    this.#clear();
  }

  #support(a: ConvexObject, b: ConvexObject, d: Float64Array, o: number): number {
    const length = Math.sqrt(d[o] * d[o] + d[o + 1] * d[o + 1] + d[o + 2] * d[o + 2]);
    if (!(length > TINY)) return this.points.addSupport(a, b, 1, 0, 0);
    return this.points.addSupport(a, b, d[o] / length, d[o + 1] / length, d[o + 2] / length);
  }

  /** Whether the line from i to j goes through a triangle. */
  #crosses(i: number, j: number, p: number, q: number, r: number): boolean {
    const v = this.points.values;
    const at = (n: number, k: number): number => v[9 * n + k] - v[9 * i + k];
    const volume = (m: number, n: number): number =>
      at(m, 0) * (at(n, 1) * at(j, 2) - at(n, 2) * at(j, 1)) +
      at(m, 1) * (at(n, 2) * at(j, 0) - at(n, 0) * at(j, 2)) +
      at(m, 2) * (at(n, 0) * at(j, 1) - at(n, 1) * at(j, 0));
    const [x, y, z] = [volume(p, q), volume(q, r), volume(r, p)];
    return (x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0);
  }

  #isInTriangle(i: number, j: number, k: number, p: number): boolean {
    const v = this.points.values;
    const whole = weighInPlane(weights, v, 9 * i, 9 * j, 9 * k, v, 9 * p);
    for (let n = 0; n < 3; n++) {
      weights[n] /= whole;
      if (weights[n] < 0) return false;
    }
    let squared = 0;
    for (let n = 0; n < 3; n++) {
      const x = v[9 * i + n] * weights[0] + v[9 * j + n] * weights[1] + v[9 * k + n] * weights[2] - v[9 * p + n];
      squared += x * x;
    }
    return Math.sqrt(squared) < TINY;
  }

  /** Whether the origin is inside a tetrahedron. */
  #contains(p: number, q: number, r: number, s: number): boolean {
    return (
      this.#isSameSide(p, q, r, s) &&
      this.#isSameSide(q, r, s, p) &&
      this.#isSameSide(r, s, p, q) &&
      this.#isSameSide(s, p, q, r)
    );
  }

  /** Whether the origin and s are on one side of the plane of p, q and r. */
  #isSameSide(p: number, q: number, r: number, s: number): boolean {
    const v = this.points.values;
    const [o, i, j, k] = [9 * p, 9 * q, 9 * r, 9 * s];
    const ux = v[i] - v[o];
    const uy = v[i + 1] - v[o + 1];
    const uz = v[i + 2] - v[o + 2];
    const wx = v[j] - v[o];
    const wy = v[j + 1] - v[o + 1];
    const wz = v[j + 2] - v[o + 2];
    const nx = uy * wz - uz * wy;
    const ny = uz * wx - ux * wz;
    const nz = ux * wy - uy * wx;
    const one = nx * (v[k] - v[o]) + ny * (v[k + 1] - v[o + 1]) + nz * (v[k + 2] - v[o + 2]);
    const other = -(nx * v[o] + ny * v[o + 1] + nz * v[o + 2]);
    return (one > 0 && other > 0) || (one < 0 && other < 0);
  }

  #writeWitness(descent: Descent, face: number): void {
    const v = this.points.values;
    const [i, j, k] = [0, 1, 2].map((n) => 9 * this.#corner[3 * face + n]);
    const whole = weighInPlane(weights, v, i, j, k, this.#foot, 3 * face);
    for (let n = 0; n < 3; n++) weights[n] /= whole;
    for (let n = 0; n < 3; n++) {
      descent.x1[n] = v[i + 3 + n] * weights[0] + v[j + 3 + n] * weights[1] + v[k + 3 + n] * weights[2];
      descent.x2[n] = v[i + 6 + n] * weights[0] + v[j + 6 + n] * weights[1] + v[k + 6 + n] * weights[2];
    }
    descent.distance = -Math.sqrt(this.#squared[face]);
  }
}

/** Turns a vector by a third of a turn about an axis. */
function turnThird(v: Float64Array, to: number, from: number, ax: number, ay: number, az: number): void {
  const n = Math.sqrt(ax * ax + ay * ay + az * az);
  const [x, y, z] = [ax / n, ay / n, az / n];
  const sine = 0.86602540378;
  const cosine = -0.5;
  const [p, q, r] = [v[from], v[from + 1], v[from + 2]];
  v[to] = (cosine + x * x * 1.5) * p + (x * y * 1.5 - z * sine) * q + (x * z * 1.5 + y * sine) * r;
  v[to + 1] = (y * x * 1.5 + z * sine) * p + (cosine + y * y * 1.5) * q + (y * z * 1.5 - x * sine) * r;
  v[to + 2] = (x * z * 1.5 - y * sine) * p + (y * z * 1.5 + x * sine) * q + (cosine + z * z * 1.5) * r;
}
