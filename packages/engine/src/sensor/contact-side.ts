/** Which contacts a sensor looks at, and from which side. */
import type { ContactSet } from '../collision/contact-set.ts';
import type { Model } from '../model/model.ts';
import type { SensorObject } from '../scene/sensor.ts';
import { findIndex } from '../state/inputs.ts';
import { listSubtree } from './subtree-sensors.ts';

/** One side of contacts. */
export class ContactSide {
  readonly #isShape: boolean;
  readonly #isSoft: boolean;
  readonly #number: number;
  /** Per body, of bodies and subtrees. */
  readonly #isIn: Uint8Array;
  readonly #shapeBody: Int32Array;
  readonly #shapeCount: number;

  constructor(model: Model, { kind, name }: SensorObject) {
    this.#shapeBody = model.shape.body;
    this.#shapeCount = model.size.shape;
    this.#isShape = kind === 'shape';
    this.#isSoft = kind === 'softBody';
    this.#isIn = new Uint8Array(model.size.body);
    if (kind === 'shape') this.#number = findIndex(model.shape.name, name, 'shape');
    else if (kind === 'softBody') this.#number = model.size.shape + findIndex(model.soft.name, name, 'soft body');
    else {
      this.#number = findIndex(model.body.name, name, 'body');
      const bodies = kind === 'subtree' ? listSubtree(model, this.#number) : [this.#number];
      for (const b of bodies) this.#isIn[b] = 1;
    }
  }

  /** Whether a shape, as contacts number them, is of this side. */
  has(shape: number): boolean {
    if (this.#isShape || this.#isSoft) return shape === this.#number;
    return shape < this.#shapeCount && this.#isIn[this.#shapeBody[shape]] === 1;
  }
}

/**
 * 1 where contact i matches with its sides as the sensor has them, −1 where they are the other way round, 0 where it does not match. Forces
 * of the contact are of side 1 on side 2.
 */
export function matchContact(
  { shape1, shape2 }: ContactSet,
  i: number,
  first: ContactSide | undefined,
  second: ContactSide | undefined,
): -1 | 0 | 1 {
  const a = shape1[i];
  const b = shape2[i];
  if (first && second) return first.has(a) && second.has(b) ? 1 : first.has(b) && second.has(a) ? -1 : 0;
  if (first) return first.has(a) ? 1 : first.has(b) ? -1 : 0;
  if (second) return second.has(b) ? 1 : second.has(a) ? -1 : 0;
  return 1;
}
