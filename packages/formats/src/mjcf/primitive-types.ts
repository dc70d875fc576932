/**
 * The primitives of MJCF: how their sizes become a shape, and which sizes fit a mesh.
 *
 * A mesh is fitted by a box with half sizes a ≥ … along its principal axes (primitive-fit.ts). By inertia, round primitives take means
 * of a and b; around the vertices, the larger side.
 */
import type { Shape, Vec3 } from '@nexdyn/engine';

/** A primitive of MJCF. */
export interface PrimitiveType {
  /** How many sizes it needs, all above zero. */
  readonly needed: number;
  shape(size: Vec3): Record<string, unknown> & { kind: Shape['kind'] };
  /** Which size is the half length between two ends; those across are the first size. Default: it has no ends. */
  readonly lengthAt?: 1 | 2;
  /** Sizes of the primitive for the half sizes of a box, by inertia. Default: it cannot stand for a mesh. */
  fitInertia?(box: Vec3): Vec3;
  /** Sizes of the primitive that touches a box from inside. */
  fitInside?(box: Vec3): Vec3;
}

/** What MJCF calls them. */
export type PrimitiveName = 'plane' | 'sphere' | 'capsule' | 'ellipsoid' | 'cylinder' | 'box';

const asGiven = (box: Vec3): Vec3 => box;

const PRIMITIVES: Readonly<Record<PrimitiveName, PrimitiveType>> = {
  plane: {
    needed: 0,
    shape: ([x, y]) => (x > 0 || y > 0 ? { kind: 'plane', halfSize: [x, y] } : { kind: 'plane' }),
  },
  sphere: {
    needed: 1,
    shape: ([radius]) => ({ kind: 'sphere', radius }),
    fitInertia: ([a, b, c]) => [(a + b + c) / 3, 0, 0],
    fitInside: ([a, b, c]) => [Math.max(a, b, c), 0, 0],
  },
  capsule: {
    needed: 2,
    shape: ([radius, halfLength]) => ({ kind: 'capsule', radius, halfLength }),
    lengthAt: 1,
    fitInertia: ([a, b, c]) => [(a + b) / 2, Math.max(0, c - (a + b) / 2 / 2), 0],
    fitInside: ([a, b, c]) => [Math.max(a, b), Math.max(0, c - Math.max(a, b)), 0],
  },
  ellipsoid: {
    needed: 3,
    shape: (radii) => ({ kind: 'ellipsoid', radii }),
    lengthAt: 2,
    fitInertia: asGiven,
    fitInside: asGiven,
  },
  cylinder: {
    needed: 2,
    shape: ([radius, halfLength]) => ({ kind: 'cylinder', radius, halfLength }),
    lengthAt: 1,
    fitInertia: ([a, b, c]) => [(a + b) / 2, c, 0],
    fitInside: ([a, b, c]) => [Math.max(a, b), c, 0],
  },
  box: {
    needed: 3,
    shape: (halfSize) => ({ kind: 'box', halfSize }),
    lengthAt: 2,
    fitInertia: asGiven,
    fitInside: asGiven,
  },
};

/** The words of MJCF, in its order. */
export const PRIMITIVE_NAMES: readonly PrimitiveName[] = Object.keys(PRIMITIVES) as PrimitiveName[];

export function findPrimitive(name: PrimitiveName): PrimitiveType {
  return PRIMITIVES[name];
}
