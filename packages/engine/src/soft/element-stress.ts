/**
 * Strain, Cauchy stress and von Mises stress of one element from its deformation gradient F and first Piola stress P:
 *
 *   σ = P Fᵀ / det F,   σ_v = √(½((σxx−σyy)² + (σyy−σzz)² + (σzz−σxx)²) + 3(σxy² + σxz² + σyz²)),   E = ½(FᵀF − I)
 *
 * The linear law is valid for small displacements only: there σ = P and the strain is ε = ½(F + Fᵀ) − I. Tensors are six numbers,
 * xx yy zz xy xz yz; stress in Pa.
 */
import type { StressReadout } from './stress-readout.ts';

// rows and columns of the six numbers
const ROW = [0, 1, 2, 0, 0, 1];
const COLUMN = [0, 1, 2, 1, 2, 2];
// an element pressed flat has no finite Cauchy stress
const SMALLEST_RATIO = 1e-9;

/** Writes what the read-out has of element t. */
export function writeElementStress(
  { strain, stress, vonMises, volumeRatio }: StressReadout,
  t: number,
  f: Float64Array,
  p: Float64Array,
  isLinear: boolean,
): void {
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
}

/** Adds stress, strain and moments of element t with a weight to the sums of vertex v. */
export function addVertexStress(out: StressReadout, v: number, t: number, weight: number): void {
  const { vertexStress, vertexStrain, vertexVonMises, vertexWeight, stress, strain, vonMises } = out;
  for (let k = 0; k < 6; k++) {
    vertexStress[6 * v + k] += weight * stress[6 * t + k];
    vertexStrain[6 * v + k] += weight * strain[6 * t + k];
  }
  vertexVonMises[v] += weight * vonMises[t];
  out.vertexBendingMoment[v] += weight * out.bendingMoment[t];
  out.vertexTwistMoment[v] += weight * out.twistMoment[t];
  vertexWeight[v] += weight;
}

/** Von Mises stress, Pa, of the tensor at s[o..o+6). */
export function computeVonMises(s: Float64Array, o: number): number {
  const xy = s[o] - s[o + 1];
  const yz = s[o + 1] - s[o + 2];
  const zx = s[o + 2] - s[o];
  const shear = s[o + 3] * s[o + 3] + s[o + 4] * s[o + 4] + s[o + 5] * s[o + 5];
  return Math.sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3 * shear);
}
