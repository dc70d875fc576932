/**
 * Fibers in one direction, added to an isotropic law: together a transversely isotropic material.
 *
 *   W = Σ w ½ k E²,   E = ½(|y|² − 1),   y = F a = Σ_b s_b x_b,   s_b = g_b·a
 *   ∂W/∂x_b = Σ w k E s_b y,   ∂²W/∂x_b∂x_c = Σ w k s_b s_c (E I + y yᵀ)
 *
 * a is the unit direction at rest, k the stiffness that fibers add along it, Pa, E their Green strain; points as in
 * element-points.ts. With the linear law E = a·y − 1 is the small strain, and the second derivative k s_b s_c a aᵀ. It is positive
 * semidefinite where E ≥ 0; the projection takes E = 0 where it is not. Source: Holzapfel, Nonlinear solid mechanics (2000), 6.7.
 */
import type { BlockSparseMatrix } from '../linear-algebra/block-sparse-matrix.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import type { ElementFamily, VertexPairs } from './element-family.ts';
import type { ElementPoints } from './element-points.ts';

export interface Fibers {
  /** Unit vector at rest, world. */
  readonly direction: ArrayLike<number>;
  /** Pa. */
  readonly stiffness: number;
}

const y = /* @__PURE__ */ new Float64Array(3);
const block = /* @__PURE__ */ new Float64Array(9);

export class FiberElements implements ElementFamily {
  readonly kind = 'fibers';
  readonly count: number;
  readonly isQuadratic: boolean;
  readonly stressCount = 0;
  readonly #points: ElementPoints;
  readonly #direction: Float64Array;
  /** Per entry of a point: s. */
  readonly #slope: Float64Array;
  /** Per point: first entry. */
  readonly #slopeStart: Int32Array;
  #given: number;
  #stiffness: number;
  #place = new Int32Array(0);

  constructor(points: ElementPoints, { direction, stiffness }: Fibers, isLinear: boolean, memory: Memory) {
    this.#points = points;
    this.count = points.vertexStart.length - 1;
    this.isQuadratic = isLinear;
    this.#direction = Float64Array.from(direction);
    this.#stiffness = this.#given = stiffness;
    this.#slopeStart = memory.i32(points.weight.length);
    this.#slope = memory.f64(points.shape.length / 3);
    for (let k = 0; k < points.weight.length; k++) this.#slopeStart[k] = points.shapeStart[k] / 3;
    for (let s = 0; s < this.#slope.length; s++) {
      for (let i = 0; i < 3; i++) this.#slope[s] += points.shape[3 * s + i] * this.#direction[i];
    }
  }

  listPairs(): VertexPairs {
    const { vertexStart, vertex } = this.#points;
    const first: number[] = [];
    const second: number[] = [];
    for (let e = 0; e < this.count; e++) {
      for (let a = vertexStart[e]; a < vertexStart[e + 1]; a++) {
        for (let b = vertexStart[e]; b < a; b++) {
          first.push(vertex[a]);
          second.push(vertex[b]);
        }
      }
    }
    return { first: Int32Array.from(first), second: Int32Array.from(second) };
  }

  takePlaces(place: Int32Array): void {
    this.#place = place.slice();
  }

  // fibers have no mass of their own
  addMass(): void {}

  setWeight(weight: number): void {
    this.#stiffness = weight * this.#given;
  }

  takeConstants(other: FiberElements): void {
    this.#stiffness = this.#given = other.#given;
  }

