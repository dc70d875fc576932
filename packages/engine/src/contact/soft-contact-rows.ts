/**
 * Rows of a contact, or of an attachment, one side of which at least is carried by vertices of a soft body. The point moves with
 * Σ wᵢ vᵢ, so vertex i has the columns ±wᵢ f in a row of direction f. Vertices that are held have no columns: what they add to the
 * velocity of the rows is handed over as `heldVelocity`. A rigid side has its columns as in contact-rows.ts.
 */
import { CARRIER, type ContactSet } from '../collision/contact-set.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import type { Model } from '../model/model.ts';
import { writeSide } from './contact-rows.ts';

const WIDTH = 4;
/** Directions of a contact with a soft body: it has no spin or roll. */
export const SOFT_DIMENSION = 3;

export class SoftContactRows {
  /** Velocity of side 2 minus that of side 1 that held vertices give the last block, along its rows, m/s. */
  readonly heldVelocity: Float64Array = new Float64Array(SOFT_DIMENSION);
  // vertices of the current block, ascending, and their weights with the sign of their side
  readonly #vertex: Int32Array = new Int32Array(2 * WIDTH);
  readonly #weight: Float64Array = new Float64Array(2 * WIDTH);
  #count = 0;
  readonly #held: Float64Array = new Float64Array(3);
  // an attachment as a contact with the axes of the world
  readonly #place: Pick<ContactSet, 'frame' | 'position' | 'sweep'> = {
    frame: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1),
    position: new Float64Array(3),
    sweep: new Float64Array(3),
  };

  /** Adds three rows for contact i, or the first ones alone; returns the block, or −1 where nothing moves either side. `held` is 1 per held vertex. */
  add(
    rows: BlockRows,
    model: Model,
    work: Workspace,
    held: Float64Array,
    contacts: ContactSet,
    i: number,
    dimension: number = SOFT_DIMENSION,
  ): number {
    const isSoft1 = contacts.carrierKind1[i] === CARRIER.soft;
    const isSoft2 = contacts.carrierKind2[i] === CARRIER.soft;
    this.#begin();
    for (let k = WIDTH * i; k < WIDTH * (i + 1); k++) {
      if (isSoft1) this.#addVertex(work, held, contacts.vertex1[k], -contacts.weight1[k]);
      if (isSoft2) this.#addVertex(work, held, contacts.vertex2[k], contacts.weight2[k]);
    }
    if (isSoft1 && isSoft2) return this.#write(rows, model, work, contacts, i, 0, 0, dimension);
    const body = isSoft1 ? contacts.carrier2[i] : contacts.carrier1[i];
    return this.#write(rows, model, work, contacts, i, body, isSoft1 ? 1 : -1, dimension);
  }

  /** Adds three rows along the axes of the world: velocity of a vertex minus that of the point of a body where it is. */
  addAttachment(
    rows: BlockRows,
    model: Model,
    work: Workspace,
    held: Float64Array,
    vertex: number,
    body: number,
  ): number {
    for (let k = 0; k < 3; k++) this.#place.position[k] = work.softPosition[3 * vertex + k];
    this.#begin();
    this.#addVertex(work, held, vertex, 1);
    return this.#write(rows, model, work, this.#place, 0, body, -1, SOFT_DIMENSION);
  }

  #begin(): void {
    this.#count = 0;
    this.#held.fill(0);
  }

  #addVertex(work: Workspace, held: Float64Array, vertex: number, weight: number): void {
    if (vertex < 0 || weight === 0) return;
    if (held[vertex] !== 0) {
      for (let k = 0; k < 3; k++) this.#held[k] += weight * work.softVelocity[3 * vertex + k];
      return;
    }
    const vertices = this.#vertex;
    const weights = this.#weight;
    let at = this.#count;
    while (at > 0 && vertices[at - 1] > vertex) at--;
    if (at > 0 && vertices[at - 1] === vertex) {
      weights[at - 1] += weight;
      return;
    }
    for (let k = this.#count; k > at; k--) {
      vertices[k] = vertices[k - 1];
      weights[k] = weights[k - 1];
    }
    vertices[at] = vertex;
    weights[at] = weight;
    this.#count++;
  }

  // columns of the rigid body, where `sign` is not zero, then of the vertices
  #write(
    rows: BlockRows,
    model: Model,
    work: Workspace,
    place: Pick<ContactSet, 'frame' | 'position' | 'sweep'>,
    i: number,
    body: number,
    sign: number,
    dimension: number,
  ): number {
    const { parent } = model.dof;
    const last = sign === 0 ? -1 : model.body.lastDof[body];
    let rigid = 0;
    for (let d = last; d >= 0; d = parent[d]) rigid++;
    const count = rigid + 3 * this.#count;
    if (count === 0) return -1;
    const block = rows.add(dimension, count);
    const { column, columnStart, value, valueStart } = rows;
    const start = columnStart[block];
    let at = start + rigid;
    for (let d = last; d >= 0; d = parent[d]) column[--at] = d;
    at = start + rigid;
    for (let n = 0; n < this.#count; n++) {
      for (let k = 0; k < 3; k++) column[at++] = model.size.velocity + 3 * this.#vertex[n] + k;
    }
    value.fill(0, valueStart[block], rows.valueEnd);
    if (sign !== 0) writeSide(rows, block, dimension, model, work, body, place, i, sign);
    const { frame } = place;
    for (let r = 0; r < dimension; r++) {
      const f = 9 * i + 3 * r;
      let to = valueStart[block] + r * count + rigid;
      for (let n = 0; n < this.#count; n++) {
        for (let k = 0; k < 3; k++) value[to++] = this.#weight[n] * frame[f + k];
      }
      this.heldVelocity[r] = frame[f] * this.#held[0] + frame[f + 1] * this.#held[1] + frame[f + 2] * this.#held[2];
    }
    return block;
  }
}
