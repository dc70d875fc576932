import {
  addedBy,
  boolean,
  type Fields,
  literal,
  name,
  numbers,
  type ObjectNode,
  type OptionalField,
  object,
  oneOf,
  optional,
  type Schema,
  type TaggedNode,
  tagged,
  vector,
} from '../schema.ts';
import type { HydroelasticField, Shape, ShapeCommon } from '../shape.ts';
import { SCENE_SHAPES } from '../shape-kinds.ts';
import type { Site } from '../site.ts';
import { amount, bits, color, layer, mujocoContact, poseFields, positive, vec3 } from './parts.ts';

const hydroelasticField = object<HydroelasticField>(
  {
    modulus: optional(positive),
    resolution: optional(positive),
    thickness: optional(positive),
    margin: optional(amount),
  },
  'HydroelasticField',
);

const common: Fields<ShapeCommon> = {
  ...poseFields,
  name: optional(name()),
  material: optional(name()),
  mass: optional(amount),
  density: optional(amount),
  shell: optional(boolean()),
  collisionGroups: optional(bits),
  collisionMask: optional(bits),
  margin: optional(amount),
  gap: optional(amount),
  friction: optional(amount),
  spinFriction: optional(amount),
  rollFriction: optional(amount),
  contact: optional(oneOf('point', 'hydroelastic', 'none')),
  hydroelastic: optional(hydroelasticField),
  surfaceVelocity: optional(vec3),
  surfaceSpin: optional(vec3),
  mujoco: optional(mujocoContact),
  fluid: optional(vector(5, { minimum: 0 })),
  appearance: optional(name()),
  color: optional(color),
  layer: optional(layer),
};

const members = /* @__PURE__ */ Object.fromEntries(
  /* @__PURE__ */ Object.entries(SCENE_SHAPES).map(([kind, { name: title, fields }]) => [
    kind,
    object<never>({ kind: literal(kind), ...common, ...fields } as never, title),
  ]),
);

export const shape: Schema<Shape> = addedBy('registerShape', tagged<Shape>('Shape', members as never));

/** Adds a kind of shape with its own fields beside those that every shape has. */
export function addShapeKind(
  kind: string,
  fields: Readonly<Record<string, Schema<never> | OptionalField<never>>>,
): void {
  const { members } = shape as TaggedNode;
  (members as Map<string, ObjectNode>).set(kind, object<never>({ kind: literal(kind), ...common, ...fields } as never));
}

export const site: Schema<Site> = object<Site>(
  {
    ...poseFields,
    name: optional(name()),
    appearance: optional(name()),
    color: optional(color),
    shape: optional(oneOf('sphere', 'capsule', 'cylinder', 'ellipsoid', 'box')),
    radius: optional(positive),
    size: optional(numbers({ minimumLength: 2, maximumLength: 3, exclusiveMinimum: 0 })),
    layer: optional(layer),
  },
  'Site',
);