  measureStiffness(): number {
    let volume = 0;
    for (let k = 0; k < this.#points.weight.length; k++)
      if (this.#points.law[k] === 0) volume += this.#points.weight[k];
    return volume * this.#stiffness;
  }

  evaluate(x: Float64Array): number {
    return this.#visit(undefined, x);
  }

  addGradient(gradient: Float64Array, x: Float64Array): number {
    return this.#visit(gradient, x);
  }

  #visit(gradient: Float64Array | undefined, x: Float64Array): number {
    const { vertexStart, pointStart, vertex, weight, law } = this.#points;
    const slope = this.#slope;
    const a = this.#direction;
    let energy = 0;
    for (let e = 0; e < this.count; e++) {
      const from = vertexStart[e];
      const end = vertexStart[e + 1];
      for (let k = pointStart[e]; k < pointStart[e + 1]; k++) {
        if (law[k] !== 0) continue;
        const strain = this.#strain(k, from, end, x);
        const size = weight[k] * this.#stiffness;
        energy += 0.5 * size * strain * strain;
        if (gradient === undefined) continue;
        const along = this.isQuadratic ? a : y;
        for (let n = from, s = this.#slopeStart[k]; n < end; n++, s++) {
          const share = size * strain * slope[s];
          for (let i = 0; i < 3; i++) gradient[3 * vertex[n] + i] += share * along[i];
        }
      }
    }
    return energy;
  }

  addHessian({ values }: BlockSparseMatrix, x: Float64Array, scale: number, isProjected: boolean): void {
    const { vertexStart, pointStart, vertex, weight, law } = this.#points;
    const slope = this.#slope;
    let pair = 0;
    for (let e = 0; e < this.count; e++) {
      const from = vertexStart[e];
      const end = vertexStart[e + 1];
      const n = end - from;
      for (let k = pointStart[e]; k < pointStart[e + 1]; k++) {
        if (law[k] !== 0) continue;
        this.#fillBlock(this.#strain(k, from, end, x), scale * weight[k] * this.#stiffness, isProjected);
        const s = this.#slopeStart[k] - from;
        for (let a = from, p = pair; a < end; a++) {
          addScaled(values, 9 * vertex[a], slope[s + a] * slope[s + a]);
          for (let b = from; b < a; b++, p++) addScaled(values, this.#place[p], slope[s + a] * slope[s + b]);
        }
      }
      pair += (n * (n - 1)) / 2;
    }
  }

  readStress(): void {}

  // y and the strain at point k
  #strain(k: number, from: number, end: number, x: Float64Array): number {
    const { vertex } = this.#points;
    y.fill(0);
    const o = 3 * vertex[from];
    for (let n = from + 1, s = this.#slopeStart[k] + 1; n < end; n++, s++) {
      const i = 3 * vertex[n];
      for (let c = 0; c < 3; c++) y[c] += this.#slope[s] * (x[i + c] - x[o + c]);
    }
    if (!this.isQuadratic) return 0.5 * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2] - 1);
    const a = this.#direction;
    return a[0] * y[0] + a[1] * y[1] + a[2] * y[2] - 1;
  }

  #fillBlock(strain: number, size: number, isProjected: boolean): void {
    const along = this.isQuadratic ? this.#direction : y;
    const level = this.isQuadratic || (isProjected && strain < 0) ? 0 : strain;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) block[3 * i + j] = size * (along[i] * along[j] + (i === j ? level : 0));
    }
  }
}

// the block is symmetric: no pair needs it transposed
function addScaled(values: Float64Array, at: number, scale: number): void {
  for (let i = 0; i < 9; i++) values[at + i] += scale * block[i];
}

/** Adds the first Piola stress of fibers, k E (F a) aᵀ, Pa. */
export function addFiberStress(
  p: Float64Array,
  f: Float64Array,
  { direction: a, stiffness }: Fibers,
  isLinear: boolean,
): void {
  for (let i = 0; i < 3; i++) y[i] = f[3 * i] * a[0] + f[3 * i + 1] * a[1] + f[3 * i + 2] * a[2];
  const strain = isLinear
    ? a[0] * y[0] + a[1] * y[1] + a[2] * y[2] - 1
    : 0.5 * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2] - 1);
  const along = isLinear ? a : y;
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) p[3 * i + j] += stiffness * strain * along[i] * a[j];
}
