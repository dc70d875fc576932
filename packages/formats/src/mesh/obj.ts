/**
 * Wavefront OBJ: lines `v x y z` and `f a b c ...` where a corner is `v`, `v/vt`, `v//vn` or `v/vt/vn`, counted from 1
 * or, negative, backwards from the last vertex. All objects and groups of the file become one mesh, or the first that has faces alone, as in
 * MuJoCo. Vertices are kept as the file has them, repeats and those of other objects included.
 */
import { NexdynError } from '@nexdyn/engine';
import { checkLimit, type ReadLimits } from '../limits.ts';
import { listLines } from '../text-file.ts';
import type { MeshData } from './mesh.ts';
import { triangulatePolygon } from './polygon.ts';

/** Most corners of a face: cutting a polygon takes a time that grows with their square, for crossing ones the cube. */
const LARGEST_POLYGON = 1024;
/** Comparisons of corners that cutting all polygons of a file may take. */
const MOST_CUTS = 3e7;
/** Most characters of a line with all that continue it; a face of the most corners has less. */
const LONGEST_LINE = 1 << 16;

/** Reads an OBJ file. @param objects which of its objects; the first alone is cut into triangles as in MuJoCo */
export function readObj(
  path: string,
  bytes: Uint8Array,
  limits: Readonly<ReadLimits>,
  objects: 'all' | 'first' = 'all',
): MeshData {
  let objectsWithFaces = 0;
  let isNewObject = true;
  const vertices: number[] = [];
  // corners of all faces one after the other, with the line and the number of corners of each
  const corners: number[] = [];
  // places in a texture, and which of them each corner has; −1: none
  const places: number[] = [];
  const cornerPlaces: number[] = [];
  const polygonLine: number[] = [];
  const polygonSize: number[] = [];
  for (const { line, text } of joinLines(bytes, path)) {
    const words = text.trim().split(/\s+/);
    const place = { file: path, line, column: 1 };
    const fail = (reason: string, hint: string): never => {
      throw new NexdynError('malformed-mesh', reason, { ...place, hint });
    };
    switch (words[0]) {
      case 'v':
        for (let axis = 1; axis <= 3; axis++) {
          const value = words[axis] === undefined ? Number.NaN : Math.fround(Number(words[axis]));
          if (!Number.isFinite(value))
            fail(`'${text.trim().slice(0, 60)}' is not a vertex`, 'a vertex has three finite numbers');
          vertices.push(value);
        }
        checkLimit(vertices.length / 3, 'vertices', limits, 'vertices', place);
        break;
      case 'vt':
        for (let k = 1; k <= 2; k++) places.push(Math.fround(Number(words[k])) || 0);
        break;
      case 'o':
      case 'g':
        isNewObject = true;
        break;
      case 'f': {
        if (isNewObject) objectsWithFaces++;
        isNewObject = false;
        if (objects === 'first' && objectsWithFaces > 1) break;
        const count = words.length - 1;
        if (count < 3) fail(`a face has ${count} corners`, 'a face has at least three');
        if (count > LARGEST_POLYGON) fail(`a face has ${count} corners`, 'export the mesh as triangles');
        for (let k = 1; k <= count; k++) {
          corners.push(readCorner(words[k]!, vertices.length / 3, fail));
          cornerPlaces.push(readPlace(words[k]!, places.length / 2));
        }
        polygonLine.push(line);
        polygonSize.push(count);
        checkLimit(corners.length - 2 * polygonSize.length, 'faces', limits, 'triangles', place);
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
  const faces: number[] = [];
  const faceCount: number[] = [];
  splitPolygons(path, vertices, corners, polygonSize, polygonLine, objects === 'first', faces, faceCount);
  const mesh: MeshData = { vertices, faces, objectCount: objectsWithFaces };
  const isTextured = cornerPlaces.length > 0 && cornerPlaces.every((place) => place >= 0 && 2 * place < places.length);
  if (isTextured) mesh.textureCoordinates = placeCorners(faces, faceCount, corners, polygonSize, cornerPlaces, places);
  return mesh;
}

// faces may name vertices that come after them, so they are split only when all are known
function splitPolygons(
  path: string,
  vertices: readonly number[],
  corners: readonly number[],
  sizes: readonly number[],
  lines: readonly number[],
  isPlain: boolean,
  faces: number[],
  faceCount: number[],
): void {
  const budget = { left: MOST_CUTS };
  let start = 0;
  sizes.forEach((size, p) => {
    const polygon = corners.slice(start, start + size);
    start += size;
    for (const corner of polygon) {
      if (3 * corner < vertices.length) continue;
      throw new NexdynError('malformed-mesh', `a face names vertex ${corner + 1}`, {
        file: path,
        line: lines[p]!,
        column: 1,
        hint: `the file has ${vertices.length / 3} vertices`,
      });
    }
    const before = faces.length;
    triangulatePolygon(vertices, polygon, faces, budget, isPlain);
    faceCount.push((faces.length - before) / 3);
    if (budget.left < 0) {
      throw new NexdynError('too-large', 'the polygons of the file are too large to cut into triangles', {
        file: path,
        line: lines[p]!,
        column: 1,
        hint: 'export the mesh as triangles',
      });
    }
  });
}

/** Where the corners of triangles lie in a texture: that of the corner of their polygon with the same vertex. */
function placeCorners(
  faces: readonly number[],
  faceCount: readonly number[],
  corners: readonly number[],
  sizes: readonly number[],
  cornerPlaces: readonly number[],
  places: readonly number[],
): number[] {
  const result: number[] = [];
  let start = 0;
  let at = 0;
  sizes.forEach((size, p) => {
    for (let i = 0; i < 3 * faceCount[p]!; i++) {
      const vertex = faces[at++]!;
      let corner = start;
      while (corner + 1 < start + size && corners[corner] !== vertex) corner++;
      const place = cornerPlaces[corner]!;
      result.push(places[2 * place]!, places[2 * place + 1]!);
    }
    start += size;
  });
  return result;
}

/** Lines with those that continue them (a backslash at the end), and the number of the first. */
function* joinLines(bytes: Uint8Array, file: string): Generator<{ line: number; text: string }> {
  let parts: string[] = [];
  let length = 0;
  let line = 1;
  for (const part of listLines(bytes)) {
    const isContinued = part.endsWith('\\');
    parts.push(isContinued ? part.slice(0, -1) : part);
    length += part.length;
    // words of vertices and faces alone are used: long comments are nothing to join
    if (parts.length > 1 && length > LONGEST_LINE) {
      const hint = 'export the mesh as triangles, one face to a line';
      throw new NexdynError('malformed-mesh', `a line is continued beyond ${LONGEST_LINE} characters`, {
        file,
        line,
        column: 1,
        hint,
      });
    }
    if (isContinued) continue;
    yield { line, text: parts.join(' ') };
    line += parts.length;
    parts = [];
    length = 0;
  }
  // the last line may end in a backslash
  if (parts.length > 0) yield { line, text: parts.join(' ') };
}

/** Index from 0 of the place of a corner in a texture, −1 where it has none; `known` come before it. */
function readPlace(word: string, known: number): number {
  const number = Number(word.split('/')[1] || 0);
  return number > 0 ? number - 1 : number < 0 ? known + number : -1;
}

/** Index from 0 of the vertex of a corner; `known` vertices come before it. */
function readCorner(word: string, known: number, fail: (reason: string, hint: string) => never): number {
  const match = /^([+-]?\d+)(?:\/[+-]?\d*){0,2}$/.exec(word);
  const number = match ? Number(match[1]) : 0;
  const index = number > 0 ? number - 1 : known + number;
  if (number === 0 || index < 0 || !Number.isSafeInteger(index)) {
    return fail(`'${word.slice(0, 60)}' is not a corner of a face`, 'vertices count from 1, or from -1 backwards');
  }
  return index;
}
