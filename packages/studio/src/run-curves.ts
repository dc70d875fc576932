/** Curves of the run that is shown, and those of its other branches until one goes back to them. */
import type { Frame } from './session/protocol.ts';
import { RunHistory } from './session/run-history.ts';
import { SAMPLE_WIDTH } from './session/sample.ts';

export class RunCurves {
  /** Of the present branch. */
  readonly history: RunHistory = new RunHistory();
  readonly #others = new Map<number, RunHistory>();
  #branch = 1;

  /** Begin again with the curves of a first state. */
  restart(frame: Frame): void {
    this.history.clear();
    this.#others.clear();
    this.#branch = frame.branch;
    this.#add(frame);
  }

  /** Take over the curves up to a state. */
  take(frame: Frame): void {
    if (frame.branch !== this.#branch) this.#turn(frame);
    this.#add(frame);
  }

  /** To the curves of another branch; a new one has those of the branch it left, up to there. */
  #turn({ branch, branches }: Frame): void {
    this.#others.set(this.#branch, this.history.copy());
    const known = this.#others.get(branch);
    if (known) this.history.load(known);
    else this.history.cutAfter(branches.find(({ number }) => number === branch)?.fromTime ?? 0);
    this.#branch = branch;
    for (const number of [...this.#others.keys()])
      if (number === branch || !branches.some((other) => other.number === number)) this.#others.delete(number);
  }

  #add({ samples }: Frame): void {
    for (let i = 0; i < samples.length; i += SAMPLE_WIDTH) this.history.add(samples, i);
  }
}
