/**
 * Normals of a mesh, smooth over gentle edges and sharp over hard ones:
 *
 *   n(face f, vertex v) = Σ A_g n_g over the faces g around v with n_f · n_g ≥ cos 35°
 *
 * A_g: area of face g (m²), n_g: its unit normal. Vertices at one place count as one, since many files repeat them for every face;
 * a place then has as many vertices as it has normals.
 */
import type { Surface } from './surface.ts';

const SHARPEST_SMOOTH_EDGE = Math.cos((35 * Math.PI) / 180);
/** Normals that differ by less are one. */
const SAME_NORMAL = 1e3;

export function addCreaseNormals(vertices: ArrayLike<number>, faces: ArrayLike<number>): Surface {
  const place = weld(vertices);
  const { unit, area } = measureFaces(vertices, faces);
  const around = listFacesAround(faces, place);

  // corners with the same place and normal are one vertex
  const known = new Map<string, number>();
  const positions: number[] = [];
  const normals: number[] = [];
  const indices = new Uint32Array(faces.length);
  for (let corner = 0; corner < faces.length; corner++) {
    const vertex = faces[corner]!;
    const normal = smoothen(Math.floor(corner / 3), around.get(place[vertex]!)!, unit, area);
    const key = `${place[vertex]} ${normal.map((part) => Math.round(SAME_NORMAL * part)).join(' ')}`;
    let index = known.get(key);
    if (index === undefined) {
      index = known.size;
      known.set(key, index);
      positions.push(vertices[3 * vertex]!, vertices[3 * vertex + 1]!, vertices[3 * vertex + 2]!);
      normals.push(...normal);
    }
    indices[corner] = index;
  }
  return { positions: Float32Array.from(positions), normals: Float32Array.from(normals), indices };
}

/** The first vertex at the place of each vertex, in single precision. */
function weld(vertices: ArrayLike<number>): Int32Array {
  const first = new Map<string, number>();
  return Int32Array.from({ length: vertices.length / 3 }, (_, vertex) => {
    const key = [0, 1, 2].map((k) => Math.fround(vertices[3 * vertex + k]!) + 0).join(' ');
    const known = first.get(key) ?? vertex;
    first.set(key, known);
    return known;
  });
}

function measureFaces(
  vertices: ArrayLike<number>,
  faces: ArrayLike<number>,
): { unit: Float64Array; area: Float64Array } {
  const count = faces.length / 3;
  const unit = new Float64Array(3 * count);
  const area = new Float64Array(count);
  for (let face = 0; face < count; face++) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * faces[3 * face + k]!) as [number, number, number];
    const u = [0, 1, 2].map((k) => vertices[b + k]! - vertices[a + k]!) as [number, number, number];
    const v = [0, 1, 2].map((k) => vertices[c + k]! - vertices[a + k]!) as [number, number, number];
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...normal);
    area[face] = length / 2;
    if (length > 0)
      unit.set(
        normal.map((part) => part / length),
        3 * face,
      );
  }
  return { unit, area };
}

function listFacesAround(faces: ArrayLike<number>, place: Int32Array): Map<number, number[]> {
  const around = new Map<number, number[]>();
  for (let corner = 0; corner < faces.length; corner++) {
    const at = place[faces[corner]!]!;
    const list = around.get(at);
    if (list) list.push(Math.floor(corner / 3));
    else around.set(at, [Math.floor(corner / 3)]);
  }
  return around;
}

function smoothen(
  face: number,
  around: readonly number[],
  unit: Float64Array,
  area: Float64Array,
): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  const [x, y, z] = unit.subarray(3 * face, 3 * face + 3) as unknown as [number, number, number];
  for (const other of around) {
    const cosine = x * unit[3 * other]! + y * unit[3 * other + 1]! + z * unit[3 * other + 2]!;
    if (cosine < SHARPEST_SMOOTH_EDGE) continue;
    for (let k = 0; k < 3; k++) sum[k]! += area[other]! * unit[3 * other + k]!;
  }
  const length = Math.hypot(...sum);
  // a face without area has no normal: any will do
  return length > 0 ? [sum[0] / length, sum[1] / length, sum[2] / length] : [0, 0, 1];
}
