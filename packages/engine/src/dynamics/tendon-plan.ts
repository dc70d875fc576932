/** Where the inertia of tendons is: see tendon-armature.ts. */
import type { Model } from '../model/model.ts';
import { findFormulation } from '../scene/formulation-table.ts';
import type { MomentPattern } from './moment-pattern.ts';

/** Values of `DynamicsPlan.tendonArmature`. */
export const TENDON_ARMATURE = { none: 0, matrix: 1, row: 2 } as const;

/** Where the inertia of each tendon is. */
export function placeTendonArmature(model: Model, pattern: MomentPattern): Uint8Array {
  const { tendon, size, coordinates, options } = model;
  const staysInBranches = findFormulation(options.formulation).tendonInertia === 'branches';
  return Uint8Array.from({ length: size.tendon }, (_, t) => {
    if (tendon.armature[t] === 0) return TENDON_ARMATURE.none;
    const isMatrix = coordinates === 'joint' && (staysInBranches || isOneBranch(model, pattern, t));
    return isMatrix ? TENDON_ARMATURE.matrix : TENDON_ARMATURE.row;
  });
}

// whether every dof of the tendon has those before it among its ancestors
function isOneBranch({ dof }: Model, { rowStart, column }: MomentPattern, t: number): boolean {
  for (let k = rowStart[t + 1] - 1; k > rowStart[t]; k--) {
    let i = column[k];
    while (i > column[k - 1]) i = dof.parent[i];
    if (i !== column[k - 1]) return false;
  }
  return true;
}
