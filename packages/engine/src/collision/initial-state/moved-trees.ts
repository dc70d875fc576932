/**
 * Which trees of joints the user has put elsewhere between two steps. Positions that differ from those that the last step has left, by
 * any amount, were written from outside; what a restored state holds was not.
 */
import type { Model } from '../../model/model.ts';
import type { State } from '../../state/state.ts';

export class MovedTrees {
  readonly #model: Model;
  readonly #reached: Float64Array;
  #isKnown = false;
  readonly #roots = new Set<number>();
  /** Time at which they were moved, s: later steps of the same call do not see it. */
  #time = Number.NaN;
  #isNow = false;

  constructor(model: Model) {
    this.#model = model;
    this.#reached = new Float64Array(model.size.position);
  }

  get hasAny(): boolean {
    return this.#isNow;
  }

  /** Whether the body is in a tree that was moved. */
  has(body: number): boolean {
    return this.#isNow && this.#roots.has(this.#model.body.root[body]);
  }

  notice({ position, time }: State): void {
    if (this.#roots.size > 0) this.#roots.clear();
    if (!this.#isKnown) return;
    const reached = this.#reached;
    const { length } = position;
    let i = 0;
    while (i < length && position[i] === reached[i]) i++;
    if (i === length) return;
    this.#time = time[0];
    const { joint, size, body } = this.#model;
    for (let j = 0; j < size.joint; j++) {
      const end = j + 1 < size.joint ? joint.positionStart[j + 1] : length;
      for (let k = joint.positionStart[j]; k < end; k++)
        if (position[k] !== reached[k]) this.#roots.add(body.root[joint.body[j]]);
    }
  }

  /** Before the contacts of a state are found. */
  begin({ time }: State): void {
    this.#isNow = this.#roots.size > 0 && time[0] === this.#time;
  }

  note({ position }: State): void {
    this.#reached.set(position);
    this.#isKnown = true;
    if (this.#roots.size > 0) this.#roots.clear();
  }
}
