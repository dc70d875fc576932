/**
 * A convex polytope of triangles that grows by one corner at a time: the corner removes the faces that it sees and is joined
 * to the edges of the hole.
 *
 * Face f: inward unit normal n_f and height c_f = n_f·x of its plane. A point is seen by f when n_f·x < c_f. Faces too thin for
 * a normal have height −Infinity: they are never chosen, and are taken along when a neighbour is removed.
 */
import { type MinkowskiDifference, MOST_VERTICES } from './minkowski.ts';

const MOST_FACES = 4 * MOST_VERTICES;

export class Polytope {
  /** A corner less than this above a face is not seen by it, m. */
  readonly slack: Float64Array = new Float64Array(1);
  /** Faces ever used; some are dead. */
  count = 0;
  /** Three places of corners per face, counter-clockwise from outside. */
  readonly corner: Int32Array = new Int32Array(3 * MOST_FACES);
  readonly normal: Float64Array = new Float64Array(3 * MOST_FACES);
  readonly height: Float64Array = new Float64Array(MOST_FACES);
  readonly isAlive: Uint8Array = new Uint8Array(MOST_FACES);
  /** The face across the edge from corner k to k + 1, at 3 f + k. */
  readonly #neighbor = new Int32Array(3 * MOST_FACES);
  readonly #free = new Int32Array(MOST_FACES);
  #freeCount = 0;
  readonly #stamp = new Int32Array(MOST_FACES);
  #time = 0;
  readonly #seen = new Int32Array(MOST_FACES);
  // edges of the hole: from, to, the face beyond and its edge
  readonly #from = new Int32Array(MOST_FACES);
  readonly #to = new Int32Array(MOST_FACES);
  readonly #beyond = new Int32Array(MOST_FACES);
  readonly #beyondEdge = new Int32Array(MOST_FACES);
  readonly #startingAt = new Int32Array(MOST_VERTICES).fill(-1);

  /** Begins with the tetrahedron of the first four points. */
  begin(m: MinkowskiDifference): void {
    this.count = 0;
    this.#freeCount = 0;
    const { w } = m;
    const ux = w[3] - w[0];
    const uy = w[4] - w[1];
    const uz = w[5] - w[2];
    const vx = w[6] - w[0];
    const vy = w[7] - w[1];
    const vz = w[8] - w[2];
    const volume =
      (w[9] - w[0]) * (uy * vz - uz * vy) + (w[10] - w[1]) * (uz * vx - ux * vz) + (w[11] - w[2]) * (ux * vy - uy * vx);
    // base 0 p q turned away from the apex 3
    const p = volume < 0 ? 1 : 2;
    const q = 3 - p;
    this.#addFace(w, 0, p, q);
    this.#addFace(w, 0, 3, p);
    this.#addFace(w, p, 3, q);
    this.#addFace(w, q, 3, 0);
    this.#link(0, 1, 2, 3);
    this.#link(1, 3, 2, 0);
    this.#link(2, 1, 3, 0);
    this.#link(3, 2, 1, 0);
  }

  /** The living face with the largest height, or −1. */
  findHighest(): number {
    const { height, isAlive } = this;
    let found = -1;
    let highest = -Infinity;
    for (let f = 0; f < this.count; f++) {
      if (isAlive[f] === 0 || !(height[f] > highest)) continue;
      highest = height[f];
      found = f;
    }
    return found;
  }

