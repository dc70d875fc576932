/**
 * Soft bodies that touch others at the start, as scenes are often written: how they are to be shifted apart (separate-overlaps.ts).
 * A soft body shifts as one and does not turn; one that is held or attached anywhere stays. Looked at are points over planes and
 * over triangles, by their height along the normal: what lies on a face, not what crosses it.
 */
import type { State } from '../../state/state.ts';
import type { Surface } from '../surface/surface-set.ts';
import type { MovingBodies } from './moving-bodies.ts';

/**
 * A point `x` at a height over what lies below it; `side` are two frames, the normal goes from the first to the second; `pair` is
 * the number of the pair among the candidates.
 */
export type TouchingPoint = (
  height: number,
  sides: [number, number],
  x: Float64Array,
  normal: Float64Array,
  pair: number,
) => void;

const normal = /* @__PURE__ */ new Float64Array(3);
const point = /* @__PURE__ */ new Float64Array(3);

/** The frame that stands for a surface where bodies are shifted: of a soft body, that of its first vertex. */
function frameOf(bodies: MovingBodies, { soft, frame }: Surface): number {
  return soft < 0 ? frame : bodies.elastic.shapeProxy(soft);
}

/** Names all points of soft bodies, or over soft bodies, lower than `reach` and not deeper than `depth`, m. */
export function listSoftTouches(bodies: MovingBodies, reach: number, depth: number, found: TouchingPoint): void {
  const { surfaces: set, candidates, contacts, frames } = bodies;
  if (bodies.elastic.isEmpty) return;
  bodies.surfaces.place(frames.current);
  candidates.forget();
  candidates.cover();
  bodies.place(frames.current);
  const { world, surfaceOf, vertexOf, triangle } = set;
  const { planes } = candidates;
  const { triangles } = candidates.parts;
  const { shape1, shape2 } = candidates.pairs;
  for (let i = 0; i < planes.count; i += 3) {
    const p = planes.values[i];
    const v = planes.values[i + 1];
    if (vertexOf[v] < 0) continue;
    let height = -contacts.planeFrame[4 * p + 3];
    for (let k = 0; k < 3; k++) {
      normal[k] = contacts.planeFrame[4 * p + k];
      point[k] = world[3 * v + k];
      height += normal[k] * point[k];
    }
    if (height > reach || height < -depth) continue;
    const sides: [number, number] = [set.planes[p].frame, frameOf(bodies, set.surfaces[surfaceOf[v]])];
    found(height, sides, point, normal, planes.values[i + 2]);
  }
  for (let i = 0; i < triangles.count; ) {
    const v = triangles.values[i];
    const pair = triangles.values[i + 1];
    const end = i + 3 + triangles.values[i + 2];
    for (let k = i + 3; k < end; k++) {
      const t = 3 * triangles.values[k];
      const isSoft = vertexOf[v] >= 0 || vertexOf[triangle[t]] >= 0;
      if (!isSoft || shape1[pair] === shape2[pair]) continue;
      const height = measureOver(world, 3 * v, 3 * triangle[t], 3 * triangle[t + 1], 3 * triangle[t + 2]);
      if (!(height <= reach && height >= -depth)) continue;
      for (let c = 0; c < 3; c++) point[c] = world[3 * v + c];
      const below = frameOf(bodies, set.surfaces[surfaceOf[triangle[t]]]);
      found(height, [below, frameOf(bodies, set.surfaces[surfaceOf[v]])], point, normal, pair);
    }
    i = end;
  }
}

/** Writes the shift of the stand-ins to all vertices of their bodies. */
export function shiftSoftBodies({ frames, elastic }: MovingBodies): void {
  elastic.eachVertex((f, shapeProxy) => {
    for (let k = 0; k < 3; k++) frames.step[6 * f + k] = frames.step[6 * shapeProxy + k];
  });
}

/** Takes shifted vertices into the state. */
export function storeSoftBodies({ frames }: MovingBodies, state: State): void {
  const first = 3 * frames.firstSoft;
  for (let i = 0; i < state.softPosition.length; i++) state.softPosition[i] = frames.current.position[first + i];
}

// height of p over the triangle abc along its normal, written to `normal`; NaN where p is not over it
function measureOver(x: Float64Array, p: number, a: number, b: number, c: number): number {
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
  const [wx, wy, wz] = [x[p] - x[a], x[p + 1] - x[a + 1], x[p + 2] - x[a + 2]];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const square = nx * nx + ny * ny + nz * nz;
  // shares of b and c: w = s u + t v + height n
  const s = ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / square;
  const t = ((uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz) / square;
  if (s < -1e-9 || t < -1e-9 || s + t > 1 + 1e-9) return Number.NaN;
  const length = Math.sqrt(square);
  normal[0] = nx / length;
  normal[1] = ny / length;
  normal[2] = nz / length;
  return wx * normal[0] + wy * normal[1] + wz * normal[2];
}
