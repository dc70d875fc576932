/**
 * What becomes of bodies that overlap where a run begins or where the user has put them (`options.start`):
 *   separate       moved apart where they are not too deep in each other (overlap-limit.ts), and left out beyond
 *   ignore-pairs   left out
 *   refuse         an error that names the pair
 * Under all of them, bodies that touch to within half of d̂ are moved apart: that is round-off. A pair that is left out has no
 * contact until it has come apart, and contact from then on. Pairs that cannot be moved apart, because joints or static bodies hold
 * them or others are in the way, are left out too.
 */
import { updateKinematics } from '../../dynamics/kinematics.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { NexdynError } from '../../error.ts';
import type { Model } from '../../model/model.ts';
import { describeShapePath } from '../../model/shape-path.ts';
import type { State } from '../../state/state.ts';
import { OverlapSearch } from './find-overlaps.ts';
import { keyOf, type LeftOutPairs, type OverlappingPair } from './left-out-pairs.ts';
import type { MovingBodies } from './moving-bodies.ts';
import { DEPTH_SHARE, describeLeftOut, describePairs, namePair, OverlapLimit, TOUCH_SHARE } from './overlap-limit.ts';
import { separateOverlaps, spreadNear } from './separate-overlaps.ts';
import { NEAR_SHARE, type SeparationRule } from './separation-rows.ts';
import { describeLength, nameShape } from './shape-names.ts';

/** Gap at which a step may have left bodies, share of d̂: nearer ones touch. */
const ROUND_OFF_SHARE = 1e-6;
/** How often bodies are moved apart anew without the pairs that would not come apart. */
const ATTEMPTS = 10;

export class StartRule {
  readonly #model: Model;
  readonly #bodies: MovingBodies;
  readonly #leftOut: LeftOutPairs;
  readonly #search: OverlapSearch;
  #limit: OverlapLimit | undefined;

  constructor(model: Model, bodies: MovingBodies, leftOut: LeftOutPairs) {
    this.#model = model;
    this.#bodies = bodies;
    this.#leftOut = leftOut;
    this.#search = new OverlapSearch(model, bodies, leftOut);
  }

