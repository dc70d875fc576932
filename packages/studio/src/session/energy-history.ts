/** Energies of a whole run in bounded memory: when full, every second sample goes and the samples stand twice as far apart. */
export class EnergyHistory {
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

  add(time: number, kinetic: number, potential: number): void {
    // a state that did not move on, or numbers that are not finite, add nothing to a curve
    if (!Number.isFinite(kinetic + potential) || time === this.time.at(-1)) return;
    if (this.#arrivals++ % this.#every !== 0) return;
    this.time.push(time);
    this.kinetic.push(kinetic);
    this.potential.push(potential);
    this.total.push(kinetic + potential);
    if (this.length >= this.#capacity) this.#thin();
  }

  #thin(): void {
    this.#every *= 2;
    for (const column of this.#columns()) {
      for (let i = 0; 2 * i < column.length; i++) column[i] = column[2 * i]!;
      column.length = Math.ceil(column.length / 2);
    }
  }

  #columns(): number[][] {
    return [this.time, this.kinetic, this.potential, this.total];
  }
}
