/**
 * Planes that mirror, as MuJoCo draws them: to the light of the plane comes a share r of what is seen in it,
 *   c = c_plane + r c_mirror
 * What is seen in it is what an eye behind the plane sees, mirrored with its frame: a point lies there where its mirror image lies in the
 * picture. Parts behind the plane are left out; the sky is not mirrored.
 */
import type { DrawnPart } from './drawn-part.ts';
import type { View } from './view.ts';

export interface Mirror {
  readonly part: DrawnPart;
  readonly share: number;
  /** A point of the plane, m, and its unit normal. */
  readonly point: readonly number[];
  readonly normal: readonly number[];
}

/** Mirrors that an eye sees from the front. */
export function listMirrors(parts: readonly DrawnPart[], { eye, back, isFlat }: View): Mirror[] {
  return parts.flatMap((part) => {
    const share = part.isFlat ? part.look.reflectance : 0;
    if (!(share > 0) || part.look.color[3]! < 1 || part.count === 0) return [];
    const point = [...part.world.subarray(0, 3)];
    const normal = [...part.worldNormal.subarray(0, 3)];
    const toEye = isFlat ? back : eye.map((value, k) => value - point[k]!);
    return dot(normal, toEye) > 0 ? [{ part, share, point, normal }] : [];
  });
}

/** The view of the eye behind a mirror. */
export function mirrorView(view: View, { point, normal }: Mirror): View {
  const turn = (v: readonly number[], from: readonly number[]): [number, number, number] => {
    const along = 2 * dot(normal, [v[0]! - from[0]!, v[1]! - from[1]!, v[2]! - from[2]!]);
    return [v[0]! - along * normal[0]!, v[1]! - along * normal[1]!, v[2]! - along * normal[2]!];
  };
  const zero = [0, 0, 0];
  return {
    ...view,
    eye: turn(view.eye, point),
    right: turn(view.right, zero),
    up: turn(view.up, zero),
    back: turn(view.back, zero),
  };
}

/** Whether some of a part is before a mirror. */
export function isBefore({ world }: DrawnPart, { point, normal }: Mirror): boolean {
  const height = dot(normal, point);
  for (let i = 0; i < world.length; i += 3)
    if (normal[0]! * world[i]! + normal[1]! * world[i + 1]! + normal[2]! * world[i + 2]! > height) return true;
  return false;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}
