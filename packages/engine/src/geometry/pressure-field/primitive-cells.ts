/**
 * Primitives as convex cells in which the pressure is linear, with the extent e = p / E at every vertex: 1 on the medial part of the solid,
 * 0 on its surface, and negative beyond it, out to a margin δ.
 *
 *   sphere     e = 1 − |x|/r: a pyramid from the centre to each triangle of the surface
 *   ellipsoid  e = 1 − |(x/a, y/b, z/c)|: the same
 *   capsule    e = 1 − (distance from the axis)/r: pyramids to the ends of the axis, wedges to its middle
 *   box        e = depth/(least half edge): one cell between each face and the medial rectangle; exact
 *   cylinder   e = depth/min(r, h): sectors between each cap and the medial disc or segment, wedges to the sides
 *
 * Lengths in m. Cells run from the surface to the medial part, so that few of them represent e: exactly where the solid has flat
 * faces, to second order in the resolution where it is round. Source: Drake's hydroelastic meshes follow the medial axis in the same way.
 */
import { NexdynError } from '../../error.ts';
import { cos, sin } from '../../linear-algebra/elementary.ts';
import type { TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.ts';
import { ConvexCells } from './convex-cells.ts';
import { countRings, createHalfSphere } from './round-surface.ts';

/** Tetrahedra and the extent at their vertices. */
export interface ExtentMesh {
  readonly mesh: TetrahedralMesh;
  readonly extent: Float64Array;
}

/** Ways to fill a solid, for the files of the kinds of shapes: sizes, longest edge and margin, m. */
export interface CellMakers {
  ellipsoid(a: number, b: number, c: number, edge: number, margin: number): ExtentMesh;
  capsule(r: number, h: number, edge: number, margin: number): ExtentMesh;
  /** Its cells follow from its faces alone, however large. */
  box(a: number, b: number, c: number, margin: number): ExtentMesh;
  cylinder(r: number, h: number, edge: number, margin: number): ExtentMesh;
}

/** Most cells of a field. */
const MOST_CELLS = 200_000;

/** Refuses cells that are too many, before they are made. */
function limitCells(count: number, resolution: number): void {
  if (count <= MOST_CELLS) return;
  throw new NexdynError('too-large', `a field at a resolution of ${resolution} m has more than ${MOST_CELLS} cells`, {
    hint: 'use a larger resolution',
  });
}

function fillEllipsoid(a: number, b: number, c: number, resolution: number, margin: number): ExtentMesh {
  const rings = countRings(Math.max(a, b, c), resolution);
  limitCells(8 * rings * rings, resolution);
  const { points, triangles } = createHalfSphere(rings);
  const cells = new ConvexCells();
  const center = cells.point(0, 0, 0);
  for (const side of [1, -1]) {
    const at = (i: number): number =>
      cells.point(
        (a + margin) * points[3 * i],
        (b + margin) * points[3 * i + 1],
        side * (c + margin) * points[3 * i + 2],
      );
    addPyramids(cells, triangles, at, center);
  }
  return measureExtent(cells, (x, y, z) => 1 - Math.sqrt((x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2));
}

function fillCapsule(r: number, h: number, resolution: number, margin: number): ExtentMesh {
  const rings = countRings(r, resolution);
  const slices = Math.max(1, Math.ceil((2 * h) / (2 * resolution) - 1e-9));
  limitCells(8 * rings * rings + 4 * rings * slices, resolution);
  const { points, triangles, equator } = createHalfSphere(rings);
  const cells = new ConvexCells();
  const outer = r + margin;
  const at = (i: number, z: number): number => cells.point(outer * points[3 * i], outer * points[3 * i + 1], z);
  for (const side of [1, -1]) {
    const tip = cells.point(0, 0, side * h);
    addPyramids(cells, triangles, (i) => at(i, side * (h + outer * points[3 * i + 2])), tip);
  }
  // the straight part in slices
  for (let s = 0; s < slices; s++) {
    const low = h * ((2 * s) / slices - 1);
    const high = h * ((2 * (s + 1)) / slices - 1);
    for (let j = 0; j < equator.length; j++) {
      const [i, k] = [equator[j], equator[(j + 1) % equator.length]];
      fillWedge(
        cells,
        [at(i, low), at(k, low), at(k, high), at(i, high)],
        cells.point(0, 0, low),
        cells.point(0, 0, high),
      );
    }
  }
  return measureExtent(cells, (x, y, z) => {
    const beyond = Math.max(0, Math.abs(z) - h);
    return 1 - Math.sqrt(x * x + y * y + beyond * beyond) / r;
  });
}

function fillBox(a: number, b: number, c: number, margin: number): ExtentMesh {
  const least = Math.min(a, b, c);
  const cells = new ConvexCells();
  const half = [a, b, c];
  // corner of the box and of its medial rectangle
  const corner = (x: number, y: number, z: number): number =>
    cells.point(x * (a + margin), y * (b + margin), z * (c + margin));
  const medial = (x: number, y: number, z: number): number =>
    cells.point(x * (a - least), y * (b - least), z * (c - least));
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const place = (make: typeof corner, u: number, v: number): number => {
        const s = [0, 0, 0];
        s[axis] = side;
        s[(axis + 1) % 3] = u;
        s[(axis + 2) % 3] = v;
        return make(s[0], s[1], s[2]);
      };
      const around = [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ];
      const outer = around.map(([u, v]) => place(corner, u, v));
      const inner = around.map(([u, v]) => place(medial, u, v));
      const sides = outer.map((v, i) => [v, outer[(i + 1) % 4], inner[(i + 1) % 4], inner[i]]);
      cells.fill([outer, inner, ...sides]);
    }
  }
  return measureExtent(cells, (x, y, z) => {
    const depth = Math.min(half[0] - Math.abs(x), half[1] - Math.abs(y), half[2] - Math.abs(z));
    return depth / least;
  });
}

