import type { ContactExclude, ContactPair } from './contact-filter.ts';
import type { Keyframe } from './keyframe.ts';
import { pictureSchema } from './picture-access.ts';
import type { Scene } from './scene.ts';
import { array, literal, name, number, numbers, object, optional, type Schema, string } from './schema.ts';
import { actuator } from './schemas/actuator.ts';
import { heightField, material, mesh, signedDistanceField } from './schemas/asset.ts';
import { body } from './schemas/body.ts';
import { equality, tendon } from './schemas/coupling.ts';
import { lesson } from './schemas/lesson.ts';
import { massRules, sceneOptions } from './schemas/options.ts';
import { amount, mujocoContact, pairFriction, positive } from './schemas/parts.ts';
import { sensor } from './schemas/sensor.ts';
import { shape, site } from './schemas/shape.ts';
import { softBody } from './schemas/soft-body.ts';
import { term } from './schemas/term.ts';

const contactPair = object<ContactPair>(
  {
    name: optional(name()),
    shape1: name(),
    shape2: name(),
    friction: optional(pairFriction),
    margin: optional(amount),
    gap: optional(amount),
    stiffness: optional(positive),
    dissipation: optional(amount),
    restitution: optional(number({ minimum: 0, maximum: 1 })),
    mujoco: optional(mujocoContact),
  },
  'ContactPair',
);

const contactExclude = object<ContactExclude>(
  { name: optional(name()), body1: name(), body2: name() },
  'ContactExclude',
);

const keyframe = object<Keyframe>(
  {
    name: optional(name()),
    time: optional(number()),
    position: optional(numbers()),
    velocity: optional(numbers()),
    activation: optional(numbers()),
    control: optional(numbers()),
    mocapPosition: optional(numbers()),
    mocapOrientation: optional(numbers()),
  },
  'Keyframe',
);

/** The structure of a scene with the bounds of every number; what its parts mean to each other is checked by `validateScene`. */
export const sceneSchema: Schema<Scene> = object<Scene>(
  {
    format: literal('nexdyn-scene'),
    version: literal(1),
    $schema: optional(string()),
    name: optional(string()),
    description: optional(string()),
    options: optional(sceneOptions),
    view: optional(pictureSchema('view')),
    massRules: optional(massRules),
    materials: optional(array(material)),
    meshes: optional(array(mesh)),
    heightFields: optional(array(heightField)),
    signedDistanceFields: optional(array(signedDistanceField)),
    textures: optional(array(pictureSchema('texture'))),
    appearances: optional(array(pictureSchema('appearance'))),
    shapes: optional(array(shape)),
    sites: optional(array(site)),
    cameras: optional(array(pictureSchema('camera'))),
    lights: optional(array(pictureSchema('light'))),
    bodies: optional(array(body)),
    softBodies: optional(array(softBody)),
    skins: optional(array(pictureSchema('skin'))),
    equalities: optional(array(equality)),
    tendons: optional(array(tendon)),
    actuators: optional(array(actuator)),
    sensors: optional(array(sensor)),
    contactPairs: optional(array(contactPair)),
    contactExcludes: optional(array(contactExclude)),
    terms: optional(array(term)),
    keyframes: optional(array(keyframe)),
    lesson: optional(lesson),
  },
  'Scene',
);
