import type { Model } from '../../model/model.ts';
import { listUnresolved } from '../unresolved.ts';

/** What a model asks for and `ccp` does otherwise or not at all, in words. */
export function listCcpUnresolved(model: Model): string[] {
  const parts = listUnresolved(model);
  const integrator = model.scene.options?.integrator;
  if (integrator === 'rk4' || integrator === 'rkmk4') {
    parts.push(`integrator ${integrator}: ccp steps are semi-implicit`);
  }
  return parts;
}
