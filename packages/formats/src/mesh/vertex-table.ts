/**
 * Vertices without repeats: two are the same when the bits of their single-precision coordinates are. Ids follow first
 * appearance. A hash table with open addressing that doubles when half full.
 */
export class VertexTable {
  readonly vertices: number[] = [];
  #slots: Int32Array = new Int32Array(1024).fill(-1);
  readonly #floats: Float32Array = new Float32Array(3);
  readonly #bits: Int32Array = new Int32Array(this.#floats.buffer);
  #keys: Int32Array = new Int32Array(3 * 512);

  /** Id of a vertex, new or known. */
  add(x: number, y: number, z: number): number {
    const bits = this.#bits;
    this.#floats[0] = x;
    this.#floats[1] = y;
    this.#floats[2] = z;
    const a = bits[0]!;
    const b = bits[1]!;
    const c = bits[2]!;

    // walk from the hashed slot to the vertex or to a free slot
    let slot = this.#findSlot(a, b, c);
    const known = this.#slots[slot]!;
    if (known >= 0) return known;
    const id = this.vertices.length / 3;
    if (2 * (id + 1) > this.#slots.length) {
      this.#grow();
      slot = this.#findSlot(a, b, c);
    }
    this.#slots[slot] = id;
    this.#keys[3 * id] = a;
    this.#keys[3 * id + 1] = b;
    this.#keys[3 * id + 2] = c;
    this.vertices.push(this.#floats[0], this.#floats[1], this.#floats[2]);
    return id;
  }

  #findSlot(a: number, b: number, c: number): number {
    const slots = this.#slots;
    const keys = this.#keys;
    const mask = slots.length - 1;
    let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca77) ^ Math.imul(c, 0xc2b2ae3d);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    for (;;) {
      const id = slots[slot]!;
      if (id < 0 || (keys[3 * id] === a && keys[3 * id + 1] === b && keys[3 * id + 2] === c)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #grow(): void {
    const count = this.vertices.length / 3;
    const keys = new Int32Array(6 * count + 6);
    keys.set(this.#keys.subarray(0, 3 * count));
    this.#keys = keys;
    this.#slots = new Int32Array(2 * this.#slots.length).fill(-1);
    for (let id = 0; id < count; id++) {
      this.#slots[this.#findSlot(keys[3 * id]!, keys[3 * id + 1]!, keys[3 * id + 2]!)] = id;
    }
  }
}
