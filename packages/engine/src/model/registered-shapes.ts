/**
 * Shapes of registered kinds as signed-distance shapes: their fields come after those of the scene, one for each set of
 * parameters.
 */
import { createMassProperties, type MassProperties } from '../geometry/mass-properties.ts';
import { triangleMass } from '../geometry/mesh-mass.ts';
import { type AnyShapeSpec, findShapeSpec } from '../geometry/shapes/shape-spec.ts';
import type { SignedDistanceField } from '../geometry/signed-distance/field.ts';
import type { TracedSurface } from '../geometry/signed-distance/trace-surface.ts';
import type { Shape } from '../scene/shape.ts';
import { FIELD_BUILDERS } from './field-builders.ts';
import type { SceneIndex } from './scene-index.ts';

/** One set of parameters, and what follows from it. */
export interface RegisteredShape {
  readonly spec: AnyShapeSpec;
  readonly shape: Shape;
  readonly field: SignedDistanceField;
}

const known = /* @__PURE__ */ new WeakMap<SceneIndex, Map<string, RegisteredShape>>();

/** The distinct registered shapes of a scene, in the order of their first use. */
export function listRegisteredShapes(index: SceneIndex): readonly RegisteredShape[] {
  return [...collect(index).values()];
}

/** Which of them a shape is; −1 where its kind is one of the engine's. */
export function findRegisteredShape(index: SceneIndex, shape: Shape): number {
  const spec = findShapeSpec(shape.kind);
  return spec ? [...collect(index).keys()].indexOf(keyOf(spec, shape)) : -1;
}

function collect(index: SceneIndex): Map<string, RegisteredShape> {
  let list = known.get(index);
  if (list) return list;
  list = new Map();
  for (const shape of index.shapes) {
    const spec = findShapeSpec(shape.kind);
    if (!spec || list.has(keyOf(spec, shape))) continue;
    list.set(keyOf(spec, shape), { spec, shape, field: FIELD_BUILDERS.require().createShapeField(spec, shape) });
  }
  known.set(index, list);
  return list;
}

// the kind and its parameters
function keyOf({ kind, fields }: AnyShapeSpec, shape: Shape): string {
  const parameters = shape as unknown as Record<string, unknown>;
  return JSON.stringify([kind, ...Object.keys(fields).map((field) => parameters[field])]);
}

/** Mass properties of a registered shape at density one. */
export function registeredShapeMass(index: SceneIndex, shape: Shape, isShell: boolean): MassProperties | undefined {
  const number = findRegisteredShape(index, shape);
  if (number < 0) return undefined;
  const { spec, field } = listRegisteredShapes(index)[number];
  const given = spec.mass?.(shape, isShell);
  if (given) {
    const { volume, center, inertia } = given;
    return {
      ...createMassProperties(),
      mass: volume,
      center: Float64Array.of(...center),
      tensor: Float64Array.of(...inertia),
    };
  }
  if (!isShell) return FIELD_BUILDERS.require().integrateField(field);
  const { vertices, triangles } = drawField(field, spec, shape);
  return triangleMass(vertices, triangles, 'shell');
}

function drawField(field: SignedDistanceField, spec: AnyShapeSpec, shape: Shape): TracedSurface {
  const given = spec.surface?.(shape);
  if (!given) return FIELD_BUILDERS.require().traceSurface(field, `the shape '${spec.kind}'`);
  return { vertices: Float64Array.from(given.vertices), triangles: Int32Array.from(given.triangles) };
}

/** Per registered shape: how its surface is drawn. */
export function listFieldSurfaces(index: SceneIndex): (() => TracedSurface)[] {
  return listRegisteredShapes(index).map(
    ({ spec, shape, field }) =>
      () =>
        drawField(field, spec, shape),
  );
}
