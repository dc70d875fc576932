/**
 * The explicit matrix of an island whose joints are eliminated: N = S (X P Xᵀ + E) S from products with unit vectors. For
 * methods that need its blocks or its factor, which P spreads over all rows; islands of joints have few other rows.
 */
import { factorDense, solveDense } from '../../linear-algebra/dense-cholesky.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { BlockProgram, ConeProgram, FactorableProgram } from '../../minimize/cone/cone-program.ts';
import type { ConeSet } from '../../minimize/cone/cone-set.ts';

export class ReducedProgram implements BlockProgram, FactorableProgram {
  diagonal: Float64Array;
  readonly #memory: Memory;
  #program!: ConeProgram;
  #matrix: Float64Array;
  #factor: Float64Array;
  #inverseDiagonal: Float64Array;
  #unit: Float64Array;
  #column: Float64Array;
  #gamma: Float64Array;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.diagonal = memory.f64(0);
    this.#matrix = memory.f64(0);
    this.#factor = memory.f64(0);
    this.#inverseDiagonal = memory.f64(0);
    this.#unit = memory.f64(0);
    this.#column = memory.f64(0);
    this.#gamma = this.#unit;
  }

  get size(): number {
    return this.#program.size;
  }

  get linear(): Float64Array {
    return this.#program.linear;
  }

  get cones(): ConeSet {
    return this.#program.cones;
  }

  /** Computes the matrix of a program. */
  take(program: ConeProgram): void {
    const n = program.size;
    this.#program = program;
    if (this.#unit.length < n) this.#grow(2 * n);
    const unit = this.#unit;
    const column = this.#column;
    const matrix = this.#matrix;
    unit.fill(0);
    matrix.fill(0, 0, n * n);
    // columns that are rounded differently must not make N asymmetric: both triangles get the mean
    for (let j = 0; j < n; j++) {
      unit[j] = 1;
      program.multiply(column, unit);
      unit[j] = 0;
      for (let i = 0; i < n; i++) {
        matrix[i * n + j] += 0.5 * column[i];
        matrix[j * n + i] += 0.5 * column[i];
      }
    }
  }

  multiply(out: Float64Array, x: Float64Array): void {
    for (let i = 0; i < this.size; i++) out[i] = this.#multiplyRow(i, x);
  }

  prepareBlocks(): void {
    const { size: n, cones } = this;
    let at = 0;
    for (let b = 0; b < cones.count; b++) {
      const first = cones.rowStart[b];
      const end = cones.rowStart[b + 1];
      for (let i = first; i < end; i++) {
        for (let j = first; j < end; j++) this.diagonal[at++] = this.#matrix[i * n + j];
      }
    }
  }

  beginBlocks(gamma: Float64Array): void {
    this.#gamma = gamma;
  }

  blockProduct(out: Float64Array, b: number): void {
    const first = this.cones.rowStart[b];
    const end = this.cones.rowStart[b + 1];
    for (let i = first; i < end; i++) out[i - first] = this.#multiplyRow(i, this.#gamma);
  }

  // products are taken from γ itself, which the solver has changed already
  addBlock(_b: number, _change: Float64Array): void {}

  factorShifted(shift: Float64Array): boolean {
    const { size: n } = this;
    for (let i = 0; i < n * n; i++) this.#factor[i] = this.#matrix[i];
    for (let i = 0; i < n; i++) this.#factor[i * n + i] += shift[i];
    return factorDense(this.#factor, this.#inverseDiagonal, n) < 0;
  }

  solveShifted(x: Float64Array): void {
    solveDense(x, this.#factor, this.#inverseDiagonal, this.size);
  }

  #multiplyRow(i: number, x: Float64Array): number {
    const { size: n } = this;
    const matrix = this.#matrix;
    let sum = 0;
    for (let j = 0, k = i * n; j < n; j++, k++) sum += matrix[k] * x[j];
    return sum;
  }

  // a block has six rows at most
  #grow(n: number): void {
    const memory = this.#memory;
    this.#matrix = memory.f64(n * n);
    this.#factor = memory.f64(n * n);
    this.#inverseDiagonal = memory.f64(n);
    this.#unit = memory.f64(n);
    this.#column = memory.f64(n);
    this.diagonal = memory.f64(6 * n);
  }
}
