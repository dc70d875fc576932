/** Traits of `sap`: abilities, and options with bounds and defaults. */
import type { FormulationTraits } from '../../scene/formulation-traits.ts';
import type { SapOptions } from '../../scene/options.ts';
import { object, oneOf, optional } from '../../scene/schema.ts';
import { amount, count, iterations, positive } from '../../scene/schemas/parts.ts';
import { APPROACH_SPEED } from '../contact-reach.ts';
import { BY_MIDPOINT } from '../integrator-substitutes.ts';

const schema = object<SapOptions>(
  {
    solver: optional(oneOf('auto', 'newton', 'pcg')),
    contactModel: optional(oneOf('sap', 'lagged')),
    iterations: optional(iterations),
    absoluteTolerance: optional(amount),
    relativeTolerance: optional(amount),
    matrix: optional(oneOf('auto', 'dense', 'sparse')),
    lineSearchIterations: optional(iterations),
    lineSearchTolerance: optional(amount),
    pcgIterations: optional(count),
    pcgTolerance: optional(positive),
    nearRigid: optional(amount),
    nearRigidJoint: optional(amount),
    frictionRegularization: optional(positive),
    stiffness: optional(positive),
    dissipation: optional(amount),
    huntCrossley: optional(amount),
    stictionVelocity: optional(positive),
    envelope: optional(amount),
  },
  'SapOptions',
);

/** Options that a scene leaves out; the envelope depends on the time step. */
const DEFAULTS: Readonly<Required<Omit<SapOptions, 'envelope'>>> = {
  solver: 'auto',
  contactModel: 'sap',
  iterations: 100,
  absoluteTolerance: 1e-14,
  relativeTolerance: 1e-6,
  matrix: 'auto',
  lineSearchIterations: 100,
  lineSearchTolerance: 1e-8,
  pcgIterations: 0,
  pcgTolerance: 0.1,
  nearRigid: 0.5,
  nearRigidJoint: 0.1,
  frictionRegularization: 1e-3,
  stiffness: 1e6,
  dissipation: 0.01,
  huntCrossley: 20,
  stictionVelocity: 1e-4,
};

export const SAP: FormulationTraits<SapOptions> = {
  id: 'sap',
  title: 'Velocity level, semi-analytic primal',
  unknown: 'velocity',
  coordinates: ['joint', 'body'],
  keepsCone: () => true,
  integrators: ['semiImplicit', 'midpoint'],
  substitutes: BY_MIDPOINT,
  resolves: {
    softBodies: true,
    restitution: false,
    pressureFields: true,
    wires: false,
    keepsDistance: false,
    startsFromImpulses: false,
  },
  options: { schema, defaults: (timestep) => ({ envelope: APPROACH_SPEED * timestep, ...DEFAULTS }) },
  detectionGap: ({ envelope }) => envelope,
  isLoadedLater: true,
  elasticStep: ({ relativeTolerance, solver, pcgIterations, pcgTolerance }) => ({
    relativeTolerance,
    solver: solver === 'pcg' ? 'pcg' : 'auto',
    ...(pcgIterations > 0 && { gradientIterations: pcgIterations }),
    gradientTolerance: pcgTolerance,
  }),
  unread: ['solref', 'solimp', 'restitution'],
  smoothing: ({ frictionRegularization, contactModel, stictionVelocity }) => [
    'contacts are springs with dampers',
    contactModel === 'lagged'
      ? `friction is smooth below ${stictionVelocity} m/s`
      : `sticking contacts creep, by ${frictionRegularization} of the inverse mass`,
  ],
  tighten: (options) => ({
    ...options,
    solver: 'newton',
    absoluteTolerance: 0,
    relativeTolerance: 1e-15,
    iterations: Math.max(options.iterations, 200),
  }),
};
