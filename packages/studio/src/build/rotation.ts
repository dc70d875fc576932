/** Rotations as unit quaternions w x y z. */
export type Turn = [number, number, number, number];
export type Point = [number, number, number];

export const NO_TURN: Turn = [1, 0, 0, 0];

export function combineTurns(a: readonly number[], b: readonly number[]): Turn {
  const [aw, ax, ay, az] = a as Turn;
  const [bw, bx, by, bz] = b as Turn;
  return [
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ];
}

export function invertTurn([w, x, y, z]: Turn): Turn {
  return [w, -x, -y, -z];
}

export function turnPoint(turn: readonly number[], point: readonly number[]): Point {
  const [, x, y, z] = combineTurns(combineTurns(turn, [0, ...point]), invertTurn(turn as Turn));
  return [x, y, z];
}

/** A turn about an axis of the world by an angle, rad. */
export function turnAbout(axis: number, angle: number): Turn {
  const turn: Turn = [Math.cos(angle / 2), 0, 0, 0];
  turn[1 + axis] = Math.sin(angle / 2);
  return turn;
}

export function normalizeTurn(turn: Turn): Turn {
  const length = Math.hypot(...turn);
  return turn.map((part) => part / length) as Turn;
}

/** Angles about x, then y, then z of the parent, rad: R = Rz Ry Rx. */
export function anglesOf([w, x, y, z]: Turn): Point {
  const sine = Math.min(1, Math.max(-1, 2 * (w * y - z * x)));
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    Math.asin(sine),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}

export function turnOfAngles([x, y, z]: readonly number[]): Turn {
  return combineTurns(turnAbout(2, z!), combineTurns(turnAbout(1, y!), turnAbout(0, x!)));
}
