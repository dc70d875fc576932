/**
 * Stiffness k of a contact, N/m: that of its materials, else `options.penalty.stiffness`, else as stiff as the time step resolves,
 *   k = α/(h² w)
 * h is the time step of the scene, s. Between rigid bodies w is the inverse mass of both sides at the initial pose, 1/kg, so that k is
 * constant. A contact of a soft body takes the larger of w of its vertices and S/(a m), as if all contacts of the body, of area S, carried
 * it together: one vertex is light, but the body behind it is not. α = 0.1: a plate on four corners rocks with h² ω² = 12 α, and the step
 * is stable below 4 (stable-step.ts). Soft bodies have α = 0.5: their w counts all contacts already.
 */
import { type ContactSet, isSoftContact } from '../../collision/contact-set.ts';
import { LAYER_STIFFNESS } from '../../collision/soft-points/soft-material.ts';
import type { Model } from '../../model/model.ts';
import type { PenaltyOptions } from '../../scene/options.ts';
import { springFreeDepth } from '../free-depth.ts';

/** α. */
const STEP_SHARE = 0.1;
/** The same of soft bodies, whose w already counts all contacts of the body. */
const SOFT_SHARE = 0.5;

/** k of contact i; `softInverse` is the inverse mass that a contact of a soft body sees, 1/kg. */
export function contactStiffness(
  model: Model,
  options: Readonly<Required<PenaltyOptions>>,
  contacts: ContactSet,
  i: number,
  softInverse: number,
): number {
  const isGiven = isStiffnessGiven(contacts, i);
  if (isGiven) return contacts.stiffness[i];
  if (options.stiffness > 0) return options.stiffness;
  const isSoft = isSoftContact(contacts, i);
  const inverse = isSoft ? softInverse : weighSides(model, contacts, i);
  const h = model.options.timestep;
  const most = inverse > 0 ? (isSoft ? SOFT_SHARE : STEP_SHARE) / (h * h * inverse) : 0;
  // the layer of a soft body is no stiffer than the step resolves
  return isSoft ? Math.min(contacts.stiffness[i], most) : most;
}

/** Whether the scene gives the stiffness of contact i; soft bodies without one have that of a layer. */
export function isStiffnessGiven(contacts: ContactSet, i: number): boolean {
  const k = contacts.stiffness[i];
  return k > 0 && !(isSoftContact(contacts, i) && k === LAYER_STIFFNESS * contacts.area[i]);
}

/** Inverse mass of both rigid sides, 1/kg. */
export function weighSides({ inverseWeight }: Model, { carrier1, carrier2 }: ContactSet, i: number): number {
  return inverseWeight.bodyTranslation[carrier1[i]] + inverseWeight.bodyTranslation[carrier2[i]];
}

/** Depth that contact i pushes apart at the recovery speed, m. */
export function measureFreeDepth(
  model: Model,
  options: Readonly<Required<PenaltyOptions>>,
  contacts: ContactSet,
  i: number,
  h: number,
): number {
  // what a soft contact sees is known in the step alone: its layer is the stiffest that it can be
  const k = isSoftContact(contacts, i) ? contacts.stiffness[i] : contactStiffness(model, options, contacts, i, 0);
  return springFreeDepth(model, contacts, i, k, h);
}
