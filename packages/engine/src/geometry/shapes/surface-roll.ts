/**
 * Where a convex shape touches a flat side while it turns: velocity r of the place of contact over the surface, in the frame of the shape,
 *   ball about c                    r = −ω × (x − c): the place stays below its centre; c runs along the axis of a capsule
 *   ellipsoid, A = diag of radii    s(d) = A² d/|A d|,   r = s'(d) ḋ,   ḋ = −ω × d
 *   rim of a cylinder of radius R   s(d) = R d/|d| across its axis
 * x the place, m; d the direction from the shape to the flat side, which keeps its normal; ω rad/s.
 * Source: Montana, The kinematics of contact and grasp (1988), for one flat side.
 */

/** A place of contact in the frame of the shape. */
export interface TurningContact {
  readonly size: Float64Array;
  /** x, d and ω. */
  readonly place: Float64Array;
  readonly direction: Float64Array;
  readonly spin: Float64Array;
}

/** Writes r; false where it does not last for a time h. */
export type SurfaceRoll = (out: Float64Array, contact: TurningContact, h: number) => boolean;

/** Angle by which the place may run around a rim, rad. */
const WIDEST_RUN = 0.5;
/** Share of the radius from which a place is on the rim, and least tilt of a cylinder that stands on it. */
const RIM = 0.99;
const LEAST_TILT = 1e-3;

const rate = /* @__PURE__ */ new Float64Array(3);

/** Of balls and capsules: sizes radius and half length along z. */
export function rollBall(out: Float64Array, { size, place, spin: w }: TurningContact): boolean {
  const x = place[0];
  const y = place[1];
  const z = place[2] - Math.max(-size[1], Math.min(size[1], place[2]));
  out[0] = w[2] * y - w[1] * z;
  out[1] = w[0] * z - w[2] * x;
  out[2] = w[1] * x - w[0] * y;
  return true;
}

/** Of ellipsoids: sizes are the semi-axes. */
export function rollEllipsoid(out: Float64Array, { size, direction: d, spin }: TurningContact): boolean {
  turnDirection(d, spin);
  let square = 0;
  let slope = 0;
  for (let k = 0; k < 3; k++) {
    const a = size[k] * size[k];
    square += a * d[k] * d[k];
    slope += a * d[k] * rate[k];
  }
  const length = Math.sqrt(square);
  for (let k = 0; k < 3; k++) out[k] = (size[k] * size[k] * (rate[k] - (d[k] * slope) / square)) / length;
  return true;
}

/** Of cylinders: sizes radius and half length along z. Points of their faces and sides stay. */
export function rollRim(out: Float64Array, { size, place, direction: d, spin }: TurningContact, h: number): boolean {
  const across = Math.sqrt(d[0] * d[0] + d[1] * d[1]);
  const isOnRim = across > LEAST_TILT && place[0] * d[0] + place[1] * d[1] > RIM * size[0] * across;
  out.fill(0);
  if (!isOnRim) return true;
  turnDirection(d, spin);
  const run = (d[0] * rate[1] - d[1] * rate[0]) / (across * across);
  if (!(h * Math.abs(run) < WIDEST_RUN)) return false;
  out[0] = (-size[0] * run * d[1]) / across;
  out[1] = (size[0] * run * d[0]) / across;
  return true;
}

/** Of shapes with corners: the place is a point of the body. */
export function stayInPlace(out: Float64Array): boolean {
  out.fill(0);
  return true;
}

// ḋ = −ω × d
function turnDirection(d: Float64Array, w: Float64Array): void {
  rate[0] = w[2] * d[1] - w[1] * d[2];
  rate[1] = w[0] * d[2] - w[2] * d[0];
  rate[2] = w[1] * d[0] - w[0] * d[1];
}
