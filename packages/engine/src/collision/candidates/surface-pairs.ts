/**
 * Pairs of surfaces that are near each other, and what belongs to the pair: the separation ξ (m) that is kept between them, radii
 * included, and the coefficient of friction. A pair that the scene names has what it says there.
 */

import { copyInto } from '../../linear-algebra/growth.ts';
import type { Model } from '../../model/model.ts';
import type { ContactPair } from '../../scene/contact-filter.ts';
import { pairKey } from '../pair-filter.ts';
import { PairParameters } from '../pair-parameters.ts';
import { classifySurfaces, type SurfaceClasses } from '../surface-class.ts';
import { mixSoftFriction } from './surface-filter.ts';

export class SurfacePairs {
  count = 0;
  /** Soft body s counts as shape `size.shape` + s. */
  shape1: Int32Array = new Int32Array(64);
  shape2: Int32Array = new Int32Array(64);
  separation: Float64Array = new Float64Array(64);
  friction: Float64Array = new Float64Array(64);
  readonly #model: Model;
  readonly #classes: SurfaceClasses;
  readonly #parameters = new PairParameters();
  readonly #explicit = new Map<number, ContactPair>();

  constructor(model: Model) {
    this.#model = model;
    this.#classes = classifySurfaces(model);
    (model.scene.contactPairs ?? []).forEach((pair, i) => {
      const { pairShapes } = model.contactFilter;
      this.#explicit.set(pairKey(pairShapes[2 * i], pairShapes[2 * i + 1], model.size.shape), pair);
    });
  }

  clear(): void {
    this.count = 0;
  }

  /** The number of a new pair. */
  add(shape1: number, shape2: number, separation: number): number {
    const n = this.count++;
    if (n === this.shape1.length) this.#grow();
    this.shape1[n] = shape1;
    this.shape2[n] = shape2;
    this.separation[n] = separation;
    this.friction[n] = this.#mixFriction(shape1, shape2);
    return n;
  }

  #mixFriction(shape1: number, shape2: number): number {
    const model = this.#model;
    if (Math.max(shape1, shape2) >= model.size.shape) return mixSoftFriction(model, shape1, shape2);
    const parameters = this.#parameters;
    parameters.mix(model, this.#classes, shape1, shape2);
    const explicit = this.#explicit.get(pairKey(shape1, shape2, model.size.shape));
    if (explicit) parameters.override(explicit, model.scene.options?.contactOverride);
    // the least friction that parameters give is none
    const slide = parameters.friction[0];
    return parameters.condim === 1 || slide <= 1e-5 ? 0 : slide;
  }

  #grow(): void {
    const n = 2 * this.shape1.length;
    this.shape1 = copyInto(this.shape1, new Int32Array(n));
    this.shape2 = copyInto(this.shape2, new Int32Array(n));
    this.separation = copyInto(this.separation, new Float64Array(n));
    this.friction = copyInto(this.friction, new Float64Array(n));
  }
}
