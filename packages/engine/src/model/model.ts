/**
 * A Scene compiled for one choice of coordinates: sizes and typed arrays, frozen. A model keeps nothing that its caller can
 * still change: later changes of the scene have no effect.
 *
 * Index 0 of every per-body array is the world. Bodies are in depth-first order, so a parent comes before its
 * children, and joints, dofs and shapes follow the order of their bodies. Vectors are packed (3 numbers per item),
 * quaternions are w x y z, lengths in metres, masses in kilograms.
 *
 * In `body` coordinates the arrays have the same meaning with other contents: every group of bodies that are rigidly
 * connected has one free joint, anchored at the centre of mass of the group, and the joints of the scene are constraints.
 */
import type { Clearance, ElasticStep } from '../scene/formulation-traits.ts';
import type {
  CcpOptions,
  ContactKinds,
  ContactPointRule,
  Coordinates,
  Feature,
  FormulationId,
  Integrator,
  IpcOptions,
  MujocoOptions,
  PenaltyOptions,
  SapOptions,
  StartRule,
} from '../scene/options.ts';
import type { SceneTerm } from '../scene/term.ts';
import type { CollisionGeometry } from './collision-geometry.ts';
import type { ModelActuators, ModelEqualities, ModelTendons } from './model-couplings.ts';
import type { ModelLook } from './model-look.ts';
import type {
  ModelBodies,
  ModelConstraintJoints,
  ModelDofs,
  ModelInverseWeights,
  ModelJoints,
  ModelSites,
  ModelVibrations,
  TreeSparsity,
} from './model-mechanism.ts';
import type { ModelSensors } from './model-sensors.ts';
import type {
  ModelContactFilter,
  ModelHeightFields,
  ModelMaterials,
  ModelMeshes,
  ModelPressure,
  ModelShapes,
  ModelSignedDistanceField,
} from './model-shapes.ts';
import type { ModelSoftBodies } from './model-soft-bodies.ts';
import type { ModelSurfaces } from './model-surfaces.ts';

export * from './model-couplings.ts';
export type * from './model-look.ts';
export * from './model-mechanism.ts';
export type { ModelSensors } from './model-sensors.ts';
export * from './model-shapes.ts';
export * from './model-soft-bodies.ts';
export type { ModelSurfaces } from './model-surfaces.ts';

/**
 * A scene compiled for a formulation and a choice of coordinates: sizes and typed arrays, frozen. Vectors are packed,
 * quaternions w x y z; body 0 is the world.
 */
export interface Model {
  /** Name of the scene. */
  readonly name: string;
  /** `joint` or `body`. */
  readonly coordinates: Coordinates;
  /** The link that carries too much for body coordinates, where these were the default and joint coordinates took their place; else 0. */
  readonly tautLink: number;
  /** What the scene shows, in words. */
  readonly description: string;
  /** Options of the scene with every default filled in. */
  readonly options: ModelOptions;
  /** How many there are of everything. */
  readonly size: ModelSizes;
  /** Bodies; the first is the world. */
  readonly body: ModelBodies;
  /** Joints of the coordinates; in `body` coordinates one free joint per group of bodies. */
  readonly joint: ModelJoints;
  /** Degrees of freedom. */
  readonly dof: ModelDofs;
  /** Pattern of the mass matrix. */
  readonly massMatrix: TreeSparsity;
  /** Shapes. */
  readonly shape: ModelShapes;
  /** Triangle meshes of shapes. */
  readonly mesh: ModelMeshes;
  /** Materials of surfaces. */
  readonly material: ModelMaterials;
  /** Height fields of shapes. */
  readonly heightField: ModelHeightFields;
  /** Signed-distance fields of shapes, as they are described. */
  readonly signedDistanceField: readonly ModelSignedDistanceField[];
  /** Numbers of shapes that weigh by the volume inside a mesh that is not closed. */
  readonly openSolids: Int32Array;
  /** Hulls, trees and fields of the shapes that can touch. */
  readonly geometry: CollisionGeometry;
  /** Pressure fields and rigid surfaces, where something touches by pressure. */
  readonly pressure: ModelPressure;
  /** Soft bodies. */
  readonly soft: ModelSoftBodies;
  /** Sites. */
  readonly site: ModelSites;
  /** Tendons. */
  readonly tendon: ModelTendons;
  /** Actuators. */
  readonly actuator: ModelActuators;
  /** Sensors. */
  readonly sensor: ModelSensors;
  /** What the scene says about its pictures: cameras, lights, textures. */
  readonly look: ModelLook;
  /** Equalities. */
  readonly equality: ModelEqualities;
  /** Explicit pairs and excluded bodies. */
  readonly contactFilter: ModelContactFilter;
  /** What surfaces are made of, and what explicit pairs and the override of all contacts say. */
  readonly surface: ModelSurfaces;
  /** Energies that the scene adds to the step, as it writes them. */
  readonly terms: readonly SceneTerm[];
  /** Stored states. */
  readonly keyframe: ModelKeyframes;
  /** Joint positions of the initial pose. */
  readonly initialPosition: Float64Array;
  /** Joint positions at which joint springs are relaxed. */
  readonly springPosition: Float64Array;
  /** Joints of the scene that are constraints (in `body` coordinates; empty otherwise). */
  readonly constraintJoint: ModelConstraintJoints;
  /** How easily things move in the initial pose. */
  readonly inverseWeight: ModelInverseWeights;
  /** How fast springs and servos can make it vibrate. */
  readonly vibration: ModelVibrations;
}

