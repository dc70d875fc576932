/**
 * The branches of a run: courses that were the same up to a state and went on differently from there, by a pull or by other options.
 * One of them is present; the others wait as they were left, and one can go back to each, scrub it and go on with it.
 *
 * All share one room for their states. Branches that were left have half of it at most, and the oldest goes first.
 */
import type { Course } from './course.ts';
import type { BranchSummary } from './protocol.ts';

export interface Branch {
  /** From 1; a number is not given twice. */
  readonly number: number;
  readonly course: Course;
  /** Where it left another one; undefined for the first. */
  readonly from: { readonly step: number; readonly time: number } | undefined;
}

/** Branches at most, so that all can be shown. */
const MOST_BRANCHES = 6;

export class Branches {
  /** By age. */
  #list: Branch[];
  #present: Branch;
  #count = 1;

  constructor(course: Course) {
    this.#present = { number: 1, course, from: undefined };
    this.#list = [this.#present];
    course.timeline.room.makeRoom = () => this.#makeRoom();
  }

  get present(): Branch {
    return this.#present;
  }

  describe(): BranchSummary[] {
    return this.#list.map(({ number, course, from }) => ({
      number,
      fromTime: from?.time,
      lastTime: course.timeline.last?.time ?? 0,
      pulls: course.inputs.pulls.length,
      drives: course.inputs.drives.length,
      changes: course.changes.length,
    }));
  }

  /** Go on with a course that begins at the present state. */
  begin(course: Course): void {
    const left = this.#present;
    left.course.leave();
    const { step, simulation } = course;
    this.#present = { number: ++this.#count, course, from: { step, time: simulation.time } };
    this.#list.push(this.#present);
    // what only repeated another branch would crowd out those that differ
    const isRepeated = this.#list.some((other) => other !== left && other.course.contains(left.course));
    if (isRepeated || isEmpty(left)) this.#forget(left);
    const oldest = this.#list.length > MOST_BRANCHES ? this.#findOldest() : undefined;
    if (oldest) this.#forget(oldest);
    course.keep();
  }

  /** Go back to the end of a branch; tells whether there is one of this number. */
  goTo(number: number): boolean {
    const wanted = this.#list.find((branch) => branch.number === number);
    const left = this.#present;
    if (!wanted) return false;
    if (wanted !== left) left.course.leave();
    this.#present = wanted;
    wanted.course.seek(wanted.course.lastStep);
    if (wanted !== left && isEmpty(left)) this.#forget(left);
    return true;
  }

  /** Keep only the current course, and restart it. */
  clear(): void {
    for (const branch of this.#list) if (branch !== this.#present) branch.course.timeline.clear();
    this.#count = 1;
    this.#present = { number: 1, course: this.#present.course, from: undefined };
    this.#list = [this.#present];
  }

  #forget(branch: Branch): void {
    branch.course.timeline.clear();
    this.#list = this.#list.filter((other) => other !== branch);
  }

  #findOldest(): Branch | undefined {
    return this.#list.find((branch) => branch !== this.#present);
  }

  #makeRoom(): void {
    const { timeline } = this.#present.course;
    const { count, bytes, bounds } = timeline.room;
    const isCrowded = count - timeline.length > bounds.count / 2 || bytes - timeline.bytes > bounds.bytes / 2;
    const oldest = isCrowded ? this.#findOldest() : undefined;
    if (oldest) {
      this.#forget(oldest);
      return;
    }
    // a state that branches share is free when the last of them lets go
    const { first } = timeline;
    for (const { course } of this.#list) if (course.timeline.first === first) course.timeline.dropFirst();
  }
}

/** Whether a branch has no steps yet. */
function isEmpty({ course, from }: Branch): boolean {
  return course.lastStep <= (from?.step ?? 0);
}
