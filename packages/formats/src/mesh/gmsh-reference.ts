/**
 * Soft bodies of a JSON scene may name a Gmsh file instead of listing vertices and tetrahedra:
 *
 *   "mesh": { "kind": "file", "file": "part.msh", "scale": 0.001 }
 *
 * `file` is relative to the scene, `scale` turns the unit of the file into metres (default 1). The reader puts the content of the file
 * in its place, so that the scene itself needs no files.
 */
import { NexdynError } from '@nexdyn/engine';
import type { LoadOptions } from '../loaded-scene.ts';
import { folderOf, resolvePath } from '../path.ts';
import { readGmsh } from './gmsh.ts';

/** The value of a scene with every named file replaced by its contents; other values stay as they are. */
export function inlineTetrahedra(value: unknown, scenePath: string, options: LoadOptions): unknown {
  if (!isRecord(value) || !Array.isArray(value.softBodies)) return value;
  const softBodies = value.softBodies.map((soft: unknown, i) => {
    if (!isRecord(soft) || !isRecord(soft.mesh) || soft.mesh.kind !== 'file') return soft;
    return { ...soft, mesh: readReference(soft.mesh, `softBodies[${i}].mesh`, scenePath, options) };
  });
  return { ...value, softBodies };
}

function readReference(
  mesh: Record<string, unknown>,
  path: string,
  scenePath: string,
  options: LoadOptions,
): Record<string, unknown> {
  const { kind: _, file, scale = 1, ...rest } = mesh;
  const unknown = Object.keys(rest)[0];
  if (unknown !== undefined) {
    const hint = 'a mesh from a file has the fields file and scale';
    throw new NexdynError('unknown-field', `there is no field '${unknown}'`, { path: `${path}.${unknown}`, hint });
  }
  if (typeof file !== 'string' || file === '') {
    throw new NexdynError('missing-value', 'must name a Gmsh file', {
      path: `${path}.file`,
      hint: 'write "file": "solid.msh"',
    });
  }
  if (typeof scale !== 'number' || !(scale > 0)) {
    throw new NexdynError('invalid-value', 'must be a positive number', {
      path: `${path}.scale`,
      hint: 'metres per unit of the file, as in 0.001',
    });
  }
  const { allowOutside } = options;
  const target = resolvePath(folderOf(scenePath), file, { allowOutside, place: { path: `${path}.file` } });
  const bytes = options.files.read(target);
  if (!bytes) {
    const hint = 'check the spelling of the path; it is relative to the folder of the scene';
    throw new NexdynError('file-not-found', `there is no file '${target}'`, { path: `${path}.file`, hint });
  }
  const { vertices, tetrahedra } = readGmsh(target, bytes, options.limits);
  return { kind: 'tetrahedra', vertices: vertices.map((x) => scale * x), tetrahedra };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
