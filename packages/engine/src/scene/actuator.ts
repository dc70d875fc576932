/** A source of force that follows a control signal. */
export type Actuator =
  | MotorActuator
  | PositionActuator
  | VelocityActuator
  | GeneralActuator
  | MuscleActuator
  | AdhesionActuator
  | DcMotorActuator
  | InputActuator
  | PidActuator;

/** What an actuator drives; the force is scaled by `gear`. */
export type Transmission =
  | JointTransmission
  | TendonTransmission
  | SiteTransmission
  | CrankTransmission
  | BodyTransmission;

/** Along the dofs of a joint. */
export interface JointTransmission {
  kind: 'joint';
  /** Name of the joint. */
  joint: string;
  /** For free and ball joints: the gear's torque axis is in the parent frame, not the child's. Default: false. */
  inParent?: boolean;
  /**
   * Force or torque on the joint per unit of actuator force: one number for hinge and slide, three for ball, six for free
   * joints. Default: 1.
   */
  gear?: number[];
}

/** Along a tendon. */
export interface TendonTransmission {
  kind: 'tendon';
  /** Name of the tendon. */
  tendon: string;
  /** One number: force along the tendon per unit of actuator force. Default: 1. */
  gear?: number[];
}

/** A wrench at a site, in the site's frame or in that of a reference site. */
export interface SiteTransmission {
  kind: 'site';
  /** Name of the site. */
  site: string;
  /** Name of the site whose frame measures position and force. Default: none; the axes of the site, and no length. */
  referenceSite?: string;
  /** Force x y z and torque x y z per unit of actuator force. Default: 1 0 0 0 0 0. */
  gear?: number[];
}

/** A rod of fixed length between a site on a crank and a slider that moves along z of another site; it drives the slider. */
export interface CrankTransmission {
  kind: 'crank';
  /** Name of the site on the crank, at one end of the rod. */
  crankSite: string;
  /** Name of the site along whose z axis the other end slides. */
  sliderSite: string;
  /** Length of the rod, m. */
  rodLength: number;
  /** One number: force on the slider per unit of actuator force. Default: 1. */
  gear?: number[];
}

/**
 * Along the normals of all contacts of a body, an equal share at each: a positive force pulls the body and what it touches together. It has
 * no length and no gear.
 */
export interface BodyTransmission {
  kind: 'body';
  /** Name of the body. */
  body: string;
  /** Has no effect. */
  gear?: number[];
}

/** What every actuator may have. */
export interface ActuatorCommon {
  /** Unique among actuators. */
  name?: string;
  /** What it drives. */
  transmission: Transmission;
  /** Controls are clamped to this range. Default: none. */
  controlRange?: [number, number];
  /** Forces are clamped to this range, N or N m before the gear. Default: none. */
  forceRange?: [number, number];
  /** Controls act this much later, s. Before the start they are 0. Default: 0. */
  delay?: number;
  /** Controls that are kept for the delay, one per step. Default: as many as needed. */
  samples?: number;
  /** Delayed controls between two steps: the earlier one, their straight line, or a cubic through four. Default: 'hold'. */
  interpolation?: 'hold' | 'linear' | 'cubic';
  /** False: it makes no force, and its activation stays as it is. Default: true. */
  active?: boolean;
}

/** Force = control. */
export interface MotorActuator extends ActuatorCommon {
  kind: 'motor';
}

/** Servo: force = stiffness (control − length) − damping · velocity. */
export interface PositionActuator extends ActuatorCommon {
  kind: 'position';
  /** N/m or N m/rad. Default: 1. */
  stiffness?: number;
  /** N s/m or N m s/rad. Default: 0. */
  damping?: number;
  /** Damping as a multiple of critical damping in the initial pose, instead of `damping`. */
  dampingRatio?: number;
  /** Time constant of a first-order filter of the control, s. Default: 0, none. */
  timeConstant?: number;
}

/**
 * Servo with an integral: force = stiffness (s − length) − damping · velocity + integral · x, ẋ = s − length. The setpoint s is the control, or follows
 * it at a limited rate from 0 on. Activations are s, where its rate is limited, then x, where there is an integral.
 */
