/** The description of a mechanism for the compiled twin of contact-rows.ts: addresses in the order of packages/kernels/assembly/contact-rows.ts. */
import type { ContactSet } from '../collision/contact-set.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import type { CompiledDynamics } from '../linear-algebra/compiled-functions.ts';
import { copyToMemory, isInReach, type Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';

/** Places of the addresses of the dofs' axes and of the trees' centres. */
const AXES = 3;
const CENTERS = 4;
const WORDS = 6;

export class ContactRecord {
  readonly #compiled: CompiledDynamics;
  readonly #words: Int32Array;
  readonly #address: number;
  /** Frame, position and sweep of a contact. */
  readonly #place: Float64Array;
  #axes: Float64Array | undefined;
  #value: Float64Array | undefined;
  #column: Int32Array | undefined;
  #valueAddress = 0;
  #columnAddress = 0;

  constructor(compiled: CompiledDynamics, { body, dof }: Model, memory: Memory) {
    this.#compiled = compiled;
    this.#place = memory.f64(15);
    this.#words = memory.i32(WORDS);
    this.#address = this.#words.byteOffset;
    this.#words[0] = copyToMemory(memory, body.lastDof).byteOffset;
    this.#words[1] = copyToMemory(memory, body.root).byteOffset;
    this.#words[2] = copyToMemory(memory, dof.parent).byteOffset;
    this.#words[5] = this.#place.byteOffset;
  }

  /** Turns to a workspace; false where its arrays are out of reach. */
  bind({ motionSubspace, treeCenter }: Workspace): boolean {
    if (motionSubspace === this.#axes) return true;
    if (!isInReach(motionSubspace, this.#words)) return false;
    this.#axes = motionSubspace;
    this.#words[AXES] = motionSubspace.byteOffset;
    this.#words[CENTERS] = treeCenter.byteOffset;
    return true;
  }

  /** Values of the rows of contact i. */
  write(rows: BlockRows, block: number, dimension: number, contacts: ContactSet, i: number): void {
    const { frame, position, sweep, carrier1, carrier2 } = contacts;
    const place = this.#place;
    for (let k = 0; k < 9; k++) place[k] = frame[9 * i + k];
    for (let k = 0; k < 3; k++) {
      place[9 + k] = position[3 * i + k];
      place[12 + k] = sweep[3 * i + k];
    }
    const { value, column } = rows;
    if (value !== this.#value || column !== this.#column) {
      this.#value = value;
      this.#column = column;
      this.#valueAddress = value.byteOffset;
      this.#columnAddress = column.byteOffset;
    }
    this.#compiled.writeContact(
      this.#address,
      this.#valueAddress + 8 * rows.valueStart[block],
      this.#columnAddress + 4 * rows.columnStart[block],
      rows.columnCount[block],
      dimension,
      carrier1[i],
      carrier2[i],
    );
  }
}
