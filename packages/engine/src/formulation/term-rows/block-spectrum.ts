/** A block of a term's Hessian over what moves, H = Σ λ u uᵀ: its positive eigenvalues and their eigenvectors. */
import { decomposeSymmetric, LARGEST_BLOCK } from '../../linear-algebra/project-psd.ts';
import type { Model } from '../../model/model.ts';

/** Share of the largest eigenvalue below which one is round-off. */
const NEGLIGIBLE = 1e-14;

export class BlockSpectrum {
  /** Bodies of the block that move. */
  readonly bodies: Int32Array = new Int32Array(LARGEST_BLOCK);
  rigid = 0;
  /** Unknowns: six per moving body, three per vertex. */
  size = 0;
  /** All of them; eigenvector k is from `size` k on. */
  readonly values: Float64Array = new Float64Array(LARGEST_BLOCK);
  readonly vectors: Float64Array = new Float64Array(LARGEST_BLOCK * LARGEST_BLOCK);
  /** Numbers of the positive ones. */
  readonly chosen: Int32Array = new Int32Array(LARGEST_BLOCK);
  readonly #block = new Float64Array(LARGEST_BLOCK * LARGEST_BLOCK);

  /** Decomposes a block of a given width, times a weight; how many eigenvalues are positive. */
  decompose(
    model: Model,
    bodies: ArrayLike<number>,
    vertices: ArrayLike<number>,
    block: ArrayLike<number>,
    width: number,
    weight: number,
  ): number {
    this.#takeMoving(model, bodies, vertices, block, width, weight);
    const n = this.size;
    const { values } = this;
    if (n === 0) return 0;
    // numbers that are not finite spoil the step, which then says so
    if (!decomposeSymmetric(this.#block, 0, n, values, this.vectors)) values[0] = Number.NaN;
    let most = 0;
    for (let k = 0; k < n; k++) most = Math.max(most, values[k]);
    let count = 0;
    for (let k = 0; k < n; k++) if (values[k] > NEGLIGIBLE * most || Number.isNaN(values[k])) this.chosen[count++] = k;
    return count;
  }

  // the part of the block over bodies that move, symmetric and weighted
  #takeMoving(
    model: Model,
    bodies: ArrayLike<number>,
    vertices: ArrayLike<number>,
    block: ArrayLike<number>,
    width: number,
    weight: number,
  ): void {
    const { lastDof } = model.body;
    const place = this.chosen;
    let n = 0;
    this.rigid = 0;
    for (let i = 0; i < bodies.length; i++) {
      if (lastDof[bodies[i]] < 0) continue;
      this.bodies[this.rigid++] = bodies[i];
      for (let k = 0; k < 6; k++) place[n++] = 6 * i + k;
    }
    for (let k = 6 * bodies.length; k < 6 * bodies.length + 3 * vertices.length; k++) place[n++] = k;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        const value = 0.5 * (block[width * place[i] + place[j]] + block[width * place[j] + place[i]]);
        this.#block[n * i + j] = weight * value;
      }
    }
    this.size = n;
  }
}
