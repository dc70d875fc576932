/**
 * A term that is a sum over pairs of points of a function of their distance r = |d|, d = p₁ − p₂, n = d/r:
 *   ψ = Σ φ(r)      gradient ± φ' n      Hessian ± (φ'' n nᵀ + φ'/r (1 − n nᵀ))
 * A law gives φ (J), φ'/r and φ'' (N/m): the quotient is finite where points meet.
 */
import type { Model } from '../model/model.ts';
import { PointPlaces, type TermPoint } from './point-term.ts';
import type { Configuration, GradientSink, HessianSink, StepContext, Term } from './term.ts';

/** φ of one pair. */
export interface PairLaw {
  /** A step of length h (s) begins with pair n at a distance r, m. */
  begin?(n: number, r: number, h: number): void;
  /** φ(r) of pair n, J. */
  value(n: number, r: number): number;
  /** φ'/r and φ'' of pair n, N/m, into the two numbers of `out`. */
  differentiate(n: number, r: number, out: Float64Array): void;
}

export interface PairTermOptions {
  readonly name: string;
  readonly weight?: number;
  readonly pairs: readonly (readonly [TermPoint, TermPoint])[];
  readonly law: PairLaw;
}

export class PairTerm implements Term {
  readonly name: string;
  weight: number;
  readonly #law: PairLaw;
  readonly #places: readonly PointPlaces[];
  readonly #p = new Float64Array(6);
  readonly #g = new Float64Array(6);
  readonly #h = new Float64Array(36);
  readonly #slope = new Float64Array(2);

  constructor(model: Model, { name, weight = 1, pairs, law }: PairTermOptions) {
    this.name = name;
    this.weight = weight;
    this.#law = law;
    this.#places = pairs.map((points) => new PointPlaces(model, points));
  }

  begin({ start, h }: StepContext): void {
    const law = this.#law;
    if (!law.begin) return;
    for (let n = 0; n < this.#places.length; n++) law.begin(n, this.#measure(n, start), h);
  }

  value(x: Configuration): number {
    let sum = 0;
    for (let n = 0; n < this.#places.length; n++) sum += this.#law.value(n, this.#measure(n, x));
    return sum;
  }

  addGradient(x: Configuration, out: GradientSink): void {
    for (let n = 0; n < this.#places.length; n++) {
      this.#differentiate(n, x);
      this.#places[n].addGradient(out, this.#p, this.#g, x);
    }
  }

  addHessian(x: Configuration, out: HessianSink): void {
    const h = this.#h;
    const p = this.#p;
    for (let n = 0; n < this.#places.length; n++) {
      const r = this.#differentiate(n, x);
      const [quotient, curvature] = this.#slope;
      const along = r > 0 ? (curvature - quotient) / (r * r) : 0;
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          const value = along * (p[i] - p[3 + i]) * (p[j] - p[3 + j]) + (i === j ? quotient : 0);
          h[6 * i + j] = h[6 * (3 + i) + 3 + j] = value;
          h[6 * i + 3 + j] = h[6 * (3 + i) + j] = -value;
        }
      }
      this.#places[n].addHessian(out, p, this.#g, h, x);
    }
  }

  // r, with the points in p
  #measure(n: number, x: Configuration): number {
    const p = this.#p;
    this.#places[n].read(p, x);
    return Math.sqrt((p[0] - p[3]) ** 2 + (p[1] - p[4]) ** 2 + (p[2] - p[5]) ** 2);
  }

  // r, with the points in p, φ'/r and φ'' in slope and the gradient by the points in g
  #differentiate(n: number, x: Configuration): number {
    const p = this.#p;
    const g = this.#g;
    const r = this.#measure(n, x);
    this.#law.differentiate(n, r, this.#slope);
    for (let k = 0; k < 3; k++) {
      g[k] = this.#slope[0] * (p[k] - p[3 + k]);
      g[3 + k] = -g[k];
    }
    return r;
  }
}
