/**
 * Pairs of surfaces that are near each other, and what belongs to the pair: the separation ξ (m) that is kept between them, radii
 * included, the larger coefficient of sliding friction, and the shares of it that the two tangents have.
 */
import { copyInto } from '../../linear-algebra/growth.ts';
import type { Model } from '../../model/model.ts';
import { PairMaterial } from '../pair-material.ts';

export class SurfacePairs {
  count = 0;
  /** Soft body s counts as shape `size.shape` + s. */
  shape1: Int32Array = new Int32Array(64);
  shape2: Int32Array = new Int32Array(64);
  separation: Float64Array = new Float64Array(64);
  friction: Float64Array = new Float64Array(64);
  anisotropy: Float64Array = new Float64Array(128);
  readonly #material: PairMaterial;

  constructor(model: Model) {
    this.#material = new PairMaterial(model);
  }

  clear(): void {
    this.count = 0;
    // materials may have changed since
    this.#material.forget();
  }

  /** The number of a new pair. */
  add(shape1: number, shape2: number, separation: number): number {
    const n = this.count++;
    if (n === this.shape1.length) this.#grow();
    this.#material.mix(shape1, shape2);
    this.shape1[n] = shape1;
    this.shape2[n] = shape2;
    this.separation[n] = separation;
    this.friction[n] = this.#material.slidingFriction;
    this.#material.writeAnisotropy(this.anisotropy, 2 * n);
    return n;
  }

  #grow(): void {
    const n = 2 * this.shape1.length;
    this.shape1 = copyInto(this.shape1, new Int32Array(n));
    this.shape2 = copyInto(this.shape2, new Int32Array(n));
    this.separation = copyInto(this.separation, new Float64Array(n));
    this.friction = copyInto(this.friction, new Float64Array(n));
    this.anisotropy = copyInto(this.anisotropy, new Float64Array(2 * n));
  }
}
