/**
 * Work that threads share within a step. A *task* is a function of a record and of the number of a piece: a compiled one, or one on an
 * island, for which threads have solvers of their own. Pieces do not depend on the number of threads and write to places of their own, so results
 * are the same bytes for any number of them.
 */
import type { CompiledFunctions, CompiledSoft } from './compiled-functions.ts';

/** What tasks are part of: a compiled module, or the solvers that a thread makes. Each is called with the address of a record and the number of a piece. */
export const TASKS = {
  factorSubtree: 'functions',
  solvePanelRows: 'functions',
  writeRestRows: 'functions',
  addGradientPiece: 'soft',
  addHessianPiece: 'soft',
  weighIsland: 'islands',
  solveIsland: 'islands',
} as const;

export type TaskName = keyof typeof TASKS;

/** Compiled modules that threads need. */
export interface TaskModules {
  readonly functions?: WebAssembly.Module;
  readonly dynamics?: WebAssembly.Module;
  readonly soft?: WebAssembly.Module;
}

/** Does a piece of a task. */
export type Task = (record: number, piece: number) => void;

/** Those that solvers of a thread do. */
export interface IslandTasks {
  readonly weighIsland: Task;
  readonly solveIsland: Task;
}

/** Threads that take pieces of work beside the one that steps. */
export interface SharedWork {
  /**
   * Does the pieces 0 to `count` − 1 of a task; returns when all are done. `here` does those of the calling thread; default: the compiled function.
   * A task that a piece of another one runs is done by the calling thread.
   */
  run(task: TaskName, record: number, count: number, here?: Task): void;
  /** What threads make solvers of islands from, numbers and plain objects; before the first step. */
  setUpIslands(setup: object): void;
}

/** Those of one memory. */
export interface WorkPool extends SharedWork {
  /** Ends the threads; work is then done by the caller alone. */
  end(): void;
}

/** The memory that threads are to share; an arena is one. */
export interface WorkHost {
  readonly memory: unknown;
  readonly compiled: CompiledFunctions | undefined;
  readonly compiledSoft: CompiledSoft | undefined;
  i32(length: number): Int32Array;
}

/** What starts threads; the engine itself knows none. */
export interface StepThreads {
  /** Threads beside the calling one. */
  readonly count: number;
  /** A pool of so many on a memory. */
  open(host: WorkHost): WorkPool;
}
