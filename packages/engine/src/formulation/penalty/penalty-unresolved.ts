import type { Model } from '../../model/model.ts';
import { listAnisotropic, listRolling } from '../pair-friction.ts';
import { listSoftUnresolved } from '../soft-rows/soft-report.ts';
import { listUnresolved } from '../unresolved.ts';

/** What a model asks for and `penalty` does otherwise or not at all, in words. */
export function listPenaltyUnresolved(model: Model): string[] {
  const parts = [...listUnresolved(model), ...listSoftUnresolved(model)];
  if (model.shape.adhesion.some(Boolean)) parts.push('adhesion of contacts');
  for (const part of [...listRolling(model), ...listAnisotropic(model)])
    parts.push(`${part}: penalty contact has none`);
  return parts;
}
