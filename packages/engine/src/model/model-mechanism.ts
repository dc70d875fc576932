/**
 * Bodies of a model, the joints between them and their degrees of freedom, as arrays.
 *
 * Index 0 of every per-body array is the world. Bodies are in depth-first order, so a parent comes before its children, and joints
 * and dofs follow the order of their bodies.
 */

/** Bodies as arrays; the first is the world. */
export interface ModelBodies {
  /** Names, empty where there is none; the first is the world. */
  readonly name: readonly string[];
  /** Where each body is in the scene, as in `bodies[3].bodies[0]`, for messages; empty for the world. */
  readonly path: readonly string[];
  /** Number of the parent; 0 for children of the world and for the world. */
  readonly parent: Int32Array;
  /** The child of the world from which the body descends; 0 for the world. */
  readonly root: Int32Array;
  /** The topmost body to which it is rigidly connected (itself where it has joints; 0 where it is part of the world). */
  readonly weld: Int32Array;
  /** First joint of the body. */
  readonly jointStart: Int32Array;
  /** Number of its joints. */
  readonly jointCount: Int32Array;
  /** First dof of the body. */
  readonly dofStart: Int32Array;
  /** Number of its dofs. */
  readonly dofCount: Int32Array;
  /** Number of the last dof that moves the body, its own or an ancestor's; -1 where nothing moves it. */
  readonly lastDof: Int32Array;
  /** First shape of the body. */
  readonly shapeStart: Int32Array;
  /** Number of its shapes. */
  readonly shapeCount: Int32Array;
  /** Number of the mocap body, or -1. */
  readonly mocap: Int32Array;
  /** Pose in the parent's frame. */
  readonly position: Float64Array;
  /** Quaternion w x y z from the body frame to the parent's. */
  readonly orientation: Float64Array;
  /** kg. */
  readonly mass: Float64Array;
  /** Mass of the body and of all below it. */
  readonly subtreeMass: Float64Array;
  /** Centre of mass in the body frame. */
  readonly inertiaCenter: Float64Array;
  /** Rotation from the principal axes to the body frame. */
  readonly inertiaOrientation: Float64Array;
  /** Principal moments about the centre of mass, kg m². */
  readonly inertiaMoments: Float64Array;
  /** Share of the weight that is cancelled; 1 floats. */
  readonly gravityCompensation: Float64Array;
  /** See SLEEP; that of the topmost body that moves. */
  readonly sleepPolicy: Uint8Array;
}

/** Values of `ModelBodies.sleepPolicy`. */
export const SLEEP = { auto: 0, never: 1, allowed: 2, init: 3 } as const;

/** Values of `ModelJoints.kind`. */
export const JOINT = { free: 0, ball: 1, slide: 2, hinge: 3 } as const;

/** Joints as arrays, in the order of their bodies. */
export interface ModelJoints {
  /** Names, empty where there is none. */
  readonly name: readonly string[];
  /** See JOINT. */
  readonly kind: Uint8Array;
  /** Number of the body that the joint moves. */
  readonly body: Int32Array;
  /** Place of its first number in a position vector. */
  readonly positionStart: Int32Array;
  /** Place of its first number in a velocity vector. */
  readonly dofStart: Int32Array;
  /** In the body frame. */
  readonly anchor: Float64Array;
  /** In the body frame, unit length. */
  readonly axis: Float64Array;
  /** N/m or N m/rad. */
  readonly stiffness: Float64Array;
  /** Of a nonlinear spring, see power-laws.ts; two numbers. */
  readonly stiffnessPowers: Float64Array;
  /** 1 where the position is limited. */
  readonly limited: Uint8Array;
  /** Least and largest position, m or rad; two numbers. */
  readonly range: Float64Array;
  /** Distance from the limit at which it begins to act, m or rad. */
  readonly margin: Float64Array;
  /** Time constant (s) and damping ratio of the limit under `mujoco`; two numbers. */
  readonly solref: Float64Array;
  /** Impedance of the limit under `mujoco`; five numbers. */
  readonly solimp: Float64Array;
  /** 1 where the sum of actuator forces is limited. */
  readonly actuatorForceLimited: Uint8Array;
  /** Its least and largest value, N or N m; two numbers. */
  readonly actuatorForceRange: Float64Array;
  /** 1 where gravity compensation counts as actuator force. */
  readonly actuatorGravityCompensation: Uint8Array;
}

