import { NexdynError } from '@nexdyn/engine';
import { checkLimit, type ReadLimits, resolveLimits } from '../limits.ts';
import { readDae } from './dae.ts';
import { readGltf } from './gltf.ts';
import { readMsh } from './msh.ts';
import { readObj } from './obj.ts';
import { readStl } from './stl.ts';

/** Triangles as a file holds them. */
export interface MeshData {
  /** x, y, z of each vertex, in the unit of the file. Single precision, as every format here stores or means them. */
  vertices: number[];
  /** Three vertex indices per triangle; empty where the file has vertices alone. */
  faces: number[];
  /** Two numbers per corner of each triangle, from the lower left corner of a texture, where the file has them for all. */
  textureCoordinates?: number[];
  /** Objects and groups with faces, in formats that have them. */
  objectCount?: number;
}

/**
 * Reads a triangle mesh; the extension of the path tells the format: obj, stl (binary or ASCII), msh (MuJoCo's), dae, glb, gltf. @param objects
 * of an OBJ file: all as one mesh, or the first alone as MuJoCo reads it
 */
export function readMesh(
  path: string,
  bytes: Uint8Array,
  choice?: Partial<ReadLimits>,
  objects: 'all' | 'first' = 'all',
): MeshData {
  const limits = resolveLimits(choice);
  checkLimit(bytes.length, 'fileBytes', limits, 'bytes in one file', { file: path });
  if (bytes.length === 0) {
    throw new NexdynError('malformed-mesh', 'the mesh file is empty', { file: path, hint: 'export the mesh again' });
  }
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  switch (extension) {
    case 'obj':
      return readObj(path, bytes, limits, objects);
    case 'stl':
      return readStl(path, bytes, limits);
    case 'msh':
      return readMsh(path, bytes, limits);
    case 'dae':
      return readDae(path, bytes, limits);
    case 'glb':
    case 'gltf':
      return readGltf(path, bytes, limits);
    default:
      throw new NexdynError('unknown-format', `the mesh format '${extension}' is not supported`, {
        file: path,
        hint: 'convert the mesh to OBJ, STL, DAE, MSH or GLB',
      });
  }
}
