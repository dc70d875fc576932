/**
 * 10-node tetrahedra from linear ones: a vertex in the middle of every edge, numbered after the vertices that were there, and
 * eight linear tetrahedra in place of each, which contact and volume tests work with. Four of these cut off the corners; the
 * octahedron between is cut along its shortest diagonal.
 */
import type { TetrahedralMesh } from './tetrahedral-mesh.ts';

/** Corners of the six edges, in the order of the middle nodes 4 to 9. */
export const EDGE_ENDS: readonly (readonly [number, number])[] = [
  [0, 1],
  [0, 2],
  [0, 3],
  [1, 2],
  [1, 3],
  [2, 3],
];

// parts of an element, four nodes each: corners first, then the octahedron cut along its diagonals 4-9, 5-8 and 6-7
const CORNERS = [0, 4, 5, 6, 4, 1, 7, 8, 5, 7, 2, 9, 6, 8, 9, 3];
const OCTAHEDRON = [
  [4, 9, 5, 6, 4, 9, 6, 8, 4, 9, 8, 7, 4, 9, 7, 5],
  [5, 8, 4, 7, 5, 8, 7, 9, 5, 8, 9, 6, 5, 8, 6, 4],
  [6, 7, 4, 5, 6, 7, 5, 9, 6, 7, 9, 8, 6, 7, 8, 4],
];

export interface QuadraticMesh extends TetrahedralMesh {
  /** Per element: four corners, then the middles of the edges 01, 02, 03, 12, 13, 23. */
  readonly nodes: Int32Array;
  /** Per middle vertex, in order: the two ends of its edge. */
  readonly ends: Int32Array;
}

export function addMiddleVertices({ vertices, tetrahedra }: TetrahedralMesh): QuadraticMesh {
  const cornerCount = vertices.length / 3;
  const count = tetrahedra.length / 4;
  const nodes = new Int32Array(10 * count);
  const middles = new Map<number, number>();
  const ends: number[] = [];
  for (let t = 0; t < count; t++) {
    for (let a = 0; a < 4; a++) nodes[10 * t + a] = tetrahedra[4 * t + a];
    EDGE_ENDS.forEach(([a, b], n) => {
      const low = Math.min(tetrahedra[4 * t + a], tetrahedra[4 * t + b]);
      const high = Math.max(tetrahedra[4 * t + a], tetrahedra[4 * t + b]);
      const key = low * cornerCount + high;
      let middle = middles.get(key);
      if (middle === undefined) {
        middle = cornerCount + middles.size;
        middles.set(key, middle);
        ends.push(low, high);
      }
      nodes[10 * t + 4 + n] = middle;
    });
  }
  const all = new Float64Array(vertices.length + (3 * ends.length) / 2);
  all.set(vertices);
  for (let m = 0; m < ends.length / 2; m++) {
    for (let k = 0; k < 3; k++)
      all[vertices.length + 3 * m + k] = 0.5 * (vertices[3 * ends[2 * m] + k] + vertices[3 * ends[2 * m + 1] + k]);
  }
  return { vertices: all, tetrahedra: splitElements(all, nodes), nodes, ends: Int32Array.from(ends) };
}

/** Eight tetrahedra of positive volume for every element. */
function splitElements(vertices: Float64Array, nodes: Int32Array): Int32Array {
  const count = nodes.length / 10;
  const parts = new Int32Array(32 * count);
  const length = (a: number, b: number): number => {
    let square = 0;
    for (let k = 0; k < 3; k++) square += (vertices[3 * a + k] - vertices[3 * b + k]) ** 2;
    return square;
  };
  for (let e = 0; e < count; e++) {
    const o = 10 * e;
    const lengths = OCTAHEDRON.map(([a, b]) => length(nodes[o + a], nodes[o + b]));
    const shortest = lengths.indexOf(Math.min(...lengths));
    for (let k = 0; k < 16; k++) {
      parts[32 * e + k] = nodes[o + CORNERS[k]];
      parts[32 * e + 16 + k] = nodes[o + OCTAHEDRON[shortest][k]];
    }
  }
  return parts;
}
