/**
 * A pressure field on tetrahedra, linear in each: p(x) = p_0 + ∇p · (x − x_0), zero on the surface of the solid.
 *
 *   ∇p = Σ_i p_i a_i / (6 V),   a_i the normal of the face opposite to corner i, pointing inwards, twice its area long
 *
 * p in Pa, lengths in m, V the volume. Tetrahedra with constant pressure exert no force and are left out.
 *
 * Cells extend from the surface to the medial surface, but bodies touch near their surfaces. So a tetrahedron has two boxes in the tree: around the
 * part below a twentieth of the highest pressure, and around the rest. With one box each, a ball on a large slab would be compared with
 * all of it.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import type { BoundingTree } from '../bounding-tree/bounding-tree.ts';
import { buildBoundingTree } from '../bounding-tree/tree-builder.ts';
import { computeSixfoldVolume, type TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.ts';

/** Tetrahedra flatter than this have no gradient: six times the volume over the longest edge cubed. */
const FLATTEST = 1e-13;
/** Differences of pressure that count as none, in parts of the highest pressure. */
const LEVEL = 1e-12;

export interface PressureMesh extends TetrahedralMesh {
  /** Per vertex, Pa; negative outside of the surface. */
  readonly pressure: Float64Array;
  /** Per tetrahedron, Pa/m. */
  readonly gradient: Float64Array;
  /** Per tetrahedron: its number in the mesh it was made from. */
  readonly source: Int32Array;
  /** Boxes of the tetrahedra in the frame of the mesh, and the tetrahedron of each item; those of one tetrahedron follow each other. */
  readonly tree: BoundingTree;
  readonly tetrahedronOf: Int32Array;
  /** Largest pressure and least, Pa. */
  readonly highest: number;
  readonly lowest: number;
}

/** Part of the highest pressure at which the boxes of a tetrahedron are divided. */
const LEVEL_SHARE = 0.05;

/** @param pressure at each vertex, Pa; one where no vertex is inside raises an error; @param isMoving one box per tetrahedron, in order */
export function buildPressureMesh(
  mesh: TetrahedralMesh,
  pressure: Float64Array,
  subject = 'the solid',
  place: ErrorPlace = {},
  isMoving = false,
): PressureMesh {
  const { vertices } = mesh;
  const highest = pressure.reduce((high, p) => Math.max(high, p), 0);
  if (!(highest > 0)) {
    throw new NexdynError('invalid-mesh', `${subject} has no vertex in its interior: its pressure field is zero`, {
      hint: "use a finer resolution, or contact: 'point'",
      ...place,
    });
  }
  const source = Int32Array.from(selectTetrahedra(mesh, pressure, LEVEL * highest));
  const count = source.length;
  const tetrahedra = Int32Array.from({ length: 4 * count }, (_, i) => mesh.tetrahedra[4 * source[i >> 2] + (i & 3)]);
  const gradient = new Float64Array(3 * count);
  for (let t = 0; t < count; t++) writeGradient(gradient, 3 * t, vertices, tetrahedra, 4 * t, pressure);
  const level = isMoving ? Infinity : LEVEL_SHARE * highest;
  const { boxes, tetrahedronOf } = boundParts(vertices, tetrahedra, pressure, level);
  const tree = buildBoundingTree(boxes, tetrahedronOf.length, subject);
  const lowest = pressure.reduce((low, p) => Math.min(low, p), 0);
  return {
    vertices,
    tetrahedra,
    pressure,
    gradient,
    source,
    tree,
    tetrahedronOf,
    highest,
    lowest,
  };
}

// numbers of those with a gradient
function selectTetrahedra({ vertices, tetrahedra }: TetrahedralMesh, pressure: Float64Array, level: number): number[] {
  const kept: number[] = [];
  for (let o = 0; o < tetrahedra.length; o += 4) {
    const corners = tetrahedra.subarray(o, o + 4);
    const values = Array.from(corners, (v) => pressure[v]);
    if (Math.max(...values) - Math.min(...values) <= level) continue;
    let longest = 0;
    for (let i = 1; i < 4; i++) {
      for (let k = 0; k < 3; k++) {
        longest = Math.max(longest, Math.abs(vertices[3 * corners[i] + k] - vertices[3 * corners[0] + k]));
      }
    }
    if (computeSixfoldVolume(vertices, tetrahedra, o) > FLATTEST * longest ** 3) kept.push(o / 4);
  }
  return kept;
}

