/**
 * Springs between points of bodies, soft vertices and the world:
 *   φ(r) = ½ k (r − L)² + ½ c (r − r₀)²/h
 * k stiffness, N/m; L rest length, m; c damping along the spring, N s/m; r₀ its length at the start of the step of length h.
 * The second part is a damper: its slope at the end of the step is c times the rate of the length.
 */
import type { Model } from '../model/model.ts';
import { array, literal, name, number, numbers, object, optional, type SchemaNode } from '../scene/schema.ts';
import type { SceneTermPoint } from '../scene/term.ts';
import { measureInitialDistance } from './initial-configuration.ts';
import { type PairLaw, PairTerm } from './pair-term.ts';
import { readScenePoints, scenePoint } from './scene-points.ts';
import type { Term } from './term.ts';

/** Parameters of the kind `springNetwork`. */
export interface SpringNetworkParameters {
  kind: 'springNetwork';
  /** Name in read-outs. Default: the kind. */
  name?: string;
  /** Factor. Default: 1. */
  weight?: number;
  /** Ends of springs. */
  points: SceneTermPoint[];
  /** Springs. */
  springs: {
    /** Two numbers of points, from 0. */
    between: number[];
    /** N/m. Default: that of the network. */
    stiffness?: number;
    /** m. Default: the distance of the points as the scene is written. */
    restLength?: number;
    /** N s/m. Default: that of the network. */
    damping?: number;
  }[];
  /** Stiffness of springs that do not say, N/m. */
  stiffness?: number;
  /** Damping of springs that do not say, N s/m. Default: 0. */
  damping?: number;
}

const amount = /* @__PURE__ */ number({ minimum: 0 });

export const springNetworkSchema: SchemaNode = /* @__PURE__ */ object<SpringNetworkParameters>({
  kind: literal('springNetwork'),
  name: optional(name()),
  weight: optional(number()),
  points: array(scenePoint),
  springs: array(
    object<SpringNetworkParameters['springs'][number]>({
      between: numbers({ minimumLength: 2, maximumLength: 2, minimum: 0, integer: true }),
      stiffness: optional(amount),
      restLength: optional(amount),
      damping: optional(amount),
    }),
  ),
  stiffness: optional(amount),
  damping: optional(amount),
});

/** A network of springs. */
export function createSpringNetwork(model: Model, parameters: SpringNetworkParameters): Term {
  const points = readScenePoints(parameters.points);
  const { springs, stiffness = 0, damping = 0 } = parameters;
  const pairs = springs.map(({ between: [a, b] }) => [points.get(a), points.get(b)] as const);
  const law = new SpringLaw(
    Float64Array.from(springs, (spring) => spring.stiffness ?? stiffness),
    Float64Array.from(springs, (spring, n) => spring.restLength ?? measureInitialDistance(model, pairs[n])),
    Float64Array.from(springs, (spring) => spring.damping ?? damping),
  );
  return new PairTerm(model, { name: parameters.name ?? parameters.kind, weight: parameters.weight ?? 1, pairs, law });
}

class SpringLaw implements PairLaw {
  readonly #stiffness: Float64Array;
  readonly #restLength: Float64Array;
  readonly #damping: Float64Array;
  /** r₀, m, and c/h, N/m. */
  readonly #start: Float64Array;
  readonly #rate: Float64Array;

  constructor(stiffness: Float64Array, restLength: Float64Array, damping: Float64Array) {
    this.#stiffness = stiffness;
    this.#restLength = restLength;
    this.#damping = damping;
    this.#start = new Float64Array(stiffness.length);
    this.#rate = new Float64Array(stiffness.length);
  }

  begin(n: number, r: number, h: number): void {
    this.#start[n] = r;
    this.#rate[n] = this.#damping[n] / h;
  }

  value(n: number, r: number): number {
    const stretch = r - this.#restLength[n];
    const change = r - this.#start[n];
    return 0.5 * this.#stiffness[n] * stretch * stretch + 0.5 * this.#rate[n] * change * change;
  }

  differentiate(n: number, r: number, out: Float64Array): void {
    const k = this.#stiffness[n];
    const c = this.#rate[n];
    // a spring without rest length pulls in all directions alike; others have no direction where their ends meet
    const isPoint = r < 1e-12;
    const spring = this.#restLength[n] === 0 ? k : isPoint ? 0 : k * (1 - this.#restLength[n] / r);
    const damper = this.#start[n] === 0 ? c : isPoint ? 0 : c * (1 - this.#start[n] / r);
    out[0] = spring + damper;
    out[1] = k + c;
  }
}
