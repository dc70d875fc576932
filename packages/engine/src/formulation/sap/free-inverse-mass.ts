/**
 * The inverse mass w that a contact sees between free bodies, and how it changes with their poses. With a_k = r × d_k, the arms of the
 * directions d_k of the contact about the centre of mass of a body, and its inertia I about that
 *   W_kl = Σ (d_k · d_l/m + a_k · s_l),   s_l = I⁻¹ a_l,      w = |W|_F/3
 *   δw = 2 Σ ŝ_k · (δr × d_k + r × δd_k + θ × a_k),   ŝ_k = Σ W_kl s_l/(9 w)
 * r from the centre of mass to the point of the contact, θ the turn of the body, which its inertia goes along with.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import { dot6 } from '../../linear-algebra/spatial.ts';
import { JOINT } from '../../model/model.ts';
import type { RateParts } from '../row-rates.ts';

const inverse = /* @__PURE__ */ new Float64Array(6);
const gram = /* @__PURE__ */ new Float64Array(9);
const bars = /* @__PURE__ */ new Float64Array(12);

export class FreeInverseMass {
  readonly #parts: RateParts;
  /** Per body: whether it is alone on a free joint with nothing but its mass, or does not move. */
  readonly #isPlain: Uint8Array;
  /** Per side of the contact: r, then a_k and s_k row by row. */
  readonly #sides = [new Float64Array(21), new Float64Array(21)];
  readonly #wrench: Float64Array;
  #w = 0;

  constructor(parts: RateParts) {
    const { body, dof, joint, size } = parts.model;
    this.#parts = parts;
    this.#wrench = new Float64Array(6 * size.body);
    this.#isPlain = new Uint8Array(size.body);
    const dofs = new Int32Array(size.body);
    for (let i = 0; i < size.velocity; i++) dofs[body.root[dof.body[i]]]++;
    for (let b = 0; b < size.body; b++) {
      const first = body.dofStart[b];
      const isFree = dofs[b] === 6 && body.dofCount[b] === 6 && joint.kind[body.jointStart[b]] === JOINT.free;
      let isPlain = isFree && body.jointCount[b] === 1;
      for (let i = first; isPlain && i < first + 6; i++)
        isPlain = dof.armature[i] === 0 && dof.damping[i] === 0 && parts.work.plan.extraDamping.length === 0;
      this.#isPlain[b] = isPlain || body.lastDof[b] < 0 ? 1 : 0;
    }
  }

  knows({ carrier1, carrier2 }: ContactSet, i: number): boolean {
    return this.#isPlain[carrier1[i]] === 1 && this.#isPlain[carrier2[i]] === 1;
  }

  /** w of contact i. */
  measure(contacts: ContactSet, i: number): number {
    const { body } = this.#parts.model;
    const { bodyInertia, treeCenter } = this.#parts.work;
    const { frame, position } = contacts;
    gram.fill(0);
    for (const [n, side] of this.#sides.entries()) {
      const b = n === 0 ? contacts.carrier1[i] : contacts.carrier2[i];
      if (body.lastDof[b] < 0) continue;
      invert(bodyInertia, 10 * b);
      const mass = bodyInertia[10 * b + 9];
      for (let k = 0; k < 3; k++) side[k] = position[3 * i + k] - treeCenter[3 * b + k];
      for (let k = 0; k < 3; k++) {
        const d = 9 * i + 3 * k;
        const a = 3 + 3 * k;
        side[a] = side[1] * frame[d + 2] - side[2] * frame[d + 1];
        side[a + 1] = side[2] * frame[d] - side[0] * frame[d + 2];
        side[a + 2] = side[0] * frame[d + 1] - side[1] * frame[d];
        side[a + 9] = inverse[0] * side[a] + inverse[3] * side[a + 1] + inverse[4] * side[a + 2];
        side[a + 10] = inverse[3] * side[a] + inverse[1] * side[a + 1] + inverse[5] * side[a + 2];
        side[a + 11] = inverse[4] * side[a] + inverse[5] * side[a + 1] + inverse[2] * side[a + 2];
      }
      for (let k = 0; k < 3; k++) {
        const a = 3 + 3 * k;
        gram[4 * k] += 1 / mass;
        for (let l = 0; l < 3; l++) {
          const s = 12 + 3 * l;
          gram[3 * k + l] += side[a] * side[s] + side[a + 1] * side[s + 1] + side[a + 2] * side[s + 2];
        }
      }
    }
    let square = 0;
    for (let k = 0; k < 9; k++) square += gram[k] * gram[k];
    this.#w = Math.sqrt(square) / 3;
    return this.#w;
  }

