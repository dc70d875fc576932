/**
 * The barrier: an energy that grows without bound as surfaces come to a distance ξ and is zero from ξ + d̂ on.
 *   E = h² κ Σ w m φ(D),   φ(D) = d̂ β(D − ξ²)       (contact/barrier.ts)
 * D = d² (m²) a squared distance; w its area (m²); m the mollifier of two edges; κ in Pa: at d̂/2 a barrier (ξ = 0) presses with
 * 4.33 κ. The normal force of a contact is N = −κ w m φ'(D) 2 d, in newtons whatever the time step.
 * Source: Li et al., Incremental Potential Contact (2020); squared distances and physical units as in its successors.
 */

import type { SurfacePairs } from '../../../collision/candidates/surface-pairs.ts';
import { CollisionGeometry } from '../../../collision/collisions/collision-geometry.ts';
import { COLLISION, type SurfaceCollisions } from '../../../collision/collisions/surface-collisions.ts';
import type { SurfaceSet } from '../../../collision/surface/surface-set.ts';
import { barrier, barrierCurvature, barrierSlope, measureBarrierSupport } from '../../../contact/barrier.ts';
import type { FramePoses } from '../../../dynamics/frames.ts';
import { writeMollifierGradient, writeMollifierHessian } from '../../../geometry/distance/edge-mollifier.ts';
import type { BodyMatrix } from '../body-matrix.ts';
import { addCurvature, PairBlocks, writeCross } from './pair-blocks.ts';
import { SoftContact } from './soft-contact.ts';

const moment = /* @__PURE__ */ new Float64Array(12);
const mollifierHessian = /* @__PURE__ */ new Float64Array(144);
const image = /* @__PURE__ */ new Float64Array(144);
const body = /* @__PURE__ */ new Float64Array(12);
const lean = /* @__PURE__ */ new Float64Array(12);
const point = /* @__PURE__ */ new Float64Array(3);
const pull = /* @__PURE__ */ new Float64Array(3);

export class BarrierTerm {
  /** κ, Pa. */
  stiffness = 0;
  readonly #range: number;
  readonly #set: SurfaceSet;
  readonly #blocks = new PairBlocks();
  readonly #geometry = new CollisionGeometry();
  readonly #points = new SoftContact();
  // β and what follows at the last distance
  #value = 0;
  #slope = 0;
  #curvature = 0;

  constructor(set: SurfaceSet, range: number) {
    this.#set = set;
    this.#range = range;
  }

  /** Σ over the list, times `scale` = h²; points of the set are where the list was collected. */
  value(list: SurfaceCollisions, pairs: SurfacePairs, scale: number): number {
    // nothing may be nearer than ξ
    if (!(list.nearest > 0)) return Infinity;
    const range = this.#range;
    let energy = 0;
    for (let n = 0; n < list.count; n++) {
      const xi = pairs.separation[list.pair[n]];
      const value = range * barrier(list.square[n] - xi * xi, measureBarrierSupport(range, xi));
      const m = list.mollifier[n];
      energy += list.weight[n] * m * value;
    }
    return scale * this.stiffness * energy;
  }

  add(
    matrix: BodyMatrix,
    list: SurfaceCollisions,
    pairs: SurfacePairs,
    poses: FramePoses,
    scale: number,
    isProjected: boolean,
  ): void {
    const blocks = this.#blocks;
    const geometry = this.#geometry;
    for (let n = 0; n < list.count; n++) {
      this.#measure(list.square[n], pairs.separation[list.pair[n]]);
      const m = list.mollifier[n];
      if (list.isSoft(n, this.#set)) {
        const factor = scale * this.stiffness * list.weight[n];
        this.#points.read(list, n, this.#set);
        this.#points.differentiate(list, n, m, factor * this.#value, factor * this.#slope, factor * this.#curvature);
        this.#points.addTo(matrix, poses, isProjected && !matrix.isGradientOnly);
        continue;
      }
      geometry.read(blocks, list, n, this.#set, poses);
      const { offset: r, projector } = geometry;
      const factor = scale * this.stiffness * list.weight[n];
      const slope = factor * m * this.#slope;
      if (matrix.isGradientOnly) {
        for (let k = 0; k < 3; k++) blocks.force[k] = 2 * slope * r[k];
        blocks.expandGradient();
        if (m < 1) this.#addMollifierGradient(list.threshold[n], factor * this.#value);
        blocks.addGradientTo(matrix);
        continue;
      }
      const curvature = factor * m * this.#curvature;
      // ∂D/∂r = 2 r, ∂²D/∂r² = 2 P
      for (let i = 0; i < 3; i++) {
        blocks.force[i] = 2 * slope * r[i];
        for (let j = 0; j < 3; j++)
          blocks.stiffness[3 * i + j] = 4 * curvature * r[i] * r[j] + 2 * slope * projector[3 * i + j];
      }
      if (list.kind[n] !== COLLISION.plane) geometry.writeSliding(blocks, 2 * slope);
      blocks.expand(matrix, true);
      if (m < 1) this.#addMollifier(list.threshold[n], factor);
      blocks.addTo(matrix, isProjected);
    }
  }

  /** −κ w m φ'(D) 2 d of contact n, N. */
  measureForce(list: SurfaceCollisions, pairs: SurfacePairs, n: number): number {
    const range = this.#range;
    const xi = pairs.separation[list.pair[n]];
    const slope = range * barrierSlope(list.square[n] - xi * xi, measureBarrierSupport(range, xi));
    const m = list.mollifier[n];
    return -2 * this.stiffness * list.weight[n] * m * slope * Math.sqrt(list.square[n]);
  }

  // φ = d̂ β, φ', φ''
  #measure(square: number, separation: number): void {
    const range = this.#range;
    const support = measureBarrierSupport(range, separation);
    const shifted = square - separation * separation;
    this.#value = range * barrier(shifted, support);
    this.#slope = range * barrierSlope(shifted, support);
    this.#curvature = range * barrierCurvature(shifted, support);
  }

  // ∇m in body numbers to `body`; the gradient takes φ ∇m
  #addMollifierGradient(threshold: number, energy: number): void {
    const { gradient } = this.#blocks;
    const { x, arm } = this.#geometry;
    writeMollifierGradient(moment, 0, x, 0, threshold);
    body.fill(0);
    for (let i = 0; i < 4; i++) {
      const o = i < 2 ? 0 : 6;
      for (let k = 0; k < 3; k++) {
        point[k] = arm[3 * i + k];
        pull[k] = moment[3 * i + k];
        body[o + k] += pull[k];
      }
      writeCross(lean, 0, point, pull, 1);
      for (let k = 0; k < 3; k++) body[o + 3 + k] += lean[k];
    }
    for (let i = 0; i < 12; i++) gradient[i] += energy * body[i];
  }

