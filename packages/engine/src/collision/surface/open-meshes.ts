/** A sheet touches from both sides: a body that would weigh by the volume inside an open mesh is refused. */
import { NexdynError } from '../../error.ts';
import type { Model } from '../../model/model.ts';
import { describeShapePath } from '../../model/shape-path.ts';

/** Raises an error that names the first shape that takes an open mesh for a solid. */
export function refuseOpenSolids(model: Model): void {
  const { shape, mesh, openSolids } = model;
  if (openSolids.length === 0) return;
  const s = openSolids[0];
  throw new NexdynError(
    'invalid-mesh',
    `mesh '${mesh.name[shape.asset[s]]}' is open, but its shape weighs by the volume inside it`,
    {
      path: describeShapePath(model, s),
      hint: "close the mesh, or let it weigh as a sheet: shell: true on the shape or inertia: 'shell' on the mesh",
    },
  );
}
