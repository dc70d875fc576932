/**
 * Samples of one shape S near the surface of a field φ of another shape F, and a few of them that stand for all.
 *
 * A sample i has the gap g_i = φ(x_i) − r (r the radius of the balls around the samples). Groups of samples are skipped where
 * the Lipschitz bound of φ puts all of them beyond the limit. From the candidates a set is chosen greedily: the deepest first,
 * then always the one with the largest
 *
 *   min over chosen j of |x_i − x_j| − 2 (g_i − least g)
 *
 * so that points are far from each other and near to the contact; ties go to the sample visited first. (Keeping the deepest k
 * was left out: they crowd at one place and a box rocks on them.)
 */
import type { SignedDistanceField } from './field.ts';
import type { SurfaceSamples } from './surface-samples.ts';

/** Points chosen at most. */
export const MAX_CHOSEN = 12;

/** Rotation (row by row) and translation from the frame of S to that of F. */
export const toField: Float64Array = /* @__PURE__ */ new Float64Array(12);

/** Numbers of the samples chosen last. */
export const chosen: Int32Array = /* @__PURE__ */ new Int32Array(MAX_CHOSEN);

const stack = /* @__PURE__ */ new Int32Array(256);
let candidateCount = 0;
let candidates = /* @__PURE__ */ new Int32Array(256);
let gaps = /* @__PURE__ */ new Float64Array(256);
let separations = /* @__PURE__ */ new Float64Array(256);

/** Finds the samples with a gap of at most `limit` (m) and chooses among them. Returns how many are in `chosen`. */
export function chooseSamples(samples: SurfaceSamples, field: SignedDistanceField, limit: number): number {
  collectCandidates(samples, field, limit, false);
  return spreadOut(samples);
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
    const near = valueAt(field, spheres[s], spheres[s + 1], spheres[s + 2]) - radius - lipschitz * spheres[s + 3];
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
      const gap = valueAt(field, points[p], points[p + 1], points[p + 2]) - radius;
      if (!(gap <= limit)) continue;
      if (gap < least) least = gap;
      if (isNarrowing) limit = least;
      else noteCandidate(order[i], gap);
    }
  }
  return least;
}

function valueAt(field: SignedDistanceField, x: number, y: number, z: number): number {
  return field.distance(
    toField[0] * x + toField[1] * y + toField[2] * z + toField[9],
    toField[3] * x + toField[4] * y + toField[5] * z + toField[10],
    toField[6] * x + toField[7] * y + toField[8] * z + toField[11],
  );
}

function noteCandidate(sample: number, gap: number): void {
  if (candidateCount === candidates.length) {
    candidates = enlarge(candidates, new Int32Array(2 * candidateCount));
    gaps = enlarge(gaps, new Float64Array(2 * candidateCount));
    separations = enlarge(separations, new Float64Array(2 * candidateCount));
  }
  candidates[candidateCount] = sample;
  gaps[candidateCount++] = gap;
}

function enlarge<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function spreadOut(samples: SurfaceSamples): number {
  const { points } = samples;
  if (candidateCount === 0) return 0;
  let last = 0;
  for (let i = 1; i < candidateCount; i++) if (gaps[i] < gaps[last]) last = i;
  const least = gaps[last];
  for (let i = 0; i < candidateCount; i++) separations[i] = Infinity;
  let count = 0;
  while (count < MAX_CHOSEN) {
    const p = 3 * candidates[last];
    chosen[count++] = candidates[last];
    // distances to the set, with the one just chosen
    let best = 0;
    let next = -1;
    for (let i = 0; i < candidateCount; i++) {
      const q = 3 * candidates[i];
      const x = points[q] - points[p];
      const y = points[q + 1] - points[p + 1];
      const z = points[q + 2] - points[p + 2];
      const away = Math.sqrt(x * x + y * y + z * z);
      if (away < separations[i]) separations[i] = away;
      const score = separations[i] - 2 * (gaps[i] - least);
      if (score > best) {
        best = score;
        next = i;
      }
    }
    // what is left is nearer to the set than the samples are to each other, or shallow
    if (next < 0 || best < samples.coveringRadius) break;
    last = next;
  }
  return count;
}
