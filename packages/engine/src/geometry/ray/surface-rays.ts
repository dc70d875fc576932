/** Rays against meshes and terrain; they come with '@nexdyn/engine/meshes'. */
import { NexdynError } from '../../error.ts';
import type { castHeightField } from './cast-height-field.ts';
import type { castTriangleMesh } from './cast-triangle-mesh.ts';

interface SurfaceRays {
  readonly castHeightField: typeof castHeightField;
  readonly castTriangleMesh: typeof castTriangleMesh;
}

let provided: SurfaceRays | undefined;

export function provideSurfaceRays(rays: SurfaceRays): void {
  provided = rays;
}

export function requireSurfaceRays(): SurfaceRays {
  if (provided) return provided;
  throw new NexdynError('unsupported-element', 'rays against meshes and height fields are not loaded', {
    hint: "import '@nexdyn/engine/meshes', or '@nexdyn/engine' for all",
  });
}
