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
  /** For free and ball joints: whether the torque axis in `gear` is given in the frame of the parent instead of that of the child. Default: false. */
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
  /** Name of the site in whose frame position and force are measured. Default: none; forces are in the axes of the site, and there is no length. */
  referenceSite?: string;
  /** Force x y z and torque x y z per unit of actuator force. Default: 1 0 0 0 0 0. */
  gear?: number[];
}

/** A rod of fixed length between a site on a crank and a slider that moves along the z axis of another site; the actuator drives the slider. */
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
 * Along the normals of all contacts of a body, with an equal share at each: a positive force pulls the body and what it touches together.
 * It has no length and no gear.
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
  /** Delay after which a control acts, s. Controls from before the start are 0. Default: 0. */
  delay?: number;
  /** Number of controls kept for the delay, one per step. Default: as many as needed. */
  samples?: number;
  /** How delayed controls are interpolated between two steps: the earlier one, a straight line, or a cubic through four. Default: 'hold'. */
  interpolation?: 'hold' | 'linear' | 'cubic';
  /** If false, the actuator exerts no force, and its activation does not change. Default: true. */
  active?: boolean;
}

/** Force = control. */
export interface MotorActuator extends ActuatorCommon {
  kind: 'motor';
}

/** Servo: force = stiffness (control − length) − damping · velocity. */
export interface PositionActuator extends ActuatorCommon {
  kind: 'position';
  /** Stiffness, N/m or N m/rad. Default: 1. */
  stiffness?: number;
  /** Damping, N s/m or N m s/rad. Default: 0. */
  damping?: number;
  /** Damping as a multiple of critical damping in the initial pose, instead of `damping`. */
  dampingRatio?: number;
  /** Time constant of a first-order filter of the control, s. Default: 0, none. */
  timeConstant?: number;
}

/**
 * Servo with an integral term: force = stiffness (s − length) − damping · velocity + integral · x, ẋ = s − length. The setpoint s is the
 * control, or follows it from 0 at a limited rate. The activations are s, if its rate is limited, then x, if there is an integral term.
 */
export interface PidActuator extends ActuatorCommon {
  kind: 'pid';
  /** Stiffness, N/m or N m/rad. Default: 1. */
  stiffness?: number;
  /** Damping, N s/m or N m s/rad. Default: 0. */
  damping?: number;
  /** Damping as a multiple of critical damping in the initial pose, instead of `damping`. */
  dampingRatio?: number;
  /** Integral gain, N/(m s) or N m/(rad s). Default: 0, none. */
  integral?: number;
  /** Largest |x|, m s or rad s. Default: 0, none. */
  integralLimit?: number;
  /** At the limit, either x stops growing once it is beyond (`stop`), or x is clamped to the limit (`clamp`). Default: 'stop'. */
  integralRule?: 'stop' | 'clamp';
  /** Largest rate of the setpoint, m/s or rad/s. Default: 0, none. */
  slewRate?: number;
}

