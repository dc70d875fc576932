/**
 * How much of a step the contacts with signed-distance fields allow: the least time at which a sample comes down to the level c
 * of its pair, by conservative advancement on the curves of both frames (geometry/motion/field-approach.ts).
 * Samples whose φ̃ exceeds c by more than Λ times the largest possible motion of both sides are skipped:
 *   |dx_A| + |dθ_A| r_A + |dx_B| + |dθ_B| r_B,   r_B the farthest point of the surface φ̃ = c, or of the samples where it has no end
 */

import type { Frames } from '../../dynamics/frames.ts';
import {
  ADVANCE_DEFAULTS,
  type AdvanceOptions,
  createTimeOfImpact,
  type TimeOfImpact,
} from '../../geometry/motion/conservative-advancement.ts';
import { advancePointField, MovingSample } from '../../geometry/motion/field-approach.ts';
import type { FieldPair } from '../candidates/field-pairs.ts';
import { type FieldCollisions, visitSamplesBelow } from '../collisions/field-collisions.ts';

export class FieldStepLimit {
  readonly #contacts: FieldCollisions;
  readonly #frames: Frames;
  readonly #moving = new MovingSample();
  readonly #impact: TimeOfImpact = createTimeOfImpact();
  readonly #query: AdvanceOptions = { ...ADVANCE_DEFAULTS };

  constructor(contacts: FieldCollisions, frames: Frames) {
    this.#contacts = contacts;
    this.#frames = frames;
  }

  /** The largest part of the paths, up to `most`, that is free. */
  measure(most: number): number {
    this.#query.end = most;
    this.#moving.paths = this.#frames.paths;
    for (const pair of this.#contacts.pairs) if (this.#contacts.takes(pair)) this.#limit(pair);
    return this.#query.end;
  }

  #limit(pair: FieldPair): void {
    const { samples, frame, target } = pair;
    const { current } = this.#frames;
    const moving = this.#moving;
    const query = this.#query;
    const ahead = this.#boundMoves(pair);
    if (ahead === 0) return;
    moving.a = samples.frame;
    moving.b = frame;
    moving.target = target;
    const limit = target.level + target.field.lipschitz * ahead;
    visitSamplesBelow(pair, current, limit, (sample, value) => {
      if (value > limit || !(query.end > 0)) return;
      for (let k = 0; k < 3; k++) moving.local[k] = samples.points[3 * sample + k];
      if (advancePointField(this.#impact, moving, 0, query)) query.end = this.#impact.time;
    });
  }

  // how far a sample and the surface can move, together
  #boundMoves({ samples, frame, target }: FieldPair): number {
    const { step, current } = this.#frames;
    const { position } = current;
    const a = 3 * samples.frame;
    const b = 3 * frame;
    const shift = measure(step, 2 * a) + measure(step, 2 * b);
    const swing = measure(step, 2 * a + 3) * samples.reach;
    const turn = measure(step, 2 * b + 3);
    if (turn === 0) return shift + swing;
    const apart = Math.sqrt(
      (position[a] - position[b]) ** 2 +
        (position[a + 1] - position[b + 1]) ** 2 +
        (position[a + 2] - position[b + 2]) ** 2,
    );
    return shift + swing + turn * Math.min(target.reach, apart + samples.reach + shift);
  }
}

function measure(x: Float64Array, o: number): number {
  return Math.sqrt(x[o] * x[o] + x[o + 1] * x[o + 1] + x[o + 2] * x[o + 2]);
}
