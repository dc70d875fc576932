/**
 * Residuals of the conditions K ∋ γ ⊥ u ∈ K*, separately and each in its unit. For Coulomb's and Signorini's problem, u
 * means u + s(u) (coulomb-shift.ts).
 *
 *   cone violation    |γ − P_K(γ)|, largest row                     impulse
 *   dual violation    |u − P_K*(u)| = |P_K(−u)|, largest row        velocity; rows of boxes have none
 *   complementarity   |γᵀ u|, largest block                         energy; for boxes the possible decrease
 */
import { CONE, type ConeSet } from './cone-set.ts';
import { projectCones } from './projection.ts';

/** Residuals of the conditions K ∋ γ ⊥ u ∈ K*, each in its unit. */
export interface Complementarity {
  /** |γ − P_K(γ)|, largest row, N s. */
  coneViolation: number;
  /** |P_K(−u)|, largest row, m/s. */
  dualViolation: number;
  /** |γᵀ u|, largest block, J. */
  complementarity: number;
}

/** Allocates: for reports, not for steps. */
export function measureComplementarity(impulse: Float64Array, velocity: Float64Array, cones: ConeSet): Complementarity {
  const n = cones.rowStart[cones.count];
  const inside = impulse.slice(0, n);
  projectCones(inside, inside, cones);
  const against = velocity.slice(0, n);
  for (let i = 0; i < n; i++) against[i] = -against[i];
  projectCones(against, against, cones);
  const result: Complementarity = { coneViolation: 0, dualViolation: 0, complementarity: 0 };
  for (let b = 0; b < cones.count; b++) {
    let work = 0;
    for (let i = cones.rowStart[b]; i < cones.rowStart[b + 1]; i++) {
      result.coneViolation = Math.max(result.coneViolation, Math.abs(impulse[i] - inside[i]));
      if (cones.kind[b] !== CONE.box) {
        result.dualViolation = Math.max(result.dualViolation, Math.abs(against[i]));
        work += impulse[i] * velocity[i];
      } else if (velocity[i] !== 0) {
        work += velocity[i] * (impulse[i] - (velocity[i] > 0 ? cones.lower[i] : cones.upper[i]));
      }
    }
    result.complementarity = Math.max(result.complementarity, Math.abs(work));
  }
  return result;
}
