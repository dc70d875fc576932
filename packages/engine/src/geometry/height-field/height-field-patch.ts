/**
 * The piece of a height field around a box, as triangles with their neighbours.
 *
 * Cell (r, c) between samples (r, c) and (r + 1, c + 1) is two triangles that share the diagonal between those two, as in
 * MuJoCo. One more ring of cells surrounds the piece, so that every edge has its neighbour. At the
 * border of the field walls go down to the base, and the base closes the solid from below.
 *
 *   cell      (r, c) (r, c+1) (r+1, c+1)   and   (r, c) (r+1, c+1) (r+1, c), counter-clockwise from above
 *   wall      below the border edge from a to b: (b, a, a') and (b, a', b'), with a', b' on the base
 */
import type { IndexList } from '../bounding-tree/index-list.ts';
import type { HeightField } from '../height-field.ts';
import type { TriangleSet } from '../triangle-mesh/triangle-mesh.ts';

export class HeightFieldPatch implements TriangleSet {
  vertices: Float64Array = new Float64Array(0);
  triangles: Int32Array = new Int32Array(0);
  normals: Float64Array = new Float64Array(0);
  neighbors: Int32Array = new Int32Array(0);
  /** Number of each triangle in the whole field: cells, then walls, then the base. */
  numbers: Int32Array = new Int32Array(0);
  count = 0;
  // cells of the patch: from row, from column, rows, columns
  readonly range: Int32Array = new Int32Array(4);

  reserve(vertices: number, triangles: number): void {
    if (this.vertices.length < 3 * vertices) this.vertices = new Float64Array(6 * vertices);
    if (this.numbers.length >= triangles) return;
    this.triangles = new Int32Array(6 * triangles);
    this.normals = new Float64Array(6 * triangles);
    this.neighbors = new Int32Array(6 * triangles);
    this.numbers = new Int32Array(2 * triangles);
  }
}

// walls by border cell, to find their neighbours: first triangle of the wall, or −1
let walls: Int32Array = /* @__PURE__ */ new Int32Array(64);

/** Writes the patch around a box (low x y z, high x y z, in the frame of the field). */
export function readPatch(out: HeightFieldPatch, field: HeightField, box: Float64Array): void {
  const { rows, columns, halfSizeX, halfSizeY } = field;
  out.count = 0;
  const stepX = (2 * halfSizeX) / (columns - 1);
  const stepY = (2 * halfSizeY) / (rows - 1);
  // cells under the box, at least those at the border
  const column0 = clampIndex(Math.floor((box[0] + halfSizeX) / stepX), columns - 2);
  const column1 = clampIndex(Math.floor((box[3] + halfSizeX) / stepX), columns - 2);
  const row0 = clampIndex(Math.floor((box[1] + halfSizeY) / stepY), rows - 2);
  const row1 = clampIndex(Math.floor((box[4] + halfSizeY) / stepY), rows - 2);
  // and a ring around them
  const left = column0 > 0 ? column0 - 1 : 0;
  const right = column1 < columns - 2 ? column1 + 1 : columns - 2;
  const low = row0 > 0 ? row0 - 1 : 0;
  const high = row1 < rows - 2 ? row1 + 1 : rows - 2;
  const width = right - left + 1;
  const depth = high - low + 1;
  out.range[0] = low;
  out.range[1] = left;
  out.range[2] = depth;
  out.range[3] = width;
  out.reserve((width + 1) * (depth + 1) + 2 * (width + depth) * 2 + 4, 2 * width * depth + 4 * (width + depth) + 2);
  const lowest = writeVertices(out, field, stepX, stepY);
  const bottom = Math.min(lowest - 1e-3 * stepX, -field.baseDepth);
  writeCells(out);
  writeWalls(out, field, bottom);
  writeBase(out, field, bottom, box);
}

