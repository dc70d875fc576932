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
import { collectBoxOverlaps } from '../../geometry/bounding-tree/box-overlap.ts';
import { IndexList } from '../../geometry/bounding-tree/index-list.ts';
import { buildTree, createTreeBuilder, type TreeBuilder } from '../../geometry/bounding-tree/tree-builder.ts';
import { writeShapeBounds } from '../../geometry/bounds/shape-bounds.ts';
import { ContactPoints } from '../../geometry/contact-points.ts';
import type { PairTest } from '../../geometry/pair-test.ts';
import { type Model, SOFT_CONTACT } from '../../model/model.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import type { ContactSet } from '../contact-set.ts';
import { type CollisionWorkspace, testPair } from '../detect-contacts.ts';
import { findPairTest } from '../narrow-phase.ts';
import { mayTouch, pairKey } from '../pair-filter.ts';
import { PAIR_STRIDE } from '../touching-pairs.ts';
import { BodyTravel, FAST_SHARE } from './body-travel.ts';
import { findFirstTouch } from './first-touch.ts';
import type { MovingShape } from './moving-shape.ts';

/** Time looked ahead, in steps: more than one, since forces change velocities. */
const HORIZON = 1.25;
/** Points within this share of the thinner shape, or within what is left of the way, belong to a touch. */
const PATCH_SHARE = 0.05;
/** Pairs nearer than this share of the thinner shape touch. */
const NEAR_SHARE = 1e-3;

/** A touch on the way. */
interface Touch {
  readonly a: number;
  readonly b: number;
  readonly one: MovingShape;
  readonly two: MovingShape;
  readonly test: PairTest;
  readonly thin: number;
  readonly time: number;
  /** Time in which the pair comes as far as half the thinner shape, s. */
  readonly slack: number;
  /** How fast their points come towards each other at most, m/s. */
  readonly pace: number;
}

export class ContactsAhead {
  readonly #travel: BodyTravel;
  readonly #boxes: Float64Array;
  readonly #builder: TreeBuilder;
  readonly #near = new IndexList();
  readonly #patch = new ContactPoints();
  readonly #touches: Touch[] = [];
  /** Per point that was added: where side 2 is from side 1, m, three numbers. */
  readonly #sweeps: number[] = [];
  #firstPoint = 0;
  #hasFast = false;
  #h = 0;
  /** Whether contacts at a gap are of use: only where they have rows. */
  readonly #widens: boolean;

