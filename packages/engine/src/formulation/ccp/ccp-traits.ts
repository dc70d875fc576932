/** Traits of `ccp`: abilities, and options with bounds and defaults. */
import type { FormulationTraits } from '../../scene/formulation-traits.ts';
import type { CcpOptions } from '../../scene/options.ts';
import { boolean, object, oneOf, optional } from '../../scene/schema.ts';
import { amount, iterations } from '../../scene/schemas/parts.ts';
import { APPROACH_SPEED } from '../contact-reach.ts';
import { BY_MIDPOINT } from '../integrator-substitutes.ts';

const schema = object<CcpOptions>(
  {
    solver: optional(oneOf('auto', 'apgd', 'spg', 'pgs', 'admm')),
    iterations: optional(iterations),
    tolerance: optional(amount),
    recoverySpeed: optional(amount),
    bounceSpeed: optional(amount),
    compliance: optional(amount),
    relaxation: optional(amount),
    coulomb: optional(boolean()),
    coulombIterations: optional(iterations),
    scaling: optional(boolean()),
    envelope: optional(amount),
  },
  'CcpOptions',
);

/** Defaults of options; the envelope depends on the time step. */
const DEFAULTS: Readonly<Required<Omit<CcpOptions, 'envelope'>>> = {
  solver: 'auto',
  iterations: 3000,
  tolerance: 1e-6,
  recoverySpeed: 0.6,
  bounceSpeed: 0.1,
  compliance: 0,
  relaxation: 0,
  coulomb: false,
  coulombIterations: 50,
  scaling: true,
};

export const CCP: FormulationTraits<CcpOptions> = {
  id: 'ccp',
  title: 'Impulse level, cone complementarity',
  unknown: 'impulse',
  coordinates: ['body', 'joint'],
  keepsCone: () => true,
  integrators: ['semiImplicit', 'midpoint'],
  substitutes: BY_MIDPOINT,
  resolves: {
    softBodies: true,
    restitution: true,
    pressureFields: true,
    wires: false,
    keepsDistance: false,
    startsFromImpulses: true,
  },
  options: { schema, defaults: (timestep) => ({ envelope: APPROACH_SPEED * timestep, ...DEFAULTS }) },
  // rigid contact is met at a gap: it has no depth at which to act
  detectionGap: ({ envelope }) => envelope,
  isLoadedLater: true,
  unread: ['solref', 'solimp'],
  smoothing: ({ compliance }) => (compliance > 0 ? [`contacts have a compliance of ${compliance} m/N`] : []),
  tighten: (options) => ({
    ...options,
    tolerance: 1e-13,
    iterations: Math.max(options.iterations, 30_000),
    coulombIterations: Math.max(options.coulombIterations, 200),
  }),
};
