/**
 * Makes triangles face one way: neighbours across an edge of two pass it in opposite directions. Each connected patch takes the side
 * that most of its area had; where the volume of all is then negative, all are reversed.
 */
import { triangleMass } from '../mesh-mass.ts';

export interface OrientedTriangles {
  readonly triangles: Int32Array;
  /** How many were reversed. */
  readonly reversed: number;
}

/** @param triangles three vertex numbers each; vertices at one place have one number */
export function orientTriangles(vertices: Float64Array, triangles: Int32Array): OrientedTriangles {
  const count = triangles.length / 3;
  const neighbors = listNeighbors(triangles, vertices.length / 3);
  const isReversed = new Uint8Array(count);
  const isKnown = new Uint8Array(count);
  for (let first = 0; first < count; first++) {
    if (isKnown[first] === 1) continue;
    const patch = [first];
    isKnown[first] = 1;
    let balance = 0;
    for (let i = 0; i < patch.length; i++) {
      const t = patch[i];
      balance += (isReversed[t] === 1 ? -1 : 1) * measureArea(vertices, triangles, t);
      for (let k = 0; k < 3; k++) {
        const other = neighbors[3 * t + k];
        if (other < 0 || isKnown[other] === 1) continue;
        const from = triangles[3 * t + k];
        const isSame = [0, 1, 2].some(
          (c) =>
            triangles[3 * other + c] === from &&
            triangles[3 * other + ((c + 1) % 3)] === triangles[3 * t + ((k + 1) % 3)],
        );
        isReversed[other] = isSame ? 1 - isReversed[t] : isReversed[t];
        isKnown[other] = 1;
        patch.push(other);
      }
    }
    if (balance < 0) for (const t of patch) isReversed[t] = 1 - isReversed[t];
  }
  const oriented = reverse(triangles, isReversed);
  const whole = triangleMass(vertices, oriented, 'exact').mass < 0;
  const all = whole ? isReversed.map((value) => 1 - value) : isReversed;
  return {
    triangles: whole ? reverse(triangles, all) : oriented,
    reversed: all.reduce((sum, value) => sum + value, 0),
  };
}

function reverse(triangles: Int32Array, isReversed: Uint8Array): Int32Array {
  const out = triangles.slice();
  for (let t = 0; t < isReversed.length; t++) {
    if (isReversed[t] === 0) continue;
    out[3 * t + 1] = triangles[3 * t + 2];
    out[3 * t + 2] = triangles[3 * t + 1];
  }
  return out;
}

// per edge of each triangle: the one other triangle there, −1 where there is none or more
function listNeighbors(triangles: Int32Array, vertexCount: number): Int32Array {
  const users = new Map<number, number[]>();
  for (let i = 0; i < triangles.length; i++) {
    const a = triangles[i];
    const b = triangles[i % 3 === 2 ? i - 2 : i + 1];
    const key = Math.min(a, b) * vertexCount + Math.max(a, b);
    const list = users.get(key);
    if (list) list.push(i);
    else users.set(key, [i]);
  }
  const out = new Int32Array(triangles.length).fill(-1);
  for (const list of users.values()) {
    if (list.length !== 2) continue;
    out[list[0]] = Math.floor(list[1] / 3);
    out[list[1]] = Math.floor(list[0] / 3);
  }
  return out;
}

function measureArea(x: Float64Array, triangles: Int32Array, t: number): number {
  const [a, b, c] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]];
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
  return 0.5 * Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
}
