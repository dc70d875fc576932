/**
 * The engine's own kinds of shapes. A kind is one line here, its own file, and its fields in a scene (scene/shape-kinds.ts).
 *
 * In the order in which a pair is written down, ground before convex solids before surfaces before fields: the tests of pairs rely
 * on it (collision/narrow-phase.ts).
 */
import type { BuiltInKind, Shape } from '../../scene/shape.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { box } from './box.ts';
import type { BuiltInShape, TriangulatedSurface } from './built-in-shape.ts';
import { capsule } from './capsule.ts';
import { convexMesh } from './convex-mesh.ts';
import { cylinder } from './cylinder.ts';
import { ellipsoid } from './ellipsoid.ts';
import { heightField } from './height-field.ts';
import { plane } from './plane.ts';
import { meshSupport } from './primitive-triangles.ts';
import { signedDistance } from './signed-distance.ts';
import { sphere } from './sphere.ts';
import { triangleMesh } from './triangle-mesh.ts';

/** By the number of the kind. */
export const SHAPE_TABLE: readonly BuiltInShape[] = [
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
] as readonly unknown[] as readonly BuiltInShape[];

/** Numbers of the kinds: of a pair the lower kind is the first. */
export const SHAPE: { readonly [K in BuiltInKind]: number } = /* @__PURE__ */ Object.fromEntries(
  SHAPE_TABLE.map(({ kind }, number) => [kind, number]),
) as never;

/** The number of a kind of which a shape is to be made. */
export function numberKind({ kind }: { readonly kind: string }): number {
  return SHAPE_TABLE.findIndex((entry) => entry.kind === kind);
}

/** What shapes of registered kinds are when they are compiled. */
export const FIELD_KIND: number = /* @__PURE__ */ numberKind(signedDistance);

/** Whether a placed shape has what its kind is made of: meshes and fields are prepared only where their shape can touch something. */
export function hasShapeData(shape: PlacedShape): boolean {
  const { data } = SHAPE_TABLE[shape.kind];
  return data === undefined || shape[data] !== undefined;
}

/** Whether shapes of a kind, by its number, are the zero set of a field. */
export function isFieldKind(kind: number): boolean {
  return SHAPE_TABLE[kind].data === 'field';
}

/** Triangles that stand for the surface of a kind, by its number, where its size decides them. */
export function triangulateKind(kind: number, size: Float64Array): TriangulatedSurface | undefined {
  const { triangles, support } = SHAPE_TABLE[kind];
  return triangles?.(size) ?? (support && meshSupport(support, size));
}

/** The entry of a shape of a scene, for kinds of the engine. */
export function findBuiltInShape({ kind }: Shape): BuiltInShape {
  return SHAPE_TABLE[SHAPE[kind]];
}
