/** Traits of `ipc`: abilities, and options with bounds and defaults. */
import type { FormulationTraits } from '../../scene/formulation-traits.ts';
import type { IpcOptions } from '../../scene/options.ts';
import { number, object, oneOf, optional } from '../../scene/schema.ts';
import { amount, iterations, positive } from '../../scene/schemas/parts.ts';
import { BY_BDF2 } from '../integrator-substitutes.ts';

const schema = object<IpcOptions>(
  {
    barrierDistance: optional(positive),
    barrierStiffness: optional(positive),
    separation: optional(amount),
    frictionVelocity: optional(positive),
    frictionPasses: optional(number({ minimum: -1, integer: true })),
    iterations: optional(iterations),
    tolerance: optional(positive),
    signedDistancePromise: optional(oneOf('samples', 'margin', 'swept')),
    signedDistanceCovering: optional(positive),
    joints: optional(oneOf('augmentedLagrangian', 'penalty')),
    jointPenalty: optional(positive),
    jointPenaltyGrowth: optional(number({ minimum: 1 })),
    jointRounds: optional(iterations),
    jointTolerance: optional(positive),
    jointAngleTolerance: optional(positive),
  },
  'IpcOptions',
);

/** Defaults of options; a barrier stiffness of 0 is adapted to the scene, a covering radius of 0 to the shape. */
const DEFAULTS: Readonly<Required<IpcOptions>> = {
  barrierDistance: 1e-3,
  barrierStiffness: 0,
  separation: 0,
  frictionVelocity: 1e-3,
  frictionPasses: 1,
  iterations: 300,
  tolerance: 1e-4,
  signedDistancePromise: 'margin',
  signedDistanceCovering: 0,
  joints: 'augmentedLagrangian',
  jointPenalty: 100,
  jointPenaltyGrowth: 10,
  jointRounds: 40,
  jointTolerance: 1e-6,
  jointAngleTolerance: 1e-6,
};

/** Where Newton steps to round-off begin, m/s, m and rad. */
const TIGHT = 1e-8;

export const IPC: FormulationTraits<IpcOptions> = {
  id: 'ipc',
  title: 'Position level, incremental potential contact',
  unknown: 'position',
  terms: ['barrier', 'friction', 'joints'],
  coordinates: ['body'],
  integrators: ['bdf2', 'semiImplicit'],
  substitutes: BY_BDF2,
  resolves: {
    softBodies: true,
    restitution: false,
    pressureFields: false,
    wires: true,
    keepsDistance: true,
    startsFromImpulses: true,
  },
  options: { schema, defaults: () => DEFAULTS },
  clearance: ({ barrierDistance, separation, signedDistancePromise, signedDistanceCovering }) => ({
    barrierDistance,
    separation,
    signedDistancePromise,
    signedDistanceCovering,
  }),
  isLoadedLater: true,
  unread: ['stiffness', 'dissipation', 'spinFriction', 'rollFriction', 'restitution', 'mujoco', 'hydroelastic'],
  smoothing: ({ barrierDistance, frictionVelocity }) => [
    `contacts repel within ${barrierDistance} m`,
    `friction is smooth below ${frictionVelocity} m/s, and by normal forces of the start of the step`,
  ],
  tighten: (options) => ({
    ...options,
    tolerance: Math.min(options.tolerance, TIGHT),
    iterations: Math.max(options.iterations, 600),
    jointTolerance: Math.min(options.jointTolerance, TIGHT),
    jointAngleTolerance: Math.min(options.jointAngleTolerance, TIGHT),
  }),
};
