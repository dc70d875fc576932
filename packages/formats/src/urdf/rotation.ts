/**
 * Rotations as URDF writes them: roll r, pitch p, yaw y (rad) about the fixed axes x, y, z in this order,
 * R = Rz(y) Ry(p) Rx(r). Quaternions are w x y z, matrices 3 × 3 by rows.
 */
import type { Quaternion, Vec3 } from '@nexdyn/engine';

/** Quaternion of roll, pitch and yaw: the product of three half-angle quaternions. */
export function quaternionFromRollPitchYaw([roll, pitch, yaw]: Vec3): Quaternion {
  const [cr, sr] = [Math.cos(roll / 2), Math.sin(roll / 2)];
  const [cp, sp] = [Math.cos(pitch / 2), Math.sin(pitch / 2)];
  const [cy, sy] = [Math.cos(yaw / 2), Math.sin(yaw / 2)];
  return [
    cy * cp * cr + sy * sp * sr,
    cy * cp * sr - sy * sp * cr,
    cy * sp * cr + sy * cp * sr,
    sy * cp * cr - cy * sp * sr,
  ];
}

/** Rotates a vector: v + 2w (u × v) + 2 u × (u × v). */
export function rotateVector([w, x, y, z]: Quaternion, v: Vec3): Vec3 {
  const c = cross([x, y, z], v);
  const d = cross([x, y, z], c);
  return [v[0] + 2 * (w * c[0] + d[0]), v[1] + 2 * (w * c[1] + d[1]), v[2] + 2 * (w * c[2] + d[2])];
}

/** Rotation by b, then by a. */
export function multiplyQuaternions(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

/** A symmetric tensor xx, yy, zz, xy, xz, yz. */
export type Tensor = [number, number, number, number, number, number];

/** R T Rᵀ: a tensor given in rotated axes, in the axes they are rotated from. */
export function rotateTensor(quaternion: Quaternion, [xx, yy, zz, xy, xz, yz]: Tensor): Tensor {
  // columns of R are the rotated axes; R T Rᵀ = Σ Tᵢⱼ rᵢ rⱼᵀ
  const axes = [[1, 0, 0] as Vec3, [0, 1, 0] as Vec3, [0, 0, 1] as Vec3].map((axis) => rotateVector(quaternion, axis));
  const given = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
  const entry = (row: number, column: number): number => {
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) sum += given[i]![j]! * axes[i]![row]! * axes[j]![column]!;
    }
    return sum;
  };
  return [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)];
}

/** Two unit vectors that make a right-handed frame with a direction: the shortest rotation of z to it turns x and y to them. */
export function completeFrame(direction: Vec3): [Vec3, Vec3] {
  const length = Math.hypot(...direction);
  const [x, y, z] = direction.map((value) => value / length) as Vec3;
  if (z <= -1)
    return [
      [1, 0, 0],
      [0, -1, 0],
    ];
  // half-angle quaternion (1 + z, z × axis), not yet of unit length
  const size = Math.hypot(1 + z, x, y);
  const turn: Quaternion = [(1 + z) / size, -y / size, x / size, 0];
  return [rotateVector(turn, [1, 0, 0]), rotateVector(turn, [0, 1, 0])];
}

function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
