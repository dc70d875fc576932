/**
 * A force between shapes that do not touch yet, in derivatives alone: bodies that miss each other have no gradient that would bring them
 * together. Steps are those of the scene; their derivatives are those of a scene in which every two shapes that may touch, within the reach, also repel
 * each other by
 *   f = f₀ exp(−φ/ℓ)        ψ = f₀ ℓ exp(−φ/ℓ),   φ gap of the surfaces, m,   ℓ a fifth of the reach
 * along the line between their nearest points; f₀ is the force at touch, N. Gradients are biased by it, and the report says that it is there.
 * Source: Paulus et al., Hard contacts with soft gradients (2025), contacts from distance.
 */
import { type CollisionPlan, createCollisionPlan } from '../collision/collision-plan.ts';
import { findPairTest } from '../collision/narrow-phase.ts';
import { createPairFilter, mayTouch } from '../collision/pair-filter.ts';
import { NexdynError } from '../error.ts';
import { ContactPoints } from '../geometry/contact-points.ts';
import { hasShapeData } from '../geometry/shapes/shape-table.ts';
import { Arena } from '../kernels/arena.ts';
import { matrixFromQuaternion } from '../linear-algebra/quaternion.ts';
import type { Model } from '../model/model.ts';
import type { Configuration, GradientSink, HessianSink, Term } from '../term/term.ts';

/** How shapes repel each other from a distance. */
export interface DistanceForce {
  /** Gap up to which they do, m. */
  reach: number;
  /** f₀, N. Default: the weight of the lightest body under 9.81 m/s². */
  force?: number;
}

/** Reach over ℓ. */
const DECAY = 5;
const STANDARD_GRAVITY = 9.81;

/** In words, for the report. */
export function describeDistance({ reach }: DistanceForce): string {
  return `in derivatives shapes also repel each other from a distance of ${reach} m`;
}

/** Raises an error where it has no reach. */
export function checkDistance({ reach, force = 1 }: DistanceForce): void {
  if (reach > 0 && reach < Infinity && force > 0 && force < Infinity) return;
  throw new NexdynError('invalid-argument', 'a force from a distance needs a reach and a force above 0', {
    path: 'fromDistance',
    hint: 'give { reach: 0.1 } for gaps up to 0.1 m',
  });
}

/** The force as an energy of a model. */
export function createDistanceTerm(model: Model, { reach, force }: DistanceForce): Term {
  return new DistanceTerm(model, reach, force ?? STANDARD_GRAVITY * findLightest(model));
}

function findLightest({ body, size }: Model): number {
  let least = Infinity;
  for (let b = 1; b < size.body; b++) if (body.mass[b] > 0) least = Math.min(least, body.mass[b]);
  return least < Infinity ? least : 1;
}

class DistanceTerm implements Term {
  readonly name = 'force from a distance';
  readonly external = true;
  readonly #model: Model;
  readonly #plan: CollisionPlan;
  readonly #reach: number;
  readonly #length: number;
  readonly #force: number;
  /** Pairs of shapes, two numbers each, the lower kind first. */
  readonly #pairs: number[] = [];
  readonly #points = new ContactPoints();
  /** Direction of the rows of both bodies: ∂φ/∂(dx, dθ). */
  readonly #way = new Float64Array(12);
  readonly #block = new Float64Array(144);

  constructor(model: Model, reach: number, force: number) {
    this.#model = model;
    this.#plan = createCollisionPlan(model, new Arena());
    this.#reach = reach;
    this.#length = reach / DECAY;
    this.#force = force;
    const filter = createPairFilter(model);
    const { shape, size, body } = model;
    const isMoving = (s: number): boolean => body.lastDof[shape.body[s]] >= 0;
    for (let a = 0; a < size.shape; a++) {
      for (let b = a + 1; b < size.shape; b++) {
        if (shape.body[a] === shape.body[b] || !(isMoving(a) || isMoving(b)) || !mayTouch(model, filter, a, b))
          continue;
        const [one, two] = shape.kind[a] > shape.kind[b] ? [b, a] : [a, b];
        const hasTest = findPairTest(shape.kind[one], shape.kind[two]) !== undefined;
        if (hasTest && hasShapeData(this.#plan.placed[one]) && hasShapeData(this.#plan.placed[two]))
          this.#pairs.push(one, two);
      }
    }
  }

  value(x: Configuration): number {
    let energy = 0;
    this.#visit(x, (gap) => {
      energy += this.#force * this.#length * Math.exp(-gap / this.#length);
    });
    return energy;
  }

