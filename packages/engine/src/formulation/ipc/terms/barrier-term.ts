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
import { barrier, barrierSlope, measureBarrierSupport, writeBarrier } from '../../../contact/barrier.ts';
import type { FramePoses } from '../../../dynamics/frames.ts';
import type { Memory } from '../../../linear-algebra/memory.ts';
import type { BodyMatrix } from '../body-matrix.ts';
import { PairBlocks, writeCross } from './pair-blocks.ts';
import { SoftContact } from './soft-contact.ts';

const beta = /* @__PURE__ */ new Float64Array(3);
const lean = /* @__PURE__ */ new Float64Array(12);
const edgeA = /* @__PURE__ */ new Float64Array(3);
const edgeB = /* @__PURE__ */ new Float64Array(3);
const turn = /* @__PURE__ */ new Float64Array(3);
const pull = /* @__PURE__ */ new Float64Array(3);

export class BarrierTerm {
  /** κ, Pa. */
  stiffness = 0;
  readonly #range: number;
  readonly #set: SurfaceSet;
  readonly #blocks: PairBlocks;
  readonly #geometry = new CollisionGeometry();
  readonly #points = new SoftContact();
  // β and what follows at the last distance
  #value = 0;
  #slope = 0;
  #curvature = 0;
  // u·v, dm/dc and d²m/dc² of the edges read last
  #cosine = 0;
  #mollifierSlope = 0;
  #mollifierCurvature = 0;

  constructor(set: SurfaceSet, range: number, memory?: Memory) {
    this.#blocks = new PairBlocks(memory);
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

  /**
   * What rounding of points makes of `value`, for contacts of rigid frames: a distance is off by ε |x|, and its energy by N times that.
   * Errors have no common sign, so that their squares add up. Differences of `value` near the minimum are often less.
   */
  measureRounding(list: SurfaceCollisions, pairs: SurfacePairs, scale: number): number {
    const { world } = this.#set;
    let sum = 0;
    for (let n = 0; n < list.count; n++) {
      if (list.isSoft(n, this.#set)) continue;
      const v = 3 * list.part[4 * n];
      const size = Math.max(Math.abs(world[v]), Math.abs(world[v + 1]), Math.abs(world[v + 2]));
      sum += (this.measureForce(list, pairs, n) * size) ** 2;
    }
    return scale * Number.EPSILON * Math.sqrt(sum);
  }

  // φ = d̂ β, φ', φ''
  #measure(square: number, separation: number): void {
    const range = this.#range;
    const support = measureBarrierSupport(range, separation);
    const shifted = square - separation * separation;
    writeBarrier(beta, shifted, support);
    this.#value = range * beta[0];
    this.#slope = range * beta[1];
    this.#curvature = range * beta[2];
  }

  /**
   * The mollifier of two edges u, v of rigid frames depends on the turn of one against the other alone. With c = u·v and n = u × v,
   *   ∂c = (θ_A − θ_B)·n,   ∂²c = ½ (u vᵀ + v uᵀ) − c 1 on both diagonals, c 1 − v uᵀ for θ_A and θ_B
   * and m = (2 − s/ε) s/ε with s = |n|² = |u|²|v|² − c²: m' = dm/dc and m'' follow. To `turn`: m' n.
   */
  #readMollifier(threshold: number): void {
    const { x } = this.#geometry;
    for (let k = 0; k < 3; k++) {
      edgeA[k] = x[3 + k] - x[k];
      edgeB[k] = x[9 + k] - x[6 + k];
    }
    writeCross(turn, 0, edgeA, edgeB, 1);
    const c = edgeA[0] * edgeB[0] + edgeA[1] * edgeB[1] + edgeA[2] * edgeB[2];
    const y = (turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]) / threshold;
    // dm/ds and d²m/ds²
    const first = (2 / threshold) * (1 - y);
    const second = -2 / (threshold * threshold);
    this.#cosine = c;
    this.#mollifierSlope = -2 * c * first;
    this.#mollifierCurvature = 4 * c * c * second - 2 * first;
  }

  // the gradient takes φ ∇m
  #addMollifierGradient(threshold: number, energy: number): void {
    const { gradient } = this.#blocks;
    this.#readMollifier(threshold);
    for (let k = 0; k < 3; k++) {
      const by = energy * this.#mollifierSlope * turn[k];
      gradient[3 + k] += by;
      gradient[9 + k] -= by;
    }
  }

  // what the mollifier adds: φ ∇m to the gradient; φ ∇²m + φ' (∇m ∇Dᵀ + ∇D ∇mᵀ) to the Hessian
  #addMollifier(threshold: number, factor: number): void {
    const { hessian, armA, armB } = this.#blocks;
    const { offset } = this.#geometry;
    const energy = factor * this.#value;
    this.#addMollifierGradient(threshold, energy);
    const m1 = this.#mollifierSlope;
    const m2 = this.#mollifierCurvature;
    const c = this.#cosine;
    // φ ∇²m, on turns alone
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const own = m2 * turn[i] * turn[j];
        const even = 0.5 * (edgeA[i] * edgeB[j] + edgeB[i] * edgeA[j]) - (i === j ? c : 0);
        const mixed = (i === j ? c : 0) - edgeB[i] * edgeA[j];
        const diagonal = energy * (own + m1 * even);
        const across = energy * (m1 * mixed - own);
        hessian[12 * (3 + i) + 3 + j] += diagonal;
        hessian[12 * (9 + i) + 9 + j] += diagonal;
        hessian[12 * (3 + i) + 9 + j] += across;
        hessian[12 * (9 + j) + 3 + i] += across;
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
    const slope = factor * this.#slope * m1;
    for (let k = 0; k < 3; k++) {
      const by = slope * turn[k];
      for (let j = 0; j < 12; j++) {
        const value = by * lean[j];
        hessian[12 * (3 + k) + j] += value;
        hessian[12 * j + 3 + k] += value;
        hessian[12 * (9 + k) + j] -= value;
        hessian[12 * j + 9 + k] -= value;
      }
    }
  }
}