  constructor(model: Model, plan: CollisionPlan, widens: boolean) {
    this.#widens = widens;
    this.#travel = new BodyTravel(model, plan);
    this.#boxes = new Float64Array(6 * plan.boxed.length);
    this.#builder = createTreeBuilder(plan.boxed.length);
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
    this.#touches.length = 0;
    this.#sweeps.length = 0;
    if (!this.#hasFast) return;
    const near = this.#listNear(model, collision);
    if (this.#widens) this.#widenTouching(model, collision, near);
    this.#firstPoint = collision.points.count;
    this.#sweepBoxes(model, collision.plan);
    this.#searchPairs(model, work, collision, near);
    this.#addTouches(model, collision);
  }

  /** Marks the contacts of the set that are ahead, and those that close fast. */
  mark(model: Model, contacts: ContactSet, { touching }: CollisionWorkspace, work: Workspace): void {
    const { records, count } = touching;
    for (let o = 0, i = 0; o < PAIR_STRIDE * count; o += PAIR_STRIDE) {
      for (let n = records[o + 2]; n < records[o + 2] + records[o + 3]; n++, i++) {
        if (n < this.#firstPoint) {
          if (this.#isClosingFast(model, contacts, i, work)) contacts.ahead[i] = 1;
          continue;
        }
        contacts.ahead[i] = 1;
        for (let k = 0; k < 3; k++) contacts.sweep[3 * i + k] = this.#sweeps[3 * (n - this.#firstPoint) + k];
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

  // around the way of every shape
  #sweepBoxes(model: Model, plan: CollisionPlan): void {
    const { distance } = this.#travel;
    const box = this.#boxes;
    for (let i = 0; i < plan.boxed.length; i++) {
      const s = plan.boxed[i];
      const b = model.shape.body[s];
      writeShapeBounds(box, 6 * i, plan.placed[s], 0);
      if (model.body.lastDof[b] < 0) continue;
      const v = this.#travel.velocityOf(b);
      const shift = this.#h * Math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2);
      const turn = HORIZON * (distance[b] - shift);
      for (let k = 0; k < 3; k++) {
        const way = HORIZON * this.#h * v[k];
        box[6 * i + k] += Math.min(way, 0) - turn;
        box[6 * i + 3 + k] += Math.max(way, 0) + turn;
      }
    }
  }

  #searchPairs(model: Model, work: Workspace, collision: CollisionWorkspace, near: ReadonlySet<number>): void {
    const { boxed, planes } = collision.plan;
    const { isFast } = this.#travel;
    const { body } = model.shape;
    const tree = buildTree(this.#builder, this.#boxes, boxed.length);
    const found = this.#near;
    for (let i = 0; i < boxed.length; i++) {
      if (isFast[body[boxed[i]]] === 0) continue;
      for (const plane of planes) this.#lookAhead(model, work, collision, near, boxed[i], plane);
      found.clear();
      collectBoxOverlaps(found, tree, this.#boxes, 6 * i);
      found.values.subarray(0, found.count).sort();
      for (let k = 0; k < found.count; k++) {
        const j = found.values[k];
        // of two fast ones the pair counts once
        if (j === i || (j < i && isFast[body[boxed[j]]] === 1)) continue;
        this.#lookAhead(model, work, collision, near, boxed[i], boxed[j]);
      }
    }
  }

  #lookAhead(
    model: Model,
    work: Workspace,
    { plan }: CollisionWorkspace,
    near: ReadonlySet<number>,
    s: number,
    other: number,
  ): void {
    const { kind } = model.shape;
    if (!mayTouch(model, plan.filter, s, other) || near.has(pairKey(s, other, model.size.shape))) return;
    if (plan.choice !== undefined && plan.choice.choose(s, other) !== SOFT_CONTACT.point) return;
    if (!this.#isFastPair(model, s, other)) return;
    const [a, b] = kind[s] < kind[other] || (kind[s] === kind[other] && s < other) ? [s, other] : [other, s];
    const test = findPairTest(kind[a], kind[b]);
    if (!test) return;
    const { thickness } = this.#travel;
    const thin = Math.min(thickness[a], thickness[b]);
    const one = this.#travel.follow(plan, work, a);
    const two = this.#travel.follow(plan, work, b);
    const time = findFirstTouch(test, one, two, thin, HORIZON * this.#h);
    if (time < 0) return;
    let square = 0;
    for (let k = 0; k < 3; k++) square += (one.velocity[k] - two.velocity[k]) ** 2;
    const pace = Math.sqrt(square) + one.swing + two.swing;
    const slack = (FAST_SHARE * thin) / pace;
    this.#touches.push({ a, b, one, two, test, thin, time, slack, pace });
  }

  // of every fast body the first, and what it meets within its own size from there
  #addTouches(model: Model, collision: CollisionWorkspace): void {
    const { body } = model.shape;
    const first = new Map<number, number>();
    for (const { a, b, time, slack } of this.#touches)
      for (const carrier of [body[a], body[b]])
        if (this.#travel.isFast[carrier] === 1)
          first.set(carrier, Math.min(first.get(carrier) ?? Infinity, time + slack));
    for (const touch of this.#touches) {
      const { a, b, time } = touch;
      const isLate = [body[a], body[b]].some((carrier) => time > (first.get(carrier) ?? Infinity));
      if (!isLate) this.#addPoints(collision, touch);
    }
  }

  #addPoints({ points, touching }: CollisionWorkspace, { a, b, one, two, test, thin, time, pace }: Touch): void {
    const patch = this.#patch;
    const start = points.count;
    one.moveTo(time);
    two.moveTo(time);
    patch.clear();
    // the far end of a body that turns touches later in the step
    const rest = (HORIZON * this.#h - time) * pace;
    test(patch, one.placed, two.placed, Math.max(PATCH_SHARE * thin, rest));
    const { normal, position, feature } = patch;
    for (let n = 0; n < patch.count; n++) {
      const half = 0.5 * patch.gap[n];
      const x1 = [0, 1, 2].map((k) => position[3 * n + k] - half * normal[3 * n + k]);
      const x2 = [0, 1, 2].map((k) => position[3 * n + k] + half * normal[3 * n + k]);
      const speed = two.measureSpeed(normal, 3 * n, x2, time) - one.measureSpeed(normal, 3 * n, x1, time);
      const gap = patch.gap[n] - Math.min(0, speed) * time;
      // back to where the bodies are now, at the arms that they will have
      for (let k = 0; k < 3; k++) {
        x1[k] -= time * one.velocity[k];
        x2[k] -= time * two.velocity[k];
        this.#sweeps.push(x2[k] - x1[k]);
      }
      const o = 3 * n;
      points.add(x1[0], x1[1], x1[2], normal[o], normal[o + 1], normal[o + 2], gap, feature[n]);
    }
    if (points.count > start) touching.add(Math.min(a, b), Math.max(a, b), start, points.count - start);
  }
}
