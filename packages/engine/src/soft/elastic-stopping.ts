/**
 * When Newton's method on an elastic step has converged:
 *   r = √(Σ |∂J/∂xᵢ|² / mᵢ) / h ≤ ε_a + ε_r max(√Σ mᵢ|vᵢ|², h √Σ |fᵢ|²/mᵢ, √Σ mᵢ|ṽᵢ|²),   all √J
 * the momentum error compared with momentum, elastic impulse and momentum without elasticity, ṽ = (x̃ − xₙ)/h, over free vertices. A step
 * within round-off of the positions also ends the solve. What round-off alone makes is no residual: positions round to ε|x|, and ∂J/∂xᵢ
 * with them to |Hᵢᵢ| ε|x|. A body at rest in balance has no momentum to compare it with.
 */
import type { StoppingRule } from '../minimize/objective.ts';
import type { ElasticStep } from './elastic-newton.ts';

const ROUND_OFF = 2 ** -52;

export class ElasticStopping implements StoppingRule {
  /** r; its reference; the largest r that passes. */
  residual = 0;
  scale = 0;
  tolerance = 0;
  readonly #step: ElasticStep;
  #isShort = false;

  constructor(step: ElasticStep) {
    this.#step = step;
  }

  measure(): number {
    const { absoluteTolerance, relativeTolerance } = this.#step.options;
    this.residual = this.#measureResidual();
    this.scale = this.#measureScale();
    this.tolerance = absoluteTolerance + relativeTolerance * this.scale;
    return this.residual;
  }

  isMinimum(residual: number): boolean {
    return residual <= this.tolerance;
  }

  // a short step is taken if it descends, and is the last
  isTooShort(slope: number): boolean {
    const { direction, x } = this.#step.work;
    this.#isShort = largestEntry(direction) <= 32 * ROUND_OFF * largestEntry(x);
    return this.#isShort && slope >= 0;
  }

  hasConverged(residual: number): boolean {
    return residual <= this.tolerance || this.#isShort;
  }

  isMinimumToRoundOff(): boolean {
    return this.#isShort;
  }

  /** The part of r beyond what passes and what the rounding of positions makes, over the reference. H is that of the last direction. */
  measureExcess(residual: number): number {
    const { absoluteTolerance } = this.#step.options;
    if (residual <= absoluteTolerance) return 0;
    const excess = (residual - absoluteTolerance) / this.scale;
    return residual > this.tolerance && residual <= this.#measureRounding() ? 0 : excess;
  }

  #measureRounding(): number {
    const { mesh, boundary, work, h } = this.#step;
    const { values } = work.hessian;
    let sum = 0;
    for (let v = 0; v < mesh.vertexCount; v++) {
      if (boundary.isPrescribed[v] !== 0) continue;
      for (let k = 0; k < 9; k += 4) sum += values[9 * v + k] ** 2 / mesh.mass[v];
    }
    return (ROUND_OFF * largestEntry(work.x) * Math.sqrt(sum)) / h;
  }

  #measureResidual(): number {
    const { mesh, boundary, work, h } = this.#step;
    const { gradient } = work;
    let sum = 0;
    for (let v = 0; v < mesh.vertexCount; v++) {
      if (boundary.isPrescribed[v] !== 0) continue;
      const i = 3 * v;
      sum += (gradient[i] ** 2 + gradient[i + 1] ** 2 + gradient[i + 2] ** 2) / mesh.mass[v];
    }
    return Math.sqrt(sum) / h;
  }

  // the largest of momentum, elastic impulse and momentum without elasticity
  #measureScale(): number {
    const { mesh, boundary, work, h } = this.#step;
    const { x, start, predicted, elastic } = work;
    let momentum = 0;
    let force = 0;
    let free = 0;
    for (let v = 0; v < mesh.vertexCount; v++) {
      if (boundary.isPrescribed[v] !== 0) continue;
      const m = mesh.mass[v];
      for (let i = 3 * v; i < 3 * v + 3; i++) {
        const moved = x[i] - start[i];
        const ahead = predicted[i] - start[i];
        momentum += m * moved * moved;
        free += m * ahead * ahead;
        force += (elastic[i] * elastic[i]) / m;
      }
    }
    return Math.max(Math.sqrt(Math.max(momentum, free)) / h, h * Math.sqrt(force));
  }
}

export function largestEntry(a: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < a.length; i++) if (Math.abs(a[i]) > largest) largest = Math.abs(a[i]);
  return largest;
}
