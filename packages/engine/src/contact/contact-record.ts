/**
 * The description of a mechanism and of its contacts for the compiled twin of contact-rows.ts: addresses in the order of
 * packages/kernels/assembly/contact-rows.ts.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import type { Workspace } from '../dynamics/workspace.ts';
import type { BlockRows } from '../linear-algebra/block-rows.ts';
import type { CompiledDynamics } from '../linear-algebra/compiled-functions.ts';
import { copyToMemory, isInReach, type Memory } from '../linear-algebra/memory.ts';
import type { Model } from '../model/model.ts';

/** Where the addresses of the workspace and of the contacts begin. */
const WORKSPACE = 3;
const CONTACTS = 5;
const WORDS = 10;

export class ContactRecord {
  readonly address: number;
  readonly compiled: CompiledDynamics;
  readonly #words: Int32Array;
  // what was bound
  #axes: Float64Array | undefined;
  #frame: Float64Array | undefined;
  #value: Float64Array | undefined;
  #column: Int32Array | undefined;
  #valueAddress = 0;
  #columnAddress = 0;

  constructor(compiled: CompiledDynamics, { body, dof }: Model, memory: Memory) {
    this.compiled = compiled;
    this.#words = memory.i32(WORDS);
    this.address = this.#words.byteOffset;
    this.#words[0] = copyToMemory(memory, body.lastDof).byteOffset;
    this.#words[1] = copyToMemory(memory, body.root).byteOffset;
    this.#words[2] = copyToMemory(memory, dof.parent).byteOffset;
  }

  /** Turns to a workspace and its contacts; false where they are out of reach. */
  bind({ motionSubspace, treeCenter }: Workspace, { frame, position, sweep, carrier1, carrier2 }: ContactSet): boolean {
    if (motionSubspace === this.#axes && frame === this.#frame) return true;
    if (!isInReach(motionSubspace, this.#words) || !isInReach(frame, this.#words)) return false;
    this.#axes = motionSubspace;
    this.#frame = frame;
    this.#words[WORKSPACE] = motionSubspace.byteOffset;
    this.#words[WORKSPACE + 1] = treeCenter.byteOffset;
    const arrays = [frame, position, sweep, carrier1, carrier2];
    for (let k = 0; k < arrays.length; k++) this.#words[CONTACTS + k] = arrays[k].byteOffset;
    return true;
  }

  /** Values of the rows of contact i. */
  write(rows: BlockRows, block: number, dimension: number, i: number): void {
    const { value, column } = rows;
    if (value !== this.#value || column !== this.#column) {
      this.#value = value;
      this.#column = column;
      this.#valueAddress = value.byteOffset;
      this.#columnAddress = column.byteOffset;
    }
    this.compiled.writeContact(
      this.address,
      this.#valueAddress + 8 * rows.valueStart[block],
      this.#columnAddress + 4 * rows.columnStart[block],
      rows.columnCount[block],
      dimension,
      i,
    );
  }
}
