/**
 * Pairs that a body on its support only grazes. A box that slides over two boxes side by side lies in the first by its compliance, or by round-off; so the
 * side of the second one is in its way by that much, and contacts that look ahead would stop it there. With the velocities u that supports leave of those at the
 * start and free fall,
 *   u ← u − n min(0, n·(u − u_other))    for points that touch, or do by free fall, and do not hit: −n·(v − v_other) ≤ η (|v − v_other| + h g)
 * a pair that is no support itself is left out of the step where its rows foresee more depth than the way at u has:
 *   φ(s) ≥ −min(δ + τ, −(φ + 2 h n·w)/2)    for all s in [0, 2 h]
 * n normal, φ gap m, w relative velocity at the start with free fall, δ depth to which the deepest support goes in the step at v, at most DEEP_SHARE of the thinner shape, τ = GRAZE_SHARE of it, v
 * velocity at the start m/s, g weight m/s², h step s. What the step makes deeper after all is found after the solve (unforeseen-touches.ts).
 */
import type { Workspace } from '../../dynamics/workspace.ts';
import { ContactPoints } from '../../geometry/contact-points.ts';
import { SHAPE_TABLE } from '../../geometry/shapes/shape-table.ts';
import { type Model, SOFT_CONTACT } from '../../model/model.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import type { CollisionWorkspace } from '../detect-contacts.ts';
import { findPairTest } from '../narrow-phase.ts';
import { pairKey } from '../pair-filter.ts';
import { PAIR_STRIDE } from '../touching-pairs.ts';
import type { BodyTravel } from './body-travel.ts';
import type { MovingShape } from './moving-shape.ts';
import type { Touch } from './touch-search.ts';
import { WayCheck } from './way-check.ts';

/** Time looked ahead, in steps: rows of compliant contacts act before a gap closes. */
const HORIZON = 2;
/** Gap that counts as touching, and way that counts as rest, share of the thinner shape. */
const NEAR_SHARE = 1e-3;
/** Depth that counts as none: a rod that rocks on its support dips by so much; less than what the look after the solve lets in, UNFORESEEN_SHARE. */
const GRAZE_SHARE = 0.02;
/** η: closing speed that is round-off of sliding. */
const HIT_SHARE = 0.05;
/** Depth of a support beyond which what it meets counts, share of the thinner shape. */
const DEEP_SHARE = 0.1;
/** Times that velocities are freed of what supports stop. */
const SWEEPS = 4;

/** A point at which a body rests or slides. */
interface Support {
  /** Away from the other body. */
  readonly normal: readonly [number, number, number];
  readonly other: number;
  readonly depth: number;
}

export class GrazingPairs {
  readonly #model: Model;
  readonly #plan: CollisionPlan;
  readonly #travel: BodyTravel;
  readonly #way = new WayCheck();
  readonly #patch = new ContactPoints();
  readonly #supports = new Map<number, Support[]>();
  /** Pairs that are supports, by key. */
  readonly #supporting = new Set<number>();
  /** u of bodies with supports. */
  readonly #held = new Map<number, Float64Array>();
  readonly #moving = new Map<number, MovingShape>();
  #isListed = false;
  /** g, m/s². */
  readonly #weight: number;

  constructor(model: Model, plan: CollisionPlan, travel: BodyTravel) {
    this.#model = model;
    this.#weight = Math.hypot(...model.options.gravity);
    this.#plan = plan;
    this.#travel = travel;
  }

