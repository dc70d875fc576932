/**
 * The spring between the pointer and the point of a body that it holds:
 *
 *   f = m ω² (target − p) − 2 ζ m ω ṗ,   ω = min(ω₀, 0.06 / h)
 *
 * f: force on the body at p (N); m: mass of the body and everything attached to it (kg); ω: angular frequency (rad/s); ζ = 1: it does
 * not swing; h: time step (s). The bound on ω keeps the spring stable although the step takes its force as given. ṗ is the change
 * of p since the last step.
 */
import type { SoftGrip } from './input-log.ts';
import type { SoftFrame } from './soft-frame.ts';

/** Where a user holds a body, and whereto. */
export interface Grab {
  /** Number of the rigid body; -1 where a soft one is held. */
  body: number;
  /** Vertices of a soft body in place of a rigid one. */
  soft?: SoftGrip | undefined;
  /** The point that is held, in the frame of the body, m. */
  point: [number, number, number];
  /** Where it is pulled to, in the world, m. */
  target: [number, number, number];
}

/** Poses of all bodies. */
export interface Poses {
  readonly bodyPosition: ArrayLike<number>;
  readonly bodyOrientation: ArrayLike<number>;
}

/** ω₀, rad/s. */
const FREQUENCY = 12;

export class MouseSpring {
  readonly #mass: number;
  readonly #timestep: number;
  #before: [number, number, number] | undefined;
  grab: Grab;

  /** `mass`: of the body and everything attached to it, kg. */
  constructor(grab: Grab, mass: number, timestep: number) {
    this.grab = grab;
    this.#mass = mass;
    this.#timestep = timestep;
  }

  /** Whether it has not pulled yet. */
  get isNew(): boolean {
    return this.#before === undefined;
  }

  /** Whether this is the spring of the grabbed body. */
  holds({ body, soft }: Grab): boolean {
    const mine = this.grab.soft;
    return this.grab.body === body && mine?.body === soft?.body && mine?.vertices[0] === soft?.vertices[0];
  }

  /** Force of the next step, and where it acts. */
  pull(poses: Poses, soft?: SoftFrame): { force: [number, number, number]; point: [number, number, number] } {
    const point = placeGrab(poses, soft, this.grab);
    const before = this.#before ?? point;
    const frequency = Math.min(FREQUENCY, 0.06 / this.#timestep);
    const force: [number, number, number] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const velocity = (point[k]! - before[k]!) / this.#timestep;
      force[k] = this.#mass * frequency * (frequency * (this.grab.target[k]! - point[k]!) - 2 * velocity);
    }
    this.#before = point;
    return { force, point };
  }
}

/** Where the held point is in the world: a point of a rigid body, or the middle of vertices. */
export function placeGrab(poses: Poses, soft: SoftFrame | undefined, grab: Grab): [number, number, number] {
  if (!grab.soft || !soft) return grab.soft ? grab.target : placeInWorld(poses, grab);
  const middle: [number, number, number] = [0, 0, 0];
  const { vertices, firstVertex } = grab.soft;
  for (const vertex of vertices)
    for (let k = 0; k < 3; k++) middle[k]! += soft.positions[3 * (firstVertex + vertex) + k]! / vertices.length;
  return middle;
}

/** A point of a body in the world: r + R(q) p. */
export function placeInWorld(
  { bodyPosition, bodyOrientation }: Poses,
  { body, point: [x, y, z] }: Pick<Grab, 'body' | 'point'>,
): [number, number, number] {
  const [w, a, b, c] = [0, 1, 2, 3].map((k) => bodyOrientation[4 * body + k]!) as [number, number, number, number];
  // t = 2 u × p,  p + w t + u × t
  const [tx, ty, tz] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
  return [
    bodyPosition[3 * body]! + x + w * tx + b * tz - c * ty,
    bodyPosition[3 * body + 1]! + y + w * ty + c * tx - a * tz,
    bodyPosition[3 * body + 2]! + z + w * tz + a * ty - b * tx,
  ];
}

/** Per body, its mass and that of all bodies attached to it, kg. */
export function sumSubtreeMasses(mass: ArrayLike<number>, parent: ArrayLike<number>): Float64Array {
  const sums = Float64Array.from(mass);
  // children come after their parents
  for (let body = sums.length - 1; body > 0; body--) sums[parent[body]!]! += sums[body]!;
  return sums;
}
