/**
 * How far things that carry points move at most in a step, m: rigid frames first, then soft bodies.
 *   rigid frame  |dx − c| + |dθ| r, r its farthest point: a bound that holds on the curve, half turns included
 *   soft body    the farthest motion of its vertices beside c; against itself, the motion of each relative to the mean
 * c is what all move in common: the mean step of the rigid bodies where that is most of their motion, as of bodies that fall together,
 * else 0. Two things come nearer by no more than the sum of their motions beside any c; the world moves by −c.
 */

import type { Frames } from '../../dynamics/frames.ts';
import type { Model } from '../../model/model.ts';
import type { SoftCarriers } from '../surface/soft-carriers.ts';

/** Share of all motion below which that beside c counts as little. */
const SMALL_SHARE = 0.5;

export class CarrierMoves {
  readonly count: number;
  /** Per carrier; and per soft vertex, beside the mean of its body. */
  readonly ahead: Float64Array;
  readonly spread: Float64Array;
  readonly #frames: Frames;
  readonly #reach: Float64Array;
  readonly #carriers: SoftCarriers;
  readonly #vertexStart: Int32Array;
  readonly #mean = new Float64Array(3);
  /** c, m. */
  readonly #common = new Float64Array(3);

  constructor(model: Model, frames: Frames, carriers: SoftCarriers, reach: Float64Array) {
    this.count = frames.firstSoft + model.size.softBody;
    this.ahead = new Float64Array(this.count);
    this.spread = new Float64Array(model.size.softVertex);
    this.#frames = frames;
    this.#reach = reach;
    this.#carriers = carriers;
    this.#vertexStart = model.soft.vertexStart;
  }

  /** Takes the step of the frames. */
  measure(): void {
    const { firstSoft, step } = this.#frames;
    const c = this.#common;
    this.#findCommon();
    for (let f = 0; f < firstSoft; f++) this.ahead[f] = this.#measureFrame(step, f, c[0], c[1], c[2]);
    for (let n = 0; n < this.#vertexStart.length - 1; n++) {
      const mean = this.#averageStep(n);
      const start = this.#vertexStart;
      let most = 0;
      for (let v = start[n]; v < start[n + 1]; v++) {
        const f = this.#carriers.frame[v];
        most = Math.max(most, this.#measureFrame(step, f, c[0], c[1], c[2]));
        this.spread[v] = this.#measureFrame(step, f, mean[0], mean[1], mean[2]);
      }
      this.ahead[firstSoft + n] = most;
    }
  }

  #findCommon(): void {
    const { moving, step } = this.#frames;
    const c = this.#common.fill(0);
    if (moving < 2) return;
    for (let i = 0; i < 6 * moving; i += 6) for (let k = 0; k < 3; k++) c[k] += step[i + k] / moving;
    let whole = 0;
    let beside = 0;
    for (let i = 0; i < 6 * moving; i += 6) {
      whole += Math.sqrt(step[i] ** 2 + step[i + 1] ** 2 + step[i + 2] ** 2);
      beside += Math.sqrt((step[i] - c[0]) ** 2 + (step[i + 1] - c[1]) ** 2 + (step[i + 2] - c[2]) ** 2);
    }
    if (!(beside < SMALL_SHARE * whole)) c.fill(0);
  }

  #averageStep(n: number): Float64Array {
    const { step } = this.#frames;
    const start = this.#vertexStart;
    const mean = this.#mean.fill(0);
    const share = 1 / (start[n + 1] - start[n]);
    for (let v = start[n]; v < start[n + 1]; v++) {
      const i = 6 * this.#carriers.frame[v];
      for (let k = 0; k < 3; k++) mean[k] += share * step[i + k];
    }
    return mean;
  }

  // |dx − m| + |dθ| r
  #measureFrame(step: Float64Array, f: number, x: number, y: number, z: number): number {
    const i = 6 * f;
    const move = Math.sqrt((step[i] - x) ** 2 + (step[i + 1] - y) ** 2 + (step[i + 2] - z) ** 2);
    return move + this.#reach[f] * Math.sqrt(step[i + 3] ** 2 + step[i + 4] ** 2 + step[i + 5] ** 2);
  }
}
