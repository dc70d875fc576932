/** The engine's own kinds of shapes, in the order of SHAPE. */
import type { Shape } from '../../scene/shape.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { SHAPE } from '../shape-kind.ts';
import { box } from './box.ts';
import type { BuiltInShape } from './built-in-shape.ts';
import { capsule } from './capsule.ts';
import { convexMesh } from './convex-mesh.ts';
import { cylinder } from './cylinder.ts';
import { ellipsoid } from './ellipsoid.ts';
import { heightField } from './height-field.ts';
import { plane } from './plane.ts';
import { signedDistance } from './signed-distance.ts';
import { sphere } from './sphere.ts';
import { triangleMesh } from './triangle-mesh.ts';

const BY_NAME = {
  plane,
  heightField,
  sphere,
  capsule,
  ellipsoid,
  cylinder,
  box,
  convexMesh,
  triangleMesh,
  signedDistance,
};

/** By the number of the kind. */
export const SHAPE_TABLE: readonly BuiltInShape[] = /* @__PURE__ */ Object.keys(SHAPE).map(
  (kind) => BY_NAME[kind as keyof typeof BY_NAME] as unknown as BuiltInShape,
);

/** Whether a placed shape has what its kind is made of: meshes and fields are prepared only where their shape can touch something. */
export function hasShapeData(shape: PlacedShape): boolean {
  const { data } = SHAPE_TABLE[shape.kind];
  return data === undefined || shape[data] !== undefined;
}

/** Whether shapes of a kind, by its number, are the zero set of a field. */
export function isFieldKind(kind: number): boolean {
  return SHAPE_TABLE[kind].data === 'field';
}

/** The entry of a shape of a scene, for kinds of the engine. */
export function findBuiltInShape({ kind }: Shape): BuiltInShape {
  return SHAPE_TABLE[SHAPE[kind]];
}
