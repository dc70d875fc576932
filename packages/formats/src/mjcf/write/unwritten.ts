/** What of a scene a file cannot say. */

/** One thing, by its path in the scene. */
export interface UnwrittenItem {
  /** Path into the scene. */
  path: string;
  /** One plain sentence. */
  message: string;
}

export class Unwritten {
  readonly items: UnwrittenItem[] = [];

  add(path: string, message: string): void {
    this.items.push({ path, message });
  }

  /** Lists every field beyond those that were written. */
  check(object: object, known: readonly string[], path: string): void {
    for (const [key, value] of Object.entries(object)) {
      if (value === undefined || known.includes(key)) continue;
      this.add(path === '' ? key : `${path}.${key}`, 'MJCF has nothing like it');
    }
  }
}
