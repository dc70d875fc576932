import { type Model, SOFT_CONTACT } from '../../model/model.ts';
import { listAnisotropic, listRolling } from '../pair-friction.ts';
import { listUnresolved } from '../unresolved.ts';

/** What a model asks for and `sap` does otherwise or not at all, in words. */
export function listSapUnresolved(model: Model): string[] {
  const parts = listUnresolved(model);
  const { options, shape, material } = model;
  const { soft } = model;
  if (soft.contact.some((kind, n) => kind === SOFT_CONTACT.point && soft.touchesItself[n] === 1)) {
    parts.push('contact of a soft body with itself at points: it has one by pressure');
  }
  if (shape.adhesion.some(Boolean)) parts.push('adhesion of contacts');
  if (options.sap.contactModel !== 'lagged') return parts;
  for (const part of [...listRolling(model), ...listAnisotropic(model)]) parts.push(`${part}: lagged contact has none`);
  if (material.dissipation.some((time) => time >= 0)) {
    parts.push('dissipation times of materials: lagged contact has options.sap.huntCrossley');
  }
  return parts;
}
