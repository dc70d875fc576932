/** The solvers of islands in a thread beside the one that steps. */
import type { SharedMemory } from '../linear-algebra/memory.ts';
import type { Task } from '../linear-algebra/shared-work.ts';
import { createIslandTask } from '../objective/shared-islands.ts';
import { createMujocoIslands, type MujocoSetup } from './mujoco/mujoco-islands.ts';
import { type VelocitySetup, VelocitySolver } from './velocity-solve/velocity-solver.ts';

/** The task of the thread, from what the formulation has told (`setUpIslands`). */
export function createIslandThread(setup: object, memory: SharedMemory): Task {
  const parts = setup as VelocitySetup | MujocoSetup;
  return createIslandTask(memory, (problem) =>
    parts.solver === 'mujoco'
      ? createMujocoIslands(parts, problem, memory)
      : new VelocitySolver({ ...parts, problem, isSeparate: true, memory }),
  );
}
