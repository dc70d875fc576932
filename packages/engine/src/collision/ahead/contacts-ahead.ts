/**
 * Contacts that fast bodies will have in the course of a step. A contact set is found where the step begins, so a body that comes
 * farther than its own size in a step would pass through others between two looks. For every pair with a fast body, the first touch on
 * its way is found (first-touch.ts), and where there is one the contact gets rows ahead of time:
 *   gap φ = −u t,   v_n ≥ −φ/h
 * so that the pair comes as far as where it touches. Symbols: t time of the touch s, u normal velocity of the points that will touch
 * m/s, at the arms that they have then. What passes by has no touch, and no rows. Of each body the first touch counts, and those that
 * follow within its thickness.
 *
 * Bodies that are slower, but come farther than shapes reach by themselves, are looked for as far as they come: a contact that is found
 * a step late is deep. What they fall on may itself be stopped in the step, so ways count from both sides.
 *
 * A pair that touches already and closes fast is marked as well: soft contact laws would let it through. Where one turns fast, as a
 * plank that tips over its edge, its other points have rows as well, as far as it comes.
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { type Model, SOFT_CONTACT } from '../../model/model.ts';
import type { State } from '../../state/state.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import type { ContactSet } from '../contact-set.ts';
import { type CollisionWorkspace, testPair } from '../detect-contacts.ts';
import type { StartingPairs } from '../initial-state/starting-pairs.ts';
import { pairKey } from '../pair-filter.ts';
import { PAIR_STRIDE, type TouchingPairs } from '../touching-pairs.ts';
import { BodyTravel, FAST_SHARE } from './body-travel.ts';
import { GrazingPairs } from './grazing-pairs.ts';
import { type Touch, TouchSearch } from './touch-search.ts';
import { UnforeseenTouches } from './unforeseen-touches.ts';

/** Time looked ahead, in steps: more than one, since forces change velocities. */
const HORIZON = 1.25;
/** Pairs nearer than this share of the thinner shape touch. */
const NEAR_SHARE = 1e-3;

export class ContactsAhead {
  readonly #travel: BodyTravel;
  readonly #search: TouchSearch;
  readonly #grazing: GrazingPairs;
  #unforeseen: UnforeseenTouches | undefined;
  #firstPoint = 0;
  #hasFast = false;
  #h = 0;
  /** Whether contacts at a gap are of use: only where they have rows. */
  readonly #widens: boolean;

  constructor(model: Model, plan: CollisionPlan, widens: boolean) {
    this.#widens = widens;
    this.#travel = new BodyTravel(model, plan);
    this.#search = new TouchSearch(plan);
    this.#grazing = new GrazingPairs(model, plan, this.#travel);
  }

