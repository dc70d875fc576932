/**
 * Support mapping of the convex shapes: the point of a shape farthest along a direction d, s(d) = argmax d·x.
 *
 * Round shapes are a core and a radius: a sphere is its centre, a capsule its segment, both grown by r. Distances between
 * cores are exact for the shapes too, and bodies that touch by less than their radii never have overlapping cores. The other
 * shapes are their own core, with radius zero.
 *
 * Core points are given relative to the origin of the shape and along the world's axes, so that no precision is lost far from the origin.
 */
import type { PlacedShape } from '../placed-shape.ts';
import { CORE, type SupportFunction } from './core-kind.ts';
import type { ConvexPolyhedron } from './polyhedron.ts';

/** Up to this many vertices all are tried; beyond it the search climbs along edges. */
const CLIMB_FROM = 10;

const local = /* @__PURE__ */ new Float64Array(3);
const point = /* @__PURE__ */ new Float64Array(3);
const given = /* @__PURE__ */ new Float64Array(3);

/** Radius around the core, m: size 0 of points and segments. */
export function getCoreRadius(shape: PlacedShape): number {
  return shape.core === CORE.point || shape.core === CORE.segment ? shape.size[0] : 0;
}

/** Whether the core has a curved surface: then directions have to be found by iteration. */
export function isCurvedCore(core: number): boolean {
  return core === CORE.ellipsoid || core === CORE.cylinder || core === CORE.smooth;
}

/**
 * Writes the farthest core point along sign · d (any length but zero) at out[o], relative to the position of the shape.
 * Directions are handed over in arrays: a number that is not whole costs an allocation per call.
 *
 * @param hint vertex to begin the climb at
 * @returns the number of the vertex, or −1 on a curved surface
 */
export function supportAlong(
  out: Float64Array,
  o: number,
  shape: PlacedShape,
  d: Float64Array,
  sign: number,
  hint: number,
): number {
  const core = shape.core;
  if (core === CORE.point) {
    out[o] = 0;
    out[o + 1] = 0;
    out[o + 2] = 0;
    return 0;
  }
  // direction in the frame of the shape
  const { rotation, size } = shape;
  const dx = sign * d[0];
  const dy = sign * d[1];
  const dz = sign * d[2];
  const x = rotation[0] * dx + rotation[3] * dy + rotation[6] * dz;
  const y = rotation[1] * dx + rotation[4] * dy + rotation[7] * dz;
  const z = rotation[2] * dx + rotation[5] * dy + rotation[8] * dz;
  let px = 0;
  let py = 0;
  let pz = 0;
  let vertex = -1;
  if (core === CORE.box) {
    px = x >= 0 ? size[0] : -size[0];
    py = y >= 0 ? size[1] : -size[1];
    pz = z >= 0 ? size[2] : -size[2];
    vertex = (x >= 0 ? 1 : 0) + (y >= 0 ? 2 : 0) + (z >= 0 ? 4 : 0);
  } else if (core === CORE.polyhedron) {
    const hull = shape.hull as ConvexPolyhedron;
    local[0] = x;
    local[1] = y;
    local[2] = z;
    vertex = findSupportVertex(hull, local, hint);
    px = hull.vertices[3 * vertex];
    py = hull.vertices[3 * vertex + 1];
    pz = hull.vertices[3 * vertex + 2];
  } else if (core === CORE.cylinder) {
    const rho = Math.sqrt(x * x + y * y);
    if (rho > 0) {
      px = (size[0] * x) / rho;
      py = (size[0] * y) / rho;
    }
    pz = z >= 0 ? size[1] : -size[1];
  } else if (core === CORE.ellipsoid) {
    const sx = size[0] * x;
    const sy = size[1] * y;
    const sz = size[2] * z;
    const h = Math.sqrt(sx * sx + sy * sy + sz * sz);
    if (h > 0) {
      px = (size[0] * sx) / h;
      py = (size[1] * sy) / h;
      pz = (size[2] * sz) / h;
    }
  } else if (core === CORE.segment) {
    pz = z >= 0 ? size[1] : -size[1];
    vertex = z >= 0 ? 1 : 0;
  } else {
    local[0] = x;
    local[1] = y;
    local[2] = z;
    (shape.support as SupportFunction)(point, size, local);
    px = point[0];
    py = point[1];
    pz = point[2];
  }
  out[o] = rotation[0] * px + rotation[1] * py + rotation[2] * pz;
  out[o + 1] = rotation[3] * px + rotation[4] * py + rotation[5] * pz;
  out[o + 2] = rotation[6] * px + rotation[7] * py + rotation[8] * pz;
  return vertex;
}

/** The same for a direction given by its components. */
export function supportCore(
  out: Float64Array,
  o: number,
  shape: PlacedShape,
  dx: number,
  dy: number,
  dz: number,
  hint: number,
): number {
  given[0] = dx;
  given[1] = dy;
  given[2] = dz;
  return supportAlong(out, o, shape, given, 1, hint);
}

/** The vertex farthest along a direction given in the frame of the polyhedron. */
export function findSupportVertex(hull: ConvexPolyhedron, d: Float64Array, hint: number): number {
  const { vertices } = hull;
  const x = d[0];
  const y = d[1];
  const z = d[2];
  const count = vertices.length / 3;
  if (count <= CLIMB_FROM) {
    let best = 0;
    let height = -Infinity;
    for (let i = 0; i < count; i++) {
      const h = x * vertices[3 * i] + y * vertices[3 * i + 1] + z * vertices[3 * i + 2];
      if (h > height) {
        height = h;
        best = i;
      }
    }
    return best;
  }
  // climb to the highest neighbour while there is a higher one: on a convex body no vertex but the highest is without one
  const { neighborStart, neighbor } = hull;
  let best = hint >= 0 && hint < count ? hint : 0;
  let height = x * vertices[3 * best] + y * vertices[3 * best + 1] + z * vertices[3 * best + 2];
  for (let from = -1; from !== best; ) {
    from = best;
    const end = neighborStart[from + 1];
    for (let k = neighborStart[from]; k < end; k++) {
      const i = neighbor[k];
      const h = x * vertices[3 * i] + y * vertices[3 * i + 1] + z * vertices[3 * i + 2];
      if (h > height) {
        height = h;
        best = i;
      }
    }
  }
  return best;
}

/** Writes the farthest point of the shape itself, radius included, in the world. d is a unit vector. */
export function supportShape(
  out: Float64Array,
  o: number,
  shape: PlacedShape,
  dx: number,
  dy: number,
  dz: number,
): void {
  supportCore(out, o, shape, dx, dy, dz, 0);
  const radius = getCoreRadius(shape);
  out[o] += shape.position[0] + radius * dx;
  out[o + 1] += shape.position[1] + radius * dy;
  out[o + 2] += shape.position[2] + radius * dz;
}
