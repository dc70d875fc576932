/**
 * Mean pressure of contacts on a soft body, p = Σ f_n / A. A is the area of the faces of contact where they have one (pressure fields), else
 * a third of the triangles around each vertex that carries a contact, where they are now.
 */
import { CARRIER, type ContactSet } from '../collision/contact-set.ts';
import { computeTriangleArea } from '../geometry/tetrahedra/mesh-surface.ts';
import type { Model } from '../model/model.ts';

export class ContactPressure {
  readonly #model: Model;
  readonly #n: number;
  /** Per vertex of the body: whether it carries a contact. */
  readonly #isTouched: Uint8Array;

  constructor(model: Model, n: number) {
    this.#model = model;
    this.#n = n;
    this.#isTouched = new Uint8Array(model.soft.vertexStart[n + 1] - model.soft.vertexStart[n]);
  }

  /** Pa; `position` are all soft vertices, m. */
  measure(contacts: ContactSet, position: Float64Array): number {
    this.#isTouched.fill(0);
    let force = 0;
    let area = 0;
    for (let i = 0; i < contacts.count; i++) {
      const isFirst = contacts.carrierKind1[i] === CARRIER.soft && contacts.carrier1[i] === this.#n;
      const isSecond = contacts.carrierKind2[i] === CARRIER.soft && contacts.carrier2[i] === this.#n;
      if (!(isFirst || isSecond) || !(contacts.force[6 * i] > 0)) continue;
      force += contacts.force[6 * i];
      area += contacts.area[i];
      if (isFirst) this.#touch(contacts.vertex1, i);
      if (isSecond) this.#touch(contacts.vertex2, i);
    }
    if (force === 0) return 0;
    if (area === 0) area = this.#measureTouched(position);
    return area > 0 ? force / area : 0;
  }

  #touch(vertex: Int32Array, i: number): void {
    const first = this.#model.soft.vertexStart[this.#n];
    for (let k = 4 * i; k < 4 * i + 4; k++) if (vertex[k] >= 0) this.#isTouched[vertex[k] - first] = 1;
  }

  #measureTouched(position: Float64Array): number {
    const { triangle, triangleStart, vertexStart } = this.#model.soft;
    let area = 0;
    for (let t = 3 * triangleStart[this.#n]; t < 3 * triangleStart[this.#n + 1]; t += 3) {
      let touched = 0;
      for (let k = 0; k < 3; k++) touched += this.#isTouched[triangle[t + k] - vertexStart[this.#n]];
      if (touched > 0) area += (touched / 3) * computeTriangleArea(position, triangle, t);
    }
    return area;
  }
}