function fillCylinder(r: number, h: number, resolution: number, margin: number): ExtentMesh {
  const least = Math.min(r, h);
  const sectors = Math.max(6, Math.ceil((2 * Math.PI * r) / resolution - 1e-9));
  const slices = Math.max(1, Math.ceil((2 * (h - least)) / (2 * resolution) - 1e-9));
  limitCells(sectors * (slices + 2), resolution);
  const cells = new ConvexCells();
  const at = (j: number, radius: number, z: number): number => {
    const angle = (2 * Math.PI * (j % sectors)) / sectors;
    return cells.point(radius * cos(angle), radius * sin(angle), z);
  };
  const [outer, top, inner, level] = [r + margin, h + margin, r - least, h - least];
  for (let j = 0; j < sectors; j++) {
    for (const side of [1, -1]) {
      // between cap and medial disc
      const cap = [cells.point(0, 0, side * top), at(j, outer, side * top), at(j + 1, outer, side * top)];
      const disc = [cells.point(0, 0, side * level), at(j, inner, side * level), at(j + 1, inner, side * level)];
      cells.fill([cap, disc, ...cap.map((v, i) => [v, cap[(i + 1) % 3], disc[(i + 1) % 3], disc[i]])]);
    }
    // between side and the rim of the disc, or the axis, in slices; the outermost reach the caps
    const sideAt = (s: number): number => top * ((2 * s) / slices - 1);
    const axisAt = (s: number): number => level * ((2 * s) / slices - 1);
    for (let s = 0; s < slices; s++) {
      const wall = [
        at(j, outer, sideAt(s)),
        at(j + 1, outer, sideAt(s)),
        at(j + 1, outer, sideAt(s + 1)),
        at(j, outer, sideAt(s + 1)),
      ];
      const rim = [
        at(j, inner, axisAt(s)),
        at(j + 1, inner, axisAt(s)),
        at(j + 1, inner, axisAt(s + 1)),
        at(j, inner, axisAt(s + 1)),
      ];
      cells.fill([wall, rim, ...wall.map((v, i) => [v, wall[(i + 1) % 4], rim[(i + 1) % 4], rim[i]])]);
    }
  }
  return measureExtent(cells, (x, y, z) => Math.min(r - Math.sqrt(x * x + y * y), h - Math.abs(z)) / least);
}

function addPyramids(cells: ConvexCells, triangles: Int32Array, at: (i: number) => number, apex: number): void {
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [at(triangles[t]), at(triangles[t + 1]), at(triangles[t + 2])];
    cells.fill([
      [a, b, c],
      [a, b, apex],
      [b, c, apex],
      [c, a, apex],
    ]);
  }
}

// from a rectangle (two corners low, two high) to an edge
function fillWedge(cells: ConvexCells, wall: readonly number[], low: number, high: number): void {
  cells.fill([
    wall,
    [wall[0], wall[1], low],
    [wall[3], wall[2], high],
    [wall[0], wall[3], high, low],
    [wall[1], wall[2], high, low],
  ]);
}

function measureExtent(cells: ConvexCells, extent: (x: number, y: number, z: number) => number): ExtentMesh {
  const mesh = cells.finish();
  const { vertices } = mesh;
  const values = new Float64Array(vertices.length / 3);
  for (let v = 0; v < values.length; v++) {
    values[v] = extent(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]);
  }
  return { mesh, extent: values };
}

export const CELL_MAKERS: CellMakers = {
  ellipsoid: fillEllipsoid,
  capsule: fillCapsule,
  box: fillBox,
  cylinder: fillCylinder,
};
