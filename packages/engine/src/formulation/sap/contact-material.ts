/** Stiffness and dissipation of a contact: those of its materials, or the options of `sap` where they have none. */
import type { ContactSet } from '../../collision/contact-set.ts';
import type { SapOptions } from '../../scene/options.ts';

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
