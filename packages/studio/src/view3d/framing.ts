/**
 * Camera position that shows a set of balls as large as possible.
 *
 * The camera looks along −b; x, y, z are coordinates along right, up and back b. Half the picture is tx wide and ty high at distance 1.
 * A ball (c, r) lies inside the right side of the pyramid of view, which leans by a with tan a = tx, where
 *
 *   ex cos a + ez sin a  ≥  R = max (cx cos a + cz sin a + r),
 *
 * and inside the left side where −ex cos a + ez sin a ≥ L, likewise with −cx. Both hold with equality at
 *
 *   ex = (R − L) / (2 cos a),   ez = (R + L) / (2 sin a);
 *
 * up and down give another ez. The larger one counts: in the other direction the picture then has room on both sides.
 */
export interface Ball {
  center: readonly [number, number, number];
  /** m; 0 for a point. */
  radius: number;
}

export interface CameraAxes {
  right: readonly [number, number, number];
  up: readonly [number, number, number];
  back: readonly [number, number, number];
}

/** Places of camera and of the point in the middle of the picture, m; `half` is half the picture at distance 1, wide and high. */
export function frameBalls(
  balls: readonly Ball[],
  { right, up, back }: CameraAxes,
  half: readonly [number, number],
): { position: [number, number, number]; target: [number, number, number]; distance: number } {
  const across = fitSides(balls, right, back, half[0]);
  const upwards = fitSides(balls, up, back, half[1]);
  const far = Math.max(across.depth, upwards.depth);
  // the point to turn about lies in the middle of the depths
  const depths = balls.map(({ center }) => dot(center, back));
  const middle = (Math.min(...depths) + Math.max(...depths)) / 2;
  const distance = Math.max(far - middle, 1e-3);
  const at = (depth: number): [number, number, number] => [
    across.place * right[0] + upwards.place * up[0] + depth * back[0],
    across.place * right[1] + upwards.place * up[1] + depth * back[1],
    across.place * right[2] + upwards.place * up[2] + depth * back[2],
  ];
  return { position: at(middle + distance), target: at(middle), distance };
}

/** Place and depth at which two opposite sides of the pyramid touch the balls. */
function fitSides(
  balls: readonly Ball[],
  side: readonly number[],
  back: readonly number[],
  half: number,
): { place: number; depth: number } {
  const cosine = 1 / Math.hypot(1, half);
  const sine = half * cosine;
  let [high, low] = [-Infinity, -Infinity];
  for (const { center, radius } of balls) {
    const [x, z] = [dot(center, side), dot(center, back)];
    high = Math.max(high, x * cosine + z * sine + radius);
    low = Math.max(low, -x * cosine + z * sine + radius);
  }
  return { place: (high - low) / (2 * cosine), depth: (high + low) / (2 * sine) };
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}
