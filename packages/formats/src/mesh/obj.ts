/**
 * Wavefront OBJ: lines `v x y z` and `f a b c ...` where a corner is `v`, `v/vt`, `v//vn` or `v/vt/vn`, counted from 1
 * or, negative, backwards from the last vertex. All objects and groups of the file become one mesh (MuJoCo takes the
 * first alone). Vertices are kept as the file has them, repeats included.
 */
import { NexdynError } from '@nexdyn/engine';
import type { MeshData } from './mesh.ts';
import { triangulatePolygon } from './polygon.ts';

/** Most corners of a face: cutting a polygon takes a time that grows with their square, for crossing ones the cube. */
const LARGEST_POLYGON = 1024;

/** Reads an OBJ file. */
export function readObj(path: string, bytes: Uint8Array): MeshData {
  const vertices: number[] = [];
  const polygons: { line: number; corners: number[] }[] = [];
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\r|\n/);
  for (let index = 0; index < lines.length; index++) {
    const start = index;
    let text = lines[index]!;
    while (text.endsWith('\\') && index + 1 < lines.length) text = `${text.slice(0, -1)} ${lines[++index]!}`;
    const words = text.trim().split(/\s+/);
    const fail = (reason: string, hint: string): never => {
      throw new NexdynError('malformed-mesh', reason, { file: path, line: start + 1, column: 1, hint });
    };
    switch (words[0]) {
      case 'v':
        for (let axis = 1; axis <= 3; axis++) {
          const value = words[axis] === undefined ? Number.NaN : Math.fround(Number(words[axis]));
          if (!Number.isFinite(value)) fail(`'${text.trim()}' is not a vertex`, 'a vertex has three finite numbers');
          vertices.push(value);
        }
        break;
      case 'f': {
        const corners = words.slice(1).map((word) => readCorner(word, vertices.length / 3, fail));
        if (corners.length < 3) fail(`a face has ${corners.length} corners`, 'a face has at least three');
        if (corners.length > LARGEST_POLYGON)
          fail(`a face has ${corners.length} corners`, 'export the mesh as triangles');
        polygons.push({ line: start + 1, corners });
        break;
      }
      case 'cstype':
      case 'curv':
      case 'surf':
        fail('free-form curves and surfaces are not supported', 'export the mesh as triangles');
    }
  }
  if (vertices.length === 0) {
    throw new NexdynError('malformed-mesh', 'the mesh has no vertices', { file: path, hint: 'the file is not an OBJ' });
  }

  // faces may name vertices that come after them, so split only when all are known
  const faces: number[] = [];
  for (const { line, corners } of polygons) {
    for (const corner of corners) {
      if (3 * corner >= vertices.length) {
        throw new NexdynError('malformed-mesh', `a face names vertex ${corner + 1}`, {
          file: path,
          line,
          column: 1,
          hint: `the file has ${vertices.length / 3} vertices`,
        });
      }
    }
    triangulatePolygon(vertices, corners, faces);
  }
  return { vertices, faces };
}

/** Index from 0 of the vertex of a corner; `known` vertices come before it. */
function readCorner(word: string, known: number, fail: (reason: string, hint: string) => never): number {
  const match = /^([+-]?\d+)(?:\/[+-]?\d*){0,2}$/.exec(word);
  const number = match ? Number(match[1]) : 0;
  const index = number > 0 ? number - 1 : known + number;
  if (number === 0 || index < 0 || !Number.isSafeInteger(index)) {
    return fail(`'${word}' is not a corner of a face`, 'vertices count from 1, or from -1 backwards');
  }
  return index;
}
