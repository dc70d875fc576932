/**
 * What carries the vertices of soft bodies: each its own frame, except those attached to a movable rigid body, which are
 * points of that body's frame and no unknowns. What acts on an attached vertex acts on the body through its arm: nothing drifts.
 * Those attached to the world or to a mocap body are held vertices that go where it goes.
 */

import type { FramePoses, Frames } from '../../dynamics/frames.ts';
import { transformPoint, untransformPoint } from '../../linear-algebra/pose.ts';
import { computeInitialPoses } from '../../model/initial-pose.ts';
import type { Model } from '../../model/model.ts';

export interface SoftCarriers {
  /** Per vertex: its frame, and its place there, m. */
  readonly frame: Int32Array;
  readonly local: Float64Array;
  /** Attached vertices. */
  readonly attached: Int32Array;
}

export function createSoftCarriers(model: Model, frames: Frames): SoftCarriers {
  const { attachment } = model.soft;
  const frame = Int32Array.from({ length: model.size.softVertex }, (_, v) => frames.firstSoft + v);
  const local = new Float64Array(3 * frame.length);
  const initial = computeInitialPoses(model.body);
  const point = new Float64Array(3);
  const attached = new Set<number>();
  for (let n = 0; n < attachment.vertex.length; n++) {
    const v = attachment.vertex[n];
    const b = attachment.body[n];
    const f = frames.ofBody[b];
    if (f >= frames.moving) continue;
    frame[v] = f;
    attached.add(v);
    // in world coordinates, at the initial poses of the scene
    transformPoint(point, 0, initial, b, attachment.point, 3 * n);
    const pose = model.initialPosition.subarray(7 * f, 7 * f + 7);
    const start = { position: pose.slice(0, 3), orientation: pose.slice(3, 7) };
    untransformPoint(local, 3 * v, start, 0, point, 0);
  }
  return { frame, local, attached: Int32Array.from(attached) };
}

/** Writes where all soft vertices are at some poses, three numbers each. */
export function placeSoftVertices(out: Float64Array, carriers: SoftCarriers, frames: Frames, poses: FramePoses): void {
  const { position, rotation } = poses;
  const { frame, local, attached } = carriers;
  const first = 3 * frames.firstSoft;
  for (let i = 0; i < out.length; i++) out[i] = position[first + i];
  for (const v of attached) {
    const f = frame[v];
    for (let k = 0; k < 3; k++) {
      const m = 9 * f + 3 * k;
      out[3 * v + k] =
        position[3 * f + k] +
        rotation[m] * local[3 * v] +
        rotation[m + 1] * local[3 * v + 1] +
        rotation[m + 2] * local[3 * v + 2];
    }
  }
}

/** Per vertex: the frame to which it is fixed, −1 where there is none: a body, or the world where it is held without a path. */
export function writeAnchors(
  out: Int32Array,
  model: Model,
  frames: Frames,
  { frame, attached }: SoftCarriers,
  softHeld: Float64Array,
): void {
  const { attachment, vertexStart } = model.soft;
  for (let v = 0; v < out.length; v++) out[v] = softHeld[v] === 0 ? -1 : frames.moving;
  model.soft.holds.forEach(({ driven }, n) => {
    for (const { vertices } of driven) for (const v of vertices) out[vertexStart[n] + v] = -1;
  });
  for (let n = 0; n < attachment.vertex.length; n++) {
    const v = attachment.vertex[n];
    if (out[v] >= 0) out[v] = frames.ofBody[attachment.body[n]];
  }
  for (const v of attached) out[v] = frame[v];
  // also once the attachment is broken: the vertex may be on the surface of the body or in it
  const { tie } = model.soft;
  for (let k = 0; k < tie.vertex.length; k++) if (tie.body[k] >= 0) out[tie.vertex[k]] = frames.ofBody[tie.body[k]];
}
