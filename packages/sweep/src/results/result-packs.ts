/**
 * Results in packs: files of lines, a result in each. What comes in together is one pack, which is written, flushed and moved into place as
 * a whole: one file instead of hundreds. A pack is never changed. A run that failed and was made again is in two packs, and the sound result
 * counts. Only the places of results are in memory, 30 to 55 bytes each.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hasFailed, type RunResult } from '../run/run-result.ts';
import { removePartialFiles, writeAtomically, writeAtomicallyLater } from './atomic-file.ts';
import { FileRing } from './file-ring.ts';
import { type Place, PlaceTable } from './place-table.ts';

const PACK = /\.jsonl$/;
/** As results are written: the key comes first. */
const KEY = /^\{"key":"([0-9a-f]{64})"/;
const KEY_LENGTH = 80;
const LINE_END = 10;
/** Bytes of packs that were read last and are kept. */
const MOST_KEPT = 1 << 22;

export class ResultPacks {
  readonly #folder: string;
  /** Files by number. */
  readonly #packs: string[] = [];
  readonly #known = new Set<string>();
  /** Places by the beginning of their key; the few whose beginning is taken, by the whole key. */
  readonly #places = new PlaceTable();
  readonly #others = new Map<string, Place>();
  readonly #ring = new FileRing(MOST_KEPT);

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Finds packs that other processes have written meanwhile. */
  refresh(): void {
    if (!existsSync(this.#folder)) return;
    const names = readdirSync(this.#folder).filter((name) => PACK.test(name) && !this.#known.has(name));
    for (const name of names.sort()) this.#index(name, this.#ring.read(join(this.#folder, name)));
  }

  /** Removes what killed processes have left. */
  clean(): void {
    removePartialFiles(this.#folder);
  }

  /** A result; undefined where there is none, or a damaged one. */
  read(key: string): RunResult | undefined {
    const place = this.#find(key);
    const result = place && this.#parse(place);
    return result?.key === key ? result : undefined;
  }

  async write(results: readonly RunResult[]): Promise<void> {
    if (results.length === 0) return;
    const [name, bytes] = [chooseName(), Buffer.from(formatLines(results))];
    await writeAtomicallyLater(join(this.#folder, name), bytes);
    this.#index(name, bytes);
  }

  writeNow(results: readonly RunResult[]): void {
    if (results.length === 0) return;
    const [name, bytes] = [chooseName(), Buffer.from(formatLines(results))];
    writeAtomically(join(this.#folder, name), bytes);
    this.#index(name, bytes);
  }

  /** Notes where the results of a pack are. */
  #index(name: string, bytes: Buffer): void {
    const pack = this.#packs.push(name) - 1;
    this.#known.add(name);
    for (let start = 0; start < bytes.length; ) {
      const newline = bytes.indexOf(LINE_END, start);
      const end = newline < 0 ? bytes.length : newline;
      const key = KEY.exec(bytes.toString('latin1', start, start + KEY_LENGTH))?.[1];
      if (key !== undefined) this.#note(key, { pack, start, end });
      start = end + 1;
    }
  }

  #note(key: string, place: Place): void {
    const beginning = readBeginning(key);
    const before = this.#others.get(key) ?? this.#places.get(beginning);
    if (!before) {
      this.#places.set(beginning, place);
      return;
    }
    const result = this.#parse(before);
    if (result && result.key !== key) this.#others.set(key, place);
    else if (!result || hasFailed(result)) {
      if (this.#others.has(key)) this.#others.set(key, place);
      else this.#places.set(beginning, place);
    }
  }

  #find(key: string): Place | undefined {
    return this.#others.get(key) ?? this.#places.get(readBeginning(key));
  }

  #parse({ pack, start, end }: Place): RunResult | undefined {
    try {
      const bytes = this.#ring.read(join(this.#folder, this.#packs[pack]!));
      return JSON.parse(bytes.toString('utf8', start, end)) as RunResult;
    } catch {
      // damaged or gone: to be run again
      return undefined;
    }
  }
}

/** Later packs come later; processes on many machines never choose the same name. */
function chooseName(): string {
  return `${Date.now()}-${randomBytes(6).toString('hex')}.jsonl`;
}

function formatLines(results: readonly RunResult[]): string {
  // the key first
  return results.map(({ key, ...rest }) => `${JSON.stringify({ key, ...rest })}\n`).join('');
}

/** 52 bits, which a number holds. */
function readBeginning(key: string): number {
  return Number.parseInt(key.slice(0, 13), 16);
}
