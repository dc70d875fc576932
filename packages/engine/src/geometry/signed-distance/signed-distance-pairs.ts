/**
 * Contacts of any shape with a signed-distance shape: samples of one in the field φ of the other.
 *
 *   gap = φ(x) − r,   normal = ∓∇φ,   r the radius of the balls around the samples (spheres and capsules; else 0)
 *
 * Samples of A in the field of B, or the other way round for planes and terrain and where B is the smaller. A
 * surface point that is missed is deeper than all reported ones by no more than ρ + e, ρ the covering radius of the samples and e the
 * error of the field (boundMissedDepth). In practice less, since each chosen sample is first moved downhill within ρ. Spheres
 * are exact up to e. At most nine points are reported, spread over the contact.
 */
import type { ContactPoints } from '../contact-points.ts';
import type { PairTest } from '../pair-test.ts';
import type { PlacedShape } from '../placed-shape.ts';
import { type ContactSurface, findContactSurface } from './contact-surface.ts';
import type { SignedDistanceField } from './field.ts';
import { relateFrames } from './field-frame.ts';
import { chooseSamples, findLeastGap, MAX_CHOSEN } from './sample-candidates.ts';
import { descend, SurfaceFoot, startAtSample } from './sample-descent.ts';

/** B is a signed-distance shape, A any shape. */
export const testSignedDistancePair: PairTest = (out, a, b, reach) => {
  const surfaceA = findContactSurface(a);
  const surfaceB = findContactSurface(b);
  if (isSampledOnB(surfaceA, surfaceB)) addSampleContacts(out, b, surfaceB, a, surfaceA.field!, reach, 1);
  else addSampleContacts(out, a, surfaceA, b, surfaceB.field!, reach, -1);
};

/**
 * By how much a surface point may be deeper than every reported contact, m: the covering radius of the samples plus the error
 * of the field they are tested in.
 */
export function boundMissedDepth(a: PlacedShape, b: PlacedShape): number {
  const surfaceA = findContactSurface(a);
  const surfaceB = findContactSurface(b);
  return isSampledOnB(surfaceA, surfaceB) ? missedBy(surfaceB, surfaceA.field) : missedBy(surfaceA, surfaceB.field);
}

// samples of A unless A has none or those of B are finer: then B is the smaller shape. (A shape all inside another is only
// noticed by its own samples, so the errors of the fields are no ground for the choice.)
function isSampledOnB(a: ContactSurface, b: ContactSurface): boolean {
  if (b.samples === undefined || a.field === undefined) return false;
  return a.samples === undefined || b.samples.coveringRadius < a.samples.coveringRadius;
}

function missedBy(surface: ContactSurface, field: SignedDistanceField | undefined): number {
  if (surface.samples === undefined || field === undefined) return Infinity;
  return surface.samples.coveringRadius * field.lipschitz + field.errorBound;
}

// samples of S in the field of F; `side` is +1 if the normal points from F to S
function addSampleContacts(
  out: ContactPoints,
  s: PlacedShape,
  surface: ContactSurface,
  f: PlacedShape,
  field: SignedDistanceField,
  reach: number,
  side: number,
): void {
  const samples = surface.samples!;
  const covering = samples.coveringRadius * field.lipschitz;
  relateFrames(s, f);
  // without a limit: samples about as close as the closest one
  const limit = reach < Infinity ? reach : Math.max(findLeastGap(samples, field), 0) + covering;
  // samples farther than the limit may represent surface within it
  const count = chooseSamples(chosen, samples, field, limit + covering);
  let added = 0;
  for (let i = 0; i < count; i++) {
    // the deepest goes down freely, the others stay where they stand
    const reachOfSample = i === 0 ? Infinity : samples.coveringRadius;
    const value = descend(at, surface, field, startAtSample(at, surface, chosen[i], field), reachOfSample);
    const gap = value - samples.radius;
    if (!(gap <= reach) || isNearAdded(added, 0.5 * samples.coveringRadius)) continue;
    for (let k = 0; k < 3; k++) addedFeet[3 * added + k] = foot[k];
    added++;
    addContact(out, s, gap, samples.radius, side, chosen[i]);
  }
}

const at = /* @__PURE__ */ new SurfaceFoot();
const { foot, slope } = at;
const chosen = /* @__PURE__ */ new Int32Array(MAX_CHOSEN);
const addedFeet = /* @__PURE__ */ new Float64Array(3 * MAX_CHOSEN);

function isNearAdded(added: number, distance: number): boolean {
  for (let i = 0; i < added; i++) {
    const x = addedFeet[3 * i] - foot[0];
    const y = addedFeet[3 * i + 1] - foot[1];
    const z = addedFeet[3 * i + 2] - foot[2];
    if (x * x + y * y + z * z < distance * distance) return true;
  }
  return false;
}

// from foot and slope in the frame of S to the world: half way between the ball's surface x − r ∇φ and that of F
function addContact(
  out: ContactPoints,
  s: PlacedShape,
  gap: number,
  radius: number,
  side: number,
  feature: number,
): void {
  const { rotation: r, position: p } = s;
  const gx = r[0] * slope[0] + r[1] * slope[1] + r[2] * slope[2];
  const gy = r[3] * slope[0] + r[4] * slope[1] + r[5] * slope[2];
  const gz = r[6] * slope[0] + r[7] * slope[1] + r[8] * slope[2];
  const back = radius + 0.5 * gap;
  out.add(
    p[0] + r[0] * foot[0] + r[1] * foot[1] + r[2] * foot[2] - back * gx,
    p[1] + r[3] * foot[0] + r[4] * foot[1] + r[5] * foot[2] - back * gy,
    p[2] + r[6] * foot[0] + r[7] * foot[1] + r[8] * foot[2] - back * gz,
    side * gx,
    side * gy,
    side * gz,
    gap,
    feature,
  );
}
