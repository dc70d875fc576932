/**
 * Triangles with one normal per corner, smooth over gentle edges and sharp over hard ones.
 *
 *   n(corner of face f) = Σ A_g n_g  over the faces g around the vertex with n_f · n_g ≥ cos 35°
 *
 * n_g: unit normal of face g; A_g: its area in m². Vertices at the same place count as one, since many mesh files
 * (STL) repeat them for every face.
 */
const SHARPEST_SMOOTH_EDGE = Math.cos((35 * Math.PI) / 180);

export function triangulateWithNormals(
  vertices: ArrayLike<number>,
  faces: ArrayLike<number>,
): { positions: Float32Array; normals: Float32Array } {
  const faceCount = faces.length / 3;
  const positions = new Float32Array(9 * faceCount);
  const normals = new Float32Array(9 * faceCount);
  const weighted = faceNormals(vertices, faces);
  const places = weldVertices(vertices);
  const around = listFacesAround(faces, places.index, places.count);

  for (let face = 0; face < faceCount; face++) {
    for (let corner = 0; corner < 3; corner++) {
      const vertex = faces[3 * face + corner]!;
      const out = 9 * face + 3 * corner;
      for (let i = 0; i < 3; i++) positions[out + i] = vertices[3 * vertex + i]!;
      writeCornerNormal(normals, out, face, places.index[vertex]!, weighted, around);
    }
  }
  return { positions, normals };
}

interface FaceNormals {
  /** Unit normals. */
  unit: Float32Array;
  area: Float32Array;
}

interface FacesAround {
  start: Int32Array;
  face: Int32Array;
}

function faceNormals(vertices: ArrayLike<number>, faces: ArrayLike<number>): FaceNormals {
  const count = faces.length / 3;
  const unit = new Float32Array(3 * count);
  const area = new Float32Array(count);
  for (let face = 0; face < count; face++) {
    const [a, b, c] = [3 * faces[3 * face]!, 3 * faces[3 * face + 1]!, 3 * faces[3 * face + 2]!];
    const ux = vertices[b]! - vertices[a]!;
    const uy = vertices[b + 1]! - vertices[a + 1]!;
    const uz = vertices[b + 2]! - vertices[a + 2]!;
    const vx = vertices[c]! - vertices[a]!;
    const vy = vertices[c + 1]! - vertices[a + 1]!;
    const vz = vertices[c + 2]! - vertices[a + 2]!;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const length = Math.hypot(nx, ny, nz);
    area[face] = length / 2;
    if (length > 0) unit.set([nx / length, ny / length, nz / length], 3 * face);
  }
  return { unit, area };
}

/** One number per distinct place, in single precision; a hash table with open addressing. */
function weldVertices(vertices: ArrayLike<number>): { index: Int32Array; count: number } {
  const count = vertices.length / 3;
  const single = Float32Array.from(vertices, (value) => value + 0);
  const bits = new Int32Array(single.buffer);
  const mask = 2 ** Math.ceil(Math.log2(2 * count + 2)) - 1;
  const table = new Int32Array(mask + 1).fill(-1);
  const index = new Int32Array(count);
  let places = 0;
  for (let vertex = 0; vertex < count; vertex++) {
    const [x, y, z] = [bits[3 * vertex]!, bits[3 * vertex + 1]!, bits[3 * vertex + 2]!];
    let slot = Math.imul(Math.imul(Math.imul(x, 73856093) ^ y, 19349663) ^ z, 83492791);
    slot = (slot ^ (slot >>> 15)) & mask;
    let known = table[slot]!;
    while (known >= 0 && (bits[3 * known] !== x || bits[3 * known + 1] !== y || bits[3 * known + 2] !== z)) {
      slot = (slot + 1) & mask;
      known = table[slot]!;
    }
    if (known < 0) table[slot] = vertex;
    index[vertex] = known < 0 ? places++ : index[known]!;
  }
  return { index, count: places };
}

/** Faces around each place, in compressed rows. */
function listFacesAround(faces: ArrayLike<number>, place: Int32Array, places: number): FacesAround {
  const start = new Int32Array(places + 1);
  for (let i = 0; i < faces.length; i++) start[place[faces[i]!]! + 1]! += 1;
  for (let i = 0; i < places; i++) start[i + 1]! += start[i]!;
  const next = start.slice();
  const face = new Int32Array(faces.length);
  for (let i = 0; i < faces.length; i++) face[next[place[faces[i]!]!]!++] = Math.floor(i / 3);
  return { start, face };
}

function writeCornerNormal(
  out: Float32Array,
  offset: number,
  face: number,
  place: number,
  { unit, area }: FaceNormals,
  { start, face: faces }: FacesAround,
): void {
  const [fx, fy, fz] = [unit[3 * face]!, unit[3 * face + 1]!, unit[3 * face + 2]!];
  let x = 0;
  let y = 0;
  let z = 0;
  for (let entry = start[place]!; entry < start[place + 1]!; entry++) {
    const other = faces[entry]!;
    const [gx, gy, gz] = [unit[3 * other]!, unit[3 * other + 1]!, unit[3 * other + 2]!];
    if (fx * gx + fy * gy + fz * gz < SHARPEST_SMOOTH_EDGE) continue;
    x += area[other]! * gx;
    y += area[other]! * gy;
    z += area[other]! * gz;
  }
  const length = Math.hypot(x, y, z) || 1;
  out[offset] = x / length;
  out[offset + 1] = y / length;
  out[offset + 2] = z / length;
}
