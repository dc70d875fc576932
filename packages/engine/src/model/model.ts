/**
 * A Scene compiled for one choice of coordinates: sizes and typed arrays, frozen.
 *
 * Index 0 of every per-body array is the world. Bodies stand in depth-first order, so a parent comes before its
 * children, and joints, dofs and shapes follow the order of their bodies. Vectors are packed (3 numbers per item),
 * quaternions are w x y z, lengths in metres, masses in kilograms.
 *
 * In `body` coordinates the arrays have the same meaning with other contents: every group of bodies that are rigidly
 * connected has one free joint, anchored at the centre of mass of the group, and the joints of the scene are constraints.
 */
import type {
  CcpOptions,
  Coordinates,
  Feature,
  FormulationId,
  Integrator,
  IpcOptions,
  MujocoOptions,
  SapOptions,
} from '../scene/options.ts';
import type { Scene } from '../scene/scene.ts';
import type { CollisionGeometry } from './collision-geometry.ts';
import type { ModelActuators, ModelEqualities, ModelTendons } from './model-couplings.ts';
import type {
  ModelBodies,
  ModelConstraintJoints,
  ModelDofs,
  ModelInverseWeights,
  ModelJoints,
  ModelSites,
  TreeSparsity,
} from './model-mechanism.ts';
import type { ModelContactFilter, ModelHeightFields, ModelMeshes, ModelPressure, ModelShapes } from './model-shapes.ts';
import type { ModelSoftBodies } from './model-soft-bodies.ts';

export * from './model-couplings.ts';
export * from './model-mechanism.ts';
export * from './model-shapes.ts';
export * from './model-soft-bodies.ts';

export interface Model {
  readonly name: string;
  readonly coordinates: Coordinates;
  /** The scene this model was compiled from. */
  readonly scene: Scene;
  readonly options: ModelOptions;
  readonly size: ModelSizes;
  readonly body: ModelBodies;
  readonly joint: ModelJoints;
  readonly dof: ModelDofs;
  readonly massMatrix: TreeSparsity;
  readonly shape: ModelShapes;
  readonly mesh: ModelMeshes;
  readonly heightField: ModelHeightFields;
  /** Hulls, trees and fields of the shapes that can touch. */
  readonly geometry: CollisionGeometry;
  /** Pressure fields and rigid surfaces, where something touches by pressure. */
  readonly pressure: ModelPressure;
  readonly soft: ModelSoftBodies;
  readonly site: ModelSites;
  readonly tendon: ModelTendons;
  readonly actuator: ModelActuators;
  readonly equality: ModelEqualities;
  readonly contactFilter: ModelContactFilter;
  readonly keyframe: ModelKeyframes;
  /** Joint positions of the pose in which the scene is written down. */
  readonly initialPosition: Float64Array;
  /** Joint positions at which joint springs are relaxed. */
  readonly springPosition: Float64Array;
  /** Joints of the scene that are constraints (in `body` coordinates; empty otherwise). */
  readonly constraintJoint: ModelConstraintJoints;
  /** How easily things move in the initial pose. */
  readonly inverseWeight: ModelInverseWeights;
}

/** Scene options with every default filled in. */
export interface ModelOptions {
  readonly timestep: number;
  readonly gravity: Float64Array;
  readonly integrator: Integrator;
  readonly formulation: FormulationId;
  readonly medium: { readonly density: number; readonly viscosity: number; readonly wind: Float64Array };
  readonly disabled: ReadonlySet<Feature>;
  readonly mujoco: Readonly<Required<MujocoOptions>>;
  readonly sap: Readonly<Required<SapOptions>>;
  readonly ccp: Readonly<Required<CcpOptions>>;
  readonly ipc: Readonly<Required<IpcOptions>>;
}

export interface ModelSizes {
  /** Bodies, the world included. */
  readonly body: number;
  readonly joint: number;
  /** Length of a position vector. */
  readonly position: number;
  /** Length of a velocity vector: the number of dofs. */
  readonly velocity: number;
  readonly shape: number;
  readonly mesh: number;
  readonly softBody: number;
  /** Vertices of all soft bodies. */
  readonly softVertex: number;
  readonly site: number;
  readonly tendon: number;
  readonly actuator: number;
  /** Length of an activation vector. */
  readonly activation: number;
  readonly equality: number;
  readonly mocap: number;
  readonly keyframe: number;
  /** Stored entries of the mass matrix. */
  readonly massMatrix: number;
}

/** Complete states, one row per keyframe. */
export interface ModelKeyframes {
  readonly name: readonly string[];
  readonly time: Float64Array;
  readonly position: Float64Array;
  readonly velocity: Float64Array;
  readonly activation: Float64Array;
  readonly control: Float64Array;
  readonly mocapPosition: Float64Array;
  readonly mocapOrientation: Float64Array;
}
