/**
 * A triangle mesh that does not close is a sheet: it has no inside, so its volume means nothing. This file lists the shapes whose
 * mass would be computed from such a volume. The mass of a sheet is that of a shell, of the hull if the mesh asks for it, or the one its body gives.
 */
import { findBuiltInShape } from '../geometry/shapes/shape-table.ts';
import { isRegisteredShape } from '../scene/registered-shapes.ts';
import type { CollisionGeometry } from './collision-geometry.ts';
import type { ModelBodies } from './model.ts';
import type { SceneIndex } from './scene-index.ts';

export function listOpenSolids(
  index: SceneIndex,
  assetOf: Int32Array,
  body: ModelBodies,
  geometry: CollisionGeometry,
): Int32Array {
  const open = index.shapes.flatMap((shape, s) => {
    if (isRegisteredShape(shape) || findBuiltInShape(shape).data !== 'mesh') return [];
    const mesh = geometry.mesh[assetOf[s]];
    return mesh && !mesh.isClosed && weighsByVolume(index, body, s) ? [s] : [];
  });
  return Int32Array.from(open);
}

function weighsByVolume({ scene, shapes, shapeBody, bodies }: SceneIndex, body: ModelBodies, s: number): boolean {
  const shape = shapes[s];
  const b = shapeBody[s];
  if (shape.shell || shape.mass === 0 || shape.density === 0) return false;
  // static bodies need no mass, and others may give it explicitly
  if (body.lastDof[b] < 0 || bodies[b].inertia) return false;
  const mesh = findBuiltInShape(shape).asset?.(shape)[1];
  const rule = (scene.meshes ?? []).find(({ name }) => name === mesh)?.inertia;
  return rule !== 'shell' && rule !== 'convex';
}
