/**
 * Orientations as quaternions w x y z.
 * A turn by θ about the unit axis n is (cos θ/2, n sin θ/2); turns a then b about the moved axes are the product a b.
 */
import { NexdynError } from '../../error.ts';
import type { Quaternion, Vec3 } from '../pose.ts';

/** An angle in degrees, in radians. */
export function degrees(angle: number): number {
  return (angle * Math.PI) / 180;
}

/** A turn by an angle (rad) about an axis of any length but zero. */
export function axisAngle(axis: Vec3, angle: number): Quaternion {
  const length = Math.hypot(...axis);
  if (!(length > 0))
    throw new NexdynError('invalid-argument', 'the axis of a rotation must not be zero', {
      hint: 'give three finite numbers that are not all zero',
    });
  const scale = Math.sin(angle / 2) / length;
  return [Math.cos(angle / 2), axis[0] * scale, axis[1] * scale, axis[2] * scale];
}

/** Turns about x, then about the new y, then about the new z (rad). */
export function euler(x: number, y: number, z: number): Quaternion {
  const aboutX = axisAngle([1, 0, 0], x);
  const aboutY = axisAngle([0, 1, 0], y);
  return multiply(multiply(aboutX, aboutY), axisAngle([0, 0, 1], z));
}

/** The shortest turn that takes the z axis to a direction. */
export function alignZ(direction: Vec3): Quaternion {
  const length = Math.hypot(...direction);
  if (!(length > 0))
    throw new NexdynError('invalid-argument', 'a direction must not be zero', {
      hint: 'give three finite numbers that are not all zero',
    });
  const [x, y, z] = direction.map((component) => component / length) as Vec3;
  // half a turn has no shortest axis: take x
  const sine = Math.hypot(x, y);
  if (sine === 0) return z > 0 ? [1, 0, 0, 0] : [0, 1, 0, 0];
  return axisAngle([-y, x, 0], Math.atan2(sine, z));
}

function multiply(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}
