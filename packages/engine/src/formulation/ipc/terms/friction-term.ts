/**
 * Lagged, smoothed friction of contacts of surfaces. Contacts of two rigid frames are in rigid-friction.ts; this file has
 * contacts with soft bodies, as a function of the positions of their points:
 *   E = h² Σ μ λ f₀(|u|),   u = Tᵀ Σ cᵢ (xᵢ − x̄ᵢ + wᵢ)      T = [μ₁ t₁, μ₂ t₂]/μ, μ the larger of the two
 * x̄ᵢ position of a point at the last lagging, wᵢ its displacement in the step until then: of a soft vertex since the start of the step, of a
 * rigid frame by the velocity the step would end with, d + φ × r (incremental-displacement.ts), m;
 *   ε = h ε_v the slip below which f₀ is smoothed (contact/smooth-friction.ts)
 * Points of a ball or capsule count on its surface, R s beyond its core, s fixed to its frame at the lagging: so it rolls.
 * λ N, tangents T and weights cᵢ of the nearest points are those of the last lagging; u slip of the step, m.
 * Source: Li et al. (2020), section 5.
 */

import type { SurfacePairs } from '../../../collision/candidates/surface-pairs.ts';
import { CollisionGeometry, writeCollisionKey } from '../../../collision/collisions/collision-geometry.ts';
import { COLLISION, type SurfaceCollisions } from '../../../collision/collisions/surface-collisions.ts';
import { WitnessPoints } from '../../../collision/collisions/witness-points.ts';
import { writeContactFrame } from '../../../collision/contact-frame.ts';
import type { SurfaceSet } from '../../../collision/surface/surface-set.ts';
import { frictionCurvature, frictionPotential, frictionSlopeOverSlip } from '../../../contact/smooth-friction.ts';
import type { FramePoses } from '../../../dynamics/frames.ts';
import { copyInto } from '../../../linear-algebra/growth.ts';
import type { BodyMatrix } from '../body-matrix.ts';
import type { BarrierTerm } from './barrier-term.ts';
import type { IncrementalDisplacement } from './incremental-displacement.ts';
import type { LaggedContact } from './lagged-contact.ts';
import { LaggedKeys } from './lagged-keys.ts';
import { PairBlocks } from './pair-blocks.ts';
import type { PointBlocks } from './point-blocks.ts';
import { PointShare } from './point-share.ts';
import type { RigidFriction } from './rigid-friction.ts';
import { SoftContact } from './soft-contact.ts';

const frame = /* @__PURE__ */ new Float64Array(9);
const shift = /* @__PURE__ */ new Float64Array(3);
const turned = /* @__PURE__ */ new Float64Array(3);
/** Weights of a point and its foot on a plane. */
const overPlane = /* @__PURE__ */ Float64Array.of(1, -1, 0, 0);

export class FrictionTerm {
  count = 0;
  /** ε, m. */
  smoothing = 1;
  /** Whether `add` gives a Hessian that bounds E from above (rigid-friction.ts). */
  isBounding = false;
  readonly #set: SurfaceSet;
  readonly #blocks = new PairBlocks();
  readonly #geometry = new CollisionGeometry();
  readonly #witness = new WitnessPoints();
  readonly #points = new SoftContact();
  readonly #keys = new LaggedKeys();
  readonly #pointShare = new PointShare();
  /** Share of the new forces in the current lagging. */
  #share = 1;
  #part = new Int32Array(256);
  #weights = new Float64Array(256);
  #tangents = new Float64Array(384);
  /** Frame of a rigid side with a radius, or −1; ±s: from its core to its surface, in the frame, with the sign of its side, m. */
  #round = new Int32Array(64);
  #shift = new Float64Array(192);
  /** Frame of the plane below, or −1, and the foot of the point in it, m: planes may move. */
  #ground = new Int32Array(64);
  #foot = new Float64Array(192);
  /** μ λ, N, and Tᵀ Σ cᵢ xᵢ at the lagging less what had slid by then, m. */
  #strength = new Float64Array(64);
  /** μ and its shares. */
  #friction = new Float64Array(64);
  #anisotropy = new Float64Array(128);
  #reference = new Float64Array(128);
  /** Points at the start of the step. */
  readonly #start: Float64Array;
  readonly #slip = new Float64Array(2);
  readonly #displacement = new Float64Array(3);

  constructor(set: SurfaceSet) {
    this.#set = set;
    this.#start = new Float64Array(set.world.length);
  }

  /** Takes the points of the set as those at the start of the step. */
  begin(smoothing: number): void {
    this.smoothing = smoothing;
    this.#start.set(this.#set.world);
  }

