/** A mesh as it is. Its box is the one of its own frame put into the world. */
import type { TriangleMeshShape } from '../../scene/shape.ts';
import { writeLocalBox } from '../bounds/box-writers.ts';
import { CORE } from '../convex/core-kind.ts';
import { requireSurfaceRays } from '../ray/surface-rays.ts';
import type { TriangleMesh } from '../triangle-mesh/triangle-mesh.ts';
import type { BuiltInShape } from './built-in-shape.ts';

export const triangleMesh: BuiltInShape<TriangleMeshShape> = {
  kind: 'triangleMesh',
  core: CORE.none,
  isGround: false,
  isEndless: false,
  isPlain: false,
  isFlat: true,
  data: 'mesh',
  picture: 'mesh',
  sizes: () => [],
  asset: ({ mesh }) => ['meshes', mesh],
  mass: ({ mesh }, isShell, assets) => assets.mesh(mesh, isShell),
  writeBounds(out, o, shape, inflate) {
    writeLocalBox(out, o, (shape.mesh as TriangleMesh).tree.bounds, shape, inflate);
  },
  castRay(hit, ray, shape, limit) {
    requireSurfaceRays().castTriangleMesh(hit, ray, shape.mesh as TriangleMesh, limit);
  },
};
