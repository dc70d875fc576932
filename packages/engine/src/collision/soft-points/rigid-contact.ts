/** The contact of a soft body with a rigid shape: which side each is on, and how a contact of the two begins. */
import type { Model } from '../../model/model.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import { CARRIER, type ContactSet } from '../contact-set.ts';
import { softPairKey } from './soft-pair-key.ts';

/** A rigid shape and a soft body, by their numbers. */
export interface RigidPair {
  shape: number;
  soft: number;
  /** Whether the soft body is side 1. */
  isSoftFirst: boolean;
}

/** Reserves a contact of the pair, with sides and key, and without vertices. */
export function beginRigidContact(model: Model, plan: CollisionPlan, contacts: ContactSet, pair: RigidPair): number {
  const i = contacts.reserve(1);
  const { shape: s, soft: n, isSoftFirst } = pair;
  const kind = plan.filter.isMoving[s] === 1 ? CARRIER.body : CARRIER.world;
  const body = model.shape.body[s];
  const soft = model.size.shape + n;
  contacts.shape1[i] = isSoftFirst ? soft : s;
  contacts.shape2[i] = isSoftFirst ? s : soft;
  contacts.carrierKind1[i] = isSoftFirst ? CARRIER.soft : kind;
  contacts.carrierKind2[i] = isSoftFirst ? kind : CARRIER.soft;
  contacts.carrier1[i] = isSoftFirst ? n : body;
  contacts.carrier2[i] = isSoftFirst ? body : n;
  contacts.vertex1.fill(-1, 4 * i, 4 * i + 4);
  contacts.vertex2.fill(-1, 4 * i, 4 * i + 4);
  contacts.weight1.fill(0, 4 * i, 4 * i + 4);
  contacts.weight2.fill(0, 4 * i, 4 * i + 4);
  contacts.pair[i] = softPairKey(model, s, soft);
  return i;
}

/** Gives the soft side of contact i its k-th vertex. */
export function writeSoftVertex(
  contacts: ContactSet,
  i: number,
  { isSoftFirst }: RigidPair,
  k: number,
  vertex: number,
  weight: number,
): void {
  (isSoftFirst ? contacts.vertex1 : contacts.vertex2)[4 * i + k] = vertex;
  (isSoftFirst ? contacts.weight1 : contacts.weight2)[4 * i + k] = weight;
}
