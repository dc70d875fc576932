/**
 * Parts of the engine that few scenes need. The package provides them all; a page may fetch one when a scene asks for it (import
 * '@nexdyn/engine/core' and, later, '@nexdyn/engine/compliance'), so that its script stays small. A layer that uses such a part names what
 * it needs of it; the module of the part fills that in.
 */
import { NexdynError } from '../error.ts';
import type { EnginePart } from './scene-parts.ts';

export class LazyModule<T> {
  readonly #part: EnginePart;
  readonly #content: string;
  #provided: T | undefined;

  /** `content`: what the part is, in words. */
  constructor(part: EnginePart, content: string) {
    this.#part = part;
    this.#content = content;
  }

  provide(provided: T): void {
    this.#provided = provided;
  }

  /** What was provided; undefined before. */
  get loaded(): T | undefined {
    return this.#provided;
  }

  /** Undefined where it is not loaded. */
  get provided(): T | undefined {
    return this.#provided;
  }

  require(): T {
    if (this.#provided !== undefined) return this.#provided;
    throw new NexdynError('unsupported-element', `${this.#content} are not loaded`, {
      hint: `import '@nexdyn/engine/${this.#part}', or '@nexdyn/engine' for all`,
    });
  }
}
