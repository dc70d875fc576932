/**
 * Wavefront OBJ: lines `v x y z` and `f a b c ...` where a corner is `v`, `v/vt`, `v//vn` or `v/vt/vn`, counted from 1
 * or, negative, backwards from the last vertex. All objects and groups of the file become one mesh, or the first that has faces alone, as in
 * MuJoCo. Vertices are kept as the file has them, repeats and those of other objects included.
 */
import { NexdynError } from '@nexdyn/engine';
import { checkLimit, type ReadLimits } from '../limits.ts';
import { listLines } from '../text-file.ts';
import type { MeshData } from './mesh.ts';
import { ObjScan } from './obj-scan.ts';
import { triangulatePolygon } from './polygon.ts';

/** Most corners of a face: cutting a polygon takes a time that grows with their square, for crossing ones the cube. */
const LARGEST_POLYGON = 1024;
/** Comparisons of corners that cutting all polygons of a file may take. */
const MOST_CUTS = 3e7;
/** Most characters of a line with all that continue it; a face of the most corners has less. */
const LONGEST_LINE = 1 << 16;

// bytes
const LINE_FEED = 10;
const RETURN = 13;
const SPACE = 32;
const HASH = 35;
const BACKSLASH = 92;
const LETTER_F = 102;
const LETTER_N = 110;
const LETTER_T = 116;
const LETTER_V = 118;

/** Reads an OBJ file. @param objects which of its objects; the first alone is cut into triangles as in MuJoCo */
export function readObj(
  path: string,
  bytes: Uint8Array,
  limits: Readonly<ReadLimits>,
  objects: 'all' | 'first' = 'all',
): MeshData {
  const reading = new ObjReading(path, bytes, limits, objects === 'first');
  if (bytes.includes(BACKSLASH)) for (const { line, text } of joinLines(bytes, path)) reading.readWords(line, text);
  else reading.readBytes();
  return reading.finish();
}

/** What of a file is read so far. */
class ObjReading {
  readonly #path: string;
  readonly #bytes: Uint8Array;
  readonly #limits: Readonly<ReadLimits>;
  readonly #isFirstAlone: boolean;
  readonly #scan: ObjScan;
  #objectsWithFaces = 0;
  #isNewObject = true;
  readonly #vertices: number[] = [];
  // corners of all faces one after the other, with the line and the number of corners of each
  readonly #corners: number[] = [];
  // places in a texture, and which of them each corner has; −1: none
  readonly #places: number[] = [];
  readonly #cornerPlaces: number[] = [];
  readonly #polygonLine: number[] = [];
  readonly #polygonSize: number[] = [];

  constructor(path: string, bytes: Uint8Array, limits: Readonly<ReadLimits>, isFirstAlone: boolean) {
    this.#path = path;
    this.#bytes = bytes;
    this.#limits = limits;
    this.#isFirstAlone = isFirstAlone;
    this.#scan = new ObjScan(bytes);
  }

  /** All lines, where none continues another. */
  readBytes(): void {
    const bytes = this.#bytes;
    const decoder = new TextDecoder();
    let line = 1;
    for (let from = 0; from < bytes.length; line++) {
      let end = from;
      while (end < bytes.length && bytes[end] !== LINE_FEED && bytes[end] !== RETURN) end++;
      if (!this.#readPlain(line, from, end)) this.readWords(line, decoder.decode(bytes.subarray(from, end)));
      from = bytes[end] === RETURN && bytes[end + 1] === LINE_FEED ? end + 2 : end + 1;
    }
  }

  /** A line as it is usually written; false, with nothing read, where it is another one. */
  #readPlain(line: number, from: number, end: number): boolean {
    const [first, second] = [this.#bytes[from], from + 1 < end ? this.#bytes[from + 1] : SPACE];
    if (from === end || first === HASH || (first === LETTER_V && second === LETTER_N)) return true;
    if (first === LETTER_V && second === SPACE) return this.#readPlainVertex(line, from + 2, end);
    if (first === LETTER_V && second === LETTER_T) return this.#readPlainPlace(from + 2, end);
    return first === LETTER_F && second === SPACE && this.#readPlainFace(line, from + 2, end);
  }

  #readPlainVertex(line: number, from: number, end: number): boolean {
    const scan = this.#scan;
    scan.open(from, end);
    const x = scan.readNumber();
    const y = scan.position < 0 ? x : scan.readNumber();
    const z = scan.position < 0 ? x : scan.readNumber();
    if (scan.position < 0) return false;
    const [a, b, c] = [Math.fround(x), Math.fround(y), Math.fround(z)];
    if (!Number.isFinite(a) || !Number.isFinite(b) || !Number.isFinite(c)) return false;
    this.#vertices.push(a, b, c);
    this.#checkVertices(line);
    return true;
  }

