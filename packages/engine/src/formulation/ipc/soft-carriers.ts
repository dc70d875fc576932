/**
 * What carries the vertices of soft bodies: each a frame of its own, but for those attached to a rigid body, which are points of
 * that body's frame and no unknowns. What acts on an attached vertex acts on the body through its arm: nothing drifts.
 */
import { transformPoint, untransformPoint } from '../../linear-algebra/pose.ts';
import { computeInitialPoses } from '../../model/initial-pose.ts';
import type { Model } from '../../model/model.ts';
import type { FramePoses, Frames } from './frames.ts';

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
  for (let n = 0; n < attachment.vertex.length; n++) {
    const v = attachment.vertex[n];
    const b = attachment.body[n];
    const f = frames.ofBody[b];
    frame[v] = f;
    // through the world, where everything stands as the scene is written
    transformPoint(point, 0, initial, b, attachment.point, 3 * n);
    if (f === frames.moving) local.set(point, 3 * v);
    else if (f > frames.moving) {
      untransformPoint(local, 3 * v, initial, frames.mocapBody[f - frames.moving - 1], point, 0);
    } else {
      const pose = model.initialPosition.subarray(7 * f, 7 * f + 7);
      const start = { position: pose.slice(0, 3), orientation: pose.slice(3, 7) };
      untransformPoint(local, 3 * v, start, 0, point, 0);
    }
  }
  return { frame, local, attached: Int32Array.from(new Set(attachment.vertex)) };
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
