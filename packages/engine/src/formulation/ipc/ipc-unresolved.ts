import type { Model } from '../../model/model.ts';
import { listUnresolved } from '../unresolved.ts';

/** What a model may have and `ipc` does not resolve, in words. */
export function listIpcUnresolved(model: Model): string[] {
  const { shape } = model;
  const parts = listUnresolved(model);
  if (shape.surfaceMotion.some(Boolean)) parts.push('moving surfaces');
  if (shape.adhesion.some(Boolean)) parts.push('adhesion');
  if (hasRolling(model)) parts.push('spin and rolling friction');
  return parts;
}

function hasRolling({ shape }: Model): boolean {
  for (let s = 0; s < shape.condim.length; s++) if (shape.condim[s] > 3) return true;
  return false;
}
