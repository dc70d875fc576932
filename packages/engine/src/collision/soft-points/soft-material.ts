/**
 * The material of a contact of a soft body, that of its pair (pair-material.ts) for a share of the surface. Where no material has a
 * stiffness, that of the contact is its area times that of a layer, k = C a.
 * Symbols: C Pa/m, a m². C is Drake's choice for deformable bodies: a body as heavy as water of size L sinks in by 1e-4 L.
 */
import type { ContactSet } from '../contact-set.ts';
import type { PairMaterial } from '../pair-material.ts';

/** C, Pa/m. */
export const LAYER_STIFFNESS = 1e8;

/** Writes the material to contact i, which represents an area, m². */
export function writeSoftMaterial(contacts: ContactSet, i: number, material: PairMaterial, area: number): void {
  material.write(contacts, i, 1);
  if (!(material.stiffness > 0)) contacts.stiffness[i] = LAYER_STIFFNESS * area;
  contacts.area[i] = area;
  contacts.pressure[i] = 0;
}
