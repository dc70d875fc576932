/** The solvers of islands in a thread beside the one that steps. */
import type { SharedMemory } from '../linear-algebra/memory.ts';
import type { Task } from '../linear-algebra/shared-work.ts';
import { createIslandTask } from '../objective/shared-islands.ts';
import { type VelocityIslands, VelocitySolver } from './velocity-solve/velocity-solver.ts';

/** The task of the thread, from what the formulation has told (`setUpIslands`). */
export function createIslandThread(setup: object, memory: SharedMemory): Task {
  const { forest, pattern, options } = setup as VelocityIslands;
  return createIslandTask(
    memory,
    (problem) => new VelocitySolver({ problem, forest, pattern, options, isSeparate: true, memory }),
  );
}
