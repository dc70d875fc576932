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
import type { PressureGeometry } from '../geometry/pressure-field/pressure-geometry.ts';
import type { SoftField } from '../geometry/pressure-field/soft-field.ts';
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

export interface ModelBodies {
  readonly name: readonly string[];
  readonly parent: Int32Array;
  /** The child of the world from which the body descends; 0 for the world. */
  readonly root: Int32Array;
  /** The topmost body to which it is rigidly connected (itself where it has joints; 0 where it is part of the world). */
  readonly weld: Int32Array;
  readonly jointStart: Int32Array;
  readonly jointCount: Int32Array;
  readonly dofStart: Int32Array;
  readonly dofCount: Int32Array;
  /** Number of the last dof that moves the body, its own or an ancestor's; -1 where nothing moves it. */
  readonly lastDof: Int32Array;
  readonly shapeStart: Int32Array;
  readonly shapeCount: Int32Array;
  /** Number of the mocap body, or -1. */
  readonly mocap: Int32Array;
  /** Pose in the parent's frame. */
  readonly position: Float64Array;
  readonly orientation: Float64Array;
  readonly mass: Float64Array;
  /** Mass of the body and of all below it. */
  readonly subtreeMass: Float64Array;
  /** Centre of mass in the body frame. */
  readonly inertiaCenter: Float64Array;
  /** Rotation from the principal axes to the body frame. */
  readonly inertiaOrientation: Float64Array;
  /** Principal moments about the centre of mass, kg m². */
  readonly inertiaMoments: Float64Array;
  readonly gravityCompensation: Float64Array;
}

/** Values of `ModelJoints.kind`. */
export const JOINT = { free: 0, ball: 1, slide: 2, hinge: 3 } as const;

export interface ModelJoints {
  readonly name: readonly string[];
  readonly kind: Uint8Array;
  readonly body: Int32Array;
  readonly positionStart: Int32Array;
  readonly dofStart: Int32Array;
  /** In the body frame. */
  readonly anchor: Float64Array;
  /** In the body frame, unit length. */
  readonly axis: Float64Array;
  readonly stiffness: Float64Array;
  readonly limited: Uint8Array;
  readonly range: Float64Array;
  readonly margin: Float64Array;
  readonly solref: Float64Array;
  readonly solimp: Float64Array;
  readonly actuatorForceLimited: Uint8Array;
  readonly actuatorForceRange: Float64Array;
  readonly actuatorGravityCompensation: Uint8Array;
}

export interface ModelDofs {
  readonly body: Int32Array;
  readonly joint: Int32Array;
  /** The next dof towards the root of the tree, or -1. */
  readonly parent: Int32Array;
  readonly damping: Float64Array;
  readonly armature: Float64Array;
  readonly frictionLoss: Float64Array;
  readonly solref: Float64Array;
  readonly solimp: Float64Array;
}

/**
 * Pattern of a symmetric matrix over the dofs of a forest, lower triangle by rows: row i holds the ancestors of dof i in
 * increasing order and then i itself. The ancestors of an ancestor j are the entries before j: every row is a prefix
 * extension of the rows above it.
 */
export interface TreeSparsity {
  /** First entry of each row; one more than there are rows. */
  readonly rowStart: Int32Array;
  readonly column: Int32Array;
}

export interface ModelShapes {
  readonly name: readonly string[];
  /** See SHAPE. */
  readonly kind: Uint8Array;
  readonly body: Int32Array;
  /** Number of the mesh, height field or signed-distance field; -1 for primitives. */
  readonly asset: Int32Array;
  /** Pose in the body frame. */
  readonly position: Float64Array;
  readonly orientation: Float64Array;
  /** Sphere r; capsule, cylinder r, half length; ellipsoid radii; box half sizes; plane half sizes; else 0. */
  readonly size: Float64Array;
  /** See SOFT_CONTACT. */
  readonly contact: Uint8Array;
  readonly groups: Uint32Array;
  readonly mask: Uint32Array;
  readonly margin: Float64Array;
  readonly gap: Float64Array;
  /** Slide, spin, roll. */
  readonly friction: Float64Array;
  readonly condim: Uint8Array;
  readonly priority: Int32Array;
  readonly solmix: Float64Array;
  readonly solref: Float64Array;
  readonly solimp: Float64Array;
  /** N. */
  readonly adhesion: Float64Array;
  /** Velocity of the surface in the frame of the shape, m/s, and its angular velocity, rad/s; six numbers. */
  readonly surfaceMotion: Float64Array;
  /** Blunt drag, slender drag, angular drag, Kutta lift, Magnus lift; all 0 when off. */
  readonly fluid: Float64Array;
  /** Number of the material in the scene, or -1. */
  readonly material: Int32Array;
  /** Red, green, blue, opacity. */
  readonly color: Float64Array;
  readonly layer: Uint8Array;
}

