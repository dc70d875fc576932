/**
 * Tetrahedra that fill the solid φ ≤ 0, by stuffing a body-centred cubic lattice.
 *
 *   1. lattice vertices are inside or outside by the sign of φ; an edge between them has a cut point with φ = 0
 *   2. a vertex with a cut too near to it (0.284 of a long edge, 0.399 of a short one) moves to the nearest such cut, and is then
 *      on the surface; its edges have no cuts any more
 *   3. the inner part of each lattice tetrahedron is filled (lattice-stencil.ts)
 *   4. where parts meet in an edge or a vertex only, each gets its own vertices
 *
 * With h the spacing (m):
 *
 *   quality    every volume is positive; every dihedral angle is between 10.7° and 164.4°, whatever the solid
 *   surface    every vertex of the surface has |φ| ≤ 1e-9 h; every point of the mesh is within 0.97 h of the solid (its
 *              tetrahedron has corners with φ ≤ 0 and edges of at most (1 + 2·0.284) h, and no point of a tetrahedron is farther
 *              than √⅜ of its longest edge from its corners); every point deeper than 1.6 h is in the mesh. Where the surface is
 *              smooth with curvature radius ρ ≫ h the gap is of order h²/ρ; sharp edges that do not lie on the lattice are bevelled
 *   cost       grows with the number of cells of the box around the solid
 *
 * The lattice is centred on that box and its spacing divides the longest side, so that a cube with its faces along the axes is
 * filled exactly. Details finer than h may be lost; a solid that becomes disconnected is an error. Source: Labelle, Shewchuk, Isosurface stuffing (2007).
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import type { SignedDistanceField } from '../signed-distance/field.ts';
import { createLattice, type Lattice, placeVertices, visitEdges, visitTetrahedra } from './lattice.ts';
import { fillLatticeTetrahedron, SNAP_LONG, SNAP_SHORT } from './lattice-stencil.ts';
import { countParts } from './mesh-check.ts';
import { extractSurface, findCrowdedEdge } from './mesh-surface.ts';
import { separateParts } from './separate-parts.ts';
import { findCrossing } from './surface-crossing.ts';
import type { TetrahedralMesh } from './tetrahedral-mesh.ts';

/** Most lattice vertices of one mesh. */
export const MAX_LATTICE_VERTICES = 8388608;
/** |φ| that counts as on the surface, in spacings: the target of root finding, and the largest accepted value. */
const AIM = 1e-13;
const ON_SURFACE = 1e-9;

/** The solid, and its source. */
export interface FieldMesherOptions {
  /** Number of parts of the solid; the mesh must have as many. Default: not checked. */
  parts?: number;
  /** Name of the solid, for error messages. Default: 'the solid'. */
  subject?: string;
  place?: ErrorPlace;
  /** Whether the sign of φ alone says where the surface is: φ need not be continuous. Default: false. */
  isApproximate?: boolean;
}

/**
 * @param field φ, with a finite box around the solid
 * @param resolution longest edge of the lattice, m
 */
export function meshField(
  field: SignedDistanceField,
  resolution: number,
  options: FieldMesherOptions = {},
): TetrahedralMesh {
  const { parts, subject = 'the solid', place = {}, isApproximate = false } = options;
  const lattice = layLattice(field, resolution, subject, place);
  const points = placeVertices(lattice);
  const signs = classifyVertices(field, points, lattice.spacing);
  const cuts = findCuts(field, lattice, points, signs, subject, place, isApproximate);
  snapVertices(cuts, lattice, points, signs);

  // lattice vertices and cut points in one list
  const all = new Float64Array(points.length + cuts.points.length);
  all.set(points);
  all.set(cuts.points, points.length);
  const tetrahedra: number[] = [];
  const tet = { corners: new Int32Array(4), signs: new Int8Array(4), cuts: new Int32Array(6) };
  visitTetrahedra(lattice, (corners, edges) => {
    let isInner = false;
    for (let k = 0; k < 4; k++) {
      tet.corners[k] = corners[k];
      tet.signs[k] = signs[corners[k]];
      isInner ||= tet.signs[k] > 0;
    }
    if (!isInner) return;
    for (let e = 0; e < 6; e++) tet.cuts[e] = lattice.vertexCount + cuts.ofEdge[edges[e]];
    fillLatticeTetrahedron(tetrahedra, tet, all);
  });
  const mesh = separateParts(all, Int32Array.from(tetrahedra));
  const flaw = findFlaw(mesh, parts);
  if (flaw === undefined) return mesh;
  throw new NexdynError('invalid-mesh', `${subject} is too thin for a resolution of ${resolution} m: ${flaw}`, {
    hint: 'use a smaller resolution, at most half of the thinnest part',
    ...place,
  });
}

function layLattice(field: SignedDistanceField, resolution: number, subject: string, place: ErrorPlace): Lattice {
  if (!(resolution > 0 && resolution < Infinity)) {
    const reason = `${subject} is to be meshed with a resolution of ${resolution}: it must be positive`;
    throw new NexdynError('invalid-value', reason, { hint: 'give metres, as in 0.01', ...place });
  }
  const { bounds } = field;
  const sides = [0, 1, 2].map((k) => bounds[3 + k] - bounds[k]);
  const longest = Math.max(...sides);
  if (!(longest > 0 && longest < Infinity)) {
    throw new NexdynError('invalid-value', `${subject} has no finite box around it: it cannot be meshed`, {
      hint: 'give a solid of finite size',
      ...place,
    });
  }
  const spacing = longest / Math.ceil(longest / resolution - 1e-9);
  // whole cells around the solid and one more on each side
  const cells = sides.map((side) => Math.max(1, Math.ceil(side / spacing - 1e-9)) + 2);
  const origin = cells.map((n, k) => 0.5 * (bounds[k] + bounds[3 + k] - n * spacing));
  if (2 * cells[0] * cells[1] * cells[2] > MAX_LATTICE_VERTICES) {
    const reason = `${subject} has ${cells.join(' by ')} cells at a resolution of ${resolution} m: too many`;
    throw new NexdynError('too-large', reason, { hint: 'use a larger resolution', ...place });
  }
  return createLattice(origin, spacing, cells);
}

