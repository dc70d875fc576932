/**
 * The contacts of an accepted state with the forces that acted in the step, for people, recordings and the ruler. The normal points
 * from shape 1 to shape 2.
 *   normal force   of the barrier at the accepted poses
 *   friction       of the lagged normal force and tangents, at the slip of the step (rigid-friction.ts, friction-term.ts)
 * Friction that was lagged at a contact goes to the same contact. Where its features no longer touch it goes to the nearest contact of
 * both shapes, and where they touch no more to an entry of its own, without normal force. What acts at another point than that of the
 * contact adds a torque there. Friction may therefore exceed μ times the normal force at the end of the step.
 */

import { CollisionGeometry, writeCollisionKey } from '../../collision/collisions/collision-geometry.ts';
import { FIELD_KEY } from '../../collision/collisions/field-collisions.ts';
import { COLLISION } from '../../collision/collisions/surface-collisions.ts';
import { WitnessPoints } from '../../collision/collisions/witness-points.ts';
import { writeContactFrame } from '../../collision/contact-frame.ts';
import { CARRIER, CONTACT_MODE, type ContactSet } from '../../collision/contact-set.ts';
import type { Model } from '../../model/model.ts';
import type { IpcObjective } from './ipc-objective.ts';
import { LaggedContact } from './terms/lagged-contact.ts';
import { LaggedKeys } from './terms/lagged-keys.ts';
import { PairBlocks } from './terms/pair-blocks.ts';

const witness = /* @__PURE__ */ new WitnessPoints();
const lag = /* @__PURE__ */ new LaggedContact();
/** Shapes of both sides of the lagged contact, B and A. */
const sides = /* @__PURE__ */ new Int32Array(2);
const torque = /* @__PURE__ */ new Float64Array(3);

export class ContactReport {
  readonly #model: Model;
  readonly #objective: IpcObjective;
  readonly #geometry = new CollisionGeometry();
  readonly #blocks = new PairBlocks();
  /** Of the contacts that the barrier presses. */
  readonly #keys = new LaggedKeys();

  constructor(model: Model, objective: IpcObjective) {
    this.#model = model;
    this.#objective = objective;
  }

  /** Fills the set from the contact list of the current poses. */
  write(out: ContactSet): void {
    const { contacts, candidates, barrier } = this.#objective;
    out.count = 0;
    for (let n = 0; n < contacts.count; n++) {
      const force = barrier.measureForce(contacts, candidates.pairs, n);
      if (force > 0) this.#add(out, n, force);
    }
    this.#addFields(out);
    this.#addFriction(out);
  }

