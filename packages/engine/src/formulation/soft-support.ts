/** A soft body under a formulation that does not support it is an error, not a body that never moves. */
import { NexdynError } from '../error.ts';
import type { Model } from '../model/model.ts';
import { findFormulation, nameFormulationsWith } from '../scene/formulation-table.ts';

export function refuseSoftBodies({ size, options }: Model): void {
  const { formulation } = options;
  if (size.softBody === 0 || findFormulation(formulation).resolves.softBodies) return;
  throw new NexdynError('unsupported-formulation', `${formulation} has no soft bodies`, {
    path: 'softBodies',
    hint: `use formulation ${nameFormulationsWith('softBodies')}`,
  });
}
