/**
 * A shape on its way through a step, carried by a body that keeps its velocities:
 *   x(t) = c + v t + exp(ω t) (x₀ − c),   R(t) = exp(ω t) R₀
 * Symbols: c centre of mass m, v its velocity m/s, ω angular velocity rad/s, world axes; t s from the start of the step.
 */

import { CORE } from '../../geometry/convex/core-kind.ts';
import type { PlacedShape } from '../../geometry/placed-shape.ts';
import { cos, sin } from '../../linear-algebra/elementary.ts';

export class MovingShape {
  /** The shape where `moveTo` has brought it. */
  readonly placed: PlacedShape;
  /** c at t = 0, v and ω. */
  readonly center: Float64Array = new Float64Array(3);
  readonly velocity: Float64Array = new Float64Array(3);
  readonly spin: Float64Array = new Float64Array(3);
  /** Of the farthest point from c, m. */
  readonly reach: number;
  readonly #start: PlacedShape;
  readonly #turn = new Float64Array(9);
  /** Where it stands, s. */
  #time = Number.NaN;

  constructor(start: PlacedShape, reach: number) {
    this.#start = start;
    this.reach = reach;
    this.placed = { ...start, position: start.position.slice(), rotation: start.rotation.slice() };
  }

  /** |ω| times the reach, m/s. */
  get swing(): number {
    const [x, y, z] = this.spin;
    return x === 0 && y === 0 && z === 0 ? 0 : Math.sqrt(x * x + y * y + z * z) * this.reach;
  }

  /** The same of its outline: a ball that turns about its centre stays where it is. */
  get outlineSpeed(): number {
    if (this.placed.core !== CORE.point) return this.swing;
    const [x, y, z] = this.#start.position.map((value, k) => value - this.center[k]);
    const [p, q, r] = this.spin;
    return Math.sqrt((p * p + q * q + r * r) * (x * x + y * y + z * z));
  }

  /** The same shape at another velocity of the centre. */
  at(velocity: ArrayLike<number>): MovingShape {
    const other = new MovingShape(this.#start, this.reach);
    other.center.set(this.center);
    other.spin.set(this.spin);
    other.velocity.set(velocity);
    return other;
  }

  moveTo(t: number): void {
    if (t === this.#time) return;
    this.#time = t;
    const { position, rotation } = this.placed;
    const { center: c, velocity: v } = this;
    const start = this.#start;
    const e = this.#turn;
    writeTurn(e, this.spin, t);
    const x = start.position[0] - c[0];
    const y = start.position[1] - c[1];
    const z = start.position[2] - c[2];
    for (let i = 0; i < 3; i++) {
      position[i] = c[i] + v[i] * t + e[3 * i] * x + e[3 * i + 1] * y + e[3 * i + 2] * z;
      for (let k = 0; k < 3; k++) {
        rotation[3 * i + k] =
          e[3 * i] * start.rotation[k] + e[3 * i + 1] * start.rotation[3 + k] + e[3 * i + 2] * start.rotation[6 + k];
      }
    }
  }

  /** Velocity along n of the point x of the body at time t, m/s. */
  measureSpeed(n: ArrayLike<number>, o: number, x: ArrayLike<number>, t: number): number {
    const { center: c, velocity: v, spin: w } = this;
    const a = x[0] - c[0] - v[0] * t;
    const b = x[1] - c[1] - v[1] * t;
    const d = x[2] - c[2] - v[2] * t;
    return (
      n[o] * (v[0] + w[1] * d - w[2] * b) +
      n[o + 1] * (v[1] + w[2] * a - w[0] * d) +
      n[o + 2] * (v[2] + w[0] * b - w[1] * a)
    );
  }
}

// exp(ω t) row by row, by Rodrigues' formula
function writeTurn(out: Float64Array, [x, y, z]: Float64Array, t: number): void {
  const speed = Math.sqrt(x * x + y * y + z * z);
  const angle = speed * t;
  if (angle === 0) {
    out.fill(0);
    out[0] = out[4] = out[8] = 1;
    return;
  }
  const [a, b, c] = [x / speed, y / speed, z / speed];
  const s = sin(angle);
  const k = cos(angle);
  const m = 1 - k;
  out[0] = k + m * a * a;
  out[1] = m * a * b - s * c;
  out[2] = m * a * c + s * b;
  out[3] = m * a * b + s * c;
  out[4] = k + m * b * b;
  out[5] = m * b * c - s * a;
  out[6] = m * a * c - s * b;
  out[7] = m * b * c + s * a;
  out[8] = k + m * c * c;
}
