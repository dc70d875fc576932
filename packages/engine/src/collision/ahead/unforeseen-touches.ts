/**
 * Touches that a step makes itself. Contacts are found for the velocities with which it begins; a body that another one throws or stops goes elsewhere,
 * and one that turns far comes elsewhere than its contacts foresee. With the velocities u of a solve:
 *
 *   pairs without contacts   the first touch on the way at u, where they lie in each other at its end
 *   pairs with contacts      where they lie in each other at the end, φ⁺ < min(0, φ + h J u) − σ t,  the points there with
 *                            φ = φ⁺ − h J⁺ u, arms and normals those of the end
 *
 * and the solve is repeated with them. φ gap at the start, φ⁺ at the end, J rows of its contacts, J⁺ of those at the end, t thickness of the
 * thinner shape, σ = UNFORESEEN_SHARE. What softness lets in by its law is in φ + h J u. Bodies that do what was foreseen cost nothing. A pair whose
 * points at the end have not halved its depth gets no more of them: they would be the same rows again.
 *
 * Rows are those of one pose. A body that a hit off its centre turns by many radians goes through what it has hit on the way, whatever its rows say
 * (way-check.ts). Such a solve passes through, and the step is too long for it.
 */

import { WayTwists } from '../../dynamics/way-twists.ts';
import type { Workspace } from '../../dynamics/workspace.ts';
import { ContactPoints } from '../../geometry/contact-points.ts';
import { type Model, SOFT_CONTACT } from '../../model/model.ts';
import type { State } from '../../state/state.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import type { ContactSet } from '../contact-set.ts';
import type { CollisionWorkspace } from '../detect-contacts.ts';
import type { StartingPairs } from '../initial-state/starting-pairs.ts';
import { findPairTest } from '../narrow-phase.ts';
import { pairKey } from '../pair-filter.ts';
import { PAIR_STRIDE } from '../touching-pairs.ts';
import { BodyTravel, FAST_SHARE, UNFORESEEN_SHARE } from './body-travel.ts';
import type { MovingShape } from './moving-shape.ts';
import { measurePace, type Search, type Touch, type TouchSearch } from './touch-search.ts';
import { WayCheck } from './way-check.ts';

/** Share of the depth at the last look up to which more points help. */
const PROGRESS = 0.5;
/** Depth to which what a body rests on lets it in by its law, and into what is beside that, at most, share of the thinner shape. */
const SINK_SHARE = 0.1;

/** A pair with contacts whose bodies turn or come elsewhere. */
interface TurnedPair {
  readonly key: number;
  readonly touch: Touch;
  /** Gap that its rows leave it, m. */
  readonly allowed: number;
}

export class UnforeseenTouches {
  /** Whether bodies pass through each other at the velocities of the last solve. */
  passesThrough = false;
  readonly #foreseen: BodyTravel;
  readonly #after: BodyTravel;
  readonly #ways: WayTwists;
  readonly #search: TouchSearch;
  readonly #patch = new ContactPoints();
  /** Per pair that has had points at its end in this step: φ⁺ then, m. */
  readonly #depths = new Map<number, number>();
  /** Pairs with contacts, and those that are left out, by key. */
  readonly #known = new Set<number>();
  /** Per body: φ + h J u of the contact that it sinks into most by its law, m. */
  readonly #sinks = new Map<number, number>();
  readonly #way = new WayCheck();

  /** `foreseen`: where bodies were expected to go before the solve. */
  constructor(model: Model, plan: CollisionPlan, search: TouchSearch, foreseen: BodyTravel) {
    this.#foreseen = foreseen;
    this.#after = new BodyTravel(model, plan);
    this.#ways = new WayTwists(model);
    this.#search = search;
  }

  /** Forgets the step before. */
  begin(): void {
    this.#depths.clear();
    this.passesThrough = false;
  }

