/**
 * Samples of one shape S near the surface of a field φ of another shape F, and a few representative ones.
 *
 * A sample i has the gap g_i = φ(x_i) − r (r the radius of the balls around the samples). Groups of samples are skipped where
 * the Lipschitz bound of φ puts all of them beyond the limit. A few candidates represent all, in this order:
 *
 *   the deepest; with n the normal there, t over eight directions across n,
 *   the largest t · x_i − 4 (g_i − least g): the corners of the contact (a right angle holds two of the directions);
 *   then, up to six, the largest min over chosen j of |x_i − x_j| − 4 (g_i − least g).
 *
 * Ties go to the sample visited first. (The deepest k samples would be a bad choice: they cluster in one place, and a box rocks on them.)
 */

import { copyInto } from '../../linear-algebra/growth.ts';
import type { SignedDistanceField } from './field.ts';
import { readField, readGradient } from './field-frame.ts';
import type { SurfaceSamples } from './surface-samples.ts';

/** Points chosen at most: the deepest, and one in each direction. */
export const MAX_CHOSEN = 9;
/** Points among which no more are put. */
const ENOUGH_CHOSEN = 6;
/** What a metre of gap costs, in metres of distance. */
const SHALLOWNESS = 4;

const stack = /* @__PURE__ */ new Int32Array(256);
let candidateCount = 0;
let candidates = /* @__PURE__ */ new Int32Array(256);
let gaps = /* @__PURE__ */ new Float64Array(256);
let separations = /* @__PURE__ */ new Float64Array(256);

/** Finds the samples with a gap of at most `limit` (m) and chooses among them. Writes their numbers, returns how many. */
export function chooseSamples(
  chosen: Int32Array,
  samples: SurfaceSamples,
  field: SignedDistanceField,
  limit: number,
): number {
  collectCandidates(samples, field, limit, false);
  return candidateCount === 0 ? 0 : spreadOut(chosen, samples, field);
}

/** The least gap of all samples, m; Infinity without samples. */
export function findLeastGap(samples: SurfaceSamples, field: SignedDistanceField): number {
  return collectCandidates(samples, field, Infinity, true);
}

// the least gap found; with `isNarrowing` the limit falls with it and no candidates are noted
function collectCandidates(
  samples: SurfaceSamples,
  field: SignedDistanceField,
  limit: number,
  isNarrowing: boolean,
): number {
  const { points, radius } = samples;
  const { spheres, children, order } = samples.tree;
  const lipschitz = field.lipschitz;
  let least = Infinity;
  let depth = 0;
  candidateCount = 0;
  if (order.length > 0) stack[depth++] = 0;
  while (depth > 0) {
    const node = stack[--depth];
    const s = 4 * node;
    const near = readField(field, spheres[s], spheres[s + 1], spheres[s + 2]) - radius - lipschitz * spheres[s + 3];
    if (near > limit) continue;
    const left = children[2 * node];
    const right = children[2 * node + 1];
    if (left >= 0) {
      stack[depth++] = right;
      stack[depth++] = left;
      continue;
    }
    const first = -1 - left;
    for (let i = first; i < first + right; i++) {
      const p = 3 * order[i];
      const gap = readField(field, points[p], points[p + 1], points[p + 2]) - radius;
      if (!(gap <= limit)) continue;
      if (gap < least) least = gap;
      if (isNarrowing) limit = least;
      else noteCandidate(order[i], gap);
    }
  }
  return least;
}

function noteCandidate(sample: number, gap: number): void {
  if (candidateCount === candidates.length) {
    candidates = copyInto(candidates, new Int32Array(2 * candidateCount));
    gaps = copyInto(gaps, new Float64Array(2 * candidateCount));
    separations = copyInto(separations, new Float64Array(2 * candidateCount));
  }
  candidates[candidateCount] = sample;
  gaps[candidateCount++] = gap;
}