  /** Takes the velocities of a step of length h; before pairs are looked for. */
  begin({ shape }: Model, work: Workspace, { boxed, swiftReach }: CollisionPlan, h: number): void {
    this.#h = h;
    this.#hasFast = this.#travel.measure(work, h);
    if (!this.#widens) return;
    const { distance, isFast } = this.#travel;
    for (let i = 0; i < boxed.length; i++) {
      const s = boxed[i];
      const b = shape.body[s];
      swiftReach[s] = isFast[b] === 1 ? 0 : Math.max(0, distance[b] - shape.margin[s] - shape.gap[s]);
    }
  }

  /** Adds the points of touches in the step to those of the pairs that touch now; shapes stand where the step begins. */
  find(model: Model, work: Workspace, collision: CollisionWorkspace): void {
    // no points are ahead
    this.#firstPoint = Infinity;
    this.#search.sweeps.length = 0;
    this.#unforeseen?.begin();
    this.#grazing.leaveOut(work, collision);
    if (!this.#hasFast) return;
    const known = this.#listNear(model, collision);
    if (this.#widens) this.#widenTouching(model, collision, known);
    this.#firstPoint = collision.points.count;
    const matters = (one: number, two: number): boolean => this.#isFastPair(model, one, two);
    const choose = (touches: readonly Touch[]): readonly Touch[] => this.#grazing.choose(work, collision, touches);
    this.#search.add(model, work, collision, { travel: this.#travel, end: HORIZON * this.#h, known, matters, choose });
  }

  /**
   * After a solve: adds the points of touches that were not foreseen, of bodies that others throw or stop in the step, and of
   * those that lie in each other where they have turned. Whether there are such; none are added at the last look. Pairs that are left out since
   * the start stay so.
   */
  findUnforeseen(
    model: Model,
    state: State,
    work: Workspace,
    collision: CollisionWorkspace,
    starting: StartingPairs | undefined,
    isLast: boolean,
  ): boolean {
    this.#unforeseen ??= new UnforeseenTouches(model, collision.plan, this.#search, this.#travel);
    const first = Math.min(this.#firstPoint, collision.points.count);
    const hasFound = this.#unforeseen.add(model, state, work, collision, starting, isLast);
    if (hasFound) this.#firstPoint = first;
    return hasFound;
  }

  /** Whether bodies pass through each other at the velocities of the last solve, whatever their rows say: the step is too long. */
  get passesThrough(): boolean {
    return this.#unforeseen?.passesThrough === true;
  }

  /** Marks the contacts of the set that are ahead, and those that close fast. */
  mark(model: Model, contacts: ContactSet, { records, count }: TouchingPairs, work: Workspace): void {
    for (let o = 0, i = 0; o < PAIR_STRIDE * count; o += PAIR_STRIDE) {
      for (let n = records[o + 2]; n < records[o + 2] + records[o + 3]; n++, i++) {
        if (n < this.#firstPoint) {
          if (this.#isClosingFast(model, contacts, i, work)) contacts.ahead[i] = 1;
          continue;
        }
        contacts.ahead[i] = 1;
        for (let k = 0; k < 3; k++) contacts.sweep[3 * i + k] = this.#search.sweeps[3 * (n - this.#firstPoint) + k];
      }
    }
  }

  #isClosingFast(model: Model, contacts: ContactSet, i: number, { bodyCenter }: Workspace): boolean {
    const { isFast, thickness, distance } = this.#travel;
    const one = contacts.carrier1[i];
    const two = contacts.carrier2[i];
    const thin = Math.min(thickness[contacts.shape1[i]], thickness[contacts.shape2[i]]);
    // a body that stops at a wall thinner than itself still has the speed that led there, and need not be fast by its own thickness
    const isFar = thin > 0 && distance[one] + distance[two] > FAST_SHARE * thin;
    if (!isFar && isFast[one] + isFast[two] === 0) return false;
    const bodies = [one, two];
    const { frame, position } = contacts;
    let speed = 0;
    for (let side = 0; side < 2; side++) {
      if (model.body.lastDof[bodies[side]] < 0) continue;
      const v = this.#travel.velocityOf(bodies[side]);
      const c = 3 * bodies[side];
      const [x, y, z] = [0, 1, 2].map((k) => position[3 * i + k] - bodyCenter[c + k]);
      const along =
        frame[9 * i] * (v[0] + v[4] * z - v[5] * y) +
        frame[9 * i + 1] * (v[1] + v[5] * x - v[3] * z) +
        frame[9 * i + 2] * (v[2] + v[3] * y - v[4] * x);
      speed += side === 0 ? -along : along;
    }
    return -speed * this.#h > FAST_SHARE * thin;
  }

  // pairs with a fast body that touch now, by key; those that are only near are to be looked at anew, and lose their points
  #listNear(model: Model, { touching, points }: CollisionWorkspace): Set<number> {
    const near = new Set<number>();
    const { isFast, thickness } = this.#travel;
    const { body } = model.shape;
    const { records, count } = touching;
    for (let o = 0; o < PAIR_STRIDE * count; o += PAIR_STRIDE) {
      const [one, two, start, number] = records.subarray(o, o + PAIR_STRIDE);
      if (isFast[body[one]] + isFast[body[two]] === 0) continue;
      let gap = Infinity;
      for (let n = start; n < start + number; n++) gap = Math.min(gap, points.gap[n]);
      const isApart = gap > NEAR_SHARE * Math.min(thickness[one], thickness[two]);
      if (isApart && this.#isFastPair(model, one, two)) records[o + 3] = 0;
      else near.add(pairKey(one, two, model.size.shape));
    }
    return near;
  }

  // pairs that touch anew, with the points that may touch in the step
  #widenTouching(model: Model, collision: CollisionWorkspace, near: ReadonlySet<number>): void {
    const { plan, touching } = collision;
    const { distance } = this.#travel;
    const { body } = model.shape;
    const { count } = touching;
    for (let o = 0; o < PAIR_STRIDE * count; o += PAIR_STRIDE) {
      const one = touching.records[o];
      const two = touching.records[o + 1];
      if (touching.records[o + 3] === 0 || !near.has(pairKey(one, two, model.size.shape))) continue;
      if (plan.choice !== undefined && plan.choice.choose(one, two) !== SOFT_CONTACT.point) continue;
      if (!this.#isFastPair(model, one, two)) continue;
      touching.records[o + 3] = 0;
      const reach = plan.swiftReach[one];
      plan.swiftReach[one] = distance[body[one]] + distance[body[two]];
      testPair(model, collision, one, two);
      plan.swiftReach[one] = reach;
    }
  }

  // whether two shapes come farther towards each other than half the thinner one
  #isFastPair(model: Model, one: number, two: number): boolean {
    const { distance, thickness } = this.#travel;
    const { body, lastDof } = { body: model.shape.body, lastDof: model.body.lastDof };
    const [a, b] = [body[one], body[two]];
    const thin = Math.min(thickness[one], thickness[two]);
    // bodies that fly together are not fast for each other
    let square = 0;
    let turn = 0;
    const u = lastDof[a] < 0 ? undefined : this.#travel.velocityOf(a);
    const v = lastDof[b] < 0 ? undefined : this.#travel.velocityOf(b);
    for (let k = 0; k < 3; k++) square += ((u?.[k] ?? 0) - (v?.[k] ?? 0)) ** 2;
    if (u) turn += distance[a] - this.#h * Math.sqrt(u[0] ** 2 + u[1] ** 2 + u[2] ** 2);
    if (v) turn += distance[b] - this.#h * Math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2);
    return this.#h * Math.sqrt(square) + turn > FAST_SHARE * thin;
  }
}
