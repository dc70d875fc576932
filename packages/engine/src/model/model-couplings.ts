/** Tendons, actuators and equalities of a model, as arrays. */
import type { Interpolation } from './sample-ring.ts';

/** Values of `ModelTendons.stationKind`; `joint` makes a fixed tendon, the rest a spatial one. */
export const STATION = { joint: 0, site: 1, sphere: 2, cylinder: 3, pulley: 4 } as const;

/** Tendons as arrays. */
export interface ModelTendons {
  /** Names, empty where there is none. */
  readonly name: readonly string[];
  /** First station of each tendon. */
  readonly stationStart: Int32Array;
  /** Number of its stations. */
  readonly stationCount: Int32Array;
  /** Per station: see STATION. */
  readonly stationKind: Uint8Array;
  /** Number of the joint, site or shape. */
  readonly stationObject: Int32Array;
  /** Coefficient of the joint, divisor of the pulley, or number of the side site (-1: none). */
  readonly stationParameter: Float64Array;
  /** N/m. */
  readonly stiffness: Float64Array;
  /** Of a nonlinear spring, see power-laws.ts; two numbers. */
  readonly stiffnessPowers: Float64Array;
  /** N s/m. */
  readonly damping: Float64Array;
  /** Of a damper that is no straight line; two numbers. */
  readonly dampingPowers: Float64Array;
  /** Inertia along the tendon, kg. */
  readonly armature: Float64Array;
  /** Dry friction, N. */
  readonly frictionLoss: Float64Array;
  /** Lengths between which the spring is slack. */
  readonly springLength: Float64Array;
  /** 1 where the length is limited. */
  readonly limited: Uint8Array;
  /** Least and largest length, m; two numbers. */
  readonly range: Float64Array;
  /** Distance from the limit at which it begins to act, m. */
  readonly margin: Float64Array;
  /** Time constant (s) and damping ratio of the limit under `mujoco`. */
  readonly solrefLimit: Float64Array;
  /** Impedance of the limit under `mujoco`; five numbers. */
  readonly solimpLimit: Float64Array;
  /** Time constant (s) and damping ratio of the dry friction under `mujoco`. */
  readonly solrefFriction: Float64Array;
  /** Impedance of the dry friction under `mujoco`; five numbers. */
  readonly solimpFriction: Float64Array;
  /** 1 where the sum of actuator forces is limited. */
  readonly actuatorForceLimited: Uint8Array;
  /** Its least and largest value, N; two numbers. */
  readonly actuatorForceRange: Float64Array;
}

/** Values of `ModelActuators.transmission`. */
export const TRANSMISSION = { joint: 0, jointInParent: 1, tendon: 2, site: 3, crank: 4, body: 5 } as const;

/** Values of `ModelActuators.activation`. */
export const ACTIVATION = { none: 0, integrator: 1, filter: 2, filterExact: 3, muscle: 4, dcMotor: 5, pid: 6 } as const;

/** Places of numbers in a row of `ModelActuators.pid`, and how many there are: see PidActuator; the last is that of an InputActuator. */
export const PID = { integral: 0, integralLimit: 1, slewRate: 2, inputGain: 3, width: 4 } as const;

/** Places of numbers in a row of `ModelActuators.dcMotor`, and how many there are: see DcMotorActuator. */
export const DC_MOTOR = {
  resistance: 0,
  motorConstant: 1,
  /** L/R, s; 0 where there is no inductance. */
  timeConstant: 2,
  currentRate: 3,
  cogging: 4,
  poles: 5,
  phase: 6,
  bristleStiffness: 7,
  bristleDamping: 8,
  coulomb: 9,
  static: 10,
  stribeckVelocity: 11,
  /** K/W; 0 where the temperature does not count. */
  thermalResistance: 12,
  heatCapacity: 13,
  coefficient: 14,
  reference: 15,
  ambient: 16,
  /** Of the controller; its gains are of the torque that it asks for. */
  stiffness: 17,
  damping: 18,
  integral: 19,
  integralLimit: 20,
  slewRate: 21,
  /** V; 0 where it is not limited. */
  voltageLimit: 22,
  /** What the control of the motor is, see MOTOR_INPUT. */
  input: 23,
  width: 24,
} as const;

