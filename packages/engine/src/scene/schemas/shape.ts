import {
  addedBy,
  boolean,
  type Fields,
  literal,
  name,
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
import type {
  BoxShape,
  CapsuleShape,
  ConvexMeshShape,
  CylinderShape,
  EllipsoidShape,
  HeightFieldShape,
  HydroelasticField,
  PlaneShape,
  Shape,
  ShapeCommon,
  SignedDistanceShape,
  SphereShape,
  TriangleMeshShape,
} from '../shape.ts';
import type { Site } from '../site.ts';
import { amount, bits, color, layer, lengths, mujocoContact, poseFields, positive, vec3 } from './parts.ts';

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
  color: optional(color),
  layer: optional(layer),
};

const builtIn = tagged<Shape>('Shape', {
  plane: object<PlaneShape>(
    { kind: literal('plane'), ...common, halfSize: optional(vector(2, { minimum: 0 })) },
    'PlaneShape',
  ),
  sphere: object<SphereShape>({ kind: literal('sphere'), ...common, radius: positive }, 'SphereShape'),
  capsule: object<CapsuleShape>(
    { kind: literal('capsule'), ...common, radius: positive, halfLength: positive },
    'CapsuleShape',
  ),
  cylinder: object<CylinderShape>(
    { kind: literal('cylinder'), ...common, radius: positive, halfLength: positive },
    'CylinderShape',
  ),
  ellipsoid: object<EllipsoidShape>({ kind: literal('ellipsoid'), ...common, radii: lengths }, 'EllipsoidShape'),
  box: object<BoxShape>({ kind: literal('box'), ...common, halfSize: lengths }, 'BoxShape'),
  convexMesh: object<ConvexMeshShape>({ kind: literal('convexMesh'), ...common, mesh: name() }, 'ConvexMeshShape'),
  triangleMesh: object<TriangleMeshShape>(
    { kind: literal('triangleMesh'), ...common, mesh: name() },
    'TriangleMeshShape',
  ),
  heightField: object<HeightFieldShape>(
    { kind: literal('heightField'), ...common, heightField: name() },
    'HeightFieldShape',
  ),
  signedDistance: object<SignedDistanceShape>(
    { kind: literal('signedDistance'), ...common, field: name() },
    'SignedDistanceShape',
  ),
});

export const shape: Schema<Shape> = addedBy('registerShape', builtIn);

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
    color: optional(color),
    radius: optional(positive),
    layer: optional(layer),
  },
  'Site',
);