  addGradient(x: Configuration, out: GradientSink): void {
    this.#visit(x, (gap, a, b) => {
      const slope = -this.#force * Math.exp(-gap / this.#length);
      const w = this.#way;
      out.addBody(a, slope * w[0], slope * w[1], slope * w[2], slope * w[3], slope * w[4], slope * w[5]);
      out.addBody(b, slope * w[6], slope * w[7], slope * w[8], slope * w[9], slope * w[10], slope * w[11]);
    });
  }

  // without the curvature of the surfaces, which the force is too weak for
  addHessian(x: Configuration, out: HessianSink): void {
    this.#visit(x, (gap, a, b) => {
      const curvature = (this.#force / this.#length) * Math.exp(-gap / this.#length);
      for (let i = 0; i < 12; i++)
        for (let j = 0; j < 12; j++) this.#block[12 * i + j] = curvature * this.#way[i] * this.#way[j];
      out.addBlock([a, b], [], this.#block);
    });
  }

  // pairs within reach, with the derivative of their gap in `way`
  #visit(x: Configuration, use: (gap: number, a: number, b: number) => void): void {
    const { shape } = this.#model;
    this.#place(x);
    for (let n = 0; n < this.#pairs.length; n += 2) {
      const one = this.#plan.placed[this.#pairs[n]];
      const two = this.#plan.placed[this.#pairs[n + 1]];
      this.#points.clear();
      findPairTest(one.kind, two.kind)?.(this.#points, one, two, this.#reach);
      const { gap, count } = this.#points;
      let nearest = -1;
      for (let i = 0; i < count; i++) if (nearest < 0 || gap[i] < gap[nearest]) nearest = i;
      // what touches has the force of the scene
      if (nearest < 0 || !(gap[nearest] > 0 && gap[nearest] < this.#reach)) continue;
      const a = shape.body[this.#pairs[n]];
      const b = shape.body[this.#pairs[n + 1]];
      this.#writeWay(0, x, a, nearest, -1);
      this.#writeWay(6, x, b, nearest, 1);
      use(gap[nearest], a, b);
    }
  }

  #writeWay(o: number, { bodyPosition }: Configuration, body: number, i: number, sign: number): void {
    const { position, normal, gap } = this.#points;
    const way = this.#way;
    // the nearest point of this side
    const shift = 0.5 * sign * gap[i];
    const [nx, ny, nz] = normal.subarray(3 * i, 3 * i + 3);
    const rx = position[3 * i] + shift * nx - bodyPosition[3 * body];
    const ry = position[3 * i + 1] + shift * ny - bodyPosition[3 * body + 1];
    const rz = position[3 * i + 2] + shift * nz - bodyPosition[3 * body + 2];
    way[o] = sign * nx;
    way[o + 1] = sign * ny;
    way[o + 2] = sign * nz;
    way[o + 3] = sign * (ry * nz - rz * ny);
    way[o + 4] = sign * (rz * nx - rx * nz);
    way[o + 5] = sign * (rx * ny - ry * nx);
  }

  #place({ bodyPosition, bodyRotation }: Configuration): void {
    const { shape, size } = this.#model;
    const { shapePosition, shapeRotation } = this.#plan;
    const own = new Float64Array(9);
    for (let s = 0; s < size.shape; s++) {
      const b = shape.body[s];
      matrixFromQuaternion(own, 0, shape.orientation, 4 * s);
      for (let i = 0; i < 3; i++) {
        const r = 9 * b + 3 * i;
        let x = bodyPosition[3 * b + i];
        for (let k = 0; k < 3; k++) x += bodyRotation[r + k] * shape.position[3 * s + k];
        shapePosition[3 * s + i] = x;
        for (let j = 0; j < 3; j++) {
          let sum = 0;
          for (let k = 0; k < 3; k++) sum += bodyRotation[r + k] * own[3 * k + j];
          shapeRotation[9 * s + 3 * i + j] = sum;
        }
      }
    }
  }
}
