/** A direction in which two surfaces may push each other, checked against the normal cone of the surface that owns the part. */
import type { MovingPart } from './moving-part.ts';
import { EDGE, FACE, VERTEX } from './nearest-point.ts';
import { snapToCone } from './normal-cone.ts';

/** Cosine of an angle of 1e-6 rad: within it a direction counts as in the cone. */
export const SAME_DIRECTION: number = 1 - 0.5e-12;
const direction = /* @__PURE__ */ new Float64Array(3);
/** Heights within this share of the extent are equal. */
const SAME_HEIGHT = 1e-7;

export class ContactAxis {
  /** Unit direction from the surface to the part. */
  readonly u: Float64Array = new Float64Array(3);
  /** Part of the triangle that supports it: see nearest-point.ts. */
  region: number = FACE;
  /** s(u), the radius of the part taken off, m. */
  gap = 0;
  /** Whether `point` is known. */
  hasPoint = false;
  /** The nearest point of the triangle, m. */
  readonly point: Float64Array = new Float64Array(3);
}

export function setAxis(out: ContactAxis, ux: number, uy: number, uz: number, region: number, gap: number): void {
  out.u[0] = ux;
  out.u[1] = uy;
  out.u[2] = uz;
  out.region = region;
  out.gap = gap;
}

/** The region of a triangle that is highest, from the heights of its corners: all within a tolerance of the top count. */
export function findTopRegion(a: number, b: number, c: number, top: number, extent: number): number {
  const tolerance = SAME_HEIGHT * extent;
  const isA = top - a <= tolerance;
  const isB = top - b <= tolerance;
  const isC = top - c <= tolerance;
  if (isA && isB) return isC ? FACE : EDGE;
  if (isB && isC) return EDGE + 1;
  if (isA && isC) return EDGE + 2;
  return isA ? VERTEX : isB ? VERTEX + 1 : VERTEX + 2;
}

/** Whether the surface that a part belongs to can push along −u where it supports −u. */
export function isAllowedByOwner(part: MovingPart, ux: number, uy: number, uz: number, least: number): boolean {
  if (part.owner === undefined || part.hull === undefined) return true;
  const { rotation } = part;
  const { vertices } = part.hull;
  const x = -(rotation[0] * ux + rotation[3] * uy + rotation[6] * uz);
  const y = -(rotation[1] * ux + rotation[4] * uy + rotation[7] * uz);
  const z = -(rotation[2] * ux + rotation[5] * uy + rotation[8] * uz);
  const a = x * vertices[0] + y * vertices[1] + z * vertices[2];
  const b = x * vertices[3] + y * vertices[4] + z * vertices[5];
  const c = x * vertices[6] + y * vertices[7] + z * vertices[8];
  const top = a > b ? Math.max(a, c) : Math.max(b, c);
  const region = findTopRegion(a, b, c, top, part.extent);
  direction[0] = x;
  direction[1] = y;
  direction[2] = z;
  return snapToCone(direction, part.owner, part.ownerTriangle, region) >= least;
}
