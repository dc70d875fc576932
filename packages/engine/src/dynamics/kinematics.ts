/** Everything that depends on positions alone. */
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { updateMassMatrix } from './mass-matrix.ts';
import { updatePoses, updateSites } from './poses.ts';
import { updateBodyInertias, updateMotionSubspace, updateTreeCenters } from './spatial-inertia.ts';
import { updateTendons } from './tendon.ts';
import { updateTransmissions } from './transmission.ts';
import type { Workspace } from './workspace.ts';

export function updateKinematics(model: Model, state: State, work: Workspace): void {
  updatePoses(model, state, work);
  updateSites(model, work);
  updateTreeCenters(model, work);
  updateBodyInertias(model, work);
  updateMotionSubspace(model, work);
  updateMassMatrix(model, work);
  work.softPosition.set(state.softPosition);
  work.row.fill(0);
  updateTendons(model, state, work);
  updateTransmissions(model, state, work);
}
