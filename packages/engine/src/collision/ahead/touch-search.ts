/**
 * Touches on the way of fast bodies through a step: for every pair with such a body the time of the first touch (first-touch.ts), and the points that
 * touch then, as contacts of the poses at the start. Of each body the first touch counts, and those that follow within its thickness.
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
import type { CollisionWorkspace } from '../detect-contacts.ts';
import { findPairTest } from '../narrow-phase.ts';
import { mayTouch, pairKey } from '../pair-filter.ts';
import { type BodyTravel, FAST_SHARE } from './body-travel.ts';
import { findFirstTouch } from './first-touch.ts';
import type { MovingShape } from './moving-shape.ts';

/** Points within this share of the thinner shape, or within what is left of the way, belong to a touch. */
const PATCH_SHARE = 0.05;

/** A touch on the way. */
export interface Touch {
  readonly a: number;
  readonly b: number;
  readonly one: MovingShape;
  readonly two: MovingShape;
  readonly test: PairTest;
  /** Thickness of the thinner shape, m. */
  readonly thin: number;
  readonly time: number;
  /** Time in which the pair comes as far as half the thinner shape, s. */
  readonly slack: number;
  /** How fast their points come towards each other at most, m/s. */
  readonly pace: number;
}

/** What is looked for. */
export interface Search {
  /** Ways of the bodies. */
  readonly travel: BodyTravel;
  /** Time that is looked ahead, s. */
  readonly end: number;
  /** Pairs that are known, by key. */
  readonly known: ReadonlySet<number>;
  /** Whether the way of two shapes is to be followed. */
  matters(one: number, two: number): boolean;
  /** Those of the touches that count. */
  choose(touches: readonly Touch[]): readonly Touch[];
}

export class TouchSearch {
  /** Per point that was added: where side 2 is from side 1, m, three numbers. */
  readonly sweeps: number[] = [];
  readonly #boxes: Float64Array;
  readonly #builder: TreeBuilder;
  readonly #near = new IndexList();
  readonly #patch = new ContactPoints();
  readonly #touches: Touch[] = [];

  constructor({ boxed }: CollisionPlan) {
    this.#boxes = new Float64Array(6 * boxed.length);
    this.#builder = createTreeBuilder(boxed.length);
  }

  /** Adds the points of touches to those of the pairs that touch now. Shapes stand where the step begins. */
  add(model: Model, work: Workspace, collision: CollisionWorkspace, search: Search): void {
    this.#addTouches(model, collision, search, this.#find(model, work, collision, search));
  }

  /** Whether there are touches. */
  has(model: Model, work: Workspace, collision: CollisionWorkspace, search: Search): boolean {
    return this.#find(model, work, collision, search).length > 0;
  }

