/**
 * What the surfaces of a scene are made of, one part per shape or soft body that anything may touch, in the order of their numbers:
 * vertices with the pose that brings them into the frame that carries them, triangles, edges without triangles.
 */

import type { Frames } from '../../dynamics/frames.ts';
import { SHAPE_TABLE } from '../../geometry/shapes/shape-table.ts';
import { type Poses, relatePoses, transformPoint } from '../../linear-algebra/pose.ts';
import { multiplyQuaternions } from '../../linear-algebra/quaternion.ts';
import { computeInitialPoses } from '../../model/initial-pose.ts';
import type { Model } from '../../model/model.ts';
import { createPlane, type PlaneSurface } from './plane-surface.ts';
import { buildShapeSurface, type ShapeSurface } from './shape-surface.ts';

/** A surface as it is made. */
export interface SurfacePart {
  readonly surface: ShapeSurface;
  readonly shape: number;
  /** Number of the soft body; −1 of shapes. */
  readonly soft: number;
  readonly pose: Poses;
  /** Of a soft body: its vertices among those of all. */
  readonly vertices: Int32Array | undefined;
}

/** All surfaces, and the half-spaces, which have no vertices. */
export function listSurfaceParts(model: Model, frames: Frames): { parts: SurfacePart[]; planes: PlaneSurface[] } {
  const initial = computeInitialPoses(model.body);
  const parts: SurfacePart[] = [];
  const planes: PlaneSurface[] = [];
  for (let s = 0; s < model.size.shape; s++) {
    if (!canTouch(model, s)) continue;
    const pose = poseInFrame(model, frames, initial, s);
    if (SHAPE_TABLE[model.shape.kind[s]].isEndless) planes.push(createPlane(model, frames, s, pose));
    const surface = buildShapeSurface(model, s);
    if (surface) parts.push({ surface, shape: s, soft: -1, pose, vertices: undefined });
  }
  for (let n = 0; n < model.size.softBody; n++) {
    if (model.soft.groups[n] !== 0 || model.soft.mask[n] !== 0) parts.push(listSoftPart(model, n));
  }
  return { parts, planes };
}

/** Whether anything may touch shape s. */
export function canTouch({ shape, contactFilter }: Model, s: number): boolean {
  return shape.groups[s] !== 0 || shape.mask[s] !== 0 || contactFilter.pairShapes.includes(s);
}

/** The pose of a shape in the frame that carries it. */
export function poseInFrame(model: Model, frames: Frames, initial: Poses, s: number): Poses {
  const b = model.shape.body[s];
  const world = { position: new Float64Array(3), orientation: new Float64Array(4) };
  const pose = { position: new Float64Array(3), orientation: new Float64Array(4) };
  transformPoint(world.position, 0, initial, b, model.shape.position, 3 * s);
  multiplyQuaternions(world.orientation, 0, initial.orientation, 4 * b, model.shape.orientation, 4 * s);
  const frame = frames.ofBody[b];
  if (frame === frames.moving) return world;
  if (frame < frames.moving) {
    const from = model.initialPosition.subarray(7 * frame, 7 * frame + 7);
    relatePoses(pose, 0, { position: from.slice(0, 3), orientation: from.slice(3, 7) }, 0, world, 0);
  } else {
    relatePoses(pose, 0, initial, frames.mocapBody[frame - frames.moving - 1], world, 0);
  }
  return pose;
}

// the vertices that are on the surface, in their order
function listSoftPart(model: Model, n: number): SurfacePart {
  const { triangle, triangleStart, edge, edgeStart, rest, thickness } = model.soft;
  const ends = edge.subarray(2 * edgeStart[n], 2 * edgeStart[n + 1]);
  const corners = triangle.subarray(3 * triangleStart[n], 3 * triangleStart[n + 1]);
  const vertices = Int32Array.from(new Set([...corners, ...ends])).sort();
  const place = new Map(Array.from(vertices, (v, i) => [v, i]));
  const points = new Float64Array(3 * vertices.length);
  vertices.forEach((v, i) => {
    points.set(rest.subarray(3 * v, 3 * v + 3), 3 * i);
  });
  return {
    surface: {
      vertices: points,
      triangles: corners.map((v) => place.get(v) ?? 0),
      looseEdges: ends.map((v) => place.get(v) ?? 0),
      radius: 0.5 * thickness[n],
    },
    shape: model.size.shape + n,
    soft: n,
    pose: { position: new Float64Array(3), orientation: Float64Array.of(1, 0, 0, 0) },
    vertices,
  };
}
