/**
 * The contacts of an accepted state with their forces, for people and the studio: normal force of the barrier, friction of the
 * slip since the start of the step, μ N f₁(|u|) against u. The normal points from shape 1 to shape 2.
 */
import { writeContactFrame } from '../../collision/contact-frame.ts';
import { CARRIER, CONTACT_MODE, type ContactSet } from '../../collision/contact-set.ts';
import { frictionSlopeOverSlip } from '../../contact/smooth-friction.ts';
import type { Model } from '../../model/model.ts';
import { ContactGeometry } from './contact-geometry.ts';
import { CONTACT } from './contact-list.ts';
import type { IpcObjective } from './ipc-objective.ts';
import { PairBlocks } from './pair-blocks.ts';

export class ContactReport {
  readonly #model: Model;
  readonly #objective: IpcObjective;
  readonly #geometry = new ContactGeometry();
  readonly #blocks = new PairBlocks();

  constructor(model: Model, objective: IpcObjective) {
    this.#model = model;
    this.#objective = objective;
  }

  /** Fills the set from the contact list of the current poses. */
  write(out: ContactSet): void {
    const { contacts, candidates, barrier } = this.#objective;
    out.count = 0;
    for (let n = 0; n < contacts.count; n++) {
      const force = barrier.measureForce(contacts, candidates, n);
      if (force > 0) this.#add(out, n, force);
    }
  }

  #add(out: ContactSet, n: number, force: number): void {
    const { contacts: list, candidates, surfaces, frames, friction } = this.#objective;
    const { shape } = this.#model;
    const i = out.reserve(1);
    const pair = list.pair[n];
    this.#geometry.read(this.#blocks, list, n, surfaces, frames.current);
    const { offset, weights } = this.#geometry;
    const length = Math.sqrt(list.square[n]);
    const two = surfaces.surfaces[surfaces.surfaceOf[list.part[4 * n]]].shape;
    const one = two === candidates.shape1[pair] ? candidates.shape2[pair] : candidates.shape1[pair];
    out.shape1[i] = one;
    out.shape2[i] = two;
    out.carrier1[i] = shape.body[one];
    out.carrier2[i] = shape.body[two];
    out.carrierKind1[i] = this.#blocks.frameB < frames.moving ? CARRIER.body : CARRIER.world;
    out.carrierKind2[i] = this.#blocks.frameA < frames.moving ? CARRIER.body : CARRIER.world;
    writeContactFrame(out.frame, 9 * i, offset[0] / length, offset[1] / length, offset[2] / length, 0, 0, 0);
    out.gap[i] = length - candidates.separation[pair];
    out.margin[i] = this.#model.options.ipc.barrierDistance;
    const mu = candidates.friction[pair];
    out.friction.fill(0, 5 * i, 5 * i + 5);
    out.friction[5 * i] = out.friction[5 * i + 1] = mu;
    out.condim[i] = 3;
    out.pair[i] = pair;
    out.feature[i] = n;
    out.previous[i] = -1;
    out.force.fill(0, 6 * i, 6 * i + 6);
    out.force[6 * i] = force;
    out.mode[i] = CONTACT_MODE.slide;
    // half way between the surfaces
    const a = this.#blocks.frameA;
    for (let k = 0; k < 3; k++) {
      const nearest = frames.current.position[3 * a + k] + this.#blocks.armA[k];
      out.position[3 * i + k] = nearest - 0.5 * offset[k];
    }
    if (mu === 0) return;
    const slip = friction.measureSlipOf(list, n, weights, list.kind[n] === CONTACT.plane);
    const o = 9 * i;
    const u = out.frame[o + 3] * slip[0] + out.frame[o + 4] * slip[1] + out.frame[o + 5] * slip[2];
    const v = out.frame[o + 6] * slip[0] + out.frame[o + 7] * slip[1] + out.frame[o + 8] * slip[2];
    const y = Math.sqrt(u * u + v * v);
    const share = mu * force * frictionSlopeOverSlip(y, friction.smoothing);
    out.force[6 * i + 1] = -share * u;
    out.force[6 * i + 2] = -share * v;
    if (y < friction.smoothing) out.mode[i] = CONTACT_MODE.stick;
  }
}
