/**
 * Pairs of shapes that overlap at the start, or where the user has put them, under formulations whose contacts push overlaps apart
 * (`options.start`):
 *   separate       pushed apart no faster than RECOVERY_SPEED; left out where they are too deep (overlap-limit.ts), or where
 *                  both are links of one mechanism whose joints do not let them apart (contradictions.ts)
 *   ignore-pairs   left out
 *   refuse         an error that names the pair
 * Pairs that are left out have no contact until they have come apart. Overlaps below half of d̂ are round-off.
 *
 * A law of contact with stiffness k pushes a depth d apart at d √(k/m), or in a few steps. Where that is too fast, the contact measures
 * its gap from an allowance δ that only shrinks:
 *   φ' = φ + δ,   δ₀ = d − d_v/2,   δ̇ = −min(v, δ/T)
 * d_v (m) is the depth that the law pushes apart at v, or with three times the weight; below it nothing changes, so that bodies may start
 * in the state in which their springs carry them. v = RECOVERY_SPEED; near the end δ fades with T = RECOVERY_TIME, so that v/T < g and
 * bodies do not hop. Soft bodies are pushed apart from any depth. Where they touch by pressure, depth is p/g and may grow as
 * they come apart: δ ≥ d − d_v there, in every step. Pairs are a part of the state: a step writes them behind its impulses and the next
 * one reads them.
 */
import { NexdynError } from '../../error.ts';
import type { ContactPoints } from '../../geometry/contact-points.ts';
import { type Model, SOFT_CONTACT } from '../../model/model.ts';
import { describeShapePath } from '../../model/shape-path.ts';
import { type ConstraintImpulses, STARTING_PAIR } from '../../state/constraint-impulses.ts';
import type { State } from '../../state/state.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import { type ContactSet, isSoftContact } from '../contact-set.ts';
import { PAIR_STRIDE, type TouchingPairs } from '../touching-pairs.ts';
import { keyOf } from './left-out-pairs.ts';
import { MovedTrees } from './moved-trees.ts';
import { describeLeftOut, describePairs, namePair, OverlapLimit, TOUCH_SHARE } from './overlap-limit.ts';
import { describeLength } from './shape-names.ts';

/** Speed at which overlaps of the start are pushed apart at most, m/s. */
export const RECOVERY_SPEED = 0.6;
/** Time in which the last of them fades, s. */
export const RECOVERY_TIME = 0.1;
/** Share of d_v that acts from the start on: the speeds of its release and of the allowance add up. */
const START_SHARE = 0.5;
/** Speed at which the allowance ends, m/s. */
const LAST_SPEED = 1e-3;
/** Allowance of pairs of soft bodies that are left out, m: nothing is as deep. */
const BEYOND = 1e6;

/** A pair that overlapped at the start. */
interface StartingPair {
  readonly shape1: number;
  readonly shape2: number;
  /** At the start, m. */
  depth: number;
  isLeftOut: boolean;
  /** δ, m. */
  allowance: number;
  /** The deepest of its contacts, -1 where none has been found. */
  deepest: number;
  /** Whether joints hold it in its place: the allowance stays. */
  isStuck: boolean;
  /** Whether the current detection has found it. */
  isSeen: boolean;
}

/** d_v of contact i in a step of length h, m. */
export type FreeDepth = (contacts: ContactSet, i: number, h: number) => number;

const entry = /* @__PURE__ */ new Float64Array(5);

export class StartingPairs {
  readonly #model: Model;
  readonly #measureFreeDepth: FreeDepth;
  readonly #moved: MovedTrees;
  readonly #pairs = new Map<number, StartingPair>();
  #isStart = false;
  readonly #speed: number;
  #limit: OverlapLimit | undefined;

  /** `speed` is v, m/s. */
  constructor(model: Model, measureFreeDepth: FreeDepth, speed: number = RECOVERY_SPEED) {
    this.#speed = speed;
    this.#model = model;
    this.#measureFreeDepth = measureFreeDepth;
    this.#moved = new MovedTrees(model);
  }

  /** Takes the pairs of a state; to be called before its contacts are found. */
  read(state: State): void {
    const from = state.impulses;
    // clearing a map makes it anew, even if it is empty
    if (this.#pairs.size > 0) this.#pairs.clear();
    this.#moved.begin(state);
    this.#isStart = isStart(this.#model, state);
    if (from.count === 0 || from.key[2 * from.count - 2] !== STARTING_PAIR) return;
    from.rewind();
    for (let n = 0, at = from.find(STARTING_PAIR, 0); at >= 0; at = from.find(STARTING_PAIR, ++n)) {
      const [shape1, shape2, depth, isLeftOut, allowance] = from.value.subarray(at, at + 5);
      // what was put elsewhere is seen anew
      if (this.#isPlaced(shape1, shape2)) continue;
      this.#pairs.set(keyOf(shape1, shape2), {
        shape1,
        shape2,
        depth,
        isLeftOut: isLeftOut === 1,
        allowance,
        deepest: -1,
        isStuck: false,
        isSeen: false,
      });
    }
  }

