import {
  array,
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
import type {
  BoxTetMesh,
  DrivenVertices,
  Elasticity,
  FiberElasticity,
  GivenTetMesh,
  GridShellMesh,
  OrthotropicElasticity,
  Plasticity,
  PolylineMesh,
  SoftAttachment,
  SoftBody,
  SoftBodyMesh,
  SoftRegion,
  SoftRegionBox,
  SoftSpring,
  SphereTetMesh,
  SurfaceShellMesh,
  SurfaceTetMesh,
  TriangleShellMesh,
} from '../soft-body.ts';
import { amount, bits, color, direction, lengths, poseFields, positive, vec3 } from './parts.ts';

const vertices = numbers({ minimum: 0, integer: true });
const thickness = number({
  exclusiveMinimum: 0,
  hint: 'a shell has mass, stiffness and contact by its thickness: cloth has about 0.0005 m',
});
const radius = number({
  exclusiveMinimum: 0,
  hint: 'a rod has mass, stiffness and contact by its radius: a cable has about 0.003 m',
});
const breakForce = number({ exclusiveMinimum: 0, hint: 'leave it out where the attachment is never to break' });
const poissonRatio = number({
  minimum: 0,
  exclusiveMaximum: 0.5,
  hint: "0 for cork, 0.3 for steel; at 0.5 the volume could not change at all: take up to 0.499, with element 'tet10' or 'smoothedTet4', which do not lock",
});

const softBodyMesh: Schema<SoftBodyMesh> = tagged<SoftBodyMesh>('SoftBodyMesh', {
  tetrahedra: object<GivenTetMesh>(
    {
      kind: literal('tetrahedra'),
      vertices: numbers({ minimumLength: 12 }),
      tetrahedra: numbers({ minimum: 0, integer: true, minimumLength: 4 }),
    },
    'GivenTetMesh',
  ),
  surface: object<SurfaceTetMesh>(
    { kind: literal('surface'), mesh: name(), resolution: positive, repair: optional(boolean()) },
    'SurfaceTetMesh',
  ),
  box: object<BoxTetMesh>(
    { kind: literal('box'), halfSize: lengths, cells: vector(3, { minimum: 1, integer: true }) },
    'BoxTetMesh',
  ),
  sphere: object<SphereTetMesh>({ kind: literal('sphere'), radius: positive, resolution: positive }, 'SphereTetMesh'),
  triangles: object<TriangleShellMesh>(
    {
      kind: literal('triangles'),
      vertices: numbers({ minimumLength: 9 }),
      triangles: numbers({ minimum: 0, integer: true, minimumLength: 3 }),
      thickness,
    },
    'TriangleShellMesh',
  ),
  grid: object<GridShellMesh>(
    {
      kind: literal('grid'),
      size: vector(2, { exclusiveMinimum: 0 }),
      cells: vector(2, { minimum: 1, integer: true }),
      thickness,
    },
    'GridShellMesh',
  ),
  shell: object<SurfaceShellMesh>({ kind: literal('shell'), mesh: name(), thickness }, 'SurfaceShellMesh'),
  polyline: object<PolylineMesh>(
    { kind: literal('polyline'), points: numbers({ minimumLength: 6 }), closed: optional(boolean()), radius },
    'PolylineMesh',
  ),
});

const orthotropic = object<OrthotropicElasticity>(
  {
    youngsModulus: vector(2, { exclusiveMinimum: 0 }),
    poissonRatio: optional(number({ minimum: 0, exclusiveMaximum: 1 })),
    shearModulus: optional(positive),
    warp: optional(direction),
  },
  'OrthotropicElasticity',
);

const elasticity = object<Elasticity>(
  {
    model: optional(oneOf('linear', 'corotated', 'neoHookean', 'saintVenantKirchhoff')),
    youngsModulus: positive,
    poissonRatio,
    density: optional(positive),
    vertexMass: optional(positive),
    massDamping: optional(amount),
    stiffnessDamping: optional(amount),
    viscosity: optional(amount),
    fibers: optional(object<FiberElasticity>({ direction, youngsModulus: positive }, 'FiberElasticity')),
    plasticity: optional(object<Plasticity>({ yieldStress: positive, hardening: optional(amount) }, 'Plasticity')),
    orthotropic: optional(orthotropic),
    strainLimit: optional(positive),
    stretchStiffness: optional(amount),
    bendingStiffness: optional(amount),
    twistStiffness: optional(amount),
    hydroelasticModulus: optional(positive),
  },
  'Elasticity',
);

export const softBody: Schema<SoftBody> = object<SoftBody>(
  {
    ...poseFields,
    name: optional(name()),
    mesh: softBodyMesh,
    element: optional(oneOf('tet4', 'smoothedTet4', 'tet10')),
    elasticity,
    material: optional(name()),
    priority: optional(number({ integer: true })),
    velocity: optional(vec3),
    pinned: optional(vertices),
    driven: optional(
      array(
        object<DrivenVertices>(
          {
            vertices,
            times: numbers({ order: 'increasing', minimumLength: 1 }),
            displacements: numbers(),
            twist: optional(numbers()),
          },
          'DrivenVertices',
        ),
      ),
    ),
    attachments: optional(
      array(
        object<SoftAttachment>(
          {
            name: optional(name()),
            vertices,
            body: name(),
            clamp: optional(boolean()),
            breakForce: optional(breakForce),
          },
          'SoftAttachment',
        ),
      ),
    ),
    springs: optional(
      array(object<SoftSpring>({ vertices, stiffness: amount, damping: optional(amount) }, 'SoftSpring')),
    ),
    regions: optional(
      array(
        object<SoftRegion>(
          {
            name: name(),
            vertices: optional(vertices),
            box: optional(object<SoftRegionBox>({ low: vec3, high: vec3 }, 'SoftRegionBox')),
          },
          'SoftRegion',
        ),
      ),
    ),
    contact: optional(oneOf('point', 'hydroelastic', 'none')),
    selfContact: optional(boolean()),
    collisionGroups: optional(bits),
    collisionMask: optional(bits),
    margin: optional(amount),
    color: optional(color),
  },
  'SoftBody',
);
