/**
 * The sides of a hull as MuJoCo has them: neighbouring faces become one polygon where their normals n have the same rounded angles
 *
 *   round(atan2(n_y, n_x) / 0.01),  round(acos(n_z) / 0.01)        along ±z only the sign counts
 *
 * in the frame of the file. So a side may be bent by up to 0.01 rad, and faces within less than that may be apart where their
 * angles round to different numbers. Its normal is the mean of its faces', by area. MuJoCo takes the frame before the mesh is scaled:
 * sides of meshes whose scale mirrors or stretches them may differ. Angles in rad. Source: MuJoCo 4.0, user_mesh.
 */
import { acos, atan2 } from '../../linear-algebra/elementary.ts';
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';

const ANGLE = 0.01;
/** Nearer to ±z than this the angle about z says nothing. */
const POLE = 1e-7;

export type HullSides = Pick<ConvexPolyhedron, 'faceStart' | 'faceVertex' | 'faceNormal'>;

const known = /* @__PURE__ */ new WeakMap<ConvexPolyhedron, HullSides>();

/** Sides, counter-clockwise from outside, found at the first use of a hull. */
export function findSides(hull: ConvexPolyhedron): HullSides {
  let sides = known.get(hull);
  if (sides === undefined) {
    sides = joinFaces(hull);
    known.set(hull, sides);
  }
  return sides;
}

function joinFaces(hull: ConvexPolyhedron): HullSides {
  const { faceStart, faceVertex, faceNormal, vertices } = hull;
  const faces = faceStart.length - 1;
  const count = vertices.length / 3;
  const across = new Map<number, number>();
  for (let f = 0; f < faces; f++) {
    for (let k = faceStart[f]; k < faceStart[f + 1]; k++) {
      across.set(faceVertex[k] * count + faceVertex[k + 1 === faceStart[f + 1] ? faceStart[f] : k + 1], f);
    }
  }
  const key = Array.from({ length: faces }, (_, f) => roundAngles(faceNormal, 3 * f));
  const owner = new Int32Array(faces).fill(-1);
  const polygons: number[][] = [];
  for (let seed = 0; seed < faces; seed++) {
    if (owner[seed] >= 0) continue;
    const group = [seed];
    owner[seed] = seed;
    for (const f of group) {
      for (let k = faceStart[f]; k < faceStart[f + 1]; k++) {
        const to = faceVertex[k + 1 === faceStart[f + 1] ? faceStart[f] : k + 1];
        const other = across.get(to * count + faceVertex[k]);
        if (other === undefined || owner[other] >= 0 || key[other] !== key[seed]) continue;
        owner[other] = seed;
        group.push(other);
      }
    }
    const own = (f: number): number[] => [...faceVertex.subarray(faceStart[f], faceStart[f + 1])];
    const loop = group.length > 1 ? traceLoop(group, owner, across, hull) : own(seed);
    if (loop) polygons.push(loop);
    else polygons.push(...group.map(own));
  }
  return assemble(polygons, vertices);
}

/** The rounded angles of a normal as one number. */
function roundAngles(n: Float64Array, o: number): number {
  const [x, y, z] = [n[o] + 0, n[o + 1] + 0, n[o + 2]];
  if (Math.abs(z) > 1 - POLE) return z < 0 ? Math.round(Math.PI / ANGLE) : 0;
  return 1000 * Math.round(atan2(y, x) / ANGLE) + Math.round(acos(z) / ANGLE);
}

// edges to other sides, in order; undefined where they are not one loop that visits each corner once
function traceLoop(
  group: readonly number[],
  owner: Int32Array,
  across: ReadonlyMap<number, number>,
  { faceStart, faceVertex, vertices }: ConvexPolyhedron,
): number[] | undefined {
  const count = vertices.length / 3;
  const next = new Map<number, number>();
  let start = -1;
  for (const f of group) {
    for (let k = faceStart[f]; k < faceStart[f + 1]; k++) {
      const to = faceVertex[k + 1 === faceStart[f + 1] ? faceStart[f] : k + 1];
      const other = across.get(to * count + faceVertex[k]);
      if (other !== undefined && owner[other] === owner[f]) continue;
      if (next.has(faceVertex[k])) return undefined;
      next.set(faceVertex[k], to);
      if (start < 0) start = faceVertex[k];
    }
  }
  const loop: number[] = [];
  for (let at: number | undefined = start; at !== undefined && loop.length < next.size; at = next.get(at)) {
    if (at === start && loop.length > 0) return undefined;
    loop.push(at);
  }
  return loop.length === next.size && loop.length >= 3 ? loop : undefined;
}

function assemble(polygons: readonly number[][], v: Float64Array): HullSides {
  const faceStart = new Int32Array(polygons.length + 1);
  const faceNormal = new Float64Array(3 * polygons.length);
  polygons.forEach((polygon, f) => {
    faceStart[f + 1] = faceStart[f] + polygon.length;
    const p = 3 * polygon[0];
    const n = [0, 0, 0];
    for (let k = 1; k + 1 < polygon.length; k++) {
      const [a, b] = [3 * polygon[k], 3 * polygon[k + 1]];
      const [ux, uy, uz] = [v[a] - v[p], v[a + 1] - v[p + 1], v[a + 2] - v[p + 2]];
      const [wx, wy, wz] = [v[b] - v[p], v[b + 1] - v[p + 1], v[b + 2] - v[p + 2]];
      n[0] += uy * wz - uz * wy;
      n[1] += uz * wx - ux * wz;
      n[2] += ux * wy - uy * wx;
    }
    const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (let k = 0; k < 3; k++) faceNormal[3 * f + k] = length > 0 ? n[k] / length : 0;
  });
  return { faceStart, faceVertex: Int32Array.from(polygons.flat()), faceNormal };
}
