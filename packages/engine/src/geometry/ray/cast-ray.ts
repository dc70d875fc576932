/**
 * First hit of a ray with a placed shape: from outside where the ray enters it, from inside where it leaves it. The normal is
 * that of the surface, outward, in both cases. A plane is hit only from above and within its half sizes. These are the
 * conventions of MuJoCo's mj_ray, except that a height field is one solid: MuJoCo also stops a ray that starts inside it at
 * the top of its base.
 */
import type { PlacedShape } from '../placed-shape.ts';
import { SHAPE_TABLE } from '../shapes/shape-table.ts';
import type { RayHit } from './ray-hit.ts';

export { RayHit } from './ray-hit.ts';

/** Origin and direction in the frame of the shape. */
const ray = /* @__PURE__ */ new Float64Array(6);

/**
 * Writes the first hit up to maxDistance (in multiples of `direction`, which may have any length) and returns true, or clears
 * `hit` and returns false. Makes no objects.
 */
export function castRayShape(
  hit: RayHit,
  shape: PlacedShape,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  maxDistance: number,
): boolean {
  hit.clear();
  const { position: p, rotation: r } = shape;
  const x = origin[0] - p[0];
  const y = origin[1] - p[1];
  const z = origin[2] - p[2];
  for (let k = 0; k < 3; k++) {
    ray[k] = r[k] * x + r[3 + k] * y + r[6 + k] * z;
    ray[3 + k] = r[k] * direction[0] + r[3 + k] * direction[1] + r[6 + k] * direction[2];
  }
  if (ray[3] * ray[3] + ray[4] * ray[4] + ray[5] * ray[5] > 0)
    SHAPE_TABLE[shape.kind].castRay(hit, ray, shape, maxDistance);
  if (!(hit.distance <= maxDistance && hit.distance < Infinity)) {
    hit.clear();
    return false;
  }

  // the normal back into the world
  const n = hit.normal;
  const nx = n[0];
  const ny = n[1];
  const nz = n[2];
  for (let i = 0; i < 3; i++) n[i] = r[3 * i] * nx + r[3 * i + 1] * ny + r[3 * i + 2] * nz;
  return true;
}
