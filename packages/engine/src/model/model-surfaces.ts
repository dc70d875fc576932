/** Contact materials of the surfaces of a model. */
import type { ContactPair } from '../scene/contact-filter.ts';
import type { ContactOverride } from '../scene/options.ts';

/** Where the numbers of a material are in its record. */
export const MATERIAL = {
  /** Sliding coefficient, spin (m), roll (m). */
  friction: 0,
  /** Two numbers. */
  solref: 3,
  /** Five numbers. */
  solimp: 5,
  /** Dimension of contacts: 1, 3, 4 or 6. */
  condim: 10,
  /** The higher one decides. */
  priority: 11,
  /** Weight in the mean of solref and solimp. */
  solmix: 12,
  /** N. */
  adhesion: 13,
  /** k, N/m; 0 leaves it open. */
  stiffness: 14,
  /** τ_d, s; negative leaves it open. */
  dissipation: 15,
  /** Restitution, 0 to 1. */
  restitution: 16,
  stride: 17,
} as const;

/** Materials of shapes and soft bodies; soft body n counts as shape `size.shape` + n. */
export interface ModelSurfaces {
  /** Per shape, then per soft body: number of its material. Those with the same number also have the same margin and gap. */
  readonly number: Int32Array;
  /** Per material: a record, see MATERIAL. */
  readonly record: Float64Array;
  /** What explicit pairs say, in the order of `contactFilter.pairShapes`. */
  readonly explicit: readonly Readonly<ContactPair>[];
  /** The override for all contacts. */
  readonly override: Readonly<ContactOverride> | undefined;
}