  /** ∂w/∂q of the contact that was measured last. */
  differentiate(contacts: ContactSet, i: number): { dofs: Int32Array; rate: Float64Array } {
    const { body } = this.#parts.model;
    const { motionSubspace } = this.#parts.work;
    const { frame, carrier1, carrier2 } = contacts;
    const wrench = this.#wrench;
    bars.fill(0);
    wrench.fill(0, 6 * carrier1[i], 6 * carrier1[i] + 6);
    wrench.fill(0, 6 * carrier2[i], 6 * carrier2[i] + 6);
    for (const [n, side] of this.#sides.entries()) {
      const b = n === 0 ? carrier1[i] : carrier2[i];
      if (body.lastDof[b] < 0) continue;
      const o = 6 * b;
      for (let k = 0; k < 3; k++) {
        const d = 9 * i + 3 * k;
        const a = 3 + 3 * k;
        let x = 0;
        let y = 0;
        let z = 0;
        for (let l = 0; l < 3; l++) {
          const weight = (2 * gram[3 * k + l]) / (9 * this.#w);
          x += weight * side[12 + 3 * l];
          y += weight * side[13 + 3 * l];
          z += weight * side[14 + 3 * l];
        }
        const fx = frame[d + 1] * z - frame[d + 2] * y;
        const fy = frame[d + 2] * x - frame[d] * z;
        const fz = frame[d] * y - frame[d + 1] * x;
        bars[0] += fx;
        bars[1] += fy;
        bars[2] += fz;
        bars[a] += y * side[2] - z * side[1];
        bars[a + 1] += z * side[0] - x * side[2];
        bars[a + 2] += x * side[1] - y * side[0];
        wrench[o] += y * side[a + 2] - z * side[a + 1];
        wrench[o + 1] += z * side[a] - x * side[a + 2];
        wrench[o + 2] += x * side[a + 1] - y * side[a];
        wrench[o + 3] -= fx;
        wrench[o + 4] -= fy;
        wrench[o + 5] -= fz;
      }
    }
    const { contactAdjoint, contactMotion } = this.#parts;
    contactAdjoint.addPointBars(wrench, contactMotion, contacts, i, bars);
    const moving = [carrier1[i], carrier2[i]].filter((b) => body.lastDof[b] >= 0);
    const dofs = new Int32Array(6 * moving.length);
    const rate = new Float64Array(6 * moving.length);
    moving.forEach((b, n) => {
      for (let k = 0; k < 6; k++) {
        dofs[6 * n + k] = body.dofStart[b] + k;
        rate[6 * n + k] = dot6(motionSubspace, 6 * (body.dofStart[b] + k), wrench, 6 * b);
      }
    });
    return { dofs, rate };
  }
}

// the inverse of a symmetric matrix xx yy zz xy xz yz
function invert(m: Float64Array, o: number): void {
  const a = m[o];
  const b = m[o + 1];
  const c = m[o + 2];
  const d = m[o + 3];
  const e = m[o + 4];
  const f = m[o + 5];
  const xx = b * c - f * f;
  const xy = e * f - d * c;
  const xz = d * f - b * e;
  const scale = 1 / (a * xx + d * xy + e * xz);
  inverse[0] = scale * xx;
  inverse[1] = scale * (a * c - e * e);
  inverse[2] = scale * (a * b - d * d);
  inverse[3] = scale * xy;
  inverse[4] = scale * xz;
  inverse[5] = scale * (d * e - a * f);
}
