/** What a thread that shares the work of steps runs: compiled tasks, and solvers of islands. */
import { createIslandThread } from './formulation/island-thread.ts';
import { serveWork as serve, type WorkPlace } from './kernels/work-pool.ts';
import { CompiledDescent } from './objective/compiled-descent.ts';
import { COMPILED_DESCENT } from './objective/descent-access.ts';
import { SparseHessian } from './objective/sparse-hessian.ts';
import { SPARSE_HESSIANS } from './objective/sparse-storage.ts';

export type { WorkPlace };

COMPILED_DESCENT.provide(CompiledDescent);
SPARSE_HESSIANS.provide(
  (objective, product, memory, coupling) => new SparseHessian(objective, product, memory, coupling),
);

/** What a thread does for as long as it lives. It never returns: whoever started it ends it. */
export function serveWork(place: WorkPlace): never {
  return serve(place, createIslandThread);
}
