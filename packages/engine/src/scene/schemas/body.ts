import type { Body, Inertia, PrincipalInertia, TensorInertia } from '../body.ts';
import type {
  BallJoint,
  FreeJoint,
  HingeJoint,
  Joint,
  JointCommon,
  JointLimit,
  JointMujocoParameters,
  SlideJoint,
} from '../joint.ts';
import { pictureSchema } from '../picture-access.ts';
import {
  array,
  boolean,
  type Fields,
  literal,
  name,
  number,
  object,
  oneOf,
  optional,
  reference,
  type Schema,
  tagged,
  vector,
} from '../schema.ts';
import { amount, direction, poseFields, quaternion, range, solimp, solref, vec3 } from './parts.ts';
import { shape, site } from './shape.ts';

const jointCommon: Fields<JointCommon> = {
  name: optional(name()),
  stiffness: optional(amount),
  stiffnessPowers: optional(vector(2)),
  damping: optional(amount),
  dampingPowers: optional(vector(2)),
  armature: optional(amount),
  frictionLoss: optional(amount),
  springDamper: optional(vector(2, { minimum: 0 })),
  actuatorForceRange: optional(range),
  actuatorGravityCompensation: optional(boolean()),
  mujoco: optional(
    object<JointMujocoParameters>(
      {
        solrefLimit: optional(solref),
        solimpLimit: optional(solimp),
        solrefFriction: optional(solref),
        solimpFriction: optional(solimp),
      },
      'JointMujocoParameters',
    ),
  ),
};

const limit = object<JointLimit>({ range, margin: optional(amount) }, 'JointLimit');

const axisFields: Omit<Fields<HingeJoint>, 'kind' | keyof JointCommon> = {
  anchor: optional(vec3),
  axis: optional(direction),
  reference: optional(number()),
  springReference: optional(number()),
  limit: optional(limit),
};

const joint: Schema<Joint> = tagged<Joint>('Joint', {
  free: object<FreeJoint>({ kind: literal('free'), ...jointCommon }, 'FreeJoint'),
  ball: object<BallJoint>(
    { kind: literal('ball'), ...jointCommon, anchor: optional(vec3), limit: optional(limit) },
    'BallJoint',
  ),
  hinge: object<HingeJoint>({ kind: literal('hinge'), ...jointCommon, ...axisFields }, 'HingeJoint'),
  slide: object<SlideJoint>({ kind: literal('slide'), ...jointCommon, ...axisFields }, 'SlideJoint'),
});

const inertia: Schema<Inertia> = tagged<Inertia>('Inertia', {
  principal: object<PrincipalInertia>(
    {
      kind: literal('principal'),
      mass: amount,
      center: optional(vec3),
      orientation: optional(quaternion),
      moments: vector(3, { minimum: 0 }),
    },
    'PrincipalInertia',
  ),
  tensor: object<TensorInertia>(
    { kind: literal('tensor'), mass: amount, center: optional(vec3), tensor: vector(6) },
    'TensorInertia',
  ),
});

export const body: Schema<Body> = object<Body>(
  {
    ...poseFields,
    name: optional(name()),
    joints: optional(array(joint)),
    shapes: optional(array(shape)),
    sites: optional(array(site)),
    cameras: optional(array(pictureSchema('camera'))),
    lights: optional(array(pictureSchema('light'))),
    inertia: optional(inertia),
    mocap: optional(boolean()),
    gravityCompensation: optional(number()),
    sleep: optional(oneOf('auto', 'never', 'allowed', 'init')),
    bodies: optional(array(reference(() => body))),
  },
  'Body',
);
