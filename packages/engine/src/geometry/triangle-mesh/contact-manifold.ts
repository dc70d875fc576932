import type { ContactAxis } from './allowed-direction.ts';
import { addOnEdge, addOnVertex } from './edge-points.ts';
import { addOnFace } from './face-points.ts';
import type { MovingPart } from './moving-part.ts';
import { FACE, VERTEX } from './nearest-point.ts';
import { readSupportPolygon, SupportPolygon } from './support-polygon.ts';
import type { SurfaceContacts } from './surface-contacts.ts';
import type { TriangleCore } from './triangle-core.ts';
import type { TriangleSet } from './triangle-mesh.ts';

const polygon = /* @__PURE__ */ new SupportPolygon();

/** Adds the contact points of a part on triangle t along a chosen direction, with a gap of at most `reach`. */
export function addContactPoints(
  out: SurfaceContacts,
  set: TriangleSet,
  t: number,
  triangle: TriangleCore,
  part: MovingPart,
  axis: ContactAxis,
  reach: number,
): void {
  const { u } = axis;
  readSupportPolygon(polygon, part, -u[0], -u[1], -u[2]);
  if (axis.region === FACE) addOnFace(out, set, t, triangle, part, polygon, reach);
  else if (axis.region < VERTEX) addOnEdge(out, t, triangle, part, polygon, axis, reach);
  else addOnVertex(out, set, t, triangle, part, polygon, axis, reach);
}
