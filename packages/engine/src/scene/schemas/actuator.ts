import type {
  ActivationDynamics,
  Actuator,
  ActuatorCommon,
  AdhesionActuator,
  BodyTransmission,
  BristleFriction,
  Cogging,
  CrankTransmission,
  DcMotorActuator,
  GeneralActuator,
  InputActuator,
  JointTransmission,
  MotorActuator,
  MotorController,
  MuscleActuator,
  PidActuator,
  PositionActuator,
  SiteTransmission,
  TendonTransmission,
  Transmission,
  VelocityActuator,
  WindingHeat,
} from '../actuator.ts';
import {
  boolean,
  type Fields,
  literal,
  name,
  number,
  numbers,
  object,
  oneOf,
  optional,
  type Schema,
  tagged,
  vector,
} from '../schema.ts';
import { amount, positive, range } from './parts.ts';

const gear = numbers({ minimumLength: 1, maximumLength: 6 });

const body = object<BodyTransmission>(
  { kind: literal('body'), body: name(), gear: optional(gear) },
  'BodyTransmission',
);

const transmission: Schema<Transmission> = tagged<Transmission>('Transmission', {
  joint: object<JointTransmission>(
    { kind: literal('joint'), joint: name(), inParent: optional(boolean()), gear: optional(gear) },
    'JointTransmission',
  ),
  tendon: object<TendonTransmission>(
    { kind: literal('tendon'), tendon: name(), gear: optional(gear) },
    'TendonTransmission',
  ),
  site: object<SiteTransmission>(
    { kind: literal('site'), site: name(), referenceSite: optional(name()), gear: optional(gear) },
    'SiteTransmission',
  ),
  crank: object<CrankTransmission>(
    { kind: literal('crank'), crankSite: name(), sliderSite: name(), rodLength: positive, gear: optional(gear) },
    'CrankTransmission',
  ),
  body,
});

const common: Fields<ActuatorCommon> = {
  name: optional(name()),
  transmission,
  controlRange: optional(range),
  forceRange: optional(range),
  delay: optional(amount),
  samples: optional(number({ minimum: 1, maximum: 100_000, integer: true })),
  interpolation: optional(oneOf('hold', 'linear', 'cubic')),
  active: optional(boolean()),
};

const activation = object<ActivationDynamics>(
  {
    kind: oneOf('integrator', 'filter', 'filterExact', 'muscle'),
    timeConstant: optional(positive),
    fallTimeConstant: optional(positive),
    smoothing: optional(amount),
    range: optional(range),
    early: optional(boolean()),
  },
  'ActivationDynamics',
);

export const actuator: Schema<Actuator> = tagged<Actuator>('Actuator', {
  motor: object<MotorActuator>({ kind: literal('motor'), ...common }, 'MotorActuator'),
  position: object<PositionActuator>(
    {
      kind: literal('position'),
      ...common,
      stiffness: optional(number()),
      damping: optional(amount),
      dampingRatio: optional(amount),
      timeConstant: optional(amount),
    },
    'PositionActuator',
  ),
  pid: object<PidActuator>(
    {
      kind: literal('pid'),
      ...common,
      stiffness: optional(amount),
      damping: optional(amount),
      dampingRatio: optional(amount),
      integral: optional(number()),
      integralLimit: optional(amount),
      integralRule: optional(oneOf('stop', 'clamp')),
      slewRate: optional(amount),
    },
    'PidActuator',
  ),
  velocity: object<VelocityActuator>(
    { kind: literal('velocity'), ...common, gain: optional(number()) },
    'VelocityActuator',
  ),
  general: object<GeneralActuator>(
    {
      kind: literal('general'),
      ...common,
      gain: optional(vector(3)),
      bias: optional(vector(3)),
      dampingRatio: optional(amount),
      activation: optional(activation),
    },
    'GeneralActuator',
  ),
  muscle: object<MuscleActuator>(
    {
      kind: literal('muscle'),
      ...common,
      lengthRange: optional(range),
      operatingRange: optional(vector(2, { order: 'increasing', minimum: 0 })),
      force: optional(amount),
      scale: optional(amount),
      activeRange: optional(vector(2, { order: 'increasing', minimum: 0 })),
      maxVelocity: optional(positive),
      passiveForce: optional(amount),
      stretchForce: optional(amount),
      activation: optional(activation),
    },
    'MuscleActuator',
  ),
  adhesion: object<AdhesionActuator>(
    { ...common, kind: literal('adhesion'), transmission: body, gain: optional(number()) },
    'AdhesionActuator',
  ),
  input: object<InputActuator>(
    { kind: literal('input'), ...common, adds: optional(oneOf('velocity', 'force', 'voltage')) },
    'InputActuator',
  ),
  dcMotor: object<DcMotorActuator>(
    {
      kind: literal('dcMotor'),
      ...common,
      resistance: positive,
      motorConstant: positive,
      inductance: optional(positive),
      currentRate: optional(amount),
      controller: optional(
        object<MotorController>(
          {
            input: optional(oneOf('position', 'velocity', 'force')),
            stiffness: optional(amount),
            damping: optional(amount),
            integral: optional(number()),
            integralLimit: optional(amount),
            slewRate: optional(amount),
            voltageLimit: optional(amount),
          },
          'MotorController',
        ),
      ),
      cogging: optional(
        object<Cogging>({ amplitude: number(), poles: number(), phase: optional(number()) }, 'Cogging'),
      ),
      bristles: optional(
        object<BristleFriction>(
          {
            stiffness: positive,
            damping: optional(amount),
            coulomb: amount,
            static: amount,
            stribeckVelocity: positive,
          },
          'BristleFriction',
        ),
      ),
      thermal: optional(
        object<WindingHeat>(
          {
            resistance: positive,
            capacity: positive,
            coefficient: optional(number()),
            reference: optional(number()),
            ambient: optional(number()),
          },
          'WindingHeat',
        ),
      ),
    },
    'DcMotorActuator',
  ),
});