/** Degrees of freedom as arrays. */
export interface ModelDofs {
  /** Number of the body that the dof moves. */
  readonly body: Int32Array;
  /** Number of its joint. */
  readonly joint: Int32Array;
  /** The next dof towards the root of the tree, or -1. */
  readonly parent: Int32Array;
  /** N s/m or N m s/rad. */
  readonly damping: Float64Array;
  /** Of a damper that is no straight line; two numbers. */
  readonly dampingPowers: Float64Array;
  /** Inertia of the drive, kg or kg m². */
  readonly armature: Float64Array;
  /** Dry friction, N or N m. */
  readonly frictionLoss: Float64Array;
  /** Time constant (s) and damping ratio of the dry friction under `mujoco`; two numbers. */
  readonly solref: Float64Array;
  /** Impedance of the dry friction under `mujoco`; five numbers. */
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
  /** Dof of each entry. */
  readonly column: Int32Array;
}

/**
 * Joints of the scene in `body` coordinates: what a residual C(q) needs. Joints of one body are contiguous in the order in
 * which they act: the body is held by them in series. Where other groups count joints (fixed tendons, actuators, joint
 * equalities), number n ≥ `size.joint` is the constraint joint n − `size.joint`.
 */
export interface ModelConstraintJoints {
  /** Names, empty where there is none. */
  readonly name: readonly string[];
  /** See JOINT. */
  readonly kind: Uint8Array;
  /** Parent side and child side. */
  readonly body1: Int32Array;
  /** Child side. */
  readonly body2: Int32Array;
  /** Anchor and axis in the frame of each body, at the initial pose. */
  readonly anchor1: Float64Array;
  /** Anchor in the frame of body 2, m. */
  readonly anchor2: Float64Array;
  /** Axis in the frame of body 1, unit. */
  readonly axis1: Float64Array;
  /** Axis in the frame of body 2, unit. */
  readonly axis2: Float64Array;
  /** Orientation of body 2 in body 1 where all joints between them are at position zero. */
  readonly orientation: Float64Array;
  /** Joint position of the initial pose. */
  readonly reference: Float64Array;
  /** N/m or N m/rad. */
  readonly stiffness: Float64Array;
  /** Of a nonlinear spring, see power-laws.ts; two numbers. */
  readonly stiffnessPowers: Float64Array;
  /** N s/m or N m s/rad. */
  readonly damping: Float64Array;
  /** Of a damper that is no straight line; two numbers. */
  readonly dampingPowers: Float64Array;
  /** Inertia of the drive, kg or kg m². */
  readonly armature: Float64Array;
  /** Dry friction, N or N m. */
  readonly frictionLoss: Float64Array;
  /** Position at which the spring is relaxed, m or rad. */
  readonly springReference: Float64Array;
  /** 1 where the position is limited. */
  readonly limited: Uint8Array;
  /** Least and largest position, m or rad; two numbers. */
  readonly range: Float64Array;
  /** Distance from the limit at which it begins to act, m or rad. */
  readonly margin: Float64Array;
  /** Time constant (s) and damping ratio of the limit under `mujoco`. */
  readonly solrefLimit: Float64Array;
  /** Impedance of the limit under `mujoco`; five numbers. */
  readonly solimpLimit: Float64Array;
  /** Time constant (s) and damping ratio of the dry friction under `mujoco`. */
  readonly solrefFriction: Float64Array;
  /** Impedance of the dry friction under `mujoco`; five numbers. */
  readonly solimpFriction: Float64Array;
  /** How easily the joint moves in the mechanism, as `inverseWeight.dof` in joint coordinates, 1/kg or 1/(kg m²). */
  readonly inverseWeight: Float64Array;
  /** 1 where the sum of actuator forces is limited. */
  readonly actuatorForceLimited: Uint8Array;
  /** Its least and largest value, N or N m; two numbers. */
  readonly actuatorForceRange: Float64Array;
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

/** Values of `ModelSites.shape`. */
export const SITE_SHAPE = { sphere: 0, capsule: 1, cylinder: 2, ellipsoid: 3, box: 4 } as const;

/** Sites as arrays. */
export interface ModelSites {
  /** Names, empty where there is none. */
  readonly name: readonly string[];
  /** Number of the body that carries the site. */
  readonly body: Int32Array;
  /** In the body frame, m. */
  readonly position: Float64Array;
  /** Quaternion w x y z from the frame of the site to the body's. */
  readonly orientation: Float64Array;
  /** Radius at which it is drawn, m. */
  readonly radius: Float64Array;
  /** Volume for sensors: see SITE_SHAPE. */
  readonly shape: Uint8Array;
  /** Radius; radius and half length; or three half lengths, m; three numbers. */
  readonly size: Float64Array;
  /** Red, green, blue, opacity, each 0 to 1. */
  readonly color: Float64Array;
}

/** Bounds r of squared angular frequencies, 1/s²; 0 where there is no stiffness. */
export interface ModelVibrations {
  /** Per joint with a spring. */
  readonly joint: Float64Array;
  /** Per joint that is a constraint. */
  readonly constraintJoint: Float64Array;
  /** Per tendon with a spring. */
  readonly tendon: Float64Array;
  /** Per actuator whose force falls with length. */
  readonly actuator: Float64Array;
}