/** Lists the triangles of a patch whose own boxes meet a box. */
export function listPatch(list: IndexList, patch: HeightFieldPatch, field: HeightField, box: Float64Array): void {
  const { range } = patch;
  const { halfSizeX, halfSizeY } = field;
  list.clear();
  // cells under the box
  const stepX = (2 * halfSizeX) / (field.columns - 1);
  const stepY = (2 * halfSizeY) / (field.rows - 1);
  const width = range[3];
  const left = clampIndex(Math.floor((box[0] + halfSizeX) / stepX) - 1 - range[1], width - 1);
  const right = clampIndex(Math.floor((box[3] + halfSizeX) / stepX) + 1 - range[1], width - 1);
  const low = clampIndex(Math.floor((box[1] + halfSizeY) / stepY) - 1 - range[0], range[2] - 1);
  const high = clampIndex(Math.floor((box[4] + halfSizeY) / stepY) + 1 - range[0], range[2] - 1);
  for (let r = low; r <= high; r++) {
    for (let t = 2 * (r * width + left); t <= 2 * (r * width + right) + 1; t++) if (isInBox(patch, t, box)) list.add(t);
  }
  // walls and base
  for (let t = 2 * width * range[2]; t < patch.count; t++) if (isInBox(patch, t, box)) list.add(t);
}

function clampIndex(i: number, last: number): number {
  return i > 0 ? Math.min(i, last) : 0;
}

function writeVertices(out: HeightFieldPatch, field: HeightField, stepX: number, stepY: number): number {
  const { vertices, range } = out;
  const { heights, columns } = field;
  let lowest = Infinity;
  let v = 0;
  for (let r = range[0]; r <= range[0] + range[2]; r++) {
    for (let c = range[1]; c <= range[1] + range[3]; c++) {
      const height = heights[r * columns + c];
      vertices[v++] = stepX * c - field.halfSizeX;
      vertices[v++] = stepY * r - field.halfSizeY;
      vertices[v++] = height;
      if (height < lowest) lowest = height;
    }
  }
  return lowest;
}

function writeCells(out: HeightFieldPatch): void {
  const { neighbors, range } = out;
  const depth = range[2];
  const width = range[3];
  for (let r = 0; r < depth; r++) {
    for (let c = 0; c < width; c++) {
      const v = r * (width + 1) + c;
      const t = writeTriangle(out, v, v + 1, v + width + 2);
      writeTriangle(out, v, v + width + 2, v + width + 1);
      neighbors[3 * t] = r > 0 ? t - 2 * width + 1 : -1;
      neighbors[3 * t + 1] = c + 1 < width ? t + 3 : -1;
      neighbors[3 * t + 2] = t + 1;
      neighbors[3 * t + 3] = t;
      neighbors[3 * t + 4] = r + 1 < depth ? t + 2 * width : -1;
      neighbors[3 * t + 5] = c > 0 ? t - 2 : -1;
    }
  }
}

