/** A convex shape seen from the frame of a surface, moved there once per pair. Round shapes are a core and a radius (convex/support.ts). */
import { CORE, type SupportFunction } from '../convex/core-kind.ts';
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';
import { getCoreRadius, supportCore } from '../convex/support.ts';
import type { PlacedShape } from '../placed-shape.ts';
import type { TriangleSet } from './triangle-mesh.ts';

export class MovingPart implements PlacedShape {
  kind = 0;
  core: number = CORE.none;
  support: SupportFunction | undefined = undefined;
  readonly size: Float64Array = new Float64Array(3);
  readonly position: Float64Array = new Float64Array(3);
  readonly rotation: Float64Array = new Float64Array(9);
  hull: ConvexPolyhedron | undefined = undefined;
  readonly mesh = undefined;
  readonly heightField = undefined;
  readonly field = undefined;
  /** Radius around the core, m. */
  radius = 0;
  /** Box in the frame of the surface: low x y z, high x y z, m. */
  readonly bounds: Float64Array = new Float64Array(6);
  /** Half the diagonal of the box, m. */
  extent = 0;
  /** A point inside, in the frame of the surface. */
  readonly center: Float64Array = new Float64Array(3);
  /** Whether its centre is inside the solid: then faces that it is wholly behind push it too. */
  isInside = false;
  /** The surface that the part is a triangle of, if it is one: then its normal cones count too. */
  owner: TriangleSet | undefined = undefined;
  ownerTriangle = -1;
}

const sup = /* @__PURE__ */ new Float64Array(3);

/** Writes a convex shape as seen from a frame. */
export function placePart(part: MovingPart, shape: PlacedShape, frame: PlacedShape): void {
  movePart(part, shape, frame);
  part.kind = shape.kind;
  part.core = shape.core;
  part.support = shape.support;
  part.hull = shape.hull;
  part.isInside = false;
  part.size[0] = shape.size[0];
  part.size[1] = shape.size[1];
  part.size[2] = shape.size[2];
  part.radius = getCoreRadius(shape);
  boundPart(part);
}

/** Writes position and rotation of a shape as seen from a frame. */
export function movePart(part: MovingPart, shape: PlacedShape, frame: PlacedShape): void {
  const f = frame.rotation;
  const r = shape.rotation;
  const dx = shape.position[0] - frame.position[0];
  const dy = shape.position[1] - frame.position[1];
  const dz = shape.position[2] - frame.position[2];
  for (let k = 0; k < 3; k++) {
    part.position[k] = f[k] * dx + f[3 + k] * dy + f[6 + k] * dz;
    for (let j = 0; j < 3; j++) part.rotation[3 * k + j] = f[k] * r[j] + f[3 + k] * r[3 + j] + f[6 + k] * r[6 + j];
  }
}

/** Sets box, extent and centre of a part whose core is in place. */
export function boundPart(part: MovingPart): void {
  const { bounds, position, rotation, center, radius, hull } = part;
  let squared = 0;
  for (let k = 0; k < 3; k++) {
    supportCore(sup, 0, part, k === 0 ? -1 : 0, k === 1 ? -1 : 0, k === 2 ? -1 : 0, 0);
    bounds[k] = position[k] + sup[k] - radius;
    supportCore(sup, 0, part, k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0, 0);
    bounds[3 + k] = position[k] + sup[k] + radius;
    squared += (bounds[3 + k] - bounds[k]) * (bounds[3 + k] - bounds[k]);
    center[k] = position[k];
    if (part.core === CORE.polyhedron && hull !== undefined) {
      const c = hull.center;
      center[k] += rotation[3 * k] * c[0] + rotation[3 * k + 1] * c[1] + rotation[3 * k + 2] * c[2];
    }
  }
  part.extent = 0.5 * Math.sqrt(squared);
}

/** Lowest height u·x of the core, m; writes the point. */
export function findLowest(part: MovingPart, u: Float64Array, lowestPoint: Float64Array = sup): number {
  supportCore(lowestPoint, 0, part, -u[0], -u[1], -u[2], 0);
  lowestPoint[0] += part.position[0];
  lowestPoint[1] += part.position[1];
  lowestPoint[2] += part.position[2];
  return u[0] * lowestPoint[0] + u[1] * lowestPoint[1] + u[2] * lowestPoint[2];
}

/** Highest height u·x of the core, m. */
export function findHighest(part: MovingPart, u: Float64Array): number {
  supportCore(sup, 0, part, u[0], u[1], u[2], 0);
  return u[0] * (part.position[0] + sup[0]) + u[1] * (part.position[1] + sup[1]) + u[2] * (part.position[2] + sup[2]);
}
