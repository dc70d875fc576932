/**
 * A contact of the `lagged` model: Hunt-Crossley normal force, and regularised friction with the normal impulse of
 * the start of the step:
 *   f₀ = −k φ₀,   n₀ = h (f₀)₊ (1 − d v_n0)₊,   e = max(v_s, μ σ w n₀)
 * Symbols: k N/m, φ₀ gap m, d s/m, v_n0 normal velocity at the start of the step m/s, v_s stiction velocity m/s, w 1/kg.
 * Source: Castro et al., Irrotational contact fields (2023); Drake.
 */
import type { ContactSet } from '../../collision/contact-set.ts';
import { CONSTRAINT_LAW, type ConvexProblem, LAGGED_WIDTH, SOURCE } from '../../objective/convex-problem.ts';
import { contactStiffness } from './contact-material.ts';
import type { SapBuilder } from './sap-builder.ts';

/** Share of the largest normal impulse by which friction may leave its cone. */
const LAG_TOLERANCE = 1e-3;

/** What a contact is described with. */
type LaggedContext = Pick<SapBuilder, 'problem' | 'options' | 'h' | 'startVelocity' | 'heldApproach' | 'mocapParting'>;

/** Describes the last block, of three rows. */
export function addLagged(
  context: LaggedContext,
  contacts: ContactSet,
  i: number,
  w: number,
  hasFriction: boolean,
): void {
  const { problem, options, h, startVelocity, heldApproach, mocapParting } = context;
  const { rows } = problem;
  const block = rows.blockCount - 1;
  const first = problem.describe(CONSTRAINT_LAW.lagged, SOURCE.contact, i);
  // no reference: the law is in terms of the contact velocity itself
  for (let k = 0; k < 3; k++) problem.setRow(first + k, 0, 1, 0, 0);
  // but the damper sees how fast mocap bodies push
  problem.reference[first] -= mocapParting;
  let approach = heldApproach + mocapParting;
  const n = rows.columnCount[block];
  for (let c = 0; c < n; c++) {
    approach += rows.value[rows.valueStart[block] + c] * startVelocity[rows.column[rows.columnStart[block] + c]];
  }
  const k = contactStiffness(options, contacts, i);
  const elastic = -k * (contacts.gap[i] + contacts.recovery[i]);
  const mu = hasFriction ? contacts.friction[5 * i] : 0;
  const impulse = measureImpulse(h, elastic, options.huntCrossley, approach);
  const at = problem.reserveLagged(block);
  const { lagged } = problem;
  lagged[at] = h;
  lagged[at + 1] = k;
  lagged[at + 2] = elastic + h * k * mocapParting;
  lagged[at + 3] = options.huntCrossley;
  lagged[at + 4] = mu * impulse;
  lagged[at + 5] = measureSmoothingSpeed(options.stictionVelocity, mu, options.frictionRegularization, w, impulse);
}

/**
 * Lowers n₀ of contacts whose friction is outside the cone of the normal impulse that the solve has found: a contact that opens or
 * unloads in the step would else rub with the force it had before. n₀ only falls, so that repeating it ends. Whether any was lowered.
 */
export function tightenFriction(problem: ConvexProblem, { friction }: ContactSet): boolean {
  const { rows, law, sourceIndex, lagged } = problem;
  const { force } = problem.data;
  let most = 0;
  for (let b = 0; b < rows.blockCount; b++)
    if (law[b] === CONSTRAINT_LAW.lagged) most = Math.max(most, force[rows.rowStart[b]]);
  let isLowered = false;
  for (let b = 0; b < rows.blockCount; b++) {
    if (law[b] !== CONSTRAINT_LAW.lagged) continue;
    const first = rows.rowStart[b];
    const mu = friction[5 * sourceIndex[b]];
    const bound = mu * force[first];
    const grip = Math.sqrt(force[first + 1] ** 2 + force[first + 2] ** 2);
    if (!(grip > bound + LAG_TOLERANCE * mu * most)) continue;
    lagged[LAGGED_WIDTH * b + 4] = bound;
    isLowered = true;
  }
  return isLowered;
}

// n₀: normal impulse that friction sees, N s
function measureImpulse(h: number, elastic: number, dissipation: number, velocity: number): number {
  return h * Math.max(0, elastic) * Math.max(0, 1 - dissipation * velocity);
}

// e: slip at which friction is smoothed, m/s
function measureSmoothingSpeed(stiction: number, mu: number, sigma: number, w: number, impulse: number): number {
  return Math.max(stiction, mu * sigma * w * impulse);
}
