/**
 * The body-centred cubic lattice: the corners and the centres of cubic cells of edge h. Long edges join neighbouring corners, and
 * neighbouring centres; short edges join each centre to the eight corners of its cell. Around each face between two cells lie
 * four tetrahedra: both centres and one edge of the face.
 *
 * Vertices: corners first (x fastest), then centres. Edges: three long ones of each corner and of each centre, towards +x, +y and
 * +z, and eight short ones of each centre, by number; corners first.
 */

export interface Lattice {
  /** Corner of the first cell, m. */
  readonly origin: readonly number[];
  /** Edge of a cell, m. */
  readonly spacing: number;
  /** Cells along x, y, z. */
  readonly cells: readonly number[];
  readonly cornerCount: number;
  readonly vertexCount: number;
  readonly edgeCount: number;
}

export function createLattice(origin: readonly number[], spacing: number, cells: readonly number[]): Lattice {
  const [nx, ny, nz] = cells;
  const cornerCount = (nx + 1) * (ny + 1) * (nz + 1);
  const centerCount = nx * ny * nz;
  return {
    origin,
    spacing,
    cells,
    cornerCount,
    vertexCount: cornerCount + centerCount,
    edgeCount: 3 * cornerCount + 11 * centerCount,
  };
}

/** Positions of all vertices, m. */
export function placeVertices({ origin, spacing: h, cells }: Lattice): Float64Array {
  const points: number[] = [];
  for (const isCenter of [false, true]) {
    const shift = isCenter ? 0.5 : 0;
    const [mx, my, mz] = isCenter ? cells : cells.map((n) => n + 1);
    for (let k = 0; k < mz; k++) {
      for (let j = 0; j < my; j++) {
        for (let i = 0; i < mx; i++) {
          points.push(origin[0] + h * (i + shift), origin[1] + h * (j + shift), origin[2] + h * (k + shift));
        }
      }
    }
  }
  return Float64Array.from(points);
}

/** Calls back for every edge: its number, its two vertices, whether it is long. */
export function visitEdges(
  lattice: Lattice,
  visit: (edge: number, from: number, to: number, isLong: boolean) => void,
): void {
  const { cells, cornerCount } = lattice;
  for (const isCenter of [false, true]) {
    const [mx, my, mz] = isCenter ? cells : cells.map((n) => n + 1);
    const first = isCenter ? cornerCount : 0;
    for (let k = 0, n = 0; k < mz; k++) {
      for (let j = 0; j < my; j++) {
        for (let i = 0; i < mx; i++, n++) {
          const from = first + n;
          const edge = isCenter ? findCenterEdge(lattice, n) : 3 * n;
          if (i + 1 < mx) visit(edge, from, from + 1, true);
          if (j + 1 < my) visit(edge + 1, from, from + mx, true);
          if (k + 1 < mz) visit(edge + 2, from, from + mx * my, true);
          if (!isCenter) continue;
          for (let octant = 0; octant < 8; octant++) {
            visit(edge + 3 + octant, from, findCorner(lattice, i, j, k, octant), false);
          }
        }
      }
    }
  }
}

/** Calls back for every tetrahedron: its corners (two centres, two corners; positive volume) and the numbers of its six edges. */
export function visitTetrahedra(lattice: Lattice, visit: (corners: Int32Array, edges: Int32Array) => void): void {
  const { cells, cornerCount } = lattice;
  const [nx, ny, nz] = cells;
  const steps = [1, nx, nx * ny];
  const corners = new Int32Array(4);
  const edges = new Int32Array(6);
  for (let k = 0, n = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, n++) {
        for (let axis = 0; axis < 3; axis++) {
          if ([i, j, k][axis] + 1 >= cells[axis]) continue;
          const next = n + steps[axis];
          const [own, other] = [findCenterEdge(lattice, n), findCenterEdge(lattice, next)];
          corners[0] = cornerCount + n;
          corners[1] = cornerCount + next;
          edges[0] = own + axis;
          // the edges of the face, counter-clockwise around the axis
          for (let side = 0; side < 4; side++) {
            const [a, b] = [RING[axis][side], RING[axis][(side + 1) % 4]];
            corners[2] = findCorner(lattice, i, j, k, a);
            corners[3] = findCorner(lattice, i, j, k, b);
            edges[1] = own + 3 + a;
            edges[2] = own + 3 + b;
            // seen from the next cell the face is at the low end
            edges[3] = other + 3 + (a & ~(1 << axis));
            edges[4] = other + 3 + (b & ~(1 << axis));
            const direction = a ^ b;
            edges[5] = 3 * Math.min(corners[2], corners[3]) + (direction === 1 ? 0 : direction === 2 ? 1 : 2);
            visit(corners, edges);
          }
        }
      }
    }
  }
}

/** Octants (bits: high x, high y, high z) of the high face along each axis, counter-clockwise around it. */
const RING: readonly (readonly number[])[] = [
  [1, 3, 7, 5],
  [2, 6, 7, 3],
  [4, 5, 7, 6],
];

function findCenterEdge({ cornerCount }: Lattice, center: number): number {
  return 3 * cornerCount + 11 * center;
}

function findCorner({ cells }: Lattice, i: number, j: number, k: number, octant: number): number {
  const x = i + (octant & 1);
  const y = j + ((octant >> 1) & 1);
  const z = k + (octant >> 2);
  return x + (cells[0] + 1) * (y + (cells[1] + 1) * z);
}
