import { FEATURES_PER_TRIANGLE, type SurfaceContacts } from '../triangle-mesh/surface-contacts.ts';
import type { HeightFieldPatch } from './height-field-patch.ts';

/** Gives the contacts the numbers that their triangles have in the whole field, so that they stay when the patch moves. */
export function numberFeatures(contacts: SurfaceContacts, patch: HeightFieldPatch): void {
  const { feature } = contacts;
  for (let i = 0; i < contacts.count; i++) {
    const local = Math.floor(feature[i] / FEATURES_PER_TRIANGLE);
    feature[i] += FEATURES_PER_TRIANGLE * (patch.numbers[local] - local);
  }
}
