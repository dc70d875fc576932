/**
 * What the ruler measures, in one table: names, units and meanings of the docs, the command line and JSON come from here.
 *
 * Symbols: f contact force of side 1 on side 2 (N), f_N along the normal, f_T the tangential part; u velocity of side 2 relative
 * to side 1 at the contact after the step (m/s); φ gap (m), φ⁺ the one after the step; μ coefficient of friction; h time step (s).
 * Source of the contact metrics: Le Lidec et al., Contact models in robotics: a comparative analysis (2023).
 */

/** One quantity of the ruler. */
export interface Metric {
  /** SI; `1` for pure numbers. */
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
      '|D (Â (v⁺ − v) − h f_smooth − h Jᵀ f)| / max(|D Â v|, |D Â v⁺|, |D h f_smooth|, |D h Jᵀ f|), D = diag(M)^(−½)',
    doc: 'whether the forces that a step reports explain its motion; 0 where they do',
  },
  penetration: {
    unit: 'm',
    label: 'worst penetration',
    formula: 'max (−φ⁺)₊ over the contacts of the state after the step',
    doc: 'how deep surfaces overlap; 0 for rigid surfaces',
  },
  gap: {
    unit: 'm',
    label: 'worst gap',
    formula: 'max (φ⁺)₊ over contacts with f_N > 0',
    doc: 'the largest distance at which a force acts; 0 for contact that acts where surfaces touch',
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
    doc: 'force at a distance or at a depth; 0 for rigid surfaces that push only where they touch',
  },
  signoriniVelocity: {
    unit: 'J',
    label: 'Signorini, velocities',
    formula: 'max h |f_N u_N|',
    doc: 'force on surfaces that part or close; 0 where what pushes stays together',
  },
  dissipationError: {
    unit: 'W',
    label: 'dissipation error',
    formula: 'max (μ f_N |u_T| + f_T·u_T)',
    doc: 'how much more power friction within its cone could take out; 0 under the principle of maximum dissipation',
  },
  coulombComplementarity: {
    unit: 'J',
    label: 'Coulomb complementarity',
    formula: 'max |f_N φ⁺ + h f_T·u_T + h μ f_N |u_T||',
    doc: "Coulomb's and Signorini's laws together; 0 for a solution of both",
  },
  coneComplementarity: {
    unit: 'J',
    label: 'cone complementarity',
    formula: 'max |f_N φ⁺ + h f_T·u_T|',
    doc: 'the convex relaxation of both laws; 0 for a solution of the cone program (ccp)',
  },
  creep: {
    unit: 'm/s',
    label: 'creep',
    formula: 'max |u_T| over contacts with |f_T| < 0.999 μ f_N',
    doc: 'slip of contacts that ought to stick; 0 under Coulomb friction',
  },
  energyCreated: {
    unit: 'J',
    label: 'energy created',
    formula: 'E⁺ − E − W, W = h (actuators + applied forces + moving surfaces)·v⁺',
    doc: 'energy that a step makes out of nothing; 0 or less in every step',
  },
  jointDrift: {
    unit: 'm, rad',
    label: 'joint drift',
    formula: 'max |C(q⁺)| over joints of body coordinates and equalities',
    doc: 'how far joints have come apart; 0 in joint coordinates',
  },
  limitViolation: {
    unit: 'm, rad',
    label: 'limit violation',
    formula: 'max (low − q⁺, q⁺ − high)₊ over limits of joints and tendons',
    doc: 'how far joints are beyond their range; 0 within',
  },
  contacts: {
    unit: '1',
    label: 'contacts with force',
    formula: 'number of contacts with f_N > 0',
    doc: 'how many contacts carry',
  },
  normalForce: {
    unit: 'N',
    label: 'sum of normal forces',
    formula: 'Σ f_N',
    doc: 'of bodies at rest on flat ground, their weight',
  },
  iterations: {
    unit: '1',
    label: 'iterations',
    formula: 'of the solver, the most that an island took',
    doc: 'what a step costs; methods differ in what an iteration is',
  },
  residual: {
    unit: 'own',
    label: 'residual of the solver',
    formula: 'in the measure of the solver',
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
    contacts: 0,
    normalForce: 0,
    iterations: 0,
    residual: 0,
  };
}
