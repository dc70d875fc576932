/**
 * What acts on a named region of a soft body, summed over its vertices (surface-readout.ts):
 *   contact   Σ f_v of contacts, N
 *   support   of vertices that are pinned, driven, held or attached: what holds them against elasticity, weight, contacts and applied
 *             forces, Σ (∂W/∂x − m g − f_v − f_applied), N. Inertia and damping of vertices that are moved are not in it
 */
import type { Model } from '../../model/model.ts';
import type { SoftPart } from '../../soft/soft-bodies.ts';
import type { State } from '../../state/state.ts';
import type { SurfaceReadout } from './surface-readout.ts';

/** Forces on a region of a soft body. */
export interface RegionReadout {
  /** Number of vertices. */
  readonly vertices: number;
  /** Part of the surface, m². */
  readonly area: number;
  /** Mean displacement of its vertices from where they were at the start, m. */
  readonly displacement: [number, number, number];
  /** Of all contacts on it, N. */
  readonly contactForce: [number, number, number];
  /** Sum of normal forces, N. */
  readonly normalForce: number;
  /** Normal force over its area, Pa. */
  readonly pressure: number;
  /** Of what holds its vertices, N. */
  readonly supportForce: [number, number, number];
}

/** @param elastic ∂W/∂x of the body, N */
export function readRegion(
  model: Model,
  state: State,
  n: number,
  region: Int32Array,
  part: SoftPart,
  surface: SurfaceReadout,
  elastic: Float64Array,
): RegionReadout {
  const { gravity } = model.options;
  const displacement: [number, number, number] = [0, 0, 0];
  const contactForce: [number, number, number] = [0, 0, 0];
  const supportForce: [number, number, number] = [0, 0, 0];
  const isAttached = listAttached(model, n);
  let area = 0;
  let normalForce = 0;
  for (const v of region) {
    area += surface.area[v];
    normalForce += surface.pressure[v] * surface.area[v];
    const isHeld = state.softHeld[part.first + v] !== 0 || isAttached.has(v);
    for (let k = 0; k < 3; k++) {
      const i = 3 * v + k;
      displacement[k] += (part.position[i] - part.rest[i]) / region.length;
      contactForce[k] += surface.force[i];
      if (isHeld) supportForce[k] += elastic[i] - part.mesh.mass[v] * gravity[k] - surface.force[i] - part.force[i];
    }
  }
  const pressure = area > 0 ? normalForce / area : 0;
  return { vertices: region.length, area, displacement, contactForce, normalForce, pressure, supportForce };
}

function listAttached({ soft }: Model, n: number): Set<number> {
  const first = soft.vertexStart[n];
  const own = [...soft.attachment.vertex].filter((v) => v >= first && v < soft.vertexStart[n + 1]);
  return new Set(own.map((v) => v - first));
}
