import { NexdynError } from '@nexdyn/engine';
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
}

/** Largest mesh file that is read, bytes. */
const LARGEST_FILE = 512 * 1024 * 1024;

/** Reads a triangle mesh; the extension of the path tells the format: obj, stl (binary or ASCII), msh (MuJoCo's), glb, gltf. */
export function readMesh(path: string, bytes: Uint8Array): MeshData {
  if (bytes.length > LARGEST_FILE) {
    throw new NexdynError('too-large', `the mesh file has ${bytes.length} bytes`, {
      file: path,
      hint: `at most ${LARGEST_FILE} bytes are read; simplify the mesh`,
    });
  }
  if (bytes.length === 0) {
    throw new NexdynError('malformed-mesh', 'the mesh file is empty', { file: path, hint: 'export the mesh again' });
  }
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  switch (extension) {
    case 'obj':
      return readObj(path, bytes);
    case 'stl':
      return readStl(path, bytes);
    case 'msh':
      return readMsh(path, bytes);
    case 'glb':
    case 'gltf':
      return readGltf(path, bytes);
    default:
      throw new NexdynError('unknown-format', `the mesh format '${extension}' is not supported`, {
        file: path,
        hint: 'convert the mesh to OBJ, STL, MSH or GLB',
      });
  }
}
