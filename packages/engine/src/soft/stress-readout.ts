/**
 * Strain, Cauchy stress and von Mises stress of a deformed soft body, constant per tetrahedron, and averages at vertices.
 *
 *   σ = P Fᵀ / det F,   σ_v = √(½((σxx−σyy)² + (σyy−σzz)² + (σzz−σxx)²) + 3(σxy² + σxz² + σyz²)),   E = ½(FᵀF − I)
 *
 * The linear law is valid for small displacements only: there σ = P and the strain is ε = ½(F + Fᵀ) − I. Tensors are six numbers,
 * xx yy zz xy xz yz; stress in Pa. A vertex takes the average of its tetrahedra, weighted with their volume.
 */
import type { Memory } from '../linear-algebra/memory.ts';
import { computeDeformation } from './elastic-energy.ts';
import { ELASTIC_LAW, evaluateMaterial } from './material.ts';
import type { SoftMesh } from './soft-mesh.ts';

/** Strain and stress of a soft body. Tensors are six numbers, xx yy zz xy xz yz. */
export interface StressReadout {
  /** Per tetrahedron: six numbers, six numbers, one; det F. */
  readonly strain: Float64Array;
  /** Per tetrahedron: Cauchy stress, Pa. */
  readonly stress: Float64Array;
  /** Per tetrahedron: von Mises stress, Pa. */
  readonly vonMises: Float64Array;
  /** Per tetrahedron: det F, volume over that at rest. */
  readonly volumeRatio: Float64Array;
  /** Per vertex. */
  readonly vertexStress: Float64Array;
  /** Per vertex: mean of its tetrahedra by volume, Pa. */
  readonly vertexVonMises: Float64Array;
}

export function createStressReadout(mesh: SoftMesh, memory: Memory): StressReadout {
  return {
    strain: memory.f64(6 * mesh.tetrahedronCount),
    stress: memory.f64(6 * mesh.tetrahedronCount),
    vonMises: memory.f64(mesh.tetrahedronCount),
    volumeRatio: memory.f64(mesh.tetrahedronCount),
    vertexStress: memory.f64(6 * mesh.vertexCount),
    vertexVonMises: memory.f64(mesh.vertexCount),
  };
}

const f = /* @__PURE__ */ new Float64Array(9);
const p = /* @__PURE__ */ new Float64Array(9);
// rows and columns of the six numbers
const ROW = [0, 1, 2, 0, 0, 1];
const COLUMN = [0, 1, 2, 1, 2, 2];
// a tetrahedron pressed flat has no finite Cauchy stress
const SMALLEST_RATIO = 1e-9;

/** Reads the state of every tetrahedron at x, then averages at vertices. */
export function readStress(out: StressReadout, mesh: SoftMesh, x: Float64Array): void {
  const { tetrahedronCount, vertexCount, tetrahedra, material, volume, mass, density } = mesh;
  const { strain, stress, vonMises, volumeRatio, vertexStress, vertexVonMises } = out;
  const isLinear = material.law === ELASTIC_LAW.linear;
  vertexStress.fill(0);
  vertexVonMises.fill(0);
  for (let t = 0; t < tetrahedronCount; t++) {
    computeDeformation(f, mesh, t, x);
    evaluateMaterial(p, material, f);
    const ratio =
      f[0] * (f[4] * f[8] - f[5] * f[7]) + f[1] * (f[5] * f[6] - f[3] * f[8]) + f[2] * (f[3] * f[7] - f[4] * f[6]);
    volumeRatio[t] = ratio;
    const scale = 1 / (Math.abs(ratio) < SMALLEST_RATIO ? (ratio < 0 ? -SMALLEST_RATIO : SMALLEST_RATIO) : ratio);
    for (let k = 0; k < 6; k++) {
      const i = ROW[k];
      const j = COLUMN[k];
      const unit = i === j ? 1 : 0;
      if (isLinear) {
        strain[6 * t + k] = 0.5 * (f[3 * i + j] + f[3 * j + i]) - unit;
        stress[6 * t + k] = p[3 * i + j];
        continue;
      }
      strain[6 * t + k] = 0.5 * (f[i] * f[j] + f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j] - unit);
      stress[6 * t + k] = scale * (p[3 * i] * f[3 * j] + p[3 * i + 1] * f[3 * j + 1] + p[3 * i + 2] * f[3 * j + 2]);
    }
    vonMises[t] = computeVonMises(stress, 6 * t);
    for (let a = 0; a < 4; a++) {
      const v = tetrahedra[4 * t + a];
      for (let k = 0; k < 6; k++) vertexStress[6 * v + k] += volume[t] * stress[6 * t + k];
      vertexVonMises[v] += volume[t] * vonMises[t];
    }
  }
  // the lumped mass of a vertex is a quarter of the mass around it
  for (let v = 0; v < vertexCount; v++) {
    const scale = density / (4 * mass[v]);
    for (let k = 6 * v; k < 6 * v + 6; k++) vertexStress[k] *= scale;
    vertexVonMises[v] *= scale;
  }
}

/** Von Mises stress, Pa, of the tensor at s[o..o+6). */
export function computeVonMises(s: Float64Array, o: number): number {
  const xy = s[o] - s[o + 1];
  const yz = s[o + 1] - s[o + 2];
  const zx = s[o + 2] - s[o];
  const shear = s[o + 3] * s[o + 3] + s[o + 4] * s[o + 4] + s[o + 5] * s[o + 5];
  return Math.sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3 * shear);
}
