/**
 * The description of contacts and rows for the compiled twin of addPyramid in contact-blocks.ts: numbers and addresses in the order of
 * packages/kernels/assembly/contact-pyramids.ts. Counts go in and come out with every call.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import type { ContactRecord } from '../../contact/contact-record.ts';
import type { ContactRows } from '../../contact/contact-rows.ts';
import type { Memory } from '../../linear-algebra/memory.ts';
import type { Model } from '../../model/model.ts';
import type { ConvexProblem } from '../../objective/convex-problem.ts';

/** Where the addresses of the contacts, the last block, the counts, the room and the addresses of the rows begin. */
const CONTACTS = 3;
const LAST = 13;
const COUNTS = 16;
const ROOM = 21;
const ROWS = 26;
const WORDS = 45;

export class PyramidRecord {
  readonly #record: ContactRecord;
  readonly #words: Int32Array;
  readonly #weight: Float64Array;
  readonly #model: Model;
  readonly #problem: ConvexProblem;
  /** Least time constant, s, and impedance ratio. */
  readonly #numbers: Float64Array;
  // what was bound
  #gap: Float64Array | undefined;
  #blocks: Int32Array | undefined;
  #columns: Int32Array | undefined;
  #values: Float64Array | undefined;
  #laws: Int32Array | undefined;
  #reference: Float64Array | undefined;
  #hessian: Float64Array | undefined;
  #damping: Float64Array | undefined;

  constructor(record: ContactRecord, model: Model, problem: ConvexProblem, memory: Memory) {
    this.#record = record;
    this.#model = model;
    this.#problem = problem;
    this.#weight = memory.f64(model.size.body);
    this.#numbers = memory.f64(2);
    this.#numbers[1] = model.options.mujoco.impedanceRatio;
    this.#words = memory.i32(WORDS);
    this.#words[0] = record.address;
    this.#words[1] = this.#numbers.byteOffset;
    this.#words[2] = this.#weight.byteOffset;
  }

  /** Before the contacts of a step; `safePeriod` is the least time constant, s. */
  begin(
    { gap, recovery, margin, friction, condim, ahead, solref, solimp, stiffness, adhesion }: ContactSet,
    safePeriod: number,
  ): void {
    this.#numbers[0] = safePeriod;
    this.#weight.set(this.#model.inverseWeight.bodyTranslation);
    if (gap === this.#gap) return;
    this.#gap = gap;
    const arrays = [gap, recovery, margin, friction, condim, ahead, solref, solimp, stiffness, adhesion];
    for (let k = 0; k < arrays.length; k++) this.#words[CONTACTS + k] = arrays[k].byteOffset;
  }

  /** Adds contacts from number i on; returns the first that is not a plain pyramid or has no room, or their number. */
  add(i: number, count: number, last: ContactRows, damping: Float64Array): number {
    const words = this.#words;
    const problem = this.#problem;
    const { rows } = problem;
    if (!this.#isBound(damping)) this.#bind(damping);
    words[LAST] = last.body1;
    words[LAST + 1] = last.body2;
    words[LAST + 2] = last.block;
    words[COUNTS] = rows.blockCount;
    words[COUNTS + 1] = rows.rowCount;
    words[COUNTS + 2] = rows.columnEnd;
    words[COUNTS + 3] = rows.valueEnd;
    words[COUNTS + 4] = problem.hessianEnd;
    const next = this.#record.compiled.addPyramids(words.byteOffset, i, count);
    last.body1 = words[LAST];
    last.body2 = words[LAST + 1];
    last.block = words[LAST + 2];
    rows.blockCount = words[COUNTS];
    rows.rowCount = words[COUNTS + 1];
    rows.columnEnd = words[COUNTS + 2];
    rows.valueEnd = words[COUNTS + 3];
    problem.hessianEnd = words[COUNTS + 4];
    return next;
  }

  #isBound(damping: Float64Array): boolean {
    const { rows, law, reference } = this.#problem;
    const { hessian } = this.#problem.data;
    return (
      rows.rowStart === this.#blocks &&
      rows.column === this.#columns &&
      rows.value === this.#values &&
      law === this.#laws &&
      reference === this.#reference &&
      hessian === this.#hessian &&
      damping === this.#damping
    );
  }

  #bind(damping: Float64Array): void {
    const problem = this.#problem;
    const { rows } = problem;
    this.#blocks = rows.rowStart;
    this.#columns = rows.column;
    this.#values = rows.value;
    this.#laws = problem.law;
    this.#reference = problem.reference;
    this.#hessian = problem.data.hessian;
    this.#damping = damping;
    const words = this.#words;
    words[ROOM] = Math.min(rows.columnStart.length, problem.law.length);
    words[ROOM + 1] = Math.min(problem.reference.length, damping.length);
    words[ROOM + 2] = rows.column.length;
    words[ROOM + 3] = rows.value.length;
    words[ROOM + 4] = problem.data.hessian.length;
    const arrays = [
      rows.rowStart,
      rows.columnStart,
      rows.columnCount,
      rows.valueStart,
      rows.column,
      rows.value,
      problem.law,
      problem.source,
      problem.sourceIndex,
      problem.hessianStart,
      problem.reference,
      problem.regularization,
      problem.stiffness,
      problem.low,
      problem.high,
      problem.friction,
      problem.data.zone,
      problem.data.hessian,
      damping,
    ];
    for (let k = 0; k < arrays.length; k++) words[ROWS + k] = arrays[k].byteOffset;
  }
}
