/** Everything that depends on positions alone. */
import type { Model } from '../model/model.ts';
import type { State } from '../state/state.ts';
import { updateMassMatrix } from './mass-matrix.ts';
import { updatePoses, updateSites } from './poses.ts';
import { updateBodyInertias, updateMotionSubspace, updateTreeCenters } from './spatial-inertia.ts';
import { TENDONS } from './tendon-access.ts';
import { updateTransmissions } from './transmission.ts';
import type { Workspace } from './workspace.ts';

export function updateKinematics(model: Model, state: State, work: Workspace): void {
  if (!hasConfiguration(state, work)) {
    computeConfiguration(model, state, work);
    work.configuration.isKnown = false;
  }
  updateSites(model, work);
  work.softPosition.set(state.softPosition);
  work.row.fill(0);
  if (model.size.tendon > 0) TENDONS.require().updateTendons(model, state, work);
  if (work.plan.hasTendonInertia) TENDONS.require().addTendonInertia(model, work);
  updateTransmissions(model, state, work);
}

/** Poses, axes and M alone, for the end of a step: the next one finds them there. */
export function updateConfiguration(model: Model, state: State, work: Workspace): void {
  const { position, mocapPosition, mocapOrientation } = work.configuration;
  computeConfiguration(model, state, work);
  position.set(state.position);
  mocapPosition.set(state.mocapPosition);
  mocapOrientation.set(state.mocapOrientation);
  work.configuration.isKnown = true;
}

function computeConfiguration(model: Model, state: State, work: Workspace): void {
  if (work.mechanism) {
    work.mechanism.computeConfiguration(state);
    return;
  }
  updatePoses(model, state, work);
  updateTreeCenters(model, work);
  updateBodyInertias(model, work);
  updateMotionSubspace(model, work);
  updateMassMatrix(model, work);
}

/** Whether the workspace has the poses of these very positions. */
function hasConfiguration(state: State, { configuration }: Workspace): boolean {
  return (
    configuration.isKnown &&
    areEqual(state.position, configuration.position) &&
    areEqual(state.mocapPosition, configuration.mocapPosition) &&
    areEqual(state.mocapOrientation, configuration.mocapOrientation)
  );
}

function areEqual(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
