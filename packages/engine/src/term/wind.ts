/**
 * Drag of points in a wind, linear in their velocity relative to it: force c (w − ṗ) on each, with ṗ = (p − p₀)/h:
 *   ψ = Σ ½ c |p − p₀ − h w|²/h
 * c drag per point, N s/m; w velocity of the wind, m/s; p₀ where the point is at the start of the step of length h, s.
 * The wind brings energy in: the term is external.
 */
import type { Model } from '../model/model.ts';
import type { Vec3 } from '../scene/pose.ts';
import { array, literal, name, number, object, optional, type SchemaNode, vector } from '../scene/schema.ts';
import type { SceneTermPoint } from '../scene/term.ts';
import { PointPlaces } from './point-term.ts';
import { readScenePoints, scenePoint } from './scene-points.ts';
import type { Configuration, GradientSink, HessianSink, StepContext, Term } from './term.ts';

/** Parameters of the kind `wind`. */
export interface WindParameters {
  kind: 'wind';
  /** Name in read-outs. Default: the kind. */
  name?: string;
  /** Factor. Default: 1. */
  weight?: number;
  /** Where the wind acts. */
  points: SceneTermPoint[];
  /** w, m/s. Default: 0 0 0, air at rest. */
  velocity?: Vec3;
  /** c, N s/m. */
  drag: number;
}

export const windSchema: SchemaNode = /* @__PURE__ */ object<WindParameters>({
  kind: literal('wind'),
  name: optional(name()),
  weight: optional(number()),
  points: array(scenePoint),
  velocity: optional(vector(3)),
  drag: number({ minimum: 0 }),
});

/** Drag in a wind. */
export function createWind(model: Model, parameters: WindParameters): Term {
  return new WindTerm(model, parameters);
}

class WindTerm implements Term {
  readonly name: string;
  weight: number;
  readonly external: boolean = true;
  readonly #drag: number;
  readonly #wind: Vec3;
  readonly #places: readonly PointPlaces[];
  /** p₀ + h w of every point. */
  readonly #target: Float64Array;
  /** c/h. */
  #stiffness = 0;
  readonly #p = new Float64Array(3);
  readonly #g = new Float64Array(3);
  readonly #h = new Float64Array(9);

  constructor(model: Model, { kind, name = kind, weight = 1, points, velocity = [0, 0, 0], drag }: WindParameters) {
    this.name = name;
    this.weight = weight;
    this.#drag = drag;
    this.#wind = velocity;
    this.#places = readScenePoints(points).all.map((point) => new PointPlaces(model, [point]));
    this.#target = new Float64Array(3 * points.length);
  }

  begin({ start, h }: StepContext): void {
    this.#stiffness = this.#drag / h;
    this.#places.forEach((place, n) => {
      place.read(this.#p, start);
      for (let k = 0; k < 3; k++) this.#target[3 * n + k] = this.#p[k] + h * this.#wind[k];
    });
  }

  value(x: Configuration): number {
    let sum = 0;
    for (let n = 0; n < this.#places.length; n++) {
      this.#differentiate(n, x);
      for (let k = 0; k < 3; k++) sum += (0.5 * this.#g[k] * this.#g[k]) / this.#stiffness;
    }
    return this.#stiffness > 0 ? sum : 0;
  }

  addGradient(x: Configuration, out: GradientSink): void {
    for (let n = 0; n < this.#places.length; n++) {
      this.#differentiate(n, x);
      this.#places[n].addGradient(out, this.#p, this.#g, x);
    }
  }

  addHessian(x: Configuration, out: HessianSink): void {
    const h = this.#h.fill(0);
    h[0] = h[4] = h[8] = this.#stiffness;
    for (let n = 0; n < this.#places.length; n++) {
      this.#differentiate(n, x);
      this.#places[n].addHessian(out, this.#p, this.#g, h, x);
    }
  }

  #differentiate(n: number, x: Configuration): void {
    this.#places[n].read(this.#p, x);
    for (let k = 0; k < 3; k++) this.#g[k] = this.#stiffness * (this.#p[k] - this.#target[3 * n + k]);
  }
}
