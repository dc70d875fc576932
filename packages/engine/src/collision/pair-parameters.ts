/**
 * Parameters of the contacts of two shapes, mixed once per pair and step.
 *
 * The shape of higher `priority` decides condim, friction, solref and solimp. At equal priority: condim and friction are the
 * larger ones; solref and solimp the mean with weights solmix₁ : solmix₂ (stiffness-like solref, both negative: the smaller).
 * Margins and gaps add. One rule of friction serves all formulations, so that they are compared on the same scene.
 * Physical numbers: stiffnesses in series k₁k₂/(k₁ + k₂), dissipation times add, the larger restitution.
 * Forces of adhesion add, or are those of the shape of higher priority.
 * An explicit pair decides itself; what the scene's `contactOverride` says replaces all of them. Sources: MuJoCo documentation, "Contact parameters"; Drake, SAP (series and sum).
 */
import type { Model } from '../model/model.ts';
import type { ContactPair } from '../scene/contact-filter.ts';
import type { ContactOverride } from '../scene/options.ts';
import type { ContactSet } from './contact-set.ts';
import type { SurfaceClasses } from './surface-class.ts';

const SMALL_MIX = 1e-15;
/** Least friction MuJoCo uses. */
const LEAST_FRICTION = 1e-5;

export class PairParameters {
  margin = 0;
  gap = 0;
  condim = 3;
  readonly friction: Float64Array = new Float64Array(5);
  readonly solref: Float64Array = new Float64Array(2);
  readonly solrefFriction: Float64Array = new Float64Array(2);
  readonly solimp: Float64Array = new Float64Array(5);
  stiffness = 0;
  dissipation = -1;
  restitution = 0;
  adhesion = 0;

  #one = -1;
  #two = -1;

  /** Mixes the parameters of shapes a and b, unless the last pair had the same surfaces. */
  mix(model: Model, surface: SurfaceClasses, a: number, b: number): void {
    const { shape } = model;
    if (surface.number[a] === this.#one && surface.number[b] === this.#two) return;
    this.#one = surface.number[a];
    this.#two = surface.number[b];
    this.margin = shape.margin[a] + shape.margin[b];
    this.gap = shape.gap[a] + shape.gap[b];
    this.solrefFriction.fill(0);
    const difference = shape.priority[a] - shape.priority[b];
    if (difference !== 0) this.#take(model, difference > 0 ? a : b);
    else this.#mean(model, a, b);
    this.#mixMaterials(surface, a, b);
    this.#replace(model.scene.options?.contactOverride);
  }

  #take(model: Model, s: number): void {
    const { shape } = model;
    this.condim = shape.condim[s];
    this.adhesion = shape.adhesion[s];
    for (let k = 0; k < 2; k++) this.solref[k] = shape.solref[2 * s + k];
    for (let k = 0; k < 5; k++) this.solimp[k] = shape.solimp[5 * s + k];
    this.#setFriction(shape.friction[3 * s], shape.friction[3 * s + 1], shape.friction[3 * s + 2]);
  }

  #mean(model: Model, a: number, b: number): void {
    const { shape } = model;
    this.condim = Math.max(shape.condim[a], shape.condim[b]);
    this.adhesion = shape.adhesion[a] + shape.adhesion[b];
    const f = shape.friction;
    this.#setFriction(
      Math.max(f[3 * a], f[3 * b]),
      Math.max(f[3 * a + 1], f[3 * b + 1]),
      Math.max(f[3 * a + 2], f[3 * b + 2]),
    );
    const weight = mixWeight(shape.solmix[a], shape.solmix[b]);
    const isTime = shape.solref[2 * a] > 0 && shape.solref[2 * b] > 0;
    for (let k = 0; k < 2; k++) {
      const one = shape.solref[2 * a + k];
      const two = shape.solref[2 * b + k];
      this.solref[k] = isTime ? weight * one + (1 - weight) * two : Math.min(one, two);
    }
    for (let k = 0; k < 5; k++)
      this.solimp[k] = weight * shape.solimp[5 * a + k] + (1 - weight) * shape.solimp[5 * b + k];
  }

  #setFriction(slide: number, spin: number, roll: number): void {
    this.friction[0] = this.friction[1] = Math.max(LEAST_FRICTION, slide);
    this.friction[2] = Math.max(LEAST_FRICTION, spin);
    this.friction[3] = this.friction[4] = Math.max(LEAST_FRICTION, roll);
  }

  #mixMaterials({ stiffness, dissipation, restitution }: SurfaceClasses, a: number, b: number): void {
    const k1 = stiffness[a];
    const k2 = stiffness[b];
    this.stiffness = k1 > 0 && k2 > 0 ? (k1 * k2) / (k1 + k2) : k1 + k2;
    const isOpen = dissipation[a] < 0 && dissipation[b] < 0;
    this.dissipation = isOpen ? -1 : Math.max(0, dissipation[a]) + Math.max(0, dissipation[b]);
    this.restitution = Math.max(restitution[a], restitution[b]);
  }

  /** Writes them to `count` contacts from the given one on: array by array, each loop with its values at hand. */
  write(contacts: ContactSet, first: number, count: number): void {
    const end = first + count;
    const { margin, condim, stiffness, dissipation, restitution, adhesion } = contacts;
    const {
      margin: ownMargin,
      condim: ownCondim,
      stiffness: k,
      dissipation: tau,
      restitution: e,
      adhesion: hold,
    } = this;
    for (let i = first; i < end; i++) {
      margin[i] = ownMargin;
      condim[i] = ownCondim;
      stiffness[i] = k;
      dissipation[i] = tau;
      restitution[i] = e;
      adhesion[i] = hold;
    }
    repeatFive(contacts.friction, this.friction, first, end);
    repeatFive(contacts.solimp, this.solimp, first, end);
    repeatTwo(contacts.solref, this.solref, first, end);
    repeatTwo(contacts.solrefFriction, this.solrefFriction, first, end);
  }

  /** Replaces by what an explicit pair says, and that by what the scene says for all contacts. */
  override(pair: ContactPair, all: ContactOverride | undefined): void {
    this.#one = -1;
    this.margin = pair.margin ?? this.margin;
    this.gap = pair.gap ?? this.gap;
    this.stiffness = pair.stiffness ?? this.stiffness;
    this.dissipation = pair.dissipation ?? this.dissipation;
    this.restitution = pair.restitution ?? this.restitution;
    if (pair.friction) for (let k = 0; k < 5; k++) this.friction[k] = Math.max(LEAST_FRICTION, pair.friction[k]);
    const { mujoco } = pair;
    this.condim = mujoco?.condim ?? this.condim;
    if (mujoco?.solref) this.solref.set(mujoco.solref);
    if (mujoco?.solimp) this.solimp.set(mujoco.solimp);
    if (mujoco?.solrefFriction) this.solrefFriction.set(mujoco.solrefFriction);
    this.adhesion = mujoco?.adhesion ?? this.adhesion;
    this.#replace(all);
  }

  #replace(all: ContactOverride | undefined): void {
    if (all === undefined) return;
    this.margin = all.margin ?? this.margin;
    if (all.solref) {
      this.solref.set(all.solref);
      this.solrefFriction.set(all.solref);
    }
    if (all.solimp) this.solimp.set(all.solimp);
    if (all.friction) for (let k = 0; k < 5; k++) this.friction[k] = Math.max(LEAST_FRICTION, all.friction[k]);
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