/** Scene options with every default filled in. */
export interface ModelOptions {
  /** Time step, s. */
  readonly timestep: number;
  /** Error of a step up to which it is taken, m and rad; steps are then as long as it allows. Undefined: steps of `timestep`. */
  readonly accuracy: number | undefined;
  /** Acceleration of free fall, m/s²; three numbers. */
  readonly gravity: Float64Array;
  /** The one in use, which may differ from the scene's where the formulation has none of it. */
  readonly integrator: Integrator;
  /** The one the scene asks for. */
  readonly requestedIntegrator: Integrator;
  /** The one it was compiled for. */
  readonly formulation: FormulationId;
  /** Magnetic field, world axes, T; three numbers. */
  readonly magneticField: Float64Array;
  /** When bodies fall asleep; undefined where none does. */
  readonly sleep: { readonly tolerance: number } | undefined;
  /** Density, kg/m³, viscosity, Pa s, and wind, m/s, of the fluid around. */
  readonly medium: { readonly density: number; readonly viscosity: number; readonly wind: Float64Array };
  /** Parts of the physics that are off. */
  readonly disabled: ReadonlySet<Feature>;
  /** How pairs of each kind touch, where the scene says so. */
  readonly contactKinds: Readonly<ContactKinds> | undefined;
  /** Distances that the formulation keeps between surfaces. */
  readonly clearance: Clearance;
  /** What the formulation says about the step of soft bodies. */
  readonly elasticStep: Readonly<Partial<ElasticStep>>;
  /** Longest time that a step may take, s; Infinity: as long as it likes. */
  readonly maxStepTime: number;
  /** What becomes of bodies that overlap at the start. */
  readonly start: StartRule;
  /** Whether formulations that push overlaps apart follow that rule; not where MuJoCo's trajectories are kept. */
  readonly appliesStart: boolean;
  /** Whether fast bodies have contact along their way. */
  readonly looksAhead: boolean;
  /** How the points of contacts are chosen. */
  readonly contactPoints: ContactPointRule;
  /** For derivatives: ellipsoids have exact points where MuJoCo's come from a search, whose end is no smooth function. */
  readonly hasExactEllipsoids?: boolean;
  /** Options of every formulation with defaults filled in, by its name; those of the built-in ones are also below. */
  readonly formulations: Readonly<Record<string, Readonly<object>>>;
  /** Options of `mujoco`. */
  readonly mujoco: Readonly<Required<MujocoOptions>>;
  /** Options of `sap`. */
  readonly sap: Readonly<Required<SapOptions>>;
  /** Options of `ccp`. */
  readonly ccp: Readonly<Required<CcpOptions>>;
  /** Options of `ipc`. */
  readonly ipc: Readonly<Required<IpcOptions>>;
  /** Options of `penalty`. */
  readonly penalty: Readonly<Required<PenaltyOptions>>;
}

/** Numbers of things, and lengths of vectors. */
export interface ModelSizes {
  /** Bodies, the world included. */
  readonly body: number;
  /** Joints. */
  readonly joint: number;
  /** Joints that are constraints. */
  readonly constraintJoint: number;
  /** Length of a position vector. */
  readonly position: number;
  /** Length of a velocity vector: the number of dofs. */
  readonly velocity: number;
  /** Shapes. */
  readonly shape: number;
  /** Meshes. */
  readonly mesh: number;
  /** Soft bodies. */
  readonly softBody: number;
  /** Vertices of all soft bodies. */
  readonly softVertex: number;
  /** Edges of rods. */
  readonly softEdge: number;
  /** Points of soft bodies at which their material may flow, at most. */
  readonly plasticPoint: number;
  /** Attachments of soft bodies that may break. */
  readonly breakableAttachment: number;
  /** Sites. */
  readonly site: number;
  /** Tendons. */
  readonly tendon: number;
  /** Actuators; the length of a control vector. */
  readonly actuator: number;
  /** Length of an activation vector. */
  readonly activation: number;
  /** Sensors. */
  readonly sensor: number;
  /** Readings of all sensors. */
  readonly reading: number;
  /** Numbers of all measurements that sensors keep. */
  readonly sensorHistory: number;
  /** Numbers of all controls that actuators keep. */
  readonly controlHistory: number;
  /** Trees of bodies that may fall asleep; 0 where none does. */
  readonly sleepTree: number;
  /** Equalities. */
  readonly equality: number;
  /** Mocap bodies. */
  readonly mocap: number;
  /** Keyframes. */
  readonly keyframe: number;
  /** 1 where steps are error-controlled, else 0. */
  readonly stepControl: number;
  /** Stored entries of the mass matrix. */
  readonly massMatrix: number;
}

/** Complete states, one row per keyframe. */
export interface ModelKeyframes {
  /** Names, empty where there is none. */
  readonly name: readonly string[];
  /** s. */
  readonly time: Float64Array;
  /** Joint positions, m, rad and quaternions. */
  readonly position: Float64Array;
  /** Joint velocities, m/s and rad/s. */
  readonly velocity: Float64Array;
  /** Activations of actuators. */
  readonly activation: Float64Array;
  /** Controls of actuators. */
  readonly control: Float64Array;
  /** Positions of mocap bodies, m. */
  readonly mocapPosition: Float64Array;
  /** Orientations of mocap bodies, w x y z. */
  readonly mocapOrientation: Float64Array;
  /** Angles of hinges that are constraints, whole turns included, rad; 0 for other constraint joints. */
  readonly hingeAngle: Float64Array;
}
