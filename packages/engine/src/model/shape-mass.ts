import { createMassProperties, type MassProperties, scaleMass } from '../geometry/mass-properties.ts';
import { findBuiltInShape } from '../geometry/shapes/shape-table.ts';
import type { Shape } from '../scene/shape.ts';
import { DEFAULT_DENSITY } from './constraint-defaults.ts';
import { registeredShapeMass } from './registered-shapes.ts';
import type { SceneIndex } from './scene-index.ts';
import { solidFieldMass } from './solid-field.ts';

/** Mass properties of a mesh at density one. */
export type MeshMass = (mesh: string, shell: boolean) => MassProperties;

/**
 * Mass properties of a shape in its own frame: the given mass, or density times volume (area for shells). What has no volume, as a
 * plane, has no mass.
 */
export function shapeMass(index: SceneIndex, shape: Shape, meshMass: MeshMass): MassProperties {
  const mass = shape.mass;
  const density = shape.density ?? materialDensity(index, shape) ?? DEFAULT_DENSITY;
  if (mass === 0 || (mass === undefined && density === 0)) return createMassProperties();
  const registered = registeredShapeMass(index, shape, shape.shell ?? false);
  if (registered) return scaleMass(registered, mass ?? density * registered.mass);
  const entry = findBuiltInShape(shape);
  if (entry.isEndless) return createMassProperties();
  const unit = entry.mass(shape, shape.shell ?? false, {
    mesh: meshMass,
    heightField: (name) => findAsset(index.scene.heightFields, name),
    signedDistanceField: (name) => findAsset(index.scene.signedDistanceFields, name),
    solidField: (field, isShell) =>
      solidFieldMass(field, `signedDistanceFields[${index.scene.signedDistanceFields!.indexOf(field)}]`, isShell),
  });
  return scaleMass(unit, mass ?? density * unit.mass);
}

function materialDensity(index: SceneIndex, shape: Shape): number | undefined {
  if (shape.material === undefined) return undefined;
  return index.scene.materials?.find((material) => material.name === shape.material)?.density;
}

function findAsset<T extends { name: string }>(assets: readonly T[] | undefined, name: string): T {
  return assets?.find((asset) => asset.name === name) as T;
}
