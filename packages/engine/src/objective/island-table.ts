/**
 * The problem of a step, its islands, and where they start and end, as a table of addresses and lengths: the thread that steps writes it, the
 * others take the arrays at these places for those of a problem of their own.
 */
import { isInReach, type Memory, type SharedMemory } from '../linear-algebra/memory.ts';
import type { ConvexProblem } from './convex-problem.ts';
import type { IslandResults } from './island-results.ts';
import type { Islands } from './islands.ts';

/** What the table is about. */
export interface SharedProblem {
  readonly problem: ConvexProblem;
  readonly islands: Islands;
  readonly results: IslandResults;
  /** Other arrays that belong to it, in all threads alike. */
  readonly places: readonly Place[];
}

/** Places of the words before the table: how often it was written; sizes. */
const EPOCH = 0;
const SIZES = 1;
const FIRST = 7;

type Numbers = Float64Array | Int32Array;

/** An object and one of its arrays. */
export type Place = [holder: Record<string, Numbers>, name: string];

/** The table of the thread that steps. */
export class WrittenTable {
  readonly #shared: SharedProblem;
  readonly #places: Place[];
  readonly #words: Int32Array;

  constructor(shared: SharedProblem, memory: Memory) {
    this.#shared = shared;
    this.#places = listPlaces(shared);
    this.#words = memory.i32(FIRST + 2 * this.#places.length);
  }

  get address(): number {
    return this.#words.byteOffset;
  }

  /** Tells other threads where everything is. */
  write(): void {
    const words = this.#words;
    const { problem, islands } = this.#shared;
    const { rows } = problem;
    words[EPOCH]++;
    const sizes = [rows.blockCount, rows.rowCount, rows.columnEnd, rows.valueEnd, problem.hessianEnd, islands.count];
    words.set(sizes, SIZES);
    let to = FIRST;
    for (const [holder, name] of this.#places) {
      const array = holder[name];
      if (array.length > 0 && !isInReach(array, words)) throw new TypeError(`${name} does not lie in the arena`);
      words[to++] = array.byteOffset;
      words[to++] = array.length;
    }
  }
}

/** The same in another thread. */
export class ReadTable {
  readonly #shared: SharedProblem;
  readonly #places: Place[];
  readonly #memory: SharedMemory;
  #epoch = 0;

  constructor(shared: SharedProblem, memory: SharedMemory) {
    this.#shared = shared;
    this.#places = listPlaces(shared);
    this.#memory = memory;
  }

  /** Takes what was written, if it is new. */
  read(address: number): void {
    const words = this.#memory.viewInts(address, FIRST + 2 * this.#places.length);
    if (words[EPOCH] === this.#epoch) return;
    this.#epoch = words[EPOCH];
    const { problem, islands } = this.#shared;
    const { rows } = problem;
    rows.blockCount = words[SIZES];
    rows.rowCount = words[SIZES + 1];
    rows.columnEnd = words[SIZES + 2];
    rows.valueEnd = words[SIZES + 3];
    problem.hessianEnd = words[SIZES + 4];
    islands.count = words[SIZES + 5];
    let from = FIRST;
    for (const [holder, name] of this.#places) {
      const length = words[from + 1];
      // where there is nothing, the address is one of another memory
      const start = length === 0 ? 0 : words[from];
      from += 2;
      const array = holder[name];
      if (array.byteOffset === start && array.length === length) continue;
      const isDouble = array instanceof Float64Array;
      holder[name] = isDouble ? this.#memory.viewDoubles(start, length) : this.#memory.viewInts(start, length);
    }
  }
}

function listPlaces({ problem, islands, results, places }: SharedProblem): Place[] {
  return [
    ...listArrays(problem.rows, 'rowStart', 'columnStart', 'columnCount', 'valueStart', 'column', 'value'),
    ...listArrays(problem, 'metric', 'mass', 'target', 'law', 'source', 'sourceIndex', 'hessianStart', 'lagged'),
    ...listArrays(problem, 'reference', 'regularization', 'stiffness', 'low', 'high', 'friction'),
    ...listArrays(problem.data, 'residual', 'force', 'zone', 'hessian', 'cost'),
    ...listArrays(islands, 'treeStart', 'dofStart', 'blockStart', 'tree', 'dof', 'block', 'localDof'),
    ...listArrays(results, 'order', 'start', 'x', 'push', 'outcome', 'iterations', 'finals', 'entries'),
    ...places,
  ];
}

/** Arrays of an object, by name. */
export function listArrays<T extends object>(holder: T, ...names: Extract<keyof T, string>[]): Place[] {
  return names.map((name) => [holder as Record<string, Numbers>, name]);
}
