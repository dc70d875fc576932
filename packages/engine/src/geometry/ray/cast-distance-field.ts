/**
 * A ray against a signed-distance field φ in its frame, by sphere tracing: no surface is nearer than |φ|/L, L the Lipschitz
 * bound, so a step of that length never passes one (Hart 1996). It ends within TOLERANCE of the field's size of the surface;
 * Newton steps on φ along the ray then refine the hit. A ray that stays beside the surface for longer than MAX_STEPS misses.
 */
import type { SignedDistanceField } from '../signed-distance/field.ts';
import type { RayHit } from './ray-hit.ts';

const TOLERANCE = 1e-9;
const MAX_STEPS = 2000;
const NEWTON_STEPS = 4;

const gradient = /* @__PURE__ */ new Float64Array(3);

/** Where the ray enters and leaves the box of the field. */
const span = /* @__PURE__ */ new Float64Array(2);

export function castDistanceField(hit: RayHit, ray: Float64Array, field: SignedDistanceField, limit: number): void {
  const { bounds } = field;
  if (!crossBox(ray, bounds, limit)) return;
  const x = bounds[3] - bounds[0];
  const y = bounds[4] - bounds[1];
  const z = bounds[5] - bounds[2];
  const diagonal = Math.sqrt(x * x + y * y + z * z);
  const tolerance = TOLERANCE * (diagonal < Infinity ? diagonal : 1);
  const length = Math.sqrt(ray[3] * ray[3] + ray[4] * ray[4] + ray[5] * ray[5]);
  const perDistance = 1 / (length * (field.lipschitz > 0 ? field.lipschitz : 1));

  // march on the side on which the ray starts, out of the box at the latest
  const leave = span[1];
  let t = span[0];
  const sign = distanceAt(field, ray, t) < 0 ? -1 : 1;
  for (let step = 0; step < MAX_STEPS && t <= leave; step++) {
    const distance = sign * distanceAt(field, ray, t);
    if (distance <= tolerance) {
      settle(hit, ray, field, t);
      return;
    }
    t += distance * perDistance;
  }
}

/** Newton steps from a point near the surface, as long as they reduce the distance. */
function settle(hit: RayHit, ray: Float64Array, field: SignedDistanceField, t: number): void {
  let distance = gradientAt(field, ray, t);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const slope = gradient[0] * ray[3] + gradient[1] * ray[4] + gradient[2] * ray[5];
    const next = Math.max(0, t - distance / slope);
    if (!(Math.abs(distanceAt(field, ray, next)) < Math.abs(distance))) break;
    t = next;
    distance = gradientAt(field, ray, t);
  }
  const x = gradient[0];
  const y = gradient[1];
  const z = gradient[2];
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length > 0) hit.set(t, x / length, y / length, z / length, -1);
  else hit.set(t, 0, 0, 1, -1);
}

/** Stretch of the ray in a box, from the origin up to the limit, a little longer against rounding, to span. */
function crossBox(ray: Float64Array, box: Float64Array, limit: number): boolean {
  let enter = 0;
  let leave = limit;
  for (let k = 0; k < 3; k++) {
    const d = ray[3 + k];
    const low = box[k] - ray[k];
    const high = box[3 + k] - ray[k];
    if (d === 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    enter = Math.max(enter, (d > 0 ? low : high) / d);
    leave = Math.min(leave, ((d > 0 ? high : low) / d) * (1 + 4 * Number.EPSILON));
  }
  span[0] = enter;
  span[1] = leave;
  return enter <= leave;
}

function distanceAt(field: SignedDistanceField, ray: Float64Array, t: number): number {
  return field.distance(ray[0] + t * ray[3], ray[1] + t * ray[4], ray[2] + t * ray[5]);
}

function gradientAt(field: SignedDistanceField, ray: Float64Array, t: number): number {
  return field.gradient(gradient, ray[0] + t * ray[3], ray[1] + t * ray[4], ray[2] + t * ray[5]);
}