export interface ModelMeshes {
  readonly name: readonly string[];
  readonly vertexStart: Int32Array;
  readonly vertexCount: Int32Array;
  readonly faceStart: Int32Array;
  readonly faceCount: Int32Array;
  readonly vertices: Float64Array;
  /** Indices relative to the first vertex of the mesh. */
  readonly faces: Int32Array;
}

export interface ModelHeightFields {
  readonly name: readonly string[];
  readonly rows: Int32Array;
  readonly columns: Int32Array;
  readonly halfSize: Float64Array;
  readonly baseDepth: Float64Array;
  readonly dataStart: Int32Array;
  readonly heights: Float64Array;
}

/** Values of `contact` of shapes and soft bodies. */
export const SOFT_CONTACT = { none: 0, point: 1, hydroelastic: 2 } as const;

/** Soft bodies one after the other in common arrays; vertices, tetrahedra and triangles are numbered over all of them. */
export interface ModelSoftBodies {
  readonly name: readonly string[];
  /** Per body: its first vertex, tetrahedron and triangle; one more than there are bodies. */
  readonly vertexStart: Int32Array;
  readonly tetrahedronStart: Int32Array;
  readonly triangleStart: Int32Array;
  /** Per vertex: rest shape where the body stands at the start, world, m; velocity at the start, m/s. */
  readonly rest: Float64Array;
  readonly velocity: Float64Array;
  /** Per vertex: 1 where it is pinned or follows a path from the start. */
  readonly isHeld: Uint8Array;
  /** Four vertices per tetrahedron, positive volume. */
  readonly tetrahedron: Int32Array;
  /** Three vertices per triangle of the surfaces, counter-clockwise from outside, and the tetrahedron behind it. */
  readonly triangle: Int32Array;
  readonly triangleTetrahedron: Int32Array;
  /** Per body: see SOFT_CONTACT. */
  readonly contact: Uint8Array;
  /** Per body: 1 where it touches itself. */
  readonly touchesItself: Uint8Array;
  readonly groups: Uint32Array;
  readonly mask: Uint32Array;
  /** m. */
  readonly margin: Float64Array;
  /** Sliding, spin (m), roll (m). */
  readonly friction: Float64Array;
  /** N/m, 0 leaves it to the formulation; s, negative leaves it to the formulation. */
  readonly stiffness: Float64Array;
  readonly dissipation: Float64Array;
  readonly color: Float64Array;
  /** Vertices fixed to rigid bodies (0 is the world) at a point of the body's frame, m. */
  readonly attachment: {
    readonly vertex: Int32Array;
    readonly body: Int32Array;
    readonly point: Float64Array;
  };
}

/** Pressure fields of what touches by pressure. */
export interface ModelPressure {
  /** Whether anything touches by pressure. */
  readonly isActive: boolean;
  /** Per shape: its pressure field, where it may need one; and what it is where it has none. */
  readonly compliant: readonly (PressureGeometry | undefined)[];
  readonly rigid: readonly (PressureGeometry | undefined)[];
  /** Per soft body: its pressure field, where it may need one. */
  readonly soft: readonly (SoftField | undefined)[];
}

export const NO_PRESSURE: ModelPressure = { isActive: false, compliant: [], rigid: [], soft: [] };

export interface ModelSites {
  readonly name: readonly string[];
  readonly body: Int32Array;
  readonly position: Float64Array;
  readonly orientation: Float64Array;
}

/** Values of `ModelTendons.stationKind`; `joint` makes a fixed tendon, the rest a spatial one. */
export const STATION = { joint: 0, site: 1, sphere: 2, cylinder: 3, pulley: 4 } as const;

export interface ModelTendons {
  readonly name: readonly string[];
  readonly stationStart: Int32Array;
  readonly stationCount: Int32Array;
  readonly stationKind: Uint8Array;
  /** Number of the joint, site or shape. */
  readonly stationObject: Int32Array;
  /** Coefficient of the joint, divisor of the pulley, or number of the side site (-1: none). */
  readonly stationParameter: Float64Array;
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
  readonly armature: Float64Array;
  readonly frictionLoss: Float64Array;
  /** Lengths between which the spring is slack. */
  readonly springLength: Float64Array;
  readonly limited: Uint8Array;
  readonly range: Float64Array;
  readonly margin: Float64Array;
  readonly solrefLimit: Float64Array;
  readonly solimpLimit: Float64Array;
  readonly solrefFriction: Float64Array;
  readonly solimpFriction: Float64Array;
  readonly actuatorForceLimited: Uint8Array;
  readonly actuatorForceRange: Float64Array;
}

/** Values of `ModelActuators.transmission`. */
export const TRANSMISSION = { joint: 0, jointInParent: 1, tendon: 2, site: 3 } as const;

/** Values of `ModelActuators.activation`. */
export const ACTIVATION = { none: 0, integrator: 1, filter: 2, filterExact: 3 } as const;

