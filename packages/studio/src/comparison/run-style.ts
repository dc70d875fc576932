import type { FormulationId } from '@nexdyn/engine';

export interface RunStyle {
  color: string;
  dash: readonly number[];
}

/** Style of the curves of each formulation: distinct colours, and distinct dashes. */
const STYLES: Readonly<Record<string, RunStyle>> = {
  mujoco: { color: '--run-mujoco', dash: [] },
  sap: { color: '--run-sap', dash: [8, 4] },
  ccp: { color: '--run-ccp', dash: [2, 3] },
  ipc: { color: '--run-ipc', dash: [8, 3, 2, 3] },
  penalty: { color: '--run-penalty', dash: [4, 2] },
};

/** Of formulations that others have added. */
const OTHER: RunStyle = { color: '--plot-total', dash: [4, 2] };

export function styleRun(formulation: FormulationId): RunStyle {
  return STYLES[formulation] ?? OTHER;
}
