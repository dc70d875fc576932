/** The solvers of islands in a thread beside the one that steps. */
import type { SharedMemory } from '../linear-algebra/memory.ts';
import type { IslandTasks } from '../linear-algebra/shared-work.ts';
import type { ConvexProblem } from '../objective/convex-problem.ts';
import type { IslandSolver } from '../objective/island-solver.ts';
import { createIslandTasks } from '../objective/shared-islands.ts';
import { createMujocoIslands, type MujocoSetup } from './mujoco/mujoco-islands.ts';
import { type VelocitySetup, VelocitySolver } from './velocity-solve/velocity-solver.ts';

/** By the `solver` of what is told. */
const SOLVERS = {
  mujoco: createMujocoIslands,
  velocity: (setup: VelocitySetup, problem: ConvexProblem, memory: SharedMemory): VelocitySolver =>
    new VelocitySolver({ ...setup, problem, isSeparate: true, memory }),
};

/** The tasks of the thread, from what the formulation has told (`setUpIslands`). */
export function createIslandThread(setup: object, memory: SharedMemory): IslandTasks {
  const { solver } = setup as MujocoSetup | VelocitySetup;
  const create = SOLVERS[solver] as (...parts: [object, ConvexProblem, SharedMemory]) => IslandSolver;
  return createIslandTasks(memory, (problem) => create(setup, problem, memory));
}
