import { copyInto } from '../linear-algebra/growth.ts';
import type { Memory } from '../linear-algebra/memory.ts';

/** Points for which there is room at first. */
const FEW = 16;

/**
 * Contact points of one pair of shapes A and B, structure of arrays, filled by a pair test and emptied by the next.
 *
 * gap: signed distance along the normal, negative in penetration, m. normal: unit, from A to B. position: half way between
 * the two surface points, so that these are position ∓ ½ gap · normal on A and B. feature: a number that stays with the point
 * while the same features touch (vertex, edge or face numbers), for matching contacts from step to step.
 */
export class ContactPoints {
  count = 0;
  position: Float64Array;
  normal: Float64Array;
  gap: Float64Array;
  feature: Int32Array;
  readonly #memory: Memory | undefined;

  /** In arrays of their own, or in this memory, where compiled functions reach them. */
  constructor(memory?: Memory) {
    this.#memory = memory;
    this.position = this.#doubles(3 * FEW);
    this.normal = this.#doubles(3 * FEW);
    this.gap = this.#doubles(FEW);
    this.feature = this.#integers(FEW);
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds a point. Storage grows and never shrinks. */
  add(px: number, py: number, pz: number, nx: number, ny: number, nz: number, gap: number, feature: number): void {
    const n = this.count++;
    if (n === this.gap.length) this.#grow();
    this.position[3 * n] = px;
    this.position[3 * n + 1] = py;
    this.position[3 * n + 2] = pz;
    this.normal[3 * n] = nx;
    this.normal[3 * n + 1] = ny;
    this.normal[3 * n + 2] = nz;
    this.gap[n] = gap;
    this.feature[n] = feature;
  }

  /** Makes room for some more points. */
  makeRoom(more: number): void {
    while (this.count + more > this.gap.length) this.#grow();
  }

  /** Appends the points from `start` on again, so that they are there `times` times. */
  repeat(start: number, times: number): void {
    const end = this.count;
    for (let t = 1; t < times; t++) {
      for (let i = start; i < end; i++) {
        const { position: p, normal: n } = this;
        const o = 3 * i;
        this.add(p[o], p[o + 1], p[o + 2], n[o], n[o + 1], n[o + 2], this.gap[i], this.feature[i]);
      }
    }
  }

  #grow(): void {
    const length = 2 * this.gap.length;
    this.position = copyInto(this.position, this.#doubles(3 * length));
    this.normal = copyInto(this.normal, this.#doubles(3 * length));
    this.gap = copyInto(this.gap, this.#doubles(length));
    this.feature = copyInto(this.feature, this.#integers(length));
  }

  #doubles(length: number): Float64Array {
    return this.#memory?.f64(length) ?? new Float64Array(length);
  }

  #integers(length: number): Int32Array {
    return this.#memory?.i32(length) ?? new Int32Array(length);
  }
}
