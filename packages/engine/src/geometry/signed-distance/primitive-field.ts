/**
 * Exact signed distances of the primitives, each in its own frame, by symmetry in few coordinates.
 *
 *   plane      φ = z
 *   sphere     φ = |x| − r
 *   capsule    φ = |x − c| − r, c the nearest point of the axis
 *   box        q = |x| − e by coordinate: φ = |max(q, 0)| outside, max(q) inside
 *   cylinder   the same with q = (ρ − r, |z| − h), ρ = √(x² + y²)
 *   torus      φ = |(ρ − R, z)| − r
 *
 * All lengths in m. Gradients have unit length. On the medial axis, where the gradient does not exist, one of its limits is
 * given (towards +x, +z, the first of equal faces). Source: Hart, Sphere tracing (1996), appendix A.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import type { SignedDistanceField } from './field.ts';

/** The half-space z ≤ 0. */
export function createPlaneField(): SignedDistanceField {
  return new PlaneField();
}

/** @param r radius, m */
export function createSphereField(r: number): SignedDistanceField {
  return new CapsuleField(r, 0);
}

/** @param r radius, @param h half length of the axis along z, m */
export function createCapsuleField(r: number, h: number): SignedDistanceField {
  return new CapsuleField(r, h);
}

/** @param r radius, @param h half length along z, m */
export function createCylinderField(r: number, h: number): SignedDistanceField {
  return new CylinderField(r, h);
}

/** Half edges, m. */
export function createBoxField(ex: number, ey: number, ez: number): SignedDistanceField {
  return new BoxField(ex, ey, ez);
}

/** A ring in the xy plane: radius of the ring, and of its tube, m. */
export function createTorusField(
  majorRadius: number,
  minorRadius: number,
  subject = 'the torus',
  place: ErrorPlace = {},
): SignedDistanceField {
  if (minorRadius > 0 && majorRadius > minorRadius && majorRadius < Infinity) {
    return new TorusField(majorRadius, minorRadius);
  }
  const reason = `${subject} has a ring of radius ${majorRadius} and a tube of radius ${minorRadius}: it has no hole`;
  throw new NexdynError('invalid-value', reason, { hint: 'the tube must be the smaller of the two', ...place });
}

class PlaneField implements SignedDistanceField {
  readonly bounds: Float64Array = Float64Array.of(-Infinity, -Infinity, -Infinity, Infinity, Infinity, 0);
  readonly errorBound: number = 0;
  readonly lipschitz: number = 1;

  distance(_x: number, _y: number, z: number): number {
    return z;
  }

  gradient(out: Float64Array, _x: number, _y: number, z: number): number {
    out[0] = 0;
    out[1] = 0;
    out[2] = 1;
    return z;
  }
}

class CapsuleField implements SignedDistanceField {
  readonly bounds: Float64Array;
  readonly errorBound: number = 0;
  readonly lipschitz: number = 1;
  readonly #r: number;
  readonly #h: number;

  constructor(r: number, h: number) {
    this.#r = r;
    this.#h = h;
    this.bounds = Float64Array.of(-r, -r, -h - r, r, r, h + r);
  }

  distance(x: number, y: number, z: number): number {
    const dz = z > this.#h ? z - this.#h : z < -this.#h ? z + this.#h : 0;
    return Math.sqrt(x * x + y * y + dz * dz) - this.#r;
  }

  gradient(out: Float64Array, x: number, y: number, z: number): number {
    const dz = z > this.#h ? z - this.#h : z < -this.#h ? z + this.#h : 0;
    return writeRadial(out, x, y, dz) - this.#r;
  }
}

class BoxField implements SignedDistanceField {
  readonly bounds: Float64Array;
  readonly errorBound: number = 0;
  readonly lipschitz: number = 1;
  readonly #ex: number;
  readonly #ey: number;
  readonly #ez: number;

  constructor(ex: number, ey: number, ez: number) {
    this.#ex = ex;
    this.#ey = ey;
    this.#ez = ez;
    this.bounds = Float64Array.of(-ex, -ey, -ez, ex, ey, ez);
  }

