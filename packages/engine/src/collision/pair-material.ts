/**
 * The material of a pair: friction, dimension, stiffness, dissipation, restitution, margin, adhesion, solref and solimp of the
 * contacts of two surfaces. This is the only place where two materials are mixed: shapes, soft bodies and signed-distance fields
 * under every formulation use it. Soft body n counts as shape `size.shape` + n.
 *
 * The surface of higher `priority` decides condim, friction, solref and solimp. At equal priority condim and friction are the
 * larger ones; solref and solimp the mean with weights solmix₁ : solmix₂ (stiffness-like solref, both negative: the smaller).
 * Margins and gaps add. Stiffnesses are in series, k = k₁k₂/(k₁ + k₂); dissipation times add; the larger restitution counts.
 * Forces of adhesion add, or are those of the surface of higher priority.
 * The fields of an explicit pair override this, and the scene's `contactOverride` overrides both.
 *
 * What only one formulation needs is applied there: MuJoCo's least friction in formulation/mujoco.
 * Sources: MuJoCo documentation, "Contact parameters"; Drake, SAP (series and sum).
 */
import type { Model } from '../model/model.ts';
import { MATERIAL } from '../model/model-surfaces.ts';
import type { ContactPair } from '../scene/contact-filter.ts';
import type { ContactOverride } from '../scene/options.ts';
import type { ContactSet } from './contact-set.ts';
import { pairKey } from './pair-filter.ts';

const SMALL_MIX = 1e-15;

/** Materials of the pairs of a model, one at a time. */
export class PairMaterial {
  /** m. */
  margin = 0;
  gap = 0;
  condim = 3;
  /** Two sliding coefficients, spin (m), two rolling (m). */
  readonly friction: Float64Array = new Float64Array(5);
  readonly solref: Float64Array = new Float64Array(2);
  readonly solrefFriction: Float64Array = new Float64Array(2);
  readonly solimp: Float64Array = new Float64Array(5);
  /** k, N/m; 0 leaves it open. */
  stiffness = 0;
  /** τ_d, s; negative leaves it open. */
  dissipation = -1;
  restitution = 0;
  /** N. */
  adhesion = 0;

  readonly #model: Model;
  /** Explicit pairs by the key of their shapes, in the order of the scene: each has contacts of its own. */
  readonly #explicit = new Map<number, Readonly<ContactPair>[]>();
  #one = -1;
  #two = -1;

  constructor(model: Model) {
    const { surface, contactFilter, size } = model;
    this.#model = model;
    surface.explicit.forEach((pair, i) => {
      const { pairShapes } = contactFilter;
      const key = pairKey(pairShapes[2 * i], pairShapes[2 * i + 1], size.shape);
      const listed = this.#explicit.get(key);
      if (listed === undefined) this.#explicit.set(key, [pair]);
      else listed.push(pair);
    });
  }

  /** Whether there are explicit pairs, so that two surfaces alone do not determine the material. */
  get hasExplicit(): boolean {
    return this.#explicit.size > 0;
  }

  /** How often two shapes are listed as an explicit pair, at least 1: so often they have each contact. */
  countSets(a: number, b: number): number {
    if (this.#explicit.size === 0) return 1;
    return this.#explicit.get(pairKey(a, b, this.#model.size.shape))?.length ?? 1;
  }

  /** Forgets the last pair: materials have changed. */
  forget(): void {
    this.#one = -1;
    this.#two = -1;
  }

  /** Mixes the materials of surfaces a and b, unless the last pair had the same; of explicit pairs of the same shapes, those of number `set`. */
  mix(a: number, b: number, set = 0): void {
    const { surface, size } = this.#model;
    const explicit =
      this.#explicit.size > 0 && a < size.shape && b < size.shape
        ? this.#explicit.get(pairKey(a, b, size.shape))?.[set]
        : undefined;
    const one = surface.number[a];
    const two = surface.number[b];
    if (one === this.#one && two === this.#two && explicit === undefined) return;
    this.#one = explicit === undefined ? one : -1;
    this.#two = two;
    this.#mixMargins(a, b);
    this.#mixMaterials(surface.record, MATERIAL.stride * one, MATERIAL.stride * two);
    if (explicit !== undefined) this.#take(explicit);
    if (surface.override !== undefined) this.#replace(surface.override);
  }

  /** The larger of the two coefficients of sliding friction; 0 where contacts have none. */
  get slidingFriction(): number {
    return this.condim === 1 ? 0 : Math.max(this.friction[0], this.friction[1]);
  }

  /** Writes the coefficients of both directions relative to the larger: 1 and 1 where friction is isotropic. */
  writeAnisotropy(out: Float64Array, o: number): void {
    const most = Math.max(this.friction[0], this.friction[1]);
    for (let k = 0; k < 2; k++) out[o + k] = most > 0 ? this.friction[k] / most : 1;
  }

  #mixMargins(a: number, b: number): void {
    const { shape, soft, size } = this.#model;
    const isSoftA = a >= size.shape;
    const isSoftB = b >= size.shape;
    this.margin =
      (isSoftA ? soft.margin[a - size.shape] : shape.margin[a]) +
      (isSoftB ? soft.margin[b - size.shape] : shape.margin[b]);
    this.gap = (isSoftA ? 0 : shape.gap[a]) + (isSoftB ? 0 : shape.gap[b]);
  }

  #mixMaterials(record: Float64Array, a: number, b: number): void {
    const difference = record[a + MATERIAL.priority] - record[b + MATERIAL.priority];
    if (difference !== 0) this.#copy(record, difference > 0 ? a : b);
    else this.#mean(record, a, b);
    this.solrefFriction.fill(0);
    const k1 = record[a + MATERIAL.stiffness];
    const k2 = record[b + MATERIAL.stiffness];
    this.stiffness = k1 > 0 && k2 > 0 ? (k1 * k2) / (k1 + k2) : k1 + k2;
    const t1 = record[a + MATERIAL.dissipation];
    const t2 = record[b + MATERIAL.dissipation];
    this.dissipation = t1 < 0 && t2 < 0 ? -1 : Math.max(0, t1) + Math.max(0, t2);
    this.restitution = Math.max(record[a + MATERIAL.restitution], record[b + MATERIAL.restitution]);
  }

