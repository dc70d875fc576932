/** Restitution exists where a formulation defines it. Elsewhere asking for it is an error, not a silent zero. */
import { NexdynError } from '../error.ts';
import type { Model } from '../model/model.ts';
import { findFormulation, nameFormulationsWith } from '../scene/formulation-table.ts';

/** Raises an error that names the first material or pair with restitution. */
export function refuseRestitution(model: Model): void {
  if (findFormulation(model.options.formulation).resolves.restitution) return;
  const place = findRestitution(model);
  if (place === undefined) return;
  throw new NexdynError('unsupported-formulation', `${model.options.formulation} does not define restitution`, {
    path: place,
    hint: `remove it, or use formulation ${nameFormulationsWith('restitution')}; soft contacts bounce by their stiffness and dissipation`,
  });
}

function findRestitution({ material, surface }: Model): string | undefined {
  const number = material.restitution.findIndex((restitution) => restitution > 0);
  if (number >= 0) return `materials[${number}].restitution`;
  const pair = surface.explicit.findIndex(({ restitution }) => (restitution ?? 0) > 0);
  return pair >= 0 ? `contactPairs[${pair}].restitution` : undefined;
}
