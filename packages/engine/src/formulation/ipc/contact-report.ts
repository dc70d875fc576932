/**
 * The contacts of an accepted state with their forces, for people and the studio: normal force of the barrier, friction of the
 * slip since the start of the step, μ N f₁(|u|) against u. The normal points from shape 1 to shape 2.
 */

import { CollisionGeometry } from '../../collision/collisions/collision-geometry.ts';
import { COLLISION } from '../../collision/collisions/surface-collisions.ts';
import { WitnessPoints } from '../../collision/collisions/witness-points.ts';
import { writeContactFrame } from '../../collision/contact-frame.ts';
import { CARRIER, CONTACT_MODE, type ContactSet } from '../../collision/contact-set.ts';
import { frictionSlopeOverSlip } from '../../contact/smooth-friction.ts';
import type { Model } from '../../model/model.ts';
import type { IpcObjective } from './ipc-objective.ts';
import { PairBlocks } from './terms/pair-blocks.ts';
import { measureWitnessSlip } from './terms/rigid-friction.ts';

const slip = /* @__PURE__ */ new Float64Array(3);
const witness = /* @__PURE__ */ new WitnessPoints();

export class ContactReport {
  readonly #model: Model;
  readonly #objective: IpcObjective;
  readonly #geometry = new CollisionGeometry();
  readonly #blocks = new PairBlocks();

  constructor(model: Model, objective: IpcObjective) {
    this.#model = model;
    this.#objective = objective;
  }

  /** Fills the set from the contact list of the current poses. */
  write(out: ContactSet): void {
    const { contacts, candidates, barrier, frames, displacement } = this.#objective;
    out.count = 0;
    displacement.takeWhole(frames.current);
    for (let n = 0; n < contacts.count; n++) {
      const force = barrier.measureForce(contacts, candidates.pairs, n);
      if (force > 0) this.#add(out, n, force);
    }
    this.#addFields(out);
  }

  #addFields(out: ContactSet): void {
    const { fields, fieldBarrier, rigidFriction: rub, frames } = this.#objective;
    for (let n = 0; n < fields.count; n++) {
      const { samples, shape, frame, target, friction } = fields.pairs[fields.pair[n]];
      const force = fieldBarrier.measureForce(fields, n);
      if (!(force > 0)) continue;
      const i = out.reserve(1);
      this.#setSides(out, i, shape, samples.shape, frame, samples.frame);
      fields.writeWitnessPoints(witness, n);
      measureWitnessSlip(slip, witness, frames.current, this.#objective.displacement);
      writeContactFrame(out.frame, 9 * i, witness.normal[0], witness.normal[1], witness.normal[2], 0, 0, 0);
      out.gap[i] = fields.gap[n] + target.level - samples.radius;
      out.pair[i] = fields.pair[n];
      out.feature[i] = fields.sample[n];
      for (let k = 0; k < 3; k++)
        out.position[3 * i + k] = fields.point[3 * n + k] - (samples.radius + 0.5 * out.gap[i]) * witness.normal[k];
      this.#setForce(out, i, force, friction, slip, rub.smoothing);
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

  // the normal force, and friction against the slip; the witness points of the contact have been written
  #setForce(
    out: ContactSet,
    i: number,
    force: number,
    mu: number,
    displacement: Float64Array,
    smoothing: number,
  ): void {
    out.friction.fill(0, 5 * i, 5 * i + 5);
    const shareOne = witness.anisotropy[0];
    const shareTwo = witness.anisotropy[1];
    out.friction[5 * i] = shareOne * mu;
    out.friction[5 * i + 1] = shareTwo * mu;
    out.force.fill(0, 6 * i, 6 * i + 6);
    out.force[6 * i] = force;
    out.mode[i] = CONTACT_MODE.slide;
    if (mu === 0) return;
    const o = 9 * i;
    const u =
      shareOne *
      (out.frame[o + 3] * displacement[0] + out.frame[o + 4] * displacement[1] + out.frame[o + 5] * displacement[2]);
    const v =
      shareTwo *
      (out.frame[o + 6] * displacement[0] + out.frame[o + 7] * displacement[1] + out.frame[o + 8] * displacement[2]);
    const y = Math.sqrt(u * u + v * v);
    const share = mu * force * frictionSlopeOverSlip(y, smoothing);
    out.force[6 * i + 1] = -share * shareOne * u;
    out.force[6 * i + 2] = -share * shareTwo * v;
    if (y < smoothing) out.mode[i] = CONTACT_MODE.stick;
  }

  // vertices and weights of soft sides; the place of a side that does not move as one; the area that a point or edge represents
  #setSoftSides(out: ContactSet, i: number, n: number, force: number): void {
    const { contacts: list, surfaces } = this.#objective;
    const { weights, split, offset, x } = this.#geometry;
    const isPlane = list.kind[n] === COLLISION.plane;
    out.vertex1.fill(-1, 4 * i, 4 * i + 4);
    out.vertex2.fill(-1, 4 * i, 4 * i + 4);
    out.weight1.fill(0, 4 * i, 4 * i + 4);
    out.weight2.fill(0, 4 * i, 4 * i + 4);
    if (list.weight[n] > 0) {
      out.area[i] = list.weight[n];
      out.pressure[i] = force / list.weight[n];
    }
    for (let k = 0; k < 3; k++) if (!isPlane) out.position[3 * i + k] = -0.5 * offset[k];
    for (let p = 0; p < (isPlane ? 1 : 4); p++) {
      if (weights[p] === 0) continue;
      const isTwo = p < split;
      const vertex = surfaces.vertexOf[list.part[4 * n + p]];
      const at = 4 * i + (isTwo ? p : p - split);
      if (!isPlane && isTwo) for (let k = 0; k < 3; k++) out.position[3 * i + k] += weights[p] * x[3 * p + k];
      if (vertex < 0) continue;
      if (isTwo) {
        out.vertex2[at] = vertex;
        out.weight2[at] = weights[p];
      } else {
        out.vertex1[at] = vertex;
        out.weight1[at] = -weights[p];
      }
    }
  }

  #add(out: ContactSet, n: number, force: number): void {
    const { contacts: list, candidates, surfaces, frames, friction } = this.#objective;
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
    const { normal, tangentHint: hint } = witness;
    writeContactFrame(out.frame, 9 * i, normal[0], normal[1], normal[2], hint[0], hint[1], hint[2]);
    // half way between the surfaces
    for (let k = 0; k < 3; k++) out.position[3 * i + k] = 0.5 * (witness.pointA[k] + witness.pointB[k]);
    let displacement: Float64Array = slip;
    if (list.isSoft(n, surfaces)) {
      this.#setSoftSides(out, i, n, force);
      displacement = friction.measureSlipOf(list, n, this.#geometry, frames.current, this.#objective.displacement);
    } else {
      measureWitnessSlip(slip, witness, frames.current, this.#objective.displacement);
    }
    this.#setForce(out, i, force, candidates.pairs.friction[pair], displacement, friction.smoothing);
  }
}