  // what the mollifier adds: φ ∇m to the gradient; φ ∇²m + φ' (∇m ∇Dᵀ + ∇D ∇mᵀ) to the Hessian
  #addMollifier(threshold: number, factor: number): void {
    const { gradient, hessian, armA, armB } = this.#blocks;
    const { x, arm, offset } = this.#geometry;
    const energy = factor * this.#value;
    writeMollifierGradient(moment, 0, x, 0, threshold);
    writeMollifierHessian(mollifierHessian, 0, x, 0, threshold);
    body.fill(0);
    for (let i = 0; i < 4; i++) {
      const o = i < 2 ? 0 : 6;
      for (let k = 0; k < 3; k++) {
        point[k] = arm[3 * i + k];
        pull[k] = moment[3 * i + k];
        body[o + k] += pull[k];
      }
      writeCross(lean, 0, point, pull, 1);
      for (let k = 0; k < 3; k++) {
        body[o + 3 + k] += lean[k];
        pull[k] *= energy;
      }
      addCurvature(hessian, o + 3, point, pull, 1);
    }
    // Y = H J, then Jᵀ Y: columns and rows of a point go to dx and, crossed with its arm, to dθ
    image.fill(0);
    for (let i = 0; i < 4; i++) {
      const ax = arm[3 * i];
      const ay = arm[3 * i + 1];
      const az = arm[3 * i + 2];
      for (let row = 0; row < 12; row++) {
        const o = 12 * row + (i < 2 ? 0 : 6);
        const h = 12 * row + 3 * i;
        const x = mollifierHessian[h];
        const y = mollifierHessian[h + 1];
        const z = mollifierHessian[h + 2];
        image[o] += x;
        image[o + 1] += y;
        image[o + 2] += z;
        image[o + 3] += ay * z - az * y;
        image[o + 4] += az * x - ax * z;
        image[o + 5] += ax * y - ay * x;
      }
    }
    mollifierHessian.fill(0);
    for (let i = 0; i < 4; i++) {
      const ax = arm[3 * i];
      const ay = arm[3 * i + 1];
      const az = arm[3 * i + 2];
      for (let column = 0; column < 12; column++) {
        const o = 12 * (i < 2 ? 0 : 6) + column;
        const x = image[36 * i + column];
        const y = image[36 * i + 12 + column];
        const z = image[36 * i + 24 + column];
        mollifierHessian[o] += x;
        mollifierHessian[o + 12] += y;
        mollifierHessian[o + 24] += z;
        mollifierHessian[o + 36] += ay * z - az * y;
        mollifierHessian[o + 48] += az * x - ax * z;
        mollifierHessian[o + 60] += ax * y - ay * x;
      }
    }
    // ∇D in body numbers
    for (let k = 0; k < 3; k++) {
      pull[k] = 2 * offset[k];
      lean[k] = pull[k];
      lean[6 + k] = -pull[k];
    }
    writeCross(lean, 3, armA, pull, 1);
    writeCross(lean, 9, armB, pull, -1);
    const slope = factor * this.#slope;
    for (let i = 0; i < 12; i++) {
      gradient[i] += energy * body[i];
      for (let j = 0; j <= i; j++) {
        hessian[12 * i + j] += energy * mollifierHessian[12 * i + j] + slope * (body[i] * lean[j] + lean[i] * body[j]);
        hessian[12 * j + i] = hessian[12 * i + j];
      }
    }
  }
}
