import { isFieldKind } from '../../geometry/shapes/shape-table.ts';
import type { Model } from '../../model/model.ts';
import { listRolling } from '../pair-friction.ts';
import { listUnresolved } from '../unresolved.ts';

/** What a model may have and `ipc` does not resolve, in words. */
export function listIpcUnresolved(model: Model): string[] {
  const { shape } = model;
  const parts = listUnresolved(model);
  if (shape.surfaceMotion.some(Boolean)) parts.push('moving surfaces');
  if (shape.adhesion.some(Boolean)) parts.push('adhesion');
  parts.push(...listRolling(model));
  if (hasSoftFields(model)) parts.push('contact of soft bodies with signed-distance fields');
  return parts;
}

// samples of soft surfaces would have to move with them; under `swept` fields are surfaces
function hasSoftFields({ shape, size, options }: Model): boolean {
  if (size.softBody === 0 || options.ipc.signedDistancePromise === 'swept') return false;
  return shape.kind.some(isFieldKind);
}
