/**
 * A field from a function f that has the right sign and slope L at most, but is no distance, as unions and intersections of solids
 * give it:
 *
 *   φ = max(f / L, distance to the box of the solid)
 *
 * Outside of the solid φ is never above the true distance, as its slope is at most 1 and its zeros are those of f: what φ keeps
 * apart is apart. It may be below. So the error that counts for margins is 0. Lengths in m.
 */
import type { SignedDistanceField } from './field.ts';
import { SlopedValue } from './sloped-value.ts';

/** f and its gradient at a point. */
export type SlopedFunction = (out: SlopedValue, x: number, y: number, z: number) => void;

export class BoundedField implements SignedDistanceField {
  readonly bounds: Float64Array;
  readonly errorBound: number = 0;
  readonly lipschitz: number = 1;
  readonly #write: SlopedFunction;
  readonly #scale: number;
  readonly #value: SlopedValue = new SlopedValue();

  /** @param bounds box of the solid, @param slope L */
  constructor(bounds: Float64Array, slope: number, write: SlopedFunction) {
    this.bounds = bounds;
    this.#scale = 1 / slope;
    this.#write = write;
  }

  distance(x: number, y: number, z: number): number {
    this.#write(this.#value, x, y, z);
    const { bounds: b } = this;
    const dx = x < b[0] ? x - b[0] : x > b[3] ? x - b[3] : 0;
    const dy = y < b[1] ? y - b[1] : y > b[4] ? y - b[4] : 0;
    const dz = z < b[2] ? z - b[2] : z > b[5] ? z - b[5] : 0;
    const value = this.#scale * this.#value.value;
    const away = Math.sqrt(dx * dx + dy * dy + dz * dz);
    return away > 0 && away > value ? away : value;
  }

  gradient(out: Float64Array, x: number, y: number, z: number): number {
    const found = this.#value;
    this.#write(found, x, y, z);
    const { bounds: b } = this;
    const dx = x < b[0] ? x - b[0] : x > b[3] ? x - b[3] : 0;
    const dy = y < b[1] ? y - b[1] : y > b[4] ? y - b[4] : 0;
    const dz = z < b[2] ? z - b[2] : z > b[5] ? z - b[5] : 0;
    const value = this.#scale * found.value;
    const away = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (away > 0 && away > value) {
      out[0] = dx / away;
      out[1] = dy / away;
      out[2] = dz / away;
      return away;
    }
    out[0] = this.#scale * found.x;
    out[1] = this.#scale * found.y;
    out[2] = this.#scale * found.z;
    return value;
  }
}
