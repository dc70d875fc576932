/** The solvers of islands in a thread beside the one that steps. */
import type { SharedMemory } from '../linear-algebra/memory.ts';
import type { IslandTasks } from '../linear-algebra/shared-work.ts';
import { createIslandTasks } from '../objective/shared-islands.ts';
import { createMujocoIslands, type MujocoSetup } from './mujoco/mujoco-islands.ts';
import { type VelocitySetup, VelocitySolver } from './velocity-solve/velocity-solver.ts';

/** The tasks of the thread, from what the formulation has told (`setUpIslands`). */
export function createIslandThread(setup: object, memory: SharedMemory): IslandTasks {
  const parts = setup as VelocitySetup | MujocoSetup;
  return createIslandTasks(memory, (problem) =>
    parts.solver === 'mujoco'
      ? createMujocoIslands(parts, problem, memory)
      : new VelocitySolver({ ...parts, problem, isSeparate: true, memory }),
  );
}
