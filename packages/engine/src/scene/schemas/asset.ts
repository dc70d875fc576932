import type {
  HeightFieldAsset,
  MeshAsset,
  SignedDistanceAsset,
  SignedDistanceBolt,
  SignedDistanceBowl,
  SignedDistanceGear,
  SignedDistanceGrid,
  SignedDistanceMesh,
  SignedDistanceNut,
  SignedDistanceTorus,
} from '../asset.ts';
import type { Material } from '../material.ts';
import {
  boolean,
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
import { amount, color, positive, vec3 } from './parts.ts';

export const material: Schema<Material> = object<Material>(
  {
    name: name(),
    friction: optional(amount),
    spinFriction: optional(amount),
    rollFriction: optional(amount),
    stiffness: optional(positive),
    hydroelasticModulus: optional(positive),
    dissipation: optional(amount),
    restitution: optional(number({ minimum: 0, maximum: 1 })),
    density: optional(amount),
    color: optional(color),
  },
  'Material',
);

export const mesh: Schema<MeshAsset> = object<MeshAsset>(
  {
    name: name(),
    vertices: numbers({ minimumLength: 12 }),
    faces: optional(numbers({ minimum: 0, integer: true })),
    edges: optional(numbers({ minimum: 0, integer: true })),
    textureCoordinates: optional(numbers()),
    inertia: optional(oneOf('exact', 'convex', 'shell', 'legacy')),
    hullVertices: optional(number({ minimum: 4, integer: true })),
    strict: optional(boolean()),
  },
  'MeshAsset',
);

export const heightField: Schema<HeightFieldAsset> = object<HeightFieldAsset>(
  {
    name: name(),
    rows: number({ minimum: 2, integer: true }),
    columns: number({ minimum: 2, integer: true }),
    halfSize: vector(2, { exclusiveMinimum: 0 }),
    baseDepth: amount,
    heights: numbers(),
  },
  'HeightFieldAsset',
);

export const signedDistanceField: Schema<SignedDistanceAsset> = tagged<SignedDistanceAsset>('SignedDistanceAsset', {
  grid: object<SignedDistanceGrid>(
    {
      kind: literal('grid'),
      name: name(),
      origin: vec3,
      spacing: positive,
      counts: vector(3, { minimum: 2, integer: true }),
      values: numbers(),
    },
    'SignedDistanceGrid',
  ),
  mesh: object<SignedDistanceMesh>(
    { kind: literal('mesh'), name: name(), mesh: name(), spacing: positive },
    'SignedDistanceMesh',
  ),
  torus: object<SignedDistanceTorus>(
    { kind: literal('torus'), name: name(), majorRadius: positive, minorRadius: positive },
    'SignedDistanceTorus',
  ),
  bowl: object<SignedDistanceBowl>(
    { kind: literal('bowl'), name: name(), radius: positive, height: number(), halfThickness: positive },
    'SignedDistanceBowl',
  ),
  bolt: object<SignedDistanceBolt>({ kind: literal('bolt'), name: name(), radius: positive }, 'SignedDistanceBolt'),
  nut: object<SignedDistanceNut>({ kind: literal('nut'), name: name(), radius: positive }, 'SignedDistanceNut'),
  gear: object<SignedDistanceGear>(
    {
      kind: literal('gear'),
      name: name(),
      diameter: positive,
      teeth: number({ minimum: 3, integer: true }),
      thickness: positive,
      innerDiameter: optional(amount),
      angle: optional(number()),
    },
    'SignedDistanceGear',
  ),
});