  /** Looks for bodies that the user has put elsewhere; before the first of some steps. */
  noticeMoves(state: State): void {
    this.#moved.notice(state);
  }

  /** Notes where steps have led to, or where a state was restored. */
  noteState(state: State): void {
    this.#moved.note(state);
  }

  /** Takes the points of pairs that are left out from those that touch. */
  leaveOut(touching: TouchingPairs, points: ContactPoints, plan: CollisionPlan): void {
    if (this.#isIdle) return;
    for (const pair of this.#pairs.values()) pair.isSeen = false;
    const { records, count } = touching;
    const touch = TOUCH_SHARE * this.#model.options.clearance.barrierDistance;
    for (let o = 0; o < PAIR_STRIDE * count; o += PAIR_STRIDE) {
      const [one, two, start, number] = records.subarray(o, o + PAIR_STRIDE);
      let depth = 0;
      for (let n = start; n < start + number; n++) depth = Math.max(depth, -points.gap[n]);
      if (depth === 0) continue;
      const known = this.#pairs.get(keyOf(one, two));
      if (known) known.isSeen = true;
      else if (depth > touch && this.#isPlaced(one, two)) {
        // pressure fields overlap by their nature
        if (plan.choice?.choose(one, two) === SOFT_CONTACT.hydroelastic) continue;
        this.#add(one, two, depth);
      }
      if (this.#pairs.get(keyOf(one, two))?.isLeftOut) records[o + 3] = 0;
    }
    for (const [key, pair] of this.#pairs) if (!pair.isSeen && !this.#isSoft(pair)) this.#pairs.delete(key);
  }

  /** Gives contacts their allowance. */
  relax(contacts: ContactSet, h: number): void {
    const { count, gap, recovery, shape1, shape2, ahead } = contacts;
    recovery.fill(0, 0, count);
    if (this.#isStart) this.#addSoft(contacts);
    if (this.#pairs.size === 0) return;
    for (const pair of this.#pairs.values()) pair.deepest = -1;
    for (let i = 0; i < count; i++) {
      const known = this.#pairs.get(keyOf(shape1[i], shape2[i]));
      if (known && (known.deepest < 0 || gap[i] < gap[known.deepest])) known.deepest = i;
    }
    for (const [key, known] of this.#pairs) {
      const { deepest } = known;
      const depth = deepest < 0 ? 0 : Math.max(0, -gap[deepest]);
      const isSoft = this.#isSoft(known);
      if (isSoft && depth === 0) this.#pairs.delete(key);
      if (deepest < 0) continue;
      const isFirst = Number.isNaN(known.allowance);
      // the points of a pair have one law
      const free = isFirst || isSoft ? this.#measureFreeDepth(contacts, deepest, h) : 0;
      if (isFirst) known.allowance = known.depth > free ? known.depth - START_SHARE * free : 0;
      if (isSoft) known.allowance = Math.max(known.allowance, depth - free);
      known.allowance = Math.min(known.allowance, depth);
      if (isSoft && known.allowance === 0) this.#pairs.delete(key);
    }
    for (let i = 0; i < count; i++) {
      const known = this.#pairs.get(keyOf(shape1[i], shape2[i]));
      if (known && ahead[i] === 0) recovery[i] = known.isLeftOut ? BEYOND : known.allowance;
    }
  }

  /** Whether contact i is of a pair that overlapped at the start and has kept most of its depth. */
  isStarting({ shape1, shape2, gap }: ContactSet, i: number): boolean {
    const pair = this.#pairs.get(keyOf(shape1[i], shape2[i]));
    return pair !== undefined && gap[i] < -0.5 * pair.depth;
  }

  /** Keeps the allowance of the pair of contact i: joints do not let it come apart. */
  hold({ shape1, shape2 }: ContactSet, i: number): void {
    const pair = this.#pairs.get(keyOf(shape1[i], shape2[i]));
    if (pair) pair.isStuck = true;
  }

  /** Whether two shapes have no contact until they have come apart. */
  leavesOut(one: number, two: number): boolean {
    return this.#pairs.size > 0 && this.#pairs.get(keyOf(one, two))?.isLeftOut === true;
  }

  /** Leaves the pair of contact i out from the next step on: joints of its mechanism do not let it come apart. */
  giveUp({ shape1, shape2 }: ContactSet, i: number): void {
    const pair = this.#pairs.get(keyOf(shape1[i], shape2[i]));
    if (!pair) return;
    pair.isLeftOut = true;
    pair.allowance = 0;
  }

  get count(): number {
    return this.#pairs.size;
  }

  /** Keeps the pairs for the next step, behind everything else. */
  write(out: ConstraintImpulses, h: number): void {
    if (this.#pairs.size === 0) return;
    let n = 0;
    const keys = [...this.#pairs.keys()].sort((a, b) => a - b);
    for (const key of keys) {
      const { shape1, shape2, depth, isLeftOut, allowance, isStuck } = this.#pairs.get(key)!;
      const speed = Math.min(this.#speed, allowance / RECOVERY_TIME + LAST_SPEED);
      const next = isStuck ? allowance : Math.max(0, allowance - h * speed);
      entry.set([shape1, shape2, depth, isLeftOut ? 1 : 0, next]);
      out.add(STARTING_PAIR, n++, entry, 0, 5);
    }
  }

  /** The pairs, in words. */
  describe(): string[] {
    const pairs = [...this.#pairs.values()].filter(({ isLeftOut, allowance }) => isLeftOut || allowance > 0);
    return describePairs(pairs, (pair) => {
      if (pair.isLeftOut) return describeLeftOut(this.#model, pair);
      const names = namePair(this.#model, pair.shape1, pair.shape2);
      const size = describeLength(pair.depth);
      return `full contact of ${names}, which overlap by ${size} at the start: they are pushed apart at up to ${this.#speed} m/s`;
    });
  }

  get #isIdle(): boolean {
    return !this.#isStart && !this.#moved.hasAny && this.#pairs.size === 0;
  }

  // soft bodies that are deep in something, other than in themselves
  #addSoft(contacts: ContactSet): void {
    const { count, gap, shape1, shape2 } = contacts;
    const touch = TOUCH_SHARE * this.#model.options.clearance.barrierDistance;
    for (let i = 0; i < count; i++) {
      if (gap[i] >= -touch || shape1[i] === shape2[i] || !isSoftContact(contacts, i)) continue;
      const known = this.#pairs.get(keyOf(shape1[i], shape2[i]));
      if (!known) this.#add(shape1[i], shape2[i], -gap[i]);
      else if (Number.isNaN(known.allowance)) known.depth = Math.max(known.depth, -gap[i]);
    }
  }

  #isSoft({ shape2 }: StartingPair): boolean {
    return shape2 >= this.#model.size.shape;
  }

  // a pair that nobody has seen before
  #add(one: number, two: number, depth: number): void {
    const { start } = this.#model.options;
    const [shape1, shape2] = [Math.min(one, two), Math.max(one, two)];
    if (start === 'refuse') this.#refuse(shape1, shape2, depth);
    this.#limit ??= new OverlapLimit(this.#model);
    const isTooDeep = shape2 < this.#model.size.shape && depth > this.#limit.of(one, two);
    const isLeftOut = start === 'ignore-pairs' || isTooDeep;
    const allowance = isLeftOut ? 0 : Number.NaN;
    this.#pairs.set(keyOf(one, two), {
      shape1,
      shape2,
      depth,
      isLeftOut,
      allowance,
      deepest: -1,
      isStuck: false,
      isSeen: true,
    });
  }

  #isPlaced(one: number, two: number): boolean {
    const { body } = this.#model.shape;
    return this.#isStart || this.#moved.has(body[one]) || this.#moved.has(body[two]);
  }

  #refuse(one: number, two: number, depth: number): never {
    const model = this.#model;
    const isFixed = (s: number): boolean => s < model.size.shape && model.body.lastDof[model.shape.body[s]] < 0;
    const [moved, other] = isFixed(two) && !isFixed(one) ? [one, two] : [two, one];
    const pathOf = (s: number): string =>
      s < model.size.shape ? describeShapePath(model, s) : `softBodies[${s - model.size.shape}]`;
    throw new NexdynError(
      'invalid-value',
      `${namePair(model, one, two)} intersect at the start by ${describeLength(depth)}`,
      {
        path: pathOf(moved),
        hint: `move it and ${pathOf(other)} apart, switch off contact between them, or choose options.start: 'separate'`,
      },
    );
  }
}

/** Whether a run begins here: a reset leads to 0 or to the time of a keyframe, and a step leads away from there. */
export function isStart({ keyframe }: Model, { time, warmStart }: State): boolean {
  return (time[0] === 0 || keyframe.time.includes(time[0])) && warmStart.every((a) => a === 0);
}
