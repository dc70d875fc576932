/**
 * A triangle mesh that does not close is a sheet: it touches from both sides and has no inside, so its volume means nothing. A body
 * that would weigh by such a volume is refused: a sheet weighs as a shell, by the hull if the mesh says so, or by what its body says.
 */
import { NexdynError } from '../../error.ts';
import { SHAPE } from '../../geometry/shape-kind.ts';
import type { Model } from '../../model/model.ts';
import { bodyPath, indexScene, type SceneIndex } from '../../model/scene-index.ts';

/** Raises an error that names the first shape that takes an open mesh for a solid. */
export function refuseOpenSolids(model: Model): void {
  if (!model.shape.kind.includes(SHAPE.triangleMesh)) return;
  const index = indexScene(model.scene);
  index.shapes.forEach((shape, s) => {
    if (shape.kind !== 'triangleMesh') return;
    const mesh = model.geometry.mesh[model.shape.asset[s]];
    if (!mesh || mesh.isClosed || !weighsByVolume(model, index, s)) return;
    const b = index.shapeBody[s];
    const number = (index.bodies[b].shapes ?? []).indexOf(shape);
    throw new NexdynError(
      'invalid-mesh',
      `mesh '${shape.mesh}' is open, but its shape weighs by the volume inside it`,
      {
        path: `${bodyPath(index, b)}.shapes[${number}]`,
        hint: "close the mesh, or let it weigh as a sheet: shell: true on the shape or inertia: 'shell' on the mesh",
      },
    );
  });
}

function weighsByVolume({ scene, body }: Model, { shapes, shapeBody, bodies }: SceneIndex, s: number): boolean {
  const shape = shapes[s];
  const b = shapeBody[s];
  if (shape.kind !== 'triangleMesh' || shape.shell || shape.mass === 0 || shape.density === 0) return false;
  // bodies that do not move weigh nothing, others may say themselves what they weigh
  if (body.lastDof[b] < 0 || bodies[b].inertia) return false;
  const rule = (scene.meshes ?? []).find(({ name }) => name === shape.mesh)?.inertia;
  return rule !== 'shell' && rule !== 'convex';
}
