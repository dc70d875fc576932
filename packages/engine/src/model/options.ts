import { NexdynError } from '../error.ts';
import type {
  CcpOptions,
  Coordinates,
  FormulationId,
  Integrator,
  IpcOptions,
  MujocoOptions,
  SapOptions,
} from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import { frozenCopy } from './frozen-copy.ts';
import type { ModelOptions } from './model.ts';

/** What a caller may choose when compiling; each replaces what the scene says. */
export interface CompileOptions {
  /** Default: the scene's, then that of the formulation: `joint` for mujoco and sap, `body` for ccp and ipc. */
  coordinates?: Coordinates;
  /** Default: the scene's, then 'mujoco'. */
  formulation?: FormulationId;
  /** s. Default: the scene's, then 0.002. */
  timestep?: number;
}

/** Coordinates of each formulation where neither the caller nor the scene chooses. */
const COORDINATES: Readonly<Record<FormulationId, Coordinates>> = {
  mujoco: 'joint',
  sap: 'joint',
  ccp: 'body',
  ipc: 'body',
};

/** Knobs of `mujoco` that are not set. */
export const MUJOCO_DEFAULTS: Readonly<Required<MujocoOptions>> = {
  solver: 'newton',
  cone: 'pyramidal',
  iterations: 100,
  tolerance: 1e-8,
  lineSearchIterations: 50,
  lineSearchTolerance: 0.01,
  impedanceRatio: 1,
  noslipIterations: 0,
  noslipTolerance: 1e-6,
  jacobian: 'auto',
  variant: 'mujoco',
};

/** Knobs of `sap` that are not set. */
export const SAP_DEFAULTS: Readonly<Required<SapOptions>> = {
  solver: 'newton',
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

/** Knobs of `ccp` that are not set; the envelope hangs on the time step. */
export const CCP_DEFAULTS: Readonly<Required<Omit<CcpOptions, 'envelope'>>> = {
  solver: 'apgd',
  iterations: 1000,
  tolerance: 1e-6,
  recoverySpeed: 0.6,
  bounceSpeed: 0.1,
  compliance: 0,
  relaxation: 0,
  coulomb: false,
  coulombIterations: 50,
  scaling: true,
};

/** Speed at which contacts are met without penetration where the scene gives no envelope, m/s. */
const APPROACH_SPEED = 2.5;

/** Knobs of `ipc` that are not set; a barrier stiffness of 0 is adapted to the scene, a covering radius of 0 to the shape. */
export const IPC_DEFAULTS: Readonly<Required<IpcOptions>> = {
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

/** Scene options with every default filled in. */
export function compileOptions(scene: Scene, choice: CompileOptions): ModelOptions {
  const options = scene.options ?? {};
  const medium = options.medium ?? {};
  const formulation = choice.formulation ?? options.formulation ?? 'mujoco';
  const timestep = choice.timestep ?? options.timestep ?? 0.002;
  return {
    timestep,
    gravity: Float64Array.from(options.gravity ?? [0, 0, -9.81]),
    requestedIntegrator: options.integrator ?? 'euler',
    integrator: chooseIntegrator(options.integrator ?? 'euler', formulation),
    formulation,
    medium: Object.freeze({
      density: medium.density ?? 0,
      viscosity: medium.viscosity ?? 0,
      wind: Float64Array.from(medium.wind ?? [0, 0, 0]),
    }),
    disabled: new Set(options.disable ?? []),
    contactKinds: frozenCopy(options.contactKinds),
    mujoco: Object.freeze({ ...MUJOCO_DEFAULTS, ...options.mujoco }),
    sap: Object.freeze({ ...SAP_DEFAULTS, ...options.sap }),
    ccp: Object.freeze({ envelope: APPROACH_SPEED * timestep, ...CCP_DEFAULTS, ...options.ccp }),
    ipc: Object.freeze({ ...IPC_DEFAULTS, ...options.ipc }),
  };
}

// a step of `sap`, `ccp` or `ipc` is one minimisation over velocities, impulses or positions: stages of Runge-Kutta have no place in it
function chooseIntegrator(integrator: Integrator, formulation: FormulationId): Integrator {
  if (integrator === 'midpoint' && formulation !== 'sap') {
    throw new NexdynError('unsupported-formulation', `${formulation} has no integrator "midpoint"`, {
      path: 'options.integrator',
      hint: "choose another integrator, or formulation: 'sap'",
    });
  }
  const isRungeKutta = integrator === 'rk4' || integrator === 'rkmk4';
  if (!isRungeKutta || formulation === 'mujoco') return integrator;
  // a top that euler drives apart, since it takes gyroscopic forces from before the step, implicit keeps; ipc has its own way
  return formulation === 'ipc' ? 'euler' : 'implicit';
}

/** The coordinates to compile for. */
export function chooseCoordinates(scene: Scene, choice: CompileOptions, formulation: FormulationId): Coordinates {
  return choice.coordinates ?? scene.options?.coordinates ?? COORDINATES[formulation];
}