  /** Adds the corner at place `vertex`, seen by `face`. Leaves everything as it was and returns false where that would tear the surface. */
  expand(m: MinkowskiDifference, vertex: number, face: number): boolean {
    const { w } = m;
    const { normal, height } = this;
    const tolerance = this.slack[0];
    const x = w[3 * vertex];
    const y = w[3 * vertex + 1];
    const z = w[3 * vertex + 2];

    // walk over the faces that see the corner; edges to the others bound the hole
    const time = ++this.#time;
    let seen = 1;
    let edges = 0;
    this.#seen[0] = face;
    this.#stamp[face] = time;
    for (let i = 0; i < seen; i++) {
      const f = this.#seen[i];
      for (let k = 0; k < 3; k++) {
        const other = this.#neighbor[3 * f + k];
        if (this.#stamp[other] === time) continue;
        const above = normal[3 * other] * x + normal[3 * other + 1] * y + normal[3 * other + 2] * z - height[other];
        if (height[other] === -Infinity || above < -tolerance) {
          this.#stamp[other] = time;
          this.#seen[seen++] = other;
          continue;
        }
        if (edges === MOST_FACES) return false;
        this.#from[edges] = this.corner[3 * f + k];
        this.#to[edges] = this.corner[3 * f + (k === 2 ? 0 : k + 1)];
        this.#beyond[edges] = other;
        edges++;
      }
    }
    if (!this.#isOneLoop(edges) || this.count + edges - this.#freeCount > MOST_FACES) return false;

    // where the faces beyond meet the hole, before any face is written over
    for (let i = 0; i < edges; i++) {
      const other = 3 * this.#beyond[i];
      this.#beyondEdge[i] = this.corner[other] === this.#to[i] ? 0 : this.corner[other + 1] === this.#to[i] ? 1 : 2;
    }
    for (let i = 0; i < seen; i++) {
      this.isAlive[this.#seen[i]] = 0;
      this.#free[this.#freeCount++] = this.#seen[i];
    }
    for (let i = 0; i < edges; i++) {
      const f = this.#addFace(w, this.#from[i], this.#to[i], vertex);
      this.#neighbor[3 * f] = this.#beyond[i];
      this.#neighbor[3 * this.#beyond[i] + this.#beyondEdge[i]] = f;
      this.#startingAt[this.#from[i]] = f;
    }
    for (let i = 0; i < edges; i++) {
      const f = this.#startingAt[this.#from[i]];
      const after = this.#startingAt[this.#to[i]];
      this.#neighbor[3 * f + 1] = after;
      this.#neighbor[3 * after + 2] = f;
    }
    return true;
  }

  // whether the edges form one closed loop that visits no corner twice
  #isOneLoop(edges: number): boolean {
    if (edges < 3) return false;
    const startingAt = this.#startingAt;
    let isSimple = true;
    for (let i = 0; i < edges; i++) startingAt[this.#from[i]] = -1;
    for (let i = 0; i < edges; i++) startingAt[this.#to[i]] = -1;
    for (let i = 0; i < edges; i++) {
      if (startingAt[this.#from[i]] >= 0) isSimple = false;
      startingAt[this.#from[i]] = i;
    }
    if (!isSimple) return false;
    let visited = 0;
    let at = 0;
    do {
      at = startingAt[this.#to[at]];
      visited++;
    } while (at > 0 && visited < edges);
    return at === 0 && visited === edges;
  }

  #addFace(w: Float64Array, a: number, b: number, c: number): number {
    const f = this.#freeCount > 0 ? this.#free[--this.#freeCount] : this.count++;
    this.corner[3 * f] = a;
    this.corner[3 * f + 1] = b;
    this.corner[3 * f + 2] = c;
    this.isAlive[f] = 1;
    const ax = w[3 * a];
    const ay = w[3 * a + 1];
    const az = w[3 * a + 2];
    const ux = w[3 * b] - ax;
    const uy = w[3 * b + 1] - ay;
    const uz = w[3 * b + 2] - az;
    const vx = w[3 * c] - ax;
    const vy = w[3 * c + 1] - ay;
    const vz = w[3 * c + 2] - az;
    const nx = uz * vy - uy * vz;
    const ny = ux * vz - uz * vx;
    const nz = uy * vx - ux * vy;
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    // thinner than rounding: no normal
    const longest = Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz);
    if (!(length > 1e-14 * longest)) {
      this.height[f] = -Infinity;
      return f;
    }
    this.normal[3 * f] = nx / length;
    this.normal[3 * f + 1] = ny / length;
    this.normal[3 * f + 2] = nz / length;
    this.height[f] = (nx * ax + ny * ay + nz * az) / length;
    return f;
  }

  #link(f: number, first: number, second: number, third: number): void {
    this.#neighbor[3 * f] = first;
    this.#neighbor[3 * f + 1] = second;
    this.#neighbor[3 * f + 2] = third;
  }
}
