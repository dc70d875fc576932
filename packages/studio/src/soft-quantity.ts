import type { SoftQuantity } from '@nexdyn/engine';

/** What the quantities of soft bodies are called, in short and in full, their units (strains have none), and whether they have a sign. */
export const SOFT_LABELS: Readonly<
  Record<SoftQuantity, { label: string; title: string; unit: string; isSigned?: boolean }>
> = {
  vonMises: { label: 'Stress', title: 'Von Mises stress', unit: 'Pa' },
  maximumPrincipalStress: { label: 'Tension', title: 'Largest principal stress', unit: 'Pa', isSigned: true },
  minimumPrincipalStress: { label: 'Compression', title: 'Smallest principal stress', unit: 'Pa', isSigned: true },
  maximumPrincipalStrain: { label: 'Stretch', title: 'Largest principal strain', unit: '', isSigned: true },
  minimumPrincipalStrain: { label: 'Squash', title: 'Smallest principal strain', unit: '', isSigned: true },
  bendingMoment: {
    label: 'Bending',
    title: 'Bending moment of shells (per metre) and rods',
    unit: 'N m',
    isSigned: true,
  },
  twistMoment: { label: 'Twist', title: 'Twisting moment of shells (per metre) and rods', unit: 'N m', isSigned: true },
  pressure: { label: 'Pressure', title: 'Pressure of contacts on the surface', unit: 'Pa' },
  shear: { label: 'Shear', title: 'Friction of contacts on the surface', unit: 'Pa' },
  displacement: { label: 'Displacement', title: 'Distance from the initial position', unit: 'm' },
};
