/**
 * Times of impact of the primitives of two moving bodies: point and triangle, edge and edge, point and edge, two points.
 * The stencil (moving-stencil.ts) holds their points, those of body a first. Radii are separation: two spheres are two points
 * with ξ = r_A + r_B, a capsule is an edge with a radius, a rounded mesh is its triangles with one.
 *
 * At a time, the nearest features give n (geometry/distance), and the points along n prove a distance, at most the true one.
 * The nearest points of nearly parallel edges are ill-conditioned; their common normal is then tried as well.
 */
import { pair } from '../distance/closest-pair.ts';
import { classifyEdgeEdge, pairEdgeEdge } from '../distance/edge-edge.ts';
import { locateOnSegment, pairPointLine } from '../distance/point-edge.ts';
import { pairPointPoint } from '../distance/point-point.ts';
import { classifyPointTriangle, pairPointTriangle } from '../distance/point-triangle.ts';
import { type AdvanceOptions, type Approach, advance, type TimeOfImpact } from './conservative-advancement.ts';
import type { MovingStencil } from './moving-stencil.ts';

/** A point of a (0) and a triangle of b (1, 2, 3). True where the path is not free. */
export function advancePointTriangle(
  out: TimeOfImpact,
  stencil: MovingStencil,
  separation: number,
  options: Readonly<AdvanceOptions>,
): boolean {
  stencil.split = 1;
  stencil.count = 4;
  pointTriangle.stencil = stencil;
  return advance(out, pointTriangle, separation, options);
}

/** An edge of a (0, 1) and an edge of b (2, 3). */
export function advanceEdgeEdge(
  out: TimeOfImpact,
  stencil: MovingStencil,
  separation: number,
  options: Readonly<AdvanceOptions>,
): boolean {
  stencil.split = 2;
  stencil.count = 4;
  edgeEdge.stencil = stencil;
  return advance(out, edgeEdge, separation, options);
}

/** A point of a (0) and an edge of b (1, 2). */
export function advancePointEdge(
  out: TimeOfImpact,
  stencil: MovingStencil,
  separation: number,
  options: Readonly<AdvanceOptions>,
): boolean {
  stencil.split = 1;
  stencil.count = 3;
  pointEdge.stencil = stencil;
  return advance(out, pointEdge, separation, options);
}

/** A point of a (0) and a point of b (1). */
export function advancePointPoint(
  out: TimeOfImpact,
  stencil: MovingStencil,
  separation: number,
  options: Readonly<AdvanceOptions>,
): boolean {
  stencil.split = 1;
  stencil.count = 2;
  pointPoint.stencil = stencil;
  return advance(out, pointPoint, separation, options);
}

interface StencilApproach extends Approach {
  stencil: MovingStencil;
}

/** An approach whose nearest points are found by `findPair`, which sets `pair` for the stencil at x. */
function createApproach(findPair: (x: Float64Array) => void, isEdgeEdge: boolean): StencilApproach {
  return {
    stencil: undefined as unknown as MovingStencil,
    measure(t) {
      const { stencil } = this;
      stencil.place(t);
      findPair(stencil.world);
      return measureAlongPair(stencil, isEdgeEdge);
    },
    span(floor) {
      return this.stencil.span(floor);
    },
  };
}

const pointTriangle = /* @__PURE__ */ createApproach(
  (x) => pairPointTriangle(x, 0, classifyPointTriangle(x, 0)),
  false,
);
const edgeEdge = /* @__PURE__ */ createApproach((x) => pairEdgeEdge(x, 0, classifyEdgeEdge(x, 0)), true);
const pointPoint = /* @__PURE__ */ createApproach((x) => pairPointPoint(x, 0, 0, 1), false);
const pointEdge = /* @__PURE__ */ createApproach((x) => {
  const s = locateOnSegment(x, 0, 3, 6);
  if (s > 0 && s < 1) pairPointLine(x, 0, 0, 1, 2, 1);
  else pairPointPoint(x, 0, 0, s > 0 ? 2 : 1);
}, false);

/** Sets the normal from the pair found last and gives δ along it, m. */
function measureAlongPair(stencil: MovingStencil, isEdgeEdge: boolean): number {
  const r = pair.offset;
  const length = Math.sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  if (!(length > 0)) return 0;
  const n = stencil.normal;
  n[0] = r[0] / length;
  n[1] = r[1] / length;
  n[2] = r[2] / length;
  const distance = stencil.measureAlong();
  if (!isEdgeEdge || distance > 0.999 * length) return distance;

  // the common normal of both edges, on the side of r
  const x = stencil.world;
  const ux = x[3] - x[0];
  const uy = x[4] - x[1];
  const uz = x[5] - x[2];
  const vx = x[9] - x[6];
  const vy = x[10] - x[7];
  const vz = x[11] - x[8];
  const cx = uy * vz - uz * vy;
  const cy = uz * vx - ux * vz;
  const cz = ux * vy - uy * vx;
  const size = Math.sqrt(cx * cx + cy * cy + cz * cz);
  if (!(size > 0)) return distance;
  const side = cx * r[0] + cy * r[1] + cz * r[2] < 0 ? -1 / size : 1 / size;
  n[0] = side * cx;
  n[1] = side * cy;
  n[2] = side * cz;
  const other = stencil.measureAlong();
  if (other > distance) return other;
  n[0] = r[0] / length;
  n[1] = r[1] / length;
  n[2] = r[2] / length;
  return distance;
}
