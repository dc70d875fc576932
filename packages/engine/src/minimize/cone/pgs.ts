/**
 * Projected Gauss-Seidel over blocks: each block in turn takes its own projected gradient step, with what the
 * others are at the moment.
 *
 *   γ_b ← P_b(γ_b − (N γ + p)_b / λmax(N_bb))
 *
 * The step is safe whatever the block; one over the mean of the diagonal is not (thin or articulated bodies).
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import { findBlockCurvature } from './block-curvature.ts';
import { type BlockProgram, hasBlocks } from './cone-program.ts';
import type { ConeMethod, ConeRun } from './cone-run.ts';
import { projectBlock } from './projection.ts';

export class Pgs implements ConeMethod {
  readonly #memory: Memory;
  #gamma: Float64Array;
  #trial: Float64Array;
  #product: Float64Array;
  #block: Float64Array;
  #curvature: Float64Array;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#gamma = memory.f64(0);
    this.#trial = memory.f64(0);
    this.#product = memory.f64(0);
    this.#block = memory.f64(0);
    this.#curvature = memory.f64(0);
  }

  iterate(run: ConeRun): boolean {
    const { program } = run;
    if (!hasBlocks(program)) return false;
    const { size: n, cones } = program;
    if (this.#gamma.length < n) this.#grow(n);
    const gamma = this.#gamma;
    const product = this.#product;
    for (let i = 0; i < n; i++) gamma[i] = run.start[i];
    run.multiply(product, gamma);
    if (run.check(gamma, product)) return true;
    this.#measureBlocks(program);
    program.beginBlocks(gamma);
    while (run.canGoOn) {
      for (let b = 0; b < cones.count; b++) this.#relax(program, b);
      run.multiply(product, gamma);
      if (run.record(gamma, product, 1)) return true;
      if (!Number.isFinite(run.map.residual)) return false;
    }
    return true;
  }

  #relax(program: BlockProgram, b: number): void {
    const { cones, linear } = program;
    const curvature = this.#curvature[b];
    // a block that nothing moves has nothing to gain
    if (curvature === 0) return;
    const gamma = this.#gamma;
    const trial = this.#trial;
    const block = this.#block;
    const first = cones.rowStart[b];
    const d = cones.rowStart[b + 1] - first;
    program.blockProduct(block, b);
    for (let i = 0; i < d; i++) trial[first + i] = gamma[first + i] - (block[i] + linear[first + i]) / curvature;
    projectBlock(trial, trial, cones, b);
    let isMoved = false;
    for (let i = 0; i < d; i++) {
      block[i] = trial[first + i] - gamma[first + i];
      if (block[i] !== 0) isMoved = true;
      gamma[first + i] = trial[first + i];
    }
    if (isMoved) program.addBlock(b, block);
  }

  #measureBlocks(program: BlockProgram): void {
    const { count, rowStart } = program.cones;
    program.prepareBlocks();
    let largest = 0;
    for (let b = 0, at = 0; b < count; b++) {
      const d = rowStart[b + 1] - rowStart[b];
      this.#curvature[b] = findBlockCurvature(program.diagonal, at, d);
      largest = Math.max(largest, this.#curvature[b]);
      at += d * d;
    }
    for (let b = 0; b < count; b++) if (this.#curvature[b] <= 1e-15 * largest) this.#curvature[b] = 0;
  }

  // a block is no longer than all rows, and there are no more blocks than rows
  #grow(n: number): void {
    const length = 2 * n;
    this.#gamma = this.#memory.f64(length);
    this.#trial = this.#memory.f64(length);
    this.#product = this.#memory.f64(length);
    this.#block = this.#memory.f64(length);
    this.#curvature = this.#memory.f64(length);
  }
}
