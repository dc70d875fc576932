/** Memory whose work is shared in the worst order: the last piece first. What depends on the order of the pieces shows. */
import { Arena } from '../kernels/arena.ts';
import type { Memory } from '../linear-algebra/memory.ts';
import { TASKS, type Task, type TaskName } from '../linear-algebra/shared-work.ts';

export interface ReversedMemory extends Memory {
  /** Pieces that each task had in all. */
  readonly pieces: Partial<Record<TaskName, number>>;
}

export function createReversedMemory(): ReversedMemory {
  const arena = new Arena();
  const pieces: Partial<Record<TaskName, number>> = {};
  return {
    f64: (length) => arena.f64(length),
    i32: (length) => arena.i32(length),
    compiled: arena.compiled,
    compiledSoft: arena.compiledSoft,
    compiledDynamics: arena.compiledDynamics,
    pieces,
    work: {
      setUpIslands: () => {},
      run(task, record, count, here) {
        const functions = TASKS[task] === 'soft' ? arena.compiledSoft : arena.compiled;
        const call = here ?? (functions as unknown as Record<string, Task>)[task]!;
        pieces[task] = (pieces[task] ?? 0) + count;
        for (let piece = count - 1; piece >= 0; piece--) call(record, piece);
      },
    },
  };
}
