/**
 * How lagged friction of rigid frames depends on where a step starts, in closed form, for derivatives. At the start contact f takes its normal
 * n = r/|r|, its strength s = μ λ(|r|²) and its arms r_A = c_A − p_A − ρ_A n, r_B = c_A − r − p_B + ρ_B n from the offset r and the nearest
 * point c_A of side A, ρ the radii. With the slip Δ = d_A + θ_A × r_A − (d_B + θ_B × r_B) of the step as it is, Λ the same motion by λ, and a, b
 * both across n,
 *   Φ = λ · ∂E/∂x = s g(|a|) a · b,   g = f₁/y (contact/smooth-friction.ts)
 * Offset and nearest points move with the four points of the contact (geometry/distance/closest-pair.ts):
 *   δr = P ρ − Σ Wⱼ (r · δxⱼ),   δcᵢ = −Wᵢ · ρ − Σ (Wᵢ · Wⱼ) (r · δxⱼ),   ρ = Σ cⱼ δxⱼ
 * and over a plane of normal N by δr = N N · (δx − δfoot) + δφ × r.
 * Where a point sees several features, s has the factor c = Σ λₖ / Σ λₖ⁺ as well (terms/point-share.ts):
 *   δ(ln c) = Σ λₖ (1/Σ λ − [λₖ > 0]/Σ λ⁺) δ(ln λₖ)
 */
import { CollisionGeometry } from '../../collision/collisions/collision-geometry.ts';
import { COLLISION } from '../../collision/collisions/surface-collisions.ts';
import { barrierCurvature, barrierSlope, measureBarrierSupport } from '../../contact/barrier.ts';
import { frictionCurvature, frictionSlopeOverSlip } from '../../contact/smooth-friction.ts';
import { pair } from '../../geometry/distance/closest-pair.ts';
import { writeMollifierGradient } from '../../geometry/distance/edge-mollifier.ts';
import { copyInto } from '../../linear-algebra/growth.ts';
import type { IpcObjective } from './ipc-objective.ts';
import { PairBlocks, writeCross } from './terms/pair-blocks.ts';
import { findEndOfPoint, hasNegative } from './terms/point-share.ts';

/** Places within the numbers of a contact: c, W, P, r, four points, ∂(ln m)/∂x, ρ_A and ρ_B, ∂(ln s)/∂|r|², ∂(ln c)/∂(ln λ). */
const AT = {
  weight: 0,
  dual: 4,
  projector: 16,
  offset: 25,
  x: 28,
  mollifier: 40,
  radius: 52,
  rate: 54,
  share: 55,
} as const;
const WIDTH = 56;
/** Whole numbers of a contact: kind, points of side A, frames of the four points; of a plane those of the point and of the plane. */
const PLACES = 6;

const lagged = /* @__PURE__ */ new Float64Array(9);
const spinA = /* @__PURE__ */ new Float64Array(3);
const spinB = /* @__PURE__ */ new Float64Array(3);
const slip = /* @__PURE__ */ new Float64Array(3);
const virtual = /* @__PURE__ */ new Float64Array(3);
const slipBar = /* @__PURE__ */ new Float64Array(3);
const virtualBar = /* @__PURE__ */ new Float64Array(3);
const normalBar = /* @__PURE__ */ new Float64Array(3);
const armBarA = /* @__PURE__ */ new Float64Array(3);
const armBarB = /* @__PURE__ */ new Float64Array(3);
const offsetBar = /* @__PURE__ */ new Float64Array(3);
const bar = /* @__PURE__ */ new Float64Array(3);
const torque = /* @__PURE__ */ new Float64Array(3);
const lever = /* @__PURE__ */ new Float64Array(3);

export class FrictionLag {
  readonly #objective: IpcObjective;
  readonly #geometry = new CollisionGeometry();
  readonly #blocks = new PairBlocks();
  /** Contacts whose force matters, in the order of the list. */
  #count = 0;
  /** Of friction: the contact of each. */
  readonly #frictional: number[] = [];
  /** First contact and end of the features of points that see several, and of each contact of friction the number of its point, or −1. */
  readonly #points: { readonly first: number; readonly end: number }[] = [];
  readonly #pointOf: number[] = [];
  #isKnown = false;
  #numbers = new Float64Array(16 * WIDTH);
  #places = new Int32Array(16 * PLACES);

  constructor(objective: IpcObjective) {
    this.#objective = objective;
  }

