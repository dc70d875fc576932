/**
 * Points that attract each other by the inverse square of their distance, softened near zero:
 *   φ(r) = −s/q,   q = √(r² + ε²)        force s r/q³, N
 * s strength, N m²; negative values repel. ε softening, m: within it the force falls back to zero instead of growing for ever.
 */
import type { Model } from '../model/model.ts';
import { array, literal, name, number, numbers, object, optional, type SchemaNode } from '../scene/schema.ts';
import type { SceneTermPoint } from '../scene/term.ts';
import { type PairLaw, PairTerm } from './pair-term.ts';
import { readScenePoints, scenePoint } from './scene-points.ts';
import type { Term } from './term.ts';

/** Parameters of the kind `magnet`. */
export interface MagnetParameters {
  kind: 'magnet';
  /** Name in read-outs. Default: the kind. */
  name?: string;
  /** Factor. Default: 1. */
  weight?: number;
  /** Poles. */
  points: SceneTermPoint[];
  /** Pairs of poles that attract each other: two numbers of points each, from 0. */
  pairs: number[][];
  /** s, N m²; negative repels. */
  strength: number;
  /** ε, m. Default: 0.01. */
  softening?: number;
}

export const magnetSchema: SchemaNode = /* @__PURE__ */ object<MagnetParameters>({
  kind: literal('magnet'),
  name: optional(name()),
  weight: optional(number()),
  points: array(scenePoint),
  pairs: array(numbers({ minimumLength: 2, maximumLength: 2, minimum: 0, integer: true })),
  strength: number(),
  softening: optional(number({ exclusiveMinimum: 0 })),
});

/** Poles that attract or repel each other. */
export function createMagnet(model: Model, parameters: MagnetParameters): Term {
  const points = readScenePoints(parameters.points);
  const pairs = parameters.pairs.map(([a, b]) => [points.get(a), points.get(b)] as const);
  const law = new MagnetLaw(parameters.strength, parameters.softening ?? 0.01);
  return new PairTerm(model, { name: parameters.name ?? parameters.kind, weight: parameters.weight ?? 1, pairs, law });
}

class MagnetLaw implements PairLaw {
  readonly #strength: number;
  readonly #square: number;

  constructor(strength: number, softening: number) {
    this.#strength = strength;
    this.#square = softening * softening;
  }

  value(_n: number, r: number): number {
    return -this.#strength / Math.sqrt(r * r + this.#square);
  }

  differentiate(_n: number, r: number, out: Float64Array): void {
    const q = Math.sqrt(r * r + this.#square);
    const quotient = this.#strength / (q * q * q);
    out[0] = quotient;
    out[1] = quotient * (1 - (3 * r * r) / (q * q));
  }
}
