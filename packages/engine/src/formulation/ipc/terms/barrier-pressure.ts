/**
 * Default κ of a scene: the pressure at which the heaviest load of a body rests at about half of d̂.
 *   κ = 10 max over bodies of m g / (4.33 A/8)
 * m mass, kg; g gravity, at least 1 m/s²; A area of the body, m²: an eighth represents one corner of a box, 4.33 is the slope of
 * the barrier at d̂/2. Independent of mesh and time step. Larger loads (impacts) press surfaces closer together, never through each other.
 */

import type { FieldPair } from '../../../collision/candidates/field-pairs.ts';
import type { SurfaceSet } from '../../../collision/surface/surface-set.ts';
import { isFieldKind } from '../../../geometry/shapes/shape-table.ts';
import type { Model } from '../../../model/model.ts';

const SLOPE_AT_HALF = 4.33;

export function choosePressure(
  model: Model,
  set: SurfaceSet,
  fields: readonly FieldPair[],
  mass: Float64Array,
  softMass: ArrayLike<number> = [],
): number {
  const { ipc, gravity } = model.options;
  if (ipc.barrierStiffness > 0) return ipc.barrierStiffness;
  const g = Math.max(1, Math.hypot(gravity[0], gravity[1], gravity[2]));
  const area = new Float64Array(set.reach.length);
  for (let v = 0; v < set.frameOf.length; v++) area[set.frameOf[v]] += set.pointArea[v];
  const known = new Set<number>();
  for (const { samples, shape, frame, fieldArea } of fields) {
    // signed-distance shapes have no surface but their samples
    if (!known.has(samples.shape) && isFieldKind(model.shape.kind[samples.shape]))
      for (const share of samples.areas) area[samples.frame] += share;
    if (!known.has(shape)) area[frame] += fieldArea;
    known.add(samples.shape).add(shape);
  }
  let most = 0;
  for (let f = 0; 3 * f < mass.length; f++) {
    if (area[f] > 0) most = Math.max(most, (mass[3 * f] * g) / (area[f] / 8));
  }
  for (const { soft, firstVertex, endVertex } of set.surfaces) {
    if (soft < 0) continue;
    let whole = 0;
    for (let v = firstVertex; v < endVertex; v++) whole += set.pointArea[v];
    most = Math.max(most, (softMass[soft] * g) / (whole / 8));
  }
  // a tenth of the modulus of a soft body: pressed as hard as that it still keeps its distance
  const stiffest = model.soft.elasticity.reduce((e, { youngsModulus }) => Math.max(e, youngsModulus), 0);
  return Math.max((10 * most) / SLOPE_AT_HALF, 0.1 * stiffest) || 1;
}
