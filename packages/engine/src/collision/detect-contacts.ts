/**
 * From a configuration to a contact set: poses of shapes, pairs whose boxes meet (broad phase), contact points of each pair
 * (narrow phase), frames and parameters. The result is a function of the configuration alone.
 *
 * The narrow phase takes pairs as the tree finds them, near ones one after the other whatever the numbers of their shapes. In
 * the order of their numbers, 100,000 shapes numbered at random would come from far memory for every pair. Only the pairs that
 * touch are sorted, and their points written in that order.
 */

import type { Workspace } from '../dynamics/workspace.ts';
import { ContactPoints } from '../geometry/contact-points.ts';
import { testBoxBox } from '../geometry/pair/box-box.ts';
import { SHAPE } from '../geometry/shape-kind.ts';
import type { Arena } from '../kernels/arena.ts';
import { type Model, SOFT_CONTACT } from '../model/model.ts';
import { checkDeadlineSometimes } from '../step-deadline.ts';
import type { ContactsAhead } from './ahead/contacts-ahead.ts';
import type { BoxPairRecord } from './box-pair-record.ts';
import { type BroadPhase, createBroadPhase, findCandidatePairs } from './broad-phase.ts';
import { type CollisionPlan, createCollisionPlan } from './collision-plan.ts';
import { COMPILED_DETECTION } from './compiled-detection.ts';
import { type CompliantContacts, createCompliantContacts } from './compliant-contacts.ts';
import { ContactHistory } from './contact-history.ts';
import { ContactSet } from './contact-set.ts';
import { writeContacts } from './contact-writer.ts';
import type { StartingPairs } from './initial-state/starting-pairs.ts';
import { pairKey } from './pair-filter.ts';
import { PairMaterial } from './pair-material.ts';
import { updateShapePoses } from './shape-poses.ts';
import { areShapesFar, ShapeProxy } from './shape-proxy.ts';
import { TouchingPairs } from './touching-pairs.ts';

/** What detection keeps between calls: constants and scratch, nothing that affects the motion. */
export interface CollisionWorkspace {
  readonly plan: CollisionPlan;
  readonly broadPhase: BroadPhase;
  /** Proxies of the shapes of the current pair. */
  readonly sideA: ShapeProxy;
  readonly sideB: ShapeProxy;
  /** Points of all pairs, in the order of the tests, and the pairs they belong to. */
  readonly points: ContactPoints;
  readonly touching: TouchingPairs;
  /** Where the compiled test of boxes is to be had. */
  readonly boxPairs: BoxPairRecord | undefined;
  readonly material: PairMaterial;
  readonly contacts: ContactSet;
  readonly history: ContactHistory;
  /** Of shapes that press and of soft bodies, where there are any. */
  readonly compliant: CompliantContacts | undefined;
}

export function createCollisionWorkspace(model: Model, arena: Arena): CollisionWorkspace {
  const plan = createCollisionPlan(model, arena);
  const isFar = areShapesFar(model.size.shape);
  const compiled = arena.compiledDynamics;
  const points = new ContactPoints(compiled && arena);
  return {
    plan,
    broadPhase: createBroadPhase(plan, arena),
    sideA: new ShapeProxy(isFar),
    sideB: new ShapeProxy(isFar),
    points,
    touching: new TouchingPairs(model.size.shape),
    boxPairs: compiled && new (COMPILED_DETECTION.require().BoxPairRecord)(compiled, model, plan, points, arena),
    material: new PairMaterial(model),
    contacts: new ContactSet(compiled && arena),
    history: new ContactHistory(),
    compliant: createCompliantContacts(model),
  };
}

/**
 * Fills the contact set for the poses in `work`; with contacts that fast bodies will have in a step of length h, and the rule for pairs that
 * overlapped at the start, where asked for.
 */
