/**
 * Curves of a whole run in bounded memory: when full, every second sample goes and the samples stand twice as far apart.
 *
 * Energies are those of the sample that stays. Of iterations, residual and status the worst of all samples in between stays,
 * so that a single hard step is never lost.
 */

/** Numbers per sample: time (s), kinetic and potential energy (J), iterations, residual, place in `STATUSES`. */
export const SAMPLE_WIDTH = 6;

export class RunHistory {
  readonly #capacity: number;
  #every = 1;
  #arrivals = 0;
  /** s. */
  time: number[] = [];
  /** J. */
  kinetic: number[] = [];
  /** J. */
  potential: number[] = [];
  /** J. */
  total: number[] = [];
  iterations: number[] = [];
  /** Null where nothing was left to solve: a logarithm has no place for zero. */
  residual: (number | null)[] = [];
  /** Iterations of samples in which a step did not converge, else null. */
  unconverged: (number | null)[] = [];

  constructor(capacity = 1200) {
    this.#capacity = capacity;
  }

  get length(): number {
    return this.time.length;
  }

  clear(): void {
    this.#every = 1;
    this.#arrivals = 0;
    for (const column of this.#columns()) column.length = 0;
  }

  /** Adds the sample that begins at a place of an array. */
  add(samples: readonly number[], at = 0): void {
    const [time, kinetic, potential] = [samples[at]!, samples[at + 1]!, samples[at + 2]!];
    // a state that did not move on, or numbers that are not finite, add nothing to a curve
    if (!Number.isFinite(kinetic + potential) || time === this.time.at(-1)) return;
    if (this.#arrivals++ % this.#every === 0) {
      this.time.push(time);
      this.kinetic.push(kinetic);
      this.potential.push(potential);
      this.total.push(kinetic + potential);
      this.iterations.push(0);
      this.residual.push(null);
      this.unconverged.push(null);
    }
    this.#worsen(this.length - 1, samples[at + 3]!, samples[at + 4]!, samples[at + 5]! > 0);
    if (this.length >= this.#capacity) this.#thin();
  }

  #worsen(i: number, iterations: number, residual: number | null, isUnconverged: boolean): void {
    this.iterations[i] = Math.max(this.iterations[i]!, iterations);
    if (residual !== null && residual > 0) this.residual[i] = Math.max(this.residual[i] ?? 0, residual);
    if (isUnconverged || this.unconverged[i] !== null) this.unconverged[i] = this.iterations[i]!;
  }

  #thin(): void {
    this.#every *= 2;
    for (let i = 0; i + 1 < this.length; i += 2) {
      this.#worsen(i, this.iterations[i + 1]!, this.residual[i + 1]!, this.unconverged[i + 1] !== null);
    }
    for (const column of this.#columns()) {
      for (let i = 0; 2 * i < column.length; i++) column[i] = column[2 * i]!;
      column.length = Math.ceil(column.length / 2);
    }
  }

  #columns(): (number | null)[][] {
    return [this.time, this.kinetic, this.potential, this.total, this.iterations, this.residual, this.unconverged];
  }
}
