/**
 * The contacts with signed-distance fields at one iterate: samples p with φ̃(p) − c < d̂ (field-pairs.ts). Groups of samples are
 * passed over where one value of the field shows all of them to be farther: φ̃(centre) − Λ radius − c ≥ d̂, Λ its slope. The
 * search is repeated at every iterate and trial, so there is no list of candidates to leave.
 *   x = p_A + R_A p the sample,  y = R_Fᵀ (x − p_F) seen from the field,  n = R_F ∇φ̃(y)         m; ∇φ̃ need not be of length 1
 */

import type { FramePoses } from '../../dynamics/frames.ts';
import type { SignedDistanceField } from '../../geometry/signed-distance/field.ts';
import { copyInto } from '../../linear-algebra/growth.ts';
import type { FieldPair, SampledSurface } from '../candidates/field-pairs.ts';
import type { PairChoice } from '../candidates/surface-filter.ts';
import type { WitnessPoints } from './witness-points.ts';

// Rᵀ R_A row by row and t of y = M p + t; R of the field in the world
const m = /* @__PURE__ */ new Float64Array(12);
const world = /* @__PURE__ */ new Float64Array(9);
const slope = /* @__PURE__ */ new Float64Array(3);
const here = /* @__PURE__ */ new Float64Array(3);
const own = /* @__PURE__ */ new Float64Array(9);
const stack = /* @__PURE__ */ new Int32Array(256);

/** Length of differences of ∇φ̃, m. */
const DIFFERENCE = 2e-6;

/** First number of the keys of these contacts; those of surfaces have their kind. */
export const FIELD_KEY = -1;

export class FieldCollisions {
  readonly pairs: readonly FieldPair[];
  count = 0;
  /** Per contact: pair, sample, φ̃ − c (m), n and x (three numbers each). */
  pair: Int32Array = new Int32Array(64);
  sample: Int32Array = new Int32Array(64);
  gap: Float64Array = new Float64Array(64);
  normal: Float64Array = new Float64Array(192);
  point: Float64Array = new Float64Array(192);
  /** Smallest φ̃ − c of all samples checked; Infinity if there were none. */
  nearest: number = Infinity;

  readonly #choose: PairChoice | undefined;

  /** Of all pairs, or of those that are chosen. */
  constructor(pairs: readonly FieldPair[], choose?: PairChoice) {
    this.pairs = pairs;
    this.#choose = choose;
  }

  /** Whether contacts of a pair are looked for. */
  takes({ shape, samples }: FieldPair): boolean {
    return this.#choose === undefined || this.#choose(shape, samples.shape);
  }

  /** Finds all contacts nearer than `range`, m. */
  collect(poses: FramePoses, range: number): void {
    this.count = 0;
    this.nearest = Infinity;
    for (let n = 0; n < this.pairs.length; n++) {
      const pair = this.pairs[n];
      if (!this.takes(pair)) continue;
      relate(pair, poses);
      visitSamples(pair.samples, pair.target.field, pair.target.level + range, (sample, value) => {
        const gap = value - pair.target.level;
        if (gap < this.nearest) this.nearest = gap;
        if (gap < range) this.#add(n, sample, gap, poses);
      });
    }
  }

  /** m² of sampled surface that a contact represents. */
  areaOf(n: number): number {
    return this.pairs[this.pair[n]].samples.areas[this.sample[n]];
  }

