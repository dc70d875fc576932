/** One point of all curves over time: the quantities of each frame, and how samples are merged. */

/** How two samples become one: the later value, or the worse one. */
export type Merge = 'last' | 'max' | 'min';

/** The quantities of a sample, in the order in which they travel. NaN where there is nothing to measure. */
export const SAMPLE_FIELDS = {
  /** s. */
  time: 'last',
  /** J. */
  kinetic: 'last',
  /** J. */
  potential: 'last',
  /** Of deformed bodies, a part of the potential, J. */
  elastic: 'last',
  /** Of the energies that the scene adds and the formulation keeps, J: the first nine, in their order. */
  term1: 'last',
  term2: 'last',
  term3: 'last',
  term4: 'last',
  term5: 'last',
  term6: 'last',
  term7: 'last',
  term8: 'last',
  term9: 'last',
  /** Size of the linear momentum, kg m/s. */
  momentum: 'last',
  /** Size of the angular momentum about the origin, kg m²/s. */
  angularMomentum: 'last',
  /** Most of a step. */
  iterations: 'max',
  residual: 'max',
  /** Place in `STATUSES`. */
  status: 'max',
  contacts: 'max',
  /** Deepest penetration, m. */
  depth: 'max',
  /** Least distance that the formulation keeps, m. */
  distance: 'min',
  /** Part of the last step of the solver that was free of contact. */
  collisionFreeStep: 'min',
  /** Time per step in each phase, ms. */
  kinematics: 'last',
  freeMotion: 'last',
  collision: 'last',
  solve: 'last',
  integrate: 'last',
} as const satisfies Record<string, Merge>;

export type SampleField = keyof typeof SAMPLE_FIELDS;

/** Fields of the energies that the scene adds and the formulation keeps. */
export const TERM_FIELDS = [
  'term1',
  'term2',
  'term3',
  'term4',
  'term5',
  'term6',
  'term7',
  'term8',
  'term9',
] as const satisfies readonly SampleField[];
export type TermField = (typeof TERM_FIELDS)[number];

export type Sample = Record<SampleField, number>;

export const SAMPLE_ORDER: readonly SampleField[] = Object.keys(SAMPLE_FIELDS) as SampleField[];

/** Numbers per sample. */
export const SAMPLE_WIDTH: number = SAMPLE_ORDER.length;

export function createSample(): Sample {
  return Object.fromEntries(SAMPLE_ORDER.map((field) => [field, Number.NaN])) as Sample;
}

/** Merge a later value into an earlier one; NaN gives way to numbers. */
export function mergeValues(field: SampleField, before: number, after: number): number {
  if (Number.isNaN(before)) return after;
  if (Number.isNaN(after)) return before;
  const rule = SAMPLE_FIELDS[field];
  return rule === 'max' ? Math.max(before, after) : rule === 'min' ? Math.min(before, after) : after;
}

/** Put a sample behind others. */
export function packSample(sample: Sample): number[] {
  return SAMPLE_ORDER.map((field) => sample[field]);
}
