/**
 * What readers take from a file at most. Every limit is checked before the memory or time is taken, and a file that is beyond it
 * raises a `too-large` error that names the limit. `LoadOptions.limits` raises them for files that you trust.
 */
import { DEFAULT_SCENE_LIMITS, type ErrorPlace, NexdynError, type SceneLimits } from '@nexdyn/engine';
import type { FileSource } from './file-source.ts';

/** The most that readers take; the limits of the scene are among them. */
export interface ReadLimits extends SceneLimits {
  /** Bytes of one file. */
  fileBytes: number;
  /** Bytes of all files of a scene together. */
  totalBytes: number;
  /** Files that a scene reads: itself, what it includes and attaches, meshes, images. */
  files: number;
  /** Files that include or attach each other in a chain. */
  includeDepth: number;
  /** Elements and attributes of an XML file. */
  elements: number;
  /** Levels of XML elements inside each other. */
  elementDepth: number;
  /** Fields, lists and objects of a JSON text; numbers do not count. */
  values: number;
  /** Levels of lists and objects of a JSON text inside each other. */
  valueDepth: number;
  /** Objects that `replicate` and `attach` of MJCF make. */
  copies: number;
  /** Vertices of a mesh. */
  vertices: number;
  /** Triangles or tetrahedra of a mesh. */
  faces: number;
  /** Pixels of an image, samples of a height field. */
  samples: number;
  /** Bytes that an archive, a link or compressed image data unpacks to. */
  unpackedBytes: number;
  /** Times that an archive or a link may grow when it is unpacked, beyond its first 16 MiB. */
  expansion: number;
}

/** The limits that hold where an option does not raise them. */
export const DEFAULT_LIMITS: Readonly<ReadLimits> = {
  ...DEFAULT_SCENE_LIMITS,
  fileBytes: 2 ** 27,
  totalBytes: 2 ** 29,
  files: 10_000,
  includeDepth: 100,
  elements: 3_000_000,
  elementDepth: 1000,
  values: 10_000_000,
  valueDepth: 10_000,
  copies: 200_000,
  vertices: 5_000_000,
  faces: 10_000_000,
  samples: 2 ** 22,
  unpackedBytes: 2 ** 28,
  expansion: 200,
};

/** Limits with what an option raises or lowers. A limit that is no number of 0 or more is an error of the caller. */
export function resolveLimits(choice: Partial<ReadLimits> = {}): Readonly<ReadLimits> {
  const limits = { ...DEFAULT_LIMITS };
  for (const [name, value] of Object.entries(choice)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) {
      const hint = `limits: ${Object.keys(DEFAULT_LIMITS).join(', ')}`;
      throw new NexdynError('invalid-argument', `there is no limit '${name}'`, { path: `limits.${name}`, hint });
    }
    if (value === undefined) continue;
    if (!(value >= 0)) {
      const hint = 'give a number, 0 or more; Infinity removes the limit';
      throw new NexdynError('invalid-argument', `${value} is no limit`, { path: `limits.${name}`, hint });
    }
    limits[name as keyof ReadLimits] = value;
  }
  return limits;
}

/** Raises an error where a count is beyond a limit. `what` is the plural of what is counted, as in `pixels`. */
export function checkLimit(
  count: number,
  name: keyof ReadLimits,
  limits: Readonly<ReadLimits>,
  what: string,
  place: ErrorPlace | (() => ErrorPlace),
): void {
  if (count <= limits[name]) return;
  throw new NexdynError('too-large', `${count} ${what} are more than the limit of ${limits[name]}`, {
    hint: `make it smaller, or raise the limit '${name}' if you trust the file`,
    ...(typeof place === 'function' ? place() : place),
  });
}

/** A source of files that counts what is read from it: the files of one scene share the limits. */
class LimitedFiles implements FileSource {
  readonly #files: FileSource;
  readonly #limits: Readonly<ReadLimits>;
  #count = 0;
  #bytes = 0;

  constructor(files: FileSource, limits: Readonly<ReadLimits>) {
    this.#files = files;
    this.#limits = limits;
  }

  read(path: string): Uint8Array | undefined {
    const bytes = this.#files.read(path, this.#limits.fileBytes);
    if (!bytes) return undefined;
    this.#count++;
    this.#bytes += bytes.length;
    checkLimit(bytes.length, 'fileBytes', this.#limits, 'bytes in one file', { file: path });
    checkLimit(this.#count, 'files', this.#limits, 'files of one scene', { file: path });
    checkLimit(this.#bytes, 'totalBytes', this.#limits, 'bytes in the files of one scene', { file: path });
    return bytes;
  }
}

/** The same files, counted against the limits. */
export function limitFiles(files: FileSource, limits: Readonly<ReadLimits>): FileSource {
  return files instanceof LimitedFiles ? files : new LimitedFiles(files, limits);
}
