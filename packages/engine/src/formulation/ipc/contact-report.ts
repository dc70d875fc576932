/**
 * The contacts of an accepted state with the forces that acted in the step, for people, recordings and the ruler. The normal points
 * from shape 1 to shape 2.
 *   normal force   of the barrier at the accepted poses
 *   friction       of the lagged normal force and tangents, at the slip of the step (rigid-friction.ts, friction-term.ts)
 * Friction that was lagged at a contact goes to the same contact. Where its features no longer touch it goes to the nearest contact of
 * both shapes, and where they touch no more to an entry of its own, without normal force. What acts at another point than that of the
 * contact adds a torque there. Friction may therefore exceed μ times the normal force at the end of the step.
 * Features of a bent surface that a point sees together, some of which count negative (terms/point-share.ts), are one contact.
 */

import { CollisionGeometry } from '../../collision/collisions/collision-geometry.ts';
import { FIELD_KEY } from '../../collision/collisions/field-collisions.ts';
import { COLLISION } from '../../collision/collisions/surface-collisions.ts';
import { writeContactFrame } from '../../collision/contact-frame.ts';
import { CONTACT_MODE, type ContactSet } from '../../collision/contact-set.ts';
import type { Model } from '../../model/model.ts';
import { ContactEntries } from './contact-entries.ts';
import type { IpcObjective } from './ipc-objective.ts';
import { PairContacts } from './pair-contacts.ts';
import { LaggedContact } from './terms/lagged-contact.ts';
import { LaggedKeys } from './terms/lagged-keys.ts';
import { PairBlocks } from './terms/pair-blocks.ts';
import { findEndOfPoint, hasNegative } from './terms/point-share.ts';

const lag = /* @__PURE__ */ new LaggedContact();
/** Shapes of both sides of the lagged contact, B and A. */
const sides = /* @__PURE__ */ new Int32Array(2);
const torque = /* @__PURE__ */ new Float64Array(3);
const sum = /* @__PURE__ */ new Float64Array(3);

export class ContactReport {
  readonly #objective: IpcObjective;
  readonly #entries: ContactEntries;
  /** Of the contacts that the barrier presses. */
  readonly #keys = new LaggedKeys();
  /** The same by their shapes, where some friction asks for them. */
  readonly #pairs = new PairContacts();
  readonly #geometry = new CollisionGeometry();
  readonly #blocks = new PairBlocks();
  #hasPairs = false;

  constructor(model: Model, objective: IpcObjective) {
    this.#objective = objective;
    this.#entries = new ContactEntries(model, objective);
  }

  /** Fills the set from the contact list of the current poses. */
  write(out: ContactSet): void {
    const { contacts, candidates, barrier, fields, fieldBarrier } = this.#objective;
    const entries = this.#entries;
    out.count = 0;
    for (let n = 0, end = 0; n < contacts.count; n = end) {
      end = findEndOfPoint(contacts, n);
      if (hasNegative(contacts, n, end) && this.#addPoint(out, n, end)) continue;
      for (let k = n; k < end; k++) {
        const force = barrier.measureForce(contacts, candidates.pairs, k);
        if (force > 0) this.#keys.set(entries.addSurface(out, k, force), entries.key);
      }
    }
    for (let n = 0; n < fields.count; n++) {
      const force = fieldBarrier.measureForce(fields, n);
      if (force > 0) this.#keys.set(entries.addField(out, n, force), entries.key);
    }
    this.#addFriction(out);
  }

  // contacts of a point as one at its strongest; whether together they push
  #addPoint(out: ContactSet, first: number, end: number): boolean {
    const { contacts, candidates, barrier, surfaces, frames } = this.#objective;
    const geometry = this.#geometry;
    let pushing = 0;
    let most = 0;
    let strongest = first;
    sum.fill(0);
    for (let n = first; n < end; n++) {
      const force = barrier.measureForce(contacts, candidates.pairs, n);
      geometry.read(this.#blocks, contacts, n, surfaces, frames.current);
      const length = Math.sqrt(contacts.square[n]);
      for (let k = 0; k < 3; k++) sum[k] += (force / length) * geometry.offset[k];
      pushing += force;
      if (force > most) {
        most = force;
        strongest = n;
      }
    }
    if (!(pushing > 0) || Math.hypot(sum[0], sum[1], sum[2]) === 0) return false;
    this.#keys.set(this.#entries.addPoint(out, strongest, sum), this.#entries.key);
    return true;
  }

  // friction of all lagged contacts to the contacts of the set
  #addFriction(out: ContactSet): void {
    const { friction, rigidFriction, displacement, frames } = this.#objective;
    if (friction.count + rigidFriction.count === 0) return;
    const pressed = out.count;
    this.#keys.index(pressed);
    this.#hasPairs = false;
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
    const { position } = out;
    if (!this.#hasPairs) this.#pairs.index(out, pressed);
    this.#hasPairs = true;
    let nearest = -1;
    let least = Infinity;
    for (let i = this.#pairs.first(out, sides[0], sides[1]); i >= 0; i = this.#pairs.after(i)) {
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
    this.#entries.setSides(out, i, sides[0], sides[1], lag.b, lag.a);
    writeContactFrame(out.frame, 9 * i, normal[0], normal[1], normal[2], 0, 0, 0);
    out.pair[i] = out.feature[i] = -1;
    out.gap[i] = 0;
    for (let k = 0; k < 3; k++) {
      out.gap[i] += normal[k] * (pointA[k] - pointB[k]);
      out.position[3 * i + k] = 0.5 * (pointA[k] + pointB[k]);
    }
    this.#entries.setForce(out, i, 0, lag.friction, lag.anisotropy);
    this.#entries.setVertices(out, i, lag.key, 1, lag.weights, lag.key[0] === COLLISION.edge ? 2 : 1);
    return i;
  }
}
