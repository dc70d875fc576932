/** Restitution exists where a formulation defines it: `ccp` alone. Elsewhere asking for it is an error, not a silent zero. */
import { NexdynError } from '../error.ts';
import type { Model } from '../model/model.ts';

/** Raises an error that names the first material or pair with restitution. */
export function refuseRestitution({ scene, options }: Model): void {
  const place = findRestitution(scene);
  if (place === undefined) return;
  throw new NexdynError('unsupported-formulation', `${options.formulation} does not define restitution`, {
    path: place,
    hint: "remove it, or use formulation 'ccp'; soft contacts bounce by their stiffness and dissipation",
  });
}

function findRestitution(scene: Model['scene']): string | undefined {
  const material = (scene.materials ?? []).findIndex(({ restitution }) => (restitution ?? 0) > 0);
  if (material >= 0) return `materials[${material}].restitution`;
  const pair = (scene.contactPairs ?? []).findIndex(({ restitution }) => (restitution ?? 0) > 0);
  return pair >= 0 ? `contactPairs[${pair}].restitution` : undefined;
}
