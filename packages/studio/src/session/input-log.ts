/** What a user did to a run, step by step: with it a run can be repeated to the last bit. */

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

export class InputLog {
  /** By step, ascending. */
  readonly #pulls: Pull[];

  constructor(pulls: readonly Pull[] = []) {
    this.#pulls = [...pulls];
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

  /** The inputs before a step, as a log of their own. */
  copyUntil(step: number): InputLog {
    return new InputLog(this.#pulls.slice(0, this.#placeOf(step)));
  }

  /** Whether another log has the very same inputs before a step. */
  isSameUntil(other: InputLog, step: number): boolean {
    const count = this.#placeOf(step);
    if (other.#placeOf(step) !== count) return false;
    for (let i = 0; i < count; i++) if (this.#pulls[i] !== other.#pulls[i]) return false;
    return true;
  }

  /** Forgets this step and all later ones. */
  cutFrom(step: number): void {
    this.#pulls.length = this.#placeOf(step);
  }

  clear(): void {
    this.#pulls.length = 0;
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
