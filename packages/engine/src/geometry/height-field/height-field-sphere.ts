import { IndexList } from '../bounding-tree/index-list.ts';
import type { ContactPoints } from '../contact-points.ts';
import type { HeightField } from '../height-field.ts';
import { type PlacedShape, writeLocalOrigin } from '../placed-shape.ts';
import { nearestTriangle, touchSphere } from '../triangle-mesh/sphere-triangles.ts';
import { SurfaceContacts } from '../triangle-mesh/surface-contacts.ts';
import { HeightFieldPatch, listPatch, readPatch } from './height-field-patch.ts';
import { numberFeatures } from './patch-features.ts';
import { measureHeight } from './surface-height.ts';

const contacts = /* @__PURE__ */ new SurfaceContacts();
const list = /* @__PURE__ */ new IndexList();
const patch = /* @__PURE__ */ new HeightFieldPatch();
const center = /* @__PURE__ */ new Float64Array(3);
const box = /* @__PURE__ */ new Float64Array(6);

/** Height field and sphere. */
export function testHeightFieldSphere(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const field = a.heightField as HeightField;
  writeLocalOrigin(center, a, b);
  const radius = b.size[0];
  const bound = boundDistance(field, center);
  // an unbounded reach, or a centre inside, ends at the surface above or below
  let far = radius + reach;
  if (far > bound && far === Infinity) far = bound * (1 + 1e-9);
  touchWithin(field, radius, far);
  if (nearestTriangle.triangle < 0 && isInside(field, center)) touchWithin(field, radius, bound * (1 + 1e-9));
  contacts.write(out, a, 1, radius > 0 ? radius : far);
}

function touchWithin(field: HeightField, radius: number, far: number): void {
  for (let k = 0; k < 3; k++) {
    box[k] = center[k] - far;
    box[3 + k] = center[k] + far;
  }
  contacts.clear();
  readPatch(patch, field, box);
  listPatch(list, patch, field, box);
  touchSphere(contacts, patch, list, center, radius, far - radius, true);
  numberFeatures(contacts, patch);
}

/** Distance from a point to some point of the surface: no less than the distance, m. */
export function boundDistance(field: HeightField, point: Float64Array): number {
  const { halfSizeX, halfSizeY } = field;
  const x = Math.min(Math.max(point[0], -halfSizeX), halfSizeX);
  const y = Math.min(Math.max(point[1], -halfSizeY), halfSizeY);
  const z = measureHeight(field, x, y);
  return Math.sqrt((point[0] - x) * (point[0] - x) + (point[1] - y) * (point[1] - y) + (point[2] - z) * (point[2] - z));
}

/** Whether a point is in the solid. */
export function isInside(field: HeightField, point: Float64Array): boolean {
  if (!(Math.abs(point[0]) < field.halfSizeX && Math.abs(point[1]) < field.halfSizeY)) return false;
  return point[2] > -field.baseDepth && point[2] < measureHeight(field, point[0], point[1]);
}
