/** Contact surfaces as objects: for each pair of bodies in hydroelastic contact, its polygons with the pressure at every corner. */
import type { Model } from '../../model/model.ts';
import { nameShapes, type ShapePair } from '../contact.ts';
import type { ContactSet } from '../contact-set.ts';
import type { FaceRuns } from './face-runs.ts';

/** The contact surface of two bodies in hydroelastic contact: polygons with the pressure at every corner. */
export interface ContactPatch extends ShapePair {
  /** x y z of the corners of all polygons, world, m. */
  vertices: Float64Array;
  /** At each corner, Pa, 0 at least. */
  pressure: Float64Array;
  /** First corner of each polygon, and the total at the end. */
  polygonStart: Int32Array;
  /** Of all polygons, m². */
  area: number;
  /** ∫ p n dA, of shape 1 on shape 2, world axes, N. */
  force: [number, number, number];
  /** ∫ p dA, N. */
  load: number;
  /** Where that force acts: mean of the centroids, weighted by a p, world, m. */
  center: [number, number, number];
  /** Pa. */
  highestPressure: number;
}

/** Patches of the last detection, whose faces have kept their corners; faces that are only anticipated are left out. */
export function listContactPatches(model: Model, { faces, records, count }: FaceRuns): ContactPatch[] {
  const patches: ContactPatch[] = [];
  for (let o = 0; o < 4 * count; o += 4) {
    const [a, b, start, length] = records.subarray(o, o + 4);
    const pressed = Array.from({ length }, (_, i) => start + i).filter((i) => faces.pressure[i] > 0);
    if (pressed.length === 0) continue;
    const vertices: number[] = [];
    const pressure: number[] = [];
    const polygonStart = [0];
    const patch = { area: 0, force: [0, 0, 0], center: [0, 0, 0], load: 0 };
    for (const i of pressed) {
      for (let c = faces.cornerStart[i]; c < faces.cornerStart[i + 1]; c++) {
        vertices.push(...faces.corner.subarray(3 * c, 3 * c + 3));
        pressure.push(Math.max(0, faces.cornerPressure[c]));
      }
      polygonStart.push(pressure.length);
      const load = faces.area[i] * faces.pressure[i];
      patch.area += faces.area[i];
      patch.load += load;
      for (let k = 0; k < 3; k++) {
        patch.force[k] += load * faces.normal[3 * i + k];
        patch.center[k] += load * faces.position[3 * i + k];
      }
    }
    const [x, y, z] = patch.center.map((sum) => sum / patch.load);
    const [fx, fy, fz] = patch.force;
    patches.push({
      ...nameShapes(model, a, b),
      vertices: Float64Array.from(vertices),
      pressure: Float64Array.from(pressure),
      polygonStart: Int32Array.from(polygonStart),
      area: patch.area,
      force: [fx, fy, fz],
      load: patch.load,
      center: [x, y, z],
      highestPressure: pressure.reduce((high, p) => Math.max(high, p), 0),
    });
  }
  return patches;
}

/**
 * Scales the pressures of patches, so that those of a pair carry the normal force that it had in the last step. A formulation whose
 * contacts are softer than their material, as `mujoco` is, lets bodies sink in deeper than the force that it exerts would push them;
 * the share of each face is still that of its pressure. Pairs without a force in the last step stay as they are.
 */
export function scaleToForces(
  patches: readonly ContactPatch[],
  { count, shape1, shape2, area, force }: ContactSet,
): void {
  for (const patch of patches) {
    let carried = 0;
    for (let i = 0; i < count; i++)
      if (shape1[i] === patch.shape1 && shape2[i] === patch.shape2 && area[i] > 0) carried += force[6 * i];
    if (!(carried > 0)) continue;
    const scale = carried / patch.load;
    for (let c = 0; c < patch.pressure.length; c++) patch.pressure[c] *= scale;
    patch.force = [scale * patch.force[0], scale * patch.force[1], scale * patch.force[2]];
    patch.highestPressure *= scale;
    patch.load = carried;
  }
}