  #find(model: Model, work: Workspace, collision: CollisionWorkspace, search: Search): readonly Touch[] {
    this.#touches.length = 0;
    this.#sweepBoxes(model, collision.plan, search);
    this.#searchPairs(model, work, collision, search);
    return this.#touches.length > 0 ? search.choose(this.#touches) : this.#touches;
  }

  // around the way of every shape
  #sweepBoxes(model: Model, plan: CollisionPlan, { travel, end }: Search): void {
    const { distance, time } = travel;
    const box = this.#boxes;
    for (let i = 0; i < plan.boxed.length; i++) {
      const s = plan.boxed[i];
      const b = model.shape.body[s];
      writeShapeBounds(box, 6 * i, plan.placed[s], 0);
      if (model.body.lastDof[b] < 0) continue;
      const v = travel.velocityOf(b);
      const shift = time * Math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2);
      const turn = (end / time) * (distance[b] - shift);
      for (let k = 0; k < 3; k++) {
        const way = end * v[k];
        box[6 * i + k] += Math.min(way, 0) - turn;
        box[6 * i + 3 + k] += Math.max(way, 0) + turn;
      }
    }
  }

  #searchPairs(model: Model, work: Workspace, collision: CollisionWorkspace, search: Search): void {
    const { boxed, planes } = collision.plan;
    const { isFast } = search.travel;
    const { body } = model.shape;
    const tree = buildTree(this.#builder, this.#boxes, boxed.length);
    const found = this.#near;
    for (let i = 0; i < boxed.length; i++) {
      if (isFast[body[boxed[i]]] === 0) continue;
      for (const plane of planes) this.#follow(model, work, collision.plan, search, boxed[i], plane);
      found.clear();
      collectBoxOverlaps(found, tree, this.#boxes, 6 * i);
      found.values.subarray(0, found.count).sort();
      for (let k = 0; k < found.count; k++) {
        const j = found.values[k];
        // of two fast ones the pair counts once
        if (j === i || (j < i && isFast[body[boxed[j]]] === 1)) continue;
        this.#follow(model, work, collision.plan, search, boxed[i], boxed[j]);
      }
    }
  }

  #follow(model: Model, work: Workspace, plan: CollisionPlan, search: Search, s: number, other: number): void {
    const { travel, end, known } = search;
    const { kind } = model.shape;
    if (!mayTouch(model, plan.filter, s, other) || known.has(pairKey(s, other, model.size.shape))) return;
    if (plan.choice !== undefined && plan.choice.choose(s, other) !== SOFT_CONTACT.point) return;
    if (!search.matters(s, other)) return;
    const [a, b] = kind[s] < kind[other] || (kind[s] === kind[other] && s < other) ? [s, other] : [other, s];
    const test = findPairTest(kind[a], kind[b]);
    if (!test) return;
    const { thickness } = travel;
    const thin = Math.min(thickness[a], thickness[b]);
    const one = travel.follow(plan, work, a);
    const two = travel.follow(plan, work, b);
    const time = findFirstTouch(test, one, two, thin, end);
    if (time < 0) return;
    const pace = measurePace(one, two);
    const slack = (FAST_SHARE * thin) / pace;
    this.#touches.push({ a, b, one, two, test, thin, time, slack, pace });
  }

  // of every fast body the first, and what it meets within its own size from there
  #addTouches(model: Model, collision: CollisionWorkspace, { travel, end }: Search, touches: readonly Touch[]): void {
    const { body } = model.shape;
    const first = new Map<number, number>();
    for (const { a, b, time, slack } of touches)
      for (const carrier of [body[a], body[b]])
        if (travel.isFast[carrier] === 1) first.set(carrier, Math.min(first.get(carrier) ?? Infinity, time + slack));
    for (const touch of touches) {
      const { a, b, time } = touch;
      const isLate = [body[a], body[b]].some((carrier) => time > (first.get(carrier) ?? Infinity));
      if (!isLate) this.addPoints(collision, touch, end);
    }
  }

  /** Adds the points of a touch, or of where it leads by the end of the step. */
  addPoints({ points, touching }: CollisionWorkspace, touch: Touch, end: number, isEnd = false): void {
    const { a, b, one, two, test, thin, time, pace } = touch;
    const patch = this.#patch;
    const start = points.count;
    one.moveTo(time);
    two.moveTo(time);
    patch.clear();
    // the far end of a body that turns touches later in the step
    const rest = (end - time) * pace;
    test(patch, one.placed, two.placed, Math.max(PATCH_SHARE * thin, rest));
    const { normal, position, feature } = patch;
    for (let n = 0; n < patch.count; n++) {
      const half = 0.5 * patch.gap[n];
      const x1 = [0, 1, 2].map((k) => position[3 * n + k] - half * normal[3 * n + k]);
      const x2 = [0, 1, 2].map((k) => position[3 * n + k] + half * normal[3 * n + k]);
      const speed = two.measureSpeed(normal, 3 * n, x2, time) - one.measureSpeed(normal, 3 * n, x1, time);
      const reach = patch.gap[n] - Math.min(0, speed) * time;
      // where shapes lie in each other now, contacts of their own know
      const gap = isEnd ? Math.max(0, reach) : reach;
      // back to where the bodies are now, at the arms that they will have
      for (let k = 0; k < 3; k++) {
        x1[k] -= time * one.velocity[k];
        x2[k] -= time * two.velocity[k];
        this.sweeps.push(x2[k] - x1[k]);
      }
      const o = 3 * n;
      points.add(x1[0], x1[1], x1[2], normal[o], normal[o + 1], normal[o + 2], gap, feature[n]);
    }
    if (points.count > start) touching.add(Math.min(a, b), Math.max(a, b), start, points.count - start);
  }
}

/** How fast points of two shapes come towards each other at most, m/s. */
export function measurePace(one: MovingShape, two: MovingShape): number {
  let square = 0;
  for (let k = 0; k < 3; k++) square += (one.velocity[k] - two.velocity[k]) ** 2;
  return Math.sqrt(square) + one.swing + two.swing;
}
