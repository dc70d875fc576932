import type { Model } from '../model/model.ts';

/** What a model may have and no formulation resolves yet, in words. */
export function listUnresolved(model: Model): string[] {
  const { tendon, shape } = model;
  const parts: string[] = [];
  if (tendon.armature.some(Boolean)) parts.push('tendon armature');
  if (shape.fluid.some(Boolean)) parts.push('fluid forces on single shapes');
  return parts;
}
