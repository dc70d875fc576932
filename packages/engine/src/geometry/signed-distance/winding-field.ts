/**
 * A solid from triangles that need not be closed: all points around which they wind by more than half,
 *
 *   w(x) = Σ Ω/4π > ½,   φ(x) = ± min(d(x), s |2 w(x) − 1|), − inside
 *
 * w the winding number (winding-number.ts), d the distance to the nearest triangle, s a length. φ is continuous: on the triangles that
 * bound the solid d vanishes, and across a hole w passes ½ on a smooth cap. Triangles inside the solid, where parts overlap, do not
 * change the sign. Triangles far away enter as the dipole of their group, A·(p − x)/|p − x|³ with A the sum of their area vectors and
 * p their centre. Sources: Jacobson, Kavan, Sorkine-Hornung (2013); Barill et al., Fast winding numbers (2018).
 */
import type { ClosedMesh } from './closed-mesh.ts';
import { ExactMeshField } from './exact-mesh-field.ts';
import type { SignedDistanceField } from './field.ts';
import { buildTriangleTree, type TriangleTree } from './triangle-tree.ts';
import { computeWindingNumber } from './winding-number.ts';

/** How many times its radius a group has to be away to count as a dipole. */
const FAR = 2.5;
const FULL_ANGLE = 4 * Math.PI;
/** Distance from the triangles that counts as on them, in s, and the winding number from which such a point is well inside. */
const ON_TRIANGLE = 1e-8;
const INSIDE = 1.1;

const stack = /* @__PURE__ */ new Int32Array(128);

export class WindingField implements SignedDistanceField {
  readonly bounds: Float64Array;
  readonly errorBound: number = 0;
  readonly lipschitz: number = Infinity;
  readonly #exact: ExactMeshField;
  readonly #tree: TriangleTree;
  /** Nine coordinates per triangle, in the order of the leaves. */
  readonly #corners: Float64Array;
  /** Per node: centre, area vector, radius. */
  readonly #dipoles: Float64Array;
  readonly #scale: number;

  /** @param scale s, m */
  constructor(mesh: ClosedMesh, scale: number) {
    this.#exact = new ExactMeshField(mesh);
    this.#corners = this.#exact.corners;
    // the corners are in the order of a tree over the same triangles: another one over them has its own
    this.#tree = buildTriangleTree(this.#corners);
    this.#dipoles = sumDipoles(this.#tree, this.#corners);
    this.#scale = scale;
    this.bounds = this.#exact.bounds;
  }

  distance(x: number, y: number, z: number): number {
    const winding = this.measureWinding(x, y, z);
    const free = this.measureDistance(x, y, z);
    if (free < ON_TRIANGLE * this.#scale && winding > INSIDE) return -this.#scale;
    const size = Math.min(free, this.#scale * Math.abs(2 * winding - 1));
    return winding > 0.5 ? -size : size;
  }

  gradient(out: Float64Array, x: number, y: number, z: number): number {
    const step = 1e-4 * this.#scale;
    out[0] = (this.distance(x + step, y, z) - this.distance(x - step, y, z)) / (2 * step);
    out[1] = (this.distance(x, y + step, z) - this.distance(x, y - step, z)) / (2 * step);
    out[2] = (this.distance(x, y, z + step) - this.distance(x, y, z - step)) / (2 * step);
    return this.distance(x, y, z);
  }

  /** d, m. */
  measureDistance(x: number, y: number, z: number): number {
    return Math.abs(this.#exact.distance(x, y, z));
  }

  /** w. */
  measureWinding(x: number, y: number, z: number): number {
    const { children, order } = this.#tree;
    const dipoles = this.#dipoles;
    let angle = 0;
    let turns = 0;
    let depth = 1;
    stack[0] = 0;
    while (depth > 0) {
      const node = stack[--depth];
      const o = 7 * node;
      const dx = dipoles[o] - x;
      const dy = dipoles[o + 1] - y;
      const dz = dipoles[o + 2] - z;
      const square = dx * dx + dy * dy + dz * dz;
      const reach = FAR * dipoles[o + 6];
      if (square > reach * reach) {
        const flux = dipoles[o + 3] * dx + dipoles[o + 4] * dy + dipoles[o + 5] * dz;
        angle += flux / (square * Math.sqrt(square));
        continue;
      }
      const left = children[2 * node];
      if (left >= 0) {
        stack[depth++] = left;
        stack[depth++] = children[2 * node + 1];
        continue;
      }
      for (let i = -1 - left; i < -1 - left + children[2 * node + 1]; i++) {
        const t = 9 * order[i];
        turns += computeWindingNumber(this.#corners, x, y, z, t, t + 9);
      }
    }
    return turns + angle / FULL_ANGLE;
  }
}

// centre by area, area vector and radius of every node
function sumDipoles({ boxes, children, order }: TriangleTree, corners: Float64Array): Float64Array {
  const count = children.length / 2;
  const out = new Float64Array(7 * count);
  const area = new Float64Array(count);
  const add = (o: number, n: number, x: number, y: number, z: number, size: number): void => {
    area[n] += size;
    out[o] += size * x;
    out[o + 1] += size * y;
    out[o + 2] += size * z;
  };
  // children have higher numbers than their parents
  for (let n = count - 1; n >= 0; n--) {
    const o = 7 * n;
    const left = children[2 * n];
    if (left >= 0) {
      for (const child of [left, children[2 * n + 1]]) {
        const c = 7 * child;
        add(o, n, out[c], out[c + 1], out[c + 2], area[child]);
        for (let k = 3; k < 6; k++) out[o + k] += out[c + k];
      }
    } else {
      for (let i = -1 - left; i < -1 - left + children[2 * n + 1]; i++) {
        const t = 9 * order[i];
        const [ux, uy, uz] = [0, 1, 2].map((k) => corners[t + 3 + k] - corners[t + k]);
        const [vx, vy, vz] = [0, 1, 2].map((k) => corners[t + 6 + k] - corners[t + k]);
        const [ax, ay, az] = [0.5 * (uy * vz - uz * vy), 0.5 * (uz * vx - ux * vz), 0.5 * (ux * vy - uy * vx)];
        const [x, y, z] = [0, 1, 2].map((k) => (corners[t + k] + corners[t + 3 + k] + corners[t + 6 + k]) / 3);
        add(o, n, x, y, z, Math.hypot(ax, ay, az));
        out[o + 3] += ax;
        out[o + 4] += ay;
        out[o + 5] += az;
      }
    }
    // the sum over places turns into their mean; groups without area stand in the middle of their box
    let square = 0;
    for (let k = 0; k < 3; k++) {
      out[o + k] = area[n] > 0 ? out[o + k] / area[n] : boxes[6 * n + k];
      square += (Math.abs(out[o + k] - boxes[6 * n + k]) + boxes[6 * n + 3 + k]) ** 2;
    }
    out[o + 6] = Math.sqrt(square);
  }
  return out;
}
