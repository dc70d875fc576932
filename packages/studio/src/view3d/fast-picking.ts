/** Rays against meshes of many triangles by a tree of bounds, built when a ray first reaches the bounds of the mesh. */
import type { Intersection, Mesh, Object3D, Raycaster } from 'three';
import { acceleratedRaycast, MeshBVH } from 'three-mesh-bvh';

/** Vertices from which a tree is worth its building. */
const MANY = 3000;

/** Prepare all large meshes below an object. */
export function speedUpPicking(root: Object3D): void {
  root.traverse((object) => {
    const mesh = object as Mesh;
    if (!mesh.isMesh || (mesh.geometry.getAttribute('position')?.count ?? 0) < MANY) return;
    mesh.raycast = (ray: Raycaster, hits: Intersection[]) => {
      mesh.geometry.boundsTree ??= new MeshBVH(mesh.geometry);
      acceleratedRaycast.call(mesh, ray, hits);
    };
  });
}
