/**
 * What the ruler measures, in one table. The documentation, the command line and JSON take names, units and meanings from here.
 *
 * Symbols: f contact force of side 1 on side 2 (N), f_N along the normal, f_T the tangential part; u velocity of side 2 relative
 * to side 1 at the contact after the step (m/s); φ gap (m), φ⁺ the one after the step; μ coefficient of friction; h time step (s).
 * Source of the contact metrics: Le Lidec et al., Contact models in robotics: a comparative analysis (2023).
 */

/** One quantity of the ruler. */
export interface Metric {
  /** SI; `1` for pure numbers; `varies` where each solver has another. */
  readonly unit: string;
  /** A few words, for headings. */
  readonly label: string;
  /** The formula. */
  readonly formula: string;
  /** What it tells, and what a perfect step has. */
  readonly doc: string;
}

/** Names of what the ruler measures. */
export type MetricName =
  | 'momentumResidual'
  | 'penetration'
  | 'gap'
  | 'coneViolation'
  | 'signorini'
  | 'signoriniVelocity'
  | 'dissipationError'
  | 'coulombComplementarity'
  | 'coneComplementarity'
  | 'creep'
  | 'energyCreated'
  | 'jointDrift'
  | 'limitViolation'
  | 'softResidual'
  | 'contacts'
  | 'normalForce'
  | 'iterations'
  | 'residual';

/** Unit, label, formula and meaning of every metric. */
export const METRICS: Readonly<Record<MetricName, Metric>> = {
  momentumResidual: {
    unit: '1',
    label: 'momentum residual',
    formula:
      '|D (Â (v⁺ − v) − h f_smooth − h Jᵀ f)| / max(|D Â v|, |D Â v⁺|, |D h f_smooth|, |D h b|, |D h Jᵀ f|), D = diag(M)^(−1/2)',
    doc: 'mismatch between the forces that a step reports and its motion; 0 where they agree',
  },
  penetration: {
    unit: 'm',
    label: 'worst penetration',
    formula: 'max (−φ⁺)₊ over the contacts of the state after the step',
    doc: 'deepest overlap of two surfaces; 0 for rigid contact',
  },
  gap: {
    unit: 'm',
    label: 'worst gap',
    formula: 'max (φ⁺)₊ over contacts with f_N > 0',
    doc: 'largest distance at which a contact still pushes; 0 where contacts push only when they touch',
  },
  coneViolation: {
    unit: 'N',
    label: 'cone violation',
    formula: 'max (|f_T| − μ f_N)₊, (−f_N)₊',
    doc: 'how far a force lies outside its friction cone; 0 inside',
  },
  signorini: {
    unit: 'J',
    label: 'Signorini complementarity',
    formula: 'max |f_N φ⁺|',
    doc: 'normal force that acts across a gap or a penetration; 0 for ideal rigid contact',
  },
  signoriniVelocity: {
    unit: 'J',
    label: 'Signorini, velocity level',
    formula: 'max h |f_N u_N|',
    doc: 'normal force on surfaces that separate or approach; 0 where loaded contacts stay closed',
  },
  dissipationError: {
    unit: 'W',
    label: 'dissipation error',
    formula: 'max (μ f_N |u_T| + f_T·u_T)',
    doc: 'power that friction could still dissipate inside its cone; 0 under the principle of maximum dissipation',
  },
  coulombComplementarity: {
    unit: 'J',
    label: 'Coulomb complementarity',
    formula: 'max |f_N φ⁺ + h f_T·u_T + h μ f_N |u_T||',
    doc: "violation of Signorini's and Coulomb's laws together; 0 where both hold",
  },
  coneComplementarity: {
    unit: 'J',
    label: 'cone complementarity',
    formula: 'max |f_N φ⁺ + h f_T·u_T|',
    doc: 'violation of the convex relaxation of both laws; 0 for a solution of the cone program',
  },
  creep: {
    unit: 'm/s',
    label: 'creep',
    formula: 'max |u_T| over contacts with |f_T| < 0.999 μ f_N',
    doc: 'slip speed of contacts that should stick; 0 under Coulomb friction',
  },
  energyCreated: {
    unit: 'J',
    label: 'energy created',
    formula: 'E⁺ − E − W, W = h (actuators + applied forces + moving surfaces)·v⁺',
    doc: 'energy that a step creates from nothing; 0 or less in a correct step',
  },
  jointDrift: {
    unit: 'm, rad',
    label: 'joint drift',
    formula: 'max |C(q⁺)| over joints of body coordinates and equalities',
    doc: 'how far joints have separated; 0 in joint coordinates',
  },
  limitViolation: {
    unit: 'm, rad',
    label: 'limit violation',
    formula: 'max (low − q⁺, q⁺ − high)₊ over limits of joints and tendons',
    doc: 'how far joints are beyond their range; 0 inside it',
  },
  softResidual: {
    unit: '1',
    label: 'soft residual',
    formula: '|ρ| / |(h (v⁺ − v^*), x⁺ − x̃)|, ρ = ∇J(x⁺) − h A (v⁺ − v^*), in the norm of A',
    doc: 'share of the load on a soft body that the linear step leaves out; 0 where the whole step is solved',
  },
  contacts: {
    unit: '1',
    label: 'contacts with force',
    formula: 'number of contacts with f_N > 0',
    doc: 'how many contacts carry load',
  },
  normalForce: {
    unit: 'N',
    label: 'sum of normal forces',
    formula: 'Σ f_N',
    doc: 'for bodies at rest on flat ground, their weight',
  },
  iterations: {
    unit: '1',
    label: 'iterations',
    formula: 'iterations of the solver, the largest of all islands',
    doc: 'cost of a step; what one iteration does differs between solvers',
  },
  residual: {
    unit: 'varies',
    label: 'solver residual',
    formula: 'the quantity that the solver compares with its tolerance',
    doc: 'where the solver stopped; not comparable between formulations',
  },
};

/** All names, in the order of the table. */
export const METRIC_NAMES: readonly MetricName[] = /* @__PURE__ */ Object.keys(METRICS) as MetricName[];

/** The numbers of one step. NaN where a number has no meaning for that step. */
export type Measurement = Record<MetricName, number>;

export function createMeasurement(): Measurement {
  return {
    momentumResidual: 0,
    penetration: 0,
    gap: 0,
    coneViolation: 0,
    signorini: 0,
    signoriniVelocity: 0,
    dissipationError: 0,
    coulombComplementarity: 0,
    coneComplementarity: 0,
    creep: 0,
    energyCreated: 0,
    jointDrift: 0,
    limitViolation: 0,
    softResidual: 0,
    contacts: 0,
    normalForce: 0,
    iterations: 0,
    residual: 0,
  };
}
