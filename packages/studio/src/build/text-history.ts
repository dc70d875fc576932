/** Texts one can go back to. Going back through all of them returns to the first, byte for byte. */

/** Characters that are kept at most: the oldest go first. */
const CAPACITY = 2 ** 26;

export class TextHistory {
  readonly #past: string[] = [];
  readonly #future: string[] = [];
  #present: string;

  constructor(text: string) {
    this.#present = text;
  }

  get present(): string {
    return this.#present;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** Takes a text; `replaces` if it goes on with the change before. */
  push(text: string, replaces = false): void {
    if (text === this.#present) return;
    if (!replaces || this.#past.length === 0) this.#past.push(this.#present);
    this.#present = text;
    this.#future.length = 0;
    let size = this.#past.reduce((sum, { length }) => sum + length, 0);
    while (size > CAPACITY && this.#past.length > 1) size -= this.#past.shift()!.length;
  }

  undo(): string | undefined {
    const text = this.#past.pop();
    if (text === undefined) return undefined;
    this.#future.push(this.#present);
    this.#present = text;
    return text;
  }

  redo(): string | undefined {
    const text = this.#future.pop();
    if (text === undefined) return undefined;
    this.#past.push(this.#present);
    this.#present = text;
    return text;
  }
}