export function detectContacts(
  model: Model,
  work: Workspace,
  collision: CollisionWorkspace,
  ahead?: ContactsAhead,
  h = 0,
  starting?: StartingPairs,
): void {
  const { plan, broadPhase, points, touching, contacts, history, compliant } = collision;
  if (!plan.isActive && !compliant?.hasSoft) return;
  history.exchange(contacts);
  updateShapePoses(model, work, plan);
  ahead?.begin(model, work, plan, h);
  findCandidatePairs(model, plan, broadPhase);
  findContactPoints(model, collision);
  ahead?.find(model, work, collision);
  starting?.leaveOut(touching, points, plan);
  writeContactSet(model, work, collision, ahead, h, starting);
}

/** Fills the contact set from the points of all pairs. */
export function writeContactSet(
  model: Model,
  work: Workspace,
  { plan, points, touching, material, contacts, history, compliant }: CollisionWorkspace,
  ahead: ContactsAhead | undefined,
  h: number,
  starting: StartingPairs | undefined,
): void {
  contacts.count = 0;
  touching.sort();
  writeContacts(contacts, model, plan, material, touching, points);
  compliant?.writeShapes(contacts, touching);
  // thin bodies mark contacts of their own
  contacts.ahead.fill(0);
  compliant?.addSoft(model, work, plan, contacts, h);
  contacts.sweep.fill(0, 0, 3 * contacts.count);
  ahead?.mark(model, contacts, touching, work);
  if (starting) starting.relax(contacts, h);
  else contacts.recovery.fill(0, 0, contacts.count);
  history.match(contacts);
}

/** Points of all candidates, and the pairs that have some. */
function findContactPoints(model: Model, collision: CollisionWorkspace): void {
  const { broadPhase, points, touching, compliant, sideA, sideB } = collision;
  const { values, count } = broadPhase.pairs;
  sideA.forget();
  sideB.forget();
  points.clear();
  touching.clear();
  compliant?.clear();
  const { plan, boxPairs } = collision;
  const { box } = SHAPE;
  const hasPlainBoxes = boxPairs !== undefined && plan.choice === undefined && plan.explicitReach.size === 0;
  const boxes = hasPlainBoxes && plan.findTest(box, box) === testBoxBox ? boxPairs : undefined;
  const { kind, margin, gap } = model.shape;
  const { swiftReach } = plan;
  for (let i = 0; i < count; i++) {
    checkDeadlineSometimes('contact geometry');
    const one = values[2 * i];
    const two = values[2 * i + 1];
    if (boxes && kind[one] === box && kind[two] === box) {
      const start = points.count;
      boxes.test(one, two, margin[one] + gap[one] + margin[two] + gap[two] + swiftReach[one] + swiftReach[two]);
      if (points.count > start) touching.add(one, two, start, points.count - start);
    } else testPair(model, collision, one, two);
  }
}

/** Points of two shapes, or faces, the lower kind first. */
export function testPair(model: Model, collision: CollisionWorkspace, one: number, two: number): void {
  const { plan, points, touching, compliant, boxPairs, sideA, sideB } = collision;
  const { kind, margin, gap } = model.shape;
  const a = kind[one] <= kind[two] ? one : two;
  const b = a === one ? two : one;
  const way = plan.choice === undefined ? SOFT_CONTACT.point : plan.choice.choose(one, two);
  if (way === SOFT_CONTACT.none) return;
  const start = points.count;
  if (way === SOFT_CONTACT.hydroelastic) {
    compliant?.testShapes(points, model, plan, plan.choice!, a, b);
    if (points.count > start) touching.add(one, two, start, points.count - start);
    return;
  }
  const test = plan.findTest(kind[a], kind[b]);
  if (!test) return;
  const { explicitReach } = plan;
  const explicit = explicitReach.size > 0 ? explicitReach.get(pairKey(one, two, model.size.shape)) : undefined;
  const reach = (explicit ?? margin[a] + gap[a] + margin[b] + gap[b]) + plan.swiftReach[a] + plan.swiftReach[b];
  if (boxPairs && test === testBoxBox) boxPairs.test(a, b, reach);
  else test(points, sideA.take(model, plan, a), sideB.take(model, plan, b), reach);
  if (points.count === start) return;
  if (explicit !== undefined) points.repeat(start, collision.material.countSets(one, two));
  touching.add(one, two, start, points.count - start);
}