  /** Takes the points of such pairs away; shapes stand where the step begins. */
  leaveOut(work: Workspace, collision: CollisionWorkspace): void {
    this.#isListed = false;
    const { records, count } = collision.touching;
    const end = HORIZON * this.#travel.time;
    for (let o = 0; o < PAIR_STRIDE * count; o += PAIR_STRIDE) {
      const [s, other, , number] = records.subarray(o, o + PAIR_STRIDE);
      if (number === 0 || !this.#maySlide(collision, s, other)) continue;
      const [a, b] = this.#order(s, other);
      const one = this.#travel.follow(this.#plan, work, a);
      const two = this.#travel.follow(this.#plan, work, b);
      const depth = foreseeDepth(collision.points, records[o + 2], number, { one, two, time: 0 }, end);
      if (this.#grazes(work, a, b, depth)) records[o + 3] = 0;
    }
  }

  // whether two shapes move past each other, and one of them has a support elsewhere
  #maySlide(collision: CollisionWorkspace, s: number, other: number): boolean {
    const { shape, size } = this.#model;
    const [p, q] = [shape.body[s], shape.body[other]];
    const { thickness, time } = this.#travel;
    const thin = Math.min(thickness[s], thickness[other]);
    if (!(time * this.#travel.measureDrift(p, q) > NEAR_SHARE * thin)) return false;
    const { choice } = this.#plan;
    if (choice !== undefined && choice.choose(s, other) !== SOFT_CONTACT.point) return false;
    if (isLevel(shape.kind[s]) || isLevel(shape.kind[other])) return false;
    if (!this.#isListed) this.#listSupports(collision);
    if (!this.#supports.has(p) && !this.#supports.has(q)) return false;
    return !this.#supporting.has(pairKey(s, other, size.shape));
  }

  // the one whose test it is first
  #order(s: number, other: number): [number, number] {
    const { kind } = this.#model.shape;
    return kind[s] < kind[other] || (kind[s] === kind[other] && s < other) ? [s, other] : [other, s];
  }

  // of two shapes that rows foresee in each other by a depth
  #grazes(work: Workspace, a: number, b: number, foreseen: number): boolean {
    const { shape } = this.#model;
    const { thickness } = this.#travel;
    const time = HORIZON * this.#travel.time;
    const thin = Math.min(thickness[a], thickness[b]);
    const [p, q] = [shape.body[a], shape.body[b]];
    const depth = Math.max(this.#measureDepth(p), this.#measureDepth(q));
    const allowed = Math.min(DEEP_SHARE * thin, depth) + GRAZE_SHARE * thin;
    const test = findPairTest(shape.kind[a], shape.kind[b]);
    if (!test || !(foreseen > 0)) return false;
    const touch = { a, b, one: this.#follow(work, a), two: this.#follow(work, b), test, thin, time, slack: 0, pace: 0 };
    return !this.#way.comesDeeper(touch, -Math.min(allowed, 0.5 * foreseen));
  }

  /** Without such pairs; where free fall alone brings a body to a touch, that is a support. */
  choose(work: Workspace, collision: CollisionWorkspace, touches: readonly Touch[]): readonly Touch[] {
    if (!this.#isListed) this.#listSupports(collision);
    const depths = touches.map(({ a, b, one, two, test, thin, time }) => {
      const patch = this.#patch;
      one.moveTo(time);
      two.moveTo(time);
      patch.clear();
      test(patch, one.placed, two.placed, NEAR_SHARE * thin);
      for (let n = 0; n < patch.count; n++) this.#addSupport(a, b, patch.normal.subarray(3 * n, 3 * n + 3), 0);
      return foreseeDepth(patch, 0, patch.count, { one, two, time }, HORIZON * this.#travel.time);
    });
    this.#held.clear();
    this.#moving.clear();
    return touches.filter(({ a, b }, i) => !(this.#maySlide(collision, a, b) && this.#grazes(work, a, b, depths[i])));
  }

  // points that touch, or do so by free fall, and do not hit, of bodies that move
  #listSupports({ touching, points }: CollisionWorkspace): void {
    this.#isListed = true;
    this.#supports.clear();
    this.#supporting.clear();
    this.#held.clear();
    this.#moving.clear();
    const { thickness } = this.#travel;
    const { records, count } = touching;
    for (let o = 0; o < PAIR_STRIDE * count; o += PAIR_STRIDE) {
      const [s, other, start, number] = records.subarray(o, o + PAIR_STRIDE);
      const [a, b] = this.#order(s, other);
      const reach = NEAR_SHARE * Math.min(thickness[s], thickness[other]);
      for (let n = start; n < start + number; n++)
        if (points.gap[n] <= reach) this.#addSupport(a, b, points.normal.subarray(3 * n, 3 * n + 3), points.gap[n]);
    }
  }

  // a point of two shapes, with the normal from a to b
  #addSupport(a: number, b: number, normal: Float64Array, gap: number): void {
    const { shape, body, size } = this.#model;
    const { time } = this.#travel;
    const [p, q] = [shape.body[a], shape.body[b]];
    const closing = this.#travel.measureClosing(p, q, normal);
    const [x, y, z] = normal;
    if (closing > HIT_SHARE * (this.#travel.measureDrift(p, q) + time * this.#weight)) return;
    const depth = Math.max(0, time * Math.max(0, closing) - gap);
    if (body.lastDof[p] >= 0) this.#add(p, { normal: [-x, -y, -z], other: q, depth });
    if (body.lastDof[q] >= 0) this.#add(q, { normal: [x, y, z], other: p, depth });
    this.#supporting.add(pairKey(a, b, size.shape));
  }

  #add(b: number, support: Support): void {
    const known = this.#supports.get(b);
    if (known) known.push(support);
    else this.#supports.set(b, [support]);
  }

  #measureDepth(b: number): number {
    let depth = 0;
    for (const support of this.#supports.get(b) ?? []) depth = Math.max(depth, support.depth);
    return depth;
  }

  // u of a body
  #hold(b: number): Float64Array {
    const known = this.#held.get(b);
    if (known) return known;
    const u = new Float64Array(3);
    this.#held.set(b, u);
    const isMoving = (body: number): boolean => this.#model.body.lastDof[body] >= 0;
    if (!isMoving(b)) return u;
    for (let k = 0; k < 3; k++) u[k] = this.#travel.velocityOf(b)[k];
    const supports = this.#supports.get(b) ?? [];
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      for (const { normal, other } of supports) {
        // a body that stands on another goes with it
        const v = isMoving(other) ? this.#travel.velocityOf(other) : undefined;
        let along = 0;
        for (let k = 0; k < 3; k++) along += normal[k] * (u[k] - (v?.[k] ?? 0));
        for (let k = 0; k < 3 && along < 0; k++) u[k] -= along * normal[k];
      }
    }
    return u;
  }

  #follow(work: Workspace, s: number): MovingShape {
    const known = this.#moving.get(s);
    if (known) return known;
    const b = this.#model.shape.body[s];
    const moving = this.#travel.follow(this.#plan, work, s).at(this.#hold(b));
    this.#moving.set(s, moving);
    return moving;
  }
}

// the depth at the end of the step that rows foresee at points of shapes that touch at a time, with free fall, m
function foreseeDepth(
  { normal, position, gap }: ContactPoints,
  first: number,
  count: number,
  { one, two, time }: Pick<Touch, 'one' | 'two' | 'time'>,
  end: number,
): number {
  let depth = 0;
  for (let n = first; n < first + count; n++) {
    const x = position.subarray(3 * n, 3 * n + 3);
    const speed = two.measureSpeed(normal, 3 * n, x, time) - one.measureSpeed(normal, 3 * n, x, time);
    depth = Math.max(depth, -speed * (end - time) - gap[n]);
  }
  return depth;
}

// planes and terrain have no sides
function isLevel(kind: number): boolean {
  return SHAPE_TABLE[kind].isEndless === true;
}