function writeTriangle(out: HeightFieldPatch, a: number, b: number, c: number): number {
  const { vertices, triangles, normals, neighbors } = out;
  const t = out.count++;
  triangles[3 * t] = a;
  triangles[3 * t + 1] = b;
  triangles[3 * t + 2] = c;
  const ux = vertices[3 * b] - vertices[3 * a];
  const uy = vertices[3 * b + 1] - vertices[3 * a + 1];
  const uz = vertices[3 * b + 2] - vertices[3 * a + 2];
  const vx = vertices[3 * c] - vertices[3 * a];
  const vy = vertices[3 * c + 1] - vertices[3 * a + 1];
  const vz = vertices[3 * c + 2] - vertices[3 * a + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const length = Math.sqrt(x * x + y * y + z * z);
  normals[3 * t] = x / length;
  normals[3 * t + 1] = y / length;
  normals[3 * t + 2] = z / length;
  for (let k = 0; k < 3; k++) neighbors[3 * t + k] = -1;
  return t;
}

// walls under the cells of the patch at the border of the field, counter-clockwise seen from above
function writeWalls(out: HeightFieldPatch, field: HeightField, bottom: number): void {
  const { range, numbers } = out;
  const low = range[0];
  const left = range[1];
  const depth = range[2];
  const width = range[3];
  const cells = 2 * width * depth;
  for (let t = 0; t < cells; t++) {
    const cell = t >> 1;
    const r = low + Math.floor(cell / width);
    const c = left + (cell % width);
    numbers[t] = 2 * (r * (field.columns - 1) + c) + (t & 1);
  }
  const lastRow = field.rows - 2;
  const lastColumn = field.columns - 2;
  const around = 2 * (lastRow + lastColumn + 2);
  const sides = 2 * (width + depth);
  if (walls.length < sides) walls = new Int32Array(2 * sides);
  let vertex = (width + 1) * (depth + 1);
  for (let i = 0; i < sides; i++) {
    walls[i] = -1;
    // south, east, north, west: the cell, its triangle and edge at the border, and the number of the wall
    let r = 0;
    let c = 0;
    let edge = 0;
    let isBorder = false;
    let number = 0;
    if (i < width) {
      c = i;
      isBorder = low === 0;
      number = left + c;
    } else if (i < width + depth) {
      r = i - width;
      c = width - 1;
      edge = 1;
      isBorder = left + width - 1 === lastColumn;
      number = lastColumn + 1 + low + r;
    } else if (i < 2 * width + depth) {
      c = width - 1 - (i - width - depth);
      r = depth - 1;
      edge = 4;
      isBorder = low + depth - 1 === lastRow;
      number = lastColumn + 1 + lastRow + 1 + (lastColumn - left - c);
    } else {
      r = depth - 1 - (i - 2 * width - depth);
      edge = 5;
      isBorder = left === 0;
      number = 2 * (lastColumn + 1) + lastRow + 1 + (lastRow - low - r);
    }
    if (!isBorder) continue;
    walls[i] = out.count;
    writeWall(out, 2 * (r * width + c), edge, vertex, bottom);
    vertex += 2;
    numbers[out.count - 2] = 2 * ((lastRow + 1) * (lastColumn + 1) + number);
    numbers[out.count - 1] = numbers[out.count - 2] + 1;
    // next to the wall before
    if (i > 0 && walls[i - 1] >= 0) joinWalls(out, walls[i - 1], walls[i]);
  }
  if (walls[0] >= 0 && walls[sides - 1] >= 0) joinWalls(out, walls[sides - 1], walls[0]);
  numbers[out.count] = 2 * ((lastRow + 1) * (lastColumn + 1) + around);
  numbers[out.count + 1] = numbers[out.count] + 1;
}

// below edge e (0 to 5) of the two triangles of a cell
function writeWall(out: HeightFieldPatch, cell: number, e: number, vertex: number, bottom: number): void {
  const { triangles, neighbors, vertices } = out;
  const t = cell + (e < 3 ? 0 : 1);
  const k = e % 3;
  const a = triangles[3 * t + k];
  const b = triangles[3 * t + (k === 2 ? 0 : k + 1)];
  for (let end = 0; end < 2; end++) {
    const from = 3 * (end === 0 ? a : b);
    const to = 3 * (vertex + end);
    vertices[to] = vertices[from];
    vertices[to + 1] = vertices[from + 1];
    vertices[to + 2] = bottom;
  }
  const first = writeTriangle(out, b, a, vertex);
  const second = writeTriangle(out, b, vertex, vertex + 1);
  neighbors[3 * t + k] = first;
  neighbors[3 * first] = t;
  neighbors[3 * first + 2] = second;
  neighbors[3 * second] = first;
}

// a wall and the next one counter-clockwise share an upright edge; its lower end becomes one vertex
function joinWalls(out: HeightFieldPatch, wall: number, next: number): void {
  const { neighbors, triangles } = out;
  const end = triangles[3 * wall + 5];
  triangles[3 * next + 2] = end;
  triangles[3 * next + 4] = end;
  neighbors[3 * wall + 5] = next;
  neighbors[3 * next + 1] = wall + 1;
}

function writeBase(out: HeightFieldPatch, field: HeightField, bottom: number, box: Float64Array): void {
  if (box[2] > bottom || box[5] < bottom) return;
  const { vertices } = out;
  const first = vertices.length / 3 - 4;
  for (let i = 0; i < 4; i++) {
    vertices[3 * (first + i)] = i === 0 || i === 3 ? -field.halfSizeX : field.halfSizeX;
    vertices[3 * (first + i) + 1] = i < 2 ? -field.halfSizeY : field.halfSizeY;
    vertices[3 * (first + i) + 2] = bottom;
  }
  const t = writeTriangle(out, first, first + 2, first + 1);
  writeTriangle(out, first, first + 3, first + 2);
  out.neighbors[3 * t] = t + 1;
  out.neighbors[3 * t + 5] = t;
}

function isInBox(out: HeightFieldPatch, t: number, box: Float64Array): boolean {
  const { vertices, triangles } = out;
  const a = 3 * triangles[3 * t];
  const b = 3 * triangles[3 * t + 1];
  const c = 3 * triangles[3 * t + 2];
  for (let k = 0; k < 3; k++) {
    const x = vertices[a + k];
    const y = vertices[b + k];
    const z = vertices[c + k];
    if (x < box[k] && y < box[k] && z < box[k]) return false;
    if (x > box[3 + k] && y > box[3 + k] && z > box[3 + k]) return false;
  }
  return true;
}
