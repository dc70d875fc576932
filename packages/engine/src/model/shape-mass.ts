import { createMassProperties, type MassProperties, scaleMass } from '../geometry/mass-properties.ts';
import {
  boxMass,
  capsuleMass,
  cylinderMass,
  ellipsoidMass,
  sphereMass,
  torusMass,
} from '../geometry/primitive-mass.ts';
import type { SignedDistanceAsset } from '../scene/asset.ts';
import type { Shape } from '../scene/shape.ts';
import { DEFAULT_DENSITY } from './constraint-defaults.ts';
import { registeredShapeMass } from './registered-shapes.ts';
import type { SceneIndex } from './scene-index.ts';

/** Mass properties of a mesh at density one. */
export type MeshMass = (mesh: string, shell: boolean) => MassProperties;

/**
 * Mass properties of a shape in its own frame: the given mass, or density times volume (area for shells).
 *
 * Planes have no mass. A height field counts as the box of its half extents and of half height max(h)/4 + base/2 about
 * its origin, as in MuJoCo. A sampled signed-distance field counts the cells inside it; one made from a mesh, the mesh.
 */
export function shapeMass(index: SceneIndex, shape: Shape, meshMass: MeshMass): MassProperties {
  const mass = shape.mass;
  const density = shape.density ?? materialDensity(index, shape) ?? DEFAULT_DENSITY;
  if (mass === 0 || (mass === undefined && density === 0) || shape.kind === 'plane') return createMassProperties();
  const registered = registeredShapeMass(index, shape, shape.shell ?? false);
  const unit = registered ?? unitMass(index, shape, meshMass);
  return scaleMass(unit, mass ?? density * unit.mass);
}

function materialDensity(index: SceneIndex, shape: Shape): number | undefined {
  if (shape.material === undefined) return undefined;
  return index.scene.materials?.find((material) => material.name === shape.material)?.density;
}

// mass properties at density one
function unitMass(index: SceneIndex, shape: Shape, meshMass: MeshMass): MassProperties {
  const shell = shape.shell ?? false;
  switch (shape.kind) {
    case 'plane':
      return createMassProperties();
    case 'sphere':
      return sphereMass(shape.radius, shell);
    case 'capsule':
      return capsuleMass(shape.radius, shape.halfLength, shell);
    case 'cylinder':
      return cylinderMass(shape.radius, shape.halfLength, shell);
    case 'ellipsoid':
      return ellipsoidMass(shape.radii[0], shape.radii[1], shape.radii[2], shell);
    case 'box':
      return boxMass(shape.halfSize[0], shape.halfSize[1], shape.halfSize[2], shell);
    case 'convexMesh':
    case 'triangleMesh':
      return meshMass(shape.mesh, shell);
    case 'heightField': {
      const field = findAsset(index.scene.heightFields, shape.heightField);
      let top = 0;
      for (const height of field.heights) top = Math.max(top, height);
      return boxMass(field.halfSize[0], field.halfSize[1], top / 4 + field.baseDepth / 2, shell);
    }
    case 'signedDistance':
      return fieldMass(findAsset(index.scene.signedDistanceFields, shape.field), shell, meshMass);
  }
}

function fieldMass(field: SignedDistanceAsset, shell: boolean, meshMass: MeshMass): MassProperties {
  if (field.kind === 'torus') return torusMass(field.majorRadius, field.minorRadius, shell);
  if (field.kind === 'mesh') return meshMass(field.mesh, shell);
  return gridMass(field.origin, field.spacing, field.counts, field.values);
}

// cells around the samples, each filled by the share a plane at the sampled distance would cut off
function gridMass(
  origin: readonly number[],
  spacing: number,
  counts: readonly number[],
  values: readonly number[],
): MassProperties {
  const sum = createMassProperties();
  const second = new Float64Array(6);
  const cell = spacing * spacing * spacing;
  for (let k = 0, n = 0; k < counts[2]; k++) {
    for (let j = 0; j < counts[1]; j++) {
      for (let i = 0; i < counts[0]; i++, n++) {
        const share = Math.min(1, Math.max(0, 0.5 - values[n] / spacing));
        if (share === 0) continue;
        const m = share * cell;
        const x = origin[0] + i * spacing;
        const y = origin[1] + j * spacing;
        const z = origin[2] + k * spacing;
        sum.mass += m;
        sum.center[0] += m * x;
        sum.center[1] += m * y;
        sum.center[2] += m * z;
        second[0] += m * (x * x + (spacing * spacing) / 12);
        second[1] += m * (y * y + (spacing * spacing) / 12);
        second[2] += m * (z * z + (spacing * spacing) / 12);
        second[3] += m * x * y;
        second[4] += m * x * z;
        second[5] += m * y * z;
      }
    }
  }
  if (sum.mass === 0) return sum;
  const [x, y, z] = sum.center.map((value) => value / sum.mass);
  sum.center.set([x, y, z]);
  const xx = second[0] - sum.mass * x * x;
  const yy = second[1] - sum.mass * y * y;
  const zz = second[2] - sum.mass * z * z;
  sum.tensor.set([yy + zz, zz + xx, xx + yy]);
  sum.tensor[3] = sum.mass * x * y - second[3];
  sum.tensor[4] = sum.mass * x * z - second[4];
  sum.tensor[5] = sum.mass * y * z - second[5];
  return sum;
}

function findAsset<T extends { name: string }>(assets: readonly T[] | undefined, name: string): T {
  return assets?.find((asset) => asset.name === name) as T;
}
