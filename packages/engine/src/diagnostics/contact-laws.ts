/**
 * How far the contacts of a step are from the laws of contact, whatever formulation found their forces.
 *   Signorini     0 ≤ φ⁺ ⊥ f_N ≥ 0                    |f_N φ⁺|
 *   Coulomb       |f_T| ≤ μ f_N, f_T = −μ f_N u_T/|u_T| where it slips: the most dissipation in the cone
 *   cone program  f in the cone, (φ⁺/h, u_T) in its dual, f_N φ⁺/h + f_T·u_T = 0
 * Symbols as in metrics.ts. Two coefficients of friction are reduced to one by scaling: |f_T| is max(μ) √(Σ (f_k/μ_k)²).
 * A contact with adhesion A has the cone of f_N + A. Spin and rolling torques are not checked.
 */
import type { ContactSet } from '../collision/contact-set.ts';
import type { Measurement } from './metrics.ts';

/** Share of μ f_N below which a contact counts as sticking. */
const STICKING = 0.999;

/** Contacts with the velocities after the step. */
export interface MovingContacts {
  readonly contacts: ContactSet;
  /** Per contact: u in the contact frame, normal first, m/s; three numbers. */
  readonly velocity: Float64Array;
  /** Whether `gap` is that after the step, or before it. */
  readonly isAfter: boolean;
  /** s. */
  readonly h: number;
}

/** Writes what concerns contacts. */
export function measureContactLaws(out: Measurement, { contacts, velocity, isAfter, h }: MovingContacts): void {
  clearContacts(out);
  const { force, gap, friction, condim, adhesion } = contacts;
  for (let i = 0; i < contacts.count; i++) {
    const n = force[6 * i];
    const s = force[6 * i + 1];
    const t = force[6 * i + 2];
    const un = velocity[3 * i];
    const us = velocity[3 * i + 1];
    const ut = velocity[3 * i + 2];
    const hasFriction = condim[i] > 1;
    const mu1 = hasFriction ? friction[5 * i] : 0;
    const mu2 = hasFriction ? friction[5 * i + 1] : 0;
    const mu = Math.max(mu1, mu2);
    // what the cone is about: with adhesion it begins below zero
    const held = n + adhesion[i];
    const tangent = Math.sqrt(s * s + t * t);
    const stretched = mu1 > 0 && mu2 > 0 ? mu * Math.sqrt((s / mu1) ** 2 + (t / mu2) ** 2) : tangent;
    const slip = Math.sqrt(us * us + ut * ut);
    // the most power that friction could dissipate: the support of the ellipse |f_k/μ_k| ≤ f_N
    const most = held * Math.sqrt((mu1 * us) ** 2 + (mu2 * ut) ** 2);
    const power = s * us + t * ut;
    const after = isAfter ? gap[i] : gap[i] + h * un;
    out.coneViolation = Math.max(out.coneViolation, stretched - mu * Math.max(held, 0), -held);
    out.signorini = Math.max(out.signorini, Math.abs(n * after));
    out.signoriniVelocity = Math.max(out.signoriniVelocity, h * Math.abs(n * un));
    out.dissipationError = Math.max(out.dissipationError, Math.max(0, most) + power);
    out.coneComplementarity = Math.max(out.coneComplementarity, Math.abs(n * after + h * power));
    out.coulombComplementarity = Math.max(out.coulombComplementarity, Math.abs(n * after + h * (power + most)));
    out.normalForce += n;
    if (!(n > 0)) continue;
    out.contacts++;
    out.gap = Math.max(out.gap, after);
    if (stretched < STICKING * mu * held) out.creep = Math.max(out.creep, slip);
  }
}

/** The deepest overlap of a state, m. */
export function measurePenetration({ count, gap }: ContactSet): number {
  let depth = 0;
  for (let i = 0; i < count; i++) depth = Math.max(depth, -gap[i]);
  return depth;
}

function clearContacts(out: Measurement): void {
  out.gap = 0;
  out.coneViolation = 0;
  out.signorini = 0;
  out.signoriniVelocity = 0;
  out.dissipationError = 0;
  out.coulombComplementarity = 0;
  out.coneComplementarity = 0;
  out.creep = 0;
  out.contacts = 0;
  out.normalForce = 0;
}
