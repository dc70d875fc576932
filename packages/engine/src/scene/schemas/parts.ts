import type { MujocoContactParameters, Solimp, Solref } from '../mujoco-parameters.ts';
import type { Pose, Quaternion, Vec3 } from '../pose.ts';
import { type Fields, number, object, oneOf, optional, type Schema, vector } from '../schema.ts';

/** Any three numbers. */
export const vec3: Schema<Vec3> = vector(3);

/** A direction: not zero. */
export const direction: Schema<Vec3> = vector(3, { nonzero: true });

/** A rotation: not the zero quaternion. */
export const quaternion: Schema<Quaternion> = vector(4, { nonzero: true });

/** Lower and upper bound, the upper above the lower. */
export const range: Schema<[number, number]> = vector(2, { order: 'increasing' });

/** Three lengths above zero. */
export const lengths: Schema<Vec3> = vector(3, { exclusiveMinimum: 0 });

/** Red, green, blue, opacity. */
export const color: Schema<[number, number, number, number]> = vector(4, { minimum: 0, maximum: 1 });

/** Zero or more. */
export const amount: Schema<number> = number({ minimum: 0 });

/** More than zero. */
export const positive: Schema<number> = number({ exclusiveMinimum: 0 });

/** Vertex numbers and counts. */
export const count: Schema<number> = number({ minimum: 0, integer: true });

/** A whole number, one or more. */
export const iterations: Schema<number> = number({ minimum: 1, integer: true });

/** A set of collision groups: 32 bits. */
export const bits: Schema<number> = number({ minimum: 0, maximum: 0xffffffff, integer: true });

/** A layer of the viewer. */
export const layer: Schema<number> = number({ minimum: 0, maximum: 5, integer: true });

/** Two sliding coefficients, spin, two rolling. */
export const pairFriction: Schema<[number, number, number, number, number]> = vector(5, { minimum: 0 });

/** Time constant and damping ratio, or negative stiffness and damping: the signs say which. */
export const solref: Schema<Solref> = vector(2, { sameSign: true });

/** `mujoco` clamps impedances itself: any finite numbers pass. */
export const solimp: Schema<Solimp> = vector(5);

export const poseFields: Fields<Pose> = { position: optional(vec3), orientation: optional(quaternion) };

export const mujocoContact: Schema<MujocoContactParameters> = object<MujocoContactParameters>(
  {
    condim: optional(oneOf(1, 3, 4, 6)),
    priority: optional(number({ integer: true })),
    solmix: optional(amount),
    solref: optional(solref),
    solrefFriction: optional(solref),
    solimp: optional(solimp),
    adhesion: optional(number()),
  },
  'MujocoContactParameters',
);