/** Places of numbers in a row of `ModelActuators.muscle`, and how many there are. */
export const MUSCLE = {
  range0: 0,
  range1: 1,
  force: 2,
  lmin: 3,
  lmax: 4,
  vmax: 5,
  fpmax: 6,
  fvmax: 7,
  length0: 8,
  length1: 9,
  deactivation: 10,
  smoothing: 11,
  width: 12,
} as const;

/** Actuators as arrays. */
export interface ModelActuators {
  /** Names, empty where there is none. */
  readonly name: readonly string[];
  /** See TRANSMISSION. */
  readonly transmission: Uint8Array;
  /** Number of the joint, tendon, site or body; of a crank the site on it. */
  readonly target: Int32Array;
  /** Number of the reference site, or of the site of a slider; -1 where there is none. */
  readonly reference: Int32Array;
  /** Of a crank, m. */
  readonly rodLength: Float64Array;
  /** 1 where the force is a muscle's. */
  readonly isMuscle: Uint8Array;
  /** Numbers of muscles, see MUSCLE. */
  readonly muscle: Float64Array;
  /** 1 where the force is a direct-current motor's and not affine. */
  readonly isDcMotor: Uint8Array;
  /** What a control that has no force of its own adds to, see ADDED. */
  readonly adds: Uint8Array;
  /** Numbers of direct-current motors, see DC_MOTOR. */
  readonly dcMotor: Float64Array;
  /** Numbers of servos with states of their own, see PID; their integral is clamped by `activationRange`. */
  readonly pid: Float64Array;
  /** Six numbers. */
  readonly gear: Float64Array;
  /** gain = g₀ + g₁ length + g₂ velocity. */
  readonly gain: Float64Array;
  /** bias = b₀ + b₁ length + b₂ velocity. */
  readonly bias: Float64Array;
  /** See ACTIVATION. */
  readonly activation: Uint8Array;
  /** First place in the activation vector, or -1. */
  readonly activationStart: Int32Array;
  /** How many places; a motor has temperature, bristles and current in this order, as far as it has them, and a PID servo its setpoint and integral. */
  readonly activationCount: Int32Array;
  /** Of filters, s. */
  readonly timeConstant: Float64Array;
  /** 1 where the force takes the activation of the end of the step. */
  readonly activationEarly: Uint8Array;
  /** 1 where activations are clamped. */
  readonly activationLimited: Uint8Array;
  /** Least and largest activation; two numbers. */
  readonly activationRange: Float64Array;
  /** 1 where controls are clamped. */
  readonly controlLimited: Uint8Array;
  /** Least and largest control; two numbers. */
  readonly controlRange: Float64Array;
  /** 1 where forces are clamped. */
  readonly forceLimited: Uint8Array;
  /** Least and largest force before the gear, N or N m; two numbers. */
  readonly forceRange: Float64Array;
  /** Of controls, s. */
  readonly delay: Float64Array;
  /** Controls that are kept. */
  readonly samples: Int32Array;
  /** Place of these in `state.controlHistory`; see sample-ring.ts. */
  readonly historyStart: Int32Array;
  /** How delayed controls are read between steps. */
  readonly interpolation: readonly Interpolation[];
}

/** Values of `ModelEqualities.kind`. */
export const EQUALITY = { connect: 0, weld: 1, joint: 2, tendon: 3, distance: 4 } as const;

/** Equalities as arrays. */
export interface ModelEqualities {
  /** Names, empty where there is none. */
  readonly name: readonly string[];
  /** See EQUALITY. */
  readonly kind: Uint8Array;
  /** Bodies (connect, weld, distance), joints or tendons; object2 is -1 where there is none. */
  readonly object1: Int32Array;
  /** The second of the two, or -1. */
  readonly object2: Int32Array;
  /**
   * Eleven numbers. connect: point on body 1 (3), point on body 2 (3). weld: point on body 2 (3), point on body 1 (3),
   * orientation of body 2 in body 1 (4), torque scale. joint, tendon: c₀ to c₄. distance: points (3 + 3), distance.
   */
  readonly data: Float64Array;
  /** 1 where it acts at the start. */
  readonly active: Uint8Array;
  /** Time constant (s) and damping ratio under `mujoco`; two numbers. */
  readonly solref: Float64Array;
  /** Impedance under `mujoco`; five numbers. */
  readonly solimp: Float64Array;
}
