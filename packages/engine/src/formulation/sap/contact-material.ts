/** Stiffness and dissipation of a contact: those of its materials, or the options of `sap` where they have none. */
import type { ContactSet } from '../../collision/contact-set.ts';
import type { Model } from '../../model/model.ts';
import type { SapOptions } from '../../scene/options.ts';
import { springFreeDepth } from '../free-depth.ts';

/** k, N/m. */
export function contactStiffness(
  options: Pick<Required<SapOptions>, 'stiffness'>,
  contacts: ContactSet,
  i: number,
): number {
  return contacts.stiffness[i] > 0 ? contacts.stiffness[i] : options.stiffness;
}

/** τ, s. */
export function dissipationTime(
  options: Pick<Required<SapOptions>, 'dissipation'>,
  contacts: ContactSet,
  i: number,
): number {
  return contacts.dissipation[i] >= 0 ? contacts.dissipation[i] : options.dissipation;
}

/** Depth that contact i pushes apart at the recovery speed, m. */
export function measureFreeDepth(model: Model, contacts: ContactSet, i: number, h: number): number {
  const { sap } = model.options;
  const time = sap.contactModel === 'lagged' ? h : h + dissipationTime(sap, contacts, i);
  return springFreeDepth(model, contacts, i, contactStiffness(sap, contacts, i), time);
}
