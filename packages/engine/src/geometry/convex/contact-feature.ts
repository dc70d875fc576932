/**
 * The feature of a core that faces a direction: a flat polygon, a straight edge, or a single point. Faces and edges count if
 * they face it within a small angle, so that a body that rocks a little keeps its contact points.
 */
import type { PlacedShape } from '../placed-shape.ts';
import { CORE } from './core-kind.ts';
import type { ConvexPolyhedron } from './polyhedron.ts';
import { findSupportVertex } from './support.ts';

/** Sine of the angle within which a feature faces a direction, and its cosine. */
const LEAN = 0.1;
const LEAN_COSINE = 0.99498743710662;
/** Hulls with at most this many vertices number an edge by its two ends. */
const PACKED_VERTICES = 1024;
/** Corners of the polygon inscribed in a cap, and their cosines and sines. */
const CAP_CORNERS = 12;
const HALF_ROOT = 0.8660254037844386;
const CAP_COSINE = /* @__PURE__ */ Float64Array.of(
  1,
  HALF_ROOT,
  0.5,
  0,
  -0.5,
  -HALF_ROOT,
  -1,
  -HALF_ROOT,
  -0.5,
  0,
  0.5,
  HALF_ROOT,
);

// the direction in the frame of the shape
const facing = /* @__PURE__ */ new Float64Array(3);

export class ContactFeature {
  /** Corners: 1 for a point (not written), 2 for an edge, more for a face, counter-clockwise seen against the direction. */
  count = 0;
  /** x y z of the corners relative to the position of A, m. */
  points: Float64Array = new Float64Array(3 * 32);
  /** Unit outward normal of a face. */
  readonly normal: Float64Array = new Float64Array(3);
  /** Which feature of the shape it is. */
  id = 0;

  /** Makes room for some corners. */
  reserve(count: number): void {
    if (3 * count > this.points.length) this.points = new Float64Array(6 * count);
  }
}

/**
 * Finds the feature of a shape that faces the unit vector sign · d.
 *
 * @param offset added to the corners, from the position of A to that of the shape, m
 */
export function findFeature(
  out: ContactFeature,
  shape: PlacedShape,
  d: Float64Array,
  sign: number,
  offset: Float64Array,
): void {
  const { core, rotation } = shape;
  const dx = sign * d[0];
  const dy = sign * d[1];
  const dz = sign * d[2];
  out.count = 1;
  out.id = 0;
  const x = rotation[0] * dx + rotation[3] * dy + rotation[6] * dz;
  const y = rotation[1] * dx + rotation[4] * dy + rotation[7] * dz;
  const z = rotation[2] * dx + rotation[5] * dy + rotation[8] * dz;
  facing[0] = x;
  facing[1] = y;
  facing[2] = z;
  if (core === CORE.box) findBoxFeature(out, shape.size);
  else if (core === CORE.polyhedron) findPolyhedronFeature(out, shape.hull as ConvexPolyhedron);
  else if (core === CORE.cylinder) findCylinderFeature(out, shape.size);
  else if (core === CORE.segment && z <= LEAN && z >= -LEAN) {
    setPoint(out, 0, 0, 0, -shape.size[1]);
    setPoint(out, 1, 0, 0, shape.size[1]);
    out.count = 2;
  }
  if (out.count === 1) return;

  // to the world's axes
  const { points, normal } = out;
  for (let i = 0; i < 3 * out.count; i += 3) {
    turn(points, i, rotation);
    points[i] += offset[0];
    points[i + 1] += offset[1];
    points[i + 2] += offset[2];
  }
  if (out.count > 2) turn(normal, 0, rotation);
}

function turn(v: Float64Array, o: number, rotation: Float64Array): void {
  const x = v[o];
  const y = v[o + 1];
  const z = v[o + 2];
  v[o] = rotation[0] * x + rotation[1] * y + rotation[2] * z;
  v[o + 1] = rotation[3] * x + rotation[4] * y + rotation[5] * z;
  v[o + 2] = rotation[6] * x + rotation[7] * y + rotation[8] * z;
}

function setPoint(out: ContactFeature, i: number, x: number, y: number, z: number): void {
  out.points[3 * i] = x;
  out.points[3 * i + 1] = y;
  out.points[3 * i + 2] = z;
}

function setNormal(out: ContactFeature, x: number, y: number, z: number): void {
  out.normal[0] = x;
  out.normal[1] = y;
  out.normal[2] = z;
}