  distance(x: number, y: number, z: number): number {
    const qx = (x < 0 ? -x : x) - this.#ex;
    const qy = (y < 0 ? -y : y) - this.#ey;
    const qz = (z < 0 ? -z : z) - this.#ez;
    const px = Math.max(qx, 0);
    const py = Math.max(qy, 0);
    const pz = Math.max(qz, 0);
    if (px > 0 || py > 0 || pz > 0) return Math.sqrt(px * px + py * py + pz * pz);
    return Math.max(qx, qy, qz);
  }

  gradient(out: Float64Array, x: number, y: number, z: number): number {
    const qx = (x < 0 ? -x : x) - this.#ex;
    const qy = (y < 0 ? -y : y) - this.#ey;
    const qz = (z < 0 ? -z : z) - this.#ez;
    // outside: away from the nearest point of the box
    const px = Math.max(qx, 0);
    const py = Math.max(qy, 0);
    const pz = Math.max(qz, 0);
    if (px > 0 || py > 0 || pz > 0) {
      return writeRadial(out, x < 0 ? -px : px, y < 0 ? -py : py, z < 0 ? -pz : pz);
    }
    // inside: out of the nearest face
    const axis = qx >= qy && qx >= qz ? 0 : qy >= qz ? 1 : 2;
    out[0] = axis === 0 ? (x < 0 ? -1 : 1) : 0;
    out[1] = axis === 1 ? (y < 0 ? -1 : 1) : 0;
    out[2] = axis === 2 ? (z < 0 ? -1 : 1) : 0;
    return axis === 0 ? qx : axis === 1 ? qy : qz;
  }
}

class CylinderField implements SignedDistanceField {
  readonly bounds: Float64Array;
  readonly errorBound: number = 0;
  readonly lipschitz: number = 1;
  readonly #r: number;
  readonly #h: number;

  constructor(r: number, h: number) {
    this.#r = r;
    this.#h = h;
    this.bounds = Float64Array.of(-r, -r, -h, r, r, h);
  }

  distance(x: number, y: number, z: number): number {
    const a = Math.sqrt(x * x + y * y) - this.#r;
    const b = (z < 0 ? -z : z) - this.#h;
    if (a > 0 && b > 0) return Math.sqrt(a * a + b * b);
    return Math.max(a, b);
  }

  gradient(out: Float64Array, x: number, y: number, z: number): number {
    const a = writeRadial(out, x, y, 0) - this.#r;
    const b = (z < 0 ? -z : z) - this.#h;
    // the weights of the radial and the axial direction
    let radial = a > b ? 1 : 0;
    let axial = 1 - radial;
    let d = Math.max(a, b);
    if (a > 0 && b > 0) {
      d = Math.sqrt(a * a + b * b);
      // too small to square: one face is as good as the other
      if (d > 0) {
        radial = a / d;
        axial = b / d;
      }
    }
    out[0] *= radial;
    out[1] *= radial;
    out[2] = z < 0 ? -axial : axial;
    return d;
  }
}

class TorusField implements SignedDistanceField {
  readonly bounds: Float64Array;
  readonly errorBound: number = 0;
  readonly lipschitz: number = 1;
  readonly #R: number;
  readonly #r: number;

  constructor(R: number, r: number) {
    this.#R = R;
    this.#r = r;
    this.bounds = Float64Array.of(-R - r, -R - r, -r, R + r, R + r, r);
  }

  distance(x: number, y: number, z: number): number {
    const a = Math.sqrt(x * x + y * y) - this.#R;
    return Math.sqrt(a * a + z * z) - this.#r;
  }

  gradient(out: Float64Array, x: number, y: number, z: number): number {
    const a = writeRadial(out, x, y, 0) - this.#R;
    const ux = out[0];
    const uy = out[1];
    const d = writeRadial(out, a, 0, z);
    const c = out[0];
    out[0] = c * ux;
    out[1] = c * uy;
    return d - this.#r;
  }
}

/** Length of a vector; its direction to `out`, +x for the zero vector. */
function writeRadial(out: Float64Array, x: number, y: number, z: number): number {
  const d = Math.sqrt(x * x + y * y + z * z);
  // lengths whose square vanishes count as zero, lest the division blow up
  const s = d > 1e-150 ? 1 / d : 0;
  out[0] = s > 0 ? x * s : 1;
  out[1] = y * s;
  out[2] = z * s;
  return d;
}
