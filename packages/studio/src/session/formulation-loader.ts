/** Fetches the script of a formulation that is not part of the worker's own. */
import type { FormulationId } from '@nexdyn/engine';

export async function loadFormulation(id: FormulationId): Promise<void> {
  if (id === 'ccp') await import('@nexdyn/engine/ccp');
  if (id === 'ipc') await import('@nexdyn/engine/ipc');
}
