/** Where a reader gets files from: a folder on disk, files dropped on a page, a map in a test. */
export interface FileSource {
  /**
   * Bytes of the file at a path relative to the root of the source ('/' separated, normalised); undefined where there is none.
   *
   * @param largest a larger file is refused by the reader: a source that knows the size of its files need not open it
   */
  read(path: string, largest?: number): Uint8Array | undefined;
}

/** Files held in memory, text or bytes by path. */
export function memoryFiles(files: Readonly<Record<string, string | Uint8Array>>): FileSource {
  const encoder = new TextEncoder();
  return {
    read(path) {
      const content = Object.hasOwn(files, path) ? files[path] : undefined;
      return typeof content === 'string' ? encoder.encode(content) : content;
    },
  };
}