  /** Whether all friction of the step is of the kind above. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Takes the contacts of the start of a step, where friction has just been taken. */
  take(): void {
    const { contacts: list, candidates, barrier, rigidFriction, friction } = this.#objective;
    const { pairs } = candidates;
    this.#count = 0;
    this.#frictional.length = this.#points.length = this.#pointOf.length = 0;
    this.#isKnown = friction.count === 0;
    if (!this.#isKnown || rigidFriction.count === 0) return;
    // in the order in which friction takes them (terms/friction-term.ts)
    for (let n = 0; n < list.count; ) {
      const end = findEndOfPoint(list, n);
      if (pairs.friction[list.pair[n]] > 0) {
        if (hasNegative(list, n, end)) this.#addPoint(n, end);
        else for (let k = n; k < end; k++) if (barrier.measureForce(list, pairs, k) > 0) this.#addFrictional(k, -1);
      }
      n = end;
    }
    this.#isKnown = this.#frictional.length === rigidFriction.count;
    for (let f = 0; f < rigidFriction.count && this.#isKnown; f++) this.#isKnown = rigidFriction.isIsotropic(f);
  }

  // the features of a point that share its friction
  #addPoint(first: number, end: number): void {
    const { contacts: list, candidates, barrier } = this.#objective;
    let sum = 0;
    let pushing = 0;
    for (let n = first; n < end; n++) {
      const force = barrier.measureForce(list, candidates.pairs, n);
      sum += force;
      if (force > 0) pushing += force;
    }
    if (!(sum > 0)) return;
    const start = this.#count;
    for (let n = first; n < end; n++) {
      const force = barrier.measureForce(list, candidates.pairs, n);
      if (force === 0) continue;
      if (force > 0) this.#addFrictional(n, this.#points.length);
      else this.#add(n);
      this.#numbers[WIDTH * (this.#count - 1) + AT.share] = force * (1 / sum - (force > 0 ? 1 / pushing : 0));
    }
    this.#points.push({ first: start, end: this.#count });
  }

  #addFrictional(n: number, point: number): void {
    this.#frictional.push(this.#count);
    this.#pointOf.push(point);
    this.#add(n);
  }

  #add(n: number): void {
    const { contacts: list, candidates, surfaces, frames, range } = this.#objective;
    const f = this.#count++;
    if (PLACES * f === this.#places.length) {
      this.#places = copyInto(this.#places, new Int32Array(2 * this.#places.length));
      this.#numbers = copyInto(this.#numbers, new Float64Array(2 * this.#numbers.length));
    }
    const geometry = this.#geometry;
    geometry.read(this.#blocks, list, n, surfaces, frames.current);
    const out = this.#numbers;
    const o = WIDTH * f;
    const i = PLACES * f;
    const isPlane = list.kind[n] === COLLISION.plane;
    const radiusOf = (point: number): number => surfaces.surfaces[surfaces.surfaceOf[point]].radius;
    this.#places[i] = list.kind[n];
    this.#places[i + 1] = geometry.split;
    for (let k = 0; k < 4; k++) this.#places[i + 2 + k] = isPlane ? -1 : surfaces.frameOf[list.part[4 * n + k]];
    for (let k = 0; k < 3; k++) out[o + AT.offset + k] = geometry.offset[k];
    out[o + AT.radius] = radiusOf(list.part[4 * n]);
    out[o + AT.radius + 1] = isPlane ? 0 : radiusOf(list.part[4 * n + 3]);
    const xi = candidates.pairs.separation[list.pair[n]];
    const support = measureBarrierSupport(range, xi);
    const square = list.square[n];
    // s = −2 μ κ w m φ' |r|
    out[o + AT.rate] =
      barrierCurvature(square - xi * xi, support) / barrierSlope(square - xi * xi, support) + 0.5 / square;
    if (isPlane) {
      const point = 3 * list.part[4 * n];
      this.#places[i + 2] = this.#blocks.frameA;
      this.#places[i + 3] = this.#blocks.frameB;
      for (let k = 0; k < 3; k++) out[o + AT.x + k] = surfaces.world[point + k];
      return;
    }
    for (let k = 0; k < 4; k++) out[o + AT.weight + k] = geometry.weights[k];
    for (let k = 0; k < 12; k++) {
      out[o + AT.dual + k] = pair.duals[k];
      out[o + AT.x + k] = geometry.x[k];
    }
    for (let k = 0; k < 9; k++) out[o + AT.projector + k] = geometry.projector[k];
    const m = list.mollifier[n];
    out.fill(0, o + AT.mollifier, o + AT.mollifier + 12);
    if (m === 1) return;
    writeMollifierGradient(out, o + AT.mollifier, geometry.x, 0, list.threshold[n]);
    for (let k = 0; k < 12; k++) out[o + AT.mollifier + k] /= m;
  }

