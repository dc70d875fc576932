/**
 * A bowl: the part of a sphere about the origin that lies below z = h, and all points within a distance t of it.
 *
 *   φ = d − t,   d = |(ρ − w, z − h)|   where h ρ < w z, nearest to the rim
 *                d = ||x| − R|          elsewhere
 *
 *   R  radius of the sphere, h height of the rim above its centre, w = √(R² − h²) radius of the rim, t half the thickness of the
 *      wall, ρ distance from the z axis; all m
 *
 * d is the exact distance to the surface, so φ is exact outside the wall. Gradients have unit length; in the middle of the wall, on
 * the axis and in the centre one of their limits is given. Source: MuJoCo, plugin/sdf/bowl, after Quilez, Distance functions.
 */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import type { SignedDistanceField } from './field.ts';

/** @param R radius, @param h height of the rim, @param t half the thickness of the wall, m */
export function createBowlField(
  R: number,
  h: number,
  t: number,
  subject = 'the bowl',
  place: ErrorPlace = {},
): SignedDistanceField {
  if (R > 0 && R < Infinity && Math.abs(h) < R && t > 0 && t < R) return new BowlField(R, h, t);
  const reason = `${subject} has the radius ${R}, its rim at the height ${h} and a wall of ${t} to both sides`;
  throw new NexdynError('invalid-value', reason, { hint: 'height and wall must be less than the radius', ...place });
}

class BowlField implements SignedDistanceField {
  readonly bounds: Float64Array;
  readonly errorBound: number = 0;
  readonly lipschitz: number = 1;
  readonly #R: number;
  readonly #h: number;
  readonly #w: number;
  readonly #t: number;

  constructor(R: number, h: number, t: number) {
    this.#R = R;
    this.#h = h;
    this.#t = t;
    this.#w = Math.sqrt(R * R - h * h);
    const wide = (h < 0 ? this.#w : R) + t;
    this.bounds = Float64Array.of(-wide, -wide, -R - t, wide, wide, h + t);
  }

  distance(x: number, y: number, z: number): number {
    const rho = Math.sqrt(x * x + y * y);
    if (this.#h * rho < this.#w * z) {
      const a = rho - this.#w;
      const b = z - this.#h;
      return Math.sqrt(a * a + b * b) - this.#t;
    }
    return Math.abs(Math.sqrt(rho * rho + z * z) - this.#R) - this.#t;
  }

  gradient(out: Float64Array, x: number, y: number, z: number): number {
    const rho = Math.sqrt(x * x + y * y);
    const isRim = this.#h * rho < this.#w * z;
    // in the plane through the axis: along ρ and z
    const a = isRim ? rho - this.#w : rho;
    const b = isRim ? z - this.#h : z;
    const length = Math.sqrt(a * a + b * b);
    const isFar = length > 1e-150;
    const side = isRim || length > this.#R ? 1 : -1;
    const radial = isFar ? (side * a) / length : 0;
    const isOff = rho > 1e-150;
    out[0] = radial * (isOff ? x / rho : 1);
    out[1] = radial * (isOff ? y / rho : 0);
    out[2] = isFar ? (side * b) / length : 1;
    return isRim ? length - this.#t : Math.abs(length - this.#R) - this.#t;
  }
}
