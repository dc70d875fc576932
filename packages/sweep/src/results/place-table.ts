/**
 * Where results are, by the beginning of their key: a table with open addressing, in typed arrays. A place takes 20 bytes, and the table is
 * at most three quarters full.
 */

/** Where a result is. */
export interface Place {
  /** Number of the file. */
  pack: number;
  /** Bytes. */
  start: number;
  end: number;
}

const FEWEST = 1024;
const FREE = -1;

export class PlaceTable {
  #beginnings = new Float64Array(FEWEST).fill(FREE);
  /** Pack, start and end. */
  #places = new Int32Array(3 * FEWEST);
  #count = 0;

  /** Beginnings are whole numbers, 0 or more. */
  get(beginning: number): Place | undefined {
    const slot = this.#find(beginning);
    if (this.#beginnings[slot] === FREE) return undefined;
    const [pack, start, end] = this.#places.subarray(3 * slot, 3 * slot + 3) as unknown as [number, number, number];
    return { pack, start, end };
  }

  set(beginning: number, { pack, start, end }: Place): void {
    let slot = this.#find(beginning);
    if (this.#beginnings[slot] === FREE) {
      if (4 * ++this.#count > 3 * this.#beginnings.length) {
        this.#grow();
        slot = this.#find(beginning);
      }
      this.#beginnings[slot] = beginning;
    }
    this.#places.set([pack, start, end], 3 * slot);
  }

  /** The slot of a beginning, or the free one where it belongs. Keys are hashes: their last bits are as good as any. */
  #find(beginning: number): number {
    const { length } = this.#beginnings;
    let slot = beginning % length;
    while (this.#beginnings[slot] !== beginning && this.#beginnings[slot] !== FREE) slot = (slot + 1) % length;
    return slot;
  }

  #grow(): void {
    const [beginnings, places] = [this.#beginnings, this.#places];
    this.#beginnings = new Float64Array(2 * beginnings.length).fill(FREE);
    this.#places = new Int32Array(2 * places.length);
    beginnings.forEach((beginning, n) => {
      if (beginning === FREE) return;
      const slot = this.#find(beginning);
      this.#beginnings[slot] = beginning;
      this.#places.set(places.subarray(3 * n, 3 * n + 3), 3 * slot);
    });
  }
}