  /**
   * Adds the derivatives of Φ by the start as it is lagged, six numbers per frame, position in the world, turn in the axes of the frame.
   * Displacements at the solution have been taken and differentiated.
   */
  addRate(out: Float64Array, lambda: Float64Array): void {
    const shareBar = new Float64Array(this.#points.length);
    for (let f = 0; f < this.#frictional.length; f++) {
      const strengthBar = this.#reverseSlip(f, lambda);
      const c = this.#frictional[f];
      this.#reverseArms(out, f, c);
      if (this.#pointOf[f] >= 0) shareBar[this.#pointOf[f]] += strengthBar;
      const r = this.#readOffset(c);
      const length = Math.sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
      const along = (normalBar[0] * r[0] + normalBar[1] * r[1] + normalBar[2] * r[2]) / (length * length);
      const push = 2 * strengthBar * this.#numbers[WIDTH * c + AT.rate];
      for (let k = 0; k < 3; k++) offsetBar[k] = (normalBar[k] - along * r[k]) / length - armBarB[k] + push * r[k];
      if (this.#places[PLACES * c] === COLLISION.plane) this.#reversePlane(out, c, r, length);
      else this.#reversePoints(out, c, r, strengthBar);
    }
    armBarA.fill(0);
    armBarB.fill(0);
    for (const [p, { first, end }] of this.#points.entries()) {
      for (let c = first; c < end; c++) {
        const r = this.#readOffset(c);
        const push = 2 * shareBar[p] * this.#numbers[WIDTH * c + AT.share] * this.#numbers[WIDTH * c + AT.rate];
        for (let k = 0; k < 3; k++) offsetBar[k] = push * r[k];
        this.#reversePoints(out, c, r, 0);
      }
    }
  }

  #readOffset(c: number): Float64Array {
    const o = WIDTH * c + AT.offset;
    return this.#numbers.subarray(o, o + 3);
  }

  // to the bars of n, r_A and r_B; the one of ln s
  #reverseSlip(f: number, lambda: Float64Array): number {
    const { rigidFriction, displacement, scale } = this.#objective;
    const { step, inverse } = displacement;
    const strength = scale * rigidFriction.readLagged(lagged, f);
    const a = rigidFriction.frameOf(f, 0);
    const b = rigidFriction.frameOf(f, 1);
    for (let k = 0; k < 3; k++) {
      slip[k] = step[6 * a + k] - step[6 * b + k];
      virtual[k] = lambda[6 * a + k] - lambda[6 * b + k];
      spinA[k] = spinB[k] = 0;
      for (let c = 0; c < 3; c++) {
        spinA[k] += inverse[9 * a + 3 * k + c] * lambda[6 * a + 3 + c];
        spinB[k] += inverse[9 * b + 3 * k + c] * lambda[6 * b + 3 + c];
      }
    }
    addCross(slip, step, 6 * a + 3, lagged, 3, 1);
    addCross(slip, step, 6 * b + 3, lagged, 6, -1);
    addCross(virtual, spinA, 0, lagged, 3, 1);
    addCross(virtual, spinB, 0, lagged, 6, -1);
    const slipNormal = slip[0] * lagged[0] + slip[1] * lagged[1] + slip[2] * lagged[2];
    const virtualNormal = virtual[0] * lagged[0] + virtual[1] * lagged[1] + virtual[2] * lagged[2];
    let square = 0;
    let product = 0;
    for (let k = 0; k < 3; k++) {
      const across = slip[k] - slipNormal * lagged[k];
      square += across * across;
      product += across * virtual[k];
    }
    const y = Math.sqrt(square);
    const first = strength * frictionSlopeOverSlip(y, rigidFriction.smoothing);
    const second = y > 0 ? strength * frictionCurvature(y, rigidFriction.smoothing) * product : 0;
    for (let k = 0; k < 3; k++) {
      const own = slip[k] - slipNormal * lagged[k];
      slipBar[k] = first * (virtual[k] - virtualNormal * lagged[k]) + second * own;
      virtualBar[k] = first * own;
      normalBar[k] = -first * (virtualNormal * slip[k] + slipNormal * virtual[k]) - second * slipNormal * slip[k];
      armBarA[k] = armBarB[k] = 0;
    }
    addCross(armBarA, slipBar, 0, step, 6 * a + 3, 1);
    addCross(armBarA, virtualBar, 0, spinA, 0, 1);
    addCross(armBarB, slipBar, 0, step, 6 * b + 3, -1);
    addCross(armBarB, virtualBar, 0, spinB, 0, -1);
    return first * product;
  }

  // arms begin at the origins, and end on the surfaces
  #reverseArms(out: Float64Array, f: number, c: number): void {
    const { rigidFriction, frames } = this.#objective;
    const o = WIDTH * c + AT.radius;
    const a = rigidFriction.frameOf(f, 0);
    const b = rigidFriction.frameOf(f, 1);
    for (let k = 0; k < 3; k++) {
      if (a < frames.moving) out[6 * a + k] -= armBarA[k];
      if (b < frames.moving) out[6 * b + k] -= armBarB[k];
      normalBar[k] += this.#numbers[o + 1] * armBarB[k] - this.#numbers[o] * armBarA[k];
    }
  }

