/** Traits of `penalty`: abilities, and options with bounds and defaults. */
import type { FormulationTraits } from '../../scene/formulation-traits.ts';
import type { PenaltyOptions } from '../../scene/options.ts';
import { object, oneOf, optional } from '../../scene/schema.ts';
import { amount, iterations, positive } from '../../scene/schemas/parts.ts';
import { BY_SEMI_IMPLICIT } from '../integrator-substitutes.ts';

const schema = object<PenaltyOptions>(
  {
    contactForce: optional(oneOf('semiImplicit', 'explicit')),
    stiffness: optional(positive),
    dissipation: optional(amount),
    slipSpeed: optional(positive),
    iterations: optional(iterations),
    tolerance: optional(amount),
  },
  'PenaltyOptions',
);

/** s/m: dampers at the end of the step are stable however strong they are; those of the start are not. */
const DISSIPATION = { semiImplicit: 20, explicit: 1 };
/** m/s. */
const SLIP_SPEED = 1e-3;

export const PENALTY: FormulationTraits<PenaltyOptions> = {
  id: 'penalty',
  isLoadedLater: true,
  title: 'Springs, dampers and smooth friction at contact points',
  unknown: 'velocity',
  isBaseline: true,
  coordinates: ['joint', 'body'],
  integrators: ['semiImplicit'],
  substitutes: BY_SEMI_IMPLICIT,
  resolves: {
    softBodies: true,
    restitution: false,
    pressureFields: true,
    wires: false,
    keepsDistance: false,
    startsFromImpulses: false,
  },
  options: {
    schema,
    defaults: (_timestep, { contactForce = 'semiImplicit' }) => ({
      contactForce,
      // 0: from the masses and the time step, see contact-stiffness.ts
      stiffness: 0,
      dissipation: DISSIPATION[contactForce],
      // 0: what the step resolves, see contact-blocks.ts
      slipSpeed: contactForce === 'explicit' ? 0 : SLIP_SPEED,
      iterations: 100,
      tolerance: 1e-6,
    }),
  },
  elasticStep: ({ tolerance }) => ({ relativeTolerance: tolerance }),
  unread: ['solref', 'solimp', 'restitution'],
  smoothing: ({ contactForce }) => [
    'contacts are springs with dampers',
    `friction is smooth in slip, by normal forces of the start of the step${contactForce === 'explicit' ? ', as are all contact forces' : ''}`,
  ],
  tighten: (options) => ({ ...options, tolerance: 1e-15, iterations: Math.max(options.iterations, 200) }),
};
