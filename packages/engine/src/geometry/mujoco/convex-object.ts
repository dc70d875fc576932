/**
 * A convex shape as MuJoCo's collision routine sees it: its support point along a direction, and the corner that gave it.
 *
 * Corners of boxes are numbered by the signs of their
 * coordinates (1: +x, 2: +y, 4: +z), those of meshes as in the hull, the ends of a cylinder 0 (+z) and 1; round shapes have none.
 */
import { CORE } from '../convex/core-kind.ts';
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';
import type { PlacedShape } from '../placed-shape.ts';

/** Hulls of fewer vertices are searched as a whole, larger ones by climbing along their edges. */
const CLIMB_FROM = 10;
const TINY = 1e-15;

/** Terrain between three grid points. */
export const PRISM = 100;

export class ConvexObject {
  /** See CORE; `PRISM` for a piece of terrain. */
  core: number = CORE.none;
  position: Float64Array = new Float64Array(3);
  rotation: Float64Array = new Float64Array(9);
  size: Float64Array = new Float64Array(3);
  hull: ConvexPolyhedron | undefined;
  /** Six corners of a prism, lower three first, m. */
  readonly prism: Float64Array = new Float64Array(18);
  /** Distance by which the surface is moved outwards, m. */
  inflation = 0;
  /** Whether a ball is its centre and a capsule its axis. */
  isShrunk = false;
  /** Corner of the last support point, −1 for none. */
  corner = -1;
  /** Where the next climb starts. */
  #start = 0;

  set(shape: PlacedShape): void {
    this.core = shape.core;
    this.position = shape.position;
    this.rotation = shape.rotation;
    this.size = shape.size;
    this.hull = shape.hull;
    this.inflation = 0;
    this.isShrunk = false;
    this.corner = -1;
    this.#start = -1;
  }

  /** Whether the shape ends in corners. */
  get isDiscrete(): boolean {
    return this.inflation === 0 && (this.core === CORE.box || this.core === CORE.polyhedron || this.core === PRISM);
  }

  writeCenter(out: Float64Array, o: number): void {
    if (this.core === PRISM) {
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let i = 0; i < 6; i++) sum += this.prism[3 * i + k];
        out[o + k] = sum * (1 / 6);
      }
      return;
    }
    const { position: p, rotation: r } = this;
    const c = this.core === CORE.polyhedron ? this.hull?.massCenter : undefined;
    for (let k = 0; k < 3; k++) {
      out[o + k] = p[k] + (c === undefined ? 0 : r[3 * k] * c[0] + r[3 * k + 1] * c[1] + r[3 * k + 2] * c[2]);
    }
  }

  /** Writes the farthest point along the unit vector d, in the world, m. */
  support(out: Float64Array, o: number, dx: number, dy: number, dz: number): void {
    if (this.core === PRISM) this.#supportPrism(out, o, dx, dy, dz);
    else this.#supportShape(out, o, dx, dy, dz);
    if (this.inflation === 0) return;
    out[o] += this.inflation * dx;
    out[o + 1] += this.inflation * dy;
    out[o + 2] += this.inflation * dz;
  }

  #supportShape(out: Float64Array, o: number, dx: number, dy: number, dz: number): void {
    const { rotation: r, position: p, size } = this;
    const lx = r[0] * dx + r[3] * dy + r[6] * dz;
    const ly = r[1] * dx + r[4] * dy + r[7] * dz;
    const lz = r[2] * dx + r[5] * dy + r[8] * dz;
    let x = 0;
    let y = 0;
    let z = 0;
    switch (this.core) {
      case CORE.point:
        if (this.isShrunk) break;
        // no turn is needed
        out[o] = size[0] * dx + p[0];
        out[o + 1] = size[0] * dy + p[1];
        out[o + 2] = size[0] * dz + p[2];
        return;
      case CORE.segment:
        if (!this.isShrunk) {
          x = lx * size[0];
          y = ly * size[0];
          z = lz * size[0];
        }
        z += lz >= 0 ? size[1] : -size[1];
        break;
      case CORE.ellipsoid: {
        x = lx * size[0];
        y = ly * size[1];
        z = lz * size[2];
        const length = Math.sqrt(x * x + y * y + z * z);
        if (length < TINY) {
          x = size[0];
          y = 0;
          z = 0;
        } else {
          const scale = 1 / length;
          x *= scale * size[0];
          y *= scale * size[1];
          z *= scale * size[2];
        }
        break;
      }
      case CORE.cylinder: {
        const n = lx * lx + ly * ly;
        if (n >= TINY * TINY) {
          const scale = size[0] / Math.sqrt(n);
          x = lx * scale;
          y = ly * scale;
        }
        z = lz >= 0 ? size[1] : -size[1];
        this.corner = lz >= 0 ? 0 : 1;
        break;
      }
      case CORE.box:
        x = lx >= 0 ? size[0] : -size[0];
        y = ly >= 0 ? size[1] : -size[1];
        z = lz >= 0 ? size[2] : -size[2];
        this.corner = (x > 0 ? 1 : 0) | (y > 0 ? 2 : 0) | (z > 0 ? 4 : 0);
        break;
      default: {
        const { vertices } = this.hull as ConvexPolyhedron;
        const i = 3 * this.#findVertex(this.hull as ConvexPolyhedron, lx, ly, lz);
        x = vertices[i];
        y = vertices[i + 1];
        z = vertices[i + 2];
      }
    }
    out[o] = r[0] * x + r[1] * y + r[2] * z + p[0];
    out[o + 1] = r[3] * x + r[4] * y + r[5] * z + p[1];
    out[o + 2] = r[6] * x + r[7] * y + r[8] * z + p[2];
  }

  #findVertex({ vertices, neighborStart, neighbor }: ConvexPolyhedron, x: number, y: number, z: number): number {
    const count = vertices.length / 3;
    let best = Math.max(this.#start, 0);
    if (count < CLIMB_FROM) {
      let height =
        this.#start < 0 ? -Infinity : x * vertices[3 * best] + y * vertices[3 * best + 1] + z * vertices[3 * best + 2];
      for (let i = 0; i < count; i++) {
        const h = x * vertices[3 * i] + y * vertices[3 * i + 1] + z * vertices[3 * i + 2];
        if (h > height) {
          height = h;
          best = i;
        }
      }
    } else {
      let height = x * vertices[3 * best] + y * vertices[3 * best + 1] + z * vertices[3 * best + 2];
      for (let from = -1; from !== best; ) {
        from = best;
        for (let k = neighborStart[from]; k < neighborStart[from + 1]; k++) {
          const i = neighbor[k];
          const h = x * vertices[3 * i] + y * vertices[3 * i + 1] + z * vertices[3 * i + 2];
          if (h > height) {
            height = h;
            best = i;
          }
        }
      }
    }
    this.#start = best;
    this.corner = best;
    return best;
  }

  #supportPrism(out: Float64Array, o: number, dx: number, dy: number, dz: number): void {
    const { prism } = this;
    const first = dz < 0 ? 0 : 3;
    let best = first;
    let height = prism[3 * best] * dx + prism[3 * best + 1] * dy + prism[3 * best + 2] * dz;
    for (let i = first + 1; i < first + 3; i++) {
      const h = prism[3 * i] * dx + prism[3 * i + 1] * dy + prism[3 * i + 2] * dz;
      if (h > height) {
        height = h;
        best = i;
      }
    }
    for (let k = 0; k < 3; k++) out[o + k] = prism[3 * best + k];
  }
}
