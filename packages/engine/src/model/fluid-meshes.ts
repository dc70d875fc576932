/**
 * Ellipsoids that stand for meshes in a fluid: in the principal axes of the mesh at its centre of mass, with half axes that reach as far as the
 * farthest vertex along each. Source: MuJoCo documentation, "Fluid forces / Ellipsoid model", and the sizes that its compiler gives to meshes.
 */
import { matrixFromQuaternion } from '../linear-algebra/quaternion.ts';
import { diagonalizeSymmetric } from '../linear-algebra/symmetric-eigen.ts';
import type { ModelMeshes, ModelShapes } from './model-shapes.ts';
import type { SceneIndex } from './scene-index.ts';
import type { MeshMass } from './shape-mass.ts';

export function findFluidMeshes(
  { shapes }: SceneIndex,
  { fluid, fluidMesh, asset }: ModelShapes,
  mesh: ModelMeshes,
  meshMass: MeshMass,
): void {
  shapes.forEach((shape, s) => {
    if (!('mesh' in shape) || !fluid.subarray(5 * s, 5 * s + 5).some(Boolean)) return;
    const { center, tensor } = meshMass(shape.mesh, shape.shell ?? false);
    const ellipsoid = new Float64Array(10);
    ellipsoid.set(center);
    diagonalizeSymmetric(tensor, new Float64Array(3), ellipsoid.subarray(3, 7));
    matrixFromQuaternion(axes, 0, ellipsoid, 3);
    const first = mesh.vertexStart[asset[s]];
    for (let v = 3 * first; v < 3 * (first + mesh.vertexCount[asset[s]]); v += 3) {
      const x = mesh.vertices[v] - center[0];
      const y = mesh.vertices[v + 1] - center[1];
      const z = mesh.vertices[v + 2] - center[2];
      for (let k = 0; k < 3; k++) {
        const along = axes[k] * x + axes[3 + k] * y + axes[6 + k] * z;
        ellipsoid[7 + k] = Math.max(ellipsoid[7 + k], Math.abs(along));
      }
    }
    fluidMesh.set(s, ellipsoid);
  });
}

const axes = /* @__PURE__ */ new Float64Array(9);
