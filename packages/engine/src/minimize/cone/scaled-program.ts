/**
 * The same program in other units: γ = S γ̂ with a diagonal S, so that all blocks of the new matrix are about as large.
 *
 *   N̂ = S N S,   p̂ = S p,   û = S u;      s_b = 1/√λmax(N_bb) for the rows of a cone, s_i = 1/√N_ii for other rows
 *
 * The rows of a cone share their factor: the cone stays as it is. Bounds of boxes are divided by it.
 */
import type { Memory } from '../../linear-algebra/memory.ts';
import { findBlockCurvature } from './block-curvature.ts';
import { type BlockProgram, type ConeProgram, hasBlocks, isFactorable } from './cone-program.ts';
import { CONE, ConeTable } from './cone-set.ts';

export class ScaledProgram implements ConeProgram {
  size = 0;
  linear: Float64Array;
  readonly cones: ConeTable;
  /** Per row: s. */
  scale: Float64Array;
  readonly #memory: Memory;
  #inner: ConeProgram | undefined;
  #scratch: Float64Array;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.cones = new ConeTable(memory);
    this.linear = memory.f64(0);
    this.scale = memory.f64(0);
    this.#scratch = memory.f64(0);
  }

  /** Takes a program; where its blocks are not known, all factors are one. */
  take(inner: ConeProgram): void {
    const n = inner.size;
    this.#inner = inner;
    this.size = n;
    if (this.linear.length < n) {
      this.linear = this.#memory.f64(2 * n);
      this.scale = this.#memory.f64(2 * n);
      this.#scratch = this.#memory.f64(2 * n);
    }
    this.scale.fill(1, 0, n);
    if (hasBlocks(inner)) this.#findScale(inner);
    this.cones.clear();
    for (let b = 0; b < inner.cones.count; b++) this.cones.addScaled(inner.cones, b, this.scale);
    for (let i = 0; i < n; i++) this.linear[i] = this.scale[i] * inner.linear[i];
  }

  multiply(out: Float64Array, x: Float64Array): void {
    const { scale, size: n } = this;
    const scratch = this.#scratch;
    for (let i = 0; i < n; i++) scratch[i] = scale[i] * x[i];
    this.#inner!.multiply(out, scratch);
    for (let i = 0; i < n; i++) out[i] *= scale[i];
  }

  // S N S + D = S (N + S⁻¹ D S⁻¹) S
  factorShifted(shift: Float64Array): boolean {
    const { scale, size: n } = this;
    const scratch = this.#scratch;
    const inner = this.#inner!;
    if (!isFactorable(inner)) return false;
    for (let i = 0; i < n; i++) scratch[i] = shift[i] / (scale[i] * scale[i]);
    return inner.factorShifted(scratch);
  }

  solveShifted(x: Float64Array): void {
    const { scale, size: n } = this;
    const inner = this.#inner!;
    if (!isFactorable(inner)) return;
    for (let i = 0; i < n; i++) x[i] /= scale[i];
    inner.solveShifted(x);
    for (let i = 0; i < n; i++) x[i] /= scale[i];
  }

  #findScale(inner: BlockProgram): void {
    inner.prepareBlocks();
    const { count, rowStart, kind } = inner.cones;
    const { scale } = this;
    const { diagonal } = inner;
    // λmax of blocks, entries of the diagonal elsewhere
    let largest = 0;
    let at = 0;
    for (let b = 0; b < count; b++) {
      const first = rowStart[b];
      const d = rowStart[b + 1] - first;
      const isCone = kind[b] === CONE.friction || kind[b] === CONE.rolling;
      const shared = isCone ? findBlockCurvature(diagonal, at, d) : 0;
      for (let i = 0; i < d; i++) {
        scale[first + i] = isCone ? shared : diagonal[at + i * d + i];
        largest = Math.max(largest, scale[first + i]);
      }
      at += d * d;
    }
    // rows without columns have no scale
    for (let i = 0; i < this.size; i++) {
      const size = scale[i] > 1e-14 * largest ? scale[i] : largest;
      scale[i] = size > 0 ? 1 / Math.sqrt(size) : 1;
    }
  }
}
