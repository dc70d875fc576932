/**
 * How contacts move with their shapes. A common motion of both shapes carries point and normal along; a small motion of shape 2 against
 * shape 1, a displacement τ of its material at the contact point p and a rotation θ, changes them by
 *   δp = P (τ, θ)      δn = N (τ, θ)      δφ = g · (τ, θ)
 * with the features that touch held fixed. In closed form for what stands on a plane and for two spheres:
 *   plane     a point w = p + n (r + φ/2) of shape 2 at a height r over it:  δw = τ + θ × (w − p),  δφ = n · δw,  δp = δw − n δφ/2,  δn = 0
 *   spheres   δn = (δc − n n·δc)/d,  d distance of the centres, δc of the second one
 * For all other pairs by centred differences of the test of the pair alone, twelve evaluations.
 */
import { ContactPoints } from '../geometry/contact-points.ts';
import type { PairTest } from '../geometry/pair-test.ts';
import type { PlacedShape } from '../geometry/placed-shape.ts';
import { SHAPE } from '../geometry/shape-kind.ts';
import type { CollisionPlan } from './collision-plan.ts';
import type { ContactSet } from './contact-set.ts';

/** Length of differences, m for parts of the size of a metre, and rad. */
const DIFFERENCE = 1e-6;

export class ContactMotion {
  /** Per contact: P and N, 3 × 6 row by row, and g, six numbers. */
  pointRate: Float64Array = new Float64Array(0);
  normalRate: Float64Array = new Float64Array(0);
  gapRate: Float64Array = new Float64Array(0);
  /** Whether features change at the configuration itself, as of faces that lie on each other exactly: rates are the mean of both sides. */
  hasKink = false;
  readonly #points = new ContactPoints();

  /** Writes the rates of all contacts that are needed; false where those of some cannot be had, as where a small motion changes the features. */
  differentiate(plan: CollisionPlan, contacts: ContactSet, isNeeded: (contact: number) => boolean): boolean {
    const { count, pair } = contacts;
    this.hasKink = false;
    if (this.gapRate.length < 6 * count) {
      this.pointRate = new Float64Array(18 * count);
      this.normalRate = new Float64Array(18 * count);
      this.gapRate = new Float64Array(6 * count);
    }
    for (let first = 0, end = 0; first < count; first = end) {
      let isPairNeeded = isNeeded(first);
      for (end = first + 1; end < count && pair[end] === pair[first]; end++) isPairNeeded ||= isNeeded(end);
      if (isPairNeeded && !this.#differentiatePair(plan, contacts, first, end)) return false;
    }
    return true;
  }

  #differentiatePair(plan: CollisionPlan, contacts: ContactSet, first: number, end: number): boolean {
    const a = plan.placed[contacts.shape1[first]];
    const b = plan.placed[contacts.shape2[first]];
    if (a.kind === SHAPE.plane && isPointed(b.kind)) {
      const radius = b.kind === SHAPE.box ? 0 : b.size[0];
      for (let i = first; i < end; i++) this.#standOnPlane(contacts, i, radius);
      return true;
    }
    if (a.kind === SHAPE.sphere && b.kind === SHAPE.sphere) {
      this.#touchSpheres(contacts, first, a.size[0], b.size[0]);
      return true;
    }
    const test = plan.findTest(a.kind, b.kind);
    return test !== undefined && this.#takeDifferences(test, contacts, first, end, a, b);
  }

