/**
 * Divides tetrahedra until no edge is longer than a resolution: the longest edge of each is halved, again and again. Values at
 * the vertices are interpolated, so that a field that is linear in the tetrahedra does not change. The faces of neighbours
 * need not match.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import { computeVolume, type TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.ts';

/** Most tetrahedra of one field. */
const MOST = 200_000;

/** The mesh and the values, `value` at the vertices of the result. */
export function bisectTetrahedra(
  mesh: TetrahedralMesh,
  value: Float64Array,
  resolution: number,
  subject: string,
  place: ErrorPlace,
): { mesh: TetrahedralMesh; value: Float64Array } {
  const points = Array.from(mesh.vertices);
  const values = Array.from(value);
  const middles = new Map<string, number>();
  const done: number[] = [];
  const open = Array.from(mesh.tetrahedra);
  const limit = resolution * resolution * (1 + 1e-9);
  const halve = (a: number, b: number): number => {
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    const known = middles.get(key);
    if (known !== undefined) return known;
    const number = points.length / 3;
    for (let k = 0; k < 3; k++) points.push(0.5 * (points[3 * a + k] + points[3 * b + k]));
    values.push(0.5 * (values[a] + values[b]));
    middles.set(key, number);
    return number;
  };
  const refuse = (): never => {
    const reason = `${subject} has more than ${MOST} tetrahedra at a resolution of ${resolution} m`;
    throw new NexdynError('too-large', reason, { hint: 'use a larger resolution', ...place });
  };
  // none with edges up to r is larger than the regular one, r³ / 6√2: a resolution that is far too fine is refused at once
  if (computeVolume(mesh) > (MOST * resolution ** 3) / (6 * Math.SQRT2)) refuse();
  while (open.length > 0) {
    const corners = open.splice(open.length - 4, 4);
    const [i, j, squared] = findLongestEdge(points, corners);
    if (squared <= limit) {
      done.push(...corners);
      continue;
    }
    if (done.length + open.length > 4 * MOST) refuse();
    const middle = halve(corners[i], corners[j]);
    open.push(...corners.map((v, k) => (k === j ? middle : v)), ...corners.map((v, k) => (k === i ? middle : v)));
  }
  return {
    mesh: { vertices: Float64Array.from(points), tetrahedra: Int32Array.from(done) },
    value: Float64Array.from(values),
  };
}

// two corners and the squared length; the first of equals, by the numbers of the vertices, so that neighbours agree
function findLongestEdge(points: readonly number[], corners: readonly number[]): [number, number, number] {
  let longest: [number, number, number] = [0, 1, -1];
  for (let i = 0; i < 4; i++) {
    for (let j = i + 1; j < 4; j++) {
      let squared = 0;
      for (let k = 0; k < 3; k++) squared += (points[3 * corners[i] + k] - points[3 * corners[j] + k]) ** 2;
      if (squared > longest[2] * (1 + 1e-12)) longest = [i, j, squared];
    }
  }
  return longest;
}