function findBoxFeature(out: ContactFeature, size: Float64Array): void {
  const x = facing[0];
  const y = facing[1];
  const z = facing[2];
  const ax = x < 0 ? -x : x;
  const ay = y < 0 ? -y : y;
  const az = z < 0 ? -z : z;
  const sx = x < 0 ? -1 : 1;
  const sy = y < 0 ? -1 : 1;
  const sz = z < 0 ? -1 : 1;
  const px = sx * size[0];
  const py = sy * size[1];
  const pz = sz * size[2];
  if (ax >= LEAN_COSINE) {
    setPoint(out, 0, px, -size[1], -sx * size[2]);
    setPoint(out, 1, px, size[1], -sx * size[2]);
    setPoint(out, 2, px, size[1], sx * size[2]);
    setPoint(out, 3, px, -size[1], sx * size[2]);
    setNormal(out, sx, 0, 0);
    out.count = 4;
    out.id = sx > 0 ? 1 : 2;
  } else if (ay >= LEAN_COSINE) {
    setPoint(out, 0, -sy * size[0], py, -size[2]);
    setPoint(out, 1, -sy * size[0], py, size[2]);
    setPoint(out, 2, sy * size[0], py, size[2]);
    setPoint(out, 3, sy * size[0], py, -size[2]);
    setNormal(out, 0, sy, 0);
    out.count = 4;
    out.id = sy > 0 ? 3 : 4;
  } else if (az >= LEAN_COSINE) {
    setPoint(out, 0, -size[0], -sz * size[1], pz);
    setPoint(out, 1, size[0], -sz * size[1], pz);
    setPoint(out, 2, size[0], sz * size[1], pz);
    setPoint(out, 3, -size[0], sz * size[1], pz);
    setNormal(out, 0, 0, sz);
    out.count = 4;
    out.id = sz > 0 ? 5 : 6;
  } else if (ax <= LEAN || ay <= LEAN || az <= LEAN) {
    // the edge along the axis most across the direction
    const isX = ax <= ay && ax <= az;
    const isY = !isX && ay <= az;
    setPoint(out, 0, isX ? -size[0] : px, isY ? -size[1] : py, isX || isY ? pz : -size[2]);
    setPoint(out, 1, isX ? size[0] : px, isY ? size[1] : py, isX || isY ? pz : size[2]);
    out.count = 2;
    const bits = (isX || sx < 0 ? 0 : 1) + (isY || sy < 0 ? 0 : 2) + (!(isX || isY) || sz < 0 ? 0 : 4);
    out.id = 7 + (isX ? 0 : isY ? 8 : 16) + bits;
  }
}

function findCylinderFeature(out: ContactFeature, size: Float64Array): void {
  const x = facing[0];
  const y = facing[1];
  const z = facing[2];
  const radius = size[0];
  if (z >= LEAN_COSINE || z <= -LEAN_COSINE) {
    const sz = z < 0 ? -1 : 1;
    for (let i = 0; i < CAP_CORNERS; i++) {
      // sine is cosine a quarter turn back; the lower cap turns the other way
      const sine = CAP_COSINE[(i + CAP_CORNERS - 3) % CAP_CORNERS];
      setPoint(out, i, radius * CAP_COSINE[i], sz * radius * sine, sz * size[1]);
    }
    setNormal(out, 0, 0, sz);
    out.count = CAP_CORNERS;
    out.id = sz > 0 ? 1 : 2;
  } else if (z <= LEAN && z >= -LEAN) {
    // the generator line nearest to the direction
    const scale = radius / Math.sqrt(x * x + y * y);
    setPoint(out, 0, scale * x, scale * y, -size[1]);
    setPoint(out, 1, scale * x, scale * y, size[1]);
    out.count = 2;
    out.id = 3;
  }
}

function findPolyhedronFeature(out: ContactFeature, hull: ConvexPolyhedron): void {
  const x = facing[0];
  const y = facing[1];
  const z = facing[2];
  const { vertices, faceStart, faceVertex, faceNormal, neighborStart, neighbor } = hull;
  // the face that faces the direction best
  let face = -1;
  let best = LEAN_COSINE;
  for (let f = 0; f < faceNormal.length / 3; f++) {
    const along = faceNormal[3 * f] * x + faceNormal[3 * f + 1] * y + faceNormal[3 * f + 2] * z;
    if (along > best) {
      best = along;
      face = f;
    }
  }
  if (face >= 0) {
    const start = faceStart[face];
    const count = faceStart[face + 1] - start;
    out.reserve(count);
    for (let i = 0; i < count; i++) {
      const v = 3 * faceVertex[start + i];
      setPoint(out, i, vertices[v], vertices[v + 1], vertices[v + 2]);
    }
    setNormal(out, faceNormal[3 * face], faceNormal[3 * face + 1], faceNormal[3 * face + 2]);
    out.count = count;
    out.id = face;
    return;
  }
  // or the edge of the farthest vertex that lies most across it
  const vertex = findSupportVertex(hull, facing, 0);
  let other = -1;
  let least = LEAN;
  for (let k = neighborStart[vertex]; k < neighborStart[vertex + 1]; k++) {
    const ex = vertices[3 * neighbor[k]] - vertices[3 * vertex];
    const ey = vertices[3 * neighbor[k] + 1] - vertices[3 * vertex + 1];
    const ez = vertices[3 * neighbor[k] + 2] - vertices[3 * vertex + 2];
    const sine = Math.abs(ex * x + ey * y + ez * z) / Math.sqrt(ex * ex + ey * ey + ez * ez);
    if (sine < least) {
      least = sine;
      other = neighbor[k];
    }
  }
  if (other < 0) return;
  // from the lower to the higher number, so that the edge is the same seen from either end
  const from = Math.min(vertex, other);
  const to = Math.max(vertex, other);
  setPoint(out, 0, vertices[3 * from], vertices[3 * from + 1], vertices[3 * from + 2]);
  setPoint(out, 1, vertices[3 * to], vertices[3 * to + 1], vertices[3 * to + 2]);
  out.count = 2;
  out.id = faceNormal.length / 3 + numberEdge(hull, from, to);
}

/**
 * A number for the edge between two vertices, from < to, that no other edge of the hull has. The pair of numbers up to
 * PACKED_VERTICES vertices; beyond them the place of the edge in the list of neighbours, which fits 32 bits for any hull.
 */
function numberEdge(hull: ConvexPolyhedron, from: number, to: number): number {
  if (hull.vertices.length <= 3 * PACKED_VERTICES) return from * PACKED_VERTICES + to;
  return hull.neighbor.indexOf(to, hull.neighborStart[from]);
}
