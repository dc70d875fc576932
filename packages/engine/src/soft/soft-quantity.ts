/** What can be read of every vertex of a soft body as one number, for colours and tables. */

/** Quantities of soft bodies, with their units. */
export const SOFT_QUANTITIES = {
  vonMises: 'Pa',
  maximumPrincipalStress: 'Pa',
  minimumPrincipalStress: 'Pa',
  maximumPrincipalStrain: '1',
  minimumPrincipalStrain: '1',
  bendingMoment: 'N m',
  twistMoment: 'N m',
  pressure: 'Pa',
  shear: 'Pa',
  displacement: 'm',
} as const;

/** A quantity of soft bodies that has one number per vertex. Moments are those of shells (N m per metre) and rods (N m). */
export type SoftQuantity = keyof typeof SOFT_QUANTITIES;
