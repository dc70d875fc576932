/**
 * What a user did to a run, step by step: with it a run can be repeated to the last bit. The forces of all steps say it in full; the
 * movements of the hand say the same in short, since the forces follow from them.
 */
import type { Drive, NotedDrive, Write } from './drive/drive.ts';
import type { Grab } from './mouse-spring.ts';

/** Vertices of a soft body that are held together. */
export interface SoftGrip {
  /** Number of the soft body. */
  body: number;
  /** Its first vertex among those of all soft bodies. */
  firstVertex: number;
  /** Numbered from the first of the body. */
  vertices: number[];
}

/** A force on a body during one step, in world axes. */
export interface Pull {
  kind: 'pull';
  /** The step in which it acts: from this many steps after the start to one more. */
  step: number;
  body: number;
  /** Vertices of a soft body in place of a rigid one; the force is shared among them. */
  soft?: SoftGrip | undefined;
  /** N. */
  force: [number, number, number];
  /** Where it acts, m. */
  point: [number, number, number];
  /** Where the user pulled to, m: only the picture needs it. */
  target: [number, number, number];
}

/** What the hand holds from a step on, and where it pulls to. */
export interface Hand {
  step: number;
  /** Undefined: it lets go. */
  grab?: Grab | undefined;
  /** Whether it grabs again, with a spring at rest. */
  isNew: boolean;
}

export class InputLog {
  /** By step, ascending. */
  readonly #pulls: Pull[];
  readonly #hands: Hand[];
  readonly #drives: NotedDrive[];

  constructor(pulls: readonly Pull[] = [], hands: readonly Hand[] = [], drives: readonly NotedDrive[] = []) {
    this.#pulls = [...pulls];
    this.#hands = [...hands];
    this.#drives = [...drives];
  }

  /** Controls and joints that were set. */
  get drives(): readonly NotedDrive[] {
    return this.#drives;
  }

  /** Record what was set before a step. */
  noteDrive(drive: NotedDrive): void {
    this.#drives.push(drive);
  }

  /** Forget the last drive where it set the same before the same step: a slider that moves on leaves one entry. */
  dropSameDrive(step: number, { kind, index }: Drive): boolean {
    const last = this.#drives.at(-1);
    if (last?.step !== step || last.kind !== kind || last.index !== index) return false;
    this.#drives.pop();
    return true;
  }

  /** What was set before a step. */
  writesAt(step: number): Write[] {
    // the newest are at the end, and most questions are about them
    const writes: Write[] = [];
    for (let i = this.#drives.length - 1; i >= 0 && this.#drives[i]!.step >= step; i--)
      if (this.#drives[i]!.step === step) writes.unshift(...this.#drives[i]!.writes);
    return writes;
  }

  get hands(): readonly Hand[] {
    return this.#hands;
  }

  /** Record what is pulled in a step, if that has changed. */
  noteHand(step: number, grab: Grab | undefined, isNew: boolean): void {
    if (isNew || grab !== this.#hands.at(-1)?.grab) this.#hands.push({ step, grab, isNew });
  }

  get pulls(): readonly Pull[] {
    return this.#pulls;
  }

  add(pull: Pull): void {
    this.#pulls.push(pull);
  }

  /** What acts in a step. */
  at(step: number): Pull | undefined {
    const place = this.#placeOf(step);
    const found = this.#pulls[place];
    return found?.step === step ? found : undefined;
  }

  /** The inputs before a step, as a separate log. */
  copyUntil(step: number): InputLog {
    return new InputLog(
      this.#pulls.slice(0, this.#placeOf(step)),
      this.#hands.filter((hand) => hand.step < step),
      this.#drives.filter((drive) => drive.step < step),
    );
  }

  /** Whether another log has the very same inputs before a step. */
  isSameUntil(other: InputLog, step: number): boolean {
    const count = this.#placeOf(step);
    if (other.#placeOf(step) !== count) return false;
    for (let i = 0; i < count; i++) if (this.#pulls[i] !== other.#pulls[i]) return false;
    const mine = this.#drives.filter((drive) => drive.step < step);
    const theirs = other.#drives.filter((drive) => drive.step < step);
    return mine.length === theirs.length && mine.every((drive, i) => drive === theirs[i]);
  }

  /** Forgets this step and all later ones. */
  cutFrom(step: number): void {
    this.#pulls.length = this.#placeOf(step);
    while (this.#hands.length > 0 && this.#hands.at(-1)!.step >= step) this.#hands.pop();
    while (this.#drives.length > 0 && this.#drives.at(-1)!.step >= step) this.#drives.pop();
  }

  clear(): void {
    this.#pulls.length = 0;
    this.#hands.length = 0;
    this.#drives.length = 0;
  }

  /** Place of the first pull that is not before a step. */
  #placeOf(step: number): number {
    let [low, high] = [0, this.#pulls.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#pulls[middle]!.step < step) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Whether movements of the hand tell all pulls: those of a run that was repeated from its forces alone do not. */
export function tellAll(hands: readonly Hand[], pulls: readonly Pull[]): boolean {
  let place = -1;
  return pulls.every(({ step }) => {
    while (hands[place + 1] && hands[place + 1]!.step <= step) place += 1;
    return hands[place]?.grab !== undefined;
  });
}
