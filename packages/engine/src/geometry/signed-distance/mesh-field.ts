/**
 * The signed-distance field of a closed mesh, sampled on a grid: exact distances (exact-mesh-field.ts) at every sample, near
 * and far, so that the error bound of grid-field.ts holds in the whole grid. A search from sample to sample starts at the
 * triangle found last, which makes the far ones as cheap as a marching method. Near the surface the grid is blended with the
 * exact distance, so that the sign is right everywhere (surface-exact-field.ts).
 *
 * Signs come from pseudo-normals. Two neighbours farther from the surface than from each other must agree; where rounding at
 * thin triangles or a surface through itself makes them disagree, the winding number decides for all connected samples, and
 * the field is that of the grid only: its sign is right beyond its error bound.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import { findUncertainCells } from './certain-cells.ts';
import { closeMesh } from './closed-mesh.ts';
import { ExactMeshField } from './exact-mesh-field.ts';
import type { SignedDistanceField } from './field.ts';
import { checkCounts, GridField } from './grid-field.ts';
import { listNearbyTriangles } from './nearby-triangles.ts';
import { SurfaceExactField } from './surface-exact-field.ts';
import { computeWindingNumber } from './winding-number.ts';

/** Layers of samples around the box of the mesh. */
const PADDING = 3;

/**
 * The field of a closed mesh on a grid of the given spacing (m), with the right sign everywhere and the exact distance within a
 * quarter of the spacing of the surface. Its gradient is continuous but near edges, where that of the exact distance jumps; see
 * surface-exact-field.ts for its error and its Lipschitz bound.
 *
 * @param vertices x y z of each vertex, m
 * @param faces three vertex numbers per triangle, counter-clockwise from outside
 * @param subject whose mesh it is, for the error message
 */
export function buildMeshField(
  vertices: ArrayLike<number>,
  faces: ArrayLike<number>,
  spacing: number,
  subject = 'the mesh',
  place: ErrorPlace = {},
): SignedDistanceField {
  if (!(spacing > 0 && spacing < Infinity)) {
    throw new NexdynError('invalid-value', `${subject} is sampled with a spacing of ${spacing}: it must be positive`, {
      hint: 'give metres, as in 0.01',
      ...place,
    });
  }
  const exact = new ExactMeshField(closeMesh(vertices, faces, subject, place));
  const { bounds } = exact;
  const counts = [0, 1, 2].map((k) => Math.ceil((bounds[3 + k] - bounds[k]) / spacing) + 1 + 2 * PADDING);
  checkCounts(counts, `the grid of ${subject}`, place);
  const origin = counts.map((n, k) => 0.5 * (bounds[k] + bounds[3 + k] - (n - 1) * spacing));
  const { values, nearest } = sampleDistances(exact, origin, spacing, counts);
  const isSettled = !haveAgreeingSigns(values, spacing, counts);
  if (isSettled) settleSigns(values, exact.corners, origin, spacing, counts);
  if (!values.some((value) => value < 0)) {
    throw new NexdynError('invalid-value', `${subject} is too thin for a spacing of ${spacing}: no sample is inside`, {
      hint: 'use a smaller spacing',
      ...place,
    });
  }
  const grid = new GridField({ origin, spacing, counts, values });
  // where pseudo-normals fail, the exact field has no sign to hold to
  if (isSettled) return grid;
  const isUncertain = findUncertainCells(grid, values, counts);
  const nearby = listNearbyTriangles(isUncertain, grid, exact, values, counts, nearest);
  return new SurfaceExactField(grid, exact, nearby);
}

/**
 * The exact field of a closed mesh: no error, no grid, and a search of some microseconds per value. Its gradient jumps at the
 * medial axis.
 */
export function buildExactMeshField(
  vertices: ArrayLike<number>,
  faces: ArrayLike<number>,
  subject = 'the mesh',
  place: ErrorPlace = {},
): SignedDistanceField {
  return new ExactMeshField(closeMesh(vertices, faces, subject, place));
}

// distances, and the nearest triangle of each sample
function sampleDistances(
  exact: ExactMeshField,
  origin: number[],
  h: number,
  counts: number[],
): { values: Float64Array; nearest: Int32Array } {
  const [nx, ny, nz] = counts;
  const values = new Float64Array(nx * ny * nz);
  const nearest = new Int32Array(nx * ny * nz);
  for (let k = 0, row = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++, row++) {
      // back and forth, so that the next sample is a neighbour of the last
      for (let m = 0; m < nx; m++) {
        const i = row % 2 === 0 ? m : nx - 1 - m;
        const [x, y, z] = [origin[0] + i * h, origin[1] + j * h, origin[2] + k * h];
        values[row * nx + i] = exact.distanceFrom(exact.nearest, x, y, z);
        nearest[row * nx + i] = exact.nearest;
      }
    }
  }
  return { values, nearest };
}

// a segment of length h from distance a crosses no surface if the distances at its ends sum to more than h
function areConnected(a: number, b: number, h: number): boolean {
  return Math.abs(a) + Math.abs(b) > h * (1 + 1e-9);
}

function haveAgreeingSigns(f: Float64Array, h: number, counts: number[]): boolean {
  const [nx, ny, nz] = counts;
  const nxy = nx * ny;
  for (let k = 0, n = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++, n++) {
        if (i < nx - 1 && f[n] < 0 !== f[n + 1] < 0 && areConnected(f[n], f[n + 1], h)) return false;
        if (j < ny - 1 && f[n] < 0 !== f[n + nx] < 0 && areConnected(f[n], f[n + nx], h)) return false;
        if (k < nz - 1 && f[n] < 0 !== f[n + nxy] < 0 && areConnected(f[n], f[n + nxy], h)) return false;
      }
    }
  }
  return true;
}

function settleSigns(f: Float64Array, corners: Float64Array, origin: number[], h: number, counts: number[]): void {
  const [nx, ny, nz] = counts;
  const nxy = nx * ny;
  const isDone = new Uint8Array(f.length);
  const group = new Int32Array(f.length);
  for (let start = 0; start < f.length; start++) {
    if (isDone[start] === 1) continue;
    // all samples connected with this one
    let size = 0;
    let negative = 0;
    let farthest = start;
    group[size++] = start;
    isDone[start] = 1;
    for (let g = 0; g < size; g++) {
      const n = group[g];
      if (f[n] < 0) negative++;
      if (Math.abs(f[n]) > Math.abs(f[farthest])) farthest = n;
      const i = n % nx;
      const j = Math.floor(n / nx) % ny;
      const k = Math.floor(n / nxy);
      for (let side = 0; side < 6; side++) {
        const step = side < 2 ? 1 : side < 4 ? nx : nxy;
        const at = side < 2 ? i : side < 4 ? j : k;
        const isForward = side % 2 === 1;
        if (isForward ? at === (side < 2 ? nx : side < 4 ? ny : nz) - 1 : at === 0) continue;
        const m = isForward ? n + step : n - step;
        if (isDone[m] === 1 || !areConnected(f[n], f[m], h)) continue;
        isDone[m] = 1;
        group[size++] = m;
      }
    }
    if (negative === 0 || negative === size) continue;
    // they disagree: the winding number at the one farthest from the surface
    const x = origin[0] + (farthest % nx) * h;
    const y = origin[1] + (Math.floor(farthest / nx) % ny) * h;
    const z = origin[2] + Math.floor(farthest / nxy) * h;
    const isInside = computeWindingNumber(corners, x, y, z) > 0.5;
    for (let g = 0; g < size; g++) f[group[g]] = isInside ? -Math.abs(f[group[g]]) : Math.abs(f[group[g]]);
  }
}
