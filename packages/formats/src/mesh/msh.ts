/**
 * MuJoCo's binary mesh, little endian: four int32 counts (vertices, normals, texture coordinates, faces), then float32
 * vertices (3 each), normals (3), texture coordinates (2), and int32 faces (3 vertex indices each).
 */
import { NexdynError } from '@nexdyn/engine';
import { checkLimit, type ReadLimits } from '../limits.ts';
import { isGmsh } from './gmsh.ts';
import type { MeshData } from './mesh.ts';

const HEADER = 16;

/** Reads a MuJoCo MSH file. */
export function readMsh(path: string, bytes: Uint8Array, limits: Readonly<ReadLimits>): MeshData {
  const fail = (reason: string, hint: string): never => {
    throw new NexdynError('malformed-mesh', reason, { file: path, hint });
  };
  if (isGmsh(bytes)) fail('this is a Gmsh file', 'convert the surface to OBJ or STL');
  if (bytes.length < HEADER) fail(`the file ends after ${bytes.length} bytes`, `an MSH header has ${HEADER}`);

  // the counts must account for every byte before any of them is trusted
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [vertexCount, normalCount, textureCount, faceCount] = [0, 4, 8, 12].map((at) => view.getInt32(at, true)) as [
    number,
    number,
    number,
    number,
  ];
  if (Math.min(vertexCount, normalCount, textureCount, faceCount) < 0) {
    fail(
      `the header claims ${vertexCount} vertices, ${normalCount} normals, ${textureCount} texture coordinates and ${faceCount} faces`,
      'counts cannot be negative; export the mesh again',
    );
  }
  const faceStart = HEADER + 4 * (3 * vertexCount + 3 * normalCount + 2 * textureCount);
  const expected = faceStart + 12 * faceCount;
  if (expected !== bytes.length) {
    fail(
      `the header claims ${vertexCount} vertices and ${faceCount} faces, ${expected} bytes, but the file has ${bytes.length}`,
      'the file is truncated or is not a MuJoCo MSH',
    );
  }
  checkLimit(vertexCount, 'vertices', limits, 'vertices', { file: path });
  checkLimit(faceCount, 'faces', limits, 'triangles', { file: path });
  if (vertexCount === 0) fail('the mesh has no vertices', 'export the mesh again');

  const vertices = new Array<number>(3 * vertexCount);
  for (let i = 0; i < vertices.length; i++) {
    const value = view.getFloat32(HEADER + 4 * i, true);
    if (!Number.isFinite(value)) fail(`vertex ${Math.floor(i / 3)} is not finite`, 'export the mesh again');
    vertices[i] = value;
  }
  const faces = new Array<number>(3 * faceCount);
  for (let i = 0; i < faces.length; i++) {
    const index = view.getInt32(faceStart + 4 * i, true);
    if (index < 0 || index >= vertexCount) {
      fail(`face ${Math.floor(i / 3)} names vertex ${index}`, `the mesh has ${vertexCount} vertices, counted from 0`);
    }
    faces[i] = index;
  }
  const mesh: MeshData = { vertices, faces };
  if (textureCount === vertexCount && textureCount > 0) {
    // MuJoCo's files count rows from the top
    const start = HEADER + 4 * (3 * vertexCount + 3 * normalCount);
    const take = (i: number): number => view.getFloat32(start + 4 * i, true);
    mesh.textureCoordinates = faces.flatMap((v) => [take(2 * v), 1 - take(2 * v + 1)]);
  }
  return mesh;
}
