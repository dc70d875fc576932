/**
 * Which faces of tetrahedra lie on each other. Face f of tetrahedron t has the number 4 t + f and is opposite to corner f. Faces
 * are sorted into buckets by their lowest vertex, so the work grows with the number of tetrahedra alone.
 */
import { FACE_CORNERS } from './tetrahedral-mesh.ts';

export interface FacePairs {
  /** The face on the other side of each face; −1 on the surface. */
  readonly across: Int32Array;
  /** A face that lies on two others, or on one that belongs to a tetrahedron of the same side; and the face it lies on. */
  readonly conflict: { readonly face: number; readonly other: number; readonly isCrowded: boolean } | undefined;
}

export function pairFaces(tetrahedra: Int32Array, vertexCount: number): FacePairs {
  const count = tetrahedra.length;
  const lowest = new Int32Array(count);
  const start = new Int32Array(vertexCount + 1);
  for (let face = 0; face < count; face++) {
    const [a, b, c] = readFace(tetrahedra, face);
    lowest[face] = Math.min(a, b, c);
    start[lowest[face] + 1]++;
  }
  for (let v = 0; v < vertexCount; v++) start[v + 1] += start[v];
  // each face against those of its bucket that came before
  const fill = start.slice(0, vertexCount);
  const bucket = new Int32Array(count);
  const across = new Int32Array(count).fill(-1);
  let conflict: FacePairs['conflict'];
  for (let face = 0; face < count; face++) {
    const low = lowest[face];
    const [next, last] = turnToLowest(tetrahedra, face, low);
    for (let i = start[low]; i < fill[low]; i++) {
      const other = bucket[i];
      const [otherNext, otherLast] = turnToLowest(tetrahedra, other, low);
      const isOpposite = next === otherLast && last === otherNext;
      if (!isOpposite && !(next === otherNext && last === otherLast)) continue;
      const isCrowded = across[other] >= 0;
      if (isOpposite && !isCrowded) {
        across[face] = other;
        across[other] = face;
      } else conflict ??= { face, other, isCrowded };
      break;
    }
    bucket[fill[low]++] = face;
  }
  return { across, conflict };
}

/** The three vertices of a face, counter-clockwise from outside. */
export function readFace(tetrahedra: Int32Array, face: number): [number, number, number] {
  const o = face & ~3;
  const c = 3 * (face & 3);
  return [tetrahedra[o + FACE_CORNERS[c]], tetrahedra[o + FACE_CORNERS[c + 1]], tetrahedra[o + FACE_CORNERS[c + 2]]];
}

// the two vertices that follow the lowest
function turnToLowest(tetrahedra: Int32Array, face: number, low: number): [number, number] {
  const [a, b, c] = readFace(tetrahedra, face);
  return a === low ? [b, c] : b === low ? [c, a] : [a, b];
}
