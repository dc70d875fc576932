/**
 * What moves in a model: bodies, the joints between them and their degrees of freedom, as arrays.
 *
 * Index 0 of every per-body array is the world. Bodies stand in depth-first order, so a parent comes before its children, and joints
 * and dofs follow the order of their bodies.
 */

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

export interface ModelSites {
  readonly name: readonly string[];
  readonly body: Int32Array;
  readonly position: Float64Array;
  readonly orientation: Float64Array;
}