  /** Takes normal forces, tangents and nearest points of the contacts at the points in the set; those of rigid frames to `rigidFriction`. */
  lag(
    list: SurfaceCollisions,
    pairs: SurfacePairs,
    barrier: BarrierTerm,
    poses: FramePoses,
    displacement: IncrementalDisplacement,
    rigidFriction: RigidFriction,
    share: number,
  ): void {
    const geometry = this.#geometry;
    const blocks = this.#blocks;
    this.#beginLag(share);
    for (let n = 0; n < list.count; n++) {
      const friction = pairs.friction[list.pair[n]];
      const part = this.#pointShare.measure(list, pairs, barrier, n);
      if (friction === 0 || list.weight[n] <= 0) continue;
      const strength = friction * part * barrier.measureForce(list, pairs, n);
      if (!(strength > 0)) continue;
      geometry.read(blocks, list, n, this.#set, poses);
      const { anisotropy } = this.#witness;
      this.#witness.friction = friction;
      for (let k = 0; k < 2; k++) anisotropy[k] = pairs.anisotropy[2 * list.pair[n] + k];
      if (list.isSoft(n, this.#set)) {
        this.#append(list, n, strength, poses, displacement);
        continue;
      }
      geometry.writeWitnessPoints(this.#witness, blocks, list, n, this.#set, poses);
      rigidFriction.append(this.#witness, strength, poses);
    }
  }

  // those of before keep what the new ones leave
  #beginLag(share: number): void {
    this.#share = share;
    if (share === 1) this.count = 0;
    for (let f = 0; f < this.count; f++) this.#strength[f] *= 1 - share;
    if (share < 1) this.#keys.index(this.count);
  }

  #append(
    list: SurfaceCollisions,
    n: number,
    strength: number,
    poses: FramePoses,
    displacement: IncrementalDisplacement,
  ): void {
    const { offset, weights } = this.#geometry;
    writeCollisionKey(this.#witness.key, list, n);
    const known = this.#share === 1 ? -1 : this.#keys.find(this.#witness.key);
    const f = known >= 0 ? known : this.count++;
    if (f === this.#strength.length) this.#grow();
    this.#keys.set(f, this.#witness.key);
    const length = Math.sqrt(offset[0] ** 2 + offset[1] ** 2 + offset[2] ** 2);
    writeContactFrame(frame, 0, offset[0] / length, offset[1] / length, offset[2] / length, 0, 0, 0);
    const isPlane = list.kind[n] === COLLISION.plane;
    this.#strength[f] = this.#share * strength + (known >= 0 ? this.#strength[f] : 0);
    const { anisotropy, friction } = this.#witness;
    this.#friction[f] = friction;
    for (let k = 0; k < 2; k++) this.#anisotropy[2 * f + k] = anisotropy[k];
    for (let k = 0; k < 6; k++) this.#tangents[6 * f + k] = anisotropy[k < 3 ? 0 : 1] * frame[3 + k];
    for (let i = 0; i < 4; i++) {
      this.#part[4 * f + i] = isPlane && i > 0 ? list.part[4 * n] : list.part[4 * n + i];
      this.#weights[4 * f + i] = weights[i];
    }
    this.#ground[f] = isPlane ? this.#set.planes[list.part[4 * n + 1]].frame : -1;
    if (isPlane) this.#findFoot(this.#foot, 3 * f, list.part[4 * n], this.#ground[f], offset, poses);
    this.#round[f] = this.#findRound(list, n, poses);
    for (let k = 0; k < 3; k++) this.#shift[3 * f + k] = shift[k];
    this.#reference[2 * f] = this.#reference[2 * f + 1] = 0;
    this.#measureSlip(f, this.#set.world, poses);
    // where the surfaces are less how far they have slid
    const way = this.measureSlipOf(list, n, this.#geometry, poses, displacement);
    for (let k = 0; k < 2; k++) {
      const t = 6 * f + 3 * k;
      const u = this.#tangents[t] * way[0] + this.#tangents[t + 1] * way[1] + this.#tangents[t + 2] * way[2];
      this.#reference[2 * f + k] = this.#slip[k] - u;
    }
  }

  // the point of frame g below point v, in that frame
  #findFoot(out: Float64Array, o: number, v: number, g: number, offset: Float64Array, poses: FramePoses): void {
    const { world } = this.#set;
    const { position, rotation } = poses;
    for (let k = 0; k < 3; k++) {
      out[o + k] = 0;
      for (let j = 0; j < 3; j++)
        out[o + k] += rotation[9 * g + 3 * j + k] * (world[3 * v + j] - offset[j] - position[3 * g + j]);
    }
  }

  // the frame of the rigid side of the contact read last that has a radius, or −1; ±s in its frame to `shift`
  #findRound(list: SurfaceCollisions, n: number, { rotation }: FramePoses): number {
    const { surfaces, surfaceOf } = this.#set;
    const { offset } = this.#geometry;
    shift.fill(0);
    for (const side of list.kind[n] === COLLISION.plane ? [0] : [0, 3]) {
      const { radius, soft, frame: f } = surfaces[surfaceOf[list.part[4 * n + side]]];
      if (!(radius > 0) || soft >= 0) continue;
      // side A goes against the normal; side B along it, and counts with minus
      const scale = -radius / Math.sqrt(offset[0] ** 2 + offset[1] ** 2 + offset[2] ** 2);
      for (let k = 0; k < 3; k++)
        for (let j = 0; j < 3; j++) shift[k] += scale * rotation[9 * f + 3 * j + k] * offset[j];
      return f;
    }
    return -1;
  }

  value(poses: FramePoses, scale: number): number {
    let energy = 0;
    const e = this.smoothing;
    for (let f = 0; f < this.count; f++) {
      const y = this.#measureSlip(f, this.#set.world, poses);
      energy += this.#strength[f] * frictionPotential(y, e);
    }
    return scale * energy;
  }

  add(matrix: BodyMatrix, poses: FramePoses, scale: number, isProjected: boolean): void {
    const blocks = this.#blocks;
    const e = this.smoothing;
    const { world } = this.#set;
    for (let f = 0; f < this.count; f++) {
      const y = this.#measureSlip(f, world, poses);
      const u = this.#slip[0];
      const v = this.#slip[1];
      const strength = scale * this.#strength[f];
      // f₁/y and (f₂ y − f₁)/y³; without the latter a bound from above
      const first = strength * frictionSlopeOverSlip(y, e);
      const second = y > 0 && !this.isBounding ? strength * frictionCurvature(y, e) : 0;
      const t = this.#tangents;
      const o = 6 * f;
      for (let i = 0; i < 3; i++) {
        const ti = t[o + i];
        const bi = t[o + 3 + i];
        blocks.force[i] = first * (u * ti + v * bi);
        const si = u * ti + v * bi;
        for (let j = 0; j < 3; j++) {
          const sj = u * t[o + j] + v * t[o + 3 + j];
          blocks.stiffness[3 * i + j] = first * (ti * t[o + j] + bi * t[o + 3 + j]) + second * si * sj;
        }
      }
      // without the curvature of exp the Hessian is positive semidefinite as it stands
      this.#points.readWeighted(this.#part, 4 * f, this.#weights, this.#set);
      if (this.#round[f] >= 0) this.#shiftPoints(f, poses);
      if (this.#ground[f] >= 0) {
        this.#addFoot(f, poses);
        this.#points.spread(overPlane, 0, blocks.force, blocks.stiffness);
      } else {
        this.#points.spread(this.#weights, 4 * f, blocks.force, blocks.stiffness);
      }
      this.#points.blocks.addTo(matrix, poses, !isProjected);
    }
  }

  /** The points of contact f, its foot on a plane among them, at the poses that the points of the set were placed by. */
  readPoints(f: number, poses: FramePoses): PointBlocks {
    this.#points.readWeighted(this.#part, 4 * f, this.#weights, this.#set);
    if (this.#round[f] >= 0) this.#shiftPoints(f, poses);
    if (this.#ground[f] >= 0) this.#addFoot(f, poses);
    return this.#points.blocks;
  }

  /** cᵢ of point i of those. */
  weightOf(f: number, i: number): number {
    return this.#ground[f] >= 0 ? overPlane[i] : this.#weights[4 * f + i];
  }

  /** Takes the points of a set and poses as those from which all contacts slide. */
  slideFrom(world: Float64Array, poses: FramePoses): void {
    this.#reference.fill(0);
    for (let f = 0; f < this.count; f++) {
      this.#measureSlip(f, world, poses);
      for (let k = 0; k < 2; k++) this.#reference[2 * f + k] = this.#slip[k];
    }
  }

  /** Force of contact f along Σ cᵢ xᵢ, ∂E/∂(Σ cᵢ xᵢ), and where `along` is given also its change along this. */
  writeSlope(out: Float64Array, f: number, poses: FramePoses, scale: number, along?: Float64Array): void {
    const y = this.#measureSlip(f, this.#set.world, poses);
    const [u, v] = this.#slip;
    const strength = scale * this.#strength[f];
    const first = strength * frictionSlopeOverSlip(y, this.smoothing);
    const t = this.#tangents;
    const o = 6 * f;
    let one = first * u;
    let two = first * v;
    if (along) {
      const second = y > 0 ? strength * frictionCurvature(y, this.smoothing) : 0;
      const p = t[o] * along[0] + t[o + 1] * along[1] + t[o + 2] * along[2];
      const q = t[o + 3] * along[0] + t[o + 4] * along[1] + t[o + 5] * along[2];
      const sum = second * (u * p + v * q);
      one = first * p + sum * u;
      two = first * q + sum * v;
    }
    for (let k = 0; k < 3; k++) out[k] = one * t[o + k] + two * t[o + 3 + k];
  }

  /** Friction of contact f at the poses that the points of the set were placed by. */
  readForce(out: LaggedContact, f: number, poses: FramePoses): void {
    const y = this.#measureSlip(f, this.#set.world, poses);
    const share = -this.#strength[f] * frictionSlopeOverSlip(y, this.smoothing);
    const u = share * this.#slip[0];
    const v = share * this.#slip[1];
    const t = this.#tangents;
    const o = 6 * f;
    out.friction = this.#friction[f];
    out.isSticking = y < this.smoothing;
    this.#keys.read(out.key, f);
    for (let k = 0; k < 2; k++) out.anisotropy[k] = this.#anisotropy[2 * f + k];
    for (let k = 0; k < 4; k++) out.weights[k] = this.#weights[4 * f + k];
    this.#points.readWeighted(this.#part, 4 * f, this.#weights, this.#set);
    if (this.#round[f] >= 0) this.#shiftPoints(f, poses);
    if (this.#ground[f] >= 0) this.#addFoot(f, poses);
    this.#readSides(out, this.#ground[f] >= 0 ? overPlane : out.weights);
    for (let k = 0; k < 3; k++) {
      const i = o + ((k + 1) % 3);
      const j = o + ((k + 2) % 3);
      out.normal[k] = (t[i] * t[j + 3] - t[j] * t[i + 3]) / (out.anisotropy[0] * out.anisotropy[1]);
      out.force[k] = u * t[o + k] + v * t[o + 3 + k];
    }
    writeTorque(out.torqueA, out.pointA, out.force, poses, out.a, 1);
    writeTorque(out.torqueB, out.pointB, out.force, poses, out.b, -1);
  }

  // frames and mean points of both sides of the points read last
  #readSides(out: LaggedContact, weights: Float64Array): void {
    const { blocks } = this.#points;
    out.pointA.fill(0);
    out.pointB.fill(0);
    for (let i = 0; i < blocks.count; i++) {
      const c = weights[i];
      if (c === 0) continue;
      if (c > 0) out.a = blocks.frame[i];
      else out.b = blocks.frame[i];
      const point = c > 0 ? out.pointA : out.pointB;
      for (let k = 0; k < 3; k++) point[k] += Math.abs(c) * blocks.x[3 * i + k];
    }
  }

  // the foot on the plane as the second point
  #addFoot(f: number, poses: FramePoses): void {
    const { blocks } = this.#points;
    const g = this.#ground[f];
    turnShift(this.#foot, 3 * f, poses, g);
    blocks.count = 2;
    blocks.frame[1] = g;
    for (let k = 0; k < 3; k++) blocks.x[3 + k] = poses.position[3 * g + k] + turned[k];
  }

  // rigid points of a round side to its surface
  #shiftPoints(f: number, poses: FramePoses): void {
    const { frame: frames, x, count } = this.#points.blocks;
    turnShift(this.#shift, 3 * f, poses, this.#round[f]);
    for (let i = 0; i < count; i++) {
      if (frames[i] !== this.#round[f]) continue;
      const side = this.#weights[4 * f + i] < 0 ? -1 : 1;
      for (let k = 0; k < 3; k++) x[3 * i + k] += side * turned[k];
    }
  }

  /**
   * How far the surfaces of the contact with soft bodies that `geometry` has read slide in the step by the velocities it ends
   * with, m: Σ cᵢ of the displacements of its points; the displacement is that of the whole step. Overwritten by the next call.
   */
  measureSlipOf(
    list: SurfaceCollisions,
    n: number,
    geometry: CollisionGeometry,
    poses: FramePoses,
    displacement: IncrementalDisplacement,
  ): Float64Array {
    const { world, frameOf } = this.#set;
    const { weights, offset } = geometry;
    const out = this.#displacement.fill(0);
    const isPlane = list.kind[n] === COLLISION.plane;
    for (let i = 0; i < (isPlane ? 1 : 4); i++) {
      const v = list.part[4 * n + i];
      if (frameOf[v] < displacement.count) displacement.addPoint(out, poses, frameOf[v], world, 3 * v, weights[i]);
      else for (let k = 0; k < 3; k++) out[k] += weights[i] * (world[3 * v + k] - this.#start[3 * v + k]);
    }
    // balls and capsules also turn about their core
    if (geometry !== this.#geometry) this.#geometry.offset.set(offset);
    const f = this.#findRound(list, n, poses);
    if (f >= 0) {
      turnShift(shift, 0, poses, f);
      for (let k = 0; k < 3; k++) turned[k] += poses.position[3 * f + k];
      displacement.addPoint(out, poses, f, turned, 0, 1);
      for (let k = 0; k < 3; k++) out[k] -= displacement.step[6 * f + k];
    }
    if (!isPlane) return out;
    const p = list.part[4 * n];
    for (let k = 0; k < 3; k++) shift[k] = world[3 * p + k] - offset[k];
    displacement.addPoint(out, poses, this.#set.planes[list.part[4 * n + 1]].frame, shift, 0, -1);
    return out;
  }

  /** Says which frames are coupled. */
  couple(matrix: BodyMatrix): void {
    for (let f = 0; f < this.count; f++) {
      this.#points.readWeighted(this.#part, 4 * f, this.#weights, this.#set);
      this.#points.blocks.couple(matrix);
      if (this.#ground[f] >= 0) matrix.couple(this.#points.blocks.frame[0], this.#ground[f]);
    }
  }

  // u in `slip`; its length
  #measureSlip(f: number, x: Float64Array, poses: FramePoses): number {
    let rx = 0;
    let ry = 0;
    let rz = 0;
    if (this.#round[f] >= 0) {
      turnShift(this.#shift, 3 * f, poses, this.#round[f]);
      [rx, ry, rz] = turned;
    }
    const g = this.#ground[f];
    if (g >= 0) {
      turnShift(this.#foot, 3 * f, poses, g);
      rx -= poses.position[3 * g] + turned[0];
      ry -= poses.position[3 * g + 1] + turned[1];
      rz -= poses.position[3 * g + 2] + turned[2];
    }
    for (let i = 0; i < 4; i++) {
      const c = this.#weights[4 * f + i];
      if (c === 0) continue;
      const v = 3 * this.#part[4 * f + i];
      rx += c * x[v];
      ry += c * x[v + 1];
      rz += c * x[v + 2];
    }
    const t = this.#tangents;
    const o = 6 * f;
    const u = t[o] * rx + t[o + 1] * ry + t[o + 2] * rz - this.#reference[2 * f];
    const v = t[o + 3] * rx + t[o + 4] * ry + t[o + 5] * rz - this.#reference[2 * f + 1];
    this.#slip[0] = u;
    this.#slip[1] = v;
    return Math.sqrt(u * u + v * v);
  }

  #grow(): void {
    const n = 2 * this.#strength.length;
    this.#part = copyInto(this.#part, new Int32Array(4 * n));
    this.#weights = copyInto(this.#weights, new Float64Array(4 * n));
    this.#round = copyInto(this.#round, new Int32Array(n));
    this.#shift = copyInto(this.#shift, new Float64Array(3 * n));
    this.#ground = copyInto(this.#ground, new Int32Array(n));
    this.#foot = copyInto(this.#foot, new Float64Array(3 * n));
    this.#tangents = copyInto(this.#tangents, new Float64Array(6 * n));
    this.#strength = copyInto(this.#strength, new Float64Array(n));
    this.#friction = copyInto(this.#friction, new Float64Array(n));
    this.#anisotropy = copyInto(this.#anisotropy, new Float64Array(2 * n));
    this.#reference = copyInto(this.#reference, new Float64Array(2 * n));
  }
}

// R s of a frame to `turned`
function turnShift(s: Float64Array, o: number, { rotation }: FramePoses, f: number): void {
  for (let k = 0; k < 3; k++) {
    const r = 9 * f + 3 * k;
    turned[k] = rotation[r] * s[o] + rotation[r + 1] * s[o + 1] + rotation[r + 2] * s[o + 2];
  }
}

// sign (x − origin of the frame) × f
function writeTorque(
  out: Float64Array,
  x: Float64Array,
  f: Float64Array,
  { position }: FramePoses,
  frame: number,
  sign: number,
): void {
  const a = sign * (x[0] - position[3 * frame]);
  const b = sign * (x[1] - position[3 * frame + 1]);
  const c = sign * (x[2] - position[3 * frame + 2]);
  out[0] = b * f[2] - c * f[1];
  out[1] = c * f[0] - a * f[2];
  out[2] = a * f[1] - b * f[0];
}
