/** A ray against a convex polyhedron in its frame: inside where it is below all faces (Cyrus and Beck 1978). */
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';
import type { RayHit } from './ray-hit.ts';

export function castPolyhedron(hit: RayHit, ray: Float64Array, hull: ConvexPolyhedron): void {
  const { vertices, faceStart, faceVertex, faceNormal } = hull;
  let first = -Infinity;
  let last = Infinity;
  let firstFace = -1;
  let lastFace = -1;
  for (let f = 0; f + 1 < faceStart.length; f++) {
    const nx = faceNormal[3 * f];
    const ny = faceNormal[3 * f + 1];
    const nz = faceNormal[3 * f + 2];
    const v = 3 * faceVertex[faceStart[f]];

    // height above the face, and its rate along the ray
    const height = nx * (ray[0] - vertices[v]) + ny * (ray[1] - vertices[v + 1]) + nz * (ray[2] - vertices[v + 2]);
    const rate = nx * ray[3] + ny * ray[4] + nz * ray[5];
    if (rate === 0) {
      if (height > 0) return;
      continue;
    }
    const t = -height / rate;
    if (rate < 0) {
      if (t > first) {
        first = t;
        firstFace = f;
      }
    } else if (t < last) {
      last = t;
      lastFace = f;
    }
  }
  if (!(first <= last && last < Infinity)) return;
  const isEntry = first >= 0;
  const t = isEntry ? first : last;
  if (!(t >= 0)) return;
  const face = isEntry ? firstFace : lastFace;
  hit.set(t, faceNormal[3 * face], faceNormal[3 * face + 1], faceNormal[3 * face + 2], face);
}
