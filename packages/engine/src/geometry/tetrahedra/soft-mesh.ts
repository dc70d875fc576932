/** The rest shape of a soft body of a scene as tetrahedra. */
import { type ErrorPlace, NexdynError } from '../../error.ts';
import type { MeshAsset } from '../../scene/asset.ts';
import type { TetMesh } from '../../scene/soft-body.ts';
import { findDegenerateTriangles, removeDegenerateTriangles } from '../triangle-mesh/degenerate-triangles.ts';
import { meshBall } from './ball-mesher.ts';
import { meshBox } from './box-mesher.ts';
import { checkTetrahedralMesh } from './mesh-check.ts';
import { meshRepairedSurface, type SurfaceRepair } from './repaired-surface.ts';
import { meshClosedSurface } from './solid-mesher.ts';
import type { TetrahedralMesh } from './tetrahedral-mesh.ts';

/** A tetrahedral mesh and, where it was made of a surface with `repair`, what that changed. */
export interface FilledMesh extends TetrahedralMesh {
  readonly repair?: SurfaceRepair;
}

/**
 * @param meshes meshes of the scene
 * @param subject whose mesh it is, for error messages
 * @param place path into the scene
 */
export function buildSoftMesh(
  mesh: TetMesh,
  meshes: readonly MeshAsset[] = [],
  subject = 'the mesh',
  place: ErrorPlace = {},
): FilledMesh {
  switch (mesh.kind) {
    case 'tetrahedra':
      return checkTetrahedralMesh(mesh.vertices, mesh.tetrahedra, subject, place);
    case 'box':
      return meshBox(mesh.halfSize, mesh.cells, subject, place);
    case 'sphere':
      return meshBall(mesh.radius, mesh.resolution, subject, place);
    case 'surface': {
      const asset = meshes.find(({ name }) => name === mesh.mesh);
      if (!asset)
        throw new NexdynError('unknown-reference', `there is no mesh '${mesh.mesh}'`, {
          hint: "add it to 'meshes'",
          ...place,
        });
      if (!asset.faces || asset.faces.length === 0) {
        throw new NexdynError('invalid-mesh', `the mesh '${mesh.mesh}' has no faces: it bounds no solid`, {
          hint: 'a soft body needs a closed surface of triangles',
          ...place,
        });
      }
      if (mesh.repair) {
        const subject = `the mesh '${mesh.mesh}'`;
        const filled = meshRepairedSurface(asset.vertices, asset.faces, mesh.resolution, subject, place);
        return { ...filled.mesh, repair: filled.repair };
      }
      const hasAll = findDegenerateTriangles(asset.vertices, asset.faces).length === 0;
      const faces = hasAll || asset.strict ? asset.faces : removeDegenerateTriangles(asset.vertices, asset.faces);
      return meshClosedSurface(asset.vertices, faces, mesh.resolution, `the mesh '${mesh.mesh}'`, place);
    }
  }
}