// boxes of the parts of tetrahedra with pressures up to a level, and above it
function boundParts(
  vertices: Float64Array,
  tetrahedra: Int32Array,
  pressure: Float64Array,
  level: number,
): { boxes: Float64Array; tetrahedronOf: Int32Array } {
  const boxes: number[] = [];
  const tetrahedronOf: number[] = [];
  for (let t = 0; t < tetrahedra.length; t += 4) {
    for (const side of [1, -1]) {
      const low = [Infinity, Infinity, Infinity];
      const high = [-Infinity, -Infinity, -Infinity];
      const grow = (point: (k: number) => number): void => {
        for (let k = 0; k < 3; k++) {
          low[k] = Math.min(low[k], point(k));
          high[k] = Math.max(high[k], point(k));
        }
      };
      for (let i = 0; i < 4; i++) {
        const a = tetrahedra[t + i];
        const from = side * (level - pressure[a]);
        if (from >= 0) grow((k) => vertices[3 * a + k]);
        for (let j = i + 1; j < 4; j++) {
          const b = tetrahedra[t + j];
          const to = side * (level - pressure[b]);
          // where the edge passes the level
          if (from < 0 === to < 0 || level === Infinity) continue;
          const share = from / (from - to);
          grow((k) => vertices[3 * a + k] + share * (vertices[3 * b + k] - vertices[3 * a + k]));
        }
      }
      if (!(low[0] <= high[0])) continue;
      boxes.push(...low, ...high);
      tetrahedronOf.push(t / 4);
    }
  }
  return { boxes: Float64Array.from(boxes), tetrahedronOf: Int32Array.from(tetrahedronOf) };
}

let serial = 0;
const stamps = /* @__PURE__ */ new WeakMap<PressureMesh, Int32Array>();

/** Per tetrahedron: scratch of queries that must take it once. It is no part of the mesh, which stays as it was made. */
export function findStamps(mesh: PressureMesh): Int32Array {
  let own = stamps.get(mesh);
  if (!own) {
    own = new Int32Array(mesh.source.length);
    stamps.set(mesh, own);
  }
  return own;
}

/** A number that no stamp has yet. */
export function nextStamp(): number {
  serial = (serial + 1) | 0;
  if (serial === 0) serial = 1;
  return serial;
}

/** Boxes of tetrahedra, six numbers each: low x y z, high x y z. */
export function boundTetrahedra(out: Float64Array, vertices: Float64Array, tetrahedra: Int32Array): Float64Array {
  for (let t = 0, o = 0; t < tetrahedra.length; t += 4, o += 6) {
    for (let k = 0; k < 3; k++) {
      const a = vertices[3 * tetrahedra[t] + k];
      const b = vertices[3 * tetrahedra[t + 1] + k];
      const c = vertices[3 * tetrahedra[t + 2] + k];
      const d = vertices[3 * tetrahedra[t + 3] + k];
      out[o + k] = Math.min(a, b, c, d);
      out[o + 3 + k] = Math.max(a, b, c, d);
    }
  }
  return out;
}

/** ∇p of the tetrahedron whose corners begin at `t` of the list; zero, and false, where it has no positive volume. */
export function writeGradient(
  out: Float64Array,
  o: number,
  x: Float64Array,
  tetrahedra: Int32Array,
  t: number,
  pressure: Float64Array,
): boolean {
  const [a, b, c, d] = [3 * tetrahedra[t], 3 * tetrahedra[t + 1], 3 * tetrahedra[t + 2], 3 * tetrahedra[t + 3]];
  const p = pressure[tetrahedra[t]];
  const pb = pressure[tetrahedra[t + 1]] - p;
  const pc = pressure[tetrahedra[t + 2]] - p;
  const pd = pressure[tetrahedra[t + 3]] - p;
  const bx = x[b] - x[a];
  const by = x[b + 1] - x[a + 1];
  const bz = x[b + 2] - x[a + 2];
  const cx = x[c] - x[a];
  const cy = x[c + 1] - x[a + 1];
  const cz = x[c + 2] - x[a + 2];
  const dx = x[d] - x[a];
  const dy = x[d + 1] - x[a + 1];
  const dz = x[d + 2] - x[a + 2];
  // ∇p = (p_b c × d + p_c d × b + p_d b × c) / (b · c × d)
  const ux = cy * dz - cz * dy;
  const uy = cz * dx - cx * dz;
  const uz = cx * dy - cy * dx;
  const volume = bx * ux + by * uy + bz * uz;
  const scale = volume > 0 ? 1 / volume : 0;
  out[o] = scale * (pb * ux + pc * (dy * bz - dz * by) + pd * (by * cz - bz * cy));
  out[o + 1] = scale * (pb * uy + pc * (dz * bx - dx * bz) + pd * (bz * cx - bx * cz));
  out[o + 2] = scale * (pb * uz + pc * (dx * by - dy * bx) + pd * (bx * cy - by * cx));
  return volume > 0;
}
