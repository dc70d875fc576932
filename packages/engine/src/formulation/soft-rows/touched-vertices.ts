/** Vertices of shells and rods that rows of a step may push: those of contacts, of attachments with rows, and of what holds these. */
import { CARRIER, type ContactSet } from '../../collision/contact-set.ts';
import type { Model } from '../../model/model.ts';
import type { State } from '../../state/state.ts';
import { hasAttachmentRows, isBroken } from './attachment-rows.ts';

export class TouchedVertices {
  /** Per vertex of all soft bodies: 1 where it is one. */
  readonly isTouched: Uint8Array;
  readonly #model: Model;
  readonly #hasAttachments: boolean;
  readonly #isThin: boolean;

  constructor(model: Model) {
    this.#model = model;
    this.#hasAttachments = hasAttachmentRows(model);
    this.#isThin = model.soft.dimension.some((dimension) => dimension < 3);
    this.isTouched = new Uint8Array(this.#isThin ? model.size.softVertex : 0);
  }

  /** Whether there are any. */
  find(state: State, contacts: ContactSet): boolean {
    if (!this.#isThin || (contacts.count === 0 && !this.#hasAttachments)) return false;
    this.isTouched.fill(0);
    this.#addContacts(contacts);
    if (this.#hasAttachments) this.#addAttachments(state);
    this.#leaveSolids();
    return this.isTouched.includes(1);
  }

  #addContacts({ count, carrierKind1, carrierKind2, vertex1, vertex2, weight1, weight2 }: ContactSet): void {
    for (let i = 0; i < count; i++) {
      const isSoft1 = carrierKind1[i] === CARRIER.soft;
      const isSoft2 = carrierKind2[i] === CARRIER.soft;
      for (let k = 4 * i; k < 4 * i + 4; k++) {
        if (isSoft1) this.#add(vertex1[k], weight1[k]);
        if (isSoft2) this.#add(vertex2[k], weight2[k]);
      }
    }
  }

  #addAttachments(state: State): void {
    const { body, soft } = this.#model;
    const { attachment, tie, clamp } = soft;
    for (let k = 0; k < attachment.vertex.length; k++)
      if (body.lastDof[attachment.body[k]] >= 0) this.#add(attachment.vertex[k], 1);
    for (let k = 0; k < tie.vertex.length; k++) {
      if (isBroken(this.#model, state, tie.of[k])) continue;
      this.#add(tie.vertex[k], 1);
      if (tie.body[k] < 0) for (let i = 4 * k; i < 4 * k + 4; i++) this.#add(tie.support[i], 1);
    }
    for (let k = 0; k < clamp.angle.length; k++)
      if (!isBroken(this.#model, state, clamp.of[k])) this.#add(clamp.angle[k], 1);
  }

  #add(vertex: number, weight: number): void {
    if (vertex >= 0 && weight !== 0) this.isTouched[vertex] = 1;
  }

  #leaveSolids(): void {
    const { dimension, vertexStart } = this.#model.soft;
    for (let n = 0; n < dimension.length; n++)
      if (dimension[n] === 3) this.isTouched.fill(0, vertexStart[n], vertexStart[n + 1]);
  }
}
