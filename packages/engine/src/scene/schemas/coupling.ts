import type {
  ConnectEquality,
  DistanceEquality,
  Equality,
  EqualityCommon,
  JointEquality,
  TendonEquality,
  WeldEquality,
} from '../equality.ts';
import {
  array,
  boolean,
  type Fields,
  literal,
  name,
  number,
  object,
  optional,
  type Schema,
  tagged,
  vector,
} from '../schema.ts';
import type {
  FixedTendon,
  SpatialTendon,
  Tendon,
  TendonCommon,
  TendonPulley,
  TendonSite,
  TendonStation,
  TendonWrap,
} from '../tendon.ts';
import { amount, color, positive, quaternion, range, solimp, solref, vec3 } from './parts.ts';

const equalityCommon: Fields<EqualityCommon> = {
  name: optional(name()),
  active: optional(boolean()),
  mujoco: optional(
    object<NonNullable<EqualityCommon['mujoco']>>({ solref: optional(solref), solimp: optional(solimp) }),
  ),
};

export const equality: Schema<Equality> = tagged<Equality>('Equality', {
  connect: object<ConnectEquality>(
    {
      kind: literal('connect'),
      ...equalityCommon,
      body1: optional(name()),
      body2: optional(name()),
      anchor: optional(vec3),
      site1: optional(name()),
      site2: optional(name()),
    },
    'ConnectEquality',
  ),
  weld: object<WeldEquality>(
    {
      kind: literal('weld'),
      ...equalityCommon,
      body1: optional(name()),
      body2: optional(name()),
      anchor: optional(vec3),
      relativePose: optional(
        object<NonNullable<WeldEquality['relativePose']>>({ position: vec3, orientation: quaternion }),
      ),
      site1: optional(name()),
      site2: optional(name()),
      torqueScale: optional(amount),
    },
    'WeldEquality',
  ),
  joint: object<JointEquality>(
    {
      kind: literal('joint'),
      ...equalityCommon,
      joint1: name(),
      joint2: optional(name()),
      coefficients: optional(vector(5)),
    },
    'JointEquality',
  ),
  tendon: object<TendonEquality>(
    {
      kind: literal('tendon'),
      ...equalityCommon,
      tendon1: name(),
      tendon2: optional(name()),
      coefficients: optional(vector(5)),
    },
    'TendonEquality',
  ),
  distance: object<DistanceEquality>(
    {
      kind: literal('distance'),
      ...equalityCommon,
      body1: name(),
      body2: optional(name()),
      point1: optional(vec3),
      point2: optional(vec3),
      distance: optional(positive),
    },
    'DistanceEquality',
  ),
});

const tendonCommon: Fields<TendonCommon> = {
  name: optional(name()),
  stiffness: optional(amount),
  stiffnessPowers: optional(vector(2)),
  damping: optional(amount),
  dampingPowers: optional(vector(2)),
  armature: optional(amount),
  frictionLoss: optional(amount),
  springLength: optional(vector(2, { order: 'nondecreasing' })),
  limit: optional(object<NonNullable<TendonCommon['limit']>>({ range, margin: optional(amount) })),
  actuatorForceRange: optional(range),
  mujoco: optional(
    object<NonNullable<TendonCommon['mujoco']>>({
      solrefLimit: optional(solref),
      solimpLimit: optional(solimp),
      solrefFriction: optional(solref),
      solimpFriction: optional(solimp),
    }),
  ),
  width: optional(positive),
  color: optional(color),
};

const station = tagged<TendonStation>('TendonStation', {
  site: object<TendonSite>({ kind: literal('site'), site: name() }, 'TendonSite'),
  wrap: object<TendonWrap>({ kind: literal('wrap'), shape: name(), sideSite: optional(name()) }, 'TendonWrap'),
  pulley: object<TendonPulley>({ kind: literal('pulley'), divisor: positive }, 'TendonPulley'),
});

export const tendon: Schema<Tendon> = tagged<Tendon>('Tendon', {
  fixed: object<FixedTendon>(
    {
      kind: literal('fixed'),
      ...tendonCommon,
      terms: array(object<FixedTendon['terms'][number]>({ joint: name(), coefficient: number() }), 1),
    },
    'FixedTendon',
  ),
  spatial: object<SpatialTendon>(
    { kind: literal('spatial'), ...tendonCommon, path: array(station, 2) },
    'SpatialTendon',
  ),
});