export interface PidActuator extends ActuatorCommon {
  kind: 'pid';
  /** N/m or N m/rad. Default: 1. */
  stiffness?: number;
  /** N s/m or N m s/rad. Default: 0. */
  damping?: number;
  /** Damping as a multiple of critical damping in the initial pose, instead of `damping`. */
  dampingRatio?: number;
  /** N/(m s) or N m/(rad s). Default: 0, none. */
  integral?: number;
  /** Largest |x|, m s or rad s. Default: 0, none. */
  integralLimit?: number;
  /** At the limit: the sum grows no more once it is beyond, or it is clamped to it. Default: 'stop'. */
  integralRule?: 'stop' | 'clamp';
  /** Largest rate of the setpoint, m/s or rad/s. Default: 0, none. */
  slewRate?: number;
}

/** Servo: force = gain (control − velocity). */
export interface VelocityActuator extends ActuatorCommon {
  kind: 'velocity';
  /** N s/m or N m s/rad. Default: 1. */
  gain?: number;
}

/** force = gain · input + bias, both affine in length and velocity; the input is the control or a filtered activation. */
export interface GeneralActuator extends ActuatorCommon {
  kind: 'general';
  /** gain = g₀ + g₁ length + g₂ velocity. Default: 1 0 0. */
  gain?: [number, number, number];
  /** bias = b₀ + b₁ length + b₂ velocity. Default: 0 0 0. */
  bias?: [number, number, number];
  /** Damping as a multiple of critical damping in the initial pose, instead of b₂; −b₁ is the stiffness. */
  dampingRatio?: number;
  /** How the activation follows the control. Default: none, the control is the input. */
  activation?: ActivationDynamics;
}

/**
 * A muscle: it pulls with force · (FL(L) FV(V) · activation + FP(L)), L its length and V its velocity over the optimal ones. The activation
 * follows the control, both between 0 and 1.
 */
export interface MuscleActuator extends ActuatorCommon {
  kind: 'muscle';
  /** Lengths of the transmission at the ends of `operatingRange`, m. Default: the limits of the joint or tendon that it drives. */
  lengthRange?: [number, number];
  /** Lengths of the muscle there, as multiples of the optimal one. Default: 0.75 1.05. */
  operatingRange?: [number, number];
  /** Peak force at rest, N. Default: `scale` over the acceleration that a unit of force causes in the initial pose. */
  force?: number;
  /** Acceleration that the peak force causes, m/s² or rad/s². Default: 200. */
  scale?: number;
  /** Lengths at which the active force ends, as multiples of the optimal one. Default: 0.5 1.6. */
  activeRange?: [number, number];
  /** Speed at which it cannot pull any more, optimal lengths per second. Default: 1.5. */
  maxVelocity?: number;
  /** Passive force at the end of the active range, as a multiple of the peak force. Default: 1.3. */
  passiveForce?: number;
  /** Active force when it is stretched fast, as a multiple of the peak force. Default: 1.2. */
  stretchForce?: number;
  /** How the activation follows the control. Default: muscle. */
  activation?: ActivationDynamics;
}

/** A body that sticks to what it touches: force = gain · control, see `BodyTransmission`. */
export interface AdhesionActuator extends ActuatorCommon {
  kind: 'adhesion';
  /** The body that sticks. */
  transmission: BodyTransmission;
  /** N per unit of control. Default: 1. */
  gain?: number;
}

/**
 * A direct-current motor. The control is the voltage V; force = K i, and the current i = (V − K · velocity)/R, or follows that with the
 * time constant L/R where there is an inductance. Cogging and friction of the motor come on top of `forceRange`.
 */
