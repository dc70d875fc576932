import type { FormulationId } from '@nexdyn/engine';

/** How the curves of each formulation look: told apart by colour, and without colours by their dashes. */
export const RUN_STYLE: Readonly<Record<FormulationId, { color: string; dash: readonly number[] }>> = {
  mujoco: { color: '--run-mujoco', dash: [] },
  sap: { color: '--run-sap', dash: [8, 4] },
  ccp: { color: '--run-ccp', dash: [2, 3] },
  ipc: { color: '--run-ipc', dash: [8, 3, 2, 3] },
};
