/** Soft bodies move under `sap` and `ipc`. Elsewhere a scene with one is an error, not a body that stands still. */
import { NexdynError } from '../error.ts';
import type { Model } from '../model/model.ts';

export function refuseSoftBodies({ size, options }: Model): void {
  const { formulation } = options;
  if (size.softBody === 0 || formulation === 'sap' || formulation === 'ipc') return;
  throw new NexdynError('unsupported-formulation', `${formulation} has no soft bodies`, {
    path: 'softBodies',
    hint: "use formulation 'sap' or 'ipc'",
  });
}
