/** Vectors and unit quaternions, w x y z, of reports: few of them, so they are arrays of their own. */

export type Vector = readonly [number, number, number];
export type Quaternion = readonly [number, number, number, number];

/** Turns a vector by a quaternion w x y z. */
export function rotate(q: ArrayLike<number>, v: Vector): Vector {
  const [w, x, y, z] = [q[0]!, q[1]!, q[2]!, q[3]!];
  const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])] as const;
  return [
    v[0] + w * t[0] + y * t[2] - z * t[1],
    v[1] + w * t[1] + z * t[0] - x * t[2],
    v[2] + w * t[2] + x * t[1] - y * t[0],
  ];
}

/** a + s b. */
export function add(a: ArrayLike<number>, b: ArrayLike<number>, s = 1): Vector {
  return [a[0]! + s * b[0]!, a[1]! + s * b[1]!, a[2]! + s * b[2]!];
}

/** First b, then a. */
export function multiply([w, x, y, z]: Quaternion, [s, i, j, k]: Quaternion): Quaternion {
  return [
    w * s - x * i - y * j - z * k,
    w * i + x * s + y * k - z * j,
    w * j - x * k + y * s + z * i,
    w * k + x * j - y * i + z * s,
  ];
}

export function conjugate([w, x, y, z]: Quaternion): Quaternion {
  return [w, -x, -y, -z];
}

/** 2 |sin(angle / 2)| of the rotation from one to the other, the angle where it is small: by its axis, which round-off leaves small. */
export function measureTurn(a: Quaternion, b: Quaternion): number {
  const [, x, y, z] = multiply(conjugate(a), b);
  return 2 * Math.hypot(x, y, z);
}
