import type { Scene } from '../scene/scene.ts';
import { frozenCopy } from './frozen-copy.ts';
import type { ModelMaterials, ModelSignedDistanceField } from './model.ts';

/** The materials of a scene: what contacts between their surfaces need. */
export function compileMaterials({ materials = [] }: Scene): ModelMaterials {
  return {
    name: materials.map(({ name }) => name),
    stiffness: Float64Array.from(materials, ({ stiffness }) => stiffness ?? 0),
    dissipation: Float64Array.from(materials, ({ dissipation }) => dissipation ?? -1),
    restitution: Float64Array.from(materials, ({ restitution }) => restitution ?? 0),
  };
}

/** How the signed-distance fields of a scene are described; samples of grids are in the geometry of the model. */
export function describeSignedDistanceFields({ signedDistanceFields = [] }: Scene): ModelSignedDistanceField[] {
  return signedDistanceFields.map((source) => {
    if (source.kind !== 'grid') return frozenCopy(source);
    const { kind, name, spacing } = source;
    return Object.freeze({ kind, name, spacing });
  });
}
