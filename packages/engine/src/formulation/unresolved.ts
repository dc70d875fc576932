import type { Model } from '../model/model.ts';

/** What a model may have and no formulation of rigid bodies resolves yet, in words. */
export function listUnresolved(model: Model): string[] {
  const { tendon, shape, scene } = model;
  const parts: string[] = [];
  if (tendon.armature.some(Boolean)) parts.push('tendon armature');
  if (shape.fluid.some(Boolean)) parts.push('fluid forces on single shapes');
  if ((scene.softBodies?.length ?? 0) > 0) parts.push('soft bodies');
  return parts;
}
