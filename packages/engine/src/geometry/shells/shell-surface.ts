/** The rest shape of a shell of a scene as triangles. */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import type { MeshAsset } from '../../scene/asset.ts';
import type { ShellMesh } from '../../scene/soft-body.ts';
import { findDegenerateTriangles, removeDegenerateTriangles } from '../triangle-mesh/degenerate-triangles.ts';
import { findHinges } from './shell-topology.ts';

/** Most cells of a grid: a simulation of more would not fit into its memory. */
const MOST_CELLS = 500_000;

export interface ShellSurface {
  readonly vertices: Float64Array;
  readonly triangles: Int32Array;
}

export function buildShellSurface(mesh: ShellMesh, meshes: readonly MeshAsset[], place: ErrorPlace): ShellSurface {
  if (mesh.kind === 'grid') {
    requireFewCells(mesh.cells, place);
    return meshGrid(mesh.size, mesh.cells);
  }
  if (mesh.kind === 'triangles') {
    const surface = { vertices: Float64Array.from(mesh.vertices), triangles: Int32Array.from(mesh.triangles) };
    requireUsedVertices(surface, place);
    requireAreas(surface, place);
    return requireSheet(surface, place);
  }
  const asset = meshes.find(({ name }) => name === mesh.mesh);
  const faces = asset?.faces ?? [];
  if (!asset || faces.length === 0) {
    const reason = asset ? `the mesh '${mesh.mesh}' has no faces` : `there is no mesh '${mesh.mesh}'`;
    const hint = asset ? 'a shell needs triangles' : "add it to 'meshes'";
    throw new NexdynError(asset ? 'invalid-mesh' : 'unknown-reference', reason, { hint, ...place });
  }
  const isWhole = asset.strict || findDegenerateTriangles(asset.vertices, faces).length === 0;
  const kept = isWhole ? faces : removeDegenerateTriangles(asset.vertices, faces);
  return requireSheet(dropUnusedVertices(asset.vertices, kept), place);
}

function requireFewCells([nx, ny]: readonly number[], place: ErrorPlace): void {
  if (nx * ny <= MOST_CELLS) return;
  const reason = `the grid has ${nx} by ${ny} cells, more than ${MOST_CELLS}`;
  throw new NexdynError('too-large', reason, { hint: 'use fewer cells', ...place });
}

/** Two triangles per cell, all with the diagonal along x + y. */
export function meshGrid([width, depth]: readonly number[], [nx, ny]: readonly number[]): ShellSurface {
  const vertices = new Float64Array(3 * (nx + 1) * (ny + 1));
  const triangles = new Int32Array(6 * nx * ny);
  for (let j = 0, v = 0; j <= ny; j++) {
    for (let i = 0; i <= nx; i++, v += 3) {
      vertices[v] = width * (i / nx - 0.5);
      vertices[v + 1] = depth * (j / ny - 0.5);
    }
  }
  for (let j = 0, t = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++, t += 6) {
      const a = j * (nx + 1) + i;
      const c = a + nx + 2;
      triangles.set([a, a + 1, c, a, c, c - 1], t);
    }
  }
  return { vertices, triangles };
}

// files often have vertices that no face uses: the numbers of the others move up
function dropUnusedVertices(vertices: ArrayLike<number>, faces: ArrayLike<number>): ShellSurface {
  const number = new Int32Array(vertices.length / 3).fill(-1);
  for (let i = 0; i < faces.length; i++) number[faces[i]] = 0;
  const kept: number[] = [];
  for (let v = 0; v < number.length; v++) {
    if (number[v] < 0) continue;
    number[v] = kept.length / 3;
    kept.push(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]);
  }
  return { vertices: Float64Array.from(kept), triangles: Int32Array.from(Array.from(faces, (v) => number[v])) };
}

// an edge has one triangle or two
function requireSheet(surface: ShellSurface, { path }: ErrorPlace): ShellSurface {
  findHinges(surface.triangles, surface.vertices.length / 3, path ?? '');
  return surface;
}

function requireAreas({ vertices, triangles }: ShellSurface, place: ErrorPlace): void {
  const [flat] = findDegenerateTriangles(vertices, triangles);
  if (flat === undefined) return;
  throw new NexdynError('invalid-mesh', `triangle ${flat} has no area`, {
    hint: 'its corners lie on one line or coincide: leave it out, or mesh the surface anew',
    ...place,
  });
}

function requireUsedVertices({ vertices, triangles }: ShellSurface, place: ErrorPlace): void {
  const isUsed = new Uint8Array(vertices.length / 3);
  for (const v of triangles) isUsed[v] = 1;
  const lost = isUsed.indexOf(0);
  if (lost < 0) return;
  throw new NexdynError('invalid-mesh', `vertex ${lost} belongs to no triangle and has no mass`, {
    hint: 'leave out vertices that no triangle uses',
    ...place,
  });
}