function spreadOut(chosen: Int32Array, samples: SurfaceSamples, field: SignedDistanceField): number {
  const { points, coveringRadius } = samples;
  let deepest = 0;
  for (let i = 1; i < candidateCount; i++) if (gaps[i] < gaps[deepest]) deepest = i;
  chosen[0] = candidates[deepest];
  let count = 1;
  findExtremes(samples, field, deepest);
  for (let k = 0; k < 8; k++) {
    const sample = candidates[extremes[k]];
    let separation = Infinity;
    for (let i = 0; i < count; i++) separation = Math.min(separation, measureDistance(points, sample, chosen[i]));
    if (separation > coveringRadius) chosen[count++] = sample;
  }
  if (count >= ENOUGH_CHOSEN) return count;

  // fill up; samples not chosen are closer to the set than samples are to each other, or shallow
  for (let i = 0; i < candidateCount; i++) separations[i] = Infinity;
  let known = 0;
  while (count < ENOUGH_CHOSEN) {
    let best = coveringRadius;
    let next = -1;
    for (let i = 0; i < candidateCount; i++) {
      for (let j = known; j < count; j++) {
        separations[i] = Math.min(separations[i], measureDistance(points, candidates[i], chosen[j]));
      }
      const score = separations[i] - SHALLOWNESS * (gaps[i] - gaps[deepest]);
      if (score > best) {
        best = score;
        next = i;
      }
    }
    if (next < 0) break;
    known = count;
    chosen[count++] = candidates[next];
  }
  return count;
}

function measureDistance(points: Float64Array, a: number, b: number): number {
  const x = points[3 * a] - points[3 * b];
  const y = points[3 * a + 1] - points[3 * b + 1];
  const z = points[3 * a + 2] - points[3 * b + 2];
  return Math.sqrt(x * x + y * y + z * z);
}

const extremes = /* @__PURE__ */ new Int32Array(8);
const heights = /* @__PURE__ */ new Float64Array(8);
const normal = /* @__PURE__ */ new Float64Array(3);
const place = /* @__PURE__ */ new Float64Array(3);

// the outermost candidates in eight directions across the normal at the deepest
function findExtremes(samples: SurfaceSamples, field: SignedDistanceField, deepest: number): void {
  const { points } = samples;
  for (let k = 0; k < 3; k++) place[k] = points[3 * candidates[deepest] + k];
  readGradient(normal, field, place);
  // t across n and the smallest of its components, s = n × t
  const nx = normal[0];
  const ny = normal[1];
  const nz = normal[2];
  const isX = Math.abs(nx) <= Math.abs(ny) && Math.abs(nx) <= Math.abs(nz);
  const isY = !isX && Math.abs(ny) <= Math.abs(nz);
  let tx = isX ? 0 : isY ? -nz : ny;
  let ty = isX ? nz : isY ? 0 : -nx;
  let tz = isX ? -ny : isY ? nx : 0;
  const length = Math.sqrt(tx * tx + ty * ty + tz * tz);
  tx /= length;
  ty /= length;
  tz /= length;
  const sx = ny * tz - nz * ty;
  const sy = nz * tx - nx * tz;
  const sz = nx * ty - ny * tx;
  heights.fill(-Infinity);
  for (let i = 0; i < candidateCount; i++) {
    const p = 3 * candidates[i];
    const t = tx * points[p] + ty * points[p + 1] + tz * points[p + 2];
    const s = sx * points[p] + sy * points[p + 1] + sz * points[p + 2];
    const cost = SHALLOWNESS * gaps[i];
    // the diagonals first: they find the corners of a box that lies along t and s
    noteExtreme(0, i, Math.SQRT1_2 * (t + s) - cost);
    noteExtreme(1, i, Math.SQRT1_2 * (-t - s) - cost);
    noteExtreme(2, i, Math.SQRT1_2 * (t - s) - cost);
    noteExtreme(3, i, Math.SQRT1_2 * (s - t) - cost);
    noteExtreme(4, i, t - cost);
    noteExtreme(5, i, -t - cost);
    noteExtreme(6, i, s - cost);
    noteExtreme(7, i, -s - cost);
  }
}

function noteExtreme(k: number, candidate: number, height: number): void {
  if (height <= heights[k]) return;
  heights[k] = height;
  extremes[k] = candidate;
}
