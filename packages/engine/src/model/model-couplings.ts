/** What acts between joints, bodies and sites of a model: tendons, actuators and equalities, as arrays. */

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
