/**
 * From a configuration to a contact set: poses of shapes, pairs whose boxes meet (broad phase), contact points of each pair
 * (narrow phase), frames and parameters. The result is a function of the configuration alone.
 */
import type { Workspace } from '../dynamics/workspace.ts';
import { ContactPoints } from '../geometry/contact-points.ts';
import { SHAPE } from '../geometry/shape-kind.ts';
import type { Arena } from '../kernels/arena.ts';
import type { Model } from '../model/model.ts';
import { type BroadPhase, createBroadPhase, findCandidatePairs } from './broad-phase.ts';
import { type CollisionPlan, createCollisionPlan } from './collision-plan.ts';
import { writeContactFrame } from './contact-frame.ts';
import { ContactHistory } from './contact-history.ts';
import { CARRIER, ContactSet } from './contact-set.ts';
import { findPairTest } from './narrow-phase.ts';
import { pairKey } from './pair-filter.ts';
import { PairParameters } from './pair-parameters.ts';
import { updateShapePoses } from './shape-poses.ts';

/** What detection keeps between calls: constants and scratch, nothing that decides the motion. */
export interface CollisionWorkspace {
  readonly plan: CollisionPlan;
  readonly broadPhase: BroadPhase;
  readonly points: ContactPoints;
  readonly parameters: PairParameters;
  readonly contacts: ContactSet;
  readonly history: ContactHistory;
}

export function createCollisionWorkspace(model: Model, arena: Arena): CollisionWorkspace {
  const plan = createCollisionPlan(model, arena);
  return {
    plan,
    broadPhase: createBroadPhase(model, plan),
    points: new ContactPoints(),
    parameters: new PairParameters(),
    contacts: new ContactSet(),
    history: new ContactHistory(),
  };
}

/** Fills the contact set for the poses in `work`. */
export function detectContacts(model: Model, work: Workspace, collision: CollisionWorkspace): void {
  const { plan, broadPhase, contacts, history } = collision;
  if (!plan.isActive) return;
  history.exchange(contacts);
  updateShapePoses(model, work, plan);
  findCandidatePairs(model, plan, broadPhase);
  const { pairs } = broadPhase;
  for (let i = 0; i < pairs.count; i++) testPair(model, collision, pairs.first[i], pairs.second[i]);
  history.match(contacts);
}

/** Contact points of two shapes, the lower kind first, with their parameters. */
function testPair(model: Model, collision: CollisionWorkspace, one: number, two: number): void {
  const { plan, points, parameters } = collision;
  const { kind, margin, gap } = model.shape;
  const a = kind[one] <= kind[two] ? one : two;
  const b = a === one ? two : one;
  const test = findPairTest(kind[a], kind[b]);
  if (!test) return;
  const key = pairKey(one, two, model.size.shape);
  const explicit = plan.explicitPair.size > 0 ? plan.explicitPair.get(key) : undefined;
  const reach = explicit ? explicit.reach : margin[a] + gap[a] + margin[b] + gap[b];
  points.clear();
  test(points, plan.placed[a], plan.placed[b], reach);
  if (points.count === 0) return;
  parameters.mix(model, plan.surface, a, b);
  if (explicit) parameters.override(explicit.pair);
  addContacts(model, collision, a, b, key);
}

/** Writes the points of a pair to the contact set. */
function addContacts(model: Model, collision: CollisionWorkspace, a: number, b: number, key: number): void {
  const { plan, points, parameters, contacts } = collision;
  const { body, kind } = model.shape;
  const { isMoving } = plan.filter;
  const first = contacts.reserve(points.count);
  const { shape1, shape2, carrier1, carrier2, carrierKind1, carrierKind2, position, frame, gap, feature, pair } =
    contacts;
  // friction of a capsule on a plane is laid along the capsule
  const isRod = kind[a] === SHAPE.plane && kind[b] === SHAPE.capsule;
  const axes = plan.shapeRotation;
  const rodX = isRod ? axes[9 * b + 2] : 0;
  const rodY = isRod ? axes[9 * b + 5] : 0;
  const rodZ = isRod ? axes[9 * b + 8] : 0;
  const { count, position: from, normal, gap: pointGap, feature: pointFeature } = points;
  const kind1 = isMoving[a] ? CARRIER.body : CARRIER.world;
  const kind2 = isMoving[b] ? CARRIER.body : CARRIER.world;
  const body1 = body[a];
  const body2 = body[b];
  for (let n = 0; n < count; n++) {
    const i = first + n;
    shape1[i] = a;
    shape2[i] = b;
    carrier1[i] = body1;
    carrier2[i] = body2;
    carrierKind1[i] = kind1;
    carrierKind2[i] = kind2;
    position[3 * i] = from[3 * n];
    position[3 * i + 1] = from[3 * n + 1];
    position[3 * i + 2] = from[3 * n + 2];
    const nx = normal[3 * n];
    const ny = normal[3 * n + 1];
    const nz = normal[3 * n + 2];
    const isSame = n > 0 && nx === frame[9 * i - 9] && ny === frame[9 * i - 8] && nz === frame[9 * i - 7];
    if (isSame) for (let k = 9 * i; k < 9 * i + 9; k++) frame[k] = frame[k - 9];
    else writeContactFrame(frame, 9 * i, nx, ny, nz, rodX, rodY, rodZ);
    gap[i] = pointGap[n];
    feature[i] = pointFeature[n];
    pair[i] = key;
  }
  parameters.write(contacts, first, count);
}
