/**
 * Strain and stress of a deformed soft body, per element (element-stress.ts) and as averages at vertices. A vertex takes the
 * average of its elements, weighted with their volume.
 */
import type { Memory } from '../linear-algebra/memory.ts';
import { diagonalizeSymmetric } from '../linear-algebra/symmetric-eigen.ts';
import type { SoftMesh } from './soft-mesh.ts';

/** Strain and stress of a soft body. Tensors are six numbers, xx yy zz xy xz yz. */
export interface StressReadout {
  /** Per element: six numbers. */
  readonly strain: Float64Array;
  /** Per element: Cauchy stress, Pa. */
  readonly stress: Float64Array;
  /** Per element: von Mises stress, Pa. */
  readonly vonMises: Float64Array;
  /** Per element: principal stresses, Pa, the largest first. */
  readonly principal: Float64Array;
  /** Per element: principal strains, the largest first. */
  readonly principalStrain: Float64Array;
  /** Per element: det F, volume over that at rest. */
  readonly volumeRatio: Float64Array;
  /** Per element, of shells and rods: bending moment of larger size, and twisting moment: N m, of shells N m per metre. */
  readonly bendingMoment: Float64Array;
  /** Per element, of shells and rods: twisting moment, N m, of shells N m per metre. */
  readonly twistMoment: Float64Array;
  /** Per vertex: stress, mean of its elements by volume, six numbers, Pa. */
  readonly vertexStress: Float64Array;
  /** Per vertex: strain, six numbers. */
  readonly vertexStrain: Float64Array;
  /** Per vertex, of shells and rods: bending moment, N m, of shells N m per metre. */
  readonly vertexBendingMoment: Float64Array;
  /** Per vertex, of shells and rods: twisting moment, N m, of shells N m per metre. */
  readonly vertexTwistMoment: Float64Array;
  /** Per vertex: mean of its elements by volume, Pa. */
  readonly vertexVonMises: Float64Array;
  /** Per vertex: volume of its elements at rest, m³. */
  readonly vertexWeight: Float64Array;
}

export function createStressReadout({ families, vertexCount }: SoftMesh, memory: Memory): StressReadout {
  const count = families.reduce((sum, { stressCount }) => sum + stressCount, 0);
  return {
    strain: memory.f64(6 * count),
    stress: memory.f64(6 * count),
    vonMises: memory.f64(count),
    principal: memory.f64(3 * count),
    principalStrain: memory.f64(3 * count),
    volumeRatio: memory.f64(count),
    bendingMoment: memory.f64(count),
    twistMoment: memory.f64(count),
    vertexStress: memory.f64(6 * vertexCount),
    vertexStrain: memory.f64(6 * vertexCount),
    vertexBendingMoment: memory.f64(vertexCount),
    vertexTwistMoment: memory.f64(vertexCount),
    vertexVonMises: memory.f64(vertexCount),
    vertexWeight: memory.f64(vertexCount),
  };
}

/** Reads the state of every element at x, then averages at vertices. */
export function readStress(out: StressReadout, { families, vertexCount }: SoftMesh, x: Float64Array): void {
  const { vertexStress, vertexStrain, vertexVonMises, vertexWeight, vertexBendingMoment, vertexTwistMoment } = out;
  vertexStress.fill(0);
  vertexStrain.fill(0);
  vertexBendingMoment.fill(0);
  vertexTwistMoment.fill(0);
  vertexVonMises.fill(0);
  vertexWeight.fill(0);
  let first = 0;
  for (const family of families) {
    family.takeStart?.(x);
    family.readStress(out, first, x);
    first += family.stressCount;
  }
  writePrincipal(out.principal, out.stress, first);
  writePrincipal(out.principalStrain, out.strain, first);
  for (let v = 0; v < vertexCount; v++) {
    const scale = vertexWeight[v] > 0 ? 1 / vertexWeight[v] : 0;
    for (let k = 6 * v; k < 6 * v + 6; k++) {
      vertexStress[k] *= scale;
      vertexStrain[k] *= scale;
    }
    vertexVonMises[v] *= scale;
    vertexBendingMoment[v] *= scale;
    vertexTwistMoment[v] *= scale;
  }
}

const tensor = /* @__PURE__ */ new Float64Array(6);
const values = /* @__PURE__ */ new Float64Array(3);
const quaternion = /* @__PURE__ */ new Float64Array(4);

/** Eigenvalues of the tensors of the first `count` elements. */
function writePrincipal(out: Float64Array, tensors: Float64Array, count: number): void {
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 6; k++) tensor[k] = tensors[6 * t + k];
    diagonalizeSymmetric(tensor, values, quaternion);
    for (let k = 0; k < 3; k++) out[3 * t + k] = values[k];
  }
}
