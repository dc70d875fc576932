/**
 * The description of the shapes of a scene and of its contact points for the compiled twin of geometry/pair/box-box.ts: addresses in the order
 * of packages/kernels/assembly/box-pair.ts.
 */
import type { ContactPoints } from '../geometry/contact-points.ts';
import type { Arena } from '../kernels/arena.ts';
import type { CompiledDynamics } from '../linear-algebra/compiled-functions.ts';
import type { Model } from '../model/model.ts';
import type { CollisionPlan } from './collision-plan.ts';

/** Most points of two boxes. */
const MOST_POINTS = 8;
/** Where the addresses of the points begin. */
const POINTS = 3;
/** Doubles of the arrays behind them: those of box-axes.ts and of box-patch.ts, the last for labels. */
const SCRATCH = [9, 3, 3, 3, 3, 3, 3, 16, 16, 16, 8, 8];

export class BoxPairRecord {
  readonly #compiled: CompiledDynamics;
  readonly #words: Int32Array;
  readonly #address: number;
  readonly #points: ContactPoints;
  #bound: Float64Array | undefined;

  /** The points have to lie in the arena. */
  constructor(compiled: CompiledDynamics, model: Model, plan: CollisionPlan, points: ContactPoints, arena: Arena) {
    this.#compiled = compiled;
    this.#points = points;
    const size = arena.f64(3 * model.size.shape);
    size.set(model.shape.size);
    const scratch = SCRATCH.map((length) => arena.f64(length));
    this.#words = arena.i32(POINTS + 4 + scratch.length);
    this.#address = this.#words.byteOffset;
    this.#words.set([plan.shapePosition, plan.shapeRotation, size].map((array) => array.byteOffset));
    this.#words.set(
      scratch.map((array) => array.byteOffset),
      POINTS + 4,
    );
  }

  /** Adds the points of boxes a and b. */
  test(a: number, b: number, reach: number): void {
    const points = this.#points;
    points.makeRoom(MOST_POINTS);
    if (points.gap !== this.#bound) this.#bind();
    points.count += this.#compiled.testBoxBox(this.#address, a, b, reach, points.count);
  }

  #bind(): void {
    const { position, normal, gap, feature } = this.#points;
    this.#bound = gap;
    this.#words.set(
      [position, normal, gap, feature].map((array) => array.byteOffset),
      POINTS,
    );
  }
}