export interface ModelActuators {
  readonly name: readonly string[];
  readonly transmission: Uint8Array;
  /** Number of the joint, tendon or site. */
  readonly target: Int32Array;
  /** Number of the reference site, or -1. */
  readonly reference: Int32Array;
  /** Six numbers. */
  readonly gear: Float64Array;
  /** gain = g₀ + g₁ length + g₂ velocity. */
  readonly gain: Float64Array;
  /** bias = b₀ + b₁ length + b₂ velocity. */
  readonly bias: Float64Array;
  readonly activation: Uint8Array;
  /** Place in the activation vector, or -1. */
  readonly activationStart: Int32Array;
  readonly timeConstant: Float64Array;
  readonly activationEarly: Uint8Array;
  readonly activationLimited: Uint8Array;
  readonly activationRange: Float64Array;
  readonly controlLimited: Uint8Array;
  readonly controlRange: Float64Array;
  readonly forceLimited: Uint8Array;
  readonly forceRange: Float64Array;
}

/** Values of `ModelEqualities.kind`. */
export const EQUALITY = { connect: 0, weld: 1, joint: 2, tendon: 3, distance: 4 } as const;

export interface ModelEqualities {
  readonly name: readonly string[];
  readonly kind: Uint8Array;
  /** Bodies (connect, weld, distance), joints or tendons; object2 is -1 where there is none. */
  readonly object1: Int32Array;
  readonly object2: Int32Array;
  /**
   * Eleven numbers. connect: point on body 1 (3), point on body 2 (3). weld: point on body 2 (3), point on body 1 (3),
   * orientation of body 2 in body 1 (4), torque scale. joint, tendon: c₀ to c₄. distance: points (3 + 3), distance.
   */
  readonly data: Float64Array;
  readonly active: Uint8Array;
  readonly solref: Float64Array;
  readonly solimp: Float64Array;
}

export interface ModelContactFilter {
  /** Pairs of shape numbers, two per explicit pair, in the order of the scene's `contactPairs`. */
  readonly pairShapes: Int32Array;
  /** Pairs of body numbers, smaller first. */
  readonly excludedBodies: Int32Array;
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

/**
 * Joints of the scene in `body` coordinates: what a residual C(q) needs. Joints of one body stand together in the order in
 * which they act: the body is held by them in series. Where other groups count joints (fixed tendons, actuators, joint
 * equalities), number n ≥ `size.joint` is the constraint joint n − `size.joint`.
 */
export interface ModelConstraintJoints {
  readonly name: readonly string[];
  readonly kind: Uint8Array;
  /** Parent side and child side. */
  readonly body1: Int32Array;
  readonly body2: Int32Array;
  /** Anchor and axis in the frame of each body, at the initial pose. */
  readonly anchor1: Float64Array;
  readonly anchor2: Float64Array;
  readonly axis1: Float64Array;
  readonly axis2: Float64Array;
  /** Orientation of body 2 in body 1 where all joints between them are at position zero. */
  readonly orientation: Float64Array;
  /** Joint position of the initial pose. */
  readonly reference: Float64Array;
  readonly stiffness: Float64Array;
  readonly damping: Float64Array;
  readonly armature: Float64Array;
  readonly frictionLoss: Float64Array;
  readonly springReference: Float64Array;
  readonly limited: Uint8Array;
  readonly range: Float64Array;
  readonly margin: Float64Array;
  readonly solrefLimit: Float64Array;
  readonly solimpLimit: Float64Array;
  readonly solrefFriction: Float64Array;
  readonly solimpFriction: Float64Array;
  /** How easily the joint moves in the mechanism, as `inverseWeight.dof` in joint coordinates, 1/kg or 1/(kg m²). */
  readonly inverseWeight: Float64Array;
}

/**
 * How easily things move in the initial pose: what a unit of force or torque on them yields of acceleration along it. Soft
 * constraints are scaled by these. In `body` coordinates bodies and tendons have the weights of the mechanism that the
 * joints make of them, so contacts are as soft as in `joint` coordinates; dofs and mean inertia are those of free bodies.
 */
export interface ModelInverseWeights {
  /** Per body: for a force at the centre of mass, mean over three directions, 1/kg; 0 where it cannot move. */
  readonly bodyTranslation: Float64Array;
  /** Per body: for a torque, mean over three directions, 1/(kg m²); 0 where it cannot turn. */
  readonly bodyRotation: Float64Array;
  /** Per dof: 1/kg or 1/(kg m²); the translations of a joint share one mean, and so do its rotations. */
  readonly dof: Float64Array;
  /** Per tendon: for its tension, 1/kg (1/(kg m²) where it is a sum of angles). */
  readonly tendon: Float64Array;
  /** Mean of the diagonal of the mass matrix, kg and kg m² alike; 1 where nothing moves. */
  readonly meanInertia: number;
}
