/**
 * Rays o + t d against primitives in their own frames. All but the plane are convex: the ray is inside for t between enter and
 * leave, and the hit is at enter, or at leave where enter is behind the origin.
 *
 * A circle or ball of radius r: with the foot q = o + t₀ d of the perpendicular from the centre, t₀ = −(o·d)/(d·d), the ray is
 * inside for |t − t₀| ≤ √((r² − q·q)/(d·d)). Taking the foot first keeps far origins accurate, where b² − a c would cancel.
 * (Haines et al. 2019, Precision improvements for ray/sphere intersection.)
 *
 * o, d: ray[0..2], ray[3..5], m; t: in multiples of d. Each function writes `hit` or leaves it cleared.
 */
import type { RayHit } from './ray-hit.ts';

/** Where the ray enters and leaves the round part, by crossBall. */
const span = /* @__PURE__ */ new Float64Array(2);

/** z = 0 from above, within half sizes (0: unbounded). */
export function castPlane(hit: RayHit, ray: Float64Array, size: Float64Array): void {
  if (!(ray[5] < 0)) return;
  const t = -ray[2] / ray[5];
  if (!(t >= 0)) return;
  if (size[0] > 0 && Math.abs(ray[0] + t * ray[3]) > size[0]) return;
  if (size[1] > 0 && Math.abs(ray[1] + t * ray[4]) > size[1]) return;
  hit.set(t, 0, 0, 1, -1);
}

export function castSphere(hit: RayHit, ray: Float64Array, size: Float64Array): void {
  if (!crossBall(ray[0], ray[1], ray[2], ray[3], ray[4], ray[5], size[0])) return;
  const t = span[0] >= 0 ? span[0] : span[1];
  if (t >= 0) setHit(hit, t, ray[0] + t * ray[3], ray[1] + t * ray[4], ray[2] + t * ray[5]);
}

/** Semi-axes a: the unit ball in coordinates x/a; the normal is along x/a². */
export function castEllipsoid(hit: RayHit, ray: Float64Array, size: Float64Array): void {
  const a = 1 / size[0];
  const b = 1 / size[1];
  const c = 1 / size[2];
  if (!crossBall(a * ray[0], b * ray[1], c * ray[2], a * ray[3], b * ray[4], c * ray[5], 1)) return;
  const t = span[0] >= 0 ? span[0] : span[1];
  if (!(t >= 0)) return;
  const x = ray[0] + t * ray[3];
  const y = ray[1] + t * ray[4];
  const z = ray[2] + t * ray[5];
  setHit(hit, t, a * a * x, b * b * y, c * c * z);
}

/** Radius r, half length h along z: the unbounded tube, and where its hit is beyond an end, the ball there. */
export function castCapsule(hit: RayHit, ray: Float64Array, size: Float64Array): void {
  const r = size[0];
  const h = size[1];
  if (!crossBall(ray[0], ray[1], 0, ray[3], ray[4], 0, r)) return;
  const tubeEnter = span[0];
  const tubeLeave = span[1];

  // heights at both ends; ±∞ for a ray along z
  const enterHeight = heightAt(ray, tubeEnter);
  const leaveHeight = heightAt(ray, tubeLeave);
  let first = tubeEnter;
  let last = tubeLeave;
  if (!(Math.abs(enterHeight) <= h)) {
    if (!crossBall(ray[0], ray[1], ray[2] - (enterHeight > 0 ? h : -h), ray[3], ray[4], ray[5], r)) return;
    first = span[0];
  }
  if (!(Math.abs(leaveHeight) <= h)) {
    if (!crossBall(ray[0], ray[1], ray[2] - (leaveHeight > 0 ? h : -h), ray[3], ray[4], ray[5], r)) return;
    last = span[1];
  }
  const t = first >= 0 ? first : last;
  if (!(t >= 0)) return;

  // the normal leaves the nearest point of the axis
  const z = ray[2] + t * ray[5];
  setHit(hit, t, ray[0] + t * ray[3], ray[1] + t * ray[4], z > h ? z - h : z < -h ? z + h : 0);
}

/** Radius r, half length h along z: where the unbounded tube and the slab |z| ≤ h meet. */
export function castCylinder(hit: RayHit, ray: Float64Array, size: Float64Array): void {
  if (!crossBall(ray[0], ray[1], 0, ray[3], ray[4], 0, size[0])) return;
  let first = span[0];
  let last = span[1];
  let capFirst = false;
  let capLast = false;
  if (ray[5] !== 0) {
    const half = size[1] / Math.abs(ray[5]);
    const middle = -ray[2] / ray[5];
    if (middle - half > first) {
      first = middle - half;
      capFirst = true;
    }
    if (middle + half < last) {
      last = middle + half;
      capLast = true;
    }
  } else if (Math.abs(ray[2]) > size[1]) {
    return;
  }
  if (!(first <= last)) return;
  const isEntry = first >= 0;
  const t = isEntry ? first : last;
  if (!(t >= 0)) return;
  if (isEntry ? capFirst : capLast) hit.set(t, 0, 0, ray[5] > 0 === isEntry ? -1 : 1, -1);
  else setHit(hit, t, ray[0] + t * ray[3], ray[1] + t * ray[4], 0);
}

/** Half edges: where three slabs meet. */
export function castBox(hit: RayHit, ray: Float64Array, size: Float64Array): void {
  let first = -Infinity;
  let last = Infinity;
  let firstAxis = 0;
  let lastAxis = 0;
  for (let k = 0; k < 3; k++) {
    const d = ray[3 + k];
    if (d === 0) {
      if (Math.abs(ray[k]) > size[k]) return;
      continue;
    }
    const s = d > 0 ? size[k] : -size[k];
    const a = (-s - ray[k]) / d;
    const b = (s - ray[k]) / d;
    if (a > first) {
      first = a;
      firstAxis = k;
    }
    if (b < last) {
      last = b;
      lastAxis = k;
    }
  }
  if (!(first <= last && last < Infinity)) return;
  const isEntry = first >= 0;
  const t = isEntry ? first : last;
  if (!(t >= 0)) return;
  const axis = isEntry ? firstAxis : lastAxis;
  hit.set(t, 0, 0, 0, -1);
  hit.normal[axis] = ray[3 + axis] > 0 === isEntry ? -1 : 1;
}

/** Interval of a ray in a ball of radius r about the origin, to span. A ray without direction along it: all or none. */
function crossBall(ox: number, oy: number, oz: number, dx: number, dy: number, dz: number, r: number): boolean {
  const a = dx * dx + dy * dy + dz * dz;
  if (!(a > 0)) {
    span[0] = -Infinity;
    span[1] = Infinity;
    return ox * ox + oy * oy + oz * oz <= r * r;
  }
  const middle = -(ox * dx + oy * dy + oz * dz) / a;
  const qx = ox + middle * dx;
  const qy = oy + middle * dy;
  const qz = oz + middle * dz;
  const rest = r * r - (qx * qx + qy * qy + qz * qz);
  if (!(rest >= 0)) return false;
  const half = Math.sqrt(rest / a);
  span[0] = middle - half;
  span[1] = middle + half;
  return true;
}

function heightAt(ray: Float64Array, t: number): number {
  return ray[5] === 0 ? ray[2] : ray[2] + t * ray[5];
}

/** A hit with a normal of any length; straight up where there is none. */
function setHit(hit: RayHit, t: number, x: number, y: number, z: number): void {
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length > 0) hit.set(t, x / length, y / length, z / length, -1);
  else hit.set(t, 0, 0, 1, -1);
}
