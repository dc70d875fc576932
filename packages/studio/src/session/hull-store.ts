/**
 * Convex hulls that this browser has computed before, in its IndexedDB: robots made of meshes open faster the second time. An entry holds
 * the content it was computed from and counts only where that is the same byte by byte, so that the model is the same with it and
 * without. Where the browser keeps nothing (private windows, storage that is full), hulls are computed as always.
 */
import type { ContentCache } from '@nexdyn/engine';

const DATABASE = 'nexdyn-hulls';
const STORE = 'hulls';
/** Bytes that are kept; what was not used for longest goes first. */
const MOST_BYTES = 2 ** 25;
/** Time that the browser has to open its database, ms. */
const PATIENCE = 1000;

interface Entry {
  /** Kind, length and checksum of the content. */
  key: string;
  content: Uint8Array;
  result: Uint8Array;
  /** When it was last used, ms since 1970. */
  used: number;
}

/** Results in memory, and those of this opening that are to be kept. */
export class HullStore implements ContentCache {
  readonly #database: IDBDatabase;
  readonly #entries: Map<string, Entry>;
  readonly #used = new Set<Entry>();

  constructor(database: IDBDatabase, entries: readonly Entry[]) {
    this.#database = database;
    this.#entries = new Map(entries.map((entry) => [entry.key, entry]));
  }

  read(kind: string, content: Uint8Array): Uint8Array | undefined {
    const entry = this.#entries.get(nameEntry(kind, content));
    if (!entry || !isSame(entry.content, content)) return undefined;
    this.#used.add(entry);
    return entry.result;
  }

  write(kind: string, content: Uint8Array, result: Uint8Array): void {
    const entry = { key: nameEntry(kind, content), content, result, used: 0 };
    this.#entries.set(entry.key, entry);
    this.#used.add(entry);
  }

  /** Writes what is new or was used, removes what is too much, and closes the database. */
  async close(): Promise<void> {
    const now = Date.now();
    for (const entry of this.#used) entry.used = now;
    const surplus = listSurplus([...this.#entries.values()], MOST_BYTES);
    try {
      const transaction = this.#database.transaction(STORE, 'readwrite');
      const store = transaction.objectStore(STORE);
      for (const entry of this.#used) store.put(entry);
      for (const { key } of surplus) store.delete(key);
      await new Promise((resolve) => {
        transaction.oncomplete = transaction.onabort = resolve;
      });
    } catch {
      // a browser that keeps nothing
    }
    this.#database.close();
  }
}

/** The store of this browser; undefined where it has none. */
export async function openHullStore(): Promise<HullStore | undefined> {
  try {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'key' });
    const database = await finish(opening);
    const entries = await finish(database.transaction(STORE).objectStore(STORE).getAll());
    return new HullStore(database, entries as Entry[]);
  } catch {
    return undefined;
  }
}

/** Entries to remove so that the others have at most so many bytes: those that were not used for longest. */
export function listSurplus(entries: Entry[], most: number): Entry[] {
  let bytes = 0;
  return entries
    .sort((a, b) => b.used - a.used)
    .filter(({ content, result }) => {
      bytes += content.length + result.length;
      return bytes > most;
    });
}

function finish<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = reject;
    setTimeout(reject, PATIENCE);
  });
}

/** FNV-1a over the bytes: equal contents have equal names; different ones are told apart by their bytes. */
function nameEntry(kind: string, content: Uint8Array): string {
  let sum = 0x811c9dc5;
  for (const byte of content) sum = Math.imul(sum ^ byte, 0x01000193);
  return `${kind} ${content.length} ${(sum >>> 0).toString(16)}`;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
