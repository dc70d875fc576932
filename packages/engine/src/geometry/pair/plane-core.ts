/**
 * Plane and any convex shape: the corners of the side that faces the plane, or the lowest point where a single point does. With n the
 * normal of the plane, o its origin and r the radius around the core, of a corner p:
 *
 *   gap = n·(p − o) − r        position = p − (r + gap/2) n        lengths in m
 *
 * Features: the side and the number of its corner. Kinds with a closed form of their own do not come here (closed-forms.ts).
 */
import type { ContactPoints } from '../contact-points.ts';
import { ContactFeature, findFeature } from '../convex/contact-feature.ts';
import { getCoreRadius, supportAlong } from '../convex/support.ts';
import type { PlacedShape } from '../placed-shape.ts';

/** Features of a side are numbered from here; no side has as many corners. */
const CORNERS = 4096;

const side = /* @__PURE__ */ new ContactFeature();
const normal = /* @__PURE__ */ new Float64Array(3);
const origin = /* @__PURE__ */ new Float64Array(3);

export function testPlaneCore(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  for (let k = 0; k < 3; k++) normal[k] = a.rotation[3 * k + 2];
  findFeature(side, b, normal, -1, origin);
  if (side.count === 1) supportAlong(side.points, 0, b, normal, -1, 0);
  const [nx, ny, nz] = normal;
  const radius = getCoreRadius(b);
  for (let i = 0; i < side.count; i++) {
    const x = b.position[0] + side.points[3 * i];
    const y = b.position[1] + side.points[3 * i + 1];
    const z = b.position[2] + side.points[3 * i + 2];
    const gap = nx * (x - a.position[0]) + ny * (y - a.position[1]) + nz * (z - a.position[2]) - radius;
    if (gap > reach) continue;
    const back = radius + 0.5 * gap;
    out.add(x - back * nx, y - back * ny, z - back * nz, nx, ny, nz, gap, CORNERS * side.id + i);
  }
}
