/**
 * Threads that take pieces of work beside the one that steps. Words of shared memory drive them:
 *   left   pieces of the current task that nobody has taken; who lowers it by one has taken the piece `count − left`
 *   done   pieces that are finished; the task is over when it reaches `count`
 *   fault  1 where a piece ended with an error
 *   held   per thread: 1 while it may have a piece
 * Task, record and count are read after a piece is taken: they cannot change before it is done. A thread without work looks for a few
 * microseconds whether there is some, then sleeps until `left` is no longer zero.
 *
 * A thread may die. One that dies without a piece is not missed: others take them all. One that dies in a piece leaves numbers that nobody
 * can mend: the caller asks now and then whether threads with a piece live and whether pieces still end, and raises an error where not.
 */
import { NexdynError } from '../error.ts';
import type { CompiledDynamics, CompiledFunctions } from '../linear-algebra/compiled-functions.ts';
import type { SharedMemory } from '../linear-algebra/memory.ts';
import {
  type IslandTasks,
  TASKS,
  type Task,
  type TaskModules,
  type TaskName,
  type WorkHost,
  type WorkPool,
} from '../linear-algebra/shared-work.ts';
import { listTaskModules } from './compiled.ts';
import { ThreadMemory } from './thread-memory.ts';

/** Places of the words. */
const LEFT = 0;
const DONE = 1;
const FAULT = 2;
const TASK = 3;
const RECORD = 4;
const COUNT = 5;
/** Where the words of the threads begin. */
const HELD = 16;

/** Times that a thread looks before it sleeps: some microseconds. */
const LOOKS = 2000;
/** Longest sleep of the caller, ms: it looks again by itself. */
const NAP = 1;
/**
 * Naps in which no piece ends, before the caller asks whether all threads live, and before it gives up; pieces take milliseconds. Naps are
 * counted, not time: a process that was stopped for an hour has slept for one.
 */
const NAPS_TO_ASK = 20;
const MOST_NAPS = 60_000;

const NAMES = Object.keys(TASKS) as TaskName[];

/** What a thread needs. */
export interface WorkPlace {
  readonly memory: WebAssembly.Memory;
  /** Where the control words begin. */
  readonly control: number;
  /** Its number, from 0. */
  readonly index: number;
  readonly modules: TaskModules;
  /** What solvers of islands are made from, where steps have some. */
  readonly islands?: object | undefined;
}

/** Makes the tasks on islands with a memory of the thread. */
export type CreateIslandTasks = (setup: object, memory: SharedMemory) => IslandTasks;

/** A thread that was started. */
export interface WorkThread {
  /** False as soon as it is known to have ended; asked while the calling thread waits, so without its events. */
  isAlive(): boolean;
  end(): void;
}

/** Starts a thread that calls `serveWork` with what it is given. */
export type WorkStarter = (place: WorkPlace) => WorkThread;

/** A pool of `count` threads beside the calling one. */
export function createWorkPool(host: WorkHost, count: number, start: WorkStarter): WorkPool {
  return new StartedPool(host, count, start);
}

class StartedPool implements WorkPool {
  readonly #host: WorkHost;
  readonly #threads: number;
  readonly #startThread: WorkStarter;
  readonly #words: Int32Array;
  #started: WorkThread[] | undefined;
  #modules: TaskModules = {};
  #islands: object | undefined;
  #isOver = false;
  #isRunning = false;

  constructor(host: WorkHost, threads: number, startThread: WorkStarter) {
    this.#host = host;
    this.#threads = threads;
    this.#startThread = startThread;
    this.#words = host.i32(HELD + threads);
  }

  setUpIslands(setup: object): void {
    this.#islands = setup;
  }

  run(task: TaskName, record: number, count: number, here: Task = this.#findTask(task)): void {
    if (!this.#isOver) this.#start();
    const isAlone = this.#isRunning || !this.#canServe(task);
    if (isAlone) for (let piece = 0; piece < count; piece++) here(record, piece);
    else this.#share(task, record, count, here);
  }

  end(): void {
    for (const thread of this.#started ?? []) thread.end();
    this.#started = [];
    this.#modules = {};
    this.#isOver = true;
  }

  #canServe(task: TaskName): boolean {
    const part = TASKS[task];
    if (part !== 'islands') return this.#modules[part] !== undefined;
    return this.#modules.functions !== undefined && this.#islands !== undefined;
  }

  #share(task: TaskName, record: number, count: number, here: Task): void {
    const words = this.#words;
    this.#isRunning = true;
    words[TASK] = NAMES.indexOf(task);
    words[RECORD] = record;
    words[COUNT] = count;
    Atomics.store(words, DONE, 0);
    Atomics.store(words, LEFT, count);
    Atomics.notify(words, LEFT);
    let error: unknown;
    for (let piece = takePiece(words); piece >= 0; piece = takePiece(words)) {
      try {
        here(record, piece);
      } catch (reason) {
        // the others may still be at work
        error ??= reason;
      }
      Atomics.add(words, DONE, 1);
    }
    this.#isRunning = false;
    this.#await(count);
    const isFaulty = Atomics.exchange(words, FAULT, 0) === 1;
    if (error) throw error;
    if (isFaulty) throw new Error(`a thread failed in ${task}`);
  }

