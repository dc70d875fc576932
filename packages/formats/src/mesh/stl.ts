/**
 * STL. Binary, little endian: 80 free bytes, uint32 number of triangles, then 50 bytes each: normal and three vertices
 * as float32, two free bytes. ASCII: `solid`, then `facet ... outer loop, 3 × vertex x y z, endloop, endfacet`.
 * Triangles do not share vertices in the file; equal ones are merged.
 */
import { NexdynError } from '@nexdyn/engine';
import { checkLimit, type ReadLimits } from '../limits.ts';
import { listLines } from '../text-file.ts';
import type { MeshData } from './mesh.ts';
import { VertexTable } from './vertex-table.ts';

const HEADER = 84;
const TRIANGLE = 50;

/** Reads an STL file; the size tells binary from ASCII, since many binary files begin with `solid` too. */
export function readStl(path: string, bytes: Uint8Array, limits: Readonly<ReadLimits>): MeshData {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const claimed = bytes.length >= HEADER ? view.getUint32(80, true) : 0;
  if (bytes.length >= HEADER && bytes.length === HEADER + TRIANGLE * claimed) {
    checkLimit(claimed, 'faces', limits, 'triangles', { file: path });
    return readBinary(path, view, claimed);
  }
  if (isText(bytes)) return readAscii(path, bytes, limits);
  if (bytes.length < HEADER) {
    throw new NexdynError('malformed-mesh', `the file ends after ${bytes.length} bytes`, {
      file: path,
      hint: `a binary STL header has ${HEADER} bytes; export the mesh again`,
    });
  }
  throw new NexdynError(
    'malformed-mesh',
    `the header claims ${claimed} triangles, ${HEADER + TRIANGLE * claimed} bytes, but the file has ${bytes.length}`,
    { file: path, hint: 'the file is truncated or is not an STL' },
  );
}

function readBinary(path: string, view: DataView, count: number): MeshData {
  if (count === 0) {
    throw new NexdynError('malformed-mesh', 'the mesh has no triangles', { file: path, hint: 'export the mesh again' });
  }
  const table = new VertexTable();
  const faces = new Array<number>(3 * count);
  for (let corner = 0; corner < 3 * count; corner++) {
    // skip the normal that opens each triangle
    const triangle = Math.floor(corner / 3);
    const at = HEADER + TRIANGLE * triangle + 12 * ((corner % 3) + 1);
    const x = view.getFloat32(at, true);
    const y = view.getFloat32(at + 4, true);
    const z = view.getFloat32(at + 8, true);
    if (!Number.isFinite(x + y + z)) {
      throw new NexdynError('malformed-mesh', `triangle ${triangle} has a vertex that is not finite`, {
        file: path,
        hint: 'export the mesh again',
      });
    }
    faces[corner] = table.add(x, y, z);
  }
  return { vertices: table.vertices, faces };
}

function readAscii(path: string, bytes: Uint8Array, limits: Readonly<ReadLimits>): MeshData {
  const table = new VertexTable();
  const faces: number[] = [];
  let corners = 0;
  let line = 0;
  for (const text of listLines(bytes)) {
    line++;
    const words = text.trim().split(/\s+/);
    const fail = (reason: string, hint: string): never => {
      throw new NexdynError('malformed-mesh', reason, { file: path, line, column: 1, hint });
    };
    switch (words[0]!.toLowerCase()) {
      case 'outer':
        corners = 0;
        break;
      case 'vertex': {
        const [x, y, z] = [Number(words[1]), Number(words[2]), Number(words[3])] as [number, number, number];
        const finite = [x, y, z].every((value) => Number.isFinite(Math.fround(value)));
        if (words.length !== 4 || !finite)
          fail(`'${text.trim().slice(0, 60)}' is not a vertex`, 'three finite numbers');
        faces.push(table.add(x, y, z));
        checkLimit(faces.length / 3, 'faces', limits, 'triangles', { file: path, line, column: 1 });
        corners++;
        break;
      }
      case 'endloop':
        if (corners !== 3) fail(`a facet has ${corners} vertices`, 'STL facets are triangles');
        break;
      case '':
      case 'solid':
      case 'facet':
      case 'endfacet':
      case 'endsolid':
        break;
      default:
        fail(`'${words[0]!.slice(0, 60)}' is not a keyword of ASCII STL`, 'the file is damaged or is not an STL');
    }
  }
  if (faces.length === 0 || faces.length % 3 !== 0) {
    throw new NexdynError('malformed-mesh', faces.length ? 'the last facet is cut off' : 'the mesh has no triangles', {
      file: path,
      line,
      column: 1,
      hint: 'export the mesh again',
    });
  }
  return { vertices: table.vertices, faces };
}

/** ASCII files begin with `solid` and hold no zero byte near their start. */
function isText(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, 512);
  return !start.includes(0) && new TextDecoder().decode(start).trimStart().toLowerCase().startsWith('solid');
}
