/**
 * Lagged, smoothed friction of contacts with signed-distance fields, as friction-term.ts has it for surfaces:
 *   E = h² Σ μ λ f₀(|u|),   u = Tᵀ ((x_A − x_A⁰) − (x_B − x_B⁰))
 * λ normal force of the last lagging, N; x_A and x_B the points of both frames that were at the contact then (at the foot of the
 * ball around the sample), x⁰ where they were at the start of the step, m; T two tangents; f₀ of contact/smooth-friction.ts.
 */
import { writeContactFrame } from '../../collision/contact-frame.ts';
import { frictionBend, frictionPotential, frictionSlopeOverSlip } from '../../contact/smooth-friction.ts';
import type { BodyMatrix } from './body-matrix.ts';
import type { FieldContacts } from './field-contacts.ts';
import type { FieldTerm } from './field-term.ts';
import type { FramePoses } from './frames.ts';
import { PairBlocks } from './pair-blocks.ts';

const frame = /* @__PURE__ */ new Float64Array(9);
const foot = /* @__PURE__ */ new Float64Array(3);
const one = /* @__PURE__ */ new Float64Array(3);
const two = /* @__PURE__ */ new Float64Array(3);

export class FieldFriction {
  count = 0;
  /** ε, m. */
  smoothing = 1;
  readonly #blocks = new PairBlocks();
  /** Frames of both sides; the points in their frames (six numbers); two tangents; μ λ. */
  #sides = new Int32Array(128);
  #local = new Float64Array(384);
  #tangents = new Float64Array(384);
  #strength = new Float64Array(64);
  /** Tᵀ (x_A⁰ − x_B⁰), m. */
  #reference = new Float64Array(128);
  readonly #slip = new Float64Array(2);

  /** Takes normal forces, tangents and points of the contacts at the poses they were collected at. */
  lag(contacts: FieldContacts, barrier: FieldTerm, poses: FramePoses, start: FramePoses): void {
    this.count = 0;
    for (let n = 0; n < contacts.count; n++) {
      const { friction, samples, frame: other } = contacts.pairs[contacts.pair[n]];
      const strength = friction * barrier.measureForce(contacts, n);
      if (!(strength > 0)) continue;
      const f = this.count++;
      if (f === this.#strength.length) this.#grow();
      this.#strength[f] = strength;
      this.#sides[2 * f] = samples.frame;
      this.#sides[2 * f + 1] = other;
      writeFoot(foot, contacts, n);
      writeLocal(this.#local, 6 * f, poses, samples.frame);
      writeLocal(this.#local, 6 * f + 3, poses, other);
      for (let k = 0; k < 6; k++) this.#tangents[6 * f + k] = frame[3 + k];
      this.#reference[2 * f] = this.#reference[2 * f + 1] = 0;
      this.#measureSlip(f, start);
      this.#reference[2 * f] = this.#slip[0];
      this.#reference[2 * f + 1] = this.#slip[1];
    }
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
      const [u, v] = this.#slip;
      const strength = scale * this.#strength[f];
      // f₁/y and (f₂ y − f₁)/y³
      const first = strength * frictionSlopeOverSlip(y, this.smoothing);
      const second = y > 0 ? strength * frictionBend(y, this.smoothing) : 0;
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

  // u in `slip`, the points in `one` and `two`; the length of u
  #measureSlip(f: number, poses: FramePoses): number {
    writeWorld(one, poses, this.#sides[2 * f], this.#local, 6 * f);
    writeWorld(two, poses, this.#sides[2 * f + 1], this.#local, 6 * f + 3);
    const [x, y, z] = [one[0] - two[0], one[1] - two[1], one[2] - two[2]];
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

/** How far the surfaces have slid at contact n since the start of the step, m; normal and tangents of the contact to `axes`. */
export function measureFieldSlip(
  out: Float64Array,
  axes: Float64Array,
  contacts: FieldContacts,
  n: number,
  poses: FramePoses,
  start: FramePoses,
): void {
  const { samples, frame: other } = contacts.pairs[contacts.pair[n]];
  writeFoot(foot, contacts, n);
  axes.set(frame);
  out.fill(0);
  for (const [f, sign] of [
    [samples.frame, 1],
    [other, -1],
  ]) {
    writeLocal(two, 0, poses, f);
    writeWorld(one, start, f, two, 0);
    for (let k = 0; k < 3; k++) out[k] += sign * (foot[k] - one[k]);
  }
}

// where the ball around the sample comes nearest to the field; its normal and tangents in `frame`
function writeFoot(out: Float64Array, contacts: FieldContacts, n: number): void {
  const { normal, point } = contacts;
  const { radius } = contacts.pairs[contacts.pair[n]].samples;
  const [x, y, z] = [normal[3 * n], normal[3 * n + 1], normal[3 * n + 2]];
  const length = Math.sqrt(x * x + y * y + z * z);
  writeContactFrame(frame, 0, x / length, y / length, z / length, 0, 0, 0);
  for (let k = 0; k < 3; k++) out[k] = point[3 * n + k] - radius * frame[k];
}

// Rᵀ (foot − p) of a frame
function writeLocal(out: Float64Array, o: number, { position, rotation }: FramePoses, f: number): void {
  const x = foot[0] - position[3 * f];
  const y = foot[1] - position[3 * f + 1];
  const z = foot[2] - position[3 * f + 2];
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
