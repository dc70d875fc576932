/**
 * Default κ of a scene: the pressure at which the heaviest load of a body rests at about half of d̂.
 *   κ = 10 max over bodies of m g / (4.33 A/8)
 * m mass, kg; g gravity, at least 1 m/s²; A area of the body, m²: an eighth represents one corner of a box, 4.33 is the slope of
 * the barrier at d̂/2. Independent of mesh and time step. Larger loads (impacts) press surfaces closer together, never through each other.
 * A box stands on four corners of A/8 each with the pressure 2 m g/A: the barrier carries it there (contact/barrier.ts).
 */

import type { FieldPair } from '../../../collision/candidates/field-pairs.ts';
import type { SurfaceSet } from '../../../collision/surface/surface-set.ts';
import { findRestDistance } from '../../../contact/barrier.ts';
import { isFieldKind } from '../../../geometry/shapes/shape-table.ts';
import type { Model } from '../../../model/model.ts';

const SLOPE_AT_HALF = 4.33;

/** m g/(A/8), Pa: per movable frame, and per soft body; 0 where there is no surface. */
export interface SurfaceLoads {
  readonly frame: Float64Array;
  readonly soft: Float64Array;
}

/** Loads with gravity of at least 1 m/s². */
export function measureLoads(
  model: Model,
  set: SurfaceSet,
  fields: readonly FieldPair[],
  mass: Float64Array,
  softMass: ArrayLike<number>,
): SurfaceLoads {
  const g = Math.max(1, measureGravity(model));
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
  const soft = new Float64Array(softMass.length);
  for (const { soft: n, firstVertex, endVertex } of set.surfaces) {
    if (n < 0) continue;
    let whole = 0;
    for (let v = firstVertex; v < endVertex; v++) whole += set.pointArea[v];
    soft[n] = Math.max(soft[n], (softMass[n] * g) / (whole / 8));
  }
  return {
    frame: Float64Array.from({ length: mass.length / 3 }, (_, f) =>
      area[f] > 0 ? (mass[3 * f] * g) / (area[f] / 8) : 0,
    ),
    soft,
  };
}

/** κ, Pa. */
export function choosePressure(model: Model, { frame, soft }: SurfaceLoads): number {
  const { ipc } = model.options;
  if (ipc.barrierStiffness > 0) return ipc.barrierStiffness;
  let most = 0;
  for (const load of frame) most = Math.max(most, load);
  for (const load of soft) most = Math.max(most, load);
  // a tenth of the modulus of a soft body: pressed as hard as that it still keeps its distance
  const stiffest = model.soft.elasticity.reduce((e, { youngsModulus }) => Math.max(e, youngsModulus), 0);
  return Math.max((10 * most) / SLOPE_AT_HALF, 0.1 * stiffest) || 1;
}

/**
 * Where the barrier of stiffness κ (Pa) carries the lighter of two bodies, with what it may stand on, m: per two frames. Soft bodies have the
 * frame that stands for them. A gap that is a little too large closes by itself; one that is too small throws the lighter body off.
 */
export function createRestDistance(
  model: Model,
  { frame, soft }: SurfaceLoads,
  pressure: number,
  softFrame: (n: number) => number,
): (frame1: number, frame2: number) => number {
  const { barrierDistance, separation } = model.options.clearance;
  const g = measureGravity(model);
  const loads = new Map<number, number>();
  frame.forEach((load, f) => void loads.set(f, load));
  soft.forEach((load, n) => void loads.set(softFrame(n), load));
  const known = new Map<number, number>();
  return (frame1, frame2) => {
    const load = Math.min(loads.get(frame1) ?? Infinity, loads.get(frame2) ?? Infinity);
    if (!(load < Infinity)) return barrierDistance;
    let rest = known.get(load);
    if (rest === undefined) {
      // a quarter of m g/(A/8) on each of four corners
      const weight = ((load / 4) * g) / Math.max(1, g);
      rest = findRestDistance(weight / pressure, barrierDistance, separation) - separation;
      known.set(load, rest);
    }
    return rest;
  };
}

function measureGravity({ options: { gravity } }: Model): number {
  return Math.hypot(gravity[0], gravity[1], gravity[2]);
}
