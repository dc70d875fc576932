/** Traits of `mujoco`: abilities, and options with bounds and defaults. */
import type { FormulationTraits } from '../../scene/formulation-traits.ts';
import type { MujocoOptions } from '../../scene/options.ts';
import { object, oneOf, optional } from '../../scene/schema.ts';
import { amount, count, positive } from '../../scene/schemas/parts.ts';

const schema = object<MujocoOptions>(
  {
    solver: optional(oneOf('newton', 'cg', 'pgs')),
    cone: optional(oneOf('pyramidal', 'elliptic')),
    pyramidEdges: optional(oneOf(4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32)),
    iterations: optional(count),
    tolerance: optional(amount),
    lineSearchIterations: optional(count),
    lineSearchTolerance: optional(amount),
    impedanceRatio: optional(positive),
    noslipIterations: optional(count),
    noslipTolerance: optional(amount),
    jacobian: optional(oneOf('auto', 'dense', 'sparse')),
    variant: optional(oneOf('mujoco', 'genesis')),
  },
  'MujocoOptions',
);

/**
 * Options that a scene leaves out. MuJoCo has pyramids and a ratio of 1: friction then depends on the direction and bodies creep down
 * slopes. The reader of its files writes those two out, so that they move as in MuJoCo.
 */
const DEFAULTS: Readonly<Required<MujocoOptions>> = {
  solver: 'newton',
  cone: 'elliptic',
  pyramidEdges: 4,
  iterations: 100,
  tolerance: 1e-8,
  lineSearchIterations: 50,
  lineSearchTolerance: 0.01,
  impedanceRatio: 100,
  noslipIterations: 0,
  noslipTolerance: 1e-6,
  jacobian: 'auto',
  variant: 'mujoco',
};

/** Where a scene asks for pyramids, by name, by their edges or by the variant, the ratio is 1: it would change their normal force. */
const PYRAMID_DEFAULTS: Readonly<Required<MujocoOptions>> = { ...DEFAULTS, cone: 'pyramidal', impedanceRatio: 1 };

function chooseDefaults({ cone, pyramidEdges, variant }: Readonly<MujocoOptions>): Readonly<Required<MujocoOptions>> {
  const hasPyramids =
    cone === 'pyramidal' || (cone === undefined && pyramidEdges !== undefined) || variant === 'genesis';
  return hasPyramids ? PYRAMID_DEFAULTS : DEFAULTS;
}

/** Least coefficient of friction, as in MuJoCo. */
export const LEAST_FRICTION = 1e-5;

export const MUJOCO: FormulationTraits<MujocoOptions> = {
  id: 'mujoco',
  tendonInertia: 'branches',
  title: 'Acceleration level, soft contacts as MuJoCo has them',
  unknown: 'acceleration',
  coordinates: ['joint', 'body'],
  keepsCone: ({ cone }) => cone === 'elliptic',
  leastFriction: LEAST_FRICTION,
  integrators: ['semiImplicit', 'euler', 'implicitfast', 'implicit', 'rk4', 'rkmk4'],
  substitutes: {},
  // MuJoCo has no body coordinates whose numbers there are to keep
  bodySubstitutes: { euler: 'semiImplicit', implicitfast: 'semiImplicit', implicit: 'semiImplicit' },
  // stages of Runge-Kutta have no place for elasticity, which is implicit
  softSubstitutes: { rk4: 'semiImplicit', rkmk4: 'semiImplicit' },
  resolves: {
    softBodies: true,
    restitution: false,
    pressureFields: true,
    wires: false,
    keepsDistance: false,
    startsFromImpulses: false,
  },
  options: { schema, defaults: (_, given) => chooseDefaults(given) },
  unread: ['restitution'],
  smoothing: () => ['contacts, limits and equalities are soft, by solref and solimp'],
  tighten: (options) => ({
    ...options,
    solver: 'newton',
    tolerance: 1e-15,
    lineSearchTolerance: 1e-6,
    iterations: Math.max(options.iterations, 200),
    noslipTolerance: 1e-15,
  }),
};