  /** Curvature of φ̃ at the sample of contact n, 3 × 3 in the world, 1/m, by centred differences of ∇φ̃. */
  writeCurvature(out: Float64Array, n: number, poses: FramePoses): void {
    const pair = this.pairs[this.pair[n]];
    relate(pair, poses);
    const o = 3 * this.sample[n];
    for (let k = 0; k < 3; k++) {
      const r = 3 * k;
      here[k] = m[9 + k];
      for (let c = 0; c < 3; c++) here[k] += m[r + c] * pair.samples.points[o + c];
    }
    for (let c = 0; c < 3; c++) {
      const at = here[c];
      for (const sign of [1, -1]) {
        here[c] = at + sign * DIFFERENCE;
        pair.target.field.gradient(slope, here[0], here[1], here[2]);
        for (let k = 0; k < 3; k++)
          own[3 * k + c] = (sign > 0 ? 0 : own[3 * k + c]) + (sign * slope[k]) / (2 * DIFFERENCE);
      }
      here[c] = at;
    }
    // R H Rᵀ
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let sum = 0;
        for (let k = 0; k < 3; k++)
          for (let l = 0; l < 3; l++) sum += world[3 * i + k] * own[3 * k + l] * world[3 * j + l];
        out[3 * i + j] = sum;
      }
    }
  }

  /** Witness points of contact n: both on the ball around the sample. */
  writeWitnessPoints(out: WitnessPoints, n: number): void {
    const { samples, frame, friction, anisotropy } = this.pairs[this.pair[n]];
    const x = this.normal[3 * n];
    const y = this.normal[3 * n + 1];
    const z = this.normal[3 * n + 2];
    const length = Math.sqrt(x * x + y * y + z * z);
    out.a = samples.frame;
    out.b = frame;
    out.friction = friction;
    out.anisotropy.set(anisotropy);
    out.tangentHint.fill(0);
    out.key.fill(0);
    out.key[0] = FIELD_KEY;
    out.key[1] = this.pair[n];
    out.key[2] = this.sample[n];
    for (let k = 0; k < 3; k++) {
      out.normal[k] = this.normal[3 * n + k] / length;
      out.pointA[k] = out.pointB[k] = this.point[3 * n + k] - samples.radius * out.normal[k];
    }
  }

  #add(n: number, sample: number, gap: number, { position, rotation }: FramePoses): void {
    const i = this.count++;
    if (i === this.pair.length) this.#grow();
    this.pair[i] = n;
    this.sample[i] = sample;
    this.gap[i] = gap;
    const { samples, target } = this.pairs[n];
    const x = samples.points[3 * sample];
    const y = samples.points[3 * sample + 1];
    const z = samples.points[3 * sample + 2];
    target.field.gradient(
      slope,
      m[0] * x + m[1] * y + m[2] * z + m[9],
      m[3] * x + m[4] * y + m[5] * z + m[10],
      m[6] * x + m[7] * y + m[8] * z + m[11],
    );
    const f = samples.frame;
    for (let k = 0; k < 3; k++) {
      const r = 3 * k;
      const o = 9 * f + r;
      this.normal[3 * i + k] = world[r] * slope[0] + world[r + 1] * slope[1] + world[r + 2] * slope[2];
      this.point[3 * i + k] = position[3 * f + k] + rotation[o] * x + rotation[o + 1] * y + rotation[o + 2] * z;
    }
  }

  #grow(): void {
    const n = 2 * this.pair.length;
    this.pair = copyInto(this.pair, new Int32Array(n));
    this.sample = copyInto(this.sample, new Int32Array(n));
    this.gap = copyInto(this.gap, new Float64Array(n));
    this.normal = copyInto(this.normal, new Float64Array(3 * n));
    this.point = copyInto(this.point, new Float64Array(3 * n));
  }
}

/** Calls `visit` with the samples whose φ̃ may be below a limit, and their φ̃, for the poses. */
export function visitSamplesBelow(
  pair: FieldPair,
  poses: FramePoses,
  limit: number,
  visit: (sample: number, value: number) => void,
): void {
  relate(pair, poses);
  visitSamples(pair.samples, pair.target.field, limit, visit);
}

// M, t and the rotation of the field for a pair
function relate({ samples, frame, target, rotation: r }: FieldPair, { position, rotation }: FramePoses): void {
  const a = 9 * samples.frame;
  const b = 9 * frame;
  let x = position[3 * samples.frame] - position[3 * frame];
  let y = position[3 * samples.frame + 1] - position[3 * frame + 1];
  let z = position[3 * samples.frame + 2] - position[3 * frame + 2];
  const px = target.position[0];
  const py = target.position[1];
  const pz = target.position[2];
  for (let i = 0; i < 3; i++) {
    const o = b + 3 * i;
    for (let j = 0; j < 3; j++)
      world[3 * i + j] = rotation[o] * r[j] + rotation[o + 1] * r[3 + j] + rotation[o + 2] * r[6 + j];
  }
  x -= rotation[b] * px + rotation[b + 1] * py + rotation[b + 2] * pz;
  y -= rotation[b + 3] * px + rotation[b + 4] * py + rotation[b + 5] * pz;
  z -= rotation[b + 6] * px + rotation[b + 7] * py + rotation[b + 8] * pz;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      m[3 * i + j] =
        world[i] * rotation[a + j] + world[3 + i] * rotation[a + 3 + j] + world[6 + i] * rotation[a + 6 + j];
    }
    m[9 + i] = world[i] * x + world[3 + i] * y + world[6 + i] * z;
  }
}

function read(field: SignedDistanceField, points: Float64Array, o: number): number {
  const x = points[o];
  const y = points[o + 1];
  const z = points[o + 2];
  return field.distance(
    m[0] * x + m[1] * y + m[2] * z + m[9],
    m[3] * x + m[4] * y + m[5] * z + m[10],
    m[6] * x + m[7] * y + m[8] * z + m[11],
  );
}

function visitSamples(
  { points, tree }: SampledSurface,
  field: SignedDistanceField,
  limit: number,
  visit: (sample: number, value: number) => void,
): void {
  const { spheres, children, order } = tree;
  let depth = 0;
  if (order.length > 0) stack[depth++] = 0;
  while (depth > 0) {
    const node = stack[--depth];
    if (read(field, spheres, 4 * node) - field.lipschitz * spheres[4 * node + 3] > limit) continue;
    const left = children[2 * node];
    const right = children[2 * node + 1];
    if (left >= 0) {
      stack[depth++] = right;
      stack[depth++] = left;
      continue;
    }
    const first = -1 - left;
    for (let i = first; i < first + right; i++) visit(order[i], read(field, points, 3 * order[i]));
  }
}
