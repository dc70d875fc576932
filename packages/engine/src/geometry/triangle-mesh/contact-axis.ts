/**
 * The direction u in which a convex part and a triangle of a surface push each other apart.
 *
 *   s(u) = min over the part of u·x − max over the triangle of u·p
 *
 * The signed distance of the two is the largest s(u) over all u. Here u must also lie in the normal cone of the surface where
 * the triangle supports it (normal-cone.ts), so that shared edges of neighbours cause no contact. Apart, the nearest points give u; if it
 * is not in the cone, a neighbour is nearer and only the face itself can still carry points. Overlapping, the candidates are
 * the face, the faces of the part, and on each convex edge the arc of normals: its ends and the places where u is across an
 * edge of the part (between them s has no maximum below zero). Curved parts and hulls take samples of the arcs instead, and
 * ellipsoids and hulls the direction of the expanding polytope.
 */
import { CORE } from '../convex/core-kind.ts';
import { APART, measureDistance, SEPARATED, simplex } from '../convex/gjk.ts';
import { MinkowskiDifference } from '../convex/minkowski.ts';
import { GAP, NORMAL, POINT_B, Separation } from '../convex/separation.ts';
import { weights } from '../convex/simplex.ts';
import { type ContactAxis, isAllowedByOwner, SAME_DIRECTION, setAxis } from './allowed-direction.ts';
import { findHighest, findLowest, type MovingPart } from './moving-part.ts';
import { EDGE, FACE, VERTEX } from './nearest-point.ts';
import { snapToCone } from './normal-cone.ts';
import { chooseOverlapping } from './overlap-axis.ts';
import { ALIGNED } from './support-polygon.ts';
import type { TriangleCore } from './triangle-core.ts';
import type { TriangleSet } from './triangle-mesh.ts';

/** Depth, as a share of the extent, up to which a face is the axis of least penetration for a body over it. */
const SHALLOW = 0.05;

const difference = /* @__PURE__ */ new MinkowskiDifference();
const separation = /* @__PURE__ */ new Separation();
const lowestPoint = /* @__PURE__ */ new Float64Array(3);
const snapped = /* @__PURE__ */ new Float64Array(3);

/** Chooses the direction for a triangle. Returns false where it has no contact within reach. */
export function chooseContactAxis(
  out: ContactAxis,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  reach: number,
): boolean {
  const nx = triangle.normal[0];
  const ny = triangle.normal[1];
  const nz = triangle.normal[2];
  const { corners } = triangle;
  const floor = nx * corners[0] + ny * corners[1] + nz * corners[2];
  const height = findLowest(part, triangle.normal, lowestPoint) - floor;
  if (height - part.radius > reach) return false;
  out.hasPoint = false;
  // its lowest point is over the face, in front or not far behind: it rests on this face
  if (height > -SHALLOW * part.extent && part.owner === undefined && isOver(part, triangle)) {
    setAxis(out, nx, ny, nz, FACE, height - part.radius);
    return true;
  }
  // a part wholly behind the face is not pushed by it, unless it is inside
  if (part.owner === undefined && !part.isInside && findHighest(part, triangle.normal) - floor + part.radius < 0)
    return false;
  if (part.core === CORE.box && isBeyondBox(part, corners, reach + part.radius)) return false;

  difference.set(part, triangle);
  const status = measureDistance(separation, difference, reach + part.radius);
  if (status === APART) return false;
  if (status === SEPARATED) return chooseApart(out, set, t, triangle, part, height);
  return chooseOverlapping(out, set, t, triangle, part, height, separation, difference) && out.gap <= reach;
}

// whether the lowest point that was found last lies over the triangle
function isOver(part: MovingPart, { corners, normal }: TriangleCore): boolean {
  const x = lowestPoint[0];
  const y = lowestPoint[1];
  const z = lowestPoint[2];
  for (let k = 0; k < 3; k++) {
    const a = 3 * k;
    const b = k === 2 ? 0 : a + 3;
    const ex = corners[b] - corners[a];
    const ey = corners[b + 1] - corners[a + 1];
    const ez = corners[b + 2] - corners[a + 2];
    const outside =
      (x - corners[a]) * (ey * normal[2] - ez * normal[1]) +
      (y - corners[a + 1]) * (ez * normal[0] - ex * normal[2]) +
      (z - corners[a + 2]) * (ex * normal[1] - ey * normal[0]);
    if (outside > 1e-9 * part.extent * Math.sqrt(ex * ex + ey * ey + ez * ez)) return false;
  }
  return true;
}

// whether a triangle is farther than `reach` from a box along one of its axes
function isBeyondBox(part: MovingPart, corners: Float64Array, reach: number): boolean {
  const { rotation, position, size } = part;
  for (let i = 0; i < 3; i++) {
    const x = rotation[i];
    const y = rotation[3 + i];
    const z = rotation[6 + i];
    const c = x * position[0] + y * position[1] + z * position[2];
    const far = size[i] + reach;
    const h0 = x * corners[0] + y * corners[1] + z * corners[2] - c;
    const h1 = x * corners[3] + y * corners[4] + z * corners[5] - c;
    const h2 = x * corners[6] + y * corners[7] + z * corners[8] - c;
    if ((h0 > far && h1 > far && h2 > far) || (h0 < -far && h1 < -far && h2 < -far)) return true;
  }
  return false;
}

function chooseApart(
  out: ContactAxis,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  height: number,
): boolean {
  const { values } = separation;
  const distance = values[GAP];
  const { normal } = triangle;
  if (distance > height + 1e-9 * part.extent) {
    const region = readRegion();
    for (let r = 0; r < 3; r++) snapped[r] = -values[NORMAL + r];
    const cosine = snapToCone(snapped, set, t, region);
    if (cosine >= SAME_DIRECTION) {
      const ux = snapped[0];
      const uy = snapped[1];
      const uz = snapped[2];
      if (!isAllowedByOwner(part, ux, uy, uz, SAME_DIRECTION)) return false;
      setAxis(out, ux, uy, uz, region, distance - part.radius);
      out.hasPoint = true;
      for (let k = 0; k < 3; k++) out.point[k] = part.position[k] + values[POINT_B + k];
      return true;
    }
  }
  setAxis(out, normal[0], normal[1], normal[2], FACE, height - part.radius);
  return isAllowedByOwner(part, normal[0], normal[1], normal[2], ALIGNED);
}

// the part of the triangle that carries the nearest point
function readRegion(): number {
  let a = 0;
  let b = 0;
  let c = 0;
  for (let i = 0; i < simplex.count; i++) {
    const vertex = difference.vertexB[i];
    if (vertex === 0) a += weights[i];
    else if (vertex === 1) b += weights[i];
    else c += weights[i];
  }
  const hasA = a > 1e-12;
  const hasB = b > 1e-12;
  const hasC = c > 1e-12;
  if (hasA && hasB) return hasC ? FACE : EDGE;
  if (hasB && hasC) return EDGE + 1;
  if (hasA && hasC) return EDGE + 2;
  return hasA ? VERTEX : hasB ? VERTEX + 1 : VERTEX + 2;
}