  #standOnPlane({ frame, gap }: ContactSet, i: number, radius: number): void {
    const n = 9 * i;
    const o = 18 * i;
    const lever = radius + 0.5 * gap[i];
    this.normalRate.fill(0, o, o + 18);
    for (let c = 0; c < 3; c++) {
      this.gapRate[6 * i + c] = frame[n + c];
      this.gapRate[6 * i + 3 + c] = 0; // n · (θ × n)
      for (let r = 0; r < 3; r++) this.pointRate[o + 6 * r + c] = (r === c ? 1 : 0) - 0.5 * frame[n + r] * frame[n + c];
    }
    writeCross(this.pointRate, o, frame, n, lever);
  }

  #touchSpheres({ frame, gap }: ContactSet, i: number, radius1: number, radius2: number): void {
    const n = 9 * i;
    const o = 18 * i;
    const distance = radius1 + radius2 + gap[i];
    const along = (radius1 + 0.5 * gap[i]) / distance;
    const lever = radius2 + 0.5 * gap[i];
    for (let c = 0; c < 3; c++) {
      this.gapRate[6 * i + c] = frame[n + c];
      this.gapRate[6 * i + 3 + c] = 0;
      for (let r = 0; r < 3; r++) {
        const across = (r === c ? 1 : 0) - frame[n + r] * frame[n + c];
        this.normalRate[o + 6 * r + c] = across / distance;
        this.pointRate[o + 6 * r + c] = along * across + 0.5 * frame[n + r] * frame[n + c];
      }
    }
    writeCross(this.normalRate, o, frame, n, lever / distance);
    writeCross(this.pointRate, o, frame, n, along * lever);
  }

  #takeDifferences(
    test: PairTest,
    contacts: ContactSet,
    first: number,
    end: number,
    a: PlacedShape,
    b: PlacedShape,
  ): boolean {
    // farther than contacts are looked for, so that the shifted ones are found as well
    let reach = 0;
    for (let i = first; i < end; i++) reach = Math.max(reach, contacts.gap[i]);
    reach += 1e-4;
    const size = Math.max(Math.abs(b.size[0]), Math.abs(b.size[1]), Math.abs(b.size[2]));
    const length = DIFFERENCE * (size > 0 && size < 1 ? size : 1);
    const position = b.position.slice();
    const rotation = b.rotation.slice();
    let isKnown = true;
    for (let column = 0; column < 6 && isKnown; column++) {
      const step = column < 3 ? length : DIFFERENCE;
      for (const sign of [1, -1]) {
        if (column < 3) b.position[column] += sign * step;
        else turn(b.rotation, rotation, column - 3, sign * step);
        this.#points.clear();
        test(this.#points, a, b, reach);
        b.position.set(position);
        b.rotation.set(rotation);
        isKnown &&= this.#addDifference(contacts, first, end, column, sign, 1 / (2 * step));
      }
    }
    if (isKnown) for (let i = first; i < end; i++) this.#moveToPoint(contacts, i, position);
    return isKnown;
  }

  #addDifference(
    contacts: ContactSet,
    first: number,
    end: number,
    column: number,
    sign: number,
    scale: number,
  ): boolean {
    const points = this.#points;
    for (let i = first; i < end; i++) {
      const k = findPoint(points, contacts, i);
      if (k < 0) return false;
      if (points.feature[k] !== contacts.feature[i]) this.hasKink = true;
      for (let r = 0; r < 3; r++) {
        const o = 18 * i + 6 * r + column;
        const p = sign * scale * points.position[3 * k + r];
        const n = sign * scale * points.normal[3 * k + r];
        this.pointRate[o] = sign > 0 ? p : this.pointRate[o] + p;
        this.normalRate[o] = sign > 0 ? n : this.normalRate[o] + n;
      }
      const g = sign * scale * points.gap[k];
      this.gapRate[6 * i + column] = sign > 0 ? g : this.gapRate[6 * i + column] + g;
    }
    return true;
  }

  // from motions of the origin of the shape to those of its material at the point: the origin moves by τ + r × θ, r = p − origin
  #moveToPoint({ position }: ContactSet, i: number, origin: Float64Array): void {
    const x = position[3 * i] - origin[0];
    const y = position[3 * i + 1] - origin[1];
    const z = position[3 * i + 2] - origin[2];
    const move = (rate: Float64Array, o: number): void => {
      const tx = rate[o];
      const ty = rate[o + 1];
      const tz = rate[o + 2];
      rate[o + 3] += ty * z - tz * y;
      rate[o + 4] += tz * x - tx * z;
      rate[o + 5] += tx * y - ty * x;
    };
    for (let r = 0; r < 3; r++) {
      move(this.pointRate, 18 * i + 6 * r);
      move(this.normalRate, 18 * i + 6 * r);
    }
    move(this.gapRate, 6 * i);
  }
}

function isPointed(kind: number): boolean {
  return kind === SHAPE.sphere || kind === SHAPE.capsule || kind === SHAPE.box;
}

// columns of θ: θ × (n · lever), row by row at o + 3
function writeCross(out: Float64Array, o: number, normal: Float64Array, n: number, lever: number): void {
  const x = lever * normal[n];
  const y = lever * normal[n + 1];
  const z = lever * normal[n + 2];
  out[o + 3] = 0;
  out[o + 4] = z;
  out[o + 5] = -y;
  out[o + 9] = -z;
  out[o + 10] = 0;
  out[o + 11] = x;
  out[o + 15] = y;
  out[o + 16] = -x;
  out[o + 17] = 0;
}

/** Most that a point moves in a difference, m: one that is farther belongs to other features. */
const MOST_MOVE = 1e-4;

// the nearest point of the same feature; of faces that lie on each other exactly, corners of one take the place of those of the other
function findPoint(points: ContactPoints, contacts: ContactSet, i: number): number {
  let best = -1;
  let least = MOST_MOVE * MOST_MOVE;
  let isSame = false;
  for (let k = 0; k < points.count; k++) {
    let square = 0;
    for (let r = 0; r < 3; r++) square += (points.position[3 * k + r] - contacts.position[3 * i + r]) ** 2;
    const fits = points.feature[k] === contacts.feature[i];
    if (square > MOST_MOVE * MOST_MOVE || (isSame && !fits)) continue;
    if (square >= least && (isSame || !fits)) continue;
    least = square;
    best = k;
    isSame = fits;
  }
  return best;
}

// out = exp(angle e_axis) R
function turn(out: Float64Array, from: Float64Array, axis: number, angle: number): void {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  for (let k = 0; k < 3; k++) {
    out[3 * u + k] = c * from[3 * u + k] - s * from[3 * v + k];
    out[3 * v + k] = s * from[3 * u + k] + c * from[3 * v + k];
  }
}
