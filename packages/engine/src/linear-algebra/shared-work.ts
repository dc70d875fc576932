/**
 * Work that threads share within a step. A *task* is a compiled function of a record and of the number of a piece. Pieces do not depend on
 * the number of threads and write to places of their own, so results are the same bytes for any number of them.
 */
import type { CompiledFunctions, CompiledSoft } from './compiled-functions.ts';

/** The compiled functions that are tasks, with their module: each is called with the address of a record and the number of a piece. */
export const TASKS = {
  factorSubtree: 'functions',
  solvePanelRows: 'functions',
  writeRestRows: 'functions',
  addGradientPiece: 'soft',
  addHessianPiece: 'soft',
} as const;

/** A module with tasks. */
export type TaskModule = (typeof TASKS)[TaskName];

export type TaskName = keyof typeof TASKS;

/** Threads that take pieces of work beside the calling one. */
export interface SharedWork {
  /** Does the pieces 0 to `count` − 1 of a task; returns when all are done. */
  run(task: TaskName, record: number, count: number): void;
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
