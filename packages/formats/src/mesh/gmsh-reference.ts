/**
 * Soft bodies of a JSON scene may name a file instead of listing vertices:
 *
 *   "mesh": { "kind": "file", "file": "part.msh", "scale": 0.001 }                                          tetrahedra of Gmsh
 *   "mesh": { "kind": "file", "file": "part.stl", "scale": 0.001, "resolution": 0.01, "repair": true }      a surface that is filled
 *   "mesh": { "kind": "file", "file": "cloth.obj", "thickness": 0.001 }                                     a surface as a shell
 *
 * `file` is relative to the scene, `scale` turns the unit of the file into metres (default 1). The reader puts the content of the file
 * in its place, surfaces among the meshes of the scene, so that the scene itself needs no files.
 */
import { NexdynError } from '@nexdyn/engine';
import type { LoadOptions } from '../loaded-scene.ts';
import { folderOf, resolvePath } from '../path.ts';
import { readGmsh } from './gmsh.ts';
import { readMesh } from './mesh.ts';

/** The value of a scene with every named file replaced by its contents; other values stay as they are. */
export function inlineTetrahedra(value: unknown, scenePath: string, options: LoadOptions): unknown {
  if (!isRecord(value) || !Array.isArray(value.softBodies)) return value;
  const meshes: unknown[] = Array.isArray(value.meshes) ? [...value.meshes] : [];
  const softBodies = value.softBodies.map((soft: unknown, i) => {
    if (!isRecord(soft) || !isRecord(soft.mesh) || soft.mesh.kind !== 'file') return soft;
    return { ...soft, mesh: readReference(soft.mesh, `softBodies[${i}].mesh`, scenePath, options, meshes) };
  });
  return meshes.length > 0 ? { ...value, meshes, softBodies } : { ...value, softBodies };
}

function readReference(
  mesh: Record<string, unknown>,
  path: string,
  scenePath: string,
  options: LoadOptions,
  meshes: unknown[],
): Record<string, unknown> {
  const { kind: _, file, scale = 1, ...rest } = mesh;
  if (typeof file !== 'string' || file === '') {
    throw new NexdynError('missing-value', 'must name a file of tetrahedra or triangles', {
      path: `${path}.file`,
      hint: 'write "file": "solid.msh" or "file": "solid.stl"',
    });
  }
  const isSurface = SURFACE_FILE.test(file);
  const unknown = Object.keys(rest).find((field) => !isSurface || !SURFACE_FIELDS.includes(field));
  if (unknown !== undefined) {
    const hint = isSurface
      ? `a surface from a file has the fields file, scale, ${SURFACE_FIELDS.join(', ')}`
      : 'tetrahedra from a file have the fields file and scale';
    throw new NexdynError('unknown-field', `there is no field '${unknown}'`, { path: `${path}.${unknown}`, hint });
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
  if (isSurface) {
    const { vertices, faces } = readMesh(target, bytes, options.limits);
    const name = chooseName(file, meshes);
    meshes.push({ name, vertices: vertices.map((x) => scale * x), faces });
    if (rest.thickness !== undefined) return { ...rest, kind: 'shell', mesh: name };
    if (rest.resolution !== undefined) return { ...rest, kind: 'surface', mesh: name };
    throw new NexdynError('missing-value', 'a surface needs a resolution, to be filled, or a thickness, as a shell', {
      path,
      hint: 'write "resolution": 0.01 for a solid with edges of 0.01 m, or "thickness": 0.001',
    });
  }
  const { vertices, tetrahedra } = readGmsh(target, bytes, options.limits);
  return { kind: 'tetrahedra', vertices: vertices.map((x) => scale * x), tetrahedra };
}

/** Files of triangles, and what a soft body says of them. */
const SURFACE_FILE = /\.(stl|obj|glb|gltf)$/i;
const SURFACE_FIELDS = ['resolution', 'repair', 'thickness'];

// the name of the file, with a number where it is taken
function chooseName(file: string, meshes: readonly unknown[]): string {
  const taken = new Set(meshes.map((mesh) => (isRecord(mesh) ? mesh.name : undefined)));
  const base = file.slice(file.lastIndexOf('/') + 1);
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base} ${n}`;
    if (!taken.has(name)) return name;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