  #reversePlane(out: Float64Array, f: number, r: Float64Array, length: number): void {
    const { moving, start } = this.#objective.frames;
    const x = WIDTH * f + AT.x;
    const plane = this.#places[PLACES * f + 3];
    const along = (offsetBar[0] * r[0] + offsetBar[1] * r[1] + offsetBar[2] * r[2]) / (length * length);
    for (let k = 0; k < 3; k++) bar[k] = along * r[k] + armBarA[k] + armBarB[k];
    this.#pushPoint(out, this.#places[PLACES * f + 2], this.#numbers, x);
    if (plane >= moving) return;
    for (let k = 0; k < 3; k++) {
      bar[k] = -along * r[k];
      // the foot of the point
      lever[k] = this.#numbers[x + k] - r[k];
    }
    this.#pushPoint(out, plane, lever, 0);
    writeCross(torque, 0, r, offsetBar, 1);
    this.#addTurn(out, plane, start.rotation);
  }

  #reversePoints(out: Float64Array, f: number, r: Float64Array, strengthBar: number): void {
    const n = this.#numbers;
    const o = WIDTH * f;
    const i = PLACES * f;
    const split = this.#places[i + 1];
    const w = o + AT.dual;
    // c_A of an edge moves along it
    let along = 0;
    if (split === 2)
      for (let k = 0; k < 3; k++) along += (n[o + AT.x + 3 + k] - n[o + AT.x + k]) * (armBarA[k] + armBarB[k]);
    for (let j = 0; j < 4; j++) {
      const c = n[o + AT.weight + j];
      let across = 0;
      let dot = 0;
      for (let k = 0; k < 3; k++) {
        across += n[w + 3 * j + k] * offsetBar[k];
        dot += n[w + 3 * j + k] * n[w + 3 + k];
      }
      for (let k = 0; k < 3; k++) {
        let sum = -across * r[k] - along * (c * n[w + 3 + k] + dot * r[k]);
        for (let m = 0; m < 3; m++) sum += c * n[o + AT.projector + 3 * k + m] * offsetBar[m];
        if (j < split) sum += c * (armBarA[k] + armBarB[k]);
        bar[k] = sum + strengthBar * n[o + AT.mollifier + 3 * j + k];
      }
      this.#pushPoint(out, this.#places[i + 2 + j], n, o + AT.x + 3 * j);
    }
  }

  // `bar` at a point of a frame
  #pushPoint(out: Float64Array, frame: number, x: Float64Array, at: number): void {
    const { moving, start } = this.#objective.frames;
    if (frame < 0 || frame >= moving) return;
    for (let k = 0; k < 3; k++) {
      out[6 * frame + k] += bar[k];
      lever[k] = x[at + k] - start.position[3 * frame + k];
    }
    writeCross(torque, 0, lever, bar, 1);
    this.#addTurn(out, frame, start.rotation);
  }

  // `torque` to the axes of a frame
  #addTurn(out: Float64Array, frame: number, rotation: Float64Array): void {
    for (let k = 0; k < 3; k++)
      for (let m = 0; m < 3; m++) out[6 * frame + 3 + k] += rotation[9 * frame + 3 * m + k] * torque[m];
  }
}

// out += scale a × b
function addCross(out: Float64Array, a: Float64Array, i: number, b: Float64Array, j: number, scale: number): void {
  out[0] += scale * (a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1]);
  out[1] += scale * (a[i + 2] * b[j] - a[i] * b[j + 2]);
  out[2] += scale * (a[i] * b[j + 1] - a[i + 1] * b[j]);
}
