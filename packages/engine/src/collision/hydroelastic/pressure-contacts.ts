/**
 * Contacts by pressure between rigid shapes: each face of the contact surface is a contact at its centroid with
 *
 *   stiffness k = a g,   gap φ₀ = −p₀/g,   force a p₀ at the start of the step
 *
 * a area m², p₀ pressure Pa, g slope Pa/m of the face (contact-faces.ts). Faces of the margin have p₀ < 0 and a gap above zero: they
 * act where the step would close them. Friction and dissipation are those of the two materials.
 */
import type { ContactPoints } from '../../geometry/contact-points.ts';
import type { PressureGeometry } from '../../geometry/pressure-field/pressure-geometry.ts';
import type { Model } from '../../model/model.ts';
import type { CollisionPlan } from '../collision-plan.ts';
import type { ContactChoice } from '../contact-choice.ts';
import type { ContactSet } from '../contact-set.ts';
import { PAIR_STRIDE, type TouchingPairs } from '../touching-pairs.ts';
import { FaceRuns, faceFeature } from './face-runs.ts';
import { findFaces } from './face-test.ts';

export class PressureContacts {
  readonly runs: FaceRuns = new FaceRuns();
  /** Per contact point: its face plus one, or 0. */
  #faceOf: Int32Array = new Int32Array(64);
  #end = 0;

  /** Before a detection. */
  clear(): void {
    this.runs.clear();
    this.#faceOf.fill(0, 0, this.#end);
    this.#end = 0;
  }

  /** Adds the faces of shapes a and b as contact points, with normals from a to b. */
  test(points: ContactPoints, model: Model, plan: CollisionPlan, choice: ContactChoice, a: number, b: number): void {
    const { runs } = this;
    const { faces } = runs;
    const one = takeGeometry(model, choice, a, b);
    const two = takeGeometry(model, choice, b, a);
    if (!one || !two) return;
    const start = faces.count;
    findFaces(runs, one, plan.placed[a], two, plan.placed[b]);
    if (faces.count === start) return;
    runs.add(a, b, start);
    const { position: x, normal: n } = faces;
    for (let i = start; i < faces.count; i++) {
      const o = 3 * i;
      const gap = -faces.pressure[i] / faces.slope[i];
      this.#note(points.count, i);
      points.add(x[o], x[o + 1], x[o + 2], n[o], n[o + 1], n[o + 2], gap, faceFeature(faces.item, i));
    }
  }

  #note(point: number, face: number): void {
    if (point >= this.#faceOf.length) {
      const larger = new Int32Array(2 * (point + 1));
      larger.set(this.#faceOf);
      this.#faceOf = larger;
    }
    this.#faceOf[point] = face + 1;
    this.#end = point + 1;
  }

  /** Gives the contacts that are faces their areas, pressures and stiffnesses; contacts are in the order of the pairs. */
  write(contacts: ContactSet, { records, count }: TouchingPairs): void {
    const { faces } = this.runs;
    let i = 0;
    for (let o = 0; o < PAIR_STRIDE * count; o += PAIR_STRIDE) {
      const end = records[o + 2] + records[o + 3];
      for (let n = records[o + 2]; n < end; n++, i++) {
        const f = n < this.#end ? this.#faceOf[n] - 1 : -1;
        if (f < 0) continue;
        contacts.area[i] = faces.area[f];
        contacts.pressure[i] = faces.pressure[f];
        contacts.stiffness[i] = faces.area[f] * faces.slope[f];
        // pressures are zero on the surfaces themselves
        contacts.margin[i] = 0;
      }
    }
  }
}

/** What collider a is to collider b. */
export function takeGeometry(
  { pressure }: Model,
  choice: ContactChoice,
  a: number,
  b: number,
): PressureGeometry | undefined {
  return choice.hasPressure(a, b) ? pressure.compliant[a] : pressure.rigid[a];
}
