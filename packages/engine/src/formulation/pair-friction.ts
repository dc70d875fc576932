/** Friction that not every formulation supports (spin, rolling, anisotropic): names the pairs of a model that ask for it, for `unresolved`. */
import type { Model } from '../model/model.ts';

/** Whether some contacts of the model have spin or rolling friction: of shapes with condim 4 or 6, or of explicit pairs. */
export function listRolling({ shape, surface }: Model): string[] {
  const parts: string[] = [];
  if (shape.condim.some((condim) => condim > 3)) parts.push('spin and rolling friction');
  for (const { shape1, shape2, mujoco } of surface.explicit)
    if ((mujoco?.condim ?? 3) > 3) parts.push(`spin and rolling friction between "${shape1}" and "${shape2}"`);
  return parts;
}

/** Where friction depends on the direction of slip: in explicit pairs, or in the override of all contacts. */
export function listAnisotropic({ surface }: Model): string[] {
  const all = surface.override?.friction;
  if (all) return all[0] === all[1] ? [] : ['friction that depends on the direction, of all contacts'];
  return surface.explicit
    .filter(({ friction }) => friction !== undefined && friction[0] !== friction[1])
    .map(({ shape1, shape2 }) => `friction that depends on the direction between "${shape1}" and "${shape2}"`);
}
