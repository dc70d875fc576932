/** Builders of meshes; they come with '@nexdyn/engine/meshes'. */

import type { buildPolyhedron } from '../geometry/convex/build-polyhedron.ts';
import type { buildCachedPolyhedron } from '../geometry/convex/cached-polyhedron.ts';
import type { buildTriangleMesh } from '../geometry/triangle-mesh/build-triangle-mesh.ts';
import type { wireMass } from '../geometry/wire-mass.ts';
import { LazyModule } from '../parts/lazy-module.ts';
import type { findFaces, meshMass } from './mesh-content.ts';

export const MESH_BUILDERS: LazyModule<{
  readonly findFaces: typeof findFaces;
  readonly meshMass: typeof meshMass;
  readonly wireMass: typeof wireMass;
  readonly buildPolyhedron: typeof buildPolyhedron;
  readonly buildCachedPolyhedron: typeof buildCachedPolyhedron;
  readonly buildTriangleMesh: typeof buildTriangleMesh;
}> = new LazyModule('meshes', 'meshes and height fields');
