import type { Model } from '../../model/model.ts';
import { listAnisotropic, listRolling } from '../pair-friction.ts';
import { listSoftUnresolved } from '../soft-rows/soft-report.ts';
import { listUnresolved } from '../unresolved.ts';

/** What a model asks for and `sap` does otherwise or not at all, in words. */
export function listSapUnresolved(model: Model): string[] {
  const parts = [...listUnresolved(model), ...listSoftUnresolved(model)];
  const { options, shape, material } = model;
  if (shape.adhesion.some(Boolean)) parts.push('adhesion of contacts');
  if (options.sap.contactModel !== 'lagged') return parts;
  for (const part of [...listRolling(model), ...listAnisotropic(model)]) parts.push(`${part}: lagged contact has none`);
  if (material.dissipation.some((time) => time >= 0)) {
    parts.push('dissipation times of materials: lagged contact has options.sap.huntCrossley');
  }
  return parts;
}
