import type {
  CcpOptions,
  ContactKind,
  ContactKinds,
  ContactOverride,
  IpcOptions,
  MassRules,
  Medium,
  MujocoOptions,
  SapOptions,
  SceneOptions,
} from '../options.ts';
import { array, boolean, number, object, oneOf, optional, type Schema } from '../schema.ts';
import { amount, count, pairFriction, positive, solimp, solref, vec3 } from './parts.ts';

const iterations = number({ minimum: 1, integer: true });

const medium = object<Medium>(
  { density: optional(amount), viscosity: optional(amount), wind: optional(vec3) },
  'Medium',
);

const contactOverride = object<ContactOverride>(
  {
    margin: optional(amount),
    solref: optional(solref),
    solimp: optional(solimp),
    friction: optional(pairFriction),
  },
  'ContactOverride',
);

const contactKind: Schema<ContactKind> = oneOf('point', 'hydroelastic', 'none');

const contactKinds = object<ContactKinds>(
  {
    rigidFloor: optional(contactKind),
    rigidRigid: optional(contactKind),
    softFloor: optional(contactKind),
    softRigid: optional(contactKind),
    softSoft: optional(contactKind),
  },
  'ContactKinds',
);

const mujocoOptions = object<MujocoOptions>(
  {
    solver: optional(oneOf('newton', 'cg', 'pgs')),
    cone: optional(oneOf('pyramidal', 'elliptic')),
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

const sapOptions = object<SapOptions>(
  {
    solver: optional(oneOf('newton', 'pcg')),
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
  },
  'SapOptions',
);

const ccpOptions = object<CcpOptions>(
  {
    solver: optional(oneOf('apgd', 'spg', 'pgs', 'admm')),
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

const ipcOptions = object<IpcOptions>(
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

export const sceneOptions: Schema<SceneOptions> = object<SceneOptions>(
  {
    timestep: optional(positive),
    gravity: optional(vec3),
    integrator: optional(oneOf('euler', 'implicitfast', 'implicit', 'rk4', 'rkmk4', 'midpoint')),
    formulation: optional(oneOf('mujoco', 'sap', 'ccp', 'ipc')),
    coordinates: optional(oneOf('joint', 'body')),
    medium: optional(medium),
    disable: optional(
      array(
        oneOf(
          'contact',
          'constraint',
          'equality',
          'limit',
          'frictionLoss',
          'spring',
          'damper',
          'gravity',
          'actuation',
          'clampControl',
          'implicitDamping',
          'warmStart',
          'parentFilter',
          'safeReference',
          'island',
        ),
      ),
    ),
    contactOverride: optional(contactOverride),
    contactKinds: optional(contactKinds),
    mujoco: optional(mujocoOptions),
    sap: optional(sapOptions),
    ccp: optional(ccpOptions),
    ipc: optional(ipcOptions),
  },
  'SceneOptions',
);

export const massRules: Schema<MassRules> = object<MassRules>(
  {
    minimumMass: optional(amount),
    minimumInertia: optional(amount),
    totalMass: optional(positive),
    balanceInertia: optional(boolean()),
  },
  'MassRules',
);
