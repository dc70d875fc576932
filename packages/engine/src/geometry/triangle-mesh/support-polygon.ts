/**
 * The side of a convex shape that faces a direction, as a polygon: what rests on a surface when the shape lies on it.
 *
 *   sphere, ellipsoid   the farthest point
 *   capsule             both ends of its axis (the core)
 *   cylinder            an octagon on the cap that faces the direction, else the line of its side that does
 *   box, convex mesh    the face that faces the direction most
 */
import { CORE } from '../convex/core-kind.ts';
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';
import { supportCore } from '../convex/support.ts';
import type { MovingPart } from './moving-part.ts';

/** Cosine of the angle within which a side counts as flat on the opposite face. */
export const ALIGNED = 0.995;
/** Sine of that angle. */
export const ALIGNED_SINE = 0.0998;

const HALF_ROOT: number = Math.SQRT1_2;

export class SupportPolygon {
  count = 0;
  /** x y z of each corner, counter-clockwise from outside, m. */
  points: Float64Array = new Float64Array(3 * 16);
  /** Outward normal; of three corners or more. */
  readonly normal: Float64Array = new Float64Array(3);
  /** Whether it lies flat across the direction. */
  isAligned = false;
}

/** Writes the side of a part that faces the unit direction d. */
export function readSupportPolygon(out: SupportPolygon, part: MovingPart, dx: number, dy: number, dz: number): void {
  out.isAligned = false;
  if (part.core === CORE.box) readBoxFace(out, part, dx, dy, dz);
  else if (part.core === CORE.polyhedron) readHullFace(out, part, part.hull as ConvexPolyhedron, dx, dy, dz);
  else if (part.core === CORE.segment) readSegment(out, part, dx, dy, dz);
  else if (part.core === CORE.cylinder) readCylinderSide(out, part, dx, dy, dz);
  else {
    supportCore(out.points, 0, part, dx, dy, dz, 0);
    for (let k = 0; k < 3; k++) out.points[k] += part.position[k];
    out.count = 1;
  }
}

function readBoxFace(out: SupportPolygon, part: MovingPart, dx: number, dy: number, dz: number): void {
  const { rotation, size, position } = part;
  let axis = 0;
  let along = 0;
  for (let i = 0; i < 3; i++) {
    const cosine = rotation[i] * dx + rotation[3 + i] * dy + rotation[6 + i] * dz;
    if (Math.abs(cosine) <= Math.abs(along)) continue;
    axis = i;
    along = cosine;
  }
  const sign = along < 0 ? -1 : 1;
  const i = axis;
  // the other two axes, so that (j, k, sign · i) is right-handed
  const j = sign > 0 ? (axis + 1) % 3 : (axis + 2) % 3;
  const k = sign > 0 ? (axis + 2) % 3 : (axis + 1) % 3;
  for (let c = 0; c < 4; c++) {
    const sj = c === 0 || c === 3 ? -size[j] : size[j];
    const sk = c < 2 ? -size[k] : size[k];
    for (let r = 0; r < 3; r++) {
      out.points[3 * c + r] =
        position[r] + sign * size[i] * rotation[3 * r + i] + sj * rotation[3 * r + j] + sk * rotation[3 * r + k];
    }
  }
  for (let r = 0; r < 3; r++) out.normal[r] = sign * rotation[3 * r + i];
  out.count = 4;
  out.isAligned = Math.abs(along) >= ALIGNED;
}