  // when first needed
  #start(): void {
    if (this.#started) return;
    this.#modules = listTaskModules();
    const memory = this.#host.memory as WebAssembly.Memory;
    const place = { memory, control: this.#words.byteOffset, modules: this.#modules, islands: this.#islands };
    this.#started = Array.from({ length: this.#threads }, (_, index) => this.#startThread({ ...place, index }));
  }

  // of the calling thread
  #findTask(task: TaskName): Task {
    const { compiled, compiledSoft } = this.#host;
    const functions = TASKS[task] === 'soft' ? compiledSoft : compiled;
    return (functions as unknown as Record<TaskName, Task>)[task];
  }

  #await(count: number): void {
    const words = this.#words;
    let before = Atomics.load(words, DONE);
    let naps = 0;
    for (let looks = 0; ; looks++) {
      const done = Atomics.load(words, DONE);
      if (done === count) return;
      if (looks <= LOOKS) continue;
      naps = done === before ? naps + 1 : 0;
      before = done;
      if (naps % NAPS_TO_ASK === NAPS_TO_ASK - 1 && this.#isPieceLost()) this.#giveUp(count, 'ended');
      if (naps > MOST_NAPS) this.#giveUp(count, 'does not answer');
      Atomics.wait(words, DONE, done, NAP);
    }
  }

  #isPieceLost(): boolean {
    const threads = this.#started ?? [];
    return threads.some((thread, k) => !thread.isAlive() && Atomics.load(this.#words, HELD + k) === 1);
  }

  // later work is done by the caller alone
  #giveUp(count: number, how: string): void {
    // what was done between the last look and the question counts
    if (Atomics.load(this.#words, DONE) === count) return;
    this.end();
    throw new NexdynError('thread-lost', `a thread that shares the work of the step ${how}`, {
      hint: 'the state is that before the step; further steps are taken by the calling thread alone',
    });
  }
}

/** What a thread does for as long as it lives. It never returns: whoever started it ends it. */
export function serveWork(place: WorkPlace, createIslandTasks: CreateIslandTasks): never {
  const { memory, control, index } = place;
  const words = new Int32Array(memory.buffer, control, HELD + index + 1);
  const tasks = bindTasks(place, createIslandTasks);
  for (;;) {
    for (let looks = 0; Atomics.load(words, LEFT) === 0 && looks < LOOKS; looks++);
    Atomics.wait(words, LEFT, 0);
    // before it takes one: a piece is never without an owner
    Atomics.store(words, HELD + index, 1);
    const piece = takePiece(words);
    if (piece >= 0) doPiece(words, tasks, piece);
    Atomics.store(words, HELD + index, 0);
  }
}

function doPiece(words: Int32Array, tasks: (Task | undefined)[], piece: number): void {
  try {
    tasks[words[TASK]]!(words[RECORD], piece);
  } catch {
    Atomics.store(words, FAULT, 1);
  }
  if (Atomics.add(words, DONE, 1) + 1 === words[COUNT]) Atomics.notify(words, DONE);
}

/** The number of a piece that nobody else takes, or −1. */
function takePiece(words: Int32Array): number {
  let left = Atomics.load(words, LEFT);
  while (left > 0) {
    const before = Atomics.compareExchange(words, LEFT, left, left - 1);
    if (before === left) return words[COUNT] - left;
    left = before;
  }
  return -1;
}

function bindTasks(
  { memory, modules, islands }: WorkPlace,
  createIslandTasks: CreateIslandTasks,
): (Task | undefined)[] {
  const exports = new Map<string, Record<string, unknown>>();
  for (const [name, module] of Object.entries(modules as Record<string, WebAssembly.Module>)) {
    exports.set(name, new WebAssembly.Instance(module, { env: { memory } }).exports);
  }
  const functions = exports.get('functions') as unknown as CompiledFunctions | undefined;
  if (islands && functions) {
    const dynamics = exports.get('dynamics') as unknown as CompiledDynamics | undefined;
    exports.set('islands', { ...createIslandTasks(islands, new ThreadMemory(memory, functions, dynamics)) });
  }
  return NAMES.map((task) => exports.get(TASKS[task])?.[task] as Task | undefined);
}
