import { type Model, SOFT_CONTACT } from '../../model/model.ts';
import type { CollisionPlan } from '../collision-plan.ts';

/** Whether two colliders touch at points: soft body n is collider `size.shape` + n. */
export function isAtPoints({ soft, size }: Model, { choice }: CollisionPlan, a: number, b: number): boolean {
  if (choice) return choice.choose(a, b) === SOFT_CONTACT.point;
  const isOne = a < size.shape || soft.contact[a - size.shape] === SOFT_CONTACT.point;
  return isOne && (b < size.shape || soft.contact[b - size.shape] === SOFT_CONTACT.point);
}

/** Whether a rigid shape and soft body n touch by pressure. */
export function isByPressure({ soft, size }: Model, { choice }: CollisionPlan, s: number, n: number): boolean {
  return (choice ? choice.choose(s, size.shape + n) : soft.contact[n]) === SOFT_CONTACT.hydroelastic;
}