export interface DcMotorActuator extends ActuatorCommon {
  kind: 'dcMotor';
  /** R, Ω. */
  resistance: number;
  /** K, N m/A and V s/rad (N/A and V s/m along a slide). */
  motorConstant: number;
  /** L, H. Default: 0, the current follows at once. */
  inductance?: number;
  /** Largest change of the current, A/s; needs an inductance. Default: 0, none. */
  currentRate?: number;
  /** Torque of the poles. Default: none. */
  cogging?: Cogging;
  /** Dry friction by bristles that bend. Default: none. */
  bristles?: BristleFriction;
  /** Heat of the winding, which changes R. Default: none. */
  thermal?: WindingHeat;
  /** What sets the voltage. Default: none, the control is the voltage. */
  controller?: MotorController;
}

/**
 * Asks for the torque τ = stiffness (p − length) + damping (v − velocity) + integral x + f, where one of p, v and f is the control and the others are
 * 0, and sets the voltage R/K τ + K velocity, which makes up for the one that the motor induces. ẋ = p − length. Further controls add to τ or to the
 * voltage (`input`).
 */
export interface MotorController {
  /** What the control is: p, v or f. Default: 'position'. */
  input?: 'position' | 'velocity' | 'force';
  /** N/m or N m/rad. Default: 0. */
  stiffness?: number;
  /** N s/m or N m s/rad. Default: 0. */
  damping?: number;
  /** N/(m s) or N m/(rad s); the control is a position. Default: 0, none. */
  integral?: number;
  /** |x| is clamped to it, m s or rad s. Default: 0, none. */
  integralLimit?: number;
  /** Largest change of the control per second. Default: 0, none. */
  slewRate?: number;
  /** Largest voltage of the controller, V. Default: 0, none. */
  voltageLimit?: number;
}

/**
 * A further control of the actuator before it in the list, which is a `pid` servo, a `general` actuator or a motor with a controller. It has no force of
 * its own: what it adds is part of the force of that actuator, within its limits.
 */
export interface InputActuator extends ActuatorCommon {
  kind: 'input';
  /** A velocity that the servo damps towards, a force, or a voltage beside that of the controller. Default: 'force'. */
  adds?: 'velocity' | 'force' | 'voltage';
}

/** amplitude · sin(poles · length + phase). */
export interface Cogging {
  /** N or N m. */
  amplitude: number;
  /** Periods per turn, or per 2π m. */
  poles: number;
  /** rad. Default: 0. */
  phase?: number;
}

/**
 * Friction of LuGre, force = −σ₀ z − σ₁ ż with ż = v − σ₀ |v| z / g(v), g(v) = coulomb + (static − coulomb) exp(−(v/stribeckVelocity)²); z is how
 * far bristles are bent.
 */
export interface BristleFriction {
  /** σ₀, N/m or N m/rad. */
  stiffness: number;
  /** σ₁, N s/m or N m s/rad. Default: 0. */
  damping?: number;
  /** N or N m. */
  coulomb: number;
  /** N or N m. */
  static: number;
  /** m/s or rad/s. */
  stribeckVelocity: number;
}

/** C Ṫ = R i² − T/resistance for the temperature T above the ambient one; R grows by 1 + coefficient (T + ambient − reference). */
export interface WindingHeat {
  /** To the surroundings, K/W. */
  resistance: number;
  /** C, J/K. */
  capacity: number;
  /** 1/K. Default: 0. */
  coefficient?: number;
  /** Temperature at which R is given, °C. Default: 25. */
  reference?: number;
  /** °C. Default: 25. */
  ambient?: number;
}

/** First-order dynamics of an actuator. */
export interface ActivationDynamics {
  /** integrator: ȧ = u; filter: ȧ = (u − a)/τ; filterExact: the same, integrated exactly; muscle: a filter that rises faster than it falls. */
  kind: 'integrator' | 'filter' | 'filterExact' | 'muscle';
  /** τ of the filters, s. Default: 1; of a muscle that rises: 0.01. */
  timeConstant?: number;
  /** τ of a muscle whose activation falls, s. Default: 0.04. */
  fallTimeConstant?: number;
  /** Difference of control and activation over which a muscle goes from one time constant to the other. Default: 0, at once. */
  smoothing?: number;
  /** Activations are clamped to this range. Default: none. */
  range?: [number, number];
  /** The force uses the activation of the end of the step. Default: false. */
  early?: boolean;
}
