import type {
  ActivationDynamics,
  Actuator,
  ActuatorCommon,
  CrankTransmission,
  GeneralActuator,
  JointTransmission,
  MotorActuator,
  MuscleActuator,
  PositionActuator,
  SiteTransmission,
  TendonTransmission,
  Transmission,
  VelocityActuator,
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
});

const common: Fields<ActuatorCommon> = {
  name: optional(name()),
  transmission,
  controlRange: optional(range),
  forceRange: optional(range),
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
});