  // friction of all lagged contacts to the contacts of the set
  #addFriction(out: ContactSet): void {
    const { friction, rigidFriction, displacement, frames } = this.#objective;
    if (friction.count + rigidFriction.count === 0) return;
    const pressed = out.count;
    this.#keys.index(pressed);
    displacement.take(frames.current);
    displacement.differentiate();
    for (let f = 0; f < rigidFriction.count; f++) {
      rigidFriction.readForce(lag, f, frames.current);
      this.#addLagged(out, pressed);
    }
    for (let f = 0; f < friction.count; f++) {
      friction.readForce(lag, f, frames.current);
      this.#addLagged(out, pressed);
    }
  }

  #addLagged(out: ContactSet, pressed: number): void {
    let i = this.#keys.find(lag.key);
    this.#readShapes();
    if (i < 0) i = this.#findNearest(out, pressed);
    if (i < 0) i = this.#addUnpressed(out);
    // side 2 is A; the same shapes may have changed sides
    const sign = out.shape2[i] === sides[1] ? 1 : -1;
    const { force, frame } = out;
    this.#findTorque(out, i);
    const f = lag.force;
    for (let k = 0; k < 3; k++) {
      const o = 9 * i + 3 * k;
      const x = sign * frame[o];
      const y = sign * frame[o + 1];
      const z = sign * frame[o + 2];
      force[6 * i + k] += x * f[0] + y * f[1] + z * f[2];
      force[6 * i + 3 + k] += x * torque[0] + y * torque[1] + z * torque[2];
    }
    if (lag.isSticking) out.mode[i] = CONTACT_MODE.stick;
  }

  // what friction does about the point of contact i besides its force; the mean of both sides where both turn
  #findTorque({ position }: ContactSet, i: number): void {
    const { moving, current } = this.#objective.frames;
    const { force: f } = lag;
    torque[0] = torque[1] = torque[2] = 0;
    const share = lag.a < moving && lag.b < moving ? 0.5 : 1;
    for (let side = 0; side < 2; side++) {
      const frame = side === 0 ? lag.a : lag.b;
      if (frame >= moving) continue;
      const x = position[3 * i] - current.position[3 * frame];
      const y = position[3 * i + 1] - current.position[3 * frame + 1];
      const z = position[3 * i + 2] - current.position[3 * frame + 2];
      const sign = side === 0 ? share : -share;
      const of = side === 0 ? lag.torqueA : lag.torqueB;
      torque[0] += sign * of[0] - share * (y * f[2] - z * f[1]);
      torque[1] += sign * of[1] - share * (z * f[0] - x * f[2]);
      torque[2] += sign * of[2] - share * (x * f[1] - y * f[0]);
    }
  }

  #readShapes(): void {
    const { fields, surfaces } = this.#objective;
    const { key } = lag;
    if (key[0] === FIELD_KEY) {
      const { shape, samples } = fields.pairs[key[1]];
      sides[0] = shape;
      sides[1] = samples.shape;
      return;
    }
    const isPlane = key[0] === COLLISION.plane;
    sides[0] = isPlane ? surfaces.planes[key[2]].shape : surfaces.surfaces[surfaces.surfaceOf[key[4]]].shape;
    sides[1] = surfaces.surfaces[surfaces.surfaceOf[key[1]]].shape;
  }

  // the contact of both shapes that is nearest to where friction acts, or −1
  #findNearest(out: ContactSet, pressed: number): number {
    const { shape1, shape2, position } = out;
    let nearest = -1;
    let least = Infinity;
    for (let i = 0; i < pressed; i++) {
      const isSame = shape1[i] === sides[0] && shape2[i] === sides[1];
      if (!isSame && !(shape1[i] === sides[1] && shape2[i] === sides[0])) continue;
      let square = 0;
      for (let k = 0; k < 3; k++) square += (position[3 * i + k] - lag.pointA[k]) ** 2;
      if (square >= least) continue;
      least = square;
      nearest = i;
    }
    return nearest;
  }

  // shapes that touched at the lagging and do no more
  #addUnpressed(out: ContactSet): number {
    const i = out.reserve(1);
    const { pointA, pointB, normal } = lag;
    this.#setSides(out, i, sides[0], sides[1], lag.b, lag.a);
    writeContactFrame(out.frame, 9 * i, normal[0], normal[1], normal[2], 0, 0, 0);
    out.pair[i] = out.feature[i] = -1;
    out.gap[i] = 0;
    for (let k = 0; k < 3; k++) {
      out.gap[i] += normal[k] * (pointA[k] - pointB[k]);
      out.position[3 * i + k] = 0.5 * (pointA[k] + pointB[k]);
    }
    this.#setForce(out, i, 0, lag.friction, lag.anisotropy);
    this.#setVertices(out, i, lag.key, 1, lag.weights, lag.key[0] === COLLISION.edge ? 2 : 1);
    return i;
  }

  #addFields(out: ContactSet): void {
    const { fields, fieldBarrier } = this.#objective;
    for (let n = 0; n < fields.count; n++) {
      const { samples, shape, frame, target, friction } = fields.pairs[fields.pair[n]];
      const force = fieldBarrier.measureForce(fields, n);
      if (!(force > 0)) continue;
      const i = out.reserve(1);
      this.#setSides(out, i, shape, samples.shape, frame, samples.frame);
      fields.writeWitnessPoints(witness, n);
      this.#keys.set(i, witness.key);
      writeContactFrame(out.frame, 9 * i, witness.normal[0], witness.normal[1], witness.normal[2], 0, 0, 0);
      out.gap[i] = fields.gap[n] + target.level - samples.radius;
      out.pair[i] = fields.pair[n];
      out.feature[i] = fields.sample[n];
      for (let k = 0; k < 3; k++)
        out.position[3 * i + k] = fields.point[3 * n + k] - (samples.radius + 0.5 * out.gap[i]) * witness.normal[k];
      this.#setForce(out, i, force, friction, witness.anisotropy);
    }
  }

  // shapes of both sides with their carriers, and the constants of every contact
  #setSides(out: ContactSet, i: number, one: number, two: number, frame1: number, frame2: number): void {
    const { shape, options, size } = this.#model;
    const { moving } = this.#objective.frames;
    out.shape1[i] = one;
    out.shape2[i] = two;
    out.carrier1[i] = one < size.shape ? shape.body[one] : one - size.shape;
    out.carrier2[i] = two < size.shape ? shape.body[two] : two - size.shape;
    out.carrierKind1[i] = one >= size.shape ? CARRIER.soft : frame1 < moving ? CARRIER.body : CARRIER.world;
    out.carrierKind2[i] = two >= size.shape ? CARRIER.soft : frame2 < moving ? CARRIER.body : CARRIER.world;
    out.area[i] = out.pressure[i] = 0;
    out.margin[i] = options.ipc.barrierDistance;
    out.condim[i] = 3;
    out.previous[i] = -1;
  }

  // the normal force and the coefficients of friction
  #setForce(out: ContactSet, i: number, force: number, mu: number, anisotropy: Float64Array): void {
    for (let k = 0; k < 5; k++) out.friction[5 * i + k] = k < 2 ? anisotropy[k] * mu : 0;
    for (let k = 0; k < 6; k++) out.force[6 * i + k] = 0;
    out.force[6 * i] = force;
    out.mode[i] = CONTACT_MODE.slide;
  }

  // place of a contact with soft sides, and the area that a point or edge represents
  #setSoftSides(out: ContactSet, i: number, n: number, force: number): void {
    const { contacts: list } = this.#objective;
    const { weights, split, offset, x } = this.#geometry;
    const isPlane = list.kind[n] === COLLISION.plane;
    if (list.weight[n] > 0) {
      out.area[i] = list.weight[n];
      out.pressure[i] = force / list.weight[n];
    }
    if (!isPlane) {
      for (let k = 0; k < 3; k++) out.position[3 * i + k] = -0.5 * offset[k];
      for (let p = 0; p < split; p++) for (let k = 0; k < 3; k++) out.position[3 * i + k] += weights[p] * x[3 * p + k];
    }
    this.#setVertices(out, i, list.part, 4 * n, weights, split);
  }

  // vertices and weights of soft sides; `split` points belong to side 2
  #setVertices(out: ContactSet, i: number, part: Int32Array, o: number, weights: Float64Array, split: number): void {
    const { vertexOf } = this.#objective.surfaces;
    out.vertex1.fill(-1, 4 * i, 4 * i + 4);
    out.vertex2.fill(-1, 4 * i, 4 * i + 4);
    out.weight1.fill(0, 4 * i, 4 * i + 4);
    out.weight2.fill(0, 4 * i, 4 * i + 4);
    for (let p = 0; p < 4; p++) {
      if (weights[p] === 0) continue;
      const vertex = vertexOf[part[o + p]];
      if (!(vertex >= 0)) continue;
      const at = 4 * i + (p < split ? p : p - split);
      if (p < split) {
        out.vertex2[at] = vertex;
        out.weight2[at] = weights[p];
      } else {
        out.vertex1[at] = vertex;
        out.weight1[at] = -weights[p];
      }
    }
  }

  #add(out: ContactSet, n: number, force: number): void {
    const { contacts: list, candidates, surfaces, frames } = this.#objective;
    const i = out.reserve(1);
    const pair = list.pair[n];
    this.#geometry.read(this.#blocks, list, n, surfaces, frames.current);
    const length = Math.sqrt(list.square[n]);
    const two = surfaces.surfaces[surfaces.surfaceOf[list.part[4 * n]]].shape;
    const one = two === candidates.pairs.shape1[pair] ? candidates.pairs.shape2[pair] : candidates.pairs.shape1[pair];
    this.#setSides(out, i, one, two, this.#blocks.frameB, this.#blocks.frameA);
    out.gap[i] = length - candidates.pairs.separation[pair];
    out.pair[i] = pair;
    out.feature[i] = n;
    for (let k = 0; k < 2; k++) witness.anisotropy[k] = candidates.pairs.anisotropy[2 * pair + k];
    this.#geometry.writeWitnessPoints(witness, this.#blocks, list, n, surfaces, frames.current);
    writeCollisionKey(witness.key, list, n);
    this.#keys.set(i, witness.key);
    const { normal, tangentHint: hint } = witness;
    writeContactFrame(out.frame, 9 * i, normal[0], normal[1], normal[2], hint[0], hint[1], hint[2]);
    // half way between the surfaces
    for (let k = 0; k < 3; k++) out.position[3 * i + k] = 0.5 * (witness.pointA[k] + witness.pointB[k]);
    if (list.isSoft(n, surfaces)) this.#setSoftSides(out, i, n, force);
    this.#setForce(out, i, force, candidates.pairs.friction[pair], witness.anisotropy);
  }
}