/** Servo: force = gain (control − velocity). */
export interface VelocityActuator extends ActuatorCommon {
  kind: 'velocity';
  /** Gain, N s/m or N m s/rad. Default: 1. */
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
 * A muscle, which pulls with force · (FL(L) FV(V) · activation + FP(L)), where L and V are its length and velocity divided by the optimal
 * ones. The activation follows the control, both between 0 and 1.
 */
export interface MuscleActuator extends ActuatorCommon {
  kind: 'muscle';
  /** Lengths of the transmission at the ends of `operatingRange`, m. Default: the limits of the joint or tendon that it drives. */
  lengthRange?: [number, number];
  /** Lengths of the muscle at the ends of `lengthRange`, as multiples of the optimal length. Default: 0.75 1.05. */
  operatingRange?: [number, number];
  /** Peak force at rest, N. Default: `scale` divided by the acceleration that a unit of force causes in the initial pose. */
  force?: number;
  /** Acceleration that the peak force causes, m/s² or rad/s². Default: 200. */
  scale?: number;
  /** Lengths at which the active force ends, as multiples of the optimal length. Default: 0.5 1.6. */
  activeRange?: [number, number];
  /** Speed at which it can no longer pull, in optimal lengths per second. Default: 1.5. */
  maxVelocity?: number;
  /** Passive force at the end of the active range, as a multiple of the peak force. Default: 1.3. */
  passiveForce?: number;
  /** Active force when it is stretched fast, as a multiple of the peak force. Default: 1.2. */
  stretchForce?: number;
  /** How the activation follows the control. Default: muscle. */
  activation?: ActivationDynamics;
}

/** A body that sticks to what it touches: force = gain · control; see `BodyTransmission`. */
export interface AdhesionActuator extends ActuatorCommon {
  kind: 'adhesion';
  /** The body that sticks. */
  transmission: BodyTransmission;
  /** Gain, N per unit of control. Default: 1. */
  gain?: number;
}

/**
 * A direct-current motor. The control is the voltage V; force = K i, where the current i is (V − K · velocity)/R, or follows this value
 * with the time constant L/R if there is an inductance. `forceRange` does not limit the cogging and friction of the motor.
 */
export interface DcMotorActuator extends ActuatorCommon {
  kind: 'dcMotor';
  /** Resistance R, Ω. */
  resistance: number;
  /** Motor constant K, N m/A and V s/rad (N/A and V s/m along a slide). */
  motorConstant: number;
  /** Inductance L, H. Default: 0, the current follows at once. */
  inductance?: number;
  /** Largest change of the current, A/s; needs an inductance. Default: 0, none. */
  currentRate?: number;
  /** Torque of the poles. Default: none. */
  cogging?: Cogging;
  /** Dry friction, modelled by bristles that bend. Default: none. */
  bristles?: BristleFriction;
  /** Heat of the winding, which changes R. Default: none. */
  thermal?: WindingHeat;
  /** What sets the voltage. Default: none, the control is the voltage. */
  controller?: MotorController;
}

/**
 * Computes the torque τ = stiffness (p − length) + damping (v − velocity) + integral x + f with ẋ = p − length, where one of p, v and f is
 * the control and the others are 0, and sets the voltage R/K τ + K velocity, whose second term compensates for the voltage that the motor
 * induces. Further controls add to τ or to the voltage (`input`).
 */
export interface MotorController {
  /** What the control is: p, v or f. Default: 'position'. */
  input?: 'position' | 'velocity' | 'force';
  /** Stiffness, N/m or N m/rad. Default: 0. */
  stiffness?: number;
  /** Damping, N s/m or N m s/rad. Default: 0. */
  damping?: number;
  /** Integral gain, N/(m s) or N m/(rad s); only if the control is a position. Default: 0, none. */
  integral?: number;
  /** Limit to which |x| is clamped, m s or rad s. Default: 0, none. */
  integralLimit?: number;
  /** Largest change of the control per second. Default: 0, none. */
  slewRate?: number;
  /** Largest voltage of the controller, V. Default: 0, none. */
  voltageLimit?: number;
}

/**
 * A further control of the actuator before it in the list, which is a `pid` servo, a `general` actuator or a motor with a controller. It
 * exerts no force of its own: what it adds is part of the force of that actuator, within its limits.
 */
export interface InputActuator extends ActuatorCommon {
  kind: 'input';
  /** What it adds: a velocity towards which the servo damps, a force, or a voltage on top of that of the controller. Default: 'force'. */
  adds?: 'velocity' | 'force' | 'voltage';
}

/** A force of amplitude · sin(poles · length + phase). */
export interface Cogging {
  /** Amplitude, N or N m. */
  amplitude: number;
  /** Periods per turn, or per 2π m. */
  poles: number;
  /** Phase, rad. Default: 0. */
  phase?: number;
}

/**
 * LuGre friction, force = −σ₀ z − σ₁ ż with ż = v − σ₀ |v| z / g(v), g(v) = coulomb + (static − coulomb) exp(−(v/stribeckVelocity)²); z is
 * the deflection of the bristles.
 */
export interface BristleFriction {
  /** Stiffness σ₀, N/m or N m/rad. */
  stiffness: number;
  /** Damping σ₁, N s/m or N m s/rad. Default: 0. */
  damping?: number;
  /** Coulomb friction, N or N m. */
  coulomb: number;
  /** Static friction, N or N m. */
  static: number;
  /** Stribeck velocity, m/s or rad/s. */
  stribeckVelocity: number;
}

/** C Ṫ = R i² − T/resistance, where T is the temperature above ambient; R is multiplied by 1 + coefficient (T + ambient − reference). */
export interface WindingHeat {
  /** Thermal resistance to the surroundings, K/W. */
  resistance: number;
  /** Heat capacity C, J/K. */
  capacity: number;
  /** Temperature coefficient of R, 1/K. Default: 0. */
  coefficient?: number;
  /** Temperature at which R is given, °C. Default: 25. */
  reference?: number;
  /** Ambient temperature, °C. Default: 25. */
  ambient?: number;
}

/** First-order dynamics of an actuator. */
export interface ActivationDynamics {
  /** integrator: ȧ = u; filter: ȧ = (u − a)/τ; filterExact: the same, integrated exactly; muscle: a filter that rises faster than it falls. */
  kind: 'integrator' | 'filter' | 'filterExact' | 'muscle';
  /** Time constant τ of a filter, or of a muscle while its activation rises, s. Default: 1; 0.01 for a muscle. */
  timeConstant?: number;
  /** Time constant τ of a muscle while its activation falls, s. Default: 0.04. */
  fallTimeConstant?: number;
  /** Difference between control and activation over which a muscle changes from one time constant to the other. Default: 0, at once. */
  smoothing?: number;
  /** Activations are clamped to this range. Default: none. */
  range?: [number, number];
  /** Whether the force uses the activation at the end of the step. Default: false. */
  early?: boolean;
}
