import { NexdynError } from '../../error.ts';
import { formatPath, type Place, placeBelow } from '../place.ts';
import type { Scene } from '../scene.ts';
import type { Elasticity, GivenTetMesh, SoftBody, TriangleShellMesh } from '../soft-body.ts';
import { checkIndices, checkMultiple } from './assets.ts';
import type { SceneNames } from './names.ts';

/** Checks that soft bodies name things that are there and that their vertex numbers are in range. */
export function checkSoftBodies(scene: Scene, names: SceneNames): void {
  scene.softBodies?.forEach((soft, i) => {
    const place = placeBelow(undefined, 'softBodies', i);
    names.materials.require(soft.material, placeBelow(place, 'material'));
    if (soft.mesh.kind === 'surface' || soft.mesh.kind === 'shell')
      names.meshes.require(soft.mesh.mesh, placeBelow(place, 'mesh', 'mesh'));
    if (soft.mesh.kind === 'tetrahedra') checkTetrahedra(soft.mesh, placeBelow(place, 'mesh'));
    if (soft.mesh.kind === 'triangles') checkTriangles(soft.mesh, placeBelow(place, 'mesh'));
    checkDimension(soft, place);
    checkVertices(soft, place);
    soft.driven?.forEach((driven, k) => {
      const count = 3 * driven.times.length;
      if (driven.displacements.length === count) return;
      const reason = `must have ${count} numbers (three for each time), but has ${driven.displacements.length}`;
      const path = formatPath(placeBelow(place, 'driven', k, 'displacements'));
      throw new NexdynError('invalid-value', reason, { path, hint: 'give x, y and z for each time' });
    });
    soft.attachments?.forEach((attachment, k) => {
      names.body.require(attachment.body, placeBelow(place, 'attachments', k, 'body'));
    });
  });
}

/** Vertex numbers below the number of vertices, where that is known before the mesh is made. */
function checkVertices(soft: SoftBody, place: Place): void {
  if (soft.mesh.kind !== 'tetrahedra' && soft.mesh.kind !== 'triangles') return;
  const count = soft.mesh.vertices.length / 3;
  checkIndices(soft.pinned ?? [], count, 'invalid-value', placeBelow(place, 'pinned'));
  for (const key of ['driven', 'attachments', 'springs'] as const) {
    soft[key]?.forEach((group, k) => {
      checkIndices(group.vertices, count, 'invalid-value', placeBelow(place, key, k, 'vertices'));
    });
  }
}

/** Fields that only bodies of some dimension have. */
function checkDimension(soft: SoftBody, place: Place): void {
  const { kind } = soft.mesh;
  const isShell = kind === 'triangles' || kind === 'grid' || kind === 'shell';
  const { model } = soft.elasticity;
  const at = placeBelow(place, 'elasticity');
  if (!isShell) {
    const given = SHELL_FIELDS.find((field) => soft.elasticity[field] !== undefined);
    if (given === undefined) return;
    const reason = `'${given}' is a constant of shells, and this soft body is a solid`;
    const hint = "remove it, or give the body a mesh of kind 'triangles', 'grid' or 'shell'";
    throw new NexdynError('invalid-value', reason, { path: formatPath(placeBelow(at, given)), hint });
  }
  if (soft.contact === 'hydroelastic') {
    const reason = 'a shell has no inside and so no pressure field';
    throw new NexdynError('invalid-value', reason, {
      path: formatPath(placeBelow(place, 'contact')),
      hint: "leave 'contact' out: shells touch at points and edges, with their thickness",
    });
  }
  if (model !== undefined && model !== 'neoHookean' && model !== 'saintVenantKirchhoff') {
    const reason = `a shell has no ${model} law`;
    const hint = "choose 'saintVenantKirchhoff', which is its default, or 'neoHookean'";
    throw new NexdynError('invalid-value', reason, { path: formatPath(placeBelow(at, 'model')), hint });
  }
}

const SHELL_FIELDS = [
  'orthotropic',
  'strainLimit',
  'stretchStiffness',
  'bendingStiffness',
] as const satisfies readonly (keyof Elasticity)[];

function checkTriangles({ vertices, triangles }: TriangleShellMesh, place: Place): void {
  const at = placeBelow(place, 'triangles');
  checkMultiple(vertices, 3, placeBelow(place, 'vertices'));
  checkMultiple(triangles, 3, at);
  checkIndices(triangles, vertices.length / 3, 'invalid-mesh', at);
}

function checkTetrahedra({ vertices, tetrahedra }: GivenTetMesh, place: Place): void {
  const at = placeBelow(place, 'tetrahedra');
  checkMultiple(vertices, 3, placeBelow(place, 'vertices'));
  checkMultiple(tetrahedra, 4, at);
  checkIndices(tetrahedra, vertices.length / 3, 'invalid-mesh', at);
  for (let t = 0; t < tetrahedra.length; t += 4) {
    if (computeVolume(vertices, tetrahedra, t) > 0) continue;
    const reason = `the tetrahedron ${t / 4} has no positive volume`;
    const hint = 'swap two of its vertices, or remove it where it is flat';
    throw new NexdynError('invalid-mesh', reason, { path: formatPath(placeBelow(at, t)), hint });
  }
}

/** Six times the volume of a tetrahedron: (b − a) · ((c − a) × (d − a)). */
function computeVolume(vertices: number[], tetrahedra: number[], t: number): number {
  const edge = (corner: number, axis: number) =>
    vertices[3 * tetrahedra[t + corner] + axis] - vertices[3 * tetrahedra[t] + axis];
  const [bx, by, bz] = [edge(1, 0), edge(1, 1), edge(1, 2)];
  const [cx, cy, cz] = [edge(2, 0), edge(2, 1), edge(2, 2)];
  const [dx, dy, dz] = [edge(3, 0), edge(3, 1), edge(3, 2)];
  return bx * (cy * dz - cz * dy) + by * (cz * dx - cx * dz) + bz * (cx * dy - cy * dx);
}
