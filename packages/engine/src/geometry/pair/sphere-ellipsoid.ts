/**
 * Sphere and ellipsoid: gap = φ(c) − r along −∇φ, with the exact signed distance φ of the ellipsoid at the sphere's centre c
 * (signed-distance/ellipsoid-field.ts). One point.
 */
import type { ContactPoints } from '../contact-points.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { createEllipsoidField } from '../signed-distance/ellipsoid-field.ts';
import type { SignedDistanceField } from '../signed-distance/field.ts';

/** Field of each ellipsoid, made when it first meets a sphere. */
const fields: WeakMap<PlacedShape, SignedDistanceField> = /* @__PURE__ */ new WeakMap();
const gradient = /* @__PURE__ */ new Float64Array(3);

export function testSphereEllipsoid(out: ContactPoints, a: PlacedShape, b: PlacedShape, reach: number): void {
  const r = b.rotation;
  const cx = a.position[0];
  const cy = a.position[1];
  const cz = a.position[2];
  const x = cx - b.position[0];
  const y = cy - b.position[1];
  const z = cz - b.position[2];
  const radius = a.size[0];
  const gap =
    findField(b).gradient(
      gradient,
      r[0] * x + r[3] * y + r[6] * z,
      r[1] * x + r[4] * y + r[7] * z,
      r[2] * x + r[5] * y + r[8] * z,
    ) - radius;
  if (gap > reach) return;
  const nx = -(r[0] * gradient[0] + r[1] * gradient[1] + r[2] * gradient[2]);
  const ny = -(r[3] * gradient[0] + r[4] * gradient[1] + r[5] * gradient[2]);
  const nz = -(r[6] * gradient[0] + r[7] * gradient[1] + r[8] * gradient[2]);
  const along = radius + 0.5 * gap;
  out.add(cx + along * nx, cy + along * ny, cz + along * nz, nx, ny, nz, gap, 0);
}

function findField(shape: PlacedShape): SignedDistanceField {
  let field = fields.get(shape);
  if (field === undefined) {
    field = createEllipsoidField(shape.size[0], shape.size[1], shape.size[2]);
    fields.set(shape, field);
  }
  return field;
}