// 1 inside, −1 outside, 0 on the surface
function classifyVertices(field: SignedDistanceField, points: Float64Array, h: number): Int8Array {
  const { bounds: b } = field;
  const signs = new Int8Array(points.length / 3).fill(-1);
  const edge = ON_SURFACE * h;
  for (let v = 0; v < signs.length; v++) {
    const [x, y, z] = [points[3 * v], points[3 * v + 1], points[3 * v + 2]];
    if (x < b[0] - edge || y < b[1] - edge || z < b[2] - edge) continue;
    if (x > b[3] + edge || y > b[4] + edge || z > b[5] + edge) continue;
    const distance = field.distance(x, y, z);
    signs[v] = Math.abs(distance) <= edge ? 0 : distance < 0 ? 1 : -1;
  }
  return signs;
}

interface Cuts {
  /** Cut of each edge of the lattice, −1 if none. */
  readonly ofEdge: Int32Array;
  /** The inside end, the outside end, and 1 for a long edge: three numbers per cut. */
  readonly ends: Int32Array;
  readonly points: Float64Array;
}

function findCuts(
  field: SignedDistanceField,
  lattice: Lattice,
  points: Float64Array,
  signs: Int8Array,
  subject: string,
  place: ErrorPlace,
  isApproximate: boolean,
): Cuts {
  const ofEdge = new Int32Array(lattice.edgeCount).fill(-1);
  const ends: number[] = [];
  visitEdges(lattice, (edge, from, to, isLong) => {
    if (signs[from] * signs[to] >= 0) return;
    ofEdge[edge] = ends.length / 3;
    ends.push(signs[from] > 0 ? from : to, signs[from] > 0 ? to : from, isLong ? 1 : 0);
  });
  const cuts = { ofEdge, ends: Int32Array.from(ends), points: new Float64Array(ends.length) };
  const aim = isApproximate ? 0.1 * ON_SURFACE : AIM;
  for (let c = 0; c < ends.length; c += 3) {
    const h = lattice.spacing;
    const left = findCrossing(cuts.points, c, field, points, { inside: ends[c], outside: ends[c + 1] }, aim * h);
    if (left <= ON_SURFACE * h || isApproximate) continue;
    const at = [0, 1, 2].map((k) => Number(cuts.points[c + k].toPrecision(6))).join(', ');
    throw new NexdynError('invalid-mesh', `${subject} has no clear inside and outside near (${at})`, {
      hint: 'the surface must not pass through itself',
      ...place,
    });
  }
  return cuts;
}

// in the order of the lattice, so that the result depends on the solid alone
function snapVertices(
  { ends, points: cutPoints }: Cuts,
  lattice: Lattice,
  points: Float64Array,
  signs: Int8Array,
): void {
  // the cuts of each vertex, as linked lists
  const head = new Int32Array(lattice.vertexCount).fill(-1);
  const next = new Int32Array(ends.length);
  for (let c = ends.length - 3; c >= 0; c -= 3) {
    for (let side = 0; side < 2; side++) {
      next[c + side] = head[ends[c + side]];
      head[ends[c + side]] = c + side;
    }
  }
  const h = lattice.spacing;
  for (let v = 0; v < head.length; v++) {
    let nearest = -1;
    let least = Infinity;
    for (let i = head[v]; i >= 0; i = next[i]) {
      const side = i % 3;
      const c = i - side;
      // a cut moves with the first of its ends that moves
      if (signs[ends[c + 1 - side]] === 0) continue;
      const dx = cutPoints[c] - points[3 * v];
      const dy = cutPoints[c + 1] - points[3 * v + 1];
      const dz = cutPoints[c + 2] - points[3 * v + 2];
      const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
      const reach = ends[c + 2] === 1 ? SNAP_LONG * h : SNAP_SHORT * h * Math.sqrt(0.75);
      if (distance >= reach || distance >= least) continue;
      least = distance;
      nearest = c;
    }
    if (nearest < 0) continue;
    for (let k = 0; k < 3; k++) points[3 * v + k] = cutPoints[nearest + k];
    signs[v] = 0;
  }
}

// what a lattice that is too coarse does to a solid
function findFlaw(mesh: TetrahedralMesh, parts: number | undefined): string | undefined {
  if (mesh.tetrahedra.length === 0) return 'nothing of it is left';
  const found = countParts(mesh);
  if (parts !== undefined && found !== parts)
    return `it has ${parts} ${parts === 1 ? 'part' : 'parts'}, its mesh ${found}`;
  // parts may meet in edges that no copies of vertices separate
  const edge = findCrowdedEdge(extractSurface(mesh).triangles, mesh.vertices.length / 3);
  if (!edge) return undefined;
  const at = [0, 1, 2].map((k) => Number(mesh.vertices[3 * edge[0] + k].toPrecision(6))).join(', ');
  return `its surface touches itself near (${at})`;
}
