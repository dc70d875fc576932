/** What coriolis-transport.ts and link-tension.ts work with; empty where a model has no trees of joints. */
import type { Arena } from '../kernels/arena.ts';
import type { Model } from '../model/model.ts';
import type { InertialPlan } from './inertial-plan.ts';
import { measureEasiestTurn, measureReach } from './link-tension.ts';

export interface CoriolisScratch {
  /** Per tree: 1 where this step carries its velocities. */
  readonly isCarried: Uint8Array;
  /** Per tree: whether Coriolis forces at the start are left out of the solve. */
  readonly isRemoved: Uint8Array;
  /** Per tree, whether it rotates too far in a step to use its weight at the start. */
  readonly isCoarse: Uint8Array;
  /** Whether there is such a tree. */
  isMoving: boolean;
  /** Per tree: kinetic energy of u at q, J. */
  readonly energy: Float64Array;
  /** Per tree that floats: momentum of u at q, see floating-momentum.ts. */
  readonly momentum: Float64Array;
  /** Per tree that floats: where its centre of mass comes, m, and whether nothing holds it. */
  readonly center: Float64Array;
  readonly isFlying: Uint8Array;
  /** A momentum, then the velocities of a free joint. */
  readonly rigid: Float64Array;
  /** Per body: ω̂ in the axes of the body, and the velocity of its centre of mass in those of the world. */
  readonly carried: Float64Array;
  /** Per dof: Coriolis force that the solve of the step does not see, N or N m. */
  readonly force: Float64Array;
  /** Half of the impulse of weight at q⁺. */
  readonly weightImpulse: Float64Array;
  /** v_P − u. */
  readonly projected: Float64Array;
  /** v_E − v_P. */
  readonly explicit: Float64Array;
  /** v_P. */
  readonly velocity: Float64Array;
  /** M u at q, then M⁺ v_P. */
  readonly product: Float64Array;
  /** M⁺ (v_E − v_P). */
  readonly explicitProduct: Float64Array;
  readonly factor: Float64Array;
  readonly inverseDiagonal: Float64Array;
}

export interface TensionScratch {
  /** Whether a link has any. */
  isActive: boolean;
  /** Whether the matrix of the step has it: that of a tree on the world. */
  isInMetric: boolean;
  /** T, in the pattern of M. */
  readonly metric: Float64Array;
  /** Per body: see measureReach. */
  readonly reach: Float64Array;
  /** Per dof: acceleration without constraints. */
  readonly acceleration: Float64Array;
  /** Per body: what that does to it, a spatial acceleration. */
  readonly jointMotion: Float64Array;
  /** Per body: see measureEasiestTurn. */
  readonly easiest: Float64Array;
  /** Per body: where it turns, m. */
  readonly anchor: Float64Array;
  /** Per body: m (g − a), with all that it carries, N. */
  readonly pull: Float64Array;
  /** Per body: symmetric part of S, N m; xx yy zz xy xz yz. */
  readonly moment: Float64Array;
  /** Per body: θ h² Σ λ e eᵀ, kg m². */
  readonly stiffness: Float64Array;
}

export interface Configuration {
  isKnown: boolean;
  readonly position: Float64Array;
  readonly mocapPosition: Float64Array;
  readonly mocapOrientation: Float64Array;
}

export function createCoriolisScratch(model: Model, { trees }: InertialPlan, arena: Arena): CoriolisScratch {
  const nv = trees.length > 0 ? model.size.velocity : 0;
  return {
    isCarried: new Uint8Array(trees.length),
    isRemoved: new Uint8Array(trees.length),
    isCoarse: new Uint8Array(trees.length),
    isMoving: false,
    energy: arena.f64(trees.length),
    momentum: arena.f64(6 * trees.length),
    center: arena.f64(3 * trees.length),
    isFlying: new Uint8Array(trees.length),
    rigid: arena.f64(6),
    carried: arena.f64(nv > 0 ? 6 * model.size.body : 0),
    force: arena.f64(nv),
    weightImpulse: arena.f64(nv),
    projected: arena.f64(nv),
    explicit: arena.f64(nv),
    velocity: arena.f64(nv),
    product: arena.f64(nv),
    explicitProduct: arena.f64(nv),
    factor: arena.f64(nv > 0 ? model.size.massMatrix : 0),
    inverseDiagonal: arena.f64(nv),
  };
}

export function createTensionScratch(model: Model, { trees }: InertialPlan, arena: Arena): TensionScratch {
  const hasTrees = trees.length > 0;
  const nb = hasTrees ? model.size.body : 0;
  return {
    isActive: false,
    isInMetric: false,
    metric: arena.f64(hasTrees ? model.size.massMatrix : 0),
    reach: hasTrees ? measureReach(model) : new Float64Array(0),
    easiest: hasTrees ? measureEasiestTurn(model) : new Float64Array(0),
    acceleration: arena.f64(hasTrees ? model.size.velocity : 0),
    jointMotion: arena.f64(6 * nb),
    anchor: arena.f64(3 * nb),
    pull: arena.f64(3 * nb),
    moment: arena.f64(6 * nb),
    stiffness: arena.f64(6 * nb),
  };
}

export function createConfiguration(model: Model, { trees }: InertialPlan): Configuration {
  const { position, mocap } = model.size;
  const hasTrees = trees.length > 0;
  return {
    isKnown: false,
    position: new Float64Array(hasTrees ? position : 0),
    mocapPosition: new Float64Array(hasTrees ? 3 * mocap : 0),
    mocapOrientation: new Float64Array(hasTrees ? 4 * mocap : 0),
  };
}