  /** Adds the points of such touches to those of the pairs that touch, but not at the last look; whether there are some. */
  add(
    model: Model,
    state: State,
    work: Workspace,
    collision: CollisionWorkspace,
    starting: StartingPairs | undefined,
    isLast: boolean,
  ): boolean {
    const after = this.#after;
    const foreseen = this.#foreseen;
    const { time } = foreseen;
    this.passesThrough = false;
    const mayDepart = after.mayDepart(state, work, time);
    if (!mayDepart && !after.hasJoints) return false;
    let twist = this.#ways.measure(state, work, time, !mayDepart);
    if (!mayDepart) {
      if (!after.measureAfter(work, twist, foreseen, true)) return false;
      twist = this.#ways.measure(state, work, time, false);
    }
    if (!after.measureAfter(work, twist, foreseen, false)) return false;
    const { count } = collision.points;
    const turned = this.#listTurned(model, work, collision, starting);
    if (!isLast) {
      for (const pair of turned) this.#addEnd(collision, pair);
      // what a body rests on may keep it from what is beside that
      if (collision.points.count === count && this.#mayMeet())
        this.#search.add(model, work, collision, this.#createSearch(model, false));
      if (collision.points.count > count) return true;
    }
    this.passesThrough =
      turned.some(({ touch }) => this.#way.passes(touch)) ||
      (isLast && this.#mayMeet() && this.#search.has(model, work, collision, this.#createSearch(model, true)));
    return false;
  }

  #mayMeet(): boolean {
    return this.#after.isFast.includes(1);
  }

  // for pairs without contacts; at the last look those alone that pass through each other
  #createSearch({ shape: { body } }: Model, isLast: boolean): Search {
    const after = this.#after;
    const foreseen = this.#foreseen;
    const { time: end, thickness } = after;
    const departure = (s: number): number => after.departure(body[s], foreseen);
    const matters = (one: number, two: number): boolean =>
      departure(one) + departure(two) > UNFORESEEN_SHARE * Math.min(thickness[one], thickness[two]);
    const counts = (touch: Touch): boolean =>
      isLast ? this.#way.passes({ ...touch, time: end }) : this.#isDeep(touch, body);
    const choose = (touches: readonly Touch[]): readonly Touch[] => touches.filter(counts);
    return { travel: after, end, known: this.#known, matters, choose };
  }

  // pairs with contacts; all such pairs, and those that are left out, are known
  #listTurned(
    model: Model,
    work: Workspace,
    collision: CollisionWorkspace,
    starting: StartingPairs | undefined,
  ): TurnedPair[] {
    const { touching, plan, contacts } = collision;
    const { isFast, turns, thickness, time } = this.#after;
    const { body, kind } = model.shape;
    const { records, count } = touching;
    const known = this.#known;
    const turned: TurnedPair[] = [];
    known.clear();
    this.#sinks.clear();
    for (let o = 0, i = 0; o < PAIR_STRIDE * count; ) {
      const [s, other] = [records[o], records[o + 1]];
      const first = i;
      // a pair that was looked at before has several records in a row
      for (; o < PAIR_STRIDE * count && records[o] === s && records[o + 1] === other; o += PAIR_STRIDE)
        i += records[o + 3];
      const key = pairKey(s, other, model.size.shape);
      if (i > first || starting?.leavesOut(s, other)) known.add(key);
      if (i === first) continue;
      const [p, q] = [body[s], body[other]];
      if (isFast[p] + isFast[q] + turns[p] + turns[q] === 0) continue;
      if (plan.choice !== undefined && plan.choice.choose(s, other) !== SOFT_CONTACT.point) continue;
      const [a, b] = kind[s] < kind[other] || (kind[s] === kind[other] && s < other) ? [s, other] : [other, s];
      const test = findPairTest(kind[a], kind[b]);
      if (!test) continue;
      const one = this.#after.follow(plan, work, a);
      const two = this.#after.follow(plan, work, b);
      const thin = Math.min(thickness[a], thickness[b]);
      const touch = { a, b, one, two, test, thin, time, slack: 0, pace: measurePace(one, two) };
      const allowed = foresee(contacts, first, i - first, one, two, time);
      for (const carrier of [p, q]) this.#sinks.set(carrier, Math.min(this.#sinks.get(carrier) ?? 0, allowed));
      turned.push({ key, touch, allowed });
    }
    return turned;
  }

  // the points of a pair where it lies in each other at the end
  #addEnd(collision: CollisionWorkspace, { key, touch, allowed }: TurnedPair): void {
    const depth = this.#measureEnd(touch);
    if (depth >= allowed - UNFORESEEN_SHARE * touch.thin || depth < PROGRESS * (this.#depths.get(key) ?? -Infinity))
      return;
    this.#depths.set(key, depth);
    this.#search.addPoints(collision, { ...touch, pace: 0 }, touch.time, true);
  }

  // whether the shapes lie in each other at the end, or on a long way
  #isDeep(touch: Touch, body: Int32Array): boolean {
    const { time } = this.#after;
    const { a, b, thin } = touch;
    const sink = Math.min(this.#sinks.get(body[a]) ?? 0, this.#sinks.get(body[b]) ?? 0);
    const allowed = Math.max(sink, -SINK_SHARE * thin) - UNFORESEEN_SHARE * thin;
    if (time * touch.pace > FAST_SHARE * touch.thin) return this.#way.comesDeeper({ ...touch, time }, allowed);
    return this.#measureEnd(touch) < allowed;
  }

  // φ⁺ where it is negative, m
  #measureEnd({ one, two, test }: Touch): number {
    const patch = this.#patch;
    const { time } = this.#after;
    one.moveTo(time);
    two.moveTo(time);
    patch.clear();
    test(patch, one.placed, two.placed, 0);
    let gap = 0;
    for (let n = 0; n < patch.count; n++) gap = Math.min(gap, patch.gap[n]);
    return gap;
  }
}

// the least of 0 and φ + h J u over contacts of a pair that act, m
function foresee(
  { gap, force, frame, position, sweep }: ContactSet,
  first: number,
  number: number,
  one: MovingShape,
  two: MovingShape,
  h: number,
): number {
  let least = 0;
  const x = new Float64Array(3);
  for (let i = first; i < first + number; i++) {
    // others have no rows
    if (gap[i] > 0 && force[6 * i] === 0) continue;
    for (let k = 0; k < 3; k++) x[k] = position[3 * i + k] + sweep[3 * i + k];
    const speed =
      two.measureSpeed(frame, 9 * i, x, 0) - one.measureSpeed(frame, 9 * i, position.subarray(3 * i, 3 * i + 3), 0);
    least = Math.min(least, gap[i] + h * speed);
  }
  return least;
}