function readHullFace(
  out: SupportPolygon,
  part: MovingPart,
  hull: ConvexPolyhedron,
  dx: number,
  dy: number,
  dz: number,
): void {
  const { rotation, position } = part;
  const x = rotation[0] * dx + rotation[3] * dy + rotation[6] * dz;
  const y = rotation[1] * dx + rotation[4] * dy + rotation[7] * dz;
  const z = rotation[2] * dx + rotation[5] * dy + rotation[8] * dz;
  const { faceNormal, faceStart, faceVertex, vertices } = hull;
  let face = 0;
  let along = -2;
  for (let f = 0; f < faceStart.length - 1; f++) {
    const cosine = faceNormal[3 * f] * x + faceNormal[3 * f + 1] * y + faceNormal[3 * f + 2] * z;
    if (cosine <= along) continue;
    along = cosine;
    face = f;
  }
  const start = faceStart[face];
  out.count = faceStart[face + 1] - start;
  out.isAligned = along >= ALIGNED;
  if (out.points.length < 3 * out.count) out.points = new Float64Array(6 * out.count);
  for (let r = 0; r < 3; r++) {
    const rx = rotation[3 * r];
    const ry = rotation[3 * r + 1];
    const rz = rotation[3 * r + 2];
    for (let c = 0; c < out.count; c++) {
      const v = 3 * faceVertex[start + c];
      out.points[3 * c + r] = position[r] + rx * vertices[v] + ry * vertices[v + 1] + rz * vertices[v + 2];
    }
    out.normal[r] = rx * faceNormal[3 * face] + ry * faceNormal[3 * face + 1] + rz * faceNormal[3 * face + 2];
  }
}

function readSegment(out: SupportPolygon, part: MovingPart, dx: number, dy: number, dz: number): void {
  const { rotation, position, size } = part;
  for (let r = 0; r < 3; r++) {
    out.points[r] = position[r] - size[1] * rotation[3 * r + 2];
    out.points[3 + r] = position[r] + size[1] * rotation[3 * r + 2];
  }
  out.count = size[1] > 0 ? 2 : 1;
  out.isAligned = Math.abs(rotation[2] * dx + rotation[5] * dy + rotation[8] * dz) <= ALIGNED_SINE;
}

function readCylinderSide(out: SupportPolygon, part: MovingPart, dx: number, dy: number, dz: number): void {
  const { rotation, position, size } = part;
  const { normal, points } = out;
  const x = rotation[0] * dx + rotation[3] * dy + rotation[6] * dz;
  const y = rotation[1] * dx + rotation[4] * dy + rotation[7] * dz;
  const z = rotation[2] * dx + rotation[5] * dy + rotation[8] * dz;
  const rho = Math.sqrt(x * x + y * y);
  const cx = rho > 1e-12 ? x / rho : 1;
  const cy = rho > 1e-12 ? y / rho : 0;
  const sign = z < 0 ? -1 : 1;
  const isCap = Math.abs(z) >= ALIGNED;
  out.count = isCap ? 8 : 2;
  out.isAligned = isCap || Math.abs(z) <= ALIGNED_SINE;
  for (let c = 0; c < out.count; c++) {
    // around the cap from its farthest point, or along the side
    let ux = cx;
    let uy = cy;
    if (isCap) {
      const turn = c & 3;
      const cosine = turn === 0 ? 1 : turn === 2 ? 0 : turn === 1 ? HALF_ROOT : -HALF_ROOT;
      const sine = sign * (turn === 0 ? 0 : turn === 2 ? 1 : HALF_ROOT);
      const half = c < 4 ? 1 : -1;
      ux = half * (cosine * cx - sine * cy);
      uy = half * (sine * cx + cosine * cy);
    }
    const px = size[0] * ux;
    const py = size[0] * uy;
    const pz = isCap ? sign * size[1] : c === 0 ? -size[1] : size[1];
    for (let r = 0; r < 3; r++) {
      points[3 * c + r] = position[r] + rotation[3 * r] * px + rotation[3 * r + 1] * py + rotation[3 * r + 2] * pz;
    }
  }
  for (let r = 0; r < 3; r++) normal[r] = sign * rotation[3 * r + 2];
}

/** Distance from a point to the plane of a polygon along the polygon's normal, m. */
export function measureToPolygon({ points, normal }: SupportPolygon, x: number, y: number, z: number): number {
  return normal[0] * (points[0] - x) + normal[1] * (points[1] - y) + normal[2] * (points[2] - z);
}
