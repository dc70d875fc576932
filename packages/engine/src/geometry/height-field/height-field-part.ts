import { IndexList } from '../bounding-tree/index-list.ts';
import type { ContactPoints } from '../contact-points.ts';
import type { HeightField } from '../height-field.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { touchConvex } from '../triangle-mesh/convex-triangles.ts';
import { findLowest, MovingPart, placePart } from '../triangle-mesh/moving-part.ts';
import { SurfaceContacts } from '../triangle-mesh/surface-contacts.ts';
import { HeightFieldPatch, readPatch } from './height-field-patch.ts';
import { boundDistance, isInside } from './height-field-sphere.ts';
import { numberFeatures } from './patch-features.ts';
import { measureHeight } from './surface-height.ts';

const contacts = /* @__PURE__ */ new SurfaceContacts();
const list = /* @__PURE__ */ new IndexList();
const patch = /* @__PURE__ */ new HeightFieldPatch();
const part = /* @__PURE__ */ new MovingPart();
const box = /* @__PURE__ */ new Float64Array(6);

/** Height field, and capsule, ellipsoid, cylinder, box or convex mesh. */
export function testHeightFieldPart(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const field = a.heightField as HeightField;
  placePart(part, b, a);
  const { bounds, center } = part;
  const far = reach === Infinity ? boundDistance(field, center) * (1 + 1e-9) : reach;
  for (let k = 0; k < 3; k++) {
    box[k] = bounds[k] - far;
    box[3 + k] = bounds[3 + k] + far;
  }
  contacts.clear();
  readPatch(patch, list, field, box);
  touchConvex(contacts, patch, list, part, far);
  numberFeatures(contacts, patch);
  if (contacts.count === 0 && isInside(field, center)) addInside(field);
  contacts.write(out, a, 1, part.extent);
}

// a part wholly inside is pushed up
function addInside(field: HeightField): void {
  const { center } = part;
  const height = measureHeight(field, center[0], center[1]);
  const gap = findLowest(part, 0, 0, 1) - height - part.radius;
  contacts.add(center[0], center[1], height, 0, 0, 1, gap, 0);
}