  #copy(record: Float64Array, s: number): void {
    this.condim = record[s + MATERIAL.condim];
    this.adhesion = record[s + MATERIAL.adhesion];
    for (let k = 0; k < 2; k++) this.solref[k] = record[s + MATERIAL.solref + k];
    for (let k = 0; k < 5; k++) this.solimp[k] = record[s + MATERIAL.solimp + k];
    const f = s + MATERIAL.friction;
    this.#setFriction(record[f], record[f + 1], record[f + 2]);
  }

  #mean(record: Float64Array, a: number, b: number): void {
    this.condim = Math.max(record[a + MATERIAL.condim], record[b + MATERIAL.condim]);
    this.adhesion = record[a + MATERIAL.adhesion] + record[b + MATERIAL.adhesion];
    const f = a + MATERIAL.friction;
    const g = b + MATERIAL.friction;
    this.#setFriction(
      Math.max(record[f], record[g]),
      Math.max(record[f + 1], record[g + 1]),
      Math.max(record[f + 2], record[g + 2]),
    );
    const weight = mixWeight(record[a + MATERIAL.solmix], record[b + MATERIAL.solmix]);
    const isTime = record[a + MATERIAL.solref] > 0 && record[b + MATERIAL.solref] > 0;
    for (let k = MATERIAL.solref; k < MATERIAL.solref + 2; k++) {
      const one = record[a + k];
      const two = record[b + k];
      this.solref[k - MATERIAL.solref] = isTime ? weight * one + (1 - weight) * two : Math.min(one, two);
    }
    for (let k = MATERIAL.solimp; k < MATERIAL.solimp + 5; k++)
      this.solimp[k - MATERIAL.solimp] = weight * record[a + k] + (1 - weight) * record[b + k];
  }

  #setFriction(slide: number, spin: number, roll: number): void {
    this.friction[0] = this.friction[1] = slide;
    this.friction[2] = spin;
    this.friction[3] = this.friction[4] = roll;
  }

  // the fields of an explicit pair
  #take(pair: Readonly<ContactPair>): void {
    this.margin = pair.margin ?? this.margin;
    this.gap = pair.gap ?? this.gap;
    this.stiffness = pair.stiffness ?? this.stiffness;
    this.dissipation = pair.dissipation ?? this.dissipation;
    this.restitution = pair.restitution ?? this.restitution;
    if (pair.friction) this.friction.set(pair.friction);
    const { mujoco } = pair;
    this.condim = mujoco?.condim ?? this.condim;
    if (mujoco?.solref) this.solref.set(mujoco.solref);
    if (mujoco?.solimp) this.solimp.set(mujoco.solimp);
    if (mujoco?.solrefFriction) this.solrefFriction.set(mujoco.solrefFriction);
    this.adhesion = mujoco?.adhesion ?? this.adhesion;
  }

  // the override of the scene for all contacts
  #replace(all: Readonly<ContactOverride>): void {
    this.margin = all.margin ?? this.margin;
    if (all.solref) {
      this.solref.set(all.solref);
      this.solrefFriction.set(all.solref);
    }
    if (all.solimp) this.solimp.set(all.solimp);
    if (all.friction) this.friction.set(all.friction);
  }

  /** Writes it to `count` contacts from the given one on: array by array, each loop with its values in local variables. */
  write(contacts: ContactSet, first: number, count: number): void {
    const end = first + count;
    const { margin, condim, stiffness, dissipation, restitution, adhesion } = contacts;
    const { margin: pairMargin, condim: dimension, stiffness: k, dissipation: tau, restitution: e } = this;
    const pull = this.adhesion;
    for (let i = first; i < end; i++) {
      margin[i] = pairMargin;
      condim[i] = dimension;
      stiffness[i] = k;
      dissipation[i] = tau;
      restitution[i] = e;
      adhesion[i] = pull;
    }
    repeatFive(contacts.friction, this.friction, first, end);
    repeatFive(contacts.solimp, this.solimp, first, end);
    repeatTwo(contacts.solref, this.solref, first, end);
    repeatTwo(contacts.solrefFriction, this.solrefFriction, first, end);
  }
}

function mixWeight(one: number, two: number): number {
  if (one >= SMALL_MIX && two >= SMALL_MIX) return one / (one + two);
  if (one < SMALL_MIX && two < SMALL_MIX) return 0.5;
  return one < SMALL_MIX ? 0 : 1;
}

function repeatFive(out: Float64Array, values: Float64Array, first: number, end: number): void {
  const a = values[0];
  const b = values[1];
  const c = values[2];
  const d = values[3];
  const e = values[4];
  for (let o = 5 * first; o < 5 * end; o += 5) {
    out[o] = a;
    out[o + 1] = b;
    out[o + 2] = c;
    out[o + 3] = d;
    out[o + 4] = e;
  }
}

function repeatTwo(out: Float64Array, values: Float64Array, first: number, end: number): void {
  const a = values[0];
  const b = values[1];
  for (let o = 2 * first; o < 2 * end; o += 2) {
    out[o] = a;
    out[o + 1] = b;
  }
}
