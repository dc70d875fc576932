/**
 * How two colliders touch: at points, by pressure or not at all. What `contactKinds` of the scene says for the kinds of the two comes
 * first; else by pressure where one of two shapes, or the soft body, is hydroelastic: the other is rigid to it if it has no pressure. Two
 * soft bodies touch by pressure where both are hydroelastic. Soft body n has the number n behind the last shape.
 */

import { SHAPE_TABLE } from '../geometry/shapes/shape-table.ts';
import { type Model, SOFT_CONTACT } from '../model/model.ts';
import type { ContactKinds } from '../scene/options.ts';

const RIGID = 0;
const FLOOR = 1;
const SOFT = 2;
const CLASSES = 3;

export class ContactChoice {
  /** Per collider: rigid, floor or soft; its own setting. */
  readonly #class: Uint8Array;
  readonly #own: Uint8Array;
  /** Per collider: whether it is a shell or a rod, which touches at points alone. */
  readonly #isThin: Uint8Array;
  /** By the classes of the two sides: the setting of the scene, or −1. */
  readonly #said: Int8Array;

  constructor({ shape, soft, size, options }: Model) {
    const count = size.shape + size.softBody;
    this.#class = new Uint8Array(count).fill(SOFT, size.shape);
    this.#own = new Uint8Array(count);
    this.#own.set(shape.contact);
    this.#own.set(soft.contact, size.shape);
    this.#isThin = new Uint8Array(count);
    for (let n = 0; n < size.softBody; n++) this.#isThin[size.shape + n] = soft.dimension[n] < 3 ? 1 : 0;
    for (let s = 0; s < size.shape; s++) {
      this.#class[s] = SHAPE_TABLE[shape.kind[s]].isGround ? FLOOR : RIGID;
    }
    this.#said = tabulate(options.contactKinds ?? {});
  }

  /** See SOFT_CONTACT. */
  choose(a: number, b: number): number {
    const said = this.#said[CLASSES * this.#class[a] + this.#class[b]];
    if (said >= 0) {
      const isThin = this.#isThin[a] === 1 || this.#isThin[b] === 1;
      return isThin && said === SOFT_CONTACT.hydroelastic ? SOFT_CONTACT.point : said;
    }
    const one = this.#own[a];
    const two = this.#own[b];
    if (this.#class[a] === SOFT && this.#class[b] === SOFT) return Math.min(one, two);
    // the soft body decides for a shape
    if (this.#class[a] === SOFT) return one;
    if (this.#class[b] === SOFT) return two;
    return Math.max(one, two);
  }

  /** Whether side a of a pair in hydroelastic contact has its own pressure field and is not rigid. */
  hasPressure(a: number, b: number): boolean {
    if (this.#own[a] === SOFT_CONTACT.hydroelastic || this.#class[a] === SOFT) return true;
    // `contactKinds` gives shapes a field; floors have one only if they ask for it themselves
    return (
      this.#class[a] === RIGID &&
      this.#class[b] !== SOFT &&
      this.#said[CLASSES * this.#class[a] + this.#class[b]] === SOFT_CONTACT.hydroelastic
    );
  }
}

/** Whether a model needs a choice at all: without one, all contacts are at points. */
export function needsChoice({ pressure, options }: Model): boolean {
  return pressure.isActive || options.contactKinds !== undefined;
}

function tabulate(kinds: ContactKinds): Int8Array {
  const said = new Int8Array(CLASSES * CLASSES).fill(-1);
  const set = (a: number, b: number, kind: ContactKinds[keyof ContactKinds]): void => {
    if (kind === undefined) return;
    said[CLASSES * a + b] = SOFT_CONTACT[kind];
    said[CLASSES * b + a] = SOFT_CONTACT[kind];
  };
  set(RIGID, RIGID, kinds.rigidRigid);
  set(RIGID, FLOOR, kinds.rigidFloor);
  set(SOFT, FLOOR, kinds.softFloor);
  set(SOFT, RIGID, kinds.softRigid);
  set(SOFT, SOFT, kinds.softSoft);
  return said;
}
