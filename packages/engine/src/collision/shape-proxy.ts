/**
 * A placed shape is an object with three views: reading its 15 numbers touches about ten cache lines. In scenes too large for the
 * cache, the numbers of a shape are copied to a proxy that stays in it: with 100,000 boxes numbered
 * at random a detection takes an eighth less time. With 10,000 the copying costs more than it saves.
 */
import { type PlacedShape, placeShape } from '../geometry/placed-shape.ts';
import { SHAPE_TABLE } from '../geometry/shapes/shape-table.ts';
import type { Model } from '../model/model.ts';
import type { CollisionPlan } from './collision-plan.ts';

const MANY_SHAPES = 32_768;

/** Whether shapes should have proxies in a scene with so many. */
export function areShapesFar(shapes: number): boolean {
  return shapes >= MANY_SHAPES;
}

/** The proxies of one side of a pair. */
export class ShapeProxy {
  /** By kind; undefined where shapes are used directly. */
  readonly #shapes: (PlacedShape | undefined)[];
  /** By kind: the shape that is copied, or −1. */
  readonly #copied: Int32Array;

  constructor(isCopying: boolean) {
    this.#shapes = SHAPE_TABLE.map(({ isPlain }, kind) =>
      isCopying && isPlain ? placeShape(kind, [0, 0, 0]) : undefined,
    );
    this.#copied = new Int32Array(this.#shapes.length).fill(-1);
  }

  /** To be called when poses have changed. */
  forget(): void {
    this.#copied.fill(-1);
  }

  /** The shape s, until another one is taken. */
  take(model: Model, plan: CollisionPlan, s: number): PlacedShape {
    const kind = model.shape.kind[s];
    const shape = this.#shapes[kind];
    if (shape === undefined) return plan.placed[s];
    if (this.#copied[kind] !== s) {
      this.#copied[kind] = s;
      copyThree(shape.position, 0, plan.shapePosition, 3 * s);
      copyThree(shape.rotation, 0, plan.shapeRotation, 9 * s);
      copyThree(shape.rotation, 3, plan.shapeRotation, 9 * s + 3);
      copyThree(shape.rotation, 6, plan.shapeRotation, 9 * s + 6);
      copyThree(shape.size, 0, model.shape.size, 3 * s);
    }
    return shape;
  }
}

function copyThree(out: Float64Array, o: number, from: Float64Array, i: number): void {
  out[o] = from[i];
  out[o + 1] = from[i + 1];
  out[o + 2] = from[i + 2];
}
