/**
 * One physical material, read by each formulation. The user gives the stiffness k (N/m) and the dissipation time τ (s) of a
 * contact point: f_n = k (−φ) − k τ φ̇ where the contact is closed.
 *
 * sap      k and τ as they are: R_n = 1 / (h k (h + τ)), v̂ = −φ / (h + τ).
 * mujoco   f_n = (a_ref − J a) / R with a_ref = −B φ̇ − K d φ; R regularisation of the normal, d its impedance.
 *          At rest J a = 0 and f_n = k (−φ) asks for K = k R / d: bodies sink as deep as the material says, whatever their
 *          masses. In motion J a / R acts like an added mass, m/(1 − d) in all: oscillations are slower by √(1 − d), and
 *          B = k τ R / √(1 − d) keeps their damping ratio. It applies where `solref` is left at its default.
 *          Faces of a contact surface share what one contact has: R of face i is R Σ_j k_j / k_i over the faces of the pair that are
 *          pressed, so that all have the same K and B and their added masses add up to that of one contact. With R for each of
 *          hundreds of faces bodies would move as if hundreds of times as heavy.
 * ccp      compliance 1/k and relaxation time τ as they are.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import { DEFAULT_SOLREF } from '../model/constraint-defaults.ts';

/** Whether a contact takes its softness from the material under `mujoco`. */
export function readsMaterial({ stiffness, solref }: ContactSet, i: number): boolean {
  return stiffness[i] > 0 && solref[2 * i] === DEFAULT_SOLREF[0] && solref[2 * i + 1] === DEFAULT_SOLREF[1];
}

/** How many times as soft as a contact of its own face i is under `mujoco`: Σ k_j / k_i; 1 at points. */
export class PatchShares {
  #end = 0;
  #total = 0;

  /** Before the first contact of a step. */
  begin(): void {
    this.#end = 0;
  }

  /** Contacts are asked for in their order. */
  measure({ area, stiffness, pair, gap, margin, count }: ContactSet, i: number): number {
    if (!(area[i] > 0 && stiffness[i] > 0)) return 1;
    if (i >= this.#end) {
      this.#total = 0;
      let k = i;
      for (; k < count && pair[k] === pair[i]; k++) if (gap[k] < margin[k]) this.#total += stiffness[k];
      this.#end = k;
    }
    return Math.max(1, this.#total / stiffness[i]);
  }
}

/** K, 1/s². */
export function mujocoStiffness(
  { stiffness }: ContactSet,
  i: number,
  regularization: number,
  impedance: number,
): number {
  return (stiffness[i] * regularization) / impedance;
}

/** B, 1/s. Without a dissipation time the contact is critically damped, as with the default `solref`: B = 2 √K. */
export function mujocoDamping(
  { stiffness, dissipation }: ContactSet,
  i: number,
  regularization: number,
  impedance: number,
): number {
  const product = stiffness[i] * regularization;
  return dissipation[i] < 0
    ? 2 * Math.sqrt(product / impedance)
    : (product * dissipation[i]) / Math.sqrt(1 - impedance);
}
