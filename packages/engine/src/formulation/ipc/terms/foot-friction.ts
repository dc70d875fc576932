/**
 * Lagged, smoothed friction of two rigid frames that touch at a pair of feet. Normal forces λ, tangents T and feet are those of the
 * last lagging and stay for a whole minimisation, so that friction has an energy:
 *   E = h² Σ μ λ f₀(|u|),   u = Tᵀ ((x_A − x_A⁰) − (x_B − x_B⁰))
 *   ε = h ε_v the slip below which f₀ is smoothed (contact/smooth-friction.ts)
 * λ N; x_A, x_B the feet: the points of both surfaces that were nearest at the lagging, fixed to their frames (on a ball or a
 * capsule on its surface, so that it rolls), x⁰ where they were at the start of the step, m; ε_v m/s the speed below which
 * friction is less than μ λ. A body that sticks on a slope of angle θ creeps with ε_v (1 − √(1 − tan θ/μ)).
 * Source: Li et al. (2020), section 5; rigid bodies: Ferguson et al. (2021).
 */
import { writeContactFrame } from '../../../collision/contact-frame.ts';
import { frictionBend, frictionPotential, frictionSlopeOverSlip } from '../../../contact/smooth-friction.ts';
import type { BodyMatrix } from '../body-matrix.ts';
import type { FramePoses } from '../frames.ts';
import { PairBlocks } from './pair-blocks.ts';

/** Where two frames touch. */
export class ContactFeet {
  a = 0;
  b = 0;
  /** In the world, m. */
  readonly footA: Float64Array = new Float64Array(3);
  readonly footB: Float64Array = new Float64Array(3);
  /** Unit vector from B to A. */
  readonly normal: Float64Array = new Float64Array(3);
}

const axes = /* @__PURE__ */ new Float64Array(9);
const one = /* @__PURE__ */ new Float64Array(3);
const two = /* @__PURE__ */ new Float64Array(3);

export class FootFriction {
  count = 0;
  /** ε, m. */
  smoothing = 1;
  /**
   * Whether `add` gives the Hessian μ λ (f₁/y) 1 of the parabola that touches E and is nowhere below it, instead of its own: f₁/y
   * falls with y. Along a slip E itself is straight, and a step that is to end in sticking goes far too far.
   */
  isBounding = false;
  readonly #blocks = new PairBlocks();
  /** Frames of both sides; the feet in them (six numbers); two tangents; μ λ. */
  #sides = new Int32Array(128);
  #local = new Float64Array(384);
  #tangents = new Float64Array(384);
  #strength = new Float64Array(64);
  /** Tᵀ (x_A⁰ − x_B⁰), m. */
  #reference = new Float64Array(128);
  readonly #slip = new Float64Array(2);

  /** Forgets all contacts. */
  clear(): void {
    this.count = 0;
  }

