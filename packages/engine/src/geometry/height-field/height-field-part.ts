import { IndexList } from '../bounding-tree/index-list.ts';
import type { ContactPoints } from '../contact-points.ts';
import type { HeightField } from '../height-field.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { touchConvex } from '../triangle-mesh/convex-triangles.ts';
import { findLowest, MovingPart, placePart } from '../triangle-mesh/moving-part.ts';
import { SurfaceContacts } from '../triangle-mesh/surface-contacts.ts';
import { HeightFieldPatch, listPatch, readPatch } from './height-field-patch.ts';
import { boundDistance, isInside } from './height-field-sphere.ts';
import { numberFeatures } from './patch-features.ts';
import { measureHeight } from './surface-height.ts';

const contacts = /* @__PURE__ */ new SurfaceContacts();
const list = /* @__PURE__ */ new IndexList();
const patch = /* @__PURE__ */ new HeightFieldPatch();
const part = /* @__PURE__ */ new MovingPart();
const UP = /* @__PURE__ */ Float64Array.of(0, 0, 1);
const box = /* @__PURE__ */ new Float64Array(6);

/** Depth, as a share of the extent, from which the centre may be inside. */
const DEEP = 0.1;

/** Height field, and capsule, ellipsoid, cylinder, box or convex mesh. */
export function testHeightFieldPart(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const field = a.heightField as HeightField;
  placePart(part, b, a);
  const { center, extent } = part;
  const far = reach === Infinity ? boundDistance(field, center) * (1 + 1e-9) : reach;
  const deepest = touchWithin(field, far);
  // with its centre inside, the shortest separation may be through triangles that the part does not reach
  if ((contacts.count === 0 || deepest < -DEEP * extent) && isInside(field, center)) {
    part.isInside = true;
    const distance = boundDistance(field, center) * (1 + 1e-9);
    touchWithin(field, Math.max(distance, far));
    if (contacts.count === 0) addUp(field);
  }
  contacts.write(out, a, 1, extent);
}

function touchWithin(field: HeightField, far: number): number {
  const { bounds } = part;
  for (let k = 0; k < 3; k++) {
    box[k] = bounds[k] - far;
    box[3 + k] = bounds[3 + k] + far;
  }
  contacts.clear();
  readPatch(patch, field, box);
  listPatch(list, patch, field, box);
  const deepest = touchConvex(contacts, patch, list, part, far);
  numberFeatures(contacts, patch);
  return deepest;
}

// straight up out of the solid
function addUp(field: HeightField): void {
  const { center } = part;
  const height = measureHeight(field, center[0], center[1]);
  const gap = findLowest(part, UP) - height - part.radius;
  contacts.add(center[0], center[1], height, 0, 0, 1, gap, 0);
}