  #readPlainPlace(from: number, end: number): boolean {
    const scan = this.#scan;
    if (this.#bytes[from] !== SPACE) return false;
    scan.open(from, end);
    const u = scan.readNumber();
    const v = scan.position < 0 ? u : scan.readNumber();
    if (scan.position < 0) return false;
    this.#places.push(Math.fround(u) || 0, Math.fround(v) || 0);
    return true;
  }

  #readPlainFace(line: number, from: number, end: number): boolean {
    const scan = this.#scan;
    const before = this.#corners.length;
    scan.open(from, end);
    while (!scan.isAtEnd() && scan.readCorner()) {
      this.#corners.push(scan.vertex - 1);
      this.#cornerPlaces.push(scan.place - 1);
    }
    const count = this.#corners.length - before;
    const isPlain = scan.position >= 0 && count >= 3 && count <= LARGEST_POLYGON;
    const isTaken = isPlain && this.#beginFace();
    if (!isTaken) this.#corners.length = this.#cornerPlaces.length = before;
    if (isTaken) this.#endFace(line, count);
    return isPlain;
  }

  /** A line by its words. */
  readWords(line: number, text: string): void {
    const words = text.trim().split(/\s+/);
    const fail = (reason: string, hint: string): never => {
      throw new NexdynError('malformed-mesh', reason, { ...this.#locate(line), hint });
    };
    switch (words[0]) {
      case 'v':
        for (let axis = 1; axis <= 3; axis++) {
          const value = words[axis] === undefined ? Number.NaN : Math.fround(Number(words[axis]));
          if (!Number.isFinite(value))
            fail(`'${text.trim().slice(0, 60)}' is not a vertex`, 'a vertex has three finite numbers');
          this.#vertices.push(value);
        }
        this.#checkVertices(line);
        break;
      case 'vt':
        for (let k = 1; k <= 2; k++) this.#places.push(Math.fround(Number(words[k])) || 0);
        break;
      case 'o':
      case 'g':
        this.#isNewObject = true;
        break;
      case 'f': {
        if (!this.#beginFace()) break;
        const count = words.length - 1;
        if (count < 3) fail(`a face has ${count} corners`, 'a face has at least three');
        if (count > LARGEST_POLYGON) fail(`a face has ${count} corners`, 'export the mesh as triangles');
        for (let k = 1; k <= count; k++) {
          this.#corners.push(readCorner(words[k]!, this.#vertices.length / 3, fail));
          this.#cornerPlaces.push(readPlace(words[k]!, this.#places.length / 2));
        }
        this.#endFace(line, count);
        break;
      }
      case 'cstype':
      case 'curv':
      case 'surf':
        fail('free-form curves and surfaces are not supported', 'export the mesh as triangles');
    }
  }

  #locate(line: number): { file: string; line: number; column: number } {
    return { file: this.#path, line, column: 1 };
  }

  #checkVertices(line: number): void {
    const count = this.#vertices.length / 3;
    if (count > this.#limits.vertices) checkLimit(count, 'vertices', this.#limits, 'vertices', this.#locate(line));
  }

  /** Whether a face belongs to an object that is read. */
  #beginFace(): boolean {
    if (this.#isNewObject) this.#objectsWithFaces++;
    this.#isNewObject = false;
    return !this.#isFirstAlone || this.#objectsWithFaces <= 1;
  }

  #endFace(line: number, count: number): void {
    this.#polygonLine.push(line);
    this.#polygonSize.push(count);
    const triangles = this.#corners.length - 2 * this.#polygonSize.length;
    if (triangles > this.#limits.faces) checkLimit(triangles, 'faces', this.#limits, 'triangles', this.#locate(line));
  }

  finish(): MeshData {
    const path = this.#path;
    const vertices = this.#vertices;
    const corners = this.#corners;
    const cornerPlaces = this.#cornerPlaces;
    const places = this.#places;
    const sizes = this.#polygonSize;
    if (vertices.length === 0) {
      throw new NexdynError('malformed-mesh', 'the mesh has no vertices', {
        file: path,
        hint: 'the file is not an OBJ',
      });
    }
    const faces: number[] = [];
    const faceCount: number[] = [];
    splitPolygons(path, vertices, corners, sizes, this.#polygonLine, this.#isFirstAlone, faces, faceCount);
    const mesh: MeshData = { vertices, faces, objectCount: this.#objectsWithFaces };
    const isTextured =
      cornerPlaces.length > 0 && cornerPlaces.every((place) => place >= 0 && 2 * place < places.length);
    if (isTextured) mesh.textureCoordinates = placeCorners(faces, faceCount, corners, sizes, cornerPlaces, places);
    return mesh;
  }
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
