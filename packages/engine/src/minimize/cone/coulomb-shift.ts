/**
 * What Coulomb's law and Signorini's condition add to a cone program (De Saxcé's term):
 *
 *   K ∋ γ ⊥ u + s(u) ∈ K*,     s = (μ |u_t| + ρₛ |u_s| + ρᵣ |u_r|) e_n per contact
 *
 * The cone program requires u_n ≥ μ |u_t|, so sliding contacts separate. With s it requires u_n ≥ 0.
 * Source: De Saxcé and Feng, The bipotential method: a constructive approach to design the complete contact law with friction,
 * Mathematical and Computer Modelling 28 (1998).
 */
import { CONE, type ConeSet } from './cone-set.ts';

/** s of every block; 0 where it is no contact. */
export function findCoulombShift(shift: Float64Array, velocity: Float64Array, cones: ConeSet): void {
  for (let b = 0; b < cones.count; b++) shift[b] = findBlockShift(velocity, cones.rowStart[b], cones, b);
}

/** s of block b, whose velocities begin at an entry. */
export function findBlockShift(velocity: Float64Array, row: number, cones: ConeSet, b: number): number {
  const kind = cones.kind[b];
  if (kind !== CONE.friction && kind !== CONE.rolling) return 0;
  const dimension = cones.rowStart[b + 1] - cones.rowStart[b];
  let sum = cones.friction[b] * measure(velocity[row + 1], velocity[row + 2]);
  const hasSpin = dimension === 4 || dimension === 6;
  if (hasSpin) sum += cones.spinning[b] * Math.abs(velocity[row + 3]);
  const roll = row + (hasSpin ? 4 : 3);
  if (dimension >= 5) sum += cones.rolling[b] * measure(velocity[roll], velocity[roll + 1]);
  return sum;
}

function measure(a: number, b: number): number {
  return Math.sqrt(a * a + b * b);
}