  /** Takes a contact of strength μ λ (N) at the poses; those at the start of the step measure its slip. */
  append(feet: ContactFeet, strength: number, poses: FramePoses, start: FramePoses): void {
    const f = this.count++;
    if (f === this.#strength.length) this.#grow();
    this.#strength[f] = strength;
    this.#sides[2 * f] = feet.a;
    this.#sides[2 * f + 1] = feet.b;
    writeLocal(this.#local, 6 * f, poses, feet.a, feet.footA);
    writeLocal(this.#local, 6 * f + 3, poses, feet.b, feet.footB);
    writeContactFrame(axes, 0, feet.normal[0], feet.normal[1], feet.normal[2], 0, 0, 0);
    for (let k = 0; k < 6; k++) this.#tangents[6 * f + k] = axes[3 + k];
    this.#reference[2 * f] = this.#reference[2 * f + 1] = 0;
    this.#measureSlip(f, start);
    this.#reference[2 * f] = this.#slip[0];
    this.#reference[2 * f + 1] = this.#slip[1];
  }

  value(poses: FramePoses, scale: number): number {
    let energy = 0;
    for (let f = 0; f < this.count; f++)
      energy += this.#strength[f] * frictionPotential(this.#measureSlip(f, poses), this.smoothing);
    return scale * energy;
  }

  /** Says which frames are coupled. */
  couple(matrix: BodyMatrix): void {
    for (let f = 0; f < this.count; f++) matrix.couple(this.#sides[2 * f], this.#sides[2 * f + 1]);
  }

  add(matrix: BodyMatrix, poses: FramePoses, scale: number, isProjected: boolean): void {
    const blocks = this.#blocks;
    const t = this.#tangents;
    blocks.slidingScale = 0;
    for (let f = 0; f < this.count; f++) {
      const y = this.#measureSlip(f, poses);
      const u = this.#slip[0];
      const v = this.#slip[1];
      const strength = scale * this.#strength[f];
      // f₁/y and (f₂ y − f₁)/y³; without the latter a bound from above
      const first = strength * frictionSlopeOverSlip(y, this.smoothing);
      const second = y > 0 && !this.isBounding ? strength * frictionBend(y, this.smoothing) : 0;
      blocks.frameA = this.#sides[2 * f];
      blocks.frameB = this.#sides[2 * f + 1];
      const o = 6 * f;
      for (let i = 0; i < 3; i++) {
        blocks.armA[i] = one[i] - poses.position[3 * blocks.frameA + i];
        blocks.armB[i] = two[i] - poses.position[3 * blocks.frameB + i];
        const si = u * t[o + i] + v * t[o + 3 + i];
        blocks.force[i] = first * si;
        for (let j = 0; j < 3; j++) {
          const sj = u * t[o + j] + v * t[o + 3 + j];
          blocks.stiffness[3 * i + j] = first * (t[o + i] * t[o + j] + t[o + 3 + i] * t[o + 3 + j]) + second * si * sj;
        }
      }
      // without the curvature of exp the Hessian is positive semidefinite as it stands
      blocks.expand(!isProjected);
      blocks.addTo(matrix, false);
    }
  }

  // u in `slip`, the feet in `one` and `two`; the length of u
  #measureSlip(f: number, poses: FramePoses): number {
    writeWorld(one, poses, this.#sides[2 * f], this.#local, 6 * f);
    writeWorld(two, poses, this.#sides[2 * f + 1], this.#local, 6 * f + 3);
    const x = one[0] - two[0];
    const y = one[1] - two[1];
    const z = one[2] - two[2];
    const t = this.#tangents;
    const o = 6 * f;
    const u = t[o] * x + t[o + 1] * y + t[o + 2] * z - this.#reference[2 * f];
    const v = t[o + 3] * x + t[o + 4] * y + t[o + 5] * z - this.#reference[2 * f + 1];
    this.#slip[0] = u;
    this.#slip[1] = v;
    return Math.sqrt(u * u + v * v);
  }

  #grow(): void {
    const n = 2 * this.#strength.length;
    this.#sides = copyInto(this.#sides, new Int32Array(2 * n));
    this.#local = copyInto(this.#local, new Float64Array(6 * n));
    this.#tangents = copyInto(this.#tangents, new Float64Array(6 * n));
    this.#strength = copyInto(this.#strength, new Float64Array(n));
    this.#reference = copyInto(this.#reference, new Float64Array(2 * n));
  }
}

/** How far the feet have slid over each other since the start of the step, (x_A − x_A⁰) − (x_B − x_B⁰), m. */
export function measureFootSlip(out: Float64Array, feet: ContactFeet, poses: FramePoses, start: FramePoses): void {
  writeLocal(two, 0, poses, feet.a, feet.footA);
  writeWorld(one, start, feet.a, two, 0);
  for (let k = 0; k < 3; k++) out[k] = feet.footA[k] - one[k];
  writeLocal(two, 0, poses, feet.b, feet.footB);
  writeWorld(one, start, feet.b, two, 0);
  for (let k = 0; k < 3; k++) out[k] -= feet.footB[k] - one[k];
}

// Rᵀ (x − p) of a frame
function writeLocal(
  out: Float64Array,
  o: number,
  { position, rotation }: FramePoses,
  f: number,
  point: Float64Array,
): void {
  const x = point[0] - position[3 * f];
  const y = point[1] - position[3 * f + 1];
  const z = point[2] - position[3 * f + 2];
  for (let k = 0; k < 3; k++)
    out[o + k] = rotation[9 * f + k] * x + rotation[9 * f + 3 + k] * y + rotation[9 * f + 6 + k] * z;
}

function writeWorld(
  out: Float64Array,
  { position, rotation }: FramePoses,
  f: number,
  x: Float64Array,
  o: number,
): void {
  for (let k = 0; k < 3; k++) {
    const r = 9 * f + 3 * k;
    out[k] = position[3 * f + k] + rotation[r] * x[o] + rotation[r + 1] * x[o + 1] + rotation[r + 2] * x[o + 2];
  }
}

function copyInto<T extends Float64Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