  /**
   * Moves bodies apart in a state that no step has led to, and takes the pairs that are left out; whether it may have moved any.
   * Frames have begun the state. `isFirst` where no step was taken before; `goal` is the distance at which two frames rest, m.
   */
  apply(state: State, work: Workspace, isFirst: boolean, goal: SeparationRule['goal']): boolean {
    const { frames, range } = this.#bodies;
    const { start } = this.#model.options;
    this.#refuseInverted();
    const near = (isFirst && start !== 'refuse' ? NEAR_SHARE : ROUND_OFF_SHARE) * range;
    if (isFirst) this.#leftOut.assign([]);
    const skipped = new Set(this.#leftOut.pairs.map(({ shape1, shape2 }) => keyOf(shape1, shape2)));
    const limit = (one: number, two: number): number => this.#limitDepth(one, two);
    const position = state.position.slice();
    const softPosition = state.softPosition.slice();
    for (let attempt = 1; ; attempt++) {
      const hasMoved = separateOverlaps(this.#model, this.#bodies, state, work, { limit, goal, skipped }) > 0;
      const overlaps = this.#search.find(work, near);
      const fresh = overlaps.filter(({ shape1, shape2 }) => !skipped.has(keyOf(shape1, shape2)));
      if (start === 'refuse' && overlaps.length > 0) this.#refuse(overlaps[0]);
      if (fresh.length === 0 || !hasMoved || attempt === ATTEMPTS) {
        this.#leftOut.assign(overlaps);
        return (isFirst && this.#spread(state, work, { limit, goal, skipped }, near)) || hasMoved;
      }
      const given = attempt + 1 < ATTEMPTS ? this.#chooseDeepest(fresh) : fresh;
      for (const { shape1, shape2 } of given) skipped.add(keyOf(shape1, shape2));
      frames.restart();
      state.position.set(position);
      state.softPosition.set(softPosition);
      updateKinematics(this.#model, state, work);
    }
  }

  // takes bodies to their places that are near others; not where something else would then touch
  #spread(state: State, work: Workspace, rule: SeparationRule, near: number): boolean {
    const position = state.position.slice();
    const softPosition = state.softPosition.slice();
    const skipped = new Set(rule.skipped);
    for (const { shape1, shape2 } of this.#leftOut.pairs) skipped.add(keyOf(shape1, shape2));
    if (!spreadNear(this.#model, this.#bodies, state, work, { ...rule, skipped })) return false;
    const overlaps = this.#search.find(work, near);
    if (overlaps.every(({ shape1, shape2 }) => this.#leftOut.has(shape1, shape2))) return true;
    state.position.set(position);
    state.softPosition.set(softPosition);
    updateKinematics(this.#model, state, work);
    this.#bodies.frames.begin(state, work);
    return false;
  }

  /** Lets pairs touch that have come apart at the current poses; whether there are any. */
  release(work: Workspace): boolean {
    if (this.#leftOut.count === 0) return false;
    return this.#leftOut.assign(this.#search.findLeftOut(work, NEAR_SHARE * this.#bodies.range));
  }

  /** The pairs that are left out, in words. */
  describeLeftOut(): string[] {
    return describePairs(this.#leftOut.pairs, (pair) => describeLeftOut(this.#model, pair));
  }

  // the deepest pairs, at most one of each body: what stood in the way of the others
  #chooseDeepest(pairs: readonly OverlappingPair[]): OverlappingPair[] {
    const { ofBody, moving } = this.#bodies.frames;
    const { shape, size } = this.#model;
    const isTaken = new Set<number>();
    const owner = (s: number): number => (s < size.shape ? ofBody[shape.body[s]] : -1 - s);
    const rank = ({ depth }: OverlappingPair): number => (Number.isNaN(depth) ? Infinity : depth);
    return [...pairs]
      .sort((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)))
      .filter(({ shape1, shape2 }) => {
        const owners = [owner(shape1), owner(shape2)].filter((body) => body < moving);
        if (owners.some((body) => isTaken.has(body))) return false;
        for (const body of owners) isTaken.add(body);
        return true;
      });
  }

  #limitDepth(one: number, two: number): number {
    const touch = TOUCH_SHARE * this.#bodies.range;
    if (this.#model.options.start !== 'separate') return touch;
    this.#limit ??= new OverlapLimit(this.#model);
    const { shape } = this.#model.size;
    const [rigid, other] = one < two ? [one, two] : [two, one];
    if (other < shape) return Math.max(touch, this.#limit.of(rigid, other));
    if (rigid < shape) return Math.max(touch, this.#limit.ofThickness(rigid, this.#measureThickness(other)));
    return Math.max(touch, DEPTH_SHARE * Math.min(this.#measureThickness(rigid), this.#measureThickness(other)));
  }

  // of a soft body
  #measureThickness(s: number): number {
    const { size, soft } = this.#model;
    if (soft.dimension[s - size.shape] < 3) return soft.thickness[s - size.shape];
    let least = Infinity;
    for (let k = 0; k < 3; k++) {
      let low = Infinity;
      let high = -Infinity;
      for (let v = soft.vertexStart[s - size.shape]; v < soft.vertexStart[s - size.shape + 1]; v++) {
        low = Math.min(low, soft.rest[3 * v + k]);
        high = Math.max(high, soft.rest[3 * v + k]);
      }
      least = Math.min(least, high - low);
    }
    return least;
  }

  #refuse({ shape1: one, shape2: two, depth }: OverlappingPair): never {
    const model = this.#model;
    const { options } = model;
    const field = this.#bodies.fields.pairs.find(
      ({ shape, samples }) => keyOf(shape, samples.shape) === keyOf(one, two),
    );
    if (field && depth < 0) {
      const kept = describeLength(field.target.level - field.samples.radius);
      throw new NexdynError(
        'invalid-value',
        `${namePair(model, one, two)} start ${describeLength(-depth)} apart, less than the ${kept} that are kept between them`,
        {
          path: `${options.clearance.path}.signedDistancePromise`,
          hint: `move them apart, or ask for a smaller ${options.clearance.path}.signedDistanceCovering or spacing of the field`,
        },
      );
    }
    const known = depth > 0 ? ` by ${describeLength(depth)}` : ' (they touch)';
    const size = Number.isNaN(depth) ? '' : known;
    const names = one === two ? `${nameShape(model, one)} intersects itself` : `${namePair(model, one, two)} intersect`;
    // the one that may be moved
    const [path, other] = [two, one].map((s) => describeShapePath(model, s));
    const isSecondFixed = this.#isFixedShape(two) && !this.#isFixedShape(one);
    const from = one === two ? 'its parts' : `it and ${isSecondFixed ? path : other}`;
    throw new NexdynError('invalid-value', `${names} at the start${size}`, {
      path: isSecondFixed ? other : path,
      hint: `move ${from} apart by a little more, switch off contact between them, or choose options.start: 'separate'`,
    });
  }

  #refuseInverted(): void {
    const inverted = this.#bodies.elastic.describeInverted();
    if (inverted === undefined) return;
    throw new NexdynError('invalid-value', `${inverted} has no positive volume at the start`, {
      path: 'softBodies',
      hint: 'place the vertices so that every tetrahedron has a positive volume; ipc then keeps it positive',
    });
  }

  #isFixedShape(s: number): boolean {
    const { size, shape } = this.#model;
    const { ofBody, moving } = this.#bodies.frames;
    return s < size.shape && ofBody[shape.body[s]] >= moving;
  }
}
