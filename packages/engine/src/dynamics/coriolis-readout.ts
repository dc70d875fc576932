/** Forces and accelerations of `forward()`: they include the Coriolis forces of trees, which a step treats separately (coriolis-transport.ts). */
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { assembleMetric } from './integrate.ts';
import type { Workspace } from './workspace.ts';

/** After the solve. */
export function restoreCoriolisForce(model: Model, state: State, work: Workspace, h: number): void {
  const { coriolis, biasForce, smoothForce, acceleration } = work;
  if (!coriolis.isMoving) return;
  const { force, projected: change, factor, inverseDiagonal } = coriolis;
  const { kernels, rowStart, column } = work.plan;
  assembleMetric(factor, model, state, work, h);
  kernels.factorTree(factor, inverseDiagonal, rowStart, column);
  change.set(force);
  kernels.solveTree(change, factor, inverseDiagonal, rowStart, column);
  for (let i = 0; i < force.length; i++) {
    biasForce[i] += force[i];
    smoothForce[i] -= force[i];
    acceleration[i] -= change[i];
  }
  force.fill(0);
  coriolis.isMoving = false;
}
