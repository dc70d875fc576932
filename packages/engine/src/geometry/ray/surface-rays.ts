/** Rays against meshes and terrain; they come with '@nexdyn/engine/meshes'. */
import { LazyModule } from '../../parts/lazy-module.ts';
import type { castHeightField } from './cast-height-field.ts';
import type { castTriangleMesh } from './cast-triangle-mesh.ts';

export const SURFACE_RAYS: LazyModule<{
  readonly castHeightField: typeof castHeightField;
  readonly castTriangleMesh: typeof castTriangleMesh;
}> = new LazyModule('meshes', 'meshes and height fields');
