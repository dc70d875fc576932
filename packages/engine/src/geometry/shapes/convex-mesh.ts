/** The convex hull of a mesh. Its box is that of its vertices. */
import type { ConvexMeshShape } from '../../scene/shape.ts';
import { writeVertices } from '../bounds/box-writers.ts';
import { CORE } from '../convex/core-kind.ts';
import type { ConvexPolyhedron } from '../convex/polyhedron.ts';
import { castPolyhedron } from '../ray/cast-polyhedron.ts';
import type { BuiltInShape } from './built-in-shape.ts';
import { stayInPlace } from './surface-roll.ts';

export const convexMesh: BuiltInShape<ConvexMeshShape> = {
  kind: 'convexMesh',
  core: CORE.polyhedron,
  isGround: false,
  isEndless: false,
  isPlain: false,
  isFlat: true,
  roll: stayInPlace,
  data: 'hull',
  picture: 'mesh',
  sizes: () => [],
  asset: ({ mesh }) => ['meshes', mesh],
  mass: ({ mesh }, isShell, assets) => assets.mesh(mesh, isShell),
  writeBounds(out, o, shape, inflate) {
    writeVertices(out, o, (shape.hull as ConvexPolyhedron).vertices, shape, inflate);
  },
  castRay(hit, ray, shape) {
    castPolyhedron(hit, ray, shape.hull as ConvexPolyhedron);
  },
};
